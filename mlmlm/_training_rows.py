"""Training rows, worked through in pieces: what is computed of them is mapped or summed.

A piece is all that need be in memory at a time. So inputs may be a memory map or a sparse matrix
that would not fit as a dense one; and, where they are pieces of a Dask array, each is worked on
where it lies (`mlmlm._dask_rows` has the same methods).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp

from mlmlm._distinct import RowDigests, distinct_keys, row_digests
from mlmlm._label_vectors import LabelVectors
from mlmlm._parallel import parallel_map
from mlmlm._tiles import Tick, tile_slices
from mlmlm.types import Array, Indices, Labels, Matrix

Result = TypeVar("Result")
Sums = tuple[Array, ...]

_DIGEST_VALUES = 1 << 18  # of a piece whose rows are told apart


@dataclass(frozen=True)
class Piece:
    """Some consecutive rows."""

    rows: slice
    X: Matrix
    Y: Labels
    weights: Array | None = None


class RowsInMemory:
    """Rows of arrays, or of anything that is sliced like one.

    Parameters
    ----------
    X : array, memory map or sparse matrix of shape (N, M)
        Inputs; those that are no float64 become so piece by piece.
    Y : uint8 array of shape (N, L)
        Label vectors.
    first : int
        What the rows are counted from.
    weights : array of shape (N,), optional
        How often each row counts, more than never; None is once.
    indices : array of shape (N,), optional
        By which index the user knows each row, where some that do not count were left out.
    """

    is_remote = False

    def __init__(
        self,
        X: Matrix,
        Y: Labels,
        first: int = 0,
        weights: Array | None = None,
        indices: Indices | None = None,
    ) -> None:
        self.X, self.Y, self._first, self.weights, self.indices = X, Y, first, weights, indices

    def __len__(self) -> int:
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        return int(self.X.shape[1])

    @property
    def width(self) -> int:
        """Values that a row takes in memory, on average."""
        return -(-self.X.nnz // len(self)) if sp.issparse(self.X) else self.n_features

    def inputs(self, rows: Indices) -> Matrix:
        """The inputs of some rows."""
        return self.X[rows].astype(np.float64, copy=False)

    def subset(self, rows: Indices) -> RowsInMemory:
        """Some rows, counted anew."""
        return RowsInMemory(self.X[rows], self.Y[rows], weights=self._weights_of(rows))

    def label_vectors(self, sparse_density: float) -> LabelVectors:
        """Their distinct label vectors."""
        return LabelVectors.of_rows(self.Y, sparse_density, self.weights)

    @property
    def n_distinct(self) -> int:
        """Number of distinct inputs."""
        return len(self.distinct_inputs)

    @cached_property
    def distinct_inputs(self) -> Indices:
        """For each distinct input, the first row that has it."""
        return distinct_keys(self.digests()).first

    def digests(self) -> RowDigests:
        size = _DIGEST_VALUES // max(1, self.width)
        return np.concatenate(list(self.map(lambda piece: row_digests(piece.X), size)))

    def map(self, function: Callable[[Piece], Result], size: int) -> Iterator[Result]:
        """Results for pieces of at most ``size`` rows, in their order, on all cores."""
        return parallel_map(function, self.pieces(size))

    def sum(
        self,
        start: Callable[[], Sums],
        add: Callable[[Sums, Piece], None],
        size: int,
        tick: Tick,
    ) -> Sums:
        """The arrays that ``start`` makes, to which ``add`` has added each piece's part."""
        sums = start()
        for piece in self.pieces(size):
            add(sums, piece)
            tick(piece.Y.shape[0])
        return sums

    def pieces(self, size: int) -> Iterator[Piece]:
        for rows in tile_slices(len(self), max(1, size)):
            counted = slice(self._first + rows.start, self._first + rows.stop)
            X = self.X[rows].astype(np.float64, copy=False)
            yield Piece(counted, X, self.Y[rows], self._weights_of(rows))

    def _weights_of(self, rows: slice | Indices) -> Array | None:
        return None if self.weights is None else self.weights[rows]


def is_dask(table: Any) -> bool:
    """Whether something is a Dask collection, told without importing Dask."""
    return type(table).__module__.split(".")[0] == "dask"
