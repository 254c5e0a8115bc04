"""Where the relevant labels of each row stand in the ranking by score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlmlm._ranking import stable_order
from mlmlm.metrics._inputs import Definition, as_table, as_truth, check_same_shape, is_text
from mlmlm.types import Array, Integers, Matrix


def places(scores: NDArray[Any]) -> Integers:
    """Return each label's place, from 0, in the stable descending order of its row."""
    order = stable_order(scores)
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.arange(scores.shape[1])[np.newaxis], axis=1)
    return place


def _in_rank_order(values: NDArray[Any], ranks: Integers) -> NDArray[Any]:
    ordered = np.empty_like(values)
    np.put_along_axis(ordered, ranks, values, axis=1)
    return ordered


def _tie_spans(descending: NDArray[Any]) -> tuple[Integers, Integers]:
    """Return, for each place of sorted rows, the first and the last place with the same score."""
    n_labels = descending.shape[1]
    place = np.arange(n_labels)
    starts = np.ones((len(descending), n_labels + 1), dtype=bool)
    lower, upper = descending[:, 1:], descending[:, :-1]
    # NaNs come first, so a NaN is always preceded by another NaN: they form one group.
    starts[:, 1:-1] = (lower != upper) & ~np.isnan(lower)
    first = np.maximum.accumulate(np.where(starts[:, :-1], place, 0), axis=1)
    ends = np.where(starts[:, 1:], place, n_labels)
    last = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    return first, last


@dataclass(frozen=True)
class RelevantLabels:
    """Where the relevant labels stand in the ranking: all that the ranking metrics need.

    The 1-D arrays have an entry for each relevant label. "Above" and "at or above" differ by the
    label itself or, in the text's definitions, by all the labels that share its score.
    """

    n_labels: int
    per_row: Integers  # the number of relevant labels in each row
    row: Integers
    above: Integers  # how many labels rank above it
    at_or_above: Integers
    relevant_above: Integers  # how many of those are relevant
    relevant_at_or_above: Integers

    def total(self, values: NDArray[Any]) -> Array:
        """Sum over each row's relevant labels; NaN in a row that has none."""
        sums = np.bincount(self.row, weights=values, minlength=len(self.per_row))
        return np.where(self.per_row > 0, sums, np.nan)


def locate_relevant(
    Y_true: Matrix, scores: Matrix, definition: Definition = "table"
) -> RelevantLabels:
    """Rank the labels of each row and find the relevant ones."""
    ties_share = is_text(definition)
    truth, values = as_truth(Y_true), as_table(scores, "scores")
    check_same_shape(truth, values, "scores")
    ranks = places(values)
    relevant = _in_rank_order(truth, ranks)
    row, place = np.nonzero(relevant)
    first = last = place
    if ties_share:
        first, last = (span[row, place] for span in _tie_spans(_in_rank_order(values, ranks)))
    seen = relevant.cumsum(axis=1)
    return RelevantLabels(
        n_labels=truth.shape[1],
        per_row=seen[:, -1],
        row=row,
        above=first,
        at_or_above=last + 1,
        relevant_above=seen[row, first] - relevant[row, first],
        relevant_at_or_above=seen[row, last],
    )
