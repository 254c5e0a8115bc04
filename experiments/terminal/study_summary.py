"""The end of a study on the terminal: how far it agrees with the paper, and where it does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table

from experiments.comparison import Cell, record_cells
from experiments.record import Record
from experiments.terminal.display import ABSENT, result_table

MOST_CELLS = 30  # more than that is no summary


def agreement_tables(records: Sequence[Record]) -> Iterator[Table]:
    """A row for each dataset and, where cells differ from the published ones, those."""
    cells = [cell for record in records for cell in record_cells(record)]
    compared = [cell for cell in cells if cell.agrees is not None]
    if not compared:
        return
    table = result_table(
        "Agreement with the published figures, at the printed precision",
        *("dataset", "cells that agree", "log2 P", "distance"),
    )
    table.caption = "in brackets: as published"
    for dataset in dict.fromkeys(cell.dataset for cell in compared):
        table.add_row(dataset, *_row([cell for cell in compared if cell.dataset == dataset]))
    yield table
    if differing := [cell for cell in compared if not cell.agrees]:
        yield _differences(differing)


def _row(cells: Sequence[Cell]) -> tuple[str, str, str]:
    results = [cell.agrees for cell in cells if cell.table == "results"]
    power = {cell.metric: cell for cell in cells if cell.table == "power_distance"}
    counts = f"{sum(map(bool, results))} of {len(results)}"
    if not power:
        return counts, ABSENT, ABSENT
    mean, spread = power["distance_mean"], power["distance_std"]
    return (
        counts,
        f"{power['log2_power'].ours:.1f} ({power['log2_power'].published:.1f})",
        f"{mean.ours:.1f} ± {spread.ours:.1f} ({mean.published:.1f} ± {spread.published:.1f})",
    )


def _differences(cells: Sequence[Cell]) -> Table:
    table = result_table("Cells that differ", "dataset", "method", "metric", "ours", "published")
    for cell in cells[:MOST_CELLS]:
        ours, published = f"{cell.ours:.5f}", f"{cell.published:g}"
        table.add_row(cell.dataset, cell.method, cell.metric, ours, published)
    if len(cells) > MOST_CELLS:
        table.caption = f"and {len(cells) - MOST_CELLS} more, in tables/cells.csv"
    return table
