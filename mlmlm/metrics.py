"""Multi-label metrics: the eight of the paper, and their relatives.

Ranking metrics compare ``Y_true`` with real-valued ``scores``; bipartition metrics compare it with
a 0/1 matrix ``Y_pred``. All are (rows, labels) tables: arrays, lists, data frames or SciPy sparse
matrices, matched by position.

The paper's text and its tables do not always use the same definition. ``definition="table"``, the
default, is what the published figures follow; ``definition="text"`` is the printed formula. They
differ in

* ties: the tables rank by a stable descending sort, so on equal scores the label that comes first
  wins; the text compares the scores themselves, so tied labels share a place;
* coverage: counted from 0 in the tables, from 1 in the text;
* macro F1: the mean of the labels' F1 in the tables, the harmonic mean of macro precision and
  macro recall in the text;
* precision and recall, micro and macro: the text has the two names swapped.

In every ranking metric a NaN score ranks above all numbers (NaNs are tied with one another), and
rows without a relevant label, for which the metrics are undefined, are left out of the mean.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from mlmlm._ranking import stable_order

Matrix: TypeAlias = Any  # array-like or SciPy sparse
Definition: TypeAlias = Literal["table", "text"]
Metric: TypeAlias = Callable[[Matrix, Matrix], float]

_Bools: TypeAlias = NDArray[np.bool_]
_Ints: TypeAlias = NDArray[np.int64]
_Floats: TypeAlias = NDArray[np.float64]

__all__ = [
    "BIPARTITION_METRICS",
    "LOWER_IS_BETTER",
    "PAPER_METRICS",
    "RANKING_METRICS",
    "accuracy",
    "accuracy_per_row",
    "average_precision",
    "coverage",
    "evaluate",
    "hamming_loss",
    "macro_f1",
    "macro_precision",
    "macro_recall",
    "micro_f1",
    "micro_precision",
    "micro_recall",
    "one_error",
    "precision_at_k",
    "ranking_loss",
    "ranking_loss_per_row",
]


# Input checks


def _table(values: Matrix, name: str) -> NDArray[Any]:
    """Return `values` as a non-empty 2-D numeric array."""
    try:
        array = np.asarray(values.toarray() if sparse.issparse(values) else values)
        if array.dtype == object:  # a data frame with columns of several types
            array = array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be a rectangular table of numbers: {error}") from error
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be a table of real numbers, got dtype {array.dtype}")
    if array.ndim != 2:
        raise ValueError(
            f"{name} must be 2-D, (rows, labels), got shape {array.shape}; "
            "reshape a single label to (-1, 1) and a single row to (1, -1)"
        )
    if array.size == 0:
        raise ValueError(f"{name} is empty, shape {array.shape}: pass at least one row and label")
    return array


def _binary(values: Matrix, name: str, advice: str) -> _Bools:
    """Return `values` as booleans, provided that they are all 0 or 1."""
    array = _table(values, name)
    if array.dtype == bool:
        return array
    ones: _Bools = array == 1
    others = array[~ones & (array != 0)]
    if others.size:
        raise ValueError(f"{name} must hold only 0 and 1, found {others[0]}; {advice}")
    return ones


def _truth(Y_true: Matrix) -> _Bools:
    return _binary(Y_true, "Y_true", "mark relevant labels with 1 and the others with 0")


def _check_same_shape(Y_true: _Bools, other: NDArray[Any], name: str) -> None:
    if Y_true.shape != other.shape:
        raise ValueError(
            f"Y_true has shape {Y_true.shape} and {name} {other.shape}; "
            "pass the same rows and labels in both"
        )


def _bipartitions(Y_true: Matrix, Y_pred: Matrix) -> tuple[_Bools, _Bools]:
    truth = _truth(Y_true)
    predicted = _binary(
        Y_pred, "Y_pred", "if these are scores, cut them first, for example scores > threshold"
    )
    _check_same_shape(truth, predicted, "Y_pred")
    return truth, predicted


def _is_text(definition: Definition) -> bool:
    if definition not in ("table", "text"):
        raise ValueError(f"definition must be 'table' or 'text', got {definition!r}")
    return definition == "text"


# Ranking


def _ranks(scores: NDArray[Any]) -> _Ints:
    """Return each label's place, from 0, in the stable descending order of its row."""
    order = stable_order(scores)
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(scores.shape[1])[np.newaxis], axis=1)
    return ranks


def _in_rank_order(values: NDArray[Any], ranks: _Ints) -> NDArray[Any]:
    ordered = np.empty_like(values)
    np.put_along_axis(ordered, ranks, values, axis=1)
    return ordered


def _tie_spans(descending: NDArray[Any]) -> tuple[_Ints, _Ints]:
    """Return, for each place of sorted rows, the first and the last place with the same score."""
    n_labels = descending.shape[1]
    places = np.arange(n_labels)
    starts = np.ones((len(descending), n_labels + 1), dtype=bool)
    lower, upper = descending[:, 1:], descending[:, :-1]
    # NaNs come first, so a NaN is always preceded by another NaN: they form one group.
    starts[:, 1:-1] = (lower != upper) & ~np.isnan(lower)
    first = np.maximum.accumulate(np.where(starts[:, :-1], places, 0), axis=1)
    ends = np.where(starts[:, 1:], places, n_labels)
    last = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    return first, last


@dataclass(frozen=True)
class _RelevantLabels:
    """Where the relevant labels stand in the ranking: all that the ranking metrics need.

    The 1-D arrays have an entry for each relevant label. "Above" and "at or above" differ by the
    label itself or, in the text's definitions, by all the labels that share its score.
    """

    n_labels: int
    per_row: _Ints  # the number of relevant labels in each row
    row: _Ints
    above: _Ints  # how many labels rank above it
    at_or_above: _Ints
    relevant_above: _Ints  # how many of those are relevant
    relevant_at_or_above: _Ints

    def total(self, values: NDArray[Any]) -> _Floats:
        """Sum over each row's relevant labels; NaN in a row that has none."""
        sums = np.bincount(self.row, weights=values, minlength=len(self.per_row))
        return np.where(self.per_row > 0, sums, np.nan)


def _locate_relevant(
    Y_true: Matrix, scores: Matrix, definition: Definition = "table"
) -> _RelevantLabels:
    ties_share = _is_text(definition)
    truth, values = _truth(Y_true), _table(scores, "scores")
    _check_same_shape(truth, values, "scores")
    ranks = _ranks(values)
    relevant = _in_rank_order(truth, ranks)
    row, place = np.nonzero(relevant)
    first = last = place
    if ties_share:
        first, last = (span[row, place] for span in _tie_spans(_in_rank_order(values, ranks)))
    seen = relevant.cumsum(axis=1)
    return _RelevantLabels(
        n_labels=truth.shape[1],
        per_row=seen[:, -1],
        row=row,
        above=first,
        at_or_above=last + 1,
        relevant_above=seen[row, first] - relevant[row, first],
        relevant_at_or_above=seen[row, last],
    )


def _ranking_loss_rows(labels: _RelevantLabels) -> _Floats:
    misordered = labels.total(labels.above - labels.relevant_above)
    pairs = labels.per_row * (labels.n_labels - labels.per_row)
    loss: _Floats = misordered / np.maximum(pairs, 1)  # no pair, nothing misordered: 0
    return loss


def _coverage_rows(labels: _RelevantLabels) -> _Floats:
    depth = np.zeros(len(labels.per_row))
    np.maximum.at(depth, labels.row, labels.at_or_above)
    return np.where(labels.per_row > 0, depth - 1, np.nan)


def _precision_at_k_rows(labels: _RelevantLabels, k: int) -> _Floats:
    return labels.total(labels.above < k) / k


def _one_error_rows(labels: _RelevantLabels) -> _Floats:
    return 1 - _precision_at_k_rows(labels, 1)


def _average_precision_rows(labels: _RelevantLabels) -> _Floats:
    precision = labels.relevant_at_or_above / labels.at_or_above
    return labels.total(precision) / np.maximum(labels.per_row, 1)


def _mean_where_defined(rows: _Floats) -> float:
    defined = rows[~np.isnan(rows)]
    if not defined.size:
        raise ValueError("ranking metrics are undefined: no row has a relevant label")
    return float(defined.mean())


def ranking_loss_per_row(
    Y_true: Matrix, scores: Matrix, *, definition: Definition = "table"
) -> _Floats:
    """Return the ranking loss of each row; see `ranking_loss`.

    Returns
    -------
    ndarray of shape (n_rows,)
        NaN in rows without a relevant label, 0 in rows where every label is relevant.
    """
    return _ranking_loss_rows(_locate_relevant(Y_true, scores, definition))


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
    return _mean_where_defined(ranking_loss_per_row(Y_true, scores, definition=definition))


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
    steps = _mean_where_defined(_coverage_rows(_locate_relevant(Y_true, scores, definition)))
    return steps + 1 if _is_text(definition) else steps


def one_error(Y_true: Matrix, scores: Matrix) -> float:
    r"""Return the share of rows whose top-ranked label is not relevant.

    .. math:: \frac1N \sum_i (1 - g_{ij^*}), \qquad \mathrm{rank}_i(j^*) = 0

    Parameters
    ----------
    Y_true, scores : matrices of shape (n_rows, n_labels)
        As in `ranking_loss`.
    """
    return _mean_where_defined(_one_error_rows(_locate_relevant(Y_true, scores)))


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
    return _mean_where_defined(
        _average_precision_rows(_locate_relevant(Y_true, scores, definition))
    )


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
    labels = _locate_relevant(Y_true, scores)
    if not 1 <= k <= labels.n_labels:
        raise ValueError(f"k must be from 1 to the number of labels, {labels.n_labels}, got {k}")
    return _mean_where_defined(_precision_at_k_rows(labels, k))


# Bipartition


def _ratio(numerator: ArrayLike, denominator: ArrayLike, undefined: float = 0.0) -> _Floats:
    """Divide element by element, with the value `undefined` where the denominator is 0."""
    over = np.asarray(denominator)
    quotient = np.full(over.shape, undefined)
    np.divide(numerator, over, out=quotient, where=over != 0)
    return quotient


def _label_counts(Y_true: Matrix, Y_pred: Matrix) -> _Ints:
    """Return, a column per label, the numbers of true positives, relevant and predicted rows."""
    truth, predicted = _bipartitions(Y_true, Y_pred)
    return np.stack([cells.sum(axis=0) for cells in (truth & predicted, truth, predicted)])


def _precision(counts: _Ints, definition: Definition) -> _Floats:
    hits, relevant, predicted = counts
    return _ratio(hits, relevant if _is_text(definition) else predicted)


def _recall(counts: _Ints, definition: Definition) -> _Floats:
    hits, relevant, predicted = counts
    return _ratio(hits, predicted if _is_text(definition) else relevant)


def _f1(counts: _Ints) -> _Floats:
    hits, relevant, predicted = counts
    return _ratio(2 * hits, relevant + predicted)


def accuracy_per_row(Y_true: Matrix, Y_pred: Matrix) -> _Floats:
    """Return the accuracy of each row, shape (n_rows,); see `accuracy`."""
    truth, predicted = _bipartitions(Y_true, Y_pred)
    common, union = (truth & predicted).sum(axis=1), (truth | predicted).sum(axis=1)
    return _ratio(common, union, undefined=1.0)


def accuracy(Y_true: Matrix, Y_pred: Matrix) -> float:
    r"""Return the mean Jaccard index of the rows' true and predicted sets of labels.

    .. math:: \frac1N \sum_i \frac{|y_i \cap g_i|}{|y_i \cup g_i|}

    Two empty sets agree: their index is 1.

    Parameters
    ----------
    Y_true, Y_pred : matrices of shape (n_rows, n_labels)
        1 where the label is relevant, or predicted to be, else 0.
    """
    return float(accuracy_per_row(Y_true, Y_pred).mean())


def hamming_loss(Y_true: Matrix, Y_pred: Matrix) -> float:
    r"""Return the share of wrong cells, :math:`\frac1{NL} \sum_i |y_i \,\Delta\, g_i|`.

    Parameters
    ----------
    Y_true, Y_pred : matrices of shape (n_rows, n_labels)
        As in `accuracy`.
    """
    truth, predicted = _bipartitions(Y_true, Y_pred)
    return float((truth != predicted).mean())


def micro_precision(Y_true: Matrix, Y_pred: Matrix, *, definition: Definition = "table") -> float:
    r"""Return :math:`\sum_j TP_j / \sum_j (TP_j + FP_j)`, 0 if nothing is predicted.

    Parameters
    ----------
    Y_true, Y_pred : matrices of shape (n_rows, n_labels)
        As in `accuracy`.
    definition : {"table", "text"}
        With "text", where the names are swapped, the `micro_recall` of "table".
    """
    return float(_precision(_label_counts(Y_true, Y_pred).sum(axis=1), definition))


def micro_recall(Y_true: Matrix, Y_pred: Matrix, *, definition: Definition = "table") -> float:
    r"""Return :math:`\sum_j TP_j / \sum_j (TP_j + FN_j)`, 0 if nothing is relevant.

    Parameters
    ----------
    Y_true, Y_pred : matrices of shape (n_rows, n_labels)
        As in `accuracy`.
    definition : {"table", "text"}
        With "text", where the names are swapped, the `micro_precision` of "table".
    """
    return float(_recall(_label_counts(Y_true, Y_pred).sum(axis=1), definition))


def micro_f1(Y_true: Matrix, Y_pred: Matrix) -> float:
    r"""Return the harmonic mean of micro precision and micro recall.

    .. math:: \frac{2 \sum_j TP_j}{\sum_j (2\,TP_j + FP_j + FN_j)}

    It is 0 if nothing is relevant and nothing is predicted.

    Parameters
    ----------
    Y_true, Y_pred : matrices of shape (n_rows, n_labels)
        As in `accuracy`.
    """
    return float(_f1(_label_counts(Y_true, Y_pred).sum(axis=1)))


def macro_precision(Y_true: Matrix, Y_pred: Matrix, *, definition: Definition = "table") -> float:
    r"""Return :math:`\frac1L \sum_j TP_j / (TP_j + FP_j)`, with 0 for labels never predicted.

    Parameters
    ----------
    Y_true, Y_pred : matrices of shape (n_rows, n_labels)
        As in `accuracy`.
    definition : {"table", "text"}
        With "text", where the names are swapped, the `macro_recall` of "table".
    """
    return float(_precision(_label_counts(Y_true, Y_pred), definition).mean())


def macro_recall(Y_true: Matrix, Y_pred: Matrix, *, definition: Definition = "table") -> float:
    r"""Return :math:`\frac1L \sum_j TP_j / (TP_j + FN_j)`, with 0 for labels never relevant.

    Parameters
    ----------
    Y_true, Y_pred : matrices of shape (n_rows, n_labels)
        As in `accuracy`.
    definition : {"table", "text"}
        With "text", where the names are swapped, the `macro_precision` of "table".
    """
    return float(_recall(_label_counts(Y_true, Y_pred), definition).mean())


def macro_f1(Y_true: Matrix, Y_pred: Matrix, *, definition: Definition = "table") -> float:
    r"""Return the F1 averaged over labels.

    .. math:: \frac1L \sum_j \frac{2\,TP_j}{2\,TP_j + FP_j + FN_j}
              \quad\text{or}\quad \frac{2PR}{P + R}

    A label without a true positive counts 0.

    Parameters
    ----------
    Y_true, Y_pred : matrices of shape (n_rows, n_labels)
        As in `accuracy`.
    definition : {"table", "text"}
        "table" is the first formula; "text" the second, of the macro precision P and the macro
        recall R.
    """
    counts = _label_counts(Y_true, Y_pred)
    if not _is_text(definition):
        return float(_f1(counts).mean())
    precision, recall = (rate(counts, definition).mean() for rate in (_precision, _recall))
    return float(_ratio(2 * precision * recall, precision + recall))


# Registry

RANKING_METRICS: dict[str, Metric] = {
    "ranking_loss": ranking_loss,
    "coverage": coverage,
    "one_error": one_error,
    "average_precision": average_precision,
}
"""Metrics of (Y_true, scores)."""

_PAPER_BIPARTITION_METRICS: dict[str, Metric] = {
    "accuracy": accuracy,
    "hamming_loss": hamming_loss,
    "micro_f1": micro_f1,
    "macro_f1": macro_f1,
}

BIPARTITION_METRICS: dict[str, Metric] = _PAPER_BIPARTITION_METRICS | {
    "micro_precision": micro_precision,
    "micro_recall": micro_recall,
    "macro_precision": macro_precision,
    "macro_recall": macro_recall,
}
"""Metrics of (Y_true, Y_pred)."""

PAPER_METRICS: dict[str, Metric] = RANKING_METRICS | _PAPER_BIPARTITION_METRICS
"""The eight metrics of the paper, in the order of its tables."""

LOWER_IS_BETTER = frozenset({"ranking_loss", "coverage", "one_error", "hamming_loss"})

_RANKING_ROWS: dict[str, Callable[[_RelevantLabels], _Floats]] = {
    "ranking_loss": _ranking_loss_rows,
    "coverage": _coverage_rows,
    "one_error": _one_error_rows,
    "average_precision": _average_precision_rows,
}


def evaluate(
    Y_true: Matrix, Y_pred: Matrix | None = None, scores: Matrix | None = None
) -> dict[str, float]:
    """Return those of the paper's eight metrics that the given predictions allow.

    Parameters
    ----------
    Y_true : matrix of shape (n_rows, n_labels)
        1 where the label is relevant, else 0.
    Y_pred : matrix of shape (n_rows, n_labels), optional
        The predicted bipartition; without it the bipartition metrics are absent.
    scores : matrix of shape (n_rows, n_labels), optional
        The labels' scores; without them the ranking metrics are absent.

    Returns
    -------
    dict
        From a metric's name to its value, in the order of `PAPER_METRICS`.
    """
    if Y_pred is None and scores is None:
        raise ValueError("nothing to evaluate: pass Y_pred, scores or both")
    truth = _truth(Y_true)
    values: dict[str, float] = {}
    if scores is not None:
        labels = _locate_relevant(truth, scores)  # once, for the four metrics
        for name, rows in _RANKING_ROWS.items():
            values[name] = _mean_where_defined(rows(labels))
    if Y_pred is not None:
        _, predicted = _bipartitions(truth, Y_pred)
        for name, metric in _PAPER_BIPARTITION_METRICS.items():
            values[name] = metric(truth, predicted)
    return values
