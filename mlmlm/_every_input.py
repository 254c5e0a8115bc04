"""Distance regression with every distinct input as a reference point: the dual.

**Repeated rows.** The reference points are the distinct training inputs. Let ``m`` be how often
each occurs, ``M = diag(m)``, ``D`` (K x K, symmetric) their distances and ``S`` (K x U) the sums
of label distances over the rows that share an input, one column for each distinct label vector.
Then ``D_x' D_x = D M D``, ``D_x' D_y = D S``, and no N x K matrix is needed.

**The dual.** With ``G = M^1/2 D D M^1/2 + alpha I`` the push-through identity
``(D M D + alpha I)^-1 D M^1/2 = D M^1/2 G^-1`` gives, for ``W = G^-1 M^-1/2 S``,

- coefficients ``B = D M^1/2 W``;
- fitted distances ``D B = M^-1 S - alpha M^-1/2 W``, with no further product;
- leverage ``h = (1 - alpha g) / m``, where ``g = diag(G^-1)``.

**Leave-one-out.** Without row i, at reference r, the fit would predict (Allen's PRESS, Eq. 6 of
the paper) ``(fitted_i - h_i y_i) / (1 - h_i)``, y_i being row i of ``D_y``. With the above,

    y_i + (S_r - m_r y_i - alpha sqrt(m_r) W_r) / (m_r - 1 + alpha g_r),

in which nothing cancels: where an input occurs once, ``S_r - y_i`` is zero exactly.

**Weights.** A row of weight w counts as w equal rows: ``m`` and ``S`` are sums over weights. One
unit of it is left out, as one of those rows would be, or all of it where it weighs less: with
``u = min(w, 1)`` the denominator is ``m_r - u + u alpha g_r``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from mlmlm._distinct import DistinctRows
from mlmlm._label_vectors import LabelVectors
from mlmlm._leave_one_out import LeftOut
from mlmlm._parallel import parallel_map, usable_threads
from mlmlm._reference_points import ReferencePoints
from mlmlm._tiles import SymmetricTiles, tile_slices
from mlmlm._work_plan import WorkPlan
from mlmlm.progress import PhaseName, phase
from mlmlm.types import Array, Bools, Indices, Labels

Result = TypeVar("Result")


class EveryInput:
    """The solved regression, and what it says of its own rows.

    Parameters
    ----------
    points : ReferencePoints
        The distinct training inputs.
    distinct : DistinctRows
        Which of them each row has.
    Y : uint8 array of shape (N, L)
        Label vectors of the rows.
    weights : array of shape (N,) or None
        How often each row counts; None is once.
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
    leverage : array of shape (N,)
        Diagonal of the hat matrix for a unit of weight.
    """

    def __init__(
        self,
        points: ReferencePoints,
        distinct: DistinctRows,
        Y: Labels,
        weights: Array | None,
        labels: LabelVectors,
        ridge: float,
        plan: WorkPlan,
    ) -> None:
        self._labels, self._Y, self._weights, self._plan = labels, Y, weights, plan
        self._multiplicity = distinct.weighed(weights).astype(np.float64)
        # Rows in the order of their references, so that the rows of a block of references are
        # consecutive and sums over duplicates are sums over runs.
        self._rows_by_reference = np.argsort(distinct.inverse, kind="stable")
        self._first_row = np.concatenate([[0], np.cumsum(distinct.counts)])
        tiles = SymmetricTiles(len(points), plan.tile)
        self.alpha = points.ridge(ridge, tiles.put)
        self._solve(tiles)
        self.leverage = ((1 - self.alpha * self._inverse_diagonal) / self._multiplicity)[
            distinct.inverse
        ]

    def leave_one_out(self, rows: Indices | None = None) -> LeaveOneOutOfEveryInput:
        wanted = np.full(len(self._Y), -1, dtype=np.intp)
        rows = np.arange(len(self._Y)) if rows is None else rows
        wanted[rows] = np.arange(len(rows))
        return LeaveOneOutOfEveryInput(self, wanted, len(rows))

    def left_out(self, references: slice) -> LeftOut:
        """The training rows at some consecutive reference points, each left out."""
        rows, runs = self._rows_at(references)
        own, weights = self._labels.distances(self._Y[rows]), self._weights_of(rows)
        m = self._multiplicity[references]
        slack = self.alpha * self._inverse_diagonal[references]
        residual = self._sum_runs(own, weights, runs)
        residual -= self.alpha * self._scaled_dual[references]
        if len(rows) > len(m):  # some inputs occur more than once
            repeat = np.diff(runs, append=len(rows))
            residual, m, slack = (np.repeat(v, repeat, axis=0) for v in (residual, m, slack))
        unit = 1 if weights is None else np.minimum(weights, 1)
        shrink = m - unit + unit * slack
        residual -= m[:, None] * own
        residual /= shrink[:, None]
        residual += own
        return LeftOut(rows, self._Y[rows], residual, weights)

    def blocks(self) -> list[slice]:
        """Blocks of references for `left_out`.

        They are small enough for the cache, and there are as many of them for each thread.
        """
        threads, size = usable_threads(), len(self._multiplicity)
        n_blocks = threads * math.ceil(
            size * len(self._labels) / (threads * self._plan.cached_values)
        )
        return tile_slices(size, max(1, math.ceil(size / n_blocks)))

    def _solve(self, tiles: SymmetricTiles) -> None:
        """Gram matrix, factor, and everything that needs them; afterwards no K x K is kept."""
        size, root = float(len(self._multiplicity)), np.sqrt(self._multiplicity)
        right = self._target_sums()
        right /= root[:, None]
        work = 2 * size**2 * right.shape[1]
        with phase(PhaseName.GRAM, size**3) as tick:
            tiles.gram(root, self.alpha, tick)
        with phase(PhaseName.CHOLESKY, size**3 / 3) as tick:
            tiles.cholesky(tick)
        with phase(PhaseName.SOLVE, work) as tick:
            tiles.solve(right, tick)
        with phase(PhaseName.LEVERAGE, size**3 / 3) as tick:
            self._inverse_diagonal = tiles.inverse_diagonal(tick)
        right *= root[:, None]
        with phase(PhaseName.COEFFICIENTS, work) as tick:
            self.coef = tiles.times(right, tick)
        self._scaled_dual = right[:, : len(self._labels)]  # M^1/2 W

    def _target_sums(self) -> Array:
        """Targets summed over the rows at each reference: ``S``, the labels, and ones."""
        labels, size = self._labels, len(self._multiplicity)
        sums = np.empty((size, len(labels) + labels.n_labels + 1))

        def fill(block: slice) -> None:
            rows, runs = self._rows_at(block)
            own, weights, out = self._Y[rows], self._weights_of(rows), sums[block]
            out[:, : len(labels)] = self._sum_runs(labels.distances(own), weights, runs)
            out[:, len(labels) : -1] = self._sum_runs(own, weights, runs)

        sums[:, -1] = self._multiplicity
        for _ in parallel_map(fill, tile_slices(size, self._plan.tile)):
            pass
        return sums

    def _rows_at(self, references: slice) -> tuple[Indices, Indices]:
        """Training rows at some references, and where among them each reference begins."""
        bounds = self._first_row[references.start : references.stop + 1]
        return self._rows_by_reference[bounds[0] : bounds[-1]], bounds[:-1] - bounds[0]

    def _weights_of(self, rows: Indices) -> Array | None:
        return None if self._weights is None else self._weights[rows]

    @staticmethod
    def _sum_runs(values: Array | Labels, weights: Array | None, runs: Indices) -> Array:
        """Sums over the rows at each reference."""
        weighted = values if weights is None else weights[:, None] * values
        return np.add.reduceat(weighted, runs, axis=0, dtype=np.float64)


@dataclass(frozen=True)
class LeaveOneOutOfEveryInput:
    """Rows of a regression; ``wanted`` is the place of each row among them, -1 if it is none."""

    solution: EveryInput
    wanted: Indices
    n_rows: int
    is_remote = False  # there are no such rows

    def __len__(self) -> int:
        return self.n_rows

    def map(self, function: Callable[[LeftOut], Result]) -> Iterator[Result]:
        return parallel_map(lambda block: function(self._chosen(block)), self.solution.blocks())

    def _chosen(self, block: slice) -> LeftOut:
        left_out = self.solution.left_out(block)
        places = self.wanted[left_out.rows]
        if len(self) == len(self.wanted):
            return replace(left_out, rows=places)
        chosen: Bools = places >= 0
        return LeftOut(
            places[chosen],
            left_out.labels[chosen],
            left_out.distances[chosen],
            None if left_out.weights is None else left_out.weights[chosen],
        )
