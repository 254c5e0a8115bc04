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

from mlmlm.metrics._bipartition import (
    accuracy,
    accuracy_per_row,
    hamming_loss,
    macro_f1,
    macro_precision,
    macro_recall,
    micro_f1,
    micro_precision,
    micro_recall,
)
from mlmlm.metrics._ranking import (
    average_precision,
    coverage,
    one_error,
    precision_at_k,
    ranking_loss,
    ranking_loss_per_row,
)
from mlmlm.metrics._registry import METRICS, PAPER_METRICS, Metric, evaluate

__all__ = [
    "METRICS",
    "PAPER_METRICS",
    "Metric",
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
