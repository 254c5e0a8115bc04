"""What a study will run: its datasets, smallest first, and its methods."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hydra import compose
from hydra.core.hydra_config import HydraConfig
from hydra.errors import MissingConfigException

from experiments import published
from experiments.choices import BrokenMethod, DatasetChoice, MethodChoice
from experiments.errors import UsageError, describe, unknown
from experiments.footing import check_footing, on_footing
from experiments.settings import check_one_source, content_of
from experiments.splits import each_split
from experiments.sweep import check_sweep, each_setting
from experiments.tuning import check_tuning, under_tuning


@dataclass(frozen=True)
class Plan:
    """The datasets, their numbers of training rows, and the methods to run on each.

    A dataset is there once for each of the study's splits, one after the other.
    ``variants`` are run on a dataset with a cell that differs from the published one, so that the
    verdict can say under which of them the published value comes out. With ``reuse_committed`` the
    committed results of all studies count as done. A run that is estimated to take longer than
    ``limit_minutes`` is skipped. ``seeds_on`` says on which datasets methods are run under fewer of
    their seeds, and how many.
    """

    name: str
    datasets: Sequence[DatasetChoice]
    sizes: Sequence[float]
    methods: Sequence[MethodChoice | BrokenMethod]
    variants: Sequence[MethodChoice | BrokenMethod] = ()
    control: str | None = None
    published: bool = False
    reuse_committed: bool = True
    split: dict[str, Any] | None = None
    limit_minutes: float | None = None
    seeds_on: Mapping[str, int] = field(default_factory=dict)

    def methods_on(self, dataset: DatasetChoice) -> list[MethodChoice | BrokenMethod]:
        """The methods, under as many of their seeds as are run on a dataset."""
        most = self.seeds_on.get(dataset.name)
        if most is None:
            return list(self.methods)
        seen: Counter[str] = Counter()
        kept = []
        for method in self.methods:
            seen[method.name] += 1
            if seen[method.name] <= most:
                kept.append(method)
        return kept

    @property
    def dataset_names(self) -> list[str]:
        return list(dict.fromkeys(dataset.name for dataset in self.datasets))


def make_plan(study: dict[str, Any]) -> Plan:
    """Find the configuration of every name; a wrong one is told before anything runs."""
    name = study.get("name")
    if not isinstance(name, str) or not name.strip():
        raise UsageError(f"study.name must be a name, not {name!r}")
    names = {key: _names(study, key) for key in ("datasets", "methods", "variants")}
    if not names["datasets"] or not names["methods"]:
        raise UsageError("a study needs at least one dataset and one method")
    control = study.get("control")
    if control is not None and control not in names["methods"]:
        known = names["methods"]
        raise UsageError(unknown("method of the study, as its control,", str(control), known))
    footing = check_footing(study.get("footing"))
    splits = each_split(study.get("split"))
    tuning = check_tuning(study.get("tuning"))
    sweep = check_sweep(study.get("sweep"), names["methods"])
    datasets = [DatasetChoice(name, _compose("dataset", name)) for name in names["datasets"]]
    sizes = {dataset.name: _training_rows(dataset) for dataset in datasets}
    most_seeds, seeds_on = _seeds(study, names["datasets"])
    methods = list(_methods(names["methods"], footing, tuning, sweep, most_seeds))
    datasets.sort(key=lambda dataset: sizes[dataset.name])
    datasets = [replace(dataset, split=split) for dataset in datasets for split in splits]
    return Plan(
        name=name,
        datasets=datasets,
        sizes=[sizes[dataset.name] for dataset in datasets],
        methods=methods if sweep is None else _neighbours_share(methods),
        variants=list(_methods(names["variants"])),
        control=control,
        published=_switch(study, "published", default=False),
        reuse_committed=_switch(study, "reuse_committed", default=True),
        split=None if splits == [None] else study["split"],
        limit_minutes=_limit_minutes(study),
        seeds_on=seeds_on,
    )


def _switch(study: dict[str, Any], key: str, default: bool) -> bool:
    value = study.get(key, default)
    if not isinstance(value, bool):
        raise UsageError(f"study.{key} must be true or false, not {value!r}")
    return value


def _names(study: dict[str, Any], key: str) -> list[str]:
    """A list of names in a study's configuration, each once.

    On the command line three dots stand for the names that the study has by itself:
    ``study.methods=[...,mine]`` adds one to them.
    """
    value = study.get(key) or []
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise UsageError(f"study.{key} must be a list of names, not {value!r}")
    names = [each for name in value for each in (_own_names(key) if name == "..." else [name])]
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise UsageError(f"study.{key} has {repeated[0]!r} more than once")
    return names


def _own_names(key: str) -> list[str]:
    """The list that the study's file has, whatever the command line says."""
    name = HydraConfig.get().runtime.choices["study"]
    config = compose("study_config", overrides=[*_search_path(), f"study={name}"])
    return list(content_of(config, "study", name).get(key) or [])


def _seeds(study: dict[str, Any], datasets: Sequence[str]) -> tuple[int | None, dict[str, int]]:
    """How many of a method's seeds a study runs, on all datasets or on some; None is all of them.

    ``seeds: 1`` is one, ``seeds: {yeast: 1}`` is one on Yeast.
    """
    most = study.get("seeds")
    by_dataset = most if isinstance(most, dict) else {}
    for number in by_dataset.values() if isinstance(most, dict) else [most]:
        if number is not None and (type(number) is not int or number < 1):
            raise UsageError(f"study.seeds must be a number of seeds, 1 or more, not {number!r}")
    for name in by_dataset:
        _compose("dataset", name)  # a wrong name is told
    return (None if isinstance(most, dict) else most), {
        name: number for name, number in by_dataset.items() if name in datasets
    }


def _limit_minutes(study: dict[str, Any]) -> float | None:
    """How long a run may be estimated to take; None is as long as it likes."""
    limit = study.get("limit_minutes")
    if limit is not None and (type(limit) not in (int, float) or not 0 < limit < math.inf):
        raise UsageError(f"study.limit_minutes must be a number above 0, not {limit!r}")
    return limit


def _methods(
    names: Iterable[str],
    footing: dict[str, Any] | None = None,
    tuning: dict[str, Any] | None = None,
    sweep: dict[str, Any] | None = None,
    most_seeds: int | None = None,
) -> Iterator[MethodChoice | BrokenMethod]:
    """The methods by their names, as a study asks for them, once for each setting and seed."""
    for name in names:
        own = MethodChoice(name, _compose("method", name))
        try:
            for method in each_setting(own, sweep):
                if tuning is not None:
                    method = under_tuning(method, tuning)
                if footing is not None:
                    method = on_footing(method, footing)
                yield from method.each_seed()[:most_seeds]
        except UsageError as error:
            yield BrokenMethod(name, own.config, error)


def _neighbours_share(
    methods: Iterable[MethodChoice | BrokenMethod],
) -> list[MethodChoice | BrokenMethod]:
    """Methods under the same setting and seed one after another, for they share a regression."""
    groups: dict[Any, list[MethodChoice | BrokenMethod]] = {}
    for method in methods:
        setting = method.name.removeprefix(str(method.config.get("swept", method.name)))
        groups.setdefault((setting, str(method.config.get("seeds"))), []).append(method)
    return [method for group in groups.values() for method in group]


def _compose(group: str, name: str) -> dict[str, object]:
    """The configuration that ``group=name`` would select for a single run."""
    check_one_source(group, name)
    quoted = name.replace("\\", "\\\\").replace("'", "\\'")  # a name may have brackets and commas
    try:
        config = compose("config", overrides=[*_search_path(), f"{group}='{quoted}'"])
        content = content_of(config, group, name)
    except (UsageError, MissingConfigException):
        raise
    except Exception as error:  # whatever it is, it is in the user's file
        raise UsageError(f"{group} {name!r}: {describe(error)}") from error
    if not content.get("_target_"):
        raise UsageError(f"{group} {name!r}: its configuration has no _target_")
    return content


def _search_path() -> list[str]:
    """A search path given on the command line, which Hydra does not hand on by itself."""
    given = HydraConfig.get().overrides.hydra
    return [each for each in given if each.lstrip("+").startswith("hydra.searchpath")]


def _training_rows(dataset: DatasetChoice) -> float:
    """Known for the paper's datasets; others are loaded to see."""
    known = published.datasets()["n_train"]
    if dataset.name in known.index:
        return float(known[dataset.name])
    try:
        return float(len(dataset.load().Y_train))
    except Exception:  # it goes last, and fails there, where failures are recorded
        return math.inf
