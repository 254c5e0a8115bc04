"""A study on a pool: tasks are started as there is room, and how they ended is read from the store.

Largest tasks go first, and smaller ones fill the gaps. A task whose worker was lost is tried once
more. Of one that died, by its memory or by itself, the runs that had not ended have failed.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments.endings import Ending, Failed, Skipped
from experiments.engines.estimates import Estimates
from experiments.engines.folder import Session, TaskFolder
from experiments.engines.pool import Attempt, Pool
from experiments.engines.survey import Ledger, Run, Work
from experiments.engines.task import in_words, without_record
from experiments.engines.worker import Job
from experiments.errors import UsageError
from experiments.execute import find
from experiments.store import Store, StoreError, told
from experiments.terminal.tasks_display import TasksDisplay

_POLL_SECONDS = 0.2
_ATTEMPTS = 2
_PATIENCE = 5.0  # seconds, for tasks to notice that they are cancelled


class TaskError(UsageError):
    """The process of a task did not come to its end; the message says why."""


class Schedule:
    """All tasks of a study."""

    def __init__(
        self,
        ledgers: Sequence[Ledger],
        store: Store,
        force: bool,
        estimates: Estimates,
        pool: Pool,
        display: TasksDisplay,
    ) -> None:
        self._ledgers = list(ledgers)
        self._store = store
        self._force = force
        self._estimates = estimates
        self._pool = pool
        self._display = display
        self._waiting: list[Attempt] = []
        self._running: list[Attempt] = []
        self._session: Session | None = None  # a store that is complete need not be written to
        self._others: list[Session] = []  # of studies that are gone, whose tasks go on

    def run(self) -> Iterator[list[Ending]]:
        """See everything done; gives how the runs of each dataset ended when it is finished."""
        for ledger in self._ledgers:
            for name, ending in ledger.endings.items():
                self._display.finish(f"{ledger.dataset.name_and_split} {name}", in_words(ending))
            self._add(ledger, ledger.tasks(self._estimates))
        self._adopt()
        while self._ledgers:
            yield from self._finished_datasets()
            self._start()
            self._wait()
        self._end()

    def finish_running(self) -> None:
        """Wait for what is running, and start nothing else."""
        while self._running:
            self._wait()
        self._end()

    def cancel(self) -> None:
        """End what is running."""
        for attempt in self._running:
            attempt.folder.cancel()
        self._pool.cancel(self._running)
        limit = time.monotonic() + _PATIENCE
        while time.monotonic() < limit and not all(map(_has_ended, self._running)):
            time.sleep(_POLL_SECONDS)
        self._end()

    def leave(self) -> None:
        """Let it run: the same command finds it again."""
        for session in self._sessions:
            session.leave()

    @property
    def is_running(self) -> bool:
        return bool(self._running)

    def _add(self, ledger: Ledger, works: Iterable[Work]) -> None:
        for work in works:
            self._waiting.append(Attempt(work, ledger, self._new_folder()))
            self._display.add_work(work.need.seconds)
        # One that is long and begins late is waited for by everybody.
        self._waiting.sort(key=lambda each: -each.work.need.seconds)

    def _adopt(self) -> None:
        """Go on with tasks of a study that is gone, where they are still running."""
        for session in Session.abandoned(self._store.root):
            alive = self._pool.still_running(session.folders())
            jobs = [(folder, folder.job()) for folder in alive]
            for attempt in list(self._waiting):
                wanted = self._job(attempt)
                for folder, job in jobs:
                    if job.does_all_of(wanted):
                        attempt.folder = folder
                        self._begin(attempt)
                        break
            if any(each.folder.path.parent == session.path for each in self._running):
                self._others.append(session)
            elif not all(folder.is_done for folder in alive):
                session.leave()  # (Slurm may call a job running that has done its work.)
            else:
                session.remove()

    def _finished_datasets(self) -> Iterator[list[Ending]]:
        for ledger in list(self._ledgers):
            if any(each.ledger is ledger for each in (*self._waiting, *self._running)):
                continue
            for name, ending in ledger.take_known_variants():
                self._display.finish_variant(
                    f"{ledger.dataset.name_and_split} {name}", in_words(ending)
                )
            self._add(ledger, ledger.tasks_of_variants(self._estimates))
            if not any(each.ledger is ledger for each in self._waiting):
                self._ledgers.remove(ledger)
                yield ledger.all_endings()

    def _start(self) -> None:
        chosen = self._pool.choose(self._waiting)
        for attempt in chosen:
            memory = self._pool.memory(attempt.work)
            attempt.folder.create(self._job(attempt), self._pool.threads, memory)
        self._pool.start(chosen)
        for attempt in chosen:
            self._begin(attempt)

    def _job(self, attempt: Attempt) -> Job:
        return Job.from_here(attempt.work.task, self._store, self._force)

    def _begin(self, attempt: Attempt) -> None:
        attempt.began = time.monotonic()
        self._waiting.remove(attempt)
        self._running.append(attempt)

    def _wait(self) -> None:
        """Take notice of what has ended and of what is lost; else let a moment pass."""
        lost = self._pool.lost(self._running)
        ended = []
        for attempt in self._running:
            done = attempt.folder.read("done")  # asked after the pool: what has ended is not lost
            self._take_endings(attempt)
            if done is not None or attempt in lost:
                ended.append((attempt, done))
        for attempt, done in ended:
            self._running.remove(attempt)
            self._pool.forget(attempt)
            attempt.folder.remove()
            if done is None:
                self._try_again_or_fail(attempt, lost[attempt])
            else:
                self._fail_rest(attempt, done["died"] or "its process told of no end")
        self._display.show(self._running, self._waiting, self._pool.headline)
        if not ended and (self._running or self._waiting):
            time.sleep(_POLL_SECONDS)

    def _take_endings(self, attempt: Attempt) -> None:
        ledger = attempt.ledger
        for line in attempt.folder.endings():
            if "unusable" in line:
                raise StoreError(line["unusable"])
            name = line["run"]
            if ledger.has_ended(name):
                continue
            ending = self._ending(ledger, attempt.work.all_runs[name], line)
            if ending is not None:
                self._note(ledger, name, ending)

    def _ending(self, ledger: Ledger, run: Run, line: dict[str, Any]) -> Ending | None:
        """How a run ended; None if its record is gone."""
        dataset, name = ledger.dataset, run.method.name_and_seed
        if "failed" in line:
            file = Path(line["file"])
            return Failed(dataset.name, name, line["failed"], dataset.split_name, file=file)
        if "skipped" in line:
            return Skipped(dataset.name, name, line["skipped"], dataset.split_name)
        found = find(run.key, self._store)
        return found and replace(found, reused=line["reused"], note=line["note"])

    def _note(self, ledger: Ledger, name: str, ending: Ending) -> None:
        title, outcome = f"{ledger.dataset.name_and_split} {name}", in_words(ending)
        if ledger.note(name, ending):
            self._display.finish_variant(title, outcome)
        else:
            self._display.finish(title, outcome)

    def _try_again_or_fail(self, attempt: Attempt, reason: str) -> None:
        left = attempt.ledger.left_of(attempt.work, self._estimates)
        if left is not None and attempt.number < _ATTEMPTS:
            self._display.say(f"{attempt.work.title}: {reason}; it is tried again")
            again = Attempt(left, attempt.ledger, self._new_folder(), attempt.number + 1)
            self._waiting.insert(0, again)
            self._display.add_work(left.need.seconds)
        else:
            self._fail_rest(attempt, f"{reason}, {attempt.number} times")

    def _fail_rest(self, attempt: Attempt, reason: str) -> None:
        """What a task that has ended tells nothing of has failed."""
        ledger = attempt.ledger
        for name, run in attempt.work.runs.items():
            if not ledger.has_ended(name):
                error = TaskError(f"method {run.method.name!r}: {reason}")
                failed = without_record(
                    self._store, ledger.dataset, run.method, run.key.path, error
                )
                self._note(ledger, name, failed)

    def _end(self) -> None:
        for session in self._sessions:
            session.remove()

    @property
    def _sessions(self) -> list[Session]:
        return self._others if self._session is None else [self._session, *self._others]

    def _new_folder(self) -> TaskFolder:
        if self._session is None:
            with told(self._store.root, "choose another store with results=..."):
                self._session = Session.begin(self._store.root)
        return self._session.new_folder()


def _has_ended(attempt: Attempt) -> bool:
    return attempt.folder.is_done
