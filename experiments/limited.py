"""A run with a time limit: in a process of its own, which can be ended whatever it is doing."""

from __future__ import annotations

import multiprocessing
import traceback
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from experiments.choices import DatasetChoice, MethodChoice
from experiments.errors import UsageError, describe
from experiments.record import Record, read_record


class LimitError(UsageError):
    """A run took longer than it may."""


class ProcessError(UsageError):
    """A run failed in its own process; the cause has the traceback that it had there."""


class _Failure(NamedTuple):
    line: str
    trace: str


def run_limited(dataset: DatasetChoice, method: MethodChoice) -> tuple[Record, bytes]:
    """Compute a run within the method's ``limit_seconds``, loading of data apart.

    Gives the record and its packed arrays. They are stored by the caller, who holds the lock: the
    other process may outlive this one, if this one is killed.
    """
    processes = multiprocessing.get_context("spawn")
    answers, sender = processes.Pipe(duplex=False)
    process = processes.Process(target=_run, args=(dataset, method, sender), daemon=True)
    process.start()
    sender.close()
    try:
        _receive(answers, process)  # the data are loaded
        if not answers.poll(method.limit_seconds):
            raise LimitError(
                f"method {method.name!r}: its run took longer than its limit_seconds, "
                f"{method.limit_seconds:g}"
            )
        record, arrays = _receive(answers, process)
    finally:
        process.kill()
        process.join()
    return read_record(record), arrays


def _run(dataset: DatasetChoice, method: MethodChoice, sender: Connection) -> None:
    """What the other process does: load, say so, compute, give the run."""
    from experiments.execute import Workbench  # it knows this module, too

    try:
        bench = Workbench(dataset, dataset.load())
        sender.send(None)
        record, arrays = bench.run(method)
        sender.send((record.to_json(), arrays))
    except Exception as error:
        sender.send(_Failure(describe(error), traceback.format_exc()))


def _receive(answers: Connection, process: multiprocessing.process.BaseProcess) -> Any:
    """Wait for a word from the process; a failure there is a failure here."""
    try:
        word = answers.recv()
    except EOFError:
        process.join()
        raise ProcessError(f"its process ended with exit code {process.exitcode}") from None
    if isinstance(word, _Failure):
        raise ProcessError(word.line) from RuntimeError(f"in the run's process:\n{word.trace}")
    return word
