"""Out-of-sample scores of the training rows for the methods that the paper cuts by local RCut.

The cardinality-based threshold needs a score of each training row by a model that does not know
it. The closed form that gives ML-MLM's distances gives those of LLS-MLM, which are the same, and
those of BR-MLM: with the leverage h of a row and a label's value y, ``(fitted - h y) / (1 - h)``.
"""

from __future__ import annotations

import numpy as np

from experiments.refits.fitting import Array, Fit
from mlmlm import BinaryRelevanceMLM, LocalizationMLM, PredictedDistances


def lls_scores(fit: Fit, method: LocalizationMLM) -> Array:
    distances = leave_one_out_distances(fit)
    unused = np.empty((len(distances), 0))
    return method.decision_function(PredictedDistances(distances, unused, unused))


def br_scores(fit: Fit, method: BinaryRelevanceMLM) -> Array:
    fitted = fit.regression.predict(fit.train)
    h = fit.regression.leverage_[:, None]
    to_zero, to_one = (
        (values - h * own) / (1 - h)
        for values, own in (
            (fitted.to_zero, fit.data.Y_train),
            (fitted.to_one, 1.0 - fit.data.Y_train),
        )
    )
    return method.decision_function(PredictedDistances(fitted.to_label_vectors, to_zero, to_one))


def leave_one_out_distances(fit: Fit) -> Array:
    """Closed-form distances of each training row, had it been left out, to the label vectors."""
    regression = fit.regression
    distances = np.empty((len(fit.train), len(regression.label_vectors_)))
    for block in regression.leave_one_out().map(lambda block: block):
        distances[block.rows] = block.distances
    return distances
