"""Seconds and peak memory of each phase that a computation reports.

Time is counted for the innermost phase, so the phases of a run add up to its whole time. Memory is
the resident set of the process, sampled by a thread; NumPy releases the interpreter lock in its
long operations, so samples are taken during them too.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil

from mlmlm.progress import Listener, listen

_SAMPLING_SECONDS = 0.02
_MEGABYTE = 1e6


@dataclass(frozen=True)
class Phase:
    """What one phase took; a shared one was done once for several methods of a dataset."""

    name: str
    seconds: float
    peak_mb: float
    shared: bool = False


class PhaseMeter:
    """A listener that measures the phases it hears; `phases` holds them in order of appearance."""

    def __init__(self, also: Listener | None = None) -> None:
        self._also = also
        self._open: list[str] = []
        self._seconds: dict[str, float] = {}
        self._peak: dict[str, int] = {}
        self._since = time.perf_counter()
        self._process = psutil.Process()
        self._lock = threading.Lock()

    def __call__(self, name: str, done: float, total: float) -> None:
        with self._lock:
            if name not in self._open:
                self._account()
                self._open.append(name)
                self._seconds.setdefault(name, 0.0)
                self._sample()
            elif done >= total:
                self._sample()
                self._account()
                self._open.remove(name)
        if self._also is not None:
            self._also(name, done, total)

    def sample(self) -> None:
        """Look at the memory now."""
        with self._lock:
            self._sample()

    def phases(self, shared: bool = False) -> tuple[Phase, ...]:
        return tuple(
            Phase(name, seconds, self._peak[name] / _MEGABYTE, shared)
            for name, seconds in self._seconds.items()
        )

    def _account(self) -> None:
        now = time.perf_counter()
        if self._open:
            self._seconds[self._open[-1]] += now - self._since
        self._since = now

    def _sample(self) -> None:
        if self._open:
            name = self._open[-1]
            self._peak[name] = max(self._peak.get(name, 0), self._process.memory_info().rss)


@contextmanager
def measured(also: Listener | None = None) -> Iterator[PhaseMeter]:
    """Measure the phases of everything computed within the context; ``also`` hears them too."""
    meter = PhaseMeter(also)
    finished = threading.Event()

    def watch() -> None:
        while not finished.wait(_SAMPLING_SECONDS):
            meter.sample()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        with listen(meter):
            yield meter
    finally:
        finished.set()
        watcher.join()
