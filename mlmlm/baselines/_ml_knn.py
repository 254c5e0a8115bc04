"""ML-kNN: each label by how many of a row's nearest neighbours have it.

Let ``c`` be the number of a row's k nearest training rows that have a label. By Bayes' rule the
row has the label with probability

    p_1 P(c | 1) / (p_1 P(c | 1) + p_0 P(c | 0)),

where everything is counted in training, with smoothing ``s``: of N training rows ``n_1`` have the
label and ``n_1c`` of these have it ``c`` times among their own neighbours, so

    p_1 = (s + n_1) / (2 s + N),    P(c | 1) = (s + n_1c) / ((k + 1) s + n_1),

and likewise for the ``n_0`` rows without it. The answer depends on the label and on ``c`` alone: a
table of (k + 1) x L probabilities is the whole model, and all labels share one neighbour search.
"""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np

from mlmlm._constraints import COUNT, Number
from mlmlm._distances import euclidean, squared_norms
from mlmlm._distinct import distinct_rows
from mlmlm._parallel import parallel_map
from mlmlm._tiles import tile_slices
from mlmlm.baselines._multi_label import MultiLabelClassifier
from mlmlm.types import Array, Bools, Indices, Integers, Matrix


class MLkNN(MultiLabelClassifier):
    """Multi-label k nearest neighbours (Zhang and Zhou, 2007).

    Distances are Euclidean, so the scale of the features matters; the paper's figures are of
    features as they are. Of training rows at the same distance the first ones count as nearer.

    Parameters
    ----------
    n_neighbors : int, default=10
        Number of neighbours k.
    smoothing : float, default=1.0
        Added to every count.
    count_self : bool, default=False
        Whether a training row may be a neighbour of itself while counts are taken. It should not:
        a row to be predicted never is. A widely used library does so by default, and the paper's
        row "ML-kNN(d)" is made with it.

    Attributes
    ----------
    posterior_ : array of shape (k + 1, L)
        Probability of each label, by the number of neighbours that have it.
    classes_ : array of shape (L,)
        Column indices of the labels.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_neighbors": [COUNT],
        "smoothing": [Number(Real, 0, None, closed="neither")],
        "count_self": ["boolean"],
    }

    def __init__(
        self, n_neighbors: int = 10, smoothing: float = 1.0, count_self: bool = False
    ) -> None:
        self.n_neighbors = n_neighbors
        self.smoothing = smoothing
        self.count_self = count_self

    def fit(self, X: Any, y: Any) -> Self:
        """Count labels among the neighbours of the training rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Inputs.
        y : array-like or sparse matrix of shape (n_samples, n_labels)
            Binary label matrix.
        """
        inputs, labels = self._check_training(X, y)
        self._check_enough_rows(len(labels))
        self._labels = labels.astype(np.uint8)
        self._neighbours = NeighbourSearch(inputs, self.n_neighbors)
        counts = self._count(inputs, of_training=not self.count_self)
        self.posterior_ = posterior_table(labels, counts, self.n_neighbors, self.smoothing)
        return self

    def predict_proba(self, X: Any) -> Array:
        """Probability of each label, of shape (n_samples, n_labels)."""
        inputs = self._check_inputs(X)
        return self.posterior_[self._count(inputs), self.classes_]

    def predict(self, X: Any) -> Integers:
        """Binary label matrix: the labels that are more probable than not."""
        return (self.predict_proba(X) > 0.5).astype(np.int64)

    def _count(self, inputs: Matrix, of_training: bool = False) -> Indices:
        """How many neighbours of each row have each label."""
        blocks = self._neighbours.blocks(inputs, without_self=of_training)
        return np.concatenate([self._labels[rows].sum(axis=1, dtype=np.intp) for rows in blocks])

    def _check_enough_rows(self, n_rows: int) -> None:
        needed = self.n_neighbors if self.count_self else self.n_neighbors + 1
        if n_rows < needed:
            raise ValueError(
                f"n_neighbors={self.n_neighbors} needs at least {needed} training rows, and there "
                f"are n_samples = {n_rows}; take fewer neighbours."
            )


class NeighbourSearch:
    """The nearest of some rows, by exact distances and with ties settled.

    Equal rows are made to have equal distances, whatever the rounding of a matrix product does to
    them; of equal distances the lower row index wins.
    """

    def __init__(self, rows: Matrix, n_neighbors: int) -> None:
        self._rows = rows
        self._norms = squared_norms(rows)
        self._k = n_neighbors
        distinct = distinct_rows(rows)
        original = distinct.first[distinct.inverse]
        self._repeated = np.flatnonzero(original != np.arange(len(original)))
        self._original = original[self._repeated]

    def blocks(
        self, inputs: Matrix, without_self: bool, block_values: int = 1 << 19
    ) -> list[Indices]:
        """Indices of the neighbours, in no order, in blocks of shape (rows, k).

        With ``without_self`` the inputs are the rows that are searched, and none finds itself.
        Of the distances ``block_values`` are worked on at a time.
        """

        def search(block: slice) -> Indices:
            distances = euclidean(inputs[block], self._rows, norms[block], self._norms)
            distances[:, self._repeated] = distances[:, self._original]
            if without_self:
                own = np.arange(block.start, block.stop)
                distances[own - block.start, own] = np.inf
            return smallest_columns(distances, self._k)

        norms = squared_norms(inputs)
        block_rows = max(1, block_values // self._rows.shape[0])
        return list(parallel_map(search, tile_slices(inputs.shape[0], block_rows)))


def smallest_columns(values: Array, k: int) -> Indices:
    """Columns of the k smallest values of each row, ascending; of equal ones the first."""
    kth = np.partition(values, k - 1, axis=1)[:, k - 1 : k]
    chosen = values <= kth
    crowded = np.flatnonzero(np.count_nonzero(chosen, axis=1) > k)
    if len(crowded):
        tied = values[crowded] == kth[crowded]
        nearer = chosen[crowded] & ~tied
        room = k - np.count_nonzero(nearer, axis=1)
        chosen[crowded] = nearer | (tied & (np.cumsum(tied, axis=1) <= room[:, None]))
    return np.nonzero(chosen)[1].reshape(len(values), k)


def posterior_table(labels: Integers, counts: Indices, k: int, smoothing: float) -> Array:
    """Probability of each label (columns) for each number of neighbours that have it (rows)."""
    joint = [_joint(labels == value, counts, k, smoothing) for value in (0, 1)]
    return joint[1] / (joint[0] + joint[1])


def _joint(rows: Bools, counts: Indices, k: int, smoothing: float) -> Array:
    """Probability of the rows' answer times that of each count given it; shape (k + 1, L)."""
    n_rows, n_labels = rows.shape
    cell = counts * n_labels + np.arange(n_labels)
    of_count = np.bincount(cell[rows], minlength=(k + 1) * n_labels).reshape(k + 1, n_labels)
    n_answer = of_count.sum(axis=0)
    prior = (smoothing + n_answer) / (2 * smoothing + n_rows)
    return prior * (smoothing + of_count) / (smoothing * (k + 1) + n_answer)
