"""A run with a time limit: in a process of its own, which can be ended whatever it is doing."""

from __future__ import annotations

import multiprocessing
import time
import traceback
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from experiments import processes
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
    spawning = multiprocessing.get_context("spawn")
    answers, sender = spawning.Pipe(duplex=False)
    process = spawning.Process(target=_run, args=(dataset, method, sender))
    with processes.interrupts_withheld():
        process.start()
    sender.close()
    try:
        _receive(answers, process, method)  # the data are loaded
        _wait(answers, method)
        record, arrays = _receive(answers, process, method)
    finally:
        processes.end(process)
    return read_record(record), arrays


def _run(dataset: DatasetChoice, method: MethodChoice, sender: Connection) -> None:
    """What the other process does: load, say so, compute, give the run."""
    from experiments.execute import Workbench  # it knows this module, too

    processes.end_with_parent()
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
        ending = processes.how_it_ended(process)
        raise ProcessError(f"method {method.name!r}: its process {ending}") from None
    if isinstance(word, _Failure):
        kind = MissingExtraError if word.is_extra else RuntimeError
        raise ProcessError(word.line) from kind(f"in the run's process:\n{word.trace}")
    return word
