"""BR-MLM: binary relevance, each label by the cubic equation of C-MLM.

For one label, ``n_0`` training rows lie at 0 and ``n_1`` at 1, and the predicted distances to
these are ``u`` and ``v``. The label's score minimises the multilateration cost

    n_0 (y^2 - u^2)^2 + n_1 ((y - 1)^2 - v^2)^2.

With ``p = n_1 / (n_0 + n_1)`` and ``y = p + z`` its derivative vanishes where

    z^3 + a z + b = 0,    a = 3 p (1 - p) - (1 - p) u^2 - p v^2,
                          b = p (1 - p) (2 p - 1 + v^2 - u^2),

and the cost is ``z^4 / 4 + a z^2 / 2 + b z`` up to constants. All of it but ``b z`` is even, so the
minimum lies where ``b z <= 0``; and on that side the cubic has exactly one root, by Descartes'
rule of signs. No root need be compared with another.
"""

from __future__ import annotations

import numpy as np

from mlmlm._base import LabelRanker
from mlmlm._distance_regression import DistanceRegression, PredictedDistances
from mlmlm.types import Array


class BinaryRelevanceMLM(LabelRanker):
    """One cubic equation per label on the shared distance regression; local RCut.

    Its decision function is a real number for each label, 0 for a label never seen. What the paper
    gives as O(L N^3) is here O(N^3 + L N^2): all labels share one factor.

    Parameters
    ----------
    ridge, references, selection, label_references, random_state, verbose
        See `DistanceRegressionClassifier`.

    Attributes
    ----------
    prior_ : array of shape (L,)
        Share of training rows that have each label.
    """

    def _fit_method(self, regression: DistanceRegression) -> None:
        labels = regression.label_vectors_
        self.prior_ = labels.positives / labels.total

    def _scores(self, predicted: PredictedDistances) -> Array:
        p, u2, v2 = self.prior_, predicted.to_zero**2, predicted.to_one**2
        a = 3 * p * (1 - p) - (1 - p) * u2 - p * v2
        b = p * (1 - p) * (2 * p - 1 + v2 - u2)
        scores = p - np.copysign(positive_root(a, np.abs(b)), b)
        scores[:, p == 0] = 0.0  # a label never seen
        return scores


def positive_root(a: Array, c: Array) -> Array:
    """The one root ``x >= 0`` of ``x^3 + a x = c`` that is positive for ``c > 0``, elementwise.

    Viete's formulas: with ``s = 2 sqrt(|a| / 3)`` and ``t = 4 c / s^3``, ``x / s`` is
    ``sinh(asinh(t) / 3)`` for positive ``a``, and for negative ``a`` ``cosh(acosh(t) / 3)`` or,
    where ``t < 1``, ``cos(acos(t) / 3)``. One step of Newton removes their rounding.
    """
    s = 2 * np.sqrt(np.abs(a) / 3)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        t = 4 * c / s**3
        x = s * np.where(
            a > 0,
            np.sinh(np.arcsinh(t) / 3),
            np.where(t < 1, np.cos(np.arccos(np.minimum(t, 1)) / 3), np.cosh(np.arccosh(t) / 3)),
        )
        # A tiny |a| makes t overflow: there a x is negligible.
        x = np.where(np.isfinite(x), x, np.cbrt(c))
        slope = 3 * x * x + a
        step = (x * (x * x + a) - c) / slope
    return np.where(slope > 0, x - step, x)
