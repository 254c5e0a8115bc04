"""The methods of the paper, written from its formulas in the plainest way.

Nothing here is fast and nothing is shared with the library: distances are taken pair by pair,
every training row is its own output reference point, leave-one-out refits the model N times, and
each least-squares problem is solved on its own. Data are plain arrays ``X`` (N x M) and ``Y``
(N x L); ``delta`` is a table of predicted distances with one column for each training row.
"""

import math

import numpy as np
from scipy.linalg import qr, solve_triangular

POWERS = [2 ** (s / 10) for s in range(81)]


def pairwise(A, B):
    """Euclidean distances between the rows of ``A`` and the rows of ``B``."""
    A, B = np.asarray(A).tolist(), np.asarray(B).tolist()
    return np.array([[math.dist(a, b) for b in B] for a in A])


def distinct(X):
    """The distinct rows of ``X``, in order of first appearance."""
    return np.array(list(dict.fromkeys(map(tuple, X.tolist()))))


class Regression:
    """``B = U^-1 D_x' D_y`` with ``U = D_x' D_x + alpha I``.

    ``rows`` says which rows are the reference points, by default the first of each distinct input;
    ``outputs`` which rows are the output reference points, by default all.
    """

    def __init__(self, X, Y, rows=None, outputs=slice(None)):
        self.Y = np.asarray(Y, dtype=float)
        self.references = distinct(X) if rows is None else X[rows]
        self.alpha = ridge(self.references)
        self.D_x = pairwise(X, self.references)
        self.D_y = pairwise(self.Y, self.Y[outputs])
        self.B = self.coefficients(self.D_x, self.D_y)

    def coefficients(self, D_x, D_y):
        U = D_x.T @ D_x + self.alpha * np.eye(D_x.shape[1])
        return np.linalg.solve(U, D_x.T @ D_y)

    def predict(self, X):
        """Predicted distances to all training label vectors."""
        return pairwise(X, self.references) @ self.B

    def predict_without_gram(self, X):
        """The same by least squares on ``D_x`` itself, for a ridge that is lost in ``U``."""
        ridge_rows = math.sqrt(self.alpha) * np.eye(len(self.references))
        D_x = np.concatenate([self.D_x, ridge_rows])
        D_y = np.concatenate([self.D_y, np.zeros((len(ridge_rows), len(self.Y)))])
        return pairwise(X, self.references) @ np.linalg.lstsq(D_x, D_y, rcond=None)[0]

    def predict_label(self, X, label):
        """Predicted distances of one label to its value in each training row."""
        values = self.Y[:, [label]]
        B = self.coefficients(self.D_x, pairwise(values, values))
        return pairwise(X, self.references) @ B

    def leave_one_out(self):
        """Predicted distances of each training row by the model fitted without that row.

        The reference points, ``alpha`` and the output reference points stay.
        """
        predictions = []
        for row in range(len(self.Y)):
            others = np.arange(len(self.Y)) != row
            B = self.coefficients(self.D_x[others], self.D_y[others])
            predictions.append(self.D_x[row] @ B)
        return np.array(predictions)

    def press(self):
        """The same by Allen's formula, with the hat matrix written out."""
        H = self.hat_matrix()
        h = np.diag(H)[:, None]
        return (H @ self.D_y - h * self.D_y) / (1 - h)

    def hat_matrix(self):
        U = self.D_x.T @ self.D_x + self.alpha * np.eye(self.D_x.shape[1])
        return self.D_x @ np.linalg.pinv(U, hermitian=True) @ self.D_x.T


def ridge(references):
    """The 0.001 quantile of the distances between the reference points.

    A single reference point has no such distances; then all of D_x is 0 and so are the predicted
    distances, whatever the ridge.
    """
    n = len(references)
    distances = [math.dist(references[i], references[j]) for i in range(n) for j in range(i)]
    return np.quantile(distances, 0.001, method="hazen") if distances else 1.0


# ML-MLM


def idw_scores(delta, Y, power):
    """Means of the label vectors with weights ``|d|^-P``.

    The weights are divided by the largest of their row, which leaves the means alone and keeps
    them finite, and the sums are correctly rounded. A distance of 0 takes all the weight.
    """
    return np.array([_idw_row(row, Y, power) for row in np.abs(delta)])


def quick_idw_scores(delta, Y, power):
    """The same with NumPy's sums, for data of some size."""
    distances = np.abs(delta)
    smallest = distances.min(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        weights = np.where(smallest == 0, distances == 0, (smallest / distances) ** power)
    return weights @ Y / weights.sum(axis=1, keepdims=True)


def _idw_row(distances, Y, power):
    smallest = distances.min()
    if smallest == 0:
        weights = [float(d == 0) for d in distances]
    else:
        weights = [(smallest / d) ** power for d in distances]
    total = math.fsum(weights)
    return [
        math.fsum(w for w, has in zip(weights, column, strict=True) if has) / total
        for column in Y.T
    ]


def overflowing_idw_scores(delta, Y, power):
    """The same means, computed from ``|d|^-P`` as it is; infinite weights make NaN."""
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.abs(delta) ** -power
        return (weights[:, :, None] * Y).sum(axis=1) / weights.sum(axis=1)[:, None]


def rank_labels(scores):
    """Labels from the highest score to the lowest: NaN first, then the first of equal labels."""

    def key(label):
        score = scores[label]
        return (0, 0.0, label) if math.isnan(score) else (1, -score, label)

    return sorted(range(len(scores)), key=key)


def mean_ranking_loss(scores, Y):
    """Share of (relevant, irrelevant) pairs in the wrong order, meaned over rows with labels."""
    losses = []
    for row_scores, relevant in zip(scores, Y, strict=True):
        place = {label: k for k, label in enumerate(rank_labels(row_scores))}
        yes, no = np.flatnonzero(relevant), np.flatnonzero(relevant == 0)
        wrong = sum(place[j] > place[k] for j in yes for k in no)
        if len(yes):
            losses.append(wrong / max(len(yes) * len(no), 1))
    return math.fsum(losses) / max(len(losses), 1)


def cardinality_threshold(scores, n_relevant):
    """Midpoint of the n-th and the (n + 1)-th largest score, n as near as ties allow."""
    numbers = {int((scores > value).sum()) for value in [-math.inf, *scores.ravel()]}
    n_relevant = int(n_relevant)
    n_relevant = min(numbers, key=lambda number: (abs(number - n_relevant), number))
    descending = [scores.ravel()[k] for k in rank_labels(scores.ravel())]
    if n_relevant == 0:
        return math.inf
    if n_relevant == len(descending):
        return -math.inf
    return (descending[n_relevant - 1] + descending[n_relevant]) / 2


# NN-MLM


def nearest_labels(delta, Y):
    """The label vector of the smallest signed distance, the first of several."""
    return np.array([Y[min(range(len(Y)), key=lambda k: row[k])] for row in delta])


# BR-MLM


def cubic_score(delta, values):
    """Minimiser over the reals of ``sum_k ((y - t_k)^2 - d_k^2)^2``, the values t being 0 or 1.

    The derivative, a cubic, is written about the mean of the values: there its roots are well
    conditioned. Of its real roots the one of the smallest cost is taken; a label that no row has
    scores 0.
    """
    if not values.any():
        return 0.0
    t, squares = values - values.mean(), delta**2
    roots = np.roots([len(t), 0, (3 * t**2 - squares).sum(), (t * squares - t**3).sum()])
    real = roots.real[np.abs(roots.imag) < 1e-6 * np.abs(roots).max()]
    real = real if len(real) else np.zeros(1)  # all roots are 0
    return values.mean() + min(real, key=lambda z: (((z - t) ** 2 - squares) ** 2).sum())


def cubic_scores(regression, X):
    scores = np.empty((len(X), regression.Y.shape[1]))
    for label, values in enumerate(regression.Y.T):
        delta = regression.predict_label(X, label)
        scores[:, label] = [cubic_score(row, values) for row in delta]
    return scores


# LLS-MLM


def localization_scores(delta, Y):
    """One linear least-squares problem for each row, about its nearest label vector."""
    return np.array([_localize(row, np.asarray(Y, dtype=float)) for row in delta])


def _localize(distances, Y):
    anchor = int(np.argmin(distances))
    others = np.arange(len(Y)) != anchor
    A = Y[others] - Y[anchor]
    b = ((A**2).sum(axis=1) + distances[anchor] ** 2 - distances[others] ** 2) / 2
    return Y[anchor] + basic_solution(A, b)


def basic_solution(A, b):
    """Least squares by QR with column pivoting; the unknowns of dependent columns are 0."""
    solution = np.zeros(A.shape[1])
    if not A.any():
        return solution
    Q, R, pivots = qr(A, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(R))
    rank = np.count_nonzero(diagonal > max(A.shape) * np.finfo(float).eps * diagonal[0])
    solution[pivots[:rank]] = solve_triangular(R[:rank, :rank], (Q.T @ b)[:rank])
    return solution


# Local RCut


def local_rcut(scores, delta, Y):
    """The k highest scores of each row, k being the cardinality of the nearest label vector."""
    counts = nearest_labels(delta, Y).sum(axis=1).astype(int)
    predicted = np.zeros(scores.shape, dtype=int)
    for row, count in enumerate(counts):
        predicted[row, rank_labels(scores[row])[:count]] = 1
    return predicted


# The multilateration problem


def multilateration_cost(y, Y, delta):
    """``J(y) = sum_k (|y - t_k|^2 - d_k^2)^2``."""
    return sum((((y - t) ** 2).sum() - d**2) ** 2 for t, d in zip(Y, delta, strict=True))
