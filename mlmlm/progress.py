"""Who wants to know how far a long computation is can listen to it.

The library reports phases; it prints nothing itself. A listener is heard through pipelines, cross
validation and clones, because it belongs to the calling context, not to an estimator::

    with listen(lambda phase, done, total: print(phase, f"{done / total:.0%}")):
        model.fit(X, Y)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum

Listener = Callable[[str, float, float], None]
"""Called with the name of the phase, the work done and the whole work of that phase."""


class PhaseName(StrEnum):
    """The phases that are reported, each by the one name it has in progress, records and tables.

    `DistanceRegression` reports the first eight, `MultiLabelMLM` the next two; the others are the
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
