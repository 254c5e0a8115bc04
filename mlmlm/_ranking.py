"""The one order of labels by score that everything here uses."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlmlm.types import Array, Bools, Indices


def stable_order(scores: NDArray[Any]) -> Indices:
    """Labels of each row from the highest score to the lowest.

    On equal scores the label that comes first ranks higher, and NaN ranks above every number.
    An ascending sort of the mirrored columns, read backwards, is just that order, since NumPy
    sorts NaN last. NumPy's default sort is several times faster than its stable one, and where
    all scores of a row differ the two agree; so only the rows with ties are sorted stably.
    """
    mirrored = np.ascontiguousarray(scores[:, ::-1])
    order = np.argsort(mirrored, axis=1)
    ascending = np.take_along_axis(mirrored, order, axis=1)
    tied = (ascending[:, 1:] == ascending[:, :-1]).any(axis=1) | np.isnan(ascending[:, -1])
    order[tied] = np.argsort(mirrored[tied], axis=1, kind="stable")
    return scores.shape[1] - 1 - order[:, ::-1]


class RankingLoss:
    """Ranking loss of the same rows under many different scores.

    If the relevant labels of a row stand at places r_1 < ... < r_p of the stable order, from 0,
    then r_k - (k - 1) irrelevant labels stand before the k-th; summed over k, the number of
    misordered pairs is ``sum r - p (p - 1) / 2``. So only the places of the relevant labels are
    needed: sorting the values of a row, without their labels, and looking the relevant ones up
    is several times faster than ranking the labels.

    Parameters
    ----------
    relevant : bool array of shape (n, L)
        Which labels are relevant in which row.
    chunk_values : int
        Values compared at a time where ties are counted; by default they fit into a core's cache.
    """

    def __init__(self, relevant: Bools, chunk_values: int = 1 << 16) -> None:
        self._chunk_values = chunk_values
        self._rows, self._labels = np.nonzero(relevant)
        self._p = relevant.sum(axis=1)

    def __call__(self, scores: Array) -> Array:
        """Loss of each row; NaN where no label is relevant, 0 where all are."""
        sums = np.bincount(self._rows, weights=self._places(scores), minlength=len(scores))
        pairs = self._p * (scores.shape[1] - self._p)
        losses = (sums - self._p * (self._p - 1) / 2) / np.maximum(pairs, 1)
        losses[self._p == 0] = np.nan
        return losses

    def _places(self, scores: Array) -> Indices:
        """Place of each relevant label, from 0, in the stable order of its row."""
        scores = np.where(np.isnan(scores), np.inf, scores)
        own = scores[self._rows, self._labels]
        ascending = np.sort(scores, axis=1)
        below = _count_below(ascending, self._rows, own)
        n_labels = scores.shape[1]
        places = n_labels - 1 - below
        next_up = ascending[self._rows, np.minimum(below + 1, n_labels - 1)]
        tied = np.flatnonzero((next_up == own) & (below < n_labels - 1))
        step = max(1, self._chunk_values // n_labels)
        for start in range(0, len(tied), step):
            chunk = tied[start : start + step]
            places[chunk] = self._places_among_ties(scores, own, chunk)
        return places

    def _places_among_ties(
        self, scores: Array, own: Array, which: Indices
    ) -> NDArray[np.integer[Any]]:
        """A label stands behind the higher scores, and behind equal ones of earlier labels."""
        beside, value = scores[self._rows[which]], own[which, None]
        before = beside == value
        before &= np.arange(scores.shape[1]) < self._labels[which, None]
        before |= beside > value
        return np.add.reduce(before.view(np.uint8), axis=1, dtype=np.uint32)


def _count_below(ascending: Array, rows: Indices, values: Array) -> Indices:
    """For each value, how many of its sorted row are smaller: a bisection of all at once."""
    n_labels = ascending.shape[1]
    flat, first = ascending.ravel(), rows * n_labels
    below = np.zeros(len(values), dtype=np.intp)
    step = 1 << (n_labels.bit_length() - 1)
    while step:
        further = below + step
        # The value itself is in its row, so no count reaches n_labels.
        inside = np.minimum(further, n_labels)
        smaller = (flat[first + inside - 1] < values) & (further < n_labels)
        below = np.where(smaller, further, below)
        step >>= 1
    return below
