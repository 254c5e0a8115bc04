"""A study: several methods on several datasets, resumable, failures isolated.

Usage::

    python -m experiments.study study=paper
    python -m experiments.study study=paper study.datasets=[emotions,yeast]
    python -m experiments.study --help

Every run goes to the store as soon as it is there, and the study asks the store first: the same
command goes on where it was interrupted. After each dataset the study's records and tables under
``results/<study>`` are refreshed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import hydra
from hydra.utils import to_absolute_path
from omegaconf import DictConfig
from rich.console import Console

from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.report import refresh_tables
from experiments.collect import collect
from experiments.comparison import record_cells
from experiments.errors import INTERRUPTED, describe, run_command, single_run
from experiments.execute import Bench, obtain
from experiments.plan import Plan, make_plan
from experiments.provenance import provenance
from experiments.record import Record
from experiments.run import CONFIGURATION
from experiments.store import FAILURE, RunKey, Store, slug, write_file
from experiments.task import DatasetChoice, MethodChoice, is_true
from experiments.terminal.display import print_wide
from experiments.terminal.study_display import StudyDisplay
from experiments.terminal.study_summary import agreement_tables

FAILED = 1


@dataclass(frozen=True)
class Done:
    """A run whose record is in the store."""

    key: RunKey
    record: Record
    reused: bool


@dataclass(frozen=True)
class Failed:
    """A run that raised, and the file that tells of it."""

    dataset: str
    method: str
    error: str
    file: Path


@dataclass(frozen=True)
class Skipped:
    """A run that needs something this machine does not have."""

    dataset: str
    method: str
    reason: str


Outcome = Done | Failed | Skipped


@hydra.main(version_base="1.3", config_path=CONFIGURATION, config_name="study_config")
@single_run
def main(config: DictConfig) -> None:
    """Run the study that a configuration asks for; the exit code says whether all went well."""
    plan = make_plan(config.study)
    store = Store(Path(to_absolute_path(config.results)))
    output = Path(to_absolute_path(config.output))
    console = Console()
    outcomes: list[Outcome] = []
    try:
        with StudyDisplay(console, plan.sizes, len(plan.methods)) as display:
            for of_dataset in run_plan(plan, store, is_true(config, "force"), display):
                outcomes += of_dataset
                _refresh(store, of_dataset, output, config.study.name)
    except KeyboardInterrupt:
        print_wide(console, "interrupted; the same command goes on where it stopped")
        raise SystemExit(INTERRUPTED) from None
    _print_summary(console, outcomes, Path(config.output))
    if any(isinstance(each, Failed) for each in outcomes):
        raise SystemExit(FAILED)


def run_plan(
    plan: Plan, store: Store, force: bool, display: StudyDisplay
) -> Iterator[list[Outcome]]:
    """Run everything; gives the outcomes of each dataset when it is finished.

    A dataset is locked as a whole: of two processes one solves its regression, and the other
    finds the records.
    """
    for dataset in plan.datasets:
        display.start(dataset.name, "loading")
        with store.lock(Path(slug(dataset.name)), display.waiting):
            yield list(_run_dataset(dataset, plan, store, force, display))


def _run_dataset(
    dataset: DatasetChoice, plan: Plan, store: Store, force: bool, display: StudyDisplay
) -> Iterator[Outcome]:
    folder = Path(slug(dataset.name))
    try:
        bench = Bench(dataset, dataset.load(), display.show_phase)
    except Exception as error:  # whatever it is, the other datasets can go on
        for method in plan.methods:
            display.start(dataset.name, method.title)
            yield _failed(store, dataset, method, folder, error)
            display.finish(f"FAILED: {describe(error)}")
        return
    (store.root / folder / FAILURE).unlink(missing_ok=True)
    differs = False
    for method in plan.methods:
        display.start(dataset.name, method.title)
        outcome = _run(bench, method, store, force, display)
        reused = isinstance(outcome, Done) and outcome.reused
        display.finish(_in_words(outcome), computed=not reused)
        differs |= _differs(outcome)
        yield outcome
    variants = [each for each in plan.variants if differs and each.applies_to(bench.data)]
    for variant in variants:
        display.start(dataset.name, variant.title)
        outcome = _run(bench, variant, store, force, display)
        display.finish_variant(_in_words(outcome))
        yield outcome


def _run(
    bench: Bench, method: MethodChoice, store: Store, force: bool, display: StudyDisplay
) -> Outcome:
    key = method.key(bench.dataset, bench.data)
    try:
        record, reused = obtain(store, bench, method, force, display.waiting)
    except Exception as error:  # whatever it is, the other runs can go on
        if isinstance(error.__cause__, ImportError):
            return Skipped(bench.dataset.name, method.title, describe(error))
        return _failed(store, bench.dataset, method, key.path, error)
    return Done(key, record, reused)


def _failed(
    store: Store, dataset: DatasetChoice, method: MethodChoice, folder: Path, error: Exception
) -> Failed:
    file = store.write_failure(folder, error, provenance())
    return Failed(dataset.name, method.title, describe(error), file)


def _in_words(outcome: Outcome) -> str:
    if isinstance(outcome, Failed):
        return f"FAILED: {outcome.error}"
    if isinstance(outcome, Skipped):
        return f"skipped: {outcome.reason}"
    return "reused" if outcome.reused else f"{outcome.record.seconds:.1f} s"


def _differs(outcome: Outcome) -> bool:
    """Whether a run has a cell that is not the published one."""
    cells = record_cells(outcome.record) if isinstance(outcome, Done) else []
    return any(cell.agrees is False for cell in cells)


def _refresh(store: Store, outcomes: Sequence[Outcome], output: Path, study: str) -> None:
    """Collect the records of a dataset, and make the tables anew from all that are there.

    So a study that is narrowed to some datasets keeps the tables of the others.
    """
    runs = [(each.key, each.record) for each in outcomes if isinstance(each, Done)]
    collect(store, runs, output / "records")
    results = StudyResults(output)
    if results.records:
        refresh_tables(results)
        write_file(output / "README.md", _readme(study).encode())


def _readme(study: str) -> str:
    """What the output folder is and which command makes it."""
    return f"""# The study `{study}`

Made by

    make reproduce STUDY={study}

`records/` has one record for each run, with the commit, the packages and the machine it comes from;
`experiments/record.py` documents their fields. From them `make report STUDY={study}` makes
`report.html`, with every table in `tables/` and every figure in `figures/`.
"""


def _print_summary(console: Console, outcomes: Sequence[Outcome], output: Path) -> None:
    done = [outcome for outcome in outcomes if isinstance(outcome, Done)]
    failed = [outcome for outcome in outcomes if isinstance(outcome, Failed)]
    reused = sum(outcome.reused for outcome in done)
    skipped = sum(isinstance(outcome, Skipped) for outcome in outcomes)
    counts = f"{len(done) - reused} computed, {reused} reused, {len(failed)} failed"
    console.print(counts + (f", {skipped} skipped" if skipped else ""))
    for each in failed:
        print_wide(console, f"failed: {each.method} on {each.dataset}: {each.error}")
        print_wide(console, f"        {each.file}")
    records = [outcome.record for outcome in done if outcome.record.variant is None]
    for table in agreement_tables(records):
        console.print(table)
    if done:
        print_wide(console, f"records and tables: {output}")


if __name__ == "__main__":
    run_command(main)
