"""All methods of a study on one footing: the same scaling, the same rule from scores to labels."""

from __future__ import annotations

from experiments.errors import UsageError
from experiments.record import Json
from experiments.task import RESERVED, MethodChoice, make_estimator
from mlmlm.scores import has_scores

VARIANT = "one footing"
THRESHOLDED = "mlmlm.baselines.Thresholded"
_KEYS = {"scaling", "threshold"}


def on_footing(method: MethodChoice, footing: Json) -> MethodChoice:
    """The method under a footing's ``scaling`` and ``threshold``.

    What was a published row's is then a variant of it. A method without scores keeps its own way
    to labels.
    """
    if footing.keys() != _KEYS:
        raise UsageError(f"a footing has the keys {', '.join(sorted(_KEYS))}; this one: {footing}")
    own = {key: value for key, value in method.config.items() if key in RESERVED}
    estimator = {key: value for key, value in method.config.items() if key not in RESERVED}
    laid = {"scaling": footing["scaling"], "variant": VARIANT}
    return MethodChoice(
        method.name, _cut(method.name, estimator, footing["threshold"]) | own | laid
    )


def _cut(name: str, estimator: Json, rule: str) -> Json:
    """The estimator's configuration with a rule for its scores."""
    if estimator.get("_target_") == THRESHOLDED:
        return estimator | {"rule": rule}
    if "threshold" in estimator:  # ML-MLM, whose leave-one-out scores are out of sample
        return estimator | {"threshold": rule}
    if not has_scores(make_estimator(name, estimator)):
        return estimator
    return {"_target_": THRESHOLDED, "rule": rule, "estimator": estimator}
