"""What there is to do: of each dataset the runs that are known, and tasks for all others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from experiments.choices import BrokenMethod, DatasetChoice, MethodChoice
from experiments.committed import CommittedResults
from experiments.endings import Ending
from experiments.engines.estimates import Estimates, Facts, Need
from experiments.engines.task import (
    Limit,
    Method,
    Task,
    failed_to_load,
    forget_failure_to_load,
    has_differing_cell,
    skipped,
    without_record,
)
from experiments.execute import Workbench, find
from experiments.plan import Plan
from experiments.store import RunKey, Store, slug
from mlmlm import DistanceRegressionClassifier


@dataclass(frozen=True)
class Run:
    """A method on a dataset, and where its record belongs."""

    method: MethodChoice
    key: RunKey
    shares: bool  # the distance regression with others


@dataclass(frozen=True)
class Work:
    """A task, the runs it consists of by their names, and what it will need."""

    task: Task
    runs: dict[str, Run]
    variants: dict[str, Run]
    need: Need

    @property
    def all_runs(self) -> dict[str, Run]:
        return self.variants | self.runs

    @property
    def title(self) -> str:
        names = [method.name_and_seed for method in self.task.methods]
        more = f" +{len(names) - 1}" if len(names) > 1 else ""
        return f"{self.task.dataset.name_and_split} {names[0]}{more}"


@dataclass
class Ledger:
    """The runs of a dataset by their names, and how those ended that have."""

    dataset: DatasetChoice
    order: Sequence[str]  # names of all runs but the variants
    facts: Facts | None = None  # None of data that cannot be loaded
    runs: dict[str, Run] = field(default_factory=dict)
    variants: dict[str, Run] = field(default_factory=dict)
    endings: dict[str, Ending] = field(default_factory=dict)
    variant_endings: dict[str, Ending] = field(default_factory=dict)
    known_variants: dict[str, Ending] = field(default_factory=dict)

    @property
    def differs(self) -> bool:
        """Whether a cell differs from the published one, so that variants are wanted."""
        return any(map(has_differing_cell, self.endings.values()))

    def tasks(self, estimates: Estimates) -> list[Work]:
        """Tasks for the runs that have not ended: those that share a regression, and each other.

        The first also runs the variants if a cell of its own runs differs.
        """
        left = {name: run for name, run in self.runs.items() if not self.has_ended(name)}
        return list(self._cut(left, self._variants_left(), estimates))

    def tasks_of_variants(self, estimates: Estimates) -> list[Work]:
        """Tasks for the variants, of a dataset of which everything else has ended."""
        return list(self._cut(self._variants_left(), {}, estimates)) if self.differs else []

    def left_of(self, work: Work, estimates: Estimates) -> Work | None:
        """What a task has not come to; None if nothing."""
        left = {name: run for name, run in work.runs.items() if not self.has_ended(name)}
        return next(self._cut(left, self._variants_left(), estimates), None)

    def has_ended(self, name: str) -> bool:
        return name in self.endings or name in self.variant_endings

    def note(self, name: str, ending: Ending) -> bool:
        """Write down how a run ended; whether it is of a variant."""
        is_variant = name not in self.order
        (self.variant_endings if is_variant else self.endings)[name] = ending
        return is_variant

    def take_known_variants(self) -> list[tuple[str, Ending]]:
        """The variants that need not be run, if variants are wanted at all."""
        if not self.differs:
            return []
        known, self.known_variants = self.known_variants, {}
        self.variant_endings |= known
        return list(known.items())

    def all_endings(self) -> list[Ending]:
        return [*(self.endings[name] for name in self.order), *self.variant_endings.values()]

    def _variants_left(self) -> dict[str, Run]:
        return {name: run for name, run in self.variants.items() if not self.has_ended(name)}

    def _cut(
        self, runs: dict[str, Run], variants: dict[str, Run], estimates: Estimates
    ) -> Iterator[Work]:
        sharing = {name: run for name, run in runs.items() if run.shares}
        if sharing:
            along = {name: run for name, run in variants.items() if run.shares}
            yield self._work(sharing, along, estimates)
        for name, run in runs.items():
            if not run.shares:
                yield self._work({name: run}, {}, estimates)

    def _work(self, runs: dict[str, Run], variants: dict[str, Run], estimates: Estimates) -> Work:
        assert self.facts is not None
        task = Task(
            self.dataset,
            [run.method for run in runs.values()],
            [run.method for run in variants.values()],
            shares=next(iter(runs.values())).shares,
            differs=self.differs,
        )
        return Work(task, runs, variants, estimates.need(task, self.facts))


def survey(
    plan: Plan,
    dataset: DatasetChoice,
    store: Store,
    committed: CommittedResults | None,
    force: bool,
    limit: Limit | None = None,
) -> Ledger:
    """Load a dataset and look for the records of its runs."""
    planned = plan.methods_on(dataset)
    ledger = Ledger(dataset, [method.name_and_seed for method in planned])
    try:
        bench = Workbench(dataset, dataset.load())
    except Exception as error:  # whatever it is, the other datasets can go on
        for method in planned:
            ledger.note(method.name_and_seed, failed_to_load(store, dataset, method, error))
        return ledger
    forget_failure_to_load(store, dataset)
    ledger.facts = Facts.of(bench.data)
    variants = [
        variant
        for variant in plan.variants
        if isinstance(variant, BrokenMethod) or variant.applies_to(bench.data)
    ]
    kinds: Sequence[tuple[Sequence[Method], dict[str, Run], dict[str, Ending]]] = (
        (planned, ledger.runs, ledger.endings),
        (variants, ledger.variants, ledger.known_variants),
    )
    for methods, runs, endings in kinds:
        for method in methods:
            found = _look_up(bench, method, store, committed, force, limit)
            if isinstance(found, Run):
                runs[method.name_and_seed] = found
            else:
                endings[method.name_and_seed] = found
    return ledger


def _look_up(
    bench: Workbench,
    method: Method,
    store: Store,
    committed: CommittedResults | None,
    force: bool,
    limit: Limit | None,
) -> Run | Ending:
    """A run that is to be computed, or how it ended already."""
    place = Path(slug(bench.dataset.name), slug(method.name))
    try:
        if isinstance(method, BrokenMethod):
            raise method.error
        key = bench.key(method)
        place = key.path
        if not force and (known := find(key, store, committed)):
            return known
        if limit is not None and (reason := limit.refusal(bench, method)):
            return skipped(bench.dataset, method, reason)
        return Run(method, key, isinstance(method.estimator(), DistanceRegressionClassifier))
    except Exception as error:
        return without_record(store, bench.dataset, method, place, error)
