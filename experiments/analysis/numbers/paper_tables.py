"""The paper's result tables with our rows in them.

A row that the study has no method for is as published. A row of ours that lacks a dataset is
missing there: what is ours and what is published are never mixed in one row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from experiments import published
from experiments.analysis.numbers.metrics import best
from experiments.published.printing import DECIMALS


@dataclass(frozen=True)
class FullTable:
    """A table of the paper and all that a study adds to it: methods by titles of datasets.

    Attributes
    ----------
    values, published, agrees : DataFrame
        Ours where the row is ours, else the paper's; the paper's; and whether they are equal as
        printed, None where they are not compared.
    ours : sequence of str
        Rows of this study.
    """

    values: pd.DataFrame
    published: pd.DataFrame
    agrees: pd.DataFrame
    ours: list[str]

    @property
    def theirs(self) -> list[str]:
        """Rows as published."""
        return [row for row in self.values.index if row not in self.ours]

    def best(self, metric: str) -> pd.DataFrame:
        """As in the paper: every row that equals the best of a column as printed."""
        shown = self.values.map(lambda value: float(f"{value:.{DECIMALS['results']}f}"))
        return shown.eq(best(shown, metric))


@dataclass(frozen=True)
class ComparableTable:
    """A table of the paper with those of our rows that are complete, rounded as it is printed.

    Ranks among rounded values would else depend on digits that the others do not have.

    Attributes
    ----------
    values : DataFrame or None
        Methods by the paper's datasets; None if one of its own methods would still be the paper's.
    ours : sequence of str
        Rows of this study.
    problems : sequence of str
        Why other rows of the study are not in it.
    """

    values: pd.DataFrame | None
    ours: list[str]
    problems: list[str]


def full_table(metric: str, cells: pd.DataFrame) -> FullTable:
    """In the paper's order; methods and datasets that the paper does not have come last.

    ``cells`` are `mean_cells` of a study.
    """
    cells = _of_metric(metric, cells)
    printed = published.results_table(metric).rename(columns=published.title)
    rows = pd.Index(dict.fromkeys([*printed.index, *cells["row"]]), name="method")
    columns = pd.Index(dict.fromkeys([*printed.columns, *cells["title"]]))

    def ours(column: str) -> pd.DataFrame:
        table = cells.pivot(index="row", columns="title", values=column)
        table = table.reindex(index=rows, columns=columns)
        return table.astype(object if column == "agrees" else float)

    beside = printed.reindex(index=rows, columns=columns).fillna(ours("published"))
    live = rows.isin([*published.own_methods(), *cells["row"]])
    values = ours("ours")
    values.loc[~live] = beside.loc[~live]
    return FullTable(values, beside, ours("agrees"), list(rows[live]))


def comparable_table(
    metric: str, cells: pd.DataFrame, in_place_of: Mapping[str, str] | None = None
) -> ComparableTable:
    """The rows that ranks and tests can be computed of.

    Where ``in_place_of`` names another dataset for one of the paper's, our rows have the value of
    that one, and rows as published have none.
    """
    table, full = published.results_table(metric), full_table(metric, cells)
    titles = {name: (in_place_of or {}).get(name, published.title(name)) for name in table}
    known = full.values.reindex(columns=list(titles.values())).set_axis(table.columns, axis=1)
    needed = [name for name in published.own_methods() if name in table.index]
    ours, problems = [], []
    for row, methods in _our_rows(_of_metric(metric, cells), needed, list(titles.values())).items():
        problem = _problem(row, methods, known)
        if problem:
            problems.append(problem)
        else:
            table.loc[row] = known.loc[row].round(DECIMALS["results"])
            ours.append(row)
    table.loc[~table.index.isin(ours), list(in_place_of or ())] = np.nan
    return ComparableTable(table if set(needed) <= set(ours) else None, ours, problems)


def power_distance_frames(
    cells: pd.DataFrame,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The paper's table of powers and distances: ours, as printed, and whether they agree.

    By title of the dataset; those that the paper does not have come last.
    """
    ours = cells[(cells["table"] == "power_distance") & (cells["row"] == "ML-MLM")]
    printed = published.power_distance().rename(index=published.title)
    titles = pd.Index(dict.fromkeys([*printed.index, *ours["title"]]), name="dataset")

    def frame(column: str) -> pd.DataFrame:
        table = ours.pivot(index="title", columns="metric", values=column)
        return table.reindex(index=titles, columns=printed.columns)

    return frame("ours").astype(float), printed.reindex(titles), frame("agrees").astype(object)


def _our_rows(
    cells: pd.DataFrame, needed: Iterable[str], titles: Iterable[str]
) -> dict[str, list[str]]:
    """By row, the study's methods that are to fill it; what it has on other data does not count."""
    rows: dict[str, list[str]] = {name: [] for name in needed}
    on_paper_data = cells[cells["title"].isin(titles)]
    for method, row in on_paper_data.groupby("method", sort=False)["published_as"].first().items():
        rows.setdefault(method if pd.isna(row) else row, []).append(method)
    return rows


def _problem(row: str, methods: list[str], known: pd.DataFrame) -> str | None:
    """Why a row cannot be used, if so."""
    if not methods:
        return f"the study has no values of {row}"
    if len(methods) > 1:
        return f"the study has more than one {row}: {', '.join(methods)}"
    lacking = known.columns[known.loc[row].isna()]
    return f"{row} lacks {', '.join(lacking)}" if len(lacking) else None


def _of_metric(metric: str, cells: pd.DataFrame) -> pd.DataFrame:
    return cells[(cells["table"] == "results") & (cells["metric"] == metric)]
