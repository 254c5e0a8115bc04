"""From the values that labels are ranked by to probabilities, by a rising function for each label.

Either kind is fitted to values of some rows by models that have not seen them.

**Sigmoid** (Platt, 2000). The probability at value ``f`` is ``1 / (1 + exp(-(a f + b)))``, with the
``a`` and ``b`` that make the labels of the rows likeliest. As Platt does, the ``n_1`` relevant rows
count as relevant by ``(n_1 + 1) / (n_1 + 2)`` only, and the ``n_0`` others by ``1 / (n_0 + 2)``, so
that ``a`` stays finite where a threshold separates them. A row that counts as relevant by ``t`` is,
to logistic regression, two rows: a relevant one of weight ``t`` and another of weight ``1 - t``.

**Isotonic** (Zadrozny and Elkan, 2002). The rising step function with the least squared error,
whose steps are shares of relevant rows. It can be 0 and 1, and asks for more rows than two numbers.
"""

from __future__ import annotations

from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from mlmlm.types import Array

Calibration = Literal["sigmoid", "isotonic"]
LabelMatrix = NDArray[np.integer]


class Calibrator(Protocol):
    """Probabilities of values of shape (n, L)."""

    def __call__(self, values: Array) -> Array: ...


class Sigmoids:
    """A rising sigmoid for each label.

    Values that fall with relevance are those of a label too rare to be learned without some of its
    rows; it gets its share of the rows as the probability of all. An infinite value, of a label
    with one class in training, stays beyond doubt.

    Parameters
    ----------
    values, labels : arrays of shape (n, L)
        What labels are ranked by, and the labels, of some rows.
    weights : array of shape (n,), optional
        How often each row counts.
    """

    def __init__(self, values: Array, labels: LabelMatrix, weights: Array | None = None) -> None:
        weights = np.ones(len(values)) if weights is None else weights
        columns = zip(values.T, labels.T, strict=True)
        self.slopes, self.intercepts = np.array([_fit(*each, weights) for each in columns]).T

    def __call__(self, values: Array) -> Array:
        """Probabilities of values of shape (n, L)."""
        finite = np.isfinite(values)
        scaled = self.slopes * np.where(finite, values, 0) + self.intercepts
        probabilities: Array = expit(np.where(finite, scaled, values))
        return probabilities


class Steps:
    """A rising step function for each label, linear between the values that were seen.

    Parameters
    ----------
    values, labels, weights
        As those of `Sigmoids`.
    """

    def __init__(self, values: Array, labels: LabelMatrix, weights: Array | None = None) -> None:
        self._functions = [
            IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(*each, weights)
            for each in zip(values.T, labels.T, strict=True)
        ]

    def __call__(self, values: Array) -> Array:
        """Probabilities of values of shape (n, L)."""
        columns = zip(self._functions, values.T, strict=True)
        return np.stack([function.predict(column) for function, column in columns], axis=1)


CALIBRATORS: dict[str, type[Sigmoids] | type[Steps]] = {"sigmoid": Sigmoids, "isotonic": Steps}


def bounded_log_odds(scores: Array, n_rows: float) -> Array:
    """Log-odds of scores in [0, 1], bounded by what so many rows can tell.

    That which none of n rows has shown happens once in n + 2 cases, by Laplace's rule.
    """
    least = 1 / (n_rows + 2)
    return logit(np.clip(scores, least, 1 - least))


def _fit(values: Array, label: NDArray[np.integer], weights: Array) -> tuple[float, float]:
    """Slope and intercept of a label."""
    relevant, total = weights @ label, weights.sum()
    share = np.where(label == 1, (relevant + 1) / (relevant + 2), 1 / (total - relevant + 2))
    prior = 0.0, float(logit(weights @ share / total))
    finite = np.isfinite(values)
    column, share, weights = values[finite, np.newaxis], share[finite], weights[finite]
    if len(np.unique(column)) < 2:  # nothing to learn from
        return prior
    model = LogisticRegression(C=np.inf).fit(
        np.vstack([column, column]),
        np.repeat([1, 0], len(column)),
        sample_weight=np.concatenate([weights * share, weights * (1 - share)]),
    )
    slope = float(model.coef_[0, 0])
    return (slope, float(model.intercept_[0])) if slope > 0 else prior
