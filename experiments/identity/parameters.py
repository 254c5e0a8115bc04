"""A method's configuration in one form for all ways of writing it.

Parameters that are left out have the values that their class gives them, so that a default spelled
out is the same as one left out. A whole number is written as a real one where the class says that
the parameter is real: ``power: 4`` is ``power: 4.0``. Where a class takes both kinds, they may mean
different things (``max_features: 1`` of a forest is one feature, ``1.0`` all of them) and stay
apart.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from numbers import Integral, Real
from pydoc import locate
from typing import Any

from sklearn.utils._param_validation import Interval

_TARGET, _POSITIONAL = "_target_", "_args_"


def canonical(config: Any) -> Any:
    """A configuration with every default filled in, at any depth."""
    if isinstance(config, Mapping):
        content = {str(key): canonical(value) for key, value in config.items()}
        target = _callable(content)
        return content if target is None else _filled_in(content, target)
    if isinstance(config, list | tuple):
        return [canonical(value) for value in config]
    return config


def targets(config: Any) -> Iterator[str]:
    """Every callable that a configuration names, at any depth."""
    if isinstance(config, Mapping):
        target = str(config.get(_TARGET, ""))
        if target:
            yield target
        if target.startswith("hydra.utils.get_"):  # a class or function, by its path
            positional = config.get(_POSITIONAL) or ()
            yield from map(str, [config["path"]] if "path" in config else positional)
        for value in config.values():
            yield from targets(value)
    elif isinstance(config, list | tuple):
        for value in config:
            yield from targets(value)


def _callable(config: Mapping[str, Any]) -> Callable[..., Any] | None:
    """What a configuration calls; None if it calls nothing, or nothing that can be had."""
    if _TARGET not in config:
        return None
    try:
        found = locate(str(config[_TARGET]))
    except KeyboardInterrupt:
        raise
    except BaseException:  # sys.exit too: the run will fail, and say why
        return None
    return found if callable(found) else None


def _filled_in(config: dict[str, Any], target: Callable[..., Any]) -> dict[str, Any]:
    declared = getattr(target, "_parameter_constraints", {})
    given = {
        name: float(value) if _is_whole(value) and _takes_reals_only(declared.get(name)) else value
        for name, value in config.items()
    }
    return _defaults(target, len(config.get(_POSITIONAL, ()))) | given


def _defaults(target: Callable[..., Any], n_positional: int) -> dict[str, Any]:
    try:
        parameters = list(inspect.signature(target).parameters.values())[n_positional:]
    except (TypeError, ValueError):  # it does not tell
        return {}
    return {
        each.name: canonical(each.default)
        for each in parameters
        if each.default is not each.empty and _is_plain(each.default)
    }


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _takes_reals_only(constraints: Any) -> bool:
    if not isinstance(constraints, list):
        return False
    kinds = [each.type for each in constraints if isinstance(each, Interval)]
    whole = any(kind is Integral for kind in kinds) or Integral in constraints
    return not whole and (Real in kinds or Real in constraints)


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, bool | int | float | str)
