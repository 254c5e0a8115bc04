"""A study on several processes: what runs, with phase and memory, and how much is left.

Without a terminal there is one line for each run that has ended, as of a serial study.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from experiments.engines.pool import Attempt
from experiments.terminal.display import print_wide

_MOST_LINES = 30


class TasksDisplay:
    """One line for each finished run and, on a terminal, the running tasks below them."""

    def __init__(self, console: Console, n_runs: int) -> None:
        self._console = console
        self._n_runs = n_runs
        self._done = 0
        self._began = time.monotonic()
        self._work = 0.0  # estimated seconds of all tasks
        self._live = Live(console=console, transient=True, refresh_per_second=4)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Leave the terminal to others."""
        self._live.stop()

    def looking_at(self, dataset: str) -> None:
        """It is loaded, and its records are looked for."""
        if self._live.is_started:
            self._live.update(Text(f"looking at {dataset}"))

    def finish(self, title: str, outcome: str) -> None:
        """A run has ended."""
        self._done += 1
        width = len(str(self._n_runs))
        self.say(f"[{self._done:>{width}}/{self._n_runs}] {title:<28} {outcome}")

    def finish_variant(self, title: str, outcome: str) -> None:
        """A run has ended that nobody could foresee; it is not counted."""
        width = 2 * len(str(self._n_runs)) + 3
        self.say(f"{'variant':>{width}} {title:<28} {outcome}")

    def say(self, line: str) -> None:
        print_wide(self._console, line)

    def show(self, running: Sequence[Attempt], waiting: Sequence[Attempt], headline: str) -> None:
        """Show the tasks as they are now."""
        if not self._live.is_started:
            return
        table = Table.grid(padding=(0, 2))
        for attempt in running[:_MOST_LINES]:
            table.add_row(*map(Text, _line(attempt)))
        left = seconds_left(self._work, time.monotonic() - self._began, running, waiting)
        parts = [
            f"{self._done}/{self._n_runs} runs",
            f"{len(running)} tasks running",
            f"{len(waiting)} waiting",
            *([] if left is None else [f"about {_clock(left)} left"]),
            *([headline] if headline else []),
        ]
        self._live.update(Group(Text(", ".join(parts)), table))

    def add_work(self, seconds: float) -> None:
        """A task has been found."""
        self._work += seconds


def seconds_left(
    work: float, elapsed: float, running: Sequence[Attempt], waiting: Sequence[Attempt]
) -> float | None:
    """How long it will take, at the speed of what has been done; None while nothing has.

    Work is estimated seconds, so estimates that are all wrong by a factor do not matter. Of a task
    that is running its time counts as done, up to what was estimated.
    """
    now = time.monotonic()
    going = sum(max(0.0, each.work.need.seconds - (now - each.began)) for each in running)
    left = going + sum(each.work.need.seconds for each in waiting)
    done = work - left
    return left * elapsed / done if done > 0 else None


def _clock(seconds: float) -> str:
    whole = max(0, round(seconds))
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def _line(attempt: Attempt) -> tuple[str, str, str]:
    """Title, phase and memory of a task that is running."""
    phase, memory = attempt.folder.read("phase"), attempt.folder.read("memory")
    doing = "" if phase is None else f"{phase['run']}: {phase['phase']} {phase['share']:.0%}"
    limit = attempt.work.need.memory / 1e9
    used = "–" if memory is None else f"{memory['bytes'] / 1e9:.1f}"
    return attempt.work.title, doing, f"{used} of {limit:.1f} GB"
