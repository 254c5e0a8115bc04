"""Distinct rows of a matrix, in the order in which they first appear."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from mlmlm.types import Indices


class DistinctRows(NamedTuple):
    """Which rows of a matrix are equal."""

    first: Indices
    """For each distinct row, the index of its first occurrence."""
    inverse: Indices
    """For each row, which of the distinct rows it is."""
    counts: Indices
    """How often each distinct row occurs."""


def distinct_rows(rows: Any) -> DistinctRows:
    """Find the distinct rows of a dense or sparse matrix.

    The order of first appearance, not that of the values, keeps "the first of several equal
    candidates" meaning the first in the data.
    """
    _, first, inverse, counts = np.unique(
        row_keys(rows), return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    position = np.empty_like(order)
    position[order] = np.arange(len(order))
    return DistinctRows(first[order], position[inverse.ravel()], counts[order])


def row_keys(rows: Any) -> NDArray[Any]:
    """One comparable key per row; equal rows, and only they, have equal keys."""
    if sp.issparse(rows):
        matrix = sp.csr_array(rows, copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        bounds = zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
        keys = np.empty(matrix.shape[0], dtype=object)
        keys[:] = [matrix.indices[a:b].tobytes() + matrix.data[a:b].tobytes() for a, b in bounds]
        return keys
    dense = np.ascontiguousarray(rows) + np.zeros((), dtype=rows.dtype)  # -0.0 becomes 0.0
    return dense.view(np.dtype((np.void, dense.shape[1] * dense.itemsize))).ravel()
