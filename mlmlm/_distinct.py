"""Distinct rows of a matrix, in the order in which they first appear."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from mlmlm.types import Array, Indices

RowDigests: TypeAlias = NDArray[np.void]
_DIGEST_BYTES = 16


class DistinctRows(NamedTuple):
    """Which rows of a matrix are equal."""

    first: Indices
    """For each distinct row, the index of its first occurrence."""
    inverse: Indices
    """For each row, which of the distinct rows it is."""
    counts: Indices
    """How often each distinct row occurs."""

    def weighed(self, weights: Array | None) -> Indices | Array:
        """How often each distinct row occurs, each occurrence counted by its weight."""
        return self.counts if weights is None else np.bincount(self.inverse, weights)


def distinct_rows(rows: Any) -> DistinctRows:
    """Find the distinct rows of a dense or sparse matrix.

    The order of first appearance, not that of the values, keeps "the first of several equal
    candidates" meaning the first in the data.
    """
    return distinct_keys(row_keys(rows))


def distinct_keys(keys: NDArray[Any]) -> DistinctRows:
    """Find the distinct ones of some keys."""
    _, first, inverse, counts = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
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


def row_digests(rows: Any) -> RowDigests:
    """Sixteen bytes per row, for rows too many to keep: those of different rows differ.

    (Those of two rows are the same by chance once in 2^128 cases.)
    """
    digests = [
        hashlib.blake2b(key if isinstance(key, bytes) else key.tobytes(), digest_size=_DIGEST_BYTES)
        for key in row_keys(rows)
    ]
    joined = b"".join(digest.digest() for digest in digests)
    return np.frombuffer(joined, dtype=np.dtype((np.void, _DIGEST_BYTES)))
