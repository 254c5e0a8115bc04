"""How close the reference methods, run live, come to their published rows.

A stochastic method is run under several seeds, and its value is their mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from experiments import published
from experiments.analysis.numbers.cells import mean_cells
from experiments.analysis.numbers.costs import seconds_by_dataset
from experiments.analysis.numbers.metrics import PAPER_METRICS, metric_title
from experiments.analysis.numbers.titles import (
    by_dataset_and_method,
    in_paper_order,
    paper_datasets,
)
from experiments.record import Record

STUDY = "reference"
NEAR = (0.01, 0.02)
UNITS = [metric for metric in PAPER_METRICS if metric != "coverage"]
"""Metrics between 0 and 1, whose differences can be put together."""


def reference_cells(records: Sequence[Record], methods: Mapping[str, str]) -> pd.DataFrame:
    """Our values of the paper's rows: row, title, metric, ours, spread, runs, published, agrees.

    ``spread`` is the standard deviation over seeds, and ``row`` what ``methods`` calls the method.
    Rows are in the paper's order.
    """
    cells = mean_cells(in_paper_order(records))
    cells = cells[cells["metric"].isin(PAPER_METRICS)]
    cells = cells.assign(row=cells["method"].map(methods))
    spreads = {
        (method, dataset, metric): values.std()
        for (dataset, method), group in by_dataset_and_method(records).items()
        for metric, values in pd.DataFrame([each.metrics for each in group]).items()
    }
    keys = zip(cells["method"], cells["dataset"], cells["metric"], strict=True)
    return cells.assign(spread=[spreads[key] for key in keys])


def closeness(cells: pd.DataFrame) -> pd.DataFrame:
    """By method: how many published cells come out, and how far the others are."""
    rows = {}
    for row, group in cells.groupby("row", sort=False):
        known = group[group["published"].notna()]
        unit = known[known["metric"].isin(UNITS)]
        off = (unit["ours"] - unit["published"]).abs()
        rows[row] = (
            {"cells": len(known), "equal as printed": int(known["agrees"].astype(bool).sum())}
            | {f"within {limit}": int((off <= limit + 5e-4).sum()) for limit in NEAR}
            | {"of": len(off), "median difference": off.median(), "largest": off.max()}
            | {"seeds": int(group["runs"].max())}
        )
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("method")


def equal_cells_by_dataset(cells: pd.DataFrame) -> pd.DataFrame:
    """Methods by datasets: cells equal as printed, of those published."""
    known = cells[cells["published"].notna()]
    groups = known.groupby(["row", "title"], sort=False)["agrees"]
    text = groups.agg(lambda agrees: f"{int(agrees.astype(bool).sum())} of {len(agrees)}")
    table = text.unstack().reindex(known["row"].unique())
    columns = [title for title in paper_datasets() if title in table.columns]
    return table[columns].rename_axis("method").rename_axis(None, axis=1)


def every_cell(cells: pd.DataFrame) -> pd.DataFrame:
    """Every cell with its spread over seeds, ours beside the published."""
    return pd.DataFrame(
        {
            "method": cells["row"],
            "dataset": cells["title"],
            "metric": cells["metric"].map(metric_title),
            "ours": cells["ours"],
            "std": cells["spread"],
            "seeds": cells["runs"],
            "published": cells["published"],
            "difference": cells["ours"] - cells["published"],
        }
    ).set_index("method")


def whole_rows(cells: pd.DataFrame) -> dict[str, list[str]]:
    """By method, the datasets of which every published cell comes out."""
    known = cells[cells["published"].notna()]
    whole = known.groupby(["row", "title"], sort=False)["agrees"].agg(
        lambda agrees: bool(agrees.astype(bool).all())
    )
    rows: dict[str, list[str]] = {}
    for row, title in whole.index[whole.astype(bool)]:
        rows.setdefault(row, []).append(title)
    return rows


def estimated_minutes(records: Sequence[Record], methods: Mapping[str, str]) -> pd.DataFrame:
    """Estimated minutes of what the study leaves out, by rows, features and labels."""
    seconds = seconds_by_dataset(records, methods)
    sizes = published.datasets()[["n_train", "n_features", "n_labels"]].prod(axis=1)
    estimates = {}
    for method, row in seconds.iterrows():
        measured = row.dropna()
        largest = sizes[[name for name in measured.index if name in sizes.index]].idxmax()
        rate = measured[largest] / sizes[largest]
        estimates[method] = {
            published.title(name): rate * sizes[name] / 60
            for name in sizes.index
            if name not in measured.index
        }
    frame = pd.DataFrame.from_dict(estimates, orient="index").rename_axis("method")
    return frame[[title for title in paper_datasets() if title in frame.columns]]
