"""The end of a study on the terminal: how far it agrees with the paper, and where it does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from experiments.committed import COMMITTED, CommittedResults
from experiments.comparison import Cell, record_cells
from experiments.endings import Ending, Failed, Skipped
from experiments.execute import Obtained
from experiments.figures import changed_figures
from experiments.plan import Plan
from experiments.record import Record
from experiments.splits import split_name
from experiments.study_folder import StudyFolder, record_name
from experiments.terminal.display import ABSENT, print_wide, result_table

MOST_CELLS = 30  # more than that is no summary


def print_summary(console: Console, endings: Sequence[Ending], plan: Plan) -> None:
    """How the runs ended, what a reader should know of them, and how far they agree."""
    done = [each for each in endings if isinstance(each, Obtained)]
    print_wide(console, ", ".join(_counts(endings)))
    for each in endings:
        if isinstance(each, Failed):
            where = f"{each.dataset} {each.split}".rstrip()
            print_wide(console, f"failed: {each.method} on {where}: {each.reason}")
            print_wide(console, f"        {each.file}")
    for record in (each.record for each in done):
        for warning in record.warnings:
            where = f"{record.dataset} {split_name(record.split)}".rstrip()
            print_wide(console, f"warning: {record.method} on {where}: {warning}")
    records = [each.record for each in done if each.record.variant is None]
    for table in agreement_tables(records) if plan.published else ():
        console.print(table)
    for line in against_committed(plan.name, [each.record for each in done]):
        print_wide(console, line)


def against_committed(study: str, records: Sequence[Record]) -> Iterator[str]:
    """How the figures of a study compare with those that are committed."""
    folder = StudyFolder(COMMITTED / study)
    manifest = folder.manifest()
    names = {record_name(each): each for each in records}
    shared = [name for name in names if manifest is not None and name in manifest.runs]
    if not shared:
        return
    lines = [
        f"{name}: {line}"
        for name in shared
        for line in changed_figures(folder.read(name), names[name])
    ]
    yield f"{len(shared)} runs compared with the committed: {len(lines)} figures differ"
    yield from lines[:MOST_CELLS]


def _counts(endings: Sequence[Ending]) -> Iterator[str]:
    done = [each for each in endings if isinstance(each, Obtained)]
    committed = sum(isinstance(each.source, CommittedResults) for each in done)
    reused = sum(each.reused for each in done)
    skipped = sum(isinstance(each, Skipped) for each in endings)
    yield f"{len(done) - reused} computed, {reused - committed} reused"
    if committed:
        yield f"{committed} taken from the committed results"
    yield f"{sum(isinstance(each, Failed) for each in endings)} failed"
    if skipped:
        yield f"{skipped} skipped"


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
        table.add_row(Text(dataset), *_row([cell for cell in compared if cell.dataset == dataset]))
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
        table.add_row(Text(cell.dataset), Text(cell.method), cell.metric, ours, published)
    if len(cells) > MOST_CELLS:
        table.caption = f"and {len(cells) - MOST_CELLS} more, in tables/cells.csv"
    return table
