"""Scores of labels, from any scikit-learn style multi-label classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from mlmlm._base import DistanceRegressionClassifier
from mlmlm.types import Array


def has_scores(estimator: Any) -> bool:
    """Whether an estimator has scores to rank labels by."""
    return score_method(estimator) is not None


def score_method(estimator: Any) -> str | None:
    """Name of the method whose values labels are ranked by; None if there is none.

    Probabilities can be compared between labels, so they are preferred; the distance-regression
    methods say themselves what they rank by.
    """
    names = ["predict_proba", "decision_function"]
    if isinstance(estimator, DistanceRegressionClassifier):
        names.reverse()
    return next((name for name in names if hasattr(estimator, name)), None)


def label_scores(
    estimator: Any, X: Any, method: str | None = None, n_labels: int | None = None
) -> Array:
    """Scores of shape (n_samples, n_labels) of a fitted estimator.

    Parameters
    ----------
    estimator : object
        A fitted multi-label classifier.
    X : array-like
        Its inputs.
    method : {"predict_proba", "decision_function"} or None, default=None
        Where scores come from; None is what `score_method` says.
    n_labels : int, optional
        Number of labels. With a single one, a column for each class is scikit-learn's way to give
        its probability.
    """
    name = method or score_method(estimator)
    if name is None:
        raise ValueError(f"{type(estimator).__name__} has no scores, only predictions.")
    values = getattr(estimator, name)(X)
    classes = getattr(estimator, "classes_", None)
    if isinstance(values, list):  # one array of classes for each label, as of forests
        if classes is None or len(classes) != len(values):
            raise ValueError(
                f"{name} of {type(estimator).__name__} gives a list, one array for each label, but "
                "its classes_ do not say which classes their columns are."
            )
        columns = zip(values, classes, strict=True)
        return np.column_stack([_of_class_one(each, of_label) for each, of_label in columns])
    dense = np.asarray(values.toarray() if sp.issparse(values) else values)
    if dense.dtype.kind not in "biuf":
        raise ValueError(
            f"{name} of {type(estimator).__name__} gives values of type {dense.dtype}, not real "
            "numbers."
        )
    dense = dense.astype(np.float64)
    if n_labels == 1 and dense.shape[1:] == (2,) and classes is not None and len(classes) == 2:
        return _of_class_one(dense, classes)[:, np.newaxis]
    return dense[:, np.newaxis] if dense.ndim == 1 else dense


def out_of_bag_scores(estimator: Any) -> Array | None:
    """Scores of the training rows by those members that have not seen them, where there are any.

    scikit-learn's forests have an axis of classes between rows and labels; ensembles of this
    package have rows and labels. A row that every member has seen may be NaN.
    """
    scores = getattr(estimator, "oob_decision_function_", None)
    if scores is None:
        return None
    return np.asarray(scores[:, 1] if scores.ndim == 3 else scores, dtype=np.float64)


def _of_class_one(probabilities: Array, classes: NDArray[Any]) -> Array:
    """Probability of relevance; a label that training has never or always seen has one class."""
    return probabilities[:, np.asarray(classes) == 1].sum(axis=1)
