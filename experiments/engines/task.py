"""A task: runs on one dataset, one after another, each kept in the store as soon as it is there.

This is what a serial study does with a dataset, and what the process of a task does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from experiments.choices import BrokenMethod, DatasetChoice, MethodChoice
from experiments.committed import CommittedResults
from experiments.comparison import record_cells
from experiments.endings import Ending, Failed, Skipped
from experiments.errors import describe
from experiments.execute import Obtained, Workbench, find, obtain
from experiments.provenance import provenance
from experiments.store import FAILURE, Store, StoreError, slug
from mlmlm.baselines import MissingExtraError

Method = MethodChoice | BrokenMethod


@dataclass(frozen=True)
class Task:
    """Methods to run on a dataset, and variants for where a cell differs from the published one.

    Those that ``shares`` have a distance regression in common, which only one process should solve.
    ``differs`` says that a run which is not of this task has such a cell. What is expected to take
    longer than the ``limit`` is skipped.
    """

    dataset: DatasetChoice
    methods: Sequence[Method]
    variants: Sequence[Method] = ()
    shares: bool = True
    differs: bool = False
    limit: Limit | None = None


class Limit(Protocol):
    """What keeps runs from being made."""

    def refusal(self, bench: Workbench, method: MethodChoice) -> str | None:
        """Why a run is not made; None if it is."""


class Audience(Protocol):
    """Who hears of the runs while they are computed."""

    def start(self, dataset: str, method: str) -> None: ...

    def show_phase(self, phase: str, done: float, total: float) -> None: ...

    def waiting(self) -> None: ...

    def finish(self, outcome: str, computed: bool = True) -> None: ...

    def finish_variant(self, outcome: str) -> None: ...


def run_task(
    task: Task, store: Store, committed: CommittedResults | None, force: bool, audience: Audience
) -> Iterator[Ending]:
    """Run everything; gives how each run ended."""
    dataset = task.dataset
    audience.start(dataset.name_and_split, "loading")
    try:
        bench = Workbench(dataset, dataset.load(), audience.show_phase)
    except Exception as error:  # whatever it is, the other datasets can go on
        for method in task.methods:
            audience.start(dataset.name_and_split, method.name_and_seed)
            yield failed_to_load(store, dataset, method, error)
            audience.finish(f"FAILED: {describe(error)}")
        return
    forget_failure_to_load(store, dataset)
    with _lock(task, bench, store, audience):
        differs = task.differs
        for method in task.methods:
            audience.start(dataset.name_and_split, method.name_and_seed)
            ending = run_one(bench, method, store, committed, force, audience, task.limit)
            reused = isinstance(ending, Obtained) and ending.reused
            audience.finish(in_words(ending), computed=not reused)
            differs |= has_differing_cell(ending)
            yield ending
        for variant in task.variants if differs else ():
            if isinstance(variant, MethodChoice) and not variant.applies_to(bench.data):
                continue
            audience.start(dataset.name_and_split, variant.name_and_seed)
            ending = run_one(bench, variant, store, committed, force, audience)
            audience.finish_variant(in_words(ending))
            yield ending


def run_one(
    bench: Workbench,
    method: Method,
    store: Store,
    committed: CommittedResults | None,
    force: bool,
    audience: Audience,
    limit: Limit | None = None,
) -> Ending:
    """Run a method; whatever it does, the other runs can go on."""
    place = Path(slug(bench.dataset.name), slug(method.name))
    try:
        if isinstance(method, BrokenMethod):
            raise method.error
        key = bench.key(method)
        place = key.path
        is_new = force or not find(key, store, committed)
        if is_new and limit is not None and (reason := limit.refusal(bench, method)):
            return skipped(bench.dataset, method, reason)
        return obtain(store, bench, method, force, audience.waiting, committed)
    except StoreError:  # nothing can be kept, so there is no use in going on
        raise
    except Exception as error:
        return without_record(store, bench.dataset, method, place, error)


def without_record(
    store: Store, dataset: DatasetChoice, method: Method, place: Path, error: Exception
) -> Failed | Skipped:
    """The ending of a run that raised: a failure, unless it needs what is not installed."""
    if isinstance(error.__cause__, MissingExtraError):
        return skipped(dataset, method, describe(error))
    return _failed(store, dataset, method, place, error)


def skipped(dataset: DatasetChoice, method: Method, reason: str) -> Skipped:
    return Skipped(dataset.name, method.name_and_seed, reason, dataset.split_name)


def failed_to_load(
    store: Store, dataset: DatasetChoice, method: Method, error: Exception
) -> Failed:
    return _failed(store, dataset, method, Path(slug(dataset.name)), error)


def _failed(
    store: Store, dataset: DatasetChoice, method: Method, place: Path, error: Exception
) -> Failed:
    file = store.write_failure(place, error, provenance())
    return Failed(
        dataset.name, method.name_and_seed, describe(error), dataset.split_name, file=file
    )


def forget_failure_to_load(store: Store, dataset: DatasetChoice) -> None:
    with suppress(OSError):  # of a store that can only be read
        (store.root / slug(dataset.name) / FAILURE).unlink(missing_ok=True)


def has_differing_cell(ending: Ending) -> bool:
    """Whether a run has a cell that is not the published one."""
    cells = record_cells(ending.record) if isinstance(ending, Obtained) else []
    return any(cell.agrees is False for cell in cells)


def in_words(ending: Ending) -> str:
    if isinstance(ending, Failed):
        return f"FAILED: {ending.reason}"
    if isinstance(ending, Skipped):
        return f"skipped: {ending.reason}"
    if ending.reused:
        return "committed" if isinstance(ending.source, CommittedResults) else "reused"
    told = [f"{ending.record.seconds:.1f} s", *ending.record.warnings, ending.note]
    return "; ".join(each for each in told if each)


def _lock(
    task: Task, bench: Workbench, store: Store, audience: Audience
) -> AbstractContextManager[None]:
    """Of two processes one solves the regression of the data, and the other finds the records."""
    if not task.shares:
        return nullcontext()
    place = Path(slug(task.dataset.name), bench.data.fingerprint)
    return store.lock(place, audience.waiting)
