"""The threshold of scores that lie in pieces on several machines, never all of them in one place.

The bits of a double, read as an integer and those of negative numbers turned over, are in the order
of the numbers. So their first 16 bits put the scores into bins, and one pass over the pieces counts
the scores of each: counts are summed on the way. They tell which bin the n-th largest score is in,
and only the different scores of this bin, of the next one's, and of a neighbour on each side come
back in a second pass. There the cut is the one that `cardinality_threshold` makes of all scores.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from mlmlm._chosen_inputs import LeaveOneOutOfChosenInputs
from mlmlm._leave_one_out import LeftOut
from mlmlm.progress import PhaseName, phase
from mlmlm.thresholds import weighted_threshold
from mlmlm.types import Array, Indices

_BITS = 16
_TURNED = np.int64(2**63 - 1)

Score = Callable[[LeftOut], Array]


def threshold_of_pieces(
    left_out: LeaveOneOutOfChosenInputs, score: Score, n_relevant: int
) -> float:
    """`mlmlm.thresholds.cardinality_threshold` of the scores of all rows left out."""
    with phase(PhaseName.THRESHOLD, 2 * len(left_out)) as tick:
        (counts,) = left_out.sum(_no_counts, partial(_add_counts, score), tick)
        lowest, highest = _bins_around(counts, n_relevant)
        found = left_out.map(partial(_different, score, lowest, highest))
        values, numbers = map(np.concatenate, zip(*found, strict=True))
        tick(len(left_out))
    n_above = int(counts[highest + 1 :].sum())
    return weighted_threshold(values[:, np.newaxis], n_relevant - n_above, numbers)


def _bins_around(counts: Array, n: int) -> tuple[int, int]:
    """The bins of the n-th and the (n + 1)-th largest score, and one more on each side."""
    filled = np.flatnonzero(counts)[::-1]
    ends = np.cumsum(counts[filled])
    first = max(0, int(np.searchsorted(ends, n)) - 1)
    last = min(len(filled) - 1, int(np.searchsorted(ends, n, side="right")) + 1)
    return int(filled[last]), int(filled[min(first, last)])


def _bin(scores: Array) -> Indices:
    bits = (scores.ravel() + 0.0).view(np.int64)  # there are two zeros, which are equal
    ordered = np.where(bits < 0, bits ^ _TURNED, bits)
    return (ordered >> (64 - _BITS)) + (1 << (_BITS - 1))


# What workers do.


def _no_counts() -> tuple[Array]:
    return (np.zeros(1 << _BITS),)


def _add_counts(score: Score, sums: tuple[Array], block: LeftOut) -> None:
    sums[0][:] += np.bincount(_bin(score(block)), minlength=1 << _BITS)


def _different(score: Score, lowest: int, highest: int, block: LeftOut) -> tuple[Array, Indices]:
    """The different scores in a range of bins, and how often each is there."""
    scores = score(block).ravel()
    bins = _bin(scores)
    return np.unique(scores[(lowest <= bins) & (bins <= highest)], return_counts=True)
