"""The rows of the benchmark, written as they come and shown as one table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.table import Table

from mlmlm.files import atomic_writer
from scripts.bench import machine

# Above this load something else was running when the benchmark began.
QUIET_LOAD = 0.5


@dataclass(frozen=True)
class Bar:
    """What a figure should reach."""

    at_least: float | None = None
    at_most: float | None = None

    def is_met_by(self, value: float) -> bool:
        above = self.at_least is None or value >= self.at_least
        return above and (self.at_most is None or value <= self.at_most)

    def __str__(self) -> str:
        low, high = (
            None if bound is None else f"{bound:g}" for bound in (self.at_least, self.at_most)
        )
        if low and high:
            return f"{low} to {high}"
        return f"≥ {low}" if low else f"≤ {high}"


@dataclass(frozen=True)
class Row:
    """One figure, with the bar it should reach and what it was made from."""

    section: str
    dataset: str
    what: str
    value: float
    bar: Bar | None = None
    note: str = ""
    details: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_met(self) -> bool | None:
        return None if self.bar is None else self.bar.is_met_by(self.value)

    def as_record(self) -> dict[str, Any]:
        return asdict(self) | {"met": self.is_met}


class Report:
    """All rows so far, on disk after each of them."""

    def __init__(self, path: Path, form: str) -> None:
        self._path = path
        self._rows: list[Row] = []
        self._head: dict[str, Any] = {
            "form": form,
            "started": _now(),
            "finished": None,
            "load_average_at_start": machine.load_average(),
            "load_average_at_end": None,
            "machine": machine.facts(),
        }
        self._write()

    def add(self, row: Row) -> None:
        self._rows.append(row)
        self._write()

    def finish(self) -> None:
        """Note that nothing is missing."""
        self._head |= {"finished": _now(), "load_average_at_end": machine.load_average()}
        self._write()

    def table(self) -> Table:
        """Every row; the last columns say whether its bar is met and what it was made from."""
        table = Table(title=f"Benchmark, {self._head['form']} form", caption=self._caption())
        for heading in ("dataset", "what", "measured", "bar", "met", "made from"):
            table.add_column(heading, justify="right" if heading == "measured" else "left")
        for section, rows in groupby(self._rows, key=lambda row: row.section):
            table.add_section()
            table.add_row("", f"[bold]{section}[/bold]")
            for row in rows:
                table.add_row(
                    row.dataset,
                    row.what,
                    format_value(row.value),
                    "" if row.bar is None else str(row.bar),
                    {None: "", True: "[green]yes[/green]", False: "[red]no[/red]"}[row.is_met],
                    row.note,
                )
        return table

    def _caption(self) -> str:
        barred = [row.is_met for row in self._rows if row.bar is not None]
        about = self._head["machine"]
        lines = [
            f"{sum(map(bool, barred))} of {len(barred)} bars met; "
            f"{about['cpu']}, {about['usable_threads']} threads, commit {about['commit']}"
        ]
        load = self._head["load_average_at_start"]
        if load > QUIET_LOAD:
            lines.append(f"[yellow]Load average {load:.1f} at the start: figures are noisy.")
        if self._head["finished"] is None:
            lines.append("[yellow]Not finished: rows are missing.")
        return "\n".join(lines)

    def _write(self) -> None:
        content = self._head | {"rows": [row.as_record() for row in self._rows]}
        with atomic_writer(self._path) as file:
            file.write(json.dumps(content, indent=1, ensure_ascii=False).encode() + b"\n")


def format_value(value: float) -> str:
    """Three significant digits."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def format_seconds(seconds: float) -> str:
    return f"{format_value(seconds)} s" if seconds >= 1 else f"{format_value(seconds * 1e3)} ms"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
