"""Whether rows of a large predicted distance are far from the training inputs."""

from __future__ import annotations

import numpy as np
from scipy import stats
from sklearn.metrics import pairwise_distances_argmin_min

from experiments.record import Json
from experiments.refits.fitting import Array, scaled
from mlmlm.datasets import Dataset


def nearest_inputs(data: Dataset, smallest_distances: Array) -> Json:
    """Rank correlation of the smallest predicted distances with those to the nearest input."""
    train, test = scaled(data)
    _, nearest = pairwise_distances_argmin_min(test, train)
    outcome = stats.spearmanr(nearest, smallest_distances, alternative="greater")
    return {
        "fingerprint": data.fingerprint,
        "test_rows": len(test),
        "spearman": float(outcome.statistic),
        "p_value": float(outcome.pvalue),
        "twins": int((nearest == 0).sum()),
        "median_nearest": float(np.median(nearest)),
    }
