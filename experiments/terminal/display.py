"""A run on the terminal: its figures beside the published ones, and what it took."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from experiments.comparison import Cell, record_cells
from experiments.record import Record
from experiments.splits import split_name

ABSENT = "–"


def run_report(record: Record, metrics: Sequence[str]) -> Group:
    """Everything a user wants to see of a run."""
    return Group(
        _metrics_table(record, metrics),
        *map(Text, _chosen_lines(record)),
        *(Text(f"warning: {warning}") for warning in record.warnings),
        _phases_table(record),
    )


def print_wide(console: Console, line: str) -> None:
    """Print as it is: not cut to the width of a terminal, and brackets are no markup."""
    console.print(line, soft_wrap=True, highlight=False, markup=False, emoji=False)


def _metrics_table(record: Record, metrics: Sequence[str]) -> Table:
    cells = {cell.metric: cell for cell in record_cells(record)}
    title = f"{record.method} on {record.dataset} {split_name(record.split)}".rstrip()
    table = result_table(title, "metric", "ours", "published", "agrees")
    for name in metrics:
        cell = cells.get(name)
        if cell is None:
            table.add_row(name, ABSENT, ABSENT, ABSENT)
        else:
            table.add_row(name, f"{cell.ours:.3f}", _printed(cell, ".3f"), _verdict(cell))
    return table


def _chosen_lines(record: Record) -> list[str]:
    cells = {cell.metric: cell for cell in record_cells(record)}
    lines = []
    if "log2_power" in cells:
        power = cells["log2_power"]
        lines.append(
            f"P = {record.chosen['power']:.3f} = 2^{power.ours:.1f}" + _beside(power, "2^{:.1f}")
        )
    for name in ("threshold", "alpha", "best_params"):
        value = record.chosen.get(name)
        if value is not None:
            lines.append(
                f"{name} = {value:.4f}" if isinstance(value, float) else f"{name}: {value}"
            )
    if record.distance is not None:
        mean, spread = record.distance["mean"], record.distance["std"]
        line = f"distance = {mean:.1f} ± {spread:.1f}"
        if "distance_mean" in cells and cells["distance_mean"].published is not None:
            line += (
                f"   published {cells['distance_mean'].published:.1f}"
                f" ± {cells['distance_std'].published:.1f}"
            )
        lines.append(line)
    return lines


def _phases_table(record: Record) -> Table:
    table = result_table("", "phase", "seconds", "peak MB")
    for phase in record.phases:
        table.add_row(Text(phase.name), f"{phase.seconds:.2f}", f"{phase.peak_mb:,.0f}")
    table.add_section()
    table.add_row("in all", f"{record.seconds:.2f}", f"{record.peak_mb:,.0f}")
    return table


def result_table(title: str, *headings: str) -> Table:
    """A table whose first column is of words, and the others of numbers."""
    table = Table(title=Text(title) if title else None, title_justify="left")
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number else "left")
    return table


def _printed(cell: Cell, form: str) -> str:
    return ABSENT if cell.published is None else format(cell.published, form)


def _verdict(cell: Cell) -> str:
    return ABSENT if cell.agrees is None else "yes" if cell.agrees else "no"


def _beside(cell: Cell, form: str) -> str:
    return "" if cell.published is None else "   published " + form.format(cell.published)
