"""Each published value beside ours, and why they differ where they do.

For a cell that differs the study's variants are consulted: the same method run under the original's
overflow, with labels in the order of the XML file, by minimum-norm least squares, ranked by
log-odds. A reason is what gives the published value. Where labels depend on each other, LLS-MLM has
several solutions that exact arithmetic does not tell apart; a published value within the range that
they leave open (`experiments.rows.dependent_labels`) has that for a reason. Where there is none,
the cell is unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from experiments import published
from experiments.analysis.numbers.cells import mean_cells
from experiments.analysis.numbers.data_facts import CHARACTERISTICS, known_facts, tolerance
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.row_facts import OpenRange, row_facts
from experiments.comparison import is_published_data
from experiments.published.printing import DECIMALS, equal_as_printed, rounded_twice

UNEXPLAINED, MISSING = "unexplained", "missing"
ROUNDED_TWICE = "rounding twice"
LEAST_OPEN, MOST_OPEN = "dependent labels, least", "dependent labels, most"


class JudgedCell(NamedTuple):
    """A published cell; ``agrees`` is None where there is no value of ours."""

    table: str
    metric: str
    method: str
    dataset: str
    ours: float | None
    published: float
    agrees: bool | None
    reason: str


def judged_cells(results: StudyResults) -> list[JudgedCell]:
    """Each published cell of the study's methods, and of the tables of data and P.

    A study without records is judged by the paper's own methods: everything is missing.
    """
    return [*_of_methods(results), *_of_data(results)]


def as_frame(cells: Sequence[JudgedCell]) -> pd.DataFrame:
    return pd.DataFrame(cells, columns=JudgedCell._fields)


def counts_by_table(cells: Sequence[JudgedCell]) -> pd.DataFrame:
    """Cells that agree, that differ with and without a reason, and that are missing."""
    rows = {}
    for name, of_table in as_frame(cells).groupby("table", sort=False):
        unexplained = of_table["reason"] == UNEXPLAINED
        differs = of_table["agrees"].map(lambda agrees: agrees is False)
        rows[name] = {
            "cells": len(of_table),
            "agree": int(of_table["agrees"].map(lambda agrees: agrees is True).sum()),
            "differ, explained": int((differs & ~unexplained).sum()),
            "differ, unexplained": int((differs & unexplained).sum()),
            "missing": int(of_table["agrees"].isna().sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("table")


def under_variants(cells: Sequence[JudgedCell], results: StudyResults) -> pd.DataFrame:
    """Each cell that differs, as published, ours, under every variant, and what is left open."""
    differing = [cell for cell in cells if cell.agrees is False]
    known = as_frame(differing)[["dataset", "method", "metric", "published", "ours"]]
    under = pd.DataFrame(
        [_by_variant(cell, results) | _open_ends(cell, results) for cell in differing]
    )
    return pd.concat([known, under], axis=1).set_index("dataset")


def _of_methods(results: StudyResults) -> Iterator[JudgedCell]:
    """Of the result tables and of the table of powers and distances."""
    cells = results.mean_cells
    cells = cells[cells["published"].notna()]
    ours: dict[tuple[str, str, str, str], list[Any]] = {}
    for cell in cells.itertuples():
        key = cell.table, cell.metric, cell.published_as, cell.dataset
        ours.setdefault(key, []).append(cell)
    rows = {record.published_as for record in results.records} - {None}
    for table, metric, method, dataset, printed in _published_cells():
        if method not in (rows or set(published.own_methods())):
            continue
        key = table, metric, method, dataset
        if key not in ours:
            yield JudgedCell(*key, None, printed, None, MISSING)
        for cell in ours.get(key, ()):  # several methods may claim one row of the paper
            judged = JudgedCell(
                table, metric, cell.row, dataset, cell.ours, printed, bool(cell.agrees), ""
            )
            yield judged if cell.agrees else judged._replace(reason=_reason(judged, results))


def _published_cells() -> Iterator[tuple[str, str, str, str, float]]:
    for row in published.results().itertuples(index=False):
        yield "results", row.metric, row.method, row.dataset, float(row.value)
    powers = published.power_distance()
    for dataset in powers.index:
        for metric in powers.columns:
            yield "power_distance", metric, "ML-MLM", dataset, float(powers.loc[dataset, metric])


def _of_data(results: StudyResults) -> Iterator[JudgedCell]:
    """Of the table of characteristics."""
    known = {
        record.dataset: known_facts(record)
        for record in results.records
        if is_published_data(record)
    }
    for dataset, printed in published.datasets().iterrows():
        for metric in CHARACTERISTICS:
            value = known.get(dataset, {}).get(metric)
            cell = JudgedCell("data", metric, "", dataset, value, printed[metric], None, MISSING)
            if value is None:
                yield cell
                continue
            agrees = bool(abs(value - printed[metric]) <= tolerance(metric))
            yield cell._replace(agrees=agrees, reason="" if agrees else _rounding(cell))


def _reason(cell: JudgedCell, results: StudyResults) -> str:
    """What gives the published value."""
    reasons = [
        f"{variant} gives {value:.5g}"
        for variant, value in _by_variant(cell, results).items()
        if equal_as_printed(value, cell.published, cell.table)
    ]
    found = open_range(cell, results)
    if found is not None:
        nearest = min(max(cell.published, found.low), found.high)
        if equal_as_printed(nearest, cell.published, cell.table):
            reasons.append(_in_words(found))
    return "; ".join(reasons) or UNEXPLAINED


def open_range(cell: JudgedCell, results: StudyResults) -> OpenRange | None:
    """What exact arithmetic leaves open in a cell; None where that is one value, or not known."""
    if cell.method != "LLS-MLM" or cell.table != "results":
        return None
    record = results.record(cell.dataset, "lls_mlm")
    facts = None if record is None else row_facts(results, record)
    return None if facts is None else facts.open_range(cell.metric)


def _open_ends(cell: JudgedCell, results: StudyResults) -> dict[str, float]:
    found = open_range(cell, results)
    return {} if found is None else {LEAST_OPEN: found.low, MOST_OPEN: found.high}


def _in_words(found: OpenRange) -> str:
    labels = ", ".join(map(str, found.labels))
    return (
        f"labels {labels} (from 0) depend on others, and exact arithmetic leaves open which of "
        f"them has weight 0 for {found.anchors} anchors: anything from {found.low:.5g} to "
        f"{found.high:.5g}"
    )


def _rounding(cell: JudgedCell) -> str:
    twice = _rounded_twice(cell)
    return f"{ROUNDED_TWICE} gives {twice:.5g}" if twice == cell.published else UNEXPLAINED


def _by_variant(cell: JudgedCell, results: StudyResults) -> dict[str, float]:
    """Our value by variant, and rounded twice."""
    values: dict[str, float] = {}
    for record in results.variants:
        if (record.dataset, record.published_as) != (cell.dataset, cell.method):
            continue
        (other,) = (
            mean_cells([record])
            .query("table == @cell.table and metric == @cell.metric")
            .itertuples()
        )
        values[str(record.variant)] = other.ours
    return values | {ROUNDED_TWICE: _rounded_twice(cell)}


def _rounded_twice(cell: JudgedCell) -> float:
    assert cell.ours is not None
    return rounded_twice(cell.ours, DECIMALS[cell.table])
