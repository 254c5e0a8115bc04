"""Metrics of predicted sets of labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mlmlm.metrics._inputs import Definition, as_bipartitions, is_text
from mlmlm.types import Array, Integers, Matrix


def _ratio(numerator: ArrayLike, denominator: ArrayLike, undefined: float = 0.0) -> Array:
    """Divide element by element, with the value `undefined` where the denominator is 0."""
    over = np.asarray(denominator)
    quotient = np.full(over.shape, undefined)
    np.divide(numerator, over, out=quotient, where=over != 0)
    return quotient


def _label_counts(Y_true: Matrix, Y_pred: Matrix) -> Integers:
    """Return, a column per label, the numbers of true positives, relevant and predicted rows."""
    truth, predicted = as_bipartitions(Y_true, Y_pred)
    return np.stack([cells.sum(axis=0) for cells in (truth & predicted, truth, predicted)])


def _precision(counts: Integers, definition: Definition) -> Array:
    hits, relevant, predicted = counts
    return _ratio(hits, relevant if is_text(definition) else predicted)


def _recall(counts: Integers, definition: Definition) -> Array:
    hits, relevant, predicted = counts
    return _ratio(hits, predicted if is_text(definition) else relevant)


def _f1(counts: Integers) -> Array:
    hits, relevant, predicted = counts
    return _ratio(2 * hits, relevant + predicted)


def accuracy_per_row(Y_true: Matrix, Y_pred: Matrix) -> Array:
    """Return the accuracy of each row, shape (n_rows,); see `accuracy`."""
    truth, predicted = as_bipartitions(Y_true, Y_pred)
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
    truth, predicted = as_bipartitions(Y_true, Y_pred)
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
    if not is_text(definition):
        return float(_f1(counts).mean())
    precision, recall = (rate(counts, definition).mean() for rate in (_precision, _recall))
    return float(_ratio(2 * precision * recall, precision + recall))
