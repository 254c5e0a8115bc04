"""From scores to sets of labels."""

from __future__ import annotations

import numpy as np

from mlmlm._ranking import stable_order
from mlmlm.types import Array, Indices, Labels

_LEAST_THRESHOLD = 1e-5  # of a transductive cut: a label without any vote is not predicted


def cardinality_threshold(scores: Array, n_relevant: int, overwrite: bool = False) -> float:
    """Threshold that leaves ``n_relevant`` of the scores above it, or as near to it as ties allow.

    The midpoint of the n-th and the (n + 1)-th largest of all scores, so that the predictions of
    the rows that the scores belong to have the cardinality of their labels (Eq. 8 of the paper).
    Where these two are equal no threshold leaves n above it: the cut is moved to that side of the
    equal scores where the number is nearer to n, to the upper one if both are as near. NaN counts
    as larger than every number. With ``overwrite`` the scores are put into another order, which
    saves a copy of them.
    """
    if n_relevant == 0:
        return np.inf
    if n_relevant == scores.size:
        return -np.inf
    # NumPy sorts NaN last, which is where the largest are.
    split = scores.size - n_relevant
    parted = scores.reshape(-1) if overwrite else scores.flatten()
    parted.partition([split - 1, split])
    below, above = parted[split - 1], parted[split]
    if below == above:
        without, within = n_above(parted, above), n_above(parted, above, including=True)
        fewer = n_relevant - without <= within - n_relevant
        return cardinality_threshold(parted, without if fewer else within, overwrite=True)
    return _between(below, above)


def weighted_threshold(scores: Array, n_relevant: float, weights: Array) -> float:
    """`cardinality_threshold` where each row counts as if it were there ``weights`` times.

    Of the cuts between unequal scores it is the one that leaves above it the weight nearest to
    ``n_relevant``, the upper one if two are as near.
    """
    order = np.argsort(scores, axis=None)[::-1]  # NaN first
    values = scores.ravel()[order]
    above = np.cumsum(np.repeat(weights, scores.shape[1])[order])
    ends = np.flatnonzero(np.append(values[1:] != values[:-1], True))
    cut = int(np.argmin(np.abs(np.append(0.0, above[ends]) - n_relevant)))
    if cut == 0:
        return np.inf
    if cut == len(ends):
        return -np.inf
    end = ends[cut - 1]
    return _between(values[end + 1], values[end])


def _between(below: float, above: float) -> float:
    """The midpoint of two scores or, where nothing would be above that, the smaller.

    Log-odds can be infinite, and nothing is above an infinite midpoint; nor above one that rounds
    to the larger of two neighbouring numbers.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        middle = (below + above) / 2
    return float(middle if middle < above else below)


def n_above(scores: Array, value: float, including: bool = False) -> int:
    """How many scores are above a value, NaN among them."""
    return scores.size - int(np.sum(scores < value if including else scores <= value))


def rank_cut(scores: Array, counts: Indices) -> Labels:
    """Mark the ``counts[i]`` highest scores of each row i; on equal scores the first label wins.

    With the cardinality of NN-MLM's prediction as the count this is the paper's local RCut.
    """
    predicted = np.zeros(scores.shape, dtype=np.uint8)
    chosen = np.arange(scores.shape[1]) < counts[:, None]
    np.put_along_axis(predicted, stable_order(scores), chosen.astype(np.uint8), axis=1)
    return predicted


def transductive_cut(scores: Array, cardinality: float) -> Labels:
    """Labels whose cardinality over the rows of ``scores`` is about the given one.

    This is how MEKA cuts by default: the threshold is chosen on the very rows that are predicted,
    so the prediction of a row depends on the rows beside it. It is here to reproduce figures that
    were published so, and follows MEKA to the letter: with ``n`` the rounded number of labels
    that the cardinality asks for, the threshold is the midpoint of the n-th and the (n - 1)-th
    largest score, at least 0.00001, and scores that reach it are predicted. So n - 1 labels are
    predicted where all scores differ, and more than n where many tie.
    """
    n_wanted = int(np.floor(cardinality * len(scores) + 0.5))
    if n_wanted == 0:
        return np.zeros(scores.shape, dtype=np.uint8)
    at, above = scores.size - n_wanted, min(scores.size - n_wanted + 1, scores.size - 1)
    parted = np.partition(scores, [at, above], axis=None)
    threshold = max((parted[at] + parted[above]) / 2, _LEAST_THRESHOLD)
    return (scores >= threshold).astype(np.uint8)
