"""One case: a damaged file is given to its reader, and the answer is judged."""

from __future__ import annotations

import enum
import random
import resource
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import psutil

from tests.fuzz.mutation import mutate

# Of the processor, not of the clock: a busy machine is not a hang.
TIME_LIMIT_SECONDS = 5.0
MEMORY_LIMIT_BYTES = 512 * 2**20


class Outcome(enum.Enum):
    """What came of a case; the first two are right."""

    LOADED = "loaded right"
    NAMED = "named error"
    WRONG = "loaded wrong"
    OTHER = "other exception"
    HANG = "hang"
    MEMORY = "memory blow-up"

    @property
    def is_right(self) -> bool:
        return self in (Outcome.LOADED, Outcome.NAMED)


class WrongContentError(Exception):
    """A file was loaded, and its content is not what an independent reader finds in it."""


@dataclass(frozen=True)
class Target:
    """One kind of file.

    Parameters
    ----------
    name : str
        Name on the command line.
    samples : sequence of bytes
        Sound files, small and varied.
    tokens : sequence of bytes
        Words of the format.
    load : callable
        Takes a content and an empty folder for files. Gives back nothing where the content was
        loaded and found right; raises ``WrongContentError`` where it is wrong, one of ``named``
        where it is refused.
    named : tuple of exception types
        The errors of ours that refuse a file, which must be one line.
    share : float, default=1
        Weight of the target in the mix.
    """

    name: str
    samples: Sequence[bytes]
    tokens: Sequence[bytes]
    load: Callable[[bytes, Path], None]
    named: tuple[type[Exception], ...]
    share: float = 1

    def case(self, seed: int, number: int) -> bytes:
        """The damaged content of a case: the same for the same seed and number."""
        rng = random.Random(f"{seed}/{self.name}/{number}")
        return mutate(rng.choice(self.samples), rng, self.tokens, self.samples)


@dataclass(frozen=True)
class Verdict:
    """What came of a case, and the exception that says so."""

    outcome: Outcome
    error: BaseException | None = None


def judge(target: Target, content: bytes, folder: Path) -> Verdict:
    """Load a content within limits of time and memory, and judge the answer."""
    peak = _peak_memory()
    try:
        with _time_limit(TIME_LIMIT_SECONDS), _memory_limit(MEMORY_LIMIT_BYTES):
            target.load(content, folder)
    except _TimeIsUp as error:
        return Verdict(Outcome.HANG, error)
    except WrongContentError as error:
        return Verdict(Outcome.WRONG, error)
    except Exception as error:
        if any(isinstance(cause, MemoryError) for cause in _chain(error)):
            return Verdict(Outcome.MEMORY, error)
        if isinstance(error, target.named) and len(str(error).splitlines()) == 1:
            return _unless_memory_grew(peak, Verdict(Outcome.NAMED, error))
        return Verdict(Outcome.OTHER, error)
    return _unless_memory_grew(peak, Verdict(Outcome.LOADED))


class _TimeIsUp(BaseException):
    """No Exception, so that no reader takes it for a fault of the file."""


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def stop(signal_number: int, frame: FrameType | None) -> None:
        raise _TimeIsUp(f"no answer after {seconds} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def _memory_limit(more: int) -> Iterator[None]:
    """No more address space than there is now and ``more``; asking for it is a MemoryError."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    now = psutil.Process().memory_info().vms
    resource.setrlimit(resource.RLIMIT_AS, (now + more, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


def _unless_memory_grew(before: int, verdict: Verdict) -> Verdict:
    """Notice memory that a reader took within the limit and gave back."""
    if _peak_memory() - before > MEMORY_LIMIT_BYTES // 2:
        return Verdict(Outcome.MEMORY, verdict.error)
    return verdict


def _peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
