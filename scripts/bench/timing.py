"""Seconds of named steps, as the best of several repetitions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

Seconds = dict[str, float]

# Short measurements are repeated until this many seconds or repetitions; longer ones run once.
ENOUGH_SECONDS = 5.0
MOST_REPETITIONS = 7


class Stopwatch:
    """Times named steps, and, as a listener of `mlmlm.progress`, the library's phases."""

    def __init__(self) -> None:
        self.seconds: Seconds = {}
        self._began: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a block; the times of several blocks of one name add up."""
        began = time.perf_counter()
        yield
        self._add(name, began)

    def hear(self, phase: str, done: float, total: float) -> None:
        """Note the beginning and the end of a phase."""
        if done == 0:
            self._began[phase] = time.perf_counter()
        if done == total:
            self._add(phase, self._began[phase])

    def _add(self, name: str, began: float) -> None:
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began


def best_of(run: Callable[[], Mapping[str, float]]) -> Seconds:
    """The smallest time of each step over repetitions of a run that times its steps."""
    began = time.perf_counter()
    best = dict(run())
    for _ in range(MOST_REPETITIONS - 1):
        if time.perf_counter() - began > ENOUGH_SECONDS:
            break
        again = run()
        best = {name: min(seconds, again[name]) for name, seconds in best.items()}
    return best


def best_seconds(function: Callable[[], object]) -> float:
    """The smallest time that one call took."""

    def run() -> Seconds:
        watch = Stopwatch()
        with watch.step("call"):
            function()
        return watch.seconds

    return best_of(run)["call"]
