"""The folders by which a study and the processes of its tasks talk.

::

    <store>/.tasks/<session>/lock              held by the study that has started the tasks
                             <number>/job.pickle      what is to be run
                                      limits.json     threads and bytes
                                      slurm_job       its number, where Slurm runs it
                                      phase.json      what the task is doing
                                      memory.json     and how much memory that takes
                                      endings.jsonl   a line for each run that has ended
                                      cancel          the study wants it ended
                                      done.json       its process has ended, and how

Nothing here is needed to go on: what counts is in the store. So whoever writes does not mind that
the folder is gone, and a session whose study is gone is removed by the next one.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

TASKS = ".tasks"
_LOCK = "lock"


class TaskFolder:
    """The folder of one attempt at a task."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def create(self, job: Any, threads: int, memory: int) -> None:
        self.path.mkdir(parents=True)
        (self.path / "job.pickle").write_bytes(pickle.dumps(job))
        self.write("limits", {"threads": threads, "memory": memory})

    def job(self) -> Any:
        return pickle.loads((self.path / "job.pickle").read_bytes())

    def write(self, name: str, content: dict[str, Any]) -> None:
        """Replace one of the JSON files, so that it is never seen half-written."""
        with suppress(FileNotFoundError):
            new = self.path / f"{name}.new"
            new.write_text(json.dumps(content))
            os.replace(new, self.path / f"{name}.json")

    def read(self, name: str) -> dict[str, Any] | None:
        try:
            return dict(json.loads((self.path / f"{name}.json").read_text()))
        except FileNotFoundError:
            return None

    @property
    def is_done(self) -> bool:
        """Whether the task has ended, well or not."""
        return self.read("done") is not None

    def add_ending(self, ending: dict[str, Any]) -> None:
        with suppress(FileNotFoundError), (self.path / "endings.jsonl").open("a") as file:
            file.write(json.dumps(ending) + "\n")

    def endings(self) -> list[dict[str, Any]]:
        """Those written so far; a line that is still being written is not."""
        try:
            lines = (self.path / "endings.jsonl").read_text().splitlines(keepends=True)
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def cancel(self) -> None:
        with suppress(FileNotFoundError):
            (self.path / "cancel").touch()

    @property
    def is_cancelled(self) -> bool:
        """Nobody waits for what has no folder any more, but what it computes is still of use."""
        return (self.path / "cancel").exists()

    @property
    def slurm_job(self) -> str | None:
        with suppress(FileNotFoundError):
            return (self.path / "slurm_job").read_text()
        return None

    @slurm_job.setter
    def slurm_job(self, number: str) -> None:
        with suppress(FileNotFoundError):
            (self.path / "slurm_job").write_text(number)

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


class Session:
    """The task folders of one study, living as long as its process and, on Slurm, longer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = FileLock(path / _LOCK, fallback_to_soft=False)

    @classmethod
    def begin(cls, store: Path) -> Session:
        while True:  # another study may come between, and take it for an abandoned one
            session = cls(store / TASKS / os.urandom(4).hex())
            session.path.mkdir(parents=True)
            if session.take():
                return session

    @classmethod
    def abandoned(cls, store: Path) -> Iterator[Session]:
        """Those whose study is gone; they are taken, so that nobody else takes them."""
        for path in sorted((store / TASKS).glob("*")):
            session = cls(path)
            if session.take():
                yield session

    def take(self) -> bool:
        """Whether nobody else has it."""
        try:
            self._lock.acquire(blocking=False)
        except (Timeout, OSError):
            return False
        return True

    def folders(self) -> list[TaskFolder]:
        return [TaskFolder(path.parent) for path in sorted(self.path.glob("*/job.pickle"))]

    def new_folder(self) -> TaskFolder:
        return TaskFolder(self.path / os.urandom(4).hex())

    def leave(self) -> None:
        """Let another study take it."""
        self._lock.release()

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        self.leave()
        with suppress(OSError):  # of a folder with other sessions
            self.path.parent.rmdir()
