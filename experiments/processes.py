"""Processes that this program starts, watches and ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess

import psutil


def end(process: BaseProcess) -> None:
    """End a process and those that it has started."""
    for each in _tree(process)[1:]:
        with suppress(psutil.NoSuchProcess):
            each.kill()
    process.kill()
    process.join()


def resident_bytes(process: BaseProcess) -> int:
    """Memory of a process and those that it has started."""
    total = 0
    for each in _tree(process):
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            total += each.memory_info().rss
    return total


def how_it_ended(process: BaseProcess) -> str:
    """In words, of a process that has ended."""
    code = process.exitcode or 0
    if code < 0:
        return f"was ended by signal {-code} ({signal.strsignal(-code)})"
    return f"ended by itself with exit code {code}"


def end_with_parent() -> None:
    """From now on this process ends when the one that started it does, however that ends."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()


@contextmanager
def interrupts_withheld() -> Iterator[None]:
    """A process that is started here gets no Ctrl-C: its parent does, and then ends it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _tree(process: BaseProcess) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        first = psutil.Process(process.pid)
        return [first, *first.children(recursive=True)]
    return []


def _wait_for_parent() -> None:
    """A method may never come back, and nobody would be left to end it."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
