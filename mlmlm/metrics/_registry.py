"""Each metric as one object, and the evaluation of predictions by many of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from mlmlm.metrics._bipartition import (
    accuracy,
    hamming_loss,
    macro_f1,
    macro_precision,
    macro_recall,
    micro_f1,
    micro_precision,
    micro_recall,
)
from mlmlm.metrics._inputs import as_bipartitions, as_truth
from mlmlm.metrics._places import RelevantLabels, locate_relevant
from mlmlm.metrics._ranking import (
    average_precision,
    average_precision_rows,
    coverage,
    coverage_rows,
    mean_where_defined,
    one_error,
    one_error_rows,
    ranking_loss,
    ranking_loss_rows,
)
from mlmlm.types import Array, Matrix


@dataclass(frozen=True)
class Metric:
    """All that is to be known of a metric.

    Parameters
    ----------
    name : str
        As in records, tables and configurations.
    title : str
        As a reader sees it.
    kind : {"ranking", "bipartition"}
        Whether it compares the truth with scores or with a 0/1 matrix.
    function : callable
        From ``(Y_true, scores)`` or ``(Y_true, Y_pred)`` to the value.
    lower_is_better : bool
        Whether the smaller of two values is the better one.
    decimals : int
        With how many decimals values are printed.
    rows : callable, optional
        Of a ranking metric: its value in each row of a ranking, which several metrics may share.
    """

    name: str
    title: str
    kind: Literal["ranking", "bipartition"]
    function: Callable[[Matrix, Matrix], float]
    lower_is_better: bool = False
    decimals: int = 3
    rows: Callable[[RelevantLabels], Array] | None = None

    def __call__(self, Y_true: Matrix, prediction: Matrix) -> float:
        return self.function(Y_true, prediction)

    @property
    def heading(self) -> str:
        """The title, and which of two values is the better one."""
        return f"{self.title} ({'lower' if self.lower_is_better else 'higher'} is better)"


_OF_THE_PAPER = (
    Metric(
        "ranking_loss",
        "Ranking loss",
        "ranking",
        ranking_loss,
        lower_is_better=True,
        rows=ranking_loss_rows,
    ),
    Metric("coverage", "Coverage", "ranking", coverage, lower_is_better=True, rows=coverage_rows),
    Metric(
        "one_error", "One error", "ranking", one_error, lower_is_better=True, rows=one_error_rows
    ),
    Metric(
        "average_precision",
        "Average precision",
        "ranking",
        average_precision,
        rows=average_precision_rows,
    ),
    Metric("accuracy", "Accuracy", "bipartition", accuracy),
    Metric("hamming_loss", "Hamming loss", "bipartition", hamming_loss, lower_is_better=True),
    Metric("micro_f1", "Micro F1", "bipartition", micro_f1),
    Metric("macro_f1", "Macro F1", "bipartition", macro_f1),
)
_MORE = (
    Metric("micro_precision", "Micro precision", "bipartition", micro_precision),
    Metric("micro_recall", "Micro recall", "bipartition", micro_recall),
    Metric("macro_precision", "Macro precision", "bipartition", macro_precision),
    Metric("macro_recall", "Macro recall", "bipartition", macro_recall),
)

PAPER_METRICS: dict[str, Metric] = {metric.name: metric for metric in _OF_THE_PAPER}
"""The eight metrics of the paper, in the order of its tables."""

METRICS: dict[str, Metric] = PAPER_METRICS | {metric.name: metric for metric in _MORE}
"""Every metric by its name."""


def evaluate(
    Y_true: Matrix,
    Y_pred: Matrix | None = None,
    scores: Matrix | None = None,
    *,
    metrics: Iterable[Metric] = tuple(PAPER_METRICS.values()),
) -> dict[str, float]:
    """Return those of the metrics that the given predictions allow.

    Parameters
    ----------
    Y_true : matrix of shape (n_rows, n_labels)
        1 where the label is relevant, else 0.
    Y_pred : matrix of shape (n_rows, n_labels), optional
        The predicted bipartition; without it the bipartition metrics are absent.
    scores : matrix of shape (n_rows, n_labels), optional
        The labels' scores; without them the ranking metrics are absent.
    metrics : iterable of Metric
        By default the paper's eight; ``METRICS.values()`` are all there are.

    Returns
    -------
    dict
        From a metric's name to its value, in the order of `metrics`.
    """
    if Y_pred is None and scores is None:
        raise ValueError("nothing to evaluate: pass Y_pred, scores or both")
    truth = as_truth(Y_true)
    predicted = None if Y_pred is None else as_bipartitions(truth, Y_pred)[1]
    ranked = None if scores is None else locate_relevant(truth, scores)
    values: dict[str, float] = {}
    for metric in metrics:
        if metric.kind == "bipartition" and predicted is not None:
            values[metric.name] = metric(truth, predicted)
        if metric.kind == "ranking" and ranked is not None:
            rows = metric.rows
            values[metric.name] = (
                metric(truth, scores) if rows is None else mean_where_defined(rows(ranked))
            )
    return values
