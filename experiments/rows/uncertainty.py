"""Uncertainties of single test rows that any probabilistic classifier offers, beside ML-MLM's.

Of ML-MLM's scores p of a row and its threshold t, an entry for each test row:

==================  ============================================================================
array               value
==================  ============================================================================
``score_variance``  sum over the labels of ``p (1 - p)``
``score_entropy``   sum over the labels of ``-p log p - (1 - p) log(1 - p)``
``score_margin``    the least ``|p - t|``; small where a label is nearly cut otherwise
``nearest_input``   distance to the nearest training input
``wrong_labels``    how many labels are predicted wrongly
``nearest_wrong``   in how many labels the nearest label vector, NN-MLM's prediction, is wrong;
                    this is what the squared smallest distance predicts
``has_twin``        whether a training row has the same features
==================  ============================================================================

and of a random forest (RF-PCT's, its scores cut as those of ML-MLM are, at the cardinality of
training by out-of-bag scores): ``forest_variance``, the sum of its own ``p (1 - p)``, and its risks
``forest_accuracy`` and ``forest_ranking_loss``. ML-MLM's own risks and smallest distances are in
the study's records.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr
from sklearn.neighbors import NearestNeighbors

from experiments.record import Arrays
from experiments.refits.fitting import Fit
from mlmlm import MultiLabelMLM
from mlmlm._distinct import row_keys
from mlmlm.baselines import MultiLabelForest, Thresholded
from mlmlm.datasets import Dataset
from mlmlm.metrics import accuracy_per_row, ranking_loss_per_row
from mlmlm.types import Array, Bools, Labels

FOREST_SEED = 1
FOREST_GB = 6.0
"""The most that a forest may need."""
_BYTES_PER_LABEL = 16  # of a node: the two classes of a label, each a float64


def ml_mlm_rows(fit: Fit, power: float, threshold: float) -> Arrays:
    """The uncertainties that ML-MLM's scores and the inputs offer, and what they are judged by."""
    model = MultiLabelMLM(power=power, threshold=threshold).fit_from(fit.regression)
    scores = model.predict_proba(fit.predicted)
    truth, vectors = fit.data.Y_test, fit.regression.label_vectors_.vectors
    has_twin = twins(fit.data)
    nearest = NearestNeighbors(n_neighbors=1, algorithm="brute").fit(fit.train)
    distances = nearest.kneighbors(fit.test)[0][:, 0]
    return _small(
        score_variance=score_variance(scores),
        score_entropy=score_entropy(scores),
        score_margin=np.abs(scores - threshold).min(axis=1),
        nearest_input=np.where(has_twin, 0.0, distances),  # of equal rows it is rounding
    ) | {
        "wrong_labels": _differences(scores > threshold, truth),
        "nearest_wrong": _differences(vectors[fit.predicted.nearest], truth),
        "has_twin": has_twin,
    }


def forest_rows(data: Dataset) -> Arrays:
    """What a forest says of the same rows, and how wrong it is there."""
    forest = Thresholded(MultiLabelForest(), random_state=FOREST_SEED)
    forest.fit(data.X_train, data.Y_train)
    scores = forest.predict_proba(data.X_test)
    predictions = (scores > forest.threshold_).astype(np.uint8)
    return _small(
        forest_variance=score_variance(scores),
        forest_accuracy=accuracy_per_row(data.Y_test, predictions),
        forest_ranking_loss=ranking_loss_per_row(data.Y_test, scores),
    )


def why_no_forest(data: Dataset) -> str | None:
    """A reason not to grow one; a tree has at most about as many nodes as rows.

    Its leaves have two rows or more, and each node holds the shares of all labels.
    """
    trees = MultiLabelForest().n_estimators
    needed = len(data.Y_train) * data.Y_train.shape[1] * _BYTES_PER_LABEL * trees / 1e9
    if needed <= FOREST_GB:
        return None
    return f"its {trees} trees would need up to {needed:.0f} GB"


def score_variance(scores: Array) -> Array:
    return (scores * (1 - scores)).sum(axis=1)


def score_entropy(scores: Array) -> Array:
    return (entr(scores) + entr(1 - scores)).sum(axis=1)


def twins(data: Dataset) -> Bools:
    """Which test rows have the features of some training row."""
    train, test = (row_keys(part) for part in (data.X_train, data.X_test))
    known = {key.tobytes() for key in train}
    return np.array([key.tobytes() in known for key in test])


def _differences(labels: Bools | Labels, truth: Labels) -> NDArray[np.uint16]:
    return (labels != truth).sum(axis=1).astype(np.uint16)


def _small(**arrays: Array) -> Arrays:
    return {name: array.astype(np.float32) for name, array in arrays.items()}
