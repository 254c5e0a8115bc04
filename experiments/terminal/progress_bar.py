"""A bar on the terminal for the phases that the library reports."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from mlmlm.progress import Listener


@contextmanager
def phase_bar(title: str) -> Iterator[Listener]:
    """Show phase, share done and time left, on standard error, while it is a terminal.

    Gives the listener that moves the bar.
    """
    columns = (
        TextColumn("{task.fields[title]}", markup=False),
        TextColumn("{task.description:<20}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    quiet = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=quiet) as bar:
        tasks: dict[str, TaskID] = {}

        def show(phase: str, done: float, total: float) -> None:
            if done == 0:
                for task in tasks.values():
                    bar.update(task, visible=False)
                tasks[phase] = bar.add_task(phase, total=total, title=title)
            bar.update(tasks[phase], completed=done)

        yield show
