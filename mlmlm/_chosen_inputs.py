"""Distance regression with chosen reference points: sums over the rows.

With K reference points out of N inputs ``D_x`` (N x K) is worked through in pieces of rows. What
the solution needs are sums over the pieces,

    U = sum D' D + alpha I    and    C = sum D' [T, Y, 1],

in which ``D`` (n x K) holds a piece's distances to the reference points, ``T`` (n x U) those of its
label vectors to the distinct ones. Label vectors repeat, and ``C`` needs each only once: with ``A``
the sums of the rows of ``D`` that have the same one, it is ``A' [T, Y, 1]`` of the distinct ones.
Coefficients are ``B = U^-1 C``, by the Cholesky factor ``U = L L'``. A row of weight w counts w
times in each sum.

**Leave-one-out.** A row with distances ``d`` to the reference points has leverage
``h = d' U^-1 d = |L^-1 d|^2``, one triangular solve; without the row the fit would predict
``(d' B - h y) / (1 - h)`` (Allen's PRESS), ``y`` being its label distances. Of a row of weight w
one unit is left out, as one of w equal rows would be, or all of it where it weighs less: ``h`` is
then multiplied by ``min(w, 1)``. Leverages are computed for the rows that are asked for, when they
are first asked for.

All in all N K^2 for the sums, as much for the leverages of all rows, and 2 N K U for each time that
all rows are predicted; K^2 + K U numbers are held, and nothing of the size N x K or N x U.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from operator import iadd
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp

from mlmlm._distinct import distinct_rows
from mlmlm._label_vectors import LabelVectors
from mlmlm._leave_one_out import LeftOut
from mlmlm._parallel import parallel_map, usable_threads
from mlmlm._reference_points import ReferencePoints
from mlmlm._tiles import CholeskyTiles, Tick, tile_slices
from mlmlm._training_rows import Piece, Sums
from mlmlm._work_plan import WorkPlan
from mlmlm.progress import PhaseName, phase
from mlmlm.types import Array, Indices

Result = TypeVar("Result")

# What is left of 1 - h where rounding leaves nothing: a row that alone decides its own fit.
_LEAST_SLACK = 1e-12
# Reference points whose sums are added to at a time, so that nothing of the size of all is made.
PANEL = 1024


class ChosenInputs:
    """The solved regression, and what it says of its own rows.

    Parameters
    ----------
    rows : RowsInMemory or RowsOnDask
        The training rows.
    points : ReferencePoints
        The reference points.
    labels : LabelVectors
        Those to which distances are regressed.
    ridge : float
        How many times the quantile of distances ``alpha`` is.
    plan : WorkPlan
        Sizes of pieces.

    Attributes
    ----------
    alpha : float
        Ridge.
    coef : array of shape (K, U + L + 1)
        Coefficients for the distances to the label vectors, for each label's value, and for one.
    """

    def __init__(
        self,
        rows: Any,
        points: ReferencePoints,
        labels: LabelVectors,
        ridge: float,
        plan: WorkPlan,
    ) -> None:
        self._rows, self._points, self._labels, self._plan = rows, points, labels, plan
        self.alpha = points.ridge(ridge)
        piece_rows = plan.rows_of_width(max(len(points), len(labels), rows.width))
        width = len(labels) + labels.n_labels + 1
        with phase(PhaseName.GRAM, len(rows)) as tick:
            gram, self.coef = rows.sum(
                partial(_no_sums, len(points), width),
                partial(_add_normal_equations, points, labels),
                piece_rows,
                tick,
            )
        gram[np.diag_indices_from(gram)] += self.alpha
        size = float(len(points))
        self._factor = CholeskyTiles(gram, plan.tile)
        with phase(PhaseName.CHOLESKY, size**3 / 3) as tick:
            self._factor.cholesky(tick)
        with phase(PhaseName.SOLVE, 2 * size**2 * self.coef.shape[1]) as tick:
            self._factor.solve(self.coef, tick)

    @cached_property
    def leverage(self) -> Array:
        """Diagonal of the hat matrix for a unit of weight, of shape (N,)."""
        return self._leverages(self._rows)

    def leave_one_out(self, rows: Indices | None = None) -> LeaveOneOutOfChosenInputs:
        if rows is None:
            chosen, leverage = self._rows, self.leverage
        else:
            chosen = self._rows.subset(rows)
            leverage = self._leverages(chosen)
        vectors = self.coef[:, : len(self._labels)]
        function = partial(_left_out, self._points, self._labels, vectors, leverage)
        block_rows = self._plan.cached_rows(len(self._labels))
        return LeaveOneOutOfChosenInputs(chosen, function, self._plan.product_rows, block_rows)

    def _leverages(self, rows: Any) -> Array:
        function = partial(_leverages, self._points, self._factor)
        pieces = []
        with phase(PhaseName.LEVERAGE, len(rows)) as tick:
            for leverage in rows.map(function, self._plan.product_rows):
                pieces.append(leverage)
                tick(len(leverage))
        return np.concatenate(pieces)


@dataclass(frozen=True)
class LeaveOneOutOfChosenInputs:
    """Rows of a regression, and how they are left out of it."""

    rows: Any
    left_out: Callable[[Piece], LeftOut]
    piece_rows: int
    block_rows: int

    def __len__(self) -> int:
        return len(self.rows)

    def map(self, function: Callable[[LeftOut], Result]) -> Iterator[Result]:
        of_piece = partial(_by_block, function, self.left_out, self.block_rows)
        for results in self.rows.map(of_piece, self.piece_rows):
            yield from results

    def sum(
        self, start: Callable[[], Sums], add: Callable[[Any, LeftOut], None], tick: Tick
    ) -> Sums:
        """The arrays that ``start`` makes, to which ``add`` has added each block's part."""
        of_piece = partial(_add_by_block, add, self.left_out, self.block_rows)
        return self.rows.sum(start, of_piece, self.piece_rows, tick)

    @property
    def is_remote(self) -> bool:
        """Whether the rows are on workers, where they had better stay."""
        return bool(self.rows.is_remote)

    @property
    def n_relevant(self) -> int:
        """Number of labels that the rows have."""
        return sum(self.rows.map(_n_relevant, self.piece_rows))


# Functions of a piece, and at the top of the module, so that they can be sent to workers.


def _no_sums(n_points: int, width: int) -> Sums:
    return np.zeros((n_points, n_points)), np.zeros((n_points, width))


def _add_normal_equations(
    points: ReferencePoints, labels: LabelVectors, sums: Sums, piece: Piece
) -> None:
    """Add a piece's part to ``U``, on and below the diagonal, and to ``C``."""
    gram, right = sums
    distances = points.distances_from(piece.X)
    own, n_rows = distinct_rows(piece.Y), len(piece.Y)
    weights = np.ones(n_rows) if piece.weights is None else piece.weights
    having = sp.csr_array((weights, (own.inverse, np.arange(n_rows))), (len(own.first), n_rows))
    summed, vectors = having @ distances, piece.Y[own.first]
    targets = np.hstack([labels.distances(vectors), vectors, np.ones((len(vectors), 1))])
    if piece.weights is not None:
        distances *= np.sqrt(weights)[:, None]
    for panel in tile_slices(len(points), PANEL):
        gram[panel, : panel.stop] += _product(distances[:, panel], distances[:, : panel.stop])
        right[panel] += summed[:, panel].T @ targets


def _product(one: Array, other: Array) -> Array:
    """``one' other``, of a long ``one`` as the sum over parts of the rows, a core each.

    BLAS spreads such a product badly over the cores, which makes it half as fast. There are only
    as many parts as make sums no larger than the distances.
    """
    n_rows, width = other.shape
    n_parts = min(usable_threads(), n_rows // width)
    if n_parts < 2:
        return one.T @ other
    parts = tile_slices(n_rows, -(-n_rows // n_parts))
    return reduce(iadd, parallel_map(lambda rows: one[rows].T @ other[rows], parts))


def _leverages(points: ReferencePoints, factor: CholeskyTiles, piece: Piece) -> Array:
    whitened = np.ascontiguousarray(points.distances_from(piece.X).T)
    factor.solve_lower(whitened, lambda flops: None)
    return np.einsum("ij,ij->j", whitened, whitened)


def _left_out(
    points: ReferencePoints, labels: LabelVectors, coef: Array, leverage: Array, piece: Piece
) -> LeftOut:
    h = leverage[piece.rows, None]
    if piece.weights is not None:
        h = h * np.minimum(piece.weights, 1)[:, None]
    distances = points.distances_from(piece.X) @ coef
    distances -= h * labels.distances(piece.Y)
    distances /= np.maximum(1 - h, _LEAST_SLACK)
    rows = np.arange(piece.rows.start, piece.rows.stop)
    return LeftOut(rows, piece.Y, distances, piece.weights)


def _by_block(
    function: Callable[[LeftOut], Result],
    left_out: Callable[[Piece], LeftOut],
    block_rows: int,
    piece: Piece,
) -> list[Result]:
    """Results for the blocks of a piece: products like long pieces, all else what is in cache."""
    return [function(block) for block in _blocks(left_out, block_rows, piece)]


def _add_by_block(
    add: Callable[[Any, LeftOut], None],
    left_out: Callable[[Piece], LeftOut],
    block_rows: int,
    sums: Sums,
    piece: Piece,
) -> None:
    for block in _blocks(left_out, block_rows, piece):
        add(sums, block)


def _blocks(
    left_out: Callable[[Piece], LeftOut], block_rows: int, piece: Piece
) -> Iterator[LeftOut]:
    found = left_out(piece)
    for rows in tile_slices(len(found), block_rows):
        yield found[rows]


def _n_relevant(piece: Piece) -> int:
    return int(piece.Y.sum())
