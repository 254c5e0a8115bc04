"""All methods of a study on one footing: the same scaling, the same rule from scores to labels.

A footing without a rule, ``threshold: null``, changes the scaling alone. Under a rule, decision
values become probabilities first: the margins of one label's machine cannot be compared with those
of another's, and one cut through all of them would be unfair to methods without probabilities.
"""

from __future__ import annotations

from experiments.choices import RESERVED, MethodChoice
from experiments.errors import UsageError
from experiments.instantiate import Json, make
from mlmlm import DistanceRegressionClassifier
from mlmlm.scores import score_method

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
    if footing["threshold"] is not None:
        try:
            estimator = _cut(method.name, estimator, footing["threshold"])
        except UsageError:
            return method
    return MethodChoice(method.name, estimator | own | {"scaling": footing["scaling"]})


def _cut(name: str, estimator: Json, rule: str) -> Json:
    """The estimator's configuration with a rule for its scores."""
    if estimator.get("_target_") == THRESHOLDED:
        return estimator | {"rule": rule}
    if "threshold" in estimator:  # ML-MLM, whose leave-one-out scores are out of sample
        return estimator | {"threshold": rule}
    classifier = make("method", name, estimator)
    scores = score_method(classifier)
    if scores is None:
        return estimator
    cut = {"_target_": THRESHOLDED, "rule": rule, "estimator": estimator}
    # Margins of different labels cannot be compared; BR-MLM's and LLS-MLM's values can, for they
    # estimate the label itself, 0 or 1.
    comparable = scores == "predict_proba" or isinstance(classifier, DistanceRegressionClassifier)
    return cut if comparable else cut | {"calibration": "sigmoid"}
