"""Distance regression: the linear map from input distances to label distances.

Notation of the paper: ``D_x`` (N x K) holds the distances from the N training inputs to the K
reference points, ``D_y`` (N x N) those between the training label vectors; the model is
``B = U^-1 D_x' D_y`` with ``U = D_x' D_x + alpha I``, and a new input with distances ``d`` to the
reference points is predicted to lie at ``d B`` from the training label vectors.

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

**Labels one at a time.** Binary relevance needs the distances of one label to 0 and to 1, which
are ``y`` and ``1 - y`` in training. Regression is linear in its targets, so the second follows
from the first and the response to a column of ones: L + 1 more right-hand sides on the same
factor serve all L labels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from mlmlm._constraints import RIDGE
from mlmlm._distances import euclidean, squared_norms
from mlmlm._distinct import distinct_rows
from mlmlm._label_matrix import check_label_matrix
from mlmlm._label_vectors import LabelVectors
from mlmlm._parallel import parallel_map, usable_threads
from mlmlm._tiles import SymmetricTiles, tile_slices, upper_tiles
from mlmlm._work_plan import WorkPlan
from mlmlm.memory import check_fit_fits
from mlmlm.progress import PhaseName, phase
from mlmlm.types import Array, Indices, Matrix

ALPHA_QUANTILE = 0.001
# Least ridge, as a share of the largest distance. A smaller one, which only inputs that nearly
# coincide can have, would be lost in the rounding of the Gram matrix.
LEAST_ALPHA = 1e-8


@dataclass(frozen=True)
class PredictedDistances:
    """What distance regression says of some inputs; every method starts from it.

    Attributes
    ----------
    to_label_vectors : array of shape (n, U)
        Signed predicted distances to the distinct training label vectors.
    to_zero, to_one : arrays of shape (n, L)
        Predicted distances of each single label to 0 and to 1.
    """

    to_label_vectors: Array
    to_zero: Array
    to_one: Array

    def __len__(self) -> int:
        return len(self.to_label_vectors)

    def __getitem__(self, rows: slice) -> PredictedDistances:
        return PredictedDistances(
            self.to_label_vectors[rows], self.to_zero[rows], self.to_one[rows]
        )

    @property
    def nearest(self) -> Indices:
        """Index of the label vector of the smallest predicted distance (the first of several)."""
        return np.argmin(self.to_label_vectors, axis=1)


class DistanceRegression(BaseEstimator):
    """Linear regression from input distances to label distances.

    Deterministic, with nothing that must be chosen: the reference points are the distinct training
    inputs, and the ridge ``alpha`` is the 0.001 quantile of their pairwise distances (but never
    so small that it is lost in rounding).

    Parameters
    ----------
    ridge : float, default=1.0
        How many times that quantile ``alpha`` is; 1 is the paper's.

    Attributes
    ----------
    references_ : array or sparse array of shape (K, M)
        Distinct training inputs, in order of first appearance.
    label_vectors_ : LabelVectors
        Distinct training label vectors.
    alpha_ : float
        Ridge.
    coef_ : array of shape (K, U)
        Coefficients for the distances to the distinct label vectors.
    label_coef_ : array of shape (K, L + 1)
        Coefficients for each label's value and, last, for the constant one.
    leverage_ : array of shape (N,)
        Diagonal of the hat matrix, by training row.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {"ridge": [RIDGE]}
    _plan = WorkPlan()

    def __init__(self, ridge: float = 1.0) -> None:
        self.ridge = ridge

    def fit(self, X: Any, Y: Any) -> Self:
        """Solve the regression.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (N, M)
            Inputs. Distances are Euclidean, so their scale matters; the paper scales each
            feature to [0, 1].
        Y : array-like or sparse matrix of shape (N, L)
            Binary label matrix.
        """
        self._validate_params()
        Y = check_label_matrix(Y)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        if X.shape[0] != Y.shape[0]:
            raise ValueError(
                f"X and Y have inconsistent numbers of samples: {X.shape[0]} and {Y.shape[0]}. "
                "Pass one row of Y for each row of X."
            )
        distinct = distinct_rows(X)
        self.references_ = X[distinct.first]
        self.label_vectors_ = LabelVectors(Y, self._plan.sparse_density)
        check_fit_fits(
            X.shape[0],
            self.n_references,
            len(self.label_vectors_),
            self.label_vectors_.n_labels,
            X.shape[1],
        )
        self._reference_norms = squared_norms(self.references_)
        self._multiplicity = distinct.counts.astype(np.float64)
        # Rows in the order of their references, so that the rows of a block of references are
        # consecutive and sums over duplicates are sums over runs.
        self._rows_by_reference = np.argsort(distinct.inverse, kind="stable")
        self._first_row = np.concatenate([[0], np.cumsum(distinct.counts)])

        tiles, self.alpha_ = self._distance_tiles()
        self._solve(tiles)
        self.leverage_ = ((1 - self.alpha_ * self._inverse_diagonal) / self._multiplicity)[
            distinct.inverse
        ]
        return self

    def predict(self, X: Any) -> PredictedDistances:
        """Predicted distances of each row of ``X``, all at once."""
        blocks = list(self.predict_blocks(X))
        return PredictedDistances(
            np.concatenate([block.to_label_vectors for block in blocks]),
            np.concatenate([block.to_zero for block in blocks]),
            np.concatenate([block.to_one for block in blocks]),
        )

    def predict_blocks(self, X: Any) -> Iterator[PredictedDistances]:
        """Predicted distances in blocks of rows, so that memory does not grow with ``X``."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        n_labels = self.label_vectors_.n_labels
        with phase(PhaseName.PREDICTED_DISTANCES, X.shape[0]) as tick:
            for rows in tile_slices(X.shape[0], self.block_rows):
                inputs = self._distances_to_references(X[rows])
                responses = inputs @ self.label_coef_
                to_zero = responses[:, :n_labels]
                yield PredictedDistances(
                    inputs @ self.coef_, to_zero, responses[:, n_labels:] - to_zero
                )
                tick(len(inputs))

    def leave_one_out(self, references: slice) -> tuple[Indices, Array]:
        """Distances that each training row would be predicted, had it been left out.

        Parameters
        ----------
        references : slice
            Consecutive reference points; the answer is for the training rows at these.

        Returns
        -------
        rows : array of shape (n,)
            Indices of those training rows.
        distances : array of shape (n, U)
            Signed leave-one-out distances to the distinct label vectors.
        """
        rows, runs = self._rows_at(references)
        own = self.label_vectors_.distances(self.label_vectors_.of_row[rows])
        m = self._multiplicity[references]
        residual = np.add.reduceat(own, runs, axis=0)
        residual -= self.alpha_ * self._scaled_dual[references]
        shrink = m - 1 + self.alpha_ * self._inverse_diagonal[references]
        if len(rows) > len(m):  # some inputs occur more than once
            repeat = m.astype(np.intp)
            residual, m, shrink = (np.repeat(v, repeat, axis=0) for v in (residual, m, shrink))
        residual -= m[:, None] * own
        residual /= shrink[:, None]
        residual += own
        return rows, residual

    def reference_blocks(self) -> list[slice]:
        """Blocks of references for `leave_one_out`.

        They are small enough for the cache, and there are as many of them for each thread.
        """
        threads = usable_threads()
        values = self.n_references * len(self.label_vectors_)
        n_blocks = threads * math.ceil(values / (threads * self._plan.cached_values))
        return tile_slices(self.n_references, max(1, math.ceil(self.n_references / n_blocks)))

    @property
    def n_references(self) -> int:
        return int(self.references_.shape[0])

    @property
    def block_rows(self) -> int:
        """Rows to work on at a time."""
        width = max(self.n_references, len(self.label_vectors_))
        return max(self._plan.least_block_rows, self._plan.block_values // width)

    def _distances_to_references(self, X: Matrix) -> Array:
        norms = squared_norms(X)
        columns = tile_slices(self.n_references, self._plan.tile)
        distances = np.empty((X.shape[0], self.n_references))

        def fill(tile: slice) -> None:
            distances[:, tile] = euclidean(
                X, self.references_[tile], norms, self._reference_norms[tile]
            )

        for _ in parallel_map(fill, columns):
            pass
        return distances

    def _distance_tiles(self) -> tuple[SymmetricTiles, float]:
        """Distances between the references, and the quantile of them that is ``alpha``."""
        tiles = SymmetricTiles(self.n_references, self._plan.tile)
        n_pairs = self.n_references * (self.n_references - 1) // 2
        smallest, largest = _SmallestValues(n_pairs, ALPHA_QUANTILE), 0.0

        def tile_of(index: tuple[int, int]) -> Array:
            i, j = (tiles.slices[k] for k in index)
            norms = self._reference_norms
            tile = euclidean(self.references_[i], self.references_[j], norms[i], norms[j])
            if i == j:  # symmetric to the last bit, zero on the diagonal
                tile = np.tril(tile, -1)
                tile += tile.T
            return tile

        indices = list(upper_tiles(tiles.slices))
        with phase(PhaseName.DISTANCES, len(indices)) as tick:
            for (i, j), tile in zip(indices, parallel_map(tile_of, indices), strict=True):
                smallest.add(tile[np.tril_indices_from(tile, -1)] if i == j else tile.ravel())
                largest = max(largest, float(tile.max()))
                tiles.put(i, j, tile)
                tick(1)
        # A single reference has no pairs; its distances are all zero and any ridge will do.
        alpha = smallest.quantile() if n_pairs else 1.0
        return tiles, max(self.ridge * alpha, LEAST_ALPHA * largest)

    def _solve(self, tiles: SymmetricTiles) -> None:
        """Gram matrix, factor, and everything that needs them; afterwards no K x K is kept."""
        size, root = float(self.n_references), np.sqrt(self._multiplicity)
        right = self._target_sums()
        right /= root[:, None]
        work = 2 * size**2 * right.shape[1]
        with phase(PhaseName.GRAM, size**3) as tick:
            tiles.gram(root, self.alpha_, tick)
        with phase(PhaseName.CHOLESKY, size**3 / 3) as tick:
            tiles.cholesky(tick)
        with phase(PhaseName.SOLVE, work) as tick:
            tiles.solve(right, tick)
        with phase(PhaseName.LEVERAGE, size**3 / 3) as tick:
            self._inverse_diagonal = tiles.inverse_diagonal(tick)
        right *= root[:, None]
        with phase(PhaseName.COEFFICIENTS, work) as tick:
            coef = tiles.times(right, tick)
        n_vectors = len(self.label_vectors_)
        self._scaled_dual = right[:, :n_vectors]  # M^1/2 W
        self.coef_, self.label_coef_ = coef[:, :n_vectors], coef[:, n_vectors:]

    def _target_sums(self) -> Array:
        """Targets summed over the rows at each reference: ``S``, the labels, and ones."""
        labels = self.label_vectors_
        sums = np.empty((self.n_references, len(labels) + labels.n_labels + 1))

        def fill(block: slice) -> None:
            rows, runs = self._rows_at(block)
            which = labels.of_row[rows]
            out = sums[block]
            np.add.reduceat(labels.distances(which), runs, axis=0, out=out[:, : len(labels)])
            np.add.reduceat(labels.vectors[which], runs, axis=0, out=out[:, len(labels) : -1])

        sums[:, -1] = self._multiplicity
        for _ in parallel_map(fill, tile_slices(self.n_references, self._plan.tile)):
            pass
        return sums

    def _rows_at(self, references: slice) -> tuple[Indices, Indices]:
        """Training rows at some references, and where among them each reference begins."""
        bounds = self._first_row[references.start : references.stop + 1]
        return self._rows_by_reference[bounds[0] : bounds[-1]], bounds[:-1] - bounds[0]


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
