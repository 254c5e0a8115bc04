"""A classifier for one label, also where training knows only one answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import has_fit_parameter

from mlmlm.types import Array, Integers


@dataclass(frozen=True)
class Constant:
    """Says the same of every row: what most classifiers refuse to learn from one class."""

    value: int

    def predict(self, X: Any) -> Integers:
        return np.full(_n_rows(X), self.value)

    def predict_proba(self, X: Any) -> Array:
        return np.tile([1.0 - self.value, float(self.value)], (_n_rows(X), 1))

    def decision_function(self, X: Any) -> Array:
        """Below, or above, any score that a classifier could give."""
        return np.full(_n_rows(X), np.inf if self.value else -np.inf)


def fit_one_label(estimator: Any, X: Any, y: NDArray[Any], weights: Array | None = None) -> Any:
    """Fit an estimator, in place, on a label of 0 and 1; or give the constant that the label is."""
    if y.min() == y.max():
        return Constant(int(y[0]))
    if weights is None:
        return estimator.fit(X, y)
    if not has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(
            f"{type(estimator).__name__} takes no sample weights, which bagging needs; choose a "
            "base estimator that does, a tree for example."
        )
    return estimator.fit(X, y, sample_weight=weights)


def score_one_label(model: Any, X: Any, method: str) -> Array:
    """Scores of a label: probabilities of 1, or values of the decision function."""
    values = np.asarray(getattr(model, method)(X), dtype=np.float64)
    return values[:, 1] if method == "predict_proba" else values


def _n_rows(X: Any) -> int:
    return X.shape[0] if hasattr(X, "shape") else len(X)
