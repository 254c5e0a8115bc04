"""A study: several methods on several datasets, resumable, failures isolated.

Usage::

    python -m experiments.study study=paper
    python -m experiments.study study=paper study.datasets=[emotions,yeast]
    python -m experiments.study study=paper engine=dask engine.workers=2
    python -m experiments.study --help

Every run goes to the store as soon as it is there, and the study asks the store and the committed
results first: the same command goes on where it was interrupted. After each dataset the study's
records under ``results/<study>`` are refreshed, and at the end its report is made.
"""

from __future__ import annotations

if __name__ == "__main__":
    from experiments.interrupts import end_at_once

    end_at_once()  # before the imports below, which take seconds

from collections.abc import Sequence

import hydra
from omegaconf import DictConfig
from rich.console import Console

from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.report import build_report
from experiments.endings import Ending, Failed, Skipped
from experiments.engines.engine import running, show_tasks
from experiments.engines.settings import engine_settings
from experiments.errors import run_command, single_run
from experiments.execute import Obtained
from experiments.interrupts import INTERRUPTED
from experiments.plan import Plan, make_plan
from experiments.run import CONFIGURATION
from experiments.settings import chosen, folder_setting, switch
from experiments.store import Store
from experiments.study_folder import SET_ASIDE, Manifest, Missing, StudyFolder
from experiments.terminal.display import print_wide
from experiments.terminal.study_summary import print_summary
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
    engine = engine_settings(*chosen(config, "engine"))
    if engine.dry_run:
        show_tasks(console, plan, store, force)
        return
    endings: list[Ending] = []
    runs: dict[str, str | None] = {}
    try:
        with running(engine, plan, store, force, console) as finished_datasets:
            for of_dataset in finished_datasets:
                endings += of_dataset
                runs |= _keep(folder, of_dataset)
                folder.write_manifest(_manifest(plan, endings, runs))
    except KeyboardInterrupt:
        print_wide(console, "interrupted; the same command goes on where it stopped")
        raise SystemExit(INTERRUPTED) from None
    print_summary(console, endings, plan)
    if moved := folder.set_aside(list(runs)):
        print_wide(console, f"{moved} older records are not of this study; now in {SET_ASIDE}/")
    whole = build_report(StudyResults(folder.path), console) if runs and wants_report else True
    if not whole or any(isinstance(each, Failed) for each in endings):
        raise SystemExit(FAILED)


def _keep(folder: StudyFolder, endings: Sequence[Ending]) -> dict[str, str | None]:
    """Copy the records of a dataset to the study's folder; gives their names there."""
    done = [each for each in endings if isinstance(each, Obtained)]
    return dict(folder.write(each.record, each.source.read_arrays(each.key)) for each in done)


def _manifest(plan: Plan, endings: Sequence[Ending], runs: dict[str, str | None]) -> Manifest:
    def told(kind: type[Missing]) -> list[Missing]:
        found = (each for each in endings if isinstance(each, kind))
        return [Missing(each.dataset, each.method, each.reason, each.split) for each in found]

    return Manifest(
        name=plan.name,
        datasets=plan.dataset_names,
        methods={method.name: method.title for method in [*plan.methods, *plan.variants]},
        runs=runs,
        failed=told(Failed),
        skipped=told(Skipped),
        control=plan.control,
        published=plan.published,
        split=plan.split,
    )


if __name__ == "__main__":
    run_command(main)
