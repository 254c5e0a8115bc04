"""Figures without the test rows that have a twin, a row of the same features, in training."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pandas as pd

from experiments import published
from experiments.analysis.numbers.arrays import Array
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.row_facts import row_facts
from experiments.analysis.numbers.views import LEAKED, LeakFree, MissingError

BY_ROW = {"accuracy": "accuracy_per_row", "ranking_loss": "ranking_loss_per_row"}
"""The metrics that records keep for each row."""


def without_twins(results: StudyResults) -> pd.DataFrame:
    """A row for each dataset with twins and own method; the corrected Tmc2007, not the leaked one.

    Columns are ``dataset``, ``method``, ``rows``, ``twins``, and each metric of `BY_ROW` of all
    rows and, as ``<metric> without``, of those without a twin; NaN of a method without scores.
    """
    view, rows = LeakFree(results), []
    for name in published.datasets().index:
        for method in published.own_methods():
            with suppress(MissingError):
                record, arrays = view.record(method, name), view.arrays(method, name)
                facts = row_facts(results, record)
                if facts is None or not facts.arrays["has_twin"].any():
                    continue
                twin = facts.arrays["has_twin"]
                figures: dict[str, float] = {"rows": len(twin), "twins": int(twin.sum())}
                for metric, array in BY_ROW.items():
                    values = arrays.get(array, np.full(len(twin), np.nan))
                    figures[metric] = _mean(values)
                    figures[f"{metric} without"] = _mean(values[~twin])
                title = published.title(name) + (" corrected" if name == LEAKED else "")
                rows.append({"dataset": title, "method": method, **figures})
    return pd.DataFrame(rows)


def _mean(values: Array) -> float:
    """Of the rows in which the metric is defined."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")
