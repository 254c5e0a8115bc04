"""Measure the library against the machine, the plain formulas and its peers.

Usage::

    python -m scripts.bench            # quick: a few minutes on two cores
    python -m scripts.bench --full     # large datasets and a million rows too: over an hour
    python -m scripts.bench --ten      # also the recorded time of the paper's ten datasets
    python -m scripts.bench --full --only engines stratification   # these of its measurements

The table goes to standard output and, row by row as it is measured, into a JSON file. A bar that
is missed is a finding, not an error: the exit code is 0.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from scripts.bench.machine import REPOSITORY
from scripts.bench.plan import FULL, QUICK, TEN, Plan
from scripts.bench.report import Report

OUTPUT = REPOSITORY / "results" / "bench" / "latest.json"


def main(arguments: list[str] | None = None) -> int:
    options = _parse(arguments)
    plan = FULL if options.full else QUICK
    form = "full" if options.full else "quick"
    if options.ten:
        plan, form = replace(plan, ten=TEN), f"{form} and ten datasets"
    if options.only:
        plan = Plan(**{name: getattr(plan, name) for name in options.only})
        form = f"{form}, {' and '.join(options.only)} only"
    run(plan, form, options.output)
    return 0


def run(plan: Plan, form: str, output: Path) -> Report:
    """Measure a plan; whatever happens, what was measured is shown and saved."""
    report = Report(output, form)
    try:
        with _narration() as tell:
            for row in plan.rows(tell):
                report.add(row)
        report.finish()
    finally:
        # A file has no width of its own: wide enough that no row is broken.
        Console(width=None if sys.stdout.isatty() else 200).print(report.table())
    return report


@contextmanager
def _narration() -> Iterator[Callable[[str], None]]:
    """Say on standard error what is being measured: a spinner on a terminal, lines elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield console.print
        return
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("")
        yield lambda what: progress.update(task, description=what)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.bench",
        description="Measure the library against the machine, the plain formulas and its peers.",
    )
    parser.add_argument("--full", action="store_true", help="large datasets too")
    parser.add_argument(
        "--ten", action="store_true", help="also judge the recorded times of the paper's study"
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=[field.name for field in fields(Plan)],
        metavar="NAME",
        help="some of the measurements: a field of scripts.bench.plan.Plan each",
    )
    parser.add_argument(
        "--output", type=Path, default=OUTPUT, metavar="FILE", help="where the JSON goes"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
