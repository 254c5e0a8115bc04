"""From a dataset and an estimator to figures: scale -> distance regression -> method -> metrics.

Nothing here knows of files, records or configurations. The figures of a run depend on this module,
on what it imports and on the estimator; see `experiments.identity`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils import get_tags

from experiments.answer import Answer, ask
from experiments.sparse_scaling import SparseMinMaxScaler
from mlmlm import DistanceRegression, DistanceRegressionClassifier, PredictedDistances
from mlmlm.datasets import Dataset
from mlmlm.metrics import METRICS, accuracy_per_row, ranking_loss_per_row
from mlmlm.metrics import evaluate as evaluate_metrics
from mlmlm.progress import PhaseName, phase
from mlmlm.types import Array, Integers, Labels, Matrix
from mlmlm.uncertainty import CATEGORIES, uncertainty_categories


@dataclass(frozen=True)
class Features:
    """Features as a method sees them."""

    train: Matrix
    test: Matrix


@dataclass(frozen=True)
class Solved:
    """A distance regression and its predictions, which all methods built on it share."""

    regression: DistanceRegression
    predicted: PredictedDistances


def scale(data: Dataset, scaling: str) -> Features:
    """Features to [0, 1] on the training set ("minmax"), or as they are ("none")."""
    train, test = data.X_train, data.X_test
    if scaling == "none":
        return Features(train.copy(), test.copy())  # some estimators refuse read-only arrays
    with phase(PhaseName.SCALING, 1):
        scaler = (SparseMinMaxScaler() if sp.issparse(train) else MinMaxScaler()).fit(train)
        return Features(scaler.transform(train), scaler.transform(test))


def solve(data: Dataset, scaling: str, regression: DistanceRegression) -> Solved:
    """The distance regression of a dataset, nearly all of the work."""
    features = scale(data, scaling)
    with phase(PhaseName.REGRESSION, 1):
        regression.fit(features.train, data.Y_train)
    return Solved(regression, regression.predict(features.test))


def answer_from(estimator: DistanceRegressionClassifier, solved: Solved, data: Dataset) -> Answer:
    """Fit a method on a regression that is solved, and ask it about the test rows."""
    with phase(PhaseName.FIT, 1):
        estimator.fit_from(solved.regression)
    with phase(PhaseName.PREDICTION, 1):
        return ask(estimator, solved.predicted, data.Y_test.shape)


def answer_alone(estimator: Any, features: Features, data: Dataset) -> Answer:
    """Fit any scikit-learn style classifier, and ask it about the test rows."""
    with phase(PhaseName.FIT, 1):
        estimator.fit(features.train, training_labels(estimator, data))
    with phase(PhaseName.PREDICTION, 1):
        return ask(estimator, features.test, data.Y_test.shape)


def evaluate(truth: Labels, answer: Answer) -> dict[str, float]:
    """Every metric that the method allows."""
    # The ranking metrics are undefined where no row has a relevant label.
    scores = answer.scores if truth.any() else None
    return evaluate_metrics(truth, answer.predictions, scores, metrics=METRICS.values())


def evaluate_by_uncertainty(truth: Labels, answer: Answer) -> dict[str, dict[str, float]] | None:
    """Each metric within each category of uncertainty."""
    if answer.smallest_distances is None:
        return None
    categories = uncertainty_categories(answer.smallest_distances)
    within: dict[str, dict[str, float]] = {}
    for category in CATEGORIES:
        chosen = categories == category
        within[category] = {"rows": int(chosen.sum())}
        if chosen.any():
            within[category] |= evaluate(truth[chosen], answer.rows(chosen))
    return within


def evaluate_by_row(truth: Labels, answer: Answer) -> dict[str, Array]:
    """Metrics of each row, for methods that say how sure they are of it."""
    if answer.smallest_distances is None:
        return {}
    by_row = {"accuracy_per_row": accuracy_per_row(truth, answer.predictions)}
    if answer.scores is not None:
        by_row["ranking_loss_per_row"] = ranking_loss_per_row(truth, answer.scores)
    return by_row


def training_labels(estimator: Any, data: Dataset) -> Integers:
    """Labels to train on: many estimators compute with them, which bytes would not bear.

    A single label is a vector for scikit-learn's own classifiers.
    """
    labels = data.Y_train.astype(np.int64)
    return labels.ravel() if labels.shape[1] == 1 and _takes_vectors(estimator) else labels


def _takes_vectors(estimator: Any) -> bool:
    """Whether a classifier, and the one that it may hold, takes the labels of a single column."""
    if not hasattr(estimator, "__sklearn_tags__"):
        return False
    tags = get_tags(estimator)
    if tags.classifier_tags is None or not tags.target_tags.single_output:
        return False
    held = (
        estimator[-1] if isinstance(estimator, Pipeline) else getattr(estimator, "estimator", None)
    )
    return held is None or _takes_vectors(held)
