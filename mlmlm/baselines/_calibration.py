"""From decision values to probabilities, by a sigmoid for each label (Platt, 2000).

The probability at decision value ``f`` is ``1 / (1 + exp(-(a f + b)))``, with the ``a`` and ``b``
that make the labels of some rows likeliest, given decision values of these rows by models that
have not seen them. As Platt does, the ``n_1`` relevant rows count as relevant by
``(n_1 + 1) / (n_1 + 2)`` only, and the ``n_0`` others by ``1 / (n_0 + 2)``, so that ``a`` stays
finite where a threshold separates them. A row that counts as relevant by ``t`` is, to logistic
regression, two rows: a relevant one of weight ``t`` and another of weight ``1 - t``.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

from mlmlm.types import Array, Integers


class Sigmoids:
    """A rising sigmoid for each label.

    Decision values that fall with relevance are those of a label too rare to be learned without
    some of its rows; it gets its share of the rows as the probability of all. An infinite decision
    value, of a label with one class in training, stays beyond doubt.
    """

    def __init__(self, values: Array, labels: Integers) -> None:
        fitted = [_fit(*column) for column in zip(values.T, labels.T, strict=True)]
        self.slopes, self.intercepts = np.array(fitted).T

    def __call__(self, values: Array) -> Array:
        """Probabilities of decision values of shape (n, L)."""
        finite = np.isfinite(values)
        scaled = self.slopes * np.where(finite, values, 0) + self.intercepts
        probabilities: Array = expit(np.where(finite, scaled, values))
        return probabilities


def _fit(values: Array, label: Integers) -> tuple[float, float]:
    """Slope and intercept of a label."""
    relevant = label.sum()
    share = np.where(label == 1, (relevant + 1) / (relevant + 2), 1 / (len(label) - relevant + 2))
    prior = 0.0, float(logit(share.mean()))
    finite = np.isfinite(values)
    column, share = values[finite, np.newaxis], share[finite]
    if len(np.unique(column)) < 2:  # nothing to learn from
        return prior
    model = LogisticRegression(C=np.inf).fit(
        np.vstack([column, column]),
        np.repeat([1, 0], len(column)),
        sample_weight=np.concatenate([share, 1 - share]),
    )
    slope = float(model.coef_[0, 0])
    return (slope, float(model.intercept_[0])) if slope > 0 else prior
