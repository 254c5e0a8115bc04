"""The same tuning for every method of a study: one budget, one metric, the same folds.

A method's configuration names a search space under ``search``; a study's ``tuning`` gives every
method that has one as many configurations to try (`experiments.search`). A method without a search
space runs as it is.
"""

from __future__ import annotations

from experiments.choices import MethodChoice
from experiments.errors import UsageError, unknown
from experiments.instantiate import Json
from mlmlm.metrics import METRICS

SEARCH = "experiments.search.Search"
_LEAST = {"budget": 1, "folds": 2, "seed": 0}
_METRICS = ("metric", "metric_without_scores")
_KEYS = (*_LEAST, *_METRICS)


def check_tuning(tuning: Json | None) -> Json | None:
    """A study's tuning as it is given, if it is one."""
    if tuning is None:
        return None
    if not isinstance(tuning, dict) or tuning.keys() != set(_KEYS):
        raise UsageError(f"a tuning has the keys {', '.join(_KEYS)}; this one: {tuning}")
    for key, least in _LEAST.items():
        if type(tuning[key]) is not int or tuning[key] < least:
            raise UsageError(f"tuning.{key} must be {least} or more, not {tuning[key]!r}")
    for key in _METRICS:
        if tuning[key] not in METRICS:
            raise UsageError(unknown("metric", str(tuning[key]), METRICS))
    if METRICS[tuning["metric_without_scores"]].kind == "ranking":
        raise UsageError(
            "tuning.metric_without_scores must be a metric of predictions, not "
            f"{tuning['metric_without_scores']!r}, which needs scores"
        )
    return tuning


def under_tuning(method: MethodChoice, tuning: Json) -> MethodChoice:
    """The method under a study's tuning; as it is, if it has nothing to search."""
    space = method.search
    if space is None:
        return method
    return MethodChoice(
        method.name, method.config | {"tuning": {"_target_": SEARCH, "space": space} | tuning}
    )
