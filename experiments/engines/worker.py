"""What the process of a task does: take on the settings of the study, run, tell."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from experiments.endings import Ending, Failed, Skipped
from experiments.engines.folder import TaskFolder
from experiments.engines.task import Task, run_task
from experiments.processes import end_with_parent
from experiments.store import Store, StoreError

_SECONDS_BETWEEN_WORDS = 0.5
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "LOKY_MAX_CPU_COUNT")
_OURS = "MLMLM_"


@dataclass(frozen=True)
class Job:
    """A task, where its records go, and the surroundings that a user's files are found in."""

    task: Task
    store: Path
    force: bool
    folder: str
    import_path: Sequence[str]
    variables: Mapping[str, str]

    @classmethod
    def from_here(cls, task: Task, store: Store, force: bool) -> Job:
        variables = {name: os.environ[name] for name in os.environ if name.startswith(_OURS)}
        return cls(task, store.root, force, os.getcwd(), list(sys.path), variables)

    def does_all_of(self, other: Job) -> bool:
        """Whether this job leaves nothing of the other to be done."""
        mine, theirs = self.task, other.task
        same_data = mine.dataset == theirs.dataset and self.store == other.store
        return (
            same_data
            and self.force == other.force
            and all(method in mine.methods for method in theirs.methods)
        )

    def enter(self) -> None:
        os.chdir(self.folder)
        sys.path[:] = self.import_path
        os.environ.update(self.variables)


class Reporter:
    """Hears of the runs of a task, and writes down what it is doing."""

    def __init__(self, folder: TaskFolder) -> None:
        self._folder = folder
        self.run = ""
        self._last = 0.0

    def start(self, dataset: str, method: str) -> None:
        self.run = method
        self._tell("", 0.0)

    def show_phase(self, phase: str, done: float, total: float) -> None:
        if done == 0 or time.monotonic() - self._last > _SECONDS_BETWEEN_WORDS:
            self._tell(phase, done / total if total else 1.0)

    def waiting(self) -> None:
        self._tell("another process computes it; waiting", 0.0)

    def finish(self, outcome: str, computed: bool = True) -> None: ...

    def finish_variant(self, outcome: str) -> None: ...

    def _tell(self, phase: str, share: float) -> None:
        self._last = time.monotonic()
        self._folder.write("phase", {"run": self.run, "phase": phase, "share": share})


def work(folder: TaskFolder) -> None:
    """Run the task of a folder in this process."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the study hears it, and decides
    limits = folder.read("limits")
    if limits is None:  # the study is gone, and nobody waits for it
        return
    job: Job = folder.job()
    job.enter()
    os.environ.update(dict.fromkeys(_THREADS, str(limits["threads"])))  # of what it starts
    _print_into(folder.path / "output.txt")
    with threadpool_limits(limits["threads"]):
        _run(job, folder)


def _run(job: Job, folder: TaskFolder) -> None:
    reporter = Reporter(folder)
    try:
        for ending in run_task(job.task, Store(job.store), None, job.force, reporter):
            folder.add_ending({"run": reporter.run} | _as_json(ending))
    except StoreError as error:
        folder.add_ending({"run": reporter.run, "unusable": str(error)})


def _as_json(ending: Ending) -> dict[str, Any]:
    """How a run ended; its record is in the store."""
    if isinstance(ending, Failed):
        return {"failed": ending.reason, "file": str(ending.file)}
    if isinstance(ending, Skipped):
        return {"skipped": ending.reason}
    return {"reused": ending.reused, "note": ending.note}


def _print_into(path: Path) -> None:
    """What methods print is not for the terminal of whoever runs the worker."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for standard in (1, 2):
        os.dup2(handle, standard)
