"""The paper's formulas as a competent NumPy user would write them down.

The yardstick of the benchmark: vectorised where the formulas allow, the fastest routine of NumPy
and SciPy that does what a formula says, and nothing else. There is one output reference for each
training row, one power for each value of P, one regression for each label of BR-MLM and one
least-squares problem for each row of LLS-MLM. Where the published figures depend on more than the
formulas (ties, dependent labels), it follows them as the library does, so results are the same.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import qr_multiply, solve_triangular
from scipy.spatial.distance import cdist, pdist

from mlmlm.types import Array, Indices, Labels

POWERS = 2.0 ** (np.arange(81) / 10)


class Regression:
    """``B = U^+ D_x' D_y`` with ``U = D_x' D_x + alpha I`` (Algorithm 1 of the paper)."""

    def __init__(self, X: Array, Y: Labels) -> None:
        self.Y = Y.astype(np.float64)
        _, first = np.unique(X, axis=0, return_index=True)
        self.references = X[np.sort(first)]
        self.alpha = float(np.quantile(pdist(self.references), 0.001, method="hazen"))
        self.D_x = cdist(X, self.references)
        self.D_y = cdist(self.Y, self.Y)
        self.solver = self.new_solver()
        self.B = self.solver @ self.D_y

    def new_solver(self) -> Array:
        """``U^+ D_x'``, which turns targets into coefficients.

        ``U`` is symmetric, for which NumPy has the faster of its two pseudoinverses.
        """
        U = self.D_x.T @ self.D_x + self.alpha * np.eye(len(self.references))
        return np.linalg.pinv(U, hermitian=True) @ self.D_x.T

    def input_distances(self, X: Array) -> Array:
        return cdist(X, self.references)

    def leave_one_out(self) -> Array:
        """Distances that each training row is predicted by the model without it (Eq. 5)."""
        leverage = np.einsum("ij,ji->i", self.D_x, self.solver)[:, None]
        return (self.D_x @ self.B - leverage * self.D_y) / (1 - leverage)


# ML-MLM


def tune_power(delta: Array, Y: Array) -> float:
    """The power of the smallest leave-one-out ranking loss (Eq. 6)."""
    losses = [mean_ranking_loss(weighted_scores(delta, Y, power), Y) for power in POWERS]
    return float(POWERS[np.argmin(np.round(losses, 12))])


def weighted_scores(delta: Array, Y: Array, power: float) -> Array:
    """Means of the label vectors with weights ``|d|^-P`` (Eq. 3).

    Weights are relative to the largest of their row, so that none overflows; a label's score is
    its weight over the sum of that and the weight of the rows without it.
    """
    distances = np.abs(delta)
    weights = (distances.min(axis=1, keepdims=True) / distances) ** power
    having, lacking = weights @ Y, weights @ (1 - Y)
    return having / (having + lacking)


def mean_ranking_loss(scores: Array, Y: Array) -> float:
    """Share of (relevant, irrelevant) pairs in the wrong order, over the rows with labels."""
    relevant = np.take_along_axis(Y, descending_order(scores), axis=1)
    irrelevant_before = np.cumsum(1 - relevant, axis=1)
    wrong = (relevant * irrelevant_before).sum(axis=1)
    n_relevant = Y.sum(axis=1)
    pairs = n_relevant * (Y.shape[1] - n_relevant)
    return float((wrong / np.maximum(pairs, 1))[n_relevant > 0].mean())


def cardinality_threshold(scores: Array, n_relevant: int) -> float:
    """Midpoint of the n-th and the (n + 1)-th largest score (Eq. 7)."""
    descending = np.sort(scores, axis=None)[::-1]
    return float(descending[n_relevant - 1 : n_relevant + 1].mean())


# NN-MLM and local RCut


def nearest_labels(delta: Array, Y: Array) -> Array:
    """The label vector of the smallest predicted distance."""
    return Y[np.argmin(delta, axis=1)]


def local_rcut(scores: Array, nearest: Array) -> Labels:
    """As many of the highest scores as NN-MLM predicts labels."""
    labels = np.zeros(scores.shape, dtype=np.uint8)
    chosen = np.arange(scores.shape[1]) < nearest.sum(axis=1, keepdims=True)
    np.put_along_axis(labels, descending_order(scores), chosen.astype(np.uint8), axis=1)
    return labels


def descending_order(scores: Array) -> Indices:
    """Labels from the highest score to the lowest, the first of equal ones first."""
    return np.argsort(-scores, axis=1, kind="stable")


# BR-MLM


def binary_relevance_scores(
    regression: Regression, inputs: Array, *, one_regression_each: bool
) -> Array:
    """One distance regression with N targets, and one cubic per row, for each label.

    Parameters
    ----------
    inputs : array of shape (n, K)
        Distances of the rows to predict to the reference points.
    one_regression_each : bool
        Whether each label has a pseudoinverse of its own, the O(L N^3) of the paper, or all use
        that of the regression.
    """
    scores = np.empty((len(inputs), regression.Y.shape[1]))
    for label, values in enumerate(regression.Y.T):
        solver = regression.new_solver() if one_regression_each else regression.solver
        B = solver @ np.abs(values[:, None] - values[None, :])
        scores[:, label] = cubic_minimisers(inputs @ B, values)
    return scores


def cubic_minimisers(delta: Array, values: Array) -> Array:
    """Minimiser of ``sum_k ((y - t_k)^2 - d_k^2)^2`` for each row, the values t being 0 or 1.

    The derivative is a cubic, whose roots are the eigenvalues of its companion matrix. A cubic
    with a single real root has the minimum there, so the real part of a complex root costs more
    and need not be told apart.
    """
    n, squares = len(values), delta**2
    quadratic = np.full(len(delta), -3 * values.sum() / n)
    linear = (3 * values.sum() - squares.sum(axis=1)) / n
    constant = (squares @ values - values.sum()) / n
    companion = np.zeros((len(delta), 3, 3))
    companion[:, [1, 2], [0, 1]] = 1
    companion[:, :, 2] = -np.stack([constant, linear, quadratic], axis=1)
    y = np.linalg.eigvals(companion).real
    cost = y * (
        constant[:, None] + y * (linear[:, None] / 2 + y * (quadratic[:, None] / 3 + y / 4))
    )
    return y[np.arange(len(y)), np.argmin(cost, axis=1)]


# LLS-MLM


def localization_scores(delta: Array, Y: Array) -> Array:
    """One linear least-squares problem for each row, about its nearest label vector."""
    return np.array([_localize(distances, Y) for distances in delta])


def _localize(distances: Array, Y: Array) -> Array:
    anchor = np.argmin(distances)
    A = Y - Y[anchor]
    b = ((A**2).sum(axis=1) + distances[anchor] ** 2 - distances**2) / 2
    return Y[anchor] + _least_squares(A, b)


def _least_squares(A: Array, b: Array) -> Array:
    """The basic solution of QR with column pivoting: unknowns of dependent columns are 0.

    Which of several equal columns counts as the dependent one is left to the routine.
    """
    projected, R, pivots = qr_multiply(A, b, mode="right", pivoting=True)
    diagonal = np.abs(np.diag(R))
    rank = np.count_nonzero(diagonal > max(A.shape) * np.finfo(np.float64).eps * diagonal[0])
    solution = np.zeros(A.shape[1])
    solution[pivots[:rank]] = solve_triangular(R[:rank, :rank], projected[:rank])
    return solution
