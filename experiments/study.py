"""A study: several methods on several datasets, resumable, failures isolated.

Usage::

    python -m experiments.study study=paper
    python -m experiments.study study=paper study.datasets=[emotions,yeast]
    python -m experiments.study --help

Every run goes to the store as soon as it is there, and the study asks the store and the committed
results first: the same command goes on where it was interrupted. After each dataset the study's
records under ``results/<study>`` are refreshed, and at the end its report is made.
"""

from __future__ import annotations

if __name__ == "__main__":
    from experiments.interrupts import end_at_once

    end_at_once()  # before the imports below, which take seconds

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import hydra
from omegaconf import DictConfig
from rich.console import Console

from experiments.analysis.report import build
from experiments.analysis.results import StudyResults
from experiments.choices import BrokenMethod, DatasetChoice, MethodChoice
from experiments.committed import CommittedResults
from experiments.comparison import record_cells
from experiments.endings import Ending, Failed, Skipped
from experiments.errors import describe, run_command, single_run
from experiments.execute import Obtained, Workbench, obtain
from experiments.interrupts import INTERRUPTED
from experiments.plan import Plan, make_plan
from experiments.provenance import provenance
from experiments.run import CONFIGURATION
from experiments.settings import chosen, folder_setting, switch
from experiments.store import FAILURE, Store, StoreError, slug
from experiments.study_folder import SET_ASIDE, Manifest, Missing, StudyFolder
from experiments.terminal.display import print_wide
from experiments.terminal.study_display import StudyDisplay
from experiments.terminal.study_summary import print_summary
from mlmlm.baselines import MissingExtraError
from mlmlm.files import sweep_temporary

FAILED = 1


@hydra.main(version_base="1.3", config_path=CONFIGURATION, config_name="study_config")
@single_run
def main(config: DictConfig) -> None:
    """Run the study that a configuration asks for; the exit code says whether all went well."""
    plan = make_plan(chosen(config, "study")[1])
    store = Store(folder_setting(config, "results"))
    folder = StudyFolder(folder_setting(config, "output"))
    force, wants_report = switch(config, "force"), switch(config, "report")
    sweep_temporary(store.root)
    sweep_temporary(folder.path)
    console = Console()
    endings: list[Ending] = []
    runs: dict[str, str | None] = {}
    try:
        with StudyDisplay(console, plan.sizes, len(plan.methods)) as display:
            for of_dataset in run_plan(plan, store, force, display):
                endings += of_dataset
                runs |= _keep(folder, of_dataset)
                folder.write_manifest(_manifest(plan, endings, runs))
    except KeyboardInterrupt:
        print_wide(console, "interrupted; the same command goes on where it stopped")
        raise SystemExit(INTERRUPTED) from None
    print_summary(console, endings, plan.published)
    if moved := folder.set_aside(list(runs)):
        print_wide(console, f"{moved} older records are not of this study; now in {SET_ASIDE}/")
    whole = build(StudyResults(folder.path), console) if runs and wants_report else True
    if not whole or any(isinstance(each, Failed) for each in endings):
        raise SystemExit(FAILED)


def run_plan(
    plan: Plan, store: Store, force: bool, display: StudyDisplay
) -> Iterator[list[Ending]]:
    """Run everything; gives how the runs of each dataset ended when it is finished.

    A dataset is locked as a whole: of two processes one solves its regression, and the other
    finds the records.
    """
    committed = CommittedResults()
    for dataset in plan.datasets:
        display.start(dataset.name, "loading")
        with store.lock(Path(slug(dataset.name)), display.waiting):
            yield list(_run_dataset(dataset, plan, store, committed, force, display))


def _run_dataset(
    dataset: DatasetChoice,
    plan: Plan,
    store: Store,
    committed: CommittedResults,
    force: bool,
    display: StudyDisplay,
) -> Iterator[Ending]:
    folder = Path(slug(dataset.name))
    try:
        bench = Workbench(dataset, dataset.load(), display.show_phase)
    except Exception as error:  # whatever it is, the other datasets can go on
        for method in plan.methods:
            display.start(dataset.name, method.name_and_seed)
            yield _failed(store, dataset, method, folder, error)
            display.finish(f"FAILED: {describe(error)}")
        return
    with suppress(OSError):  # of a store that can only be read
        (store.root / folder / FAILURE).unlink(missing_ok=True)
    differs = False
    for method in plan.methods:
        display.start(dataset.name, method.name_and_seed)
        ending = _run(bench, method, store, committed, force, display)
        reused = isinstance(ending, Obtained) and ending.reused
        display.finish(_in_words(ending), computed=not reused)
        differs |= _differs(ending)
        yield ending
    for variant in plan.variants if differs else ():
        if isinstance(variant, MethodChoice) and not variant.applies_to(bench.data):
            continue
        display.start(dataset.name, variant.name_and_seed)
        ending = _run(bench, variant, store, committed, force, display)
        display.finish_variant(_in_words(ending))
        yield ending


def _run(
    bench: Workbench,
    method: MethodChoice | BrokenMethod,
    store: Store,
    committed: CommittedResults,
    force: bool,
    display: StudyDisplay,
) -> Ending:
    """Run a method; whatever it does, the other runs can go on."""
    place = Path(slug(bench.dataset.name), slug(method.name))
    try:
        if isinstance(method, BrokenMethod):
            raise method.error
        place = bench.key(method).path
        return obtain(store, bench, method, force, display.waiting, committed)
    except StoreError:  # nothing can be kept, so there is no use in going on
        raise
    except Exception as error:
        if isinstance(error.__cause__, MissingExtraError):
            return Skipped(bench.dataset.name, method.name_and_seed, describe(error))
        return _failed(store, bench.dataset, method, place, error)


def _failed(
    store: Store,
    dataset: DatasetChoice,
    method: MethodChoice | BrokenMethod,
    place: Path,
    error: Exception,
) -> Failed:
    file = store.write_failure(place, error, provenance())
    return Failed(dataset.name, method.name_and_seed, describe(error), file)


def _in_words(ending: Ending) -> str:
    if isinstance(ending, Failed):
        return f"FAILED: {ending.reason}"
    if isinstance(ending, Skipped):
        return f"skipped: {ending.reason}"
    if ending.reused:
        return "committed" if isinstance(ending.source, CommittedResults) else "reused"
    told = [f"{ending.record.seconds:.1f} s", *ending.record.warnings, *([ending.note or ""])]
    return "; ".join(filter(None, told))


def _differs(ending: Ending) -> bool:
    """Whether a run has a cell that is not the published one."""
    cells = record_cells(ending.record) if isinstance(ending, Obtained) else []
    return any(cell.agrees is False for cell in cells)


def _keep(folder: StudyFolder, endings: Sequence[Ending]) -> dict[str, str | None]:
    """Copy the records of a dataset to the study's folder; gives their names there."""
    done = [each for each in endings if isinstance(each, Obtained)]
    return dict(folder.write(each.record, each.source.read_arrays(each.key)) for each in done)


def _manifest(plan: Plan, endings: Sequence[Ending], runs: dict[str, str | None]) -> Manifest:
    def told(kind: type[Missing]) -> list[Missing]:
        found = (each for each in endings if isinstance(each, kind))
        return [Missing(each.dataset, each.method, each.reason) for each in found]

    return Manifest(
        name=plan.name,
        datasets=[dataset.name for dataset in plan.datasets],
        methods={method.name: method.title for method in [*plan.methods, *plan.variants]},
        runs=runs,
        failed=told(Failed),
        skipped=told(Skipped),
        control=plan.control,
        published=plan.published,
    )


if __name__ == "__main__":
    run_command(main)
