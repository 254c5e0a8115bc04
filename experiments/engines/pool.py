"""What a schedule asks of those who run its tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from experiments.engines.folder import TaskFolder
from experiments.engines.survey import Ledger, Work


@dataclass(eq=False)
class Attempt:
    """A task that is given to a pool, for the first time or again."""

    work: Work
    ledger: Ledger
    folder: TaskFolder
    number: int = 1
    began: float = 0.0


class Pool(Protocol):
    """Where tasks run."""

    threads: int  # of each task
    outlives: bool  # whether tasks go on without the study

    @property
    def headline(self) -> str:
        """What a user may want to know of it; empty where there is nothing."""

    def memory(self, work: Work) -> int:
        """The bytes that a task is held to."""

    def choose(self, waiting: Sequence[Attempt]) -> list[Attempt]:
        """Those that there is room for now."""

    def start(self, attempts: Sequence[Attempt]) -> None:
        """Start what was chosen."""

    def lost(self, running: Sequence[Attempt]) -> dict[Attempt, str]:
        """Those that do not run any more, and why."""

    def forget(self, attempt: Attempt) -> None:
        """It has ended, and there is room for another."""

    def still_running(self, folders: Sequence[TaskFolder]) -> list[TaskFolder]:
        """Those of a study that is gone whose tasks are still going on."""

    def cancel(self, running: Sequence[Attempt]) -> None: ...

    def close(self) -> None: ...
