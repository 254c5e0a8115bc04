"""The metrics as tables and texts name them, and which of their values is the better one.

What the analysis asks of a metric beside its values, it asks here.
"""

from __future__ import annotations

from typing import Any

import mlmlm.metrics
from mlmlm.metrics import METRICS

PAPER_METRICS = tuple(mlmlm.metrics.PAPER_METRICS)
"""Names of the paper's eight, in its order."""
RANKING = tuple(name for name, metric in METRICS.items() if metric.kind == "ranking")
"""Those that judge an order of the labels."""
BIPARTITION = tuple(name for name in PAPER_METRICS if name not in RANKING)
"""Those that judge a set of labels."""

_NAMED_AFTER = "Hamming"


def lower_is_better(metric: str) -> bool:
    return METRICS[metric].lower_is_better


def best(values: Any, metric: str) -> Any:
    """The best value of a series, or of each column of a frame."""
    return values.min() if lower_is_better(metric) else values.max()


def metric_words(name: str) -> str:
    """A metric, or a column of a table, within a sentence."""
    title = metric_title(name)
    return title if title.startswith(_NAMED_AFTER) else title[0].lower() + title[1:]


def metric_title(name: str) -> str:
    """A metric, or a column of a table, as a heading."""
    return METRICS[name].title if name in METRICS else name.replace("_", " ").capitalize()


def metric_heading(metric: str) -> str:
    """A metric's title, and which of its values is the better one."""
    better = "lower" if lower_is_better(metric) else "higher"
    return f"{metric_title(metric)} ({better} is better)"
