"""A study of settings: some of its methods under each of several settings of their parameters.

    sweep:
      methods: [ml_mlm, br_mlm]
      settings:
        - references: null
        - references: [0.1, 0.5]
          selection: [random, pivoted]
          seeds: [1, 2, 3]

Each entry of ``settings`` changes a method's configuration, once for each combination of the
values listed; ``seeds`` is a list by itself. A setting that changes nothing is the method itself,
so that its records are those of any other study.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from experiments.choices import MethodChoice
from experiments.errors import UsageError, unknown
from experiments.instantiate import Json

_KEYS = {"methods", "settings"}
_SEEDS = "seeds"


def check_sweep(sweep: Any, methods: list[str]) -> Json | None:
    """A study's sweep as it is given, if it is one."""
    if sweep is None:
        return None
    if not isinstance(sweep, dict) or sweep.keys() != _KEYS:
        raise UsageError(f"a sweep has the keys {', '.join(sorted(_KEYS))}; this one: {sweep}")
    for name in sweep["methods"]:
        if name not in methods:
            raise UsageError(unknown("method of the study, in its sweep,", str(name), methods))
    for setting in sweep["settings"]:
        if not isinstance(setting, dict) or not setting:
            raise UsageError(f"a setting of a sweep is of parameters and values, not {setting!r}")
        for name, values in setting.items():
            if values == []:
                raise UsageError(f"a setting of a sweep has no value for {name!r}")
    return sweep


def each_setting(method: MethodChoice, sweep: Json | None) -> Iterator[MethodChoice]:
    """The method under each setting; itself alone if it is not swept."""
    if sweep is None or method.name not in sweep["methods"]:
        yield method
        return
    for setting in sweep["settings"]:
        seeds = {_SEEDS: setting[_SEEDS]} if _SEEDS in setting else {}
        names = [name for name in setting if name != _SEEDS]
        values = [each if isinstance(each, list) else [each] for each in map(setting.get, names)]
        for combination in product(*values):
            yield _under(method, dict(zip(names, combination, strict=True)), seeds)


def _under(method: MethodChoice, setting: Json, seeds: Json) -> MethodChoice:
    changed = {name: value for name, value in setting.items() if method.config.get(name) != value}
    if not changed:
        return method
    name = "-".join([method.name, *(f"{key}={value}" for key, value in changed.items())])
    words = ", ".join(f"{key} {value}" for key, value in changed.items())
    own = {"title": f"{method.title}, {words}", "swept": method.name, "published_as": None}
    return MethodChoice(name, method.config | changed | seeds | own)
