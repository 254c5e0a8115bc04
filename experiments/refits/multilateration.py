"""How near NN-MLM and LLS-MLM come to the solution of the multilateration problem.

The problem, Eq. 1 of the paper, is to find the label set y in {0, 1}^L that minimises

    J(y) = sum_k c_k (|y - t_k|^2 - d_k^2)^2,

the t_k being the distinct training label vectors, c_k how often they occur, and d_k the predicted
distances to them. With few labels all 2^L sets can be tried.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from experiments.record import Json
from experiments.refits.fitting import Array, Fit, Labels
from mlmlm import LocalizationMLM, MultiLabelMLM, NearestNeighborMLM
from mlmlm.metrics import accuracy

METHODS = {
    "NN-MLM": NearestNeighborMLM(),
    "LLS-MLM": LocalizationMLM(),
    "ML-MLM": MultiLabelMLM(),
}
_EQUAL = 1e-9


def multilateration(fit: Fit) -> Json:
    """By method: rows solved, the cost beside the least, and labels unlike the solution's."""
    truth = fit.data.Y_test
    every_set = label_sets_of(truth.shape[1])
    vectors = fit.regression.label_vectors_
    costs = cost_of_sets(
        every_set, vectors.vectors, vectors.counts, fit.predicted.to_label_vectors**2
    )
    solution = costs.argmin(axis=1)
    solved = every_set[solution]
    return {
        "fingerprint": fit.data.fingerprint,
        "test_rows": len(truth),
        "accuracy_of_solution": float(accuracy(truth, solved)),
        "methods": {
            name: _nearness(
                truth, method.fit_from(fit.regression).predict(fit.predicted), solved, costs
            )
            for name, method in METHODS.items()
        },
    }


def label_sets_of(n_labels: int) -> Labels:
    """All sets of some labels; set s has label j if bit j of s is set."""
    sets = np.arange(2**n_labels)[:, None] >> np.arange(n_labels) & 1
    return sets.astype(np.uint8)


def cost_of_sets(
    sets: Labels, references: Labels, counts: NDArray[np.int64], squared_distances: Array
) -> Array:
    """J of each row's squared distances (n x U) and each set, by the binomial formula."""
    from_references = (sets[:, None, :] != references).sum(axis=2).astype(np.float64)
    cross = (squared_distances * counts) @ from_references.T
    own = squared_distances**2 @ counts
    return own[:, None] - 2 * cross + from_references**2 @ counts


def _nearness(truth: Labels, labels: Labels, solved: Labels, costs: Array) -> Json:
    n_labels = truth.shape[1]
    chosen = labels.astype(np.int64) @ (1 << np.arange(n_labels))
    cost, least = costs[np.arange(len(costs)), chosen], costs.min(axis=1)
    return {
        "solves": int((cost <= least * (1 + _EQUAL)).sum()),
        "median_excess": float(np.median(cost / least - 1)),
        "labels_unlike": float((labels != solved).sum(axis=1).mean()),
        "accuracy": float(accuracy(truth, labels)),
    }
