"""A study in a process of its own, and the moment at which it is killed."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from hydra.core.global_hydra import GlobalHydra

from experiments import committed, study
from experiments.errors import run_command
from mlmlm.datasets._cache import CACHE_VARIABLE
from mlmlm.datasets._loading import ARFF_VARIABLE
from tests.harness import Answer, start

_PROCESSES = multiprocessing.get_context("fork")
_POLL_SECONDS = 0.002
_LIMIT_SECONDS = 300  # of a study of seconds


@dataclass(frozen=True)
class Place:
    """Where a study keeps its things."""

    root: Path
    output: str = "study"
    force: bool = False

    @property
    def runs(self) -> Path:
        return self.root / "runs"

    @property
    def study(self) -> Path:
        return self.root / self.output

    @property
    def locks(self) -> Path:
        """It is made when the first run begins."""
        return self.runs / ".locks"

    @property
    def arguments(self) -> list[str]:
        places = [f"results={self.runs}", f"output={self.study}"]
        return ["study=smoke", "report=false", *places, f"force={str(self.force).lower()}"]

    @property
    def variables(self) -> dict[str, str]:
        """A cache of its own, where the data are read from files and none has to be fetched."""
        beside = self.root.with_name(f"{self.root.name}-cache")
        return {CACHE_VARIABLE: str(beside)} if os.environ.get(ARFF_VARIABLE) else {}


class FileOperations:
    """Counts how often files below a folder are opened to write, renamed or removed."""

    _EVENTS = frozenset({"open", "os.rename", "os.remove", "os.mkdir"})

    def __init__(self) -> None:
        self._below: str | None = None
        self._fatal: int | None = None
        self.count = 0
        sys.addaudithook(self._hear)

    def watch(self, folder: Path, fatal: int | None = None) -> None:
        """Count from now on; before the fatal operation this process kills itself."""
        self._below, self._fatal, self.count = str(folder), fatal, 0

    def _hear(self, event: str, details: tuple[Any, ...]) -> None:
        if self._below is None or event not in self._EVENTS:
            return
        path = details[0]
        if not isinstance(path, str | Path) or not str(path).startswith(self._below):
            return
        if event == "open" and not details[2] & (os.O_WRONLY | os.O_RDWR):
            return
        self.count += 1
        if self.count == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)


OPERATIONS = FileOperations()


@dataclass(frozen=True)
class Moment:
    """When a process is killed; never without any of the three."""

    operation: int | None = None  # before this file operation
    after_start: float | None = None  # seconds
    after_first_lock: float | None = None  # seconds

    @classmethod
    def draw(cls, chance: random.Random, pace: Pace, fresh: bool = False) -> Moment:
        kind = chance.random()
        if kind < 1 / 2 and not fresh:
            return cls(operation=chance.randint(1, pace.operations))
        if kind < 9 / 10:
            return cls(after_first_lock=chance.uniform(0, pace.working))
        return cls(after_start=chance.uniform(0, pace.seconds))


@dataclass(frozen=True)
class Pace:
    """How long an undisturbed study takes, and how many file operations."""

    seconds: float
    working: float  # of them, from its first lock to its end
    operations: int


@dataclass
class Victim:
    """A study that runs, and may be killed."""

    place: Place
    log: Path
    moment: Moment = Moment()
    fresh: bool = False
    _process: Any = field(init=False)
    _started: float = field(init=False)
    _locked: float | None = field(init=False, default=None)

    def start(self) -> None:
        self._started = time.perf_counter()
        if self.fresh:
            self._process = start(
                "tests.kill_study.fresh", *self.place.arguments, **self.place.variables
            )
        else:
            self._process = _PROCESSES.Process(
                target=_study, args=(self.place, self.log, self.moment.operation)
            )
            self._process.start()

    def attend(self) -> bool:
        """Kill the process if its moment has come; whether it still runs."""
        now = time.perf_counter()
        if self._locked is None and self.place.locks.exists():
            self._locked = now
        if self._is_due(now):
            os.kill(self._process.pid, signal.SIGKILL)
        assert now - self._started < _LIMIT_SECONDS, "the study does not get on"
        return self._code() is None

    def answer(self) -> Answer:
        """What a process said that has ended."""
        if self.fresh:
            out, err = self._process.communicate()
        else:
            out, err = "", self.log.read_text() if self.log.exists() else ""
        return Answer(self._code(), out, err)

    def _is_due(self, now: float) -> bool:
        if self._code() is not None:
            return False
        if self.moment.after_start is not None:
            return now - self._started >= self.moment.after_start
        if self.moment.after_first_lock is not None and self._locked is not None:
            return now - self._locked >= self.moment.after_first_lock
        return False

    def _code(self) -> int | None:
        if isinstance(self._process, subprocess.Popen):
            return self._process.poll()
        return self._process.exitcode


def attend(victims: Sequence[Victim]) -> list[Answer]:
    """Wait until all have ended, by themselves or killed."""
    while any([victim.attend() for victim in victims]):
        time.sleep(_POLL_SECONDS)
    return [victim.answer() for victim in victims]


def was_killed(answer: Answer) -> bool:
    return answer.code == -signal.SIGKILL


def run_here(place: Place) -> int:
    """Run a study in this process; gives its exit code."""
    os.environ.update(place.variables)
    sys.argv = ["study", *place.arguments]
    GlobalHydra.instance().clear()
    try:
        run_study()
    except SystemExit as stopped:
        return int(stopped.code or 0)


def run_study() -> NoReturn:
    """The study that the command line asks for; none of its runs is taken as done already."""
    committed.COMMITTED = Path(os.devnull)
    run_command(study.main)


def _study(place: Place, log: Path, fatal: int | None) -> None:
    """What a forked process does."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    OPERATIONS.watch(place.root, fatal)
    sys.exit(run_here(place))
