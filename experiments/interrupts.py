"""Ctrl-C at any moment of a command: one line, and the exit code of an interrupt.

Python raises ``KeyboardInterrupt`` wherever it happens to be. While a command does its work that is
right, because what is open must be closed. But it spends its first seconds on imports, in which an
interrupt may be lost in a callback or come out of a half-made extension as another error; there is
nothing to close then, so the process simply ends.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

INTERRUPTED = 130  # as shells have it: 128 and the number of the signal


def end_at_once() -> None:
    """From now on an interrupt ends the process."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # of a job in the background
        signal.signal(signal.SIGINT, _end)


@contextmanager
def raised() -> Iterator[None]:
    """Meanwhile an interrupt is raised, as usual."""
    before = signal.getsignal(signal.SIGINT)
    if before is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if before is _end:
            signal.signal(signal.SIGINT, _end)


def _end(number: int, frame: FrameType | None) -> None:
    with suppress(Exception):  # it may be in the midst of writing
        sys.stdout.flush()
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)
