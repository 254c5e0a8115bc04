"""All methods of a study on one footing: the same scaling, the same rule from scores to labels."""

from __future__ import annotations

from experiments.choices import RESERVED, MethodChoice
from experiments.errors import UsageError
from experiments.instantiate import Json, make
from mlmlm.scores import has_scores

THRESHOLDED = "mlmlm.baselines.Thresholded"
_KEYS = {"scaling", "threshold"}


def check_footing(footing: Json | None) -> Json | None:
    """A study's footing as it is given, if it is one."""
    if footing is not None and (not isinstance(footing, dict) or footing.keys() != _KEYS):
        raise UsageError(f"a footing has the keys {', '.join(sorted(_KEYS))}; this one: {footing}")
    return footing


def on_footing(method: MethodChoice, footing: Json) -> MethodChoice:
    """The method under a footing's ``scaling`` and ``threshold``.

    A method without scores keeps its own way to labels. One that cannot be made stays as it is, and
    fails when it is run.
    """
    own = {key: value for key, value in method.config.items() if key in RESERVED}
    estimator = {key: value for key, value in method.config.items() if key not in RESERVED}
    try:
        cut = _cut(method.name, estimator, footing["threshold"])
    except UsageError:
        return method
    return MethodChoice(method.name, cut | own | {"scaling": footing["scaling"]})


def _cut(name: str, estimator: Json, rule: str) -> Json:
    """The estimator's configuration with a rule for its scores."""
    if estimator.get("_target_") == THRESHOLDED:
        return estimator | {"rule": rule}
    if "threshold" in estimator:  # ML-MLM, whose leave-one-out scores are out of sample
        return estimator | {"threshold": rule}
    if not has_scores(make("method", name, estimator)):
        return estimator
    return {"_target_": THRESHOLDED, "rule": rule, "estimator": estimator}
