"""A run with a time limit: in a process of its own, which can be ended whatever it is doing."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

import psutil

from experiments.choices import DatasetChoice, MethodChoice
from experiments.errors import UsageError, describe
from experiments.record import Record, read_record
from mlmlm.baselines import MissingExtraError

_LONGEST_WAIT = 3600.0  # seconds; the operating system cannot be asked to wait for months


class LimitError(UsageError):
    """A run took longer than it may."""


class ProcessError(UsageError):
    """A run failed in its own process; the cause has the traceback that it had there."""


class _Failure(NamedTuple):
    line: str
    trace: str
    is_extra: bool


def run_limited(dataset: DatasetChoice, method: MethodChoice) -> tuple[Record, bytes]:
    """Compute a run within the method's ``limit_seconds``, loading of data apart.

    Gives the record and its packed arrays. They are stored by the caller, who holds the lock: the
    other process may outlive this one, if this one is killed.
    """
    processes = multiprocessing.get_context("spawn")
    answers, sender = processes.Pipe(duplex=False)
    process = processes.Process(target=_run, args=(dataset, method, sender))
    with _interrupts_withheld():
        process.start()
    sender.close()
    try:
        _receive(answers, process, method)  # the data are loaded
        _wait(answers, method)
        record, arrays = _receive(answers, process, method)
    finally:
        _end(process)
    return read_record(record), arrays


def _run(dataset: DatasetChoice, method: MethodChoice, sender: Connection) -> None:
    """What the other process does: load, say so, compute, give the run."""
    from experiments.execute import Workbench  # it knows this module, too

    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        bench = Workbench(dataset, dataset.load())
        sender.send(None)
        record, arrays = bench.run(method)
        sender.send((record.to_json(), arrays))
    except BaseException as error:  # all that can be told must be told over there
        is_extra = isinstance(error.__cause__, MissingExtraError)
        sender.send(_Failure(describe(error), traceback.format_exc(), is_extra))


def _wait(answers: Connection, method: MethodChoice) -> None:
    """Wait for a word from the process as long as the method may take."""
    assert method.limit_seconds is not None
    end = time.monotonic() + method.limit_seconds
    while not answers.poll(min(max(0.0, end - time.monotonic()), _LONGEST_WAIT)):
        if time.monotonic() >= end:
            raise LimitError(
                f"method {method.name!r}: its run took longer than its limit_seconds, "
                f"{method.limit_seconds:g}"
            )


def _receive(answers: Connection, process: BaseProcess, method: MethodChoice) -> Any:
    """Wait for a word from the process; a failure there is a failure here."""
    try:
        word = answers.recv()
    except EOFError:
        process.join()
        raise ProcessError(f"method {method.name!r}: its process {_ending(process)}") from None
    if isinstance(word, _Failure):
        kind = MissingExtraError if word.is_extra else RuntimeError
        raise ProcessError(word.line) from kind(f"in the run's process:\n{word.trace}")
    return word


def _ending(process: BaseProcess) -> str:
    code = process.exitcode or 0
    if code < 0:
        return f"was ended by signal {-code} ({signal.strsignal(-code)})"
    return f"ended by itself with exit code {code}"


def _end(process: BaseProcess) -> None:
    """End a process and those that it has started."""
    with suppress(psutil.NoSuchProcess):
        for child in psutil.Process(process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                child.kill()
    process.kill()
    process.join()


def _end_with_parent() -> None:
    """A method may never come back, and nobody would be left to end it."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextmanager
def _interrupts_withheld() -> Iterator[None]:
    """A process that is started here gets no Ctrl-C: its parent does, and then ends it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
