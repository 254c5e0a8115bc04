"""From scores to sets of labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mlmlm.ranking import stable_order

Array = NDArray[np.float64]


def cardinality_threshold(scores: Array, n_relevant: int) -> float:
    """Threshold that leaves ``n_relevant`` of the scores above it.

    The midpoint of the n-th and the (n + 1)-th largest of all scores, so that the predictions of
    the rows that the scores belong to have the cardinality of their labels (Eq. 8 of the paper).
    NaN counts as larger than every number.
    """
    if n_relevant == 0:
        return np.inf
    if n_relevant == scores.size:
        return -np.inf
    # NumPy sorts NaN last, which is where the largest are.
    split = scores.size - n_relevant
    parted = np.partition(scores, [split - 1, split], axis=None)
    below, above = parted[split - 1], parted[split]
    # Log-odds can be infinite, and nothing is above an infinite midpoint.
    return float(below if np.isposinf(above) else (below + above) / 2)


def rank_cut(scores: Array, counts: NDArray[np.intp]) -> NDArray[np.uint8]:
    """Mark the ``counts[i]`` highest scores of each row i; on equal scores the first label wins.

    With the cardinality of NN-MLM's prediction as the count this is the paper's local RCut.
    """
    predicted = np.zeros(scores.shape, dtype=np.uint8)
    chosen = np.arange(scores.shape[1]) < counts[:, None]
    np.put_along_axis(predicted, stable_order(scores), chosen.astype(np.uint8), axis=1)
    return predicted
