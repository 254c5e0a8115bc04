"""Small datasets fitted again, for claims on what the paper tried but does not tabulate.

The same scores are cut into labels by three rules, and the weight that ML-MLM gives to the nearest
label vector is measured. A dataset takes a second or less.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.preprocessing import MinMaxScaler

from mlmlm import (
    BinaryRelevanceMLM,
    DistanceRegression,
    LocalizationMLM,
    MultiLabelMLM,
    NearestNeighborMLM,
    PredictedDistances,
)
from mlmlm.datasets import DatasetError, load_dataset
from mlmlm.metrics import METRICS, evaluate

SMALL = ("medical", "emotions", "enron", "scene", "yeast")
BY_CARDINALITY, LOCAL_RCUT, HALF = "cardinality", "local RCut", "0.5"
PREDICTED_CARDINALITY = "predicted_cardinality"


@dataclass(frozen=True)
class Refit:
    """What came out on a dataset.

    Attributes
    ----------
    cuts : DataFrame
        Indexed by method and rule: the bipartition metrics, and the mean number of labels that
        are predicted (``predicted_cardinality``).
    nearest_share : float
        Share of ML-MLM's weight that is of the nearest label vector, the mean of the test rows.
    """

    cuts: pd.DataFrame
    nearest_share: float


@cache
def refit(dataset: str, power: float) -> Refit | None:
    """Fit a dataset with ML-MLM's power given; None if the data cannot be loaded."""
    try:
        data = load_dataset(dataset)
    except DatasetError:
        return None
    scaler = MinMaxScaler().fit(data.X_train)
    regression = DistanceRegression().fit(scaler.transform(data.X_train), data.Y_train)
    predicted = regression.predict(scaler.transform(data.X_test))
    labels = _labels_by_rule(regression, predicted, power)
    rows = {key: _figures(data.Y_test, each) for key, each in labels.items()}
    cuts = pd.DataFrame.from_dict(rows, orient="index")
    cuts.index = pd.MultiIndex.from_tuples(rows, names=["method", "rule"])
    return Refit(cuts, _nearest_share(regression, predicted, power))


def _labels_by_rule(
    regression: DistanceRegression, predicted: PredictedDistances, power: float
) -> dict[tuple[str, str], NDArray[np.int64]]:
    rules: dict[str, Any] = {BY_CARDINALITY: "cardinality", LOCAL_RCUT: "local_rcut", HALF: 0.5}
    labels = {
        ("ML-MLM", rule): MultiLabelMLM(power=power, threshold=threshold)
        .fit_from(regression)
        .predict(predicted)
        for rule, threshold in rules.items()
    }
    nearest = NearestNeighborMLM().fit_from(regression)
    labels["NN-MLM", LOCAL_RCUT] = nearest.predict(predicted)  # whose cut it is, unchanged
    for name, method in (("LLS-MLM", LocalizationMLM()), ("BR-MLM", BinaryRelevanceMLM())):
        method.fit_from(regression)
        labels[name, LOCAL_RCUT] = method.predict(predicted)
        labels[name, HALF] = (method.decision_function(predicted) > 0.5).astype(np.int64)
    return labels


def _figures(truth: NDArray[np.uint8], labels: NDArray[np.int64]) -> dict[str, float]:
    metrics = evaluate(truth, labels, metrics=METRICS.values())
    return metrics | {PREDICTED_CARDINALITY: float(labels.sum(axis=1).mean())}


def _nearest_share(
    regression: DistanceRegression, predicted: PredictedDistances, power: float
) -> float:
    distances = np.abs(predicted.to_label_vectors)
    weights = (distances.min(axis=1, keepdims=True) / distances) ** power
    weights *= regression.label_vectors_.counts
    nearest = np.take_along_axis(weights, predicted.nearest[:, None], axis=1)
    return float(np.mean(nearest[:, 0] / weights.sum(axis=1)))
