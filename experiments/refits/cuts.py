"""The same scores cut into labels in three ways, and what the cut by cardinality costs."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from experiments.record import Json
from experiments.refits.fitting import Array, Fit, Labels
from experiments.refits.out_of_sample import br_scores, lls_scores
from mlmlm import BinaryRelevanceMLM, LocalizationMLM, MultiLabelMLM, NearestNeighborMLM
from mlmlm.metrics import METRICS, evaluate
from mlmlm.thresholds import cardinality_threshold

BY_CARDINALITY, LOCAL_RCUT, HALF = "cardinality", "local RCut", "0.5"
RULES: dict[str, Any] = {BY_CARDINALITY: "cardinality", LOCAL_RCUT: "local_rcut", HALF: 0.5}
Cut = dict[tuple[str, str], Labels]


def cuts(fit: Fit) -> Json:
    """By method and rule the bipartition metrics and the mean number of predicted labels."""
    model = MultiLabelMLM().fit_from(fit.regression)
    lls, br = (each.fit_from(fit.regression) for each in (LocalizationMLM(), BinaryRelevanceMLM()))
    of_lls, lls_seconds = _cut(fit, "LLS-MLM", lls, lambda: lls_scores(fit, lls))
    of_br, br_seconds = _cut(fit, "BR-MLM", br, lambda: br_scores(fit, br))
    labels = _of_ml_and_nn(fit, model.power_) | of_lls | of_br
    return {
        "fingerprint": fit.data.fingerprint,
        "power": model.power_,
        "nearest_share": _nearest_share(fit, model.power_),
        "cuts": [
            {"method": method, "rule": rule, **_values(fit.data.Y_test, each)}
            for (method, rule), each in labels.items()
        ],
        "training_seconds": fit.seconds,
        "threshold_seconds": {"LLS-MLM": lls_seconds, "BR-MLM": br_seconds},
    }


def _of_ml_and_nn(fit: Fit, power: float) -> Cut:
    labels: Cut = {
        ("ML-MLM", rule): MultiLabelMLM(power=power, threshold=threshold)
        .fit_from(fit.regression)
        .predict(fit.predicted)
        for rule, threshold in RULES.items()
    }
    nearest = NearestNeighborMLM().fit_from(fit.regression)
    labels["NN-MLM", LOCAL_RCUT] = nearest.predict(fit.predicted)  # whose cut it is, unchanged
    return labels


def _cut(
    fit: Fit, name: str, method: LocalizationMLM | BinaryRelevanceMLM, own: Callable[[], Array]
) -> tuple[Cut, float]:
    """A method's scores cut by each rule, and the seconds of its cardinality-based threshold.

    ``own`` gives the out-of-sample scores of the training rows.
    """
    start = perf_counter()
    threshold = cardinality_threshold(own(), int(fit.data.Y_train.sum()))
    seconds = perf_counter() - start
    scores = method.decision_function(fit.predicted)
    labels: Cut = {
        (name, BY_CARDINALITY): (scores > threshold).astype(np.uint8),
        (name, LOCAL_RCUT): method.predict(fit.predicted),
        (name, HALF): (scores > 0.5).astype(np.uint8),
    }
    return labels, seconds


def _values(truth: Labels, labels: Labels) -> dict[str, float]:
    metrics = evaluate(truth, labels, metrics=METRICS.values())
    return metrics | {"predicted_cardinality": float(labels.sum(axis=1).mean())}


def _nearest_share(fit: Fit, power: float) -> float:
    """Share of ML-MLM's weight that is of the nearest label vector, the mean of the test rows."""
    distances = np.abs(fit.predicted.to_label_vectors)
    weights = (distances.min(axis=1, keepdims=True) / distances) ** power
    weights *= fit.regression.label_vectors_.counts
    nearest = np.take_along_axis(weights, fit.predicted.nearest[:, None], axis=1)
    return float(np.mean(nearest[:, 0] / weights.sum(axis=1)))
