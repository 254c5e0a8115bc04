"""The paper's result tables with our rows in them, and how many of its cells agree.

Rows that the study has no method for are as published. A row of ours that lacks a dataset has a
dash there, with the published figure beside it.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from experiments import published
from experiments.analysis.mean_cells import mean_cells
from experiments.analysis.parts import Paragraph, Section
from experiments.analysis.results import StudyResults
from experiments.analysis.table import Table
from experiments.analysis.titles import paper_datasets
from mlmlm.metrics import METRICS, PAPER_METRICS

PRINTED = ".3f"
POWER_DISTANCE = {
    "log2_power": "log2 P",
    "distance_mean": "mean squared distance",
    "distance_std": "standard deviation",
}


def make(results: StudyResults) -> Section:
    """Counts of cells that agree, the paper's tables, and where its figures come from."""
    cells = mean_cells(results.records)
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
    ours = cells[(cells["table"] == "results") & (cells["metric"] == metric)]
    printed = published.results_table(metric).rename(columns=published.title)
    rows = pd.Index(_union(printed.index, ours["row"]), name="method")
    columns = _union(printed.columns, ours["title"])
    beside = printed.reindex(index=rows, columns=columns)
    beside = beside.fillna(_pivot(ours, "published", rows, columns))
    live = rows.isin([*published.own_methods(), *ours["row"]])
    values = _pivot(ours, "ours", rows, columns)
    values.loc[~live] = beside.loc[~live]
    return Table(
        f"table_{metric}",
        METRICS[metric].heading,
        values,
        form=PRINTED,
        published=beside,
        agrees=_pivot(ours, "agrees", rows, columns),
        best=_best(values, METRICS[metric].lower_is_better),
        note=" ".join(_note(rows[live], rows[~live], ours)),
    )


def _pivot(
    cells: pd.DataFrame, figure: str, rows: pd.Index, columns: Iterable[str]
) -> pd.DataFrame:
    table = cells.pivot(index="row", columns="title", values=figure)
    table = table.reindex(index=rows, columns=pd.Index(columns))
    return table.astype(object if figure == "agrees" else float)


def _best(values: pd.DataFrame, lower_is_better: bool) -> pd.DataFrame:
    """As in the paper: every row that equals the best of a column as printed."""
    shown = values.map(lambda value: float(format(value, PRINTED)))
    return shown.eq(shown.min() if lower_is_better else shown.max())


def _note(ours: Iterable[str], theirs: Iterable[str], cells: pd.DataFrame) -> Iterable[str]:
    """Whose figures the rows are."""
    yield f"Bold: the best of a column. From this study: {', '.join(ours)}."
    sources = published.sources()["source"].reindex(list(theirs))
    for source, of_source in sources.groupby(sources, sort=False):
        yield f"As published, from {source}: {', '.join(of_source.index)}."
    seeds = cells[cells["runs"] > 1].groupby("row", sort=False)["runs"].max()
    if len(seeds):
        counts = ", ".join(f"{row} ({number})" for row, number in seeds.items())
        yield f"Means over seeds: {counts}."


# Powers and distances, sources


def power_distance_table(cells: pd.DataFrame) -> Table:
    """What ML-MLM chose, and the squares of the smallest predicted distances, by dataset."""
    ours = cells[(cells["table"] == "power_distance") & (cells["row"] == "ML-MLM")]
    titles = _union(paper_datasets(), ours["title"])
    index, names = pd.Index(titles, name="dataset"), list(POWER_DISTANCE)

    def frame(figure: str) -> pd.DataFrame:
        table = ours.pivot(index="title", columns="metric", values=figure)
        return table.reindex(index=index, columns=names).set_axis(
            [*POWER_DISTANCE.values()], axis=1
        )

    printed = published.power_distance().rename(index=published.title)
    printed = printed.reindex(index=index, columns=names)
    return Table(
        "table_power_distance",
        "Chosen power and predicted distances of ML-MLM",
        frame("ours").astype(float),
        form=".1f",
        published=printed.set_axis([*POWER_DISTANCE.values()], axis=1),
        agrees=frame("agrees").astype(object),
        note="Distances are the squares of the smallest predicted distance of each test row.",
    )


def sources_table() -> Table:
    """Whose figures the published ones are, by method."""
    sources = published.sources().rename(columns={"says": "what the paper says of it"})
    cells = published.results()["method"].value_counts()
    sources.insert(0, "cells", cells.reindex(sources.index, fill_value=0))
    return Table(
        "table_sources",
        "Sources of the published figures",
        sources,
        form=".0f",
        note="Cells: how many of the eight tables' 1,000 cells are the method's.",
    )


# Agreement


def countable_cells(cells: pd.DataFrame) -> pd.DataFrame:
    """The published cells of the distance-regression methods, and all others the study has.

    Columns dataset, method, metric (as in our tables) and agrees, which is missing where the study
    lacks the cell.
    """
    names = {"title": "dataset", "row": "method"}
    results = cells[(cells["table"] == "results") & cells["published"].notna()]
    ours = results.drop(columns=["dataset", "method"]).rename(columns=names)
    printed = published.results().query("method in @published.own_methods()")
    expected = printed.assign(dataset=printed["dataset"].map(published.title), agrees=None)
    keys = ["published_as", "dataset", "metric"]
    present = pd.MultiIndex.from_frame(ours[keys])
    absent = ~pd.MultiIndex.from_frame(expected.assign(published_as=expected["method"])[keys]).isin(
        present
    )
    columns = ["dataset", "method", "metric", "agrees"]
    both = pd.concat([ours[columns], expected.loc[absent, columns]], ignore_index=True)
    return both.assign(metric=both["metric"].map(lambda name: METRICS[name].title))


def agreement_table(counted: pd.DataFrame, by: str) -> Table:
    """How many cells agree, differ, and are missing, by dataset, method or metric."""
    marks = pd.DataFrame(
        {
            "agree": counted["agrees"].eq(True),
            "differ": counted["agrees"].eq(False),
            "missing": counted["agrees"].isna(),
        }
    )
    order = {
        "dataset": paper_datasets(),
        "method": published.own_methods(),
        "metric": [METRICS[metric].title for metric in PAPER_METRICS],
    }
    counts = marks.groupby(counted[by], sort=False).sum()
    counts = counts.reindex(_union(order[by], counts.index)).rename_axis(by)
    counts.loc["in all"] = counts.sum()
    return Table(
        f"agreement_by_{by}",
        f"Cells that agree with the published ones, by {by}",
        counts.assign(**{"published cells": counts.sum(axis=1)}),
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


def _union(first: Iterable[str], second: Iterable[str]) -> list[str]:
    """In order of appearance."""
    return list(dict.fromkeys([*first, *second]))
