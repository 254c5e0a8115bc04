"""The closed-form leave-one-out beside what it stands for.

Eq. 6 of the paper takes row i out of the least squares, and nothing else: x_i stays a reference
point of the inputs, and y_i one of the labels, so the regression still predicts the distance to
the very label vector that it should not know, and ML-MLM combines it with the others. Here every
row is left out in truth, twice: as the closed form means it, which must give the same distances,
and altogether, by a fit to the other rows.
"""

from __future__ import annotations

import numpy as np
from sklearn.metrics import pairwise_distances

from experiments.record import Json
from experiments.refits.fitting import Array, Fit
from experiments.refits.out_of_sample import leave_one_out_distances
from mlmlm import DistanceRegression, MultiLabelMLM
from mlmlm._inverse_distance import LabelWeights, LogRatios
from mlmlm._ml_mlm import PAPER_GRID
from mlmlm.metrics import accuracy, ranking_loss
from mlmlm.thresholds import cardinality_threshold


def leave_one_out(fit: Fit) -> Json:
    """Losses by P, and the P and threshold that follow, of the closed form and of refits."""
    closed = MultiLabelMLM().fit_from(fit.regression)
    assert closed.threshold_ is not None  # which only local RCut leaves out
    scores = scores_without_each_row(fit)
    losses = [float(ranking_loss(fit.data.Y_train, each)) for each in scores]
    best = int(np.argmin(np.round(losses, 12)))  # as ML-MLM chooses
    threshold = cardinality_threshold(scores[best], int(fit.data.Y_train.sum()))
    difference = distances_without_each_equation(fit) - leave_one_out_distances(fit)
    return {
        "fingerprint": fit.data.fingerprint,
        "largest_difference": float(np.abs(difference).max()),
        "powers": PAPER_GRID.tolist(),
        "closed": _outcome(fit, closed.power_, closed.threshold_, closed.loo_ranking_loss_),
        "refits": _outcome(fit, float(PAPER_GRID[best]), threshold, np.array(losses)),
    }


def distances_without_each_equation(fit: Fit) -> Array:
    """Distances of each row by least squares without its equation; it stays a reference."""
    regression = fit.regression
    inputs = pairwise_distances(fit.train, regression.references_)
    targets = regression.label_vectors_.distances(fit.data.Y_train)
    ridge = regression.alpha_ * np.eye(regression.n_references)
    rows = []
    for i in range(len(inputs)):
        x, y = np.delete(inputs, i, axis=0), np.delete(targets, i, axis=0)
        rows.append(inputs[i] @ np.linalg.solve(x.T @ x + ridge, x.T @ y))
    return np.array(rows)


def scores_without_each_row(fit: Fit) -> Array:
    """Scores of each row by ML-MLM fitted to the others, at each power of the grid."""
    scores = np.empty((len(PAPER_GRID), *fit.data.Y_train.shape))
    for i in range(len(fit.train)):
        others = np.arange(len(fit.train)) != i
        regression = DistanceRegression().fit(fit.train[others], fit.data.Y_train[others])
        ratios = LogRatios(regression.predict(fit.train[[i]]).to_label_vectors)
        label_weights = LabelWeights(regression.label_vectors_, exact_odds=False)
        for j, power in enumerate(PAPER_GRID):
            having, others_weight = label_weights.sums(ratios.weights(power))
            scores[j, i] = (having / (having + others_weight))[:, 0]
    return scores


def _outcome(fit: Fit, power: float, threshold: float, losses: Array) -> Json:
    """What a choice of P and threshold comes to on the test set."""
    model = MultiLabelMLM(power=power, threshold=threshold).fit_from(fit.regression)
    truth = fit.data.Y_test
    return {
        "power": power,
        "threshold": threshold,
        "losses": losses.tolist(),
        "test_ranking_loss": float(ranking_loss(truth, model.predict_proba(fit.predicted))),
        "test_accuracy": float(accuracy(truth, model.predict(fit.predicted))),
    }
