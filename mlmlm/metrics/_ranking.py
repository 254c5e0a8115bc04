"""Metrics of the ranking of labels by score."""

from __future__ import annotations

import numpy as np

from mlmlm.metrics._inputs import Definition, is_text
from mlmlm.metrics._places import RelevantLabels, locate_relevant
from mlmlm.types import Array, Matrix


def ranking_loss_rows(labels: RelevantLabels) -> Array:
    misordered = labels.total(labels.above - labels.relevant_above)
    pairs = labels.per_row * (labels.n_labels - labels.per_row)
    loss: Array = misordered / np.maximum(pairs, 1)  # no pair, nothing misordered: 0
    return loss


def coverage_rows(labels: RelevantLabels) -> Array:
    depth = np.zeros(len(labels.per_row))
    np.maximum.at(depth, labels.row, labels.at_or_above)
    return np.where(labels.per_row > 0, depth - 1, np.nan)


def _precision_at_k_rows(labels: RelevantLabels, k: int) -> Array:
    return labels.total(labels.above < k) / k


def one_error_rows(labels: RelevantLabels) -> Array:
    return 1 - _precision_at_k_rows(labels, 1)


def average_precision_rows(labels: RelevantLabels) -> Array:
    precision = labels.relevant_at_or_above / labels.at_or_above
    return labels.total(precision) / np.maximum(labels.per_row, 1)


def mean_where_defined(rows: Array) -> float:
    defined = rows[~np.isnan(rows)]
    if not defined.size:
        raise ValueError("ranking metrics are undefined: no row has a relevant label")
    return float(defined.mean())


def ranking_loss_per_row(
    Y_true: Matrix, scores: Matrix, *, definition: Definition = "table"
) -> Array:
    """Return the ranking loss of each row; see `ranking_loss`.

    Returns
    -------
    ndarray of shape (n_rows,)
        NaN in rows without a relevant label, 0 in rows where every label is relevant.
    """
    return ranking_loss_rows(locate_relevant(Y_true, scores, definition))


def ranking_loss(Y_true: Matrix, scores: Matrix, *, definition: Definition = "table") -> float:
    r"""Return the share of (relevant, irrelevant) pairs of labels in the wrong order.

    .. math:: \frac1N \sum_i \frac{|\{(j, k) : k \text{ ranks above } j,\;
              j \in g_i^+,\; k \in g_i^0\}|}{|g_i^+|\,|g_i^0|}

    with :math:`g_i^+` the relevant and :math:`g_i^0` the irrelevant labels of row i. A row in
    which every label is relevant has no such pair, and its loss is 0.

    Parameters
    ----------
    Y_true : matrix of shape (n_rows, n_labels)
        1 where the label is relevant, else 0.
    scores : matrix of shape (n_rows, n_labels)
        The larger, the more relevant.
    definition : {"table", "text"}
        With "table" the earlier of two tied labels ranks above the other; with "text" neither
        does, so that ties cost nothing.
    """
    return mean_where_defined(ranking_loss_per_row(Y_true, scores, definition=definition))


def coverage(Y_true: Matrix, scores: Matrix, *, definition: Definition = "table") -> float:
    r"""Return how far down the ranking one must go to meet every relevant label.

    .. math:: \frac1N \sum_i \max_{j \in g_i^+} \mathrm{rank}_i(j)
              \quad\text{or}\quad
              \frac1N \sum_i |\{j : z_{ij} \ge \min_{k \in g_i^+} z_{ik}\}|

    Parameters
    ----------
    Y_true, scores : matrices of shape (n_rows, n_labels)
        As in `ranking_loss`.
    definition : {"table", "text"}
        "table" is the first formula, with ranks from 0; "text" the second, which counts from 1
        and counts all the labels tied with the last relevant one.
    """
    steps = mean_where_defined(coverage_rows(locate_relevant(Y_true, scores, definition)))
    return steps + 1 if is_text(definition) else steps


def one_error(Y_true: Matrix, scores: Matrix) -> float:
    r"""Return the share of rows whose top-ranked label is not relevant.

    .. math:: \frac1N \sum_i (1 - g_{ij^*}), \qquad \mathrm{rank}_i(j^*) = 0

    Parameters
    ----------
    Y_true, scores : matrices of shape (n_rows, n_labels)
        As in `ranking_loss`.
    """
    return mean_where_defined(one_error_rows(locate_relevant(Y_true, scores)))


def average_precision(Y_true: Matrix, scores: Matrix, *, definition: Definition = "table") -> float:
    r"""Return the precision of the ranking cut at a relevant label, averaged over those labels.

    .. math:: \frac1N \sum_i \frac1{|g_i^+|} \sum_{j \in g_i^+}
              \frac{|\{m \in g_i^+ : m \text{ ranks at or above } j\}|}
                   {|\{k : k \text{ ranks at or above } j\}|}

    Parameters
    ----------
    Y_true, scores : matrices of shape (n_rows, n_labels)
        As in `ranking_loss`.
    definition : {"table", "text"}
        With "table" the earlier of two tied labels ranks above the other; with "text" each is
        at or above the other.
    """
    return mean_where_defined(average_precision_rows(locate_relevant(Y_true, scores, definition)))


def precision_at_k(Y_true: Matrix, scores: Matrix, k: int) -> float:
    r"""Return the share of relevant labels among the k top-ranked ones.

    .. math:: \frac1N \sum_i \frac{|\{j \in g_i^+ : \mathrm{rank}_i(j) < k\}|}{k}

    As in the other ranking metrics, rows without a relevant label are left out, so that
    ``precision_at_k(Y_true, scores, 1) == 1 - one_error(Y_true, scores)``.

    Parameters
    ----------
    Y_true, scores : matrices of shape (n_rows, n_labels)
        As in `ranking_loss`.
    k : int
        From 1 to the number of labels.
    """
    labels = locate_relevant(Y_true, scores)
    if not 1 <= k <= labels.n_labels:
        raise ValueError(f"k must be from 1 to the number of labels, {labels.n_labels}, got {k}")
    return mean_where_defined(_precision_at_k_rows(labels, k))
