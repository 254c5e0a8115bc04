"""Uncertainty of a prediction, read off the smallest predicted distance.

A distance of 0 means a known label vector, 1 means that one label is expected to differ from the
nearest known vector, and sqrt(2) two labels; larger distances say that the model extrapolates.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

CATEGORIES = ("low", "medium", "high")
LIMITS = (1.0, float(np.sqrt(2.0)))


def uncertainty_categories(distances: ArrayLike) -> NDArray[np.str_]:
    """Category of each smallest predicted distance: low (< 1), medium, high (> sqrt 2)."""
    values = np.asarray(distances, dtype=np.float64)
    low, high = values < LIMITS[0], values > LIMITS[1]
    return np.select([low, high], [CATEGORIES[0], CATEGORIES[2]], CATEGORIES[1])
