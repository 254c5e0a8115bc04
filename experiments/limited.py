"""A run with a time limit: in a process of its own, which can be ended whatever it is doing."""

from __future__ import annotations

import multiprocessing
import traceback
from multiprocessing.connection import Connection

from experiments.choices import DatasetChoice, MethodChoice
from experiments.errors import UsageError, describe
from experiments.record import Record
from experiments.store import RunKey, Store


class LimitError(UsageError):
    """A run took longer than it may."""


class ProcessError(UsageError):
    """A run failed in its own process; the cause has the traceback that it had there."""


def run_limited(store: Store, dataset: DatasetChoice, method: MethodChoice, key: RunKey) -> Record:
    """Compute and store a run within the method's ``limit_seconds``, loading of data apart."""
    processes = multiprocessing.get_context("spawn")
    answers, sender = processes.Pipe(duplex=False)
    process = processes.Process(
        target=_run, args=(store, dataset, method, key, sender), daemon=True
    )
    process.start()
    sender.close()
    try:
        _receive(answers, process)  # the data are loaded
        if not answers.poll(method.limit_seconds):
            raise LimitError(
                f"method {method.name!r}: its run took longer than its limit_seconds, "
                f"{method.limit_seconds:g}"
            )
        _receive(answers, process)
    finally:
        process.kill()
        process.join()
    record = store.read(key)
    assert record is not None
    return record


def _run(
    store: Store, dataset: DatasetChoice, method: MethodChoice, key: RunKey, sender: Connection
) -> None:
    """What the other process does: load, say so, compute and store, say so."""
    from experiments.execute import Workbench  # it knows this module, too

    try:
        bench = Workbench(dataset, dataset.load())
        sender.send(None)
        store.write(key, *bench.run(method))
        sender.send(None)
    except Exception as error:
        sender.send((describe(error), traceback.format_exc()))


def _receive(answers: Connection, process: multiprocessing.process.BaseProcess) -> None:
    """Wait for a word from the process; a failure there is a failure here."""
    try:
        failure = answers.recv()
    except EOFError:
        process.join()
        raise ProcessError(f"its process ended with exit code {process.exitcode}") from None
    if failure is not None:
        line, trace = failure
        raise ProcessError(line) from RuntimeError(f"in the run's process:\n{trace}")
