"""The paper's result tables with our rows in them, and how many of its cells agree.

Rows that the study has no method for are as published. A row of ours that lacks a dataset has a
dash there, with the published value beside it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from experiments import published
from experiments.analysis.numbers.agreement import agreement_counts, countable_cells
from experiments.analysis.numbers.metrics import PAPER_METRICS, metric_heading
from experiments.analysis.numbers.paper_tables import (
    FullTable,
    full_table,
    power_distance_frames,
)
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import Paragraph, Section, Table
from experiments.published.printing import DECIMALS

POWER_DISTANCE = {
    "log2_power": "log2 P",
    "distance_mean": "mean squared distance",
    "distance_std": "standard deviation",
}


def results_section(results: StudyResults) -> Section:
    """Counts of cells that agree, the paper's tables, and where its values come from."""
    cells = results.mean_cells
    counted = countable_cells(cells)
    return Section(
        "Results",
        [
            Paragraph(_summary(counted)),
            *(agreement_table(counted, by) for by in ("dataset", "method", "metric")),
            *(metric_table(cells, metric) for metric in PAPER_METRICS),
            power_distance_table(cells),
            sources_table(),
        ],
    )


# The eight tables


def metric_table(cells: pd.DataFrame, metric: str) -> Table:
    """Methods by datasets, in the paper's order; what the paper does not have comes last."""
    full = full_table(metric, cells)
    return Table(
        f"table_{metric}",
        metric_heading(metric),
        full.values,
        form=f".{DECIMALS['results']}f",
        published=full.published,
        agrees=full.agrees,
        best=full.best(metric),
        note=" ".join(_note(full, cells[cells["metric"] == metric])),
    )


def _note(full: FullTable, cells: pd.DataFrame) -> Iterator[str]:
    """Whose values the rows are."""
    yield f"Bold: the best of a column. From this study: {', '.join(full.ours)}."
    sources = published.sources()["source"].reindex(full.theirs)
    for source, of_source in sources.groupby(sources, sort=False):
        yield f"As published, from {source}: {', '.join(of_source.index)}."
    seeds = cells[cells["runs"] > 1].groupby("row", sort=False)["runs"].max()
    if len(seeds):
        counts = ", ".join(f"{row} ({number})" for row, number in seeds.items())
        yield f"Means over seeds: {counts}."


# Powers and distances, sources


def power_distance_table(cells: pd.DataFrame) -> Table:
    """What ML-MLM chose, and the squares of the smallest predicted distances, by dataset."""
    values, printed, agrees = power_distance_frames(cells)
    return Table(
        "table_power_distance",
        "Chosen power and predicted distances of ML-MLM",
        values.rename(columns=POWER_DISTANCE),
        form=f".{DECIMALS['power_distance']}f",
        published=printed.rename(columns=POWER_DISTANCE),
        agrees=agrees.rename(columns=POWER_DISTANCE),
        note="Distances are the squares of the smallest predicted distance of each test row.",
    )


def sources_table() -> Table:
    """Whose values the published ones are, by method."""
    sources = published.sources().rename(columns={"says": "what the paper says of it"})
    cells = published.results()["method"].value_counts()
    sources.insert(0, "cells", cells.reindex(sources.index, fill_value=0))
    return Table(
        "table_sources",
        "Sources of the published values",
        sources,
        form=".0f",
        note="Cells: how many of the eight tables' 1,000 cells are the method's.",
    )


# Agreement


def agreement_table(counted: pd.DataFrame, by: str) -> Table:
    """How many cells agree, differ, and are missing, by dataset, method or metric."""
    return Table(
        f"agreement_by_{by}",
        f"Cells that agree with the published ones, by {by}",
        agreement_counts(counted, by),
        form=".0f",
        note="A cell agrees if it equals the published one at the printed digits.",
    )


def _summary(counted: pd.DataFrame) -> str:
    agrees = counted["agrees"]
    parts = [
        f"**{agrees.eq(True).sum()} of {len(agrees)}** cells of the rows we compute agree with the "
        "published ones at the printed digits",
        f"{agrees.eq(False).sum()} differ",
    ]
    if agrees.isna().any():
        parts.append(f"{agrees.isna().sum()} have no run yet")
    return "; ".join(parts) + "."
