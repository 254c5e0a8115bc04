"""Who wants to know how far a long computation is can listen to it.

The library reports phases. A listener is heard through pipelines, cross validation and clones,
because it belongs to the calling context, not to an estimator::

    with listen(lambda phase, done, total: print(phase, f"{done / total:.0%}")):
        model.fit(X, Y)

It does not reach other processes, such as those of ``GridSearchCV(n_jobs=2)``. A classifier with
``verbose=True`` does: it says itself how far it is, on standard error (`narrated`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum

Listener = Callable[[str, float, float], None]
"""Called with the name of the phase, the work done and the whole work of that phase."""


class PhaseName(StrEnum):
    """The phases that are reported, each by the one name it has in progress, records and tables.

    `DistanceRegression` reports the first eight, `MultiLabelMLM` the next three; the others are the
    parts of a run, for programs that announce them with `phase`.
    """

    CHOICE = "choice of references"
    DISTANCES = "distances"
    GRAM = "gram"
    CHOLESKY = "cholesky"
    SOLVE = "solve"
    LEVERAGE = "leverage"
    COEFFICIENTS = "coefficients"
    PREDICTED_DISTANCES = "predicted distances"

    TUNING = "tuning"
    THRESHOLD = "threshold"
    CALIBRATION = "calibration"

    SCALING = "scaling"
    REGRESSION = "regression"
    SEARCH = "search"
    FIT = "fit"
    PREDICTION = "prediction"
    METRICS = "metrics"


_listener: ContextVar[Listener | None] = ContextVar("mlmlm_progress_listener", default=None)


@contextmanager
def listen(listener: Listener) -> Iterator[None]:
    """Hear the phases of everything computed within the context.

    Each phase begins with ``done == 0`` and ends with ``done == total``. What the listener raises
    ends the computation, so it can also cancel.
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def narrated(who: str, doing: str) -> Iterator[None]:
    """Say on standard error how far the phases within the context are, and how long all took.

    Others who listen hear them as well.
    """
    outer, narrator, began = _listener.get(), _Narrator(who), time.perf_counter()

    def hear(name: str, done: float, total: float) -> None:
        narrator.hear(name, done, total)
        if outer is not None:
            outer(name, done, total)

    with listen(hear):
        yield
    narrator.say(f"{doing} took {time.perf_counter() - began:.1f} s")


class _Narrator:
    """Lines on standard error, for a phase that takes long one every few seconds."""

    interval = 2.0
    """Seconds between two lines."""

    def __init__(self, who: str) -> None:
        self._who = who

    def hear(self, name: str, done: float, total: float) -> None:
        now = time.perf_counter()
        if done == 0:
            self._began = self._said = now
        elif now - self._said >= self.interval or (done == total and self._said > self._began):
            self._said, elapsed = now, now - self._began
            left = elapsed * (total - done) / done
            self.say(f"{name}: {done / total:.0%}, {elapsed:.0f} s, about {left:.0f} s left")

    def say(self, what: str) -> None:
        print(f"[{self._who}] {what}", file=sys.stderr, flush=True)


@contextmanager
def phase(name: str, total: float) -> Iterator[Callable[[float], None]]:
    """Announce a phase; the value given is called with each bit of work as it is done."""
    listener = _listener.get()
    done = 0.0

    def tick(work: float) -> None:
        nonlocal done
        done = min(done + work, total)
        # The end is announced once, when the phase is left.
        if listener is not None and done < total:
            listener(name, done, total)

    if listener is not None:
        listener(name, 0.0, total)
    yield tick
    if listener is not None:
        listener(name, total, total)
