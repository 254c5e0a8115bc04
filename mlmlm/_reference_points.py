"""Reference points: distances to them, and the ridge that the distances between them give."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from mlmlm._distances import euclidean, squared_norms
from mlmlm._parallel import parallel_map
from mlmlm._tiles import tile_slices, upper_tiles
from mlmlm.progress import PhaseName, phase
from mlmlm.types import Array, Matrix

ALPHA_QUANTILE = 0.001
# Least ridge, as a share of the largest distance. A smaller one, which only inputs that nearly
# coincide can have, would be lost in the rounding of the Gram matrix.
LEAST_ALPHA = 1e-8
# Inputs whose distances to a tile of points are taken at a time: what lies between stays in cache.
_ROWS = 1024


class ReferencePoints:
    """Distinct inputs to which distances are taken.

    Parameters
    ----------
    points : array or sparse array of shape (K, M)
        The inputs.
    tile : int
        How many of them are worked on at a time.
    """

    def __init__(self, points: Matrix, tile: int) -> None:
        self.points = points
        self._norms = squared_norms(points)
        self._slices = tile_slices(points.shape[0], tile)

    def __len__(self) -> int:
        return int(self.points.shape[0])

    def distances_from(self, X: Matrix) -> Array:
        """Distances from the rows of ``X`` (rows) to the points (columns)."""
        norms = squared_norms(X)
        distances = np.empty((X.shape[0], len(self)))

        def fill(where: tuple[slice, slice]) -> None:
            rows, tile = where
            distances[where] = euclidean(X[rows], self.points[tile], norms[rows], self._norms[tile])

        for _ in parallel_map(fill, product(tile_slices(X.shape[0], _ROWS), self._slices)):
            pass
        return distances

    def ridge(self, times: float, put: Callable[[int, int, Array], None] | None = None) -> float:
        """The given multiple of the 0.001 quantile of the distances between the points.

        ``put(i, j, tile)`` is handed each tile, i <= j, of these distances.
        """
        n_pairs = len(self) * (len(self) - 1) // 2
        smallest, largest = _SmallestValues(n_pairs, ALPHA_QUANTILE), 0.0
        indices = list(upper_tiles(self._slices))
        with phase(PhaseName.DISTANCES, len(indices)) as tick:
            for (i, j), tile in zip(indices, parallel_map(self._between, indices), strict=True):
                smallest.add(tile[np.tril_indices_from(tile, -1)] if i == j else tile.ravel())
                largest = max(largest, float(tile.max()))
                if put is not None:
                    put(i, j, tile)
                tick(1)
        # A single reference has no pairs. Where it is the only input its distances are all zero,
        # and any ridge will do.
        quantile = smallest.quantile() if n_pairs else 1.0
        return max(times * quantile, LEAST_ALPHA * largest)

    def _between(self, index: tuple[int, int]) -> Array:
        i, j = (self._slices[k] for k in index)
        tile = euclidean(self.points[i], self.points[j], self._norms[i], self._norms[j])
        if i == j:  # symmetric to the last bit, zero on the diagonal
            tile = np.tril(tile, -1)
            tile += tile.T
        return tile


class _SmallestValues:
    """The quantile of a stream of values that is too long to keep.

    The Hazen quantile at ``q`` of n values lies at position ``n q + 1/2`` of their sorted list.
    For a small ``q`` only that share of the values, the smallest, is ever held.
    """

    def __init__(self, n_values: int, q: float) -> None:
        self._position = min(max(n_values * q + 0.5, 1.0), float(n_values))
        self._needed = min(int(self._position) + 1, n_values)
        self._kept = np.empty(0)
        self._bound = np.inf

    def add(self, values: Array) -> None:
        self._kept = np.concatenate([self._kept, values[values < self._bound]])
        if len(self._kept) > 2 * self._needed:
            self._trim()

    def quantile(self) -> float:
        self._trim()
        below = int(self._position)
        ends = np.sort(self._kept)[[below - 1, min(below, self._needed - 1)]]
        return float(ends[0] + (self._position - below) * (ends[1] - ends[0]))

    def _trim(self) -> None:
        self._kept = np.partition(self._kept, self._needed - 1)[: self._needed]
        self._bound = self._kept.max()
