"""Tasks on Dask: on a worker in this process, or on those of a cluster that is running.

What fits where is chosen here, for in a worker's own queue a large task keeps smaller ones from the
room that it does not fit in itself. Dask tells which workers there are, carries tasks to them, and
counts their memory, so that several studies on one cluster do not exceed it together.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import distributed
import joblib

from experiments.engines.attend import attend
from experiments.engines.folder import TaskFolder
from experiments.engines.pool import Attempt
from experiments.engines.settings import EngineSettings
from experiments.engines.survey import Work
from experiments.errors import UsageError
from mlmlm.memory import available_bytes

MEMORY = "MEM"  # the resource of a worker, in bytes
_PATIENCE = 10.0  # seconds, for a scheduler to answer
_PATIENCE_FOR_WORKERS = 60.0
_SECONDS_BETWEEN_QUESTIONS = 1.0


@dataclass
class _Room:
    """What a worker has."""

    slots: int
    memory: int
    is_counted: bool  # by Dask, too


class DaskPool:
    """A cluster, and the tasks of a study that run on it."""

    outlives = False

    def __init__(self, settings: EngineSettings) -> None:
        for name in ("distributed", "distributed.client", "distributed.gc"):  # levels of their own
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told below
        self._cluster: Any = None
        self._where: dict[Attempt, tuple[str, int]] = {}
        self._futures: dict[Attempt, Any] = {}
        if settings.address is None:
            workers = settings.workers or joblib.cpu_count()
            self.threads = settings.threads or max(1, joblib.cpu_count() // workers)
            self._cluster = _local_cluster(workers * self.threads, settings.memory)
        else:
            self.threads = settings.threads or 1
        self._address = settings.address or self._cluster.scheduler_address
        self._client = _connect(self._cluster or self._address)
        self.headline = f"dashboard {self._client.dashboard_link}"  # a dead scheduler tells none
        self._asked = -math.inf
        self._answered = self._had_workers = time.monotonic()
        self._workers: dict[str, _Room] = {}
        self._look_for_workers()

    def memory(self, work: Work) -> int:
        """No task can have more than the largest worker has."""
        return min(work.need.memory, max(room.memory for room in self._workers.values()))

    def choose(self, waiting: Sequence[Attempt]) -> list[Attempt]:
        """The first that fits somewhere, the next that fits beside it, and so on."""
        self._look_for_workers()
        free = {address: [room.slots, room.memory] for address, room in self._workers.items()}
        for address, memory in self._where.values():
            if address in free:
                free[address][0] -= 1
                free[address][1] -= memory
        chosen = []
        for attempt in waiting if self._workers else ():
            memory = self.memory(attempt.work)
            for address, (slots, left) in free.items():
                if slots > 0 and left >= memory:
                    free[address] = [slots - 1, left - memory]
                    self._where[attempt] = address, memory
                    chosen.append(attempt)
                    break
        return chosen

    def start(self, attempts: Sequence[Attempt]) -> None:
        for attempt in attempts:
            address, memory = self._where[attempt]
            self._futures[attempt] = self._client.submit(
                attend,
                str(attempt.folder.path),
                workers=[address],
                resources={MEMORY: memory} if self._workers[address].is_counted else None,
                pure=False,
            )

    def lost(self, running: Sequence[Attempt]) -> dict[Attempt, str]:
        self._look_for_workers()
        lost = {}
        for attempt in running:
            future = self._futures[attempt]
            if self._where[attempt][0] not in self._workers:
                lost[attempt] = "its worker was lost"
            elif future.status == "error":
                lost[attempt] = f"its worker says: {future.exception()!r}"
            elif future.done():
                lost[attempt] = "its worker let go of it"
        return lost

    def forget(self, attempt: Attempt) -> None:
        del self._where[attempt]
        self._futures.pop(attempt).cancel()

    def still_running(self, folders: Sequence[TaskFolder]) -> list[TaskFolder]:
        """None that this study could wait for: Dask forgets what a client that is gone wanted."""
        return []

    def cancel(self, running: Sequence[Attempt]) -> None:
        for attempt in running:
            self._futures[attempt].cancel()

    def close(self) -> None:
        self._client.close(timeout=1)
        if self._cluster is not None:
            self._cluster.close(timeout=5)

    def _look_for_workers(self) -> None:
        """Ask which workers there are; without a scheduler, or without any, there is no study."""
        now = time.monotonic()
        if now - self._asked < _SECONDS_BETWEEN_QUESTIONS:
            return
        self._asked = now
        found = self._ask_scheduler()
        if found is not None:
            self._answered = now
            self._workers = {name: _room(each, self.threads) for name, each in found.items()}
        elif now - self._answered > _PATIENCE:
            raise UsageError(
                f"the Dask scheduler at {self._address} does not answer any more; when it runs "
                "again, the same command goes on"
            )
        if any(room.slots for room in self._workers.values()):
            self._had_workers = now
        elif now - self._had_workers > _PATIENCE_FOR_WORKERS:
            raise UsageError(
                f"the Dask cluster at {self._address} has no worker with {self.threads} threads; "
                "when it has, the same command goes on"
            )

    def _ask_scheduler(self) -> dict[str, Any] | None:
        """The workers by their addresses; None if nobody answers."""
        if self._client.status != "running":
            return None
        try:
            # Not by scheduler_info: that may give what the client asks by itself, without workers.
            identity = self._client.sync(
                self._client.scheduler.identity, n_workers=-1, callback_timeout=_PATIENCE
            )
        except (OSError, TimeoutError):
            return None
        return dict(identity["workers"])


def _local_cluster(threads: int, memory: int | None) -> Any:
    """A scheduler and a worker, both in this process: each task is a process of its own anyway."""
    return distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=threads,
        processes=False,
        memory_limit=0,  # tasks have limits of their own
        resources={MEMORY: available_bytes() if memory is None else memory},
        dashboard_address=":0",
    )


def _connect(cluster: Any) -> Any:
    try:
        return distributed.Client(cluster, timeout=_PATIENCE)
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(
            f"engine.address={cluster}: no Dask scheduler answers there ({error})"
        ) from error


def _room(worker: dict[str, Any], threads: int) -> _Room:
    """What a worker says of itself; its memory by our resource if it has it."""
    counted = worker["resources"].get(MEMORY)
    memory = counted or worker["memory_limit"] or available_bytes()
    return _Room(worker["nthreads"] // threads, int(memory), counted is not None)
