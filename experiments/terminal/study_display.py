"""A study on the terminal: what is running, its phase, how much is done, how long it will take."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from experiments.terminal.display import print_wide

# Seconds grow about so with the training rows N, measured from Yeast to Mediamill: like
# N^2.4, and hardly at all below 1,500 rows.
_EXPONENT, _SMALL = 2.4, 1500.0


class StudyDisplay:
    """One line for each finished run and, on a terminal, two bars: the study's and the phase's."""

    def __init__(self, console: Console, sizes: Sequence[float], n_methods: Sequence[int]) -> None:
        finite = [size for size in sizes if math.isfinite(size)]
        rows = [size if math.isfinite(size) else max(finite, default=_SMALL) for size in sizes]
        # The work of each run in turn; a dataset's work is shared out evenly to its methods.
        self._work = [
            (n**_EXPONENT + _SMALL**_EXPONENT) / number
            for n, number in zip(rows, n_methods, strict=True)
            for _ in range(number)
        ]
        self._done = 0
        self._computed_work = 0.0
        self._started = time.perf_counter()
        self._end: float | None = None
        self._title = ""
        self._console = console
        self._bars = Progress(
            TextColumn("{task.description:<44}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[note]}", markup=False),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._whole = self._bars.add_task("study", total=len(self._work), note="")
        self._phase = self._bars.add_task("", total=1, note="")

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()

    def start(self, dataset: str, method: str) -> None:
        """A run begins."""
        self._title = f"{dataset} {method}"
        self._bars.update(self._phase, description=self._title, completed=0, note="")
        self._bars.update(self._whole, completed=self._done, note=self._note())

    def show_phase(self, phase: str, done: float, total: float) -> None:
        """Listener of the phases of the run."""
        share = done / total if total else 1.0
        self._bars.update(
            self._phase, description=f"{self._title}: {phase}", completed=share, note=f"{share:.0%}"
        )
        self._bars.update(self._whole, note=self._note())

    def waiting(self) -> None:
        """Another process is at this very run."""
        self._say(f"{self._title}: another process computes it; waiting")

    def finish(self, outcome: str, computed: bool = True) -> None:
        """The run has ended."""
        if computed:  # what is reused takes no time, and says nothing of the rest
            self._computed_work += self._work[self._done]
        self._done += 1
        self._end = self._expected_end()
        width = len(str(len(self._work)))
        self._say(f"[{self._done:>{width}}/{len(self._work)}] {self._title:<28} {outcome}")
        self._bars.update(self._whole, completed=self._done, note=self._note())

    def finish_variant(self, outcome: str) -> None:
        """A run has ended that nobody could foresee; it is not counted."""
        width = 2 * len(str(len(self._work))) + 3
        self._say(f"{'variant':>{width}} {self._title:<28} {outcome}")

    def _expected_end(self) -> float | None:
        """When all will be done, at the speed of what has been computed."""
        if not self._computed_work:
            return None
        now = time.perf_counter()
        seconds_per_work = (now - self._started) / self._computed_work
        return now + seconds_per_work * sum(self._work[self._done :])

    def _note(self) -> str:
        note = f"{self._done}/{len(self._work)}"
        if self._end is None:
            return note
        left = max(0, round(self._end - time.perf_counter()))
        return f"{note}  about {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"

    def _say(self, line: str) -> None:
        print_wide(self._console, line)
