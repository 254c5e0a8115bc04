"""The cubic algebra of distance regression, in place, on one K x K buffer.

Everything works on square tiles of the buffer. The distances ``D`` are symmetric and so is the
Gram matrix ``G``; each needs only one half, so both live in the same buffer: the tiles above the
diagonal hold ``D``, the tiles on and below it hold ``G`` and then its Cholesky factor. The few
diagonal tiles of ``D`` are kept beside it.

::

    D0  D   D   D        buffer[i, j], i < j   tile of D
    G   D0  D   D        buffer[i, j], i > j   tile of G, then of L
    G   G   D0  D        buffer[i, i]          tile of G, then of L; D's own are in `diagonal`
    G   G   G   D0

Everything here is NumPy's: its BLAS counts in 64-bit integers, while SciPy's counts in 32 bits and
crashes on matrices of the size met here. Nor could the two take turns: each keeps its own threads,
and those of the one still spin when the other begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from mlmlm._parallel import one_blas_thread
from mlmlm.types import Array

Tick = Callable[[float], None]

TILE = 512
_SMALL = 64  # rows of a triangle that is inverted as it is


def tile_slices(size: int, tile: int = TILE) -> list[slice]:
    """Consecutive slices of at most ``tile`` that cover ``range(size)``."""
    return [slice(start, min(start + tile, size)) for start in range(0, size, tile)]


class CholeskyTiles:
    """A symmetric positive definite ``G`` in the lower tiles of a buffer, and then its factor.

    Parameters
    ----------
    buffer : array of shape (K, K)
        Holds ``G`` on and below the diagonal; overwritten by `cholesky`, which comes first.
    tile : int
        Rows of a tile.

    Notes
    -----
    Each of the long steps takes ``tick``, called with the floating point operations just done.
    """

    def __init__(self, buffer: Array, tile: int = TILE) -> None:
        self.slices = tile_slices(len(buffer), tile)
        self._buffer = buffer

    def cholesky(self, tick: Tick) -> None:
        """Replace ``G`` by its lower Cholesky factor, column of tiles by column of tiles.

        The diagonal tiles are left inverted: every later step divides by them, and so can
        multiply instead, at the full speed of a product.
        """
        A = self._buffer
        for j, columns in enumerate(self.slices):
            done = slice(0, columns.start)
            pivot = A[columns, columns]
            pivot -= A[columns, done] @ A[columns, done].T
            with one_blas_thread:  # several lose time on so small a tile, on a busy machine most
                factor: Array = np.linalg.cholesky(pivot).astype(np.float64, copy=False)
                pivot[...] = _inverse_of_lower(factor)
            tick(1.0 * pivot.size * columns.start + 2 * len(pivot) ** 3 / 3)
            for rows in self.slices[j + 1 :]:
                block = A[rows, columns]
                block -= A[rows, done] @ A[columns, done].T
                block[...] = block @ pivot.T
                tick(2.0 * block.size * columns.start + block.size * len(pivot))

    def solve(self, right: Array, tick: Tick) -> None:
        """Overwrite ``right`` by the solution of ``G x = right``."""
        self.solve_lower(right, tick)
        A, width = self._buffer, right.shape[1]
        for rows in reversed(self.slices):
            below = slice(rows.stop, len(A))
            right[rows] -= A[below, rows].T @ right[below]
            right[rows] = A[rows, rows].T @ right[rows]
            tick(_solve_flops(rows, len(A) - rows.stop, width))

    def solve_lower(self, right: Array, tick: Tick) -> None:
        """Overwrite ``right`` by the solution of ``L x = right``, the first half of `solve`."""
        A, width = self._buffer, right.shape[1]
        for rows in self.slices:
            done = slice(0, rows.start)
            right[rows] -= A[rows, done] @ right[done]
            right[rows] = A[rows, rows] @ right[rows]
            tick(_solve_flops(rows, rows.start, width))

    def inverse_diagonal(self, tick: Tick) -> Array:
        """Diagonal of ``G^-1 = L^-T L^-1``: squared norms of the columns of ``L^-1``.

        One column of tiles of ``L^-1`` at a time, by forward substitution on the identity; the
        zero tiles above the diagonal are skipped, which makes it K^3 / 3 operations.
        """
        A = self._buffer
        result = np.empty(len(A))
        for j, columns in enumerate(self.slices):
            width = columns.stop - columns.start
            inverse = np.empty((len(A) - columns.start, width))
            inverse[:width] = A[columns, columns]
            for rows in self.slices[j + 1 :]:
                above = rows.start - columns.start
                block = A[rows, columns.start : rows.start] @ inverse[:above]
                # The sign is lost in the squares, but the next tiles need it.
                np.matmul(-A[rows, rows], block, out=inverse[above : rows.stop - columns.start])
                tick(_solve_flops(rows, above, width))
            result[columns] = np.einsum("ij,ij->j", inverse, inverse)
        return result


class SymmetricTiles(CholeskyTiles):
    """A symmetric ``D``, its scaled Gram matrix, and what is solved with that.

    Parameters
    ----------
    size : int
        Number of rows K.
    tile : int
        Rows of a tile.

    Notes
    -----
    Use: fill ``D`` with `put`, call `gram`, then `cholesky`, then `solve` and
    `inverse_diagonal`. `times` multiplies by ``D`` at any moment.
    """

    def __init__(self, size: int, tile: int = TILE) -> None:
        super().__init__(np.empty((size, size)), tile)
        self._diagonal: list[Array] = [np.empty((0, 0))] * len(self.slices)

    def put(self, i: int, j: int, tile: Array) -> None:
        """Set tile (i, j), i <= j, of ``D``."""
        if i == j:
            self._diagonal[i] = tile
        else:
            self._buffer[self.slices[i], self.slices[j]] = tile

    def gram(self, scale: Array, ridge: float, tick: Tick) -> None:
        """Form ``G = diag(scale) D D diag(scale) + ridge I`` in the lower tiles."""
        for i, rows in enumerate(self.slices):
            panel = self._panel(i)
            for j, columns in enumerate(self.slices[:i]):
                product = self._buffer[rows, columns]
                self._times_column(panel, j, out=product)
                product *= scale[rows, None] * scale[None, columns]
                tick(2.0 * panel.size * product.shape[1])
            block = panel @ panel.T
            block *= scale[rows, None] * scale[None, rows]
            block[np.diag_indices_from(block)] += ridge
            self._buffer[rows, rows] = block
            tick(1.0 * panel.size * len(block))

    def times(self, right: Array, tick: Tick) -> Array:
        """The product ``D right``."""
        A = self._buffer
        product = np.empty_like(right)
        for i, rows in enumerate(self.slices):
            before, after = slice(0, rows.start), slice(rows.stop, len(A))
            out = product[rows]
            np.matmul(self._diagonal[i], right[rows], out=out)
            out += A[before, rows].T @ right[before]
            out += A[rows, after] @ right[after]
            tick(2.0 * out.size * len(A))
        return product

    def _panel(self, i: int) -> Array:
        """The rows of tile row ``i`` of ``D``, whole."""
        rows = self.slices[i]
        panel = np.empty((rows.stop - rows.start, len(self._buffer)))
        panel[:, : rows.start] = self._buffer[: rows.start, rows].T
        panel[:, rows] = self._diagonal[i]
        panel[:, rows.stop :] = self._buffer[rows, rows.stop :]
        return panel

    def _times_column(self, panel: Array, j: int, out: Array) -> None:
        """``panel`` times tile column ``j`` of ``D``, gathered from where its tiles are."""
        columns = self.slices[j]
        np.matmul(panel[:, columns.stop :], self._buffer[columns, columns.stop :].T, out=out)
        out += panel[:, columns] @ self._diagonal[j]
        out += panel[:, : columns.start] @ self._buffer[: columns.start, columns]


def _inverse_of_lower(lower: Array) -> Array:
    """Inverse of a lower triangle, by halves, so that nearly all of it is products.

    ``[[A, 0], [B, C]]^-1 = [[A^-1, 0], [-C^-1 B A^-1, C^-1]]``.
    """
    size = len(lower)
    if size <= _SMALL:
        return np.tril(np.linalg.inv(lower))
    half = size // 2
    inverse = np.zeros_like(lower)
    first = inverse[:half, :half] = _inverse_of_lower(lower[:half, :half])
    second = inverse[half:, half:] = _inverse_of_lower(lower[half:, half:])
    inverse[half:, :half] = -(second @ (lower[half:, :half] @ first))
    return inverse


def _solve_flops(rows: slice, others: int, width: int) -> float:
    size = rows.stop - rows.start
    return float(width * size * (2 * others + size))


def upper_tiles(slices: list[slice]) -> Iterator[tuple[int, int]]:
    """Indices (i, j), i <= j, of the tiles on and above the diagonal."""
    return ((i, j) for i in range(len(slices)) for j in range(i, len(slices)))
