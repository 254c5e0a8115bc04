"""Euclidean distances, fast and without the cancellation of the fast formula.

``|a - b|^2 = |a|^2 + |b|^2 - 2 a.b`` turns a table of distances into one matrix product, but where
``a`` and ``b`` nearly coincide it subtracts large numbers to get a small one: the relative error
of the result is about ``eps (|a|^2 + |b|^2) / |a - b|^2``. Distance regression puts its weight on
just those pairs, so wherever that quotient is large the distance is taken again from the
differences themselves.
"""

from __future__ import annotations

import numpy as np
from sklearn import config_context
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils.extmath import row_norms

from mlmlm.types import Array, Matrix

# Below this share of |a|^2 + |b|^2 the squared distance is recomputed; above it, its relative
# error stays under about 1e-12.
CANCELLATION = 1e-3
_PAIR_VALUES = 1 << 20  # values of A and B gathered at a time for the recomputed pairs


def squared_norms(rows: Matrix) -> Array:
    """Squared Euclidean norm of each row."""
    return np.asarray(row_norms(rows, squared=True))


def euclidean(
    A: Matrix, B: Matrix, A_norms: Array | None = None, B_norms: Array | None = None
) -> Array:
    """Distances between the rows of ``A`` and the rows of ``B``, dense or sparse.

    ``A_norms`` and ``B_norms`` are their `squared_norms`, for callers that work through one
    matrix in tiles and need not compute them again.
    """
    A_norms = squared_norms(A) if A_norms is None else A_norms
    B_norms = squared_norms(B) if B_norms is None else B_norms
    with config_context(assume_finite=True):
        squares = euclidean_distances(
            A,
            B,
            squared=True,
            X_norm_squared=A_norms[:, None],
            Y_norm_squared=B_norms[None, :],
        )
    doubtful = squares < CANCELLATION * (A_norms[:, None] + B_norms[None, :])
    rows, columns = np.nonzero(doubtful)
    step = max(1, _PAIR_VALUES // max(1, A.shape[1]))
    for start in range(0, len(rows), step):
        i, j = rows[start : start + step], columns[start : start + step]
        squares[i, j] = squared_norms(A[i] - B[j])
    return np.sqrt(squares, out=squares)
