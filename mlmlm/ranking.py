"""The one order of labels by score that everything here uses."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def stable_order(scores: NDArray[Any]) -> NDArray[np.intp]:
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
