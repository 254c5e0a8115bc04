"""LLS-MLM: multilateration as a linear least-squares problem.

Subtracting the equation ``|y - t_s|^2 = d_s^2`` of one reference, the benchmark anchor node s,
from the others leaves, for ``x = y - t_s``, a linear system with one equation per training row,

    (t_k - t_s)' x = 1/2 (|t_k - t_s|^2 + d_s^2 - d_k^2),

which is solved by ordinary least squares. The anchor is the label vector of the smallest
predicted distance, so each row to predict has a system of its own. Their normal matrices,

    sum_k c_k (t_k - t_s)(t_k - t_s)' = C + N (mean - t_s)(mean - t_s)',

differ from the scatter matrix ``C`` of the training label vectors by one rank: one factor of
``C`` and the Sherman-Morrison formula solve them all. The right-hand sides need, per row, the
sums of ``d_k^2`` over the training rows with each label, and moments of the label vectors.

**Dependent labels.** Labels that no row has, that every row has, or that always occur together
make the system singular. The published figures are those of the basic solution that QR with
column pivoting gives, in which a dependent label's unknown is 0. The pivots are those of the
Cholesky factor of the normal matrix with diagonal pivoting, and depend on the anchor. The solution
of minimum norm, which spreads an unknown over the labels that depend on each other, is an option.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from scipy.linalg.lapack import dpstrf

from mlmlm._base import LabelRanker
from mlmlm._constraints import OneOf
from mlmlm._distance_regression import DistanceRegression, PredictedDistances
from mlmlm._reference_choice import References
from mlmlm.types import Array, Bools, Indices

# Relative size of singular values that are zero but for rounding.
_NEGLIGIBLE = 1e-10


class LocalizationMLM(LabelRanker):
    """Localization linear system about the nearest label vector; local RCut.

    What the paper gives as O(L^2 N) for a row is here O(L^2 + N) once the L x L scatter matrix is
    factored.

    Parameters
    ----------
    solution : {"basic", "minimum_norm"}, default="basic"
        Which of the least-squares solutions is taken where labels depend on each other. The
        published figures are those of the basic one.
    ridge, references, selection, label_references, random_state, verbose
        See `DistanceRegressionClassifier`.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **LabelRanker._parameter_constraints,
        "solution": [OneOf("basic", "minimum_norm")],
    }

    def __init__(
        self,
        solution: Literal["basic", "minimum_norm"] = "basic",
        ridge: float = 1.0,
        references: References = None,
        selection: Literal["random", "kmeans++", "pivoted"] = "random",
        label_references: int | float | None = None,
        random_state: int = 0,
        verbose: bool = False,
    ) -> None:
        super().__init__(ridge, references, selection, label_references, random_state, verbose)
        self.solution = solution

    def _fit_method(self, regression: DistanceRegression) -> None:
        labels = regression.label_vectors_
        vectors = labels.vectors.astype(np.float64)
        self._n_rows = float(labels.counts.sum())
        self._positives = labels.counts @ vectors
        self._co_occurrence = (vectors.T * labels.counts) @ vectors
        self._cardinality_sums = (labels.counts * labels.cardinalities) @ vectors
        mean = self._positives / self._n_rows
        self._scatter = self._co_occurrence - self._n_rows * np.outer(mean, mean)
        # Labels that vary at all, and whether these are independent.
        self._varying = (self._positives > 0) & (self._positives < self._n_rows)
        normal = self._scatter[np.ix_(self._varying, self._varying)]
        self._independent = len(_pivots(normal)) == len(normal)

    def _scores(self, predicted: PredictedDistances) -> Array:
        near = self.regression_.label_vectors_.vectors[predicted.nearest].astype(np.float64)
        right = self._right_sides(predicted)
        anchors, which = np.unique(predicted.nearest, return_inverse=True)
        if self.solution == "minimum_norm" and not self._independent:
            return near + self._minimum_norm(anchors, which, right)
        return near + self._basic(anchors, which, near, right)

    def _basic(self, anchors: Indices, which: Indices, near: Array, right: Array) -> Array:
        """Solutions whose unknowns outside an anchor's basis are 0; one factor for each basis."""
        bases = np.array([self._basis(anchor) for anchor in anchors])
        solutions = np.zeros_like(right)
        for basis in np.unique(bases, axis=0):
            rows = np.flatnonzero((bases == basis).all(axis=1)[which])
            solutions[np.ix_(rows, basis)] = self._solve(
                basis, self._positives / self._n_rows - near[rows], right[rows]
            )
        return solutions

    def _minimum_norm(self, anchors: Indices, which: Indices, right: Array) -> Array:
        """Shortest solutions, by the pseudo-inverse of each anchor's normal matrix."""
        solutions = np.empty_like(right)
        for number, anchor in enumerate(anchors):
            inverse = np.linalg.pinv(self._normal(anchor), rtol=_NEGLIGIBLE, hermitian=True)
            solutions[which == number] = right[which == number] @ inverse
        return solutions

    def _right_sides(self, predicted: PredictedDistances) -> Array:
        """Right-hand sides of the normal equations of all rows.

        With ``q_k = 1/2 (|t_k - t_s|^2 + d_s^2 - d_k^2)`` and
        ``|t_k - t_s|^2 = |t_k| + |t_s| - 2 t_k't_s``, they are
        ``sum_k c_k q_k t_k - t_s sum_k c_k q_k``.
        """
        labels = self.regression_.label_vectors_
        anchor = predicted.nearest
        squares = predicted.to_label_vectors**2
        offset = labels.cardinalities[anchor] + squares[np.arange(len(anchor)), anchor]
        near = labels.vectors[anchor].astype(np.float64)
        with_label = (
            self._cardinality_sums
            + offset[:, None] * self._positives
            - 2 * near @ self._co_occurrence
            - labels.sums_by_label(squares.T).T
        )
        overall = (
            self._positives.sum()
            + offset * self._n_rows
            - 2 * near @ self._positives
            - squares @ labels.counts
        )
        return (with_label - overall[:, None] * near) / 2

    def _solve(self, basis: Bools, shift: Array, right: Array) -> Array:
        """Solve ``(C + N u u') x = v`` for each row's ``u = mean - t_s`` and ``v``."""
        u, v = shift[:, basis].T, right[:, basis].T
        solved = np.linalg.solve(self._scatter[np.ix_(basis, basis)], np.hstack([u, v]))
        solved_u, solved_v = np.hsplit(solved, 2)
        along = self._n_rows * (u * solved_v).sum(axis=0)
        along /= 1 + self._n_rows * (u * solved_u).sum(axis=0)
        return (solved_v - along * solved_u).T

    def _basis(self, anchor: int) -> Bools:
        """The labels whose unknowns may differ from 0."""
        if self._independent:
            return self._varying
        basis = np.zeros(len(self._varying), dtype=bool)
        basis[_pivots(self._normal(anchor))] = True
        return basis

    def _normal(self, anchor: int) -> Array:
        """Normal matrix of the system about an anchor."""
        near = self.regression_.label_vectors_.vectors[anchor].astype(np.float64)
        cross = np.outer(self._positives, near)
        return self._co_occurrence - cross - cross.T + self._n_rows * np.outer(near, near)


def _pivots(normal: Array) -> Indices:
    """A maximal set of independent columns, those that diagonal pivoting takes first."""
    if not len(normal):
        return np.empty(0, dtype=np.intp)
    _, order, rank, _ = dpstrf(normal, lower=1)
    return order[:rank] - 1
