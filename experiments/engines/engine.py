"""From the settings of an engine to the endings of a study's runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.prompt import Prompt

from experiments.committed import CommittedResults
from experiments.endings import Ending
from experiments.engines.dry_run import print_tasks
from experiments.engines.estimates import Estimates
from experiments.engines.pool import Pool
from experiments.engines.schedule import Schedule
from experiments.engines.serial import run_serially
from experiments.engines.settings import EngineSettings
from experiments.engines.survey import Ledger, survey
from experiments.engines.time_limit import TimeLimit
from experiments.errors import UsageError
from experiments.plan import Plan
from experiments.store import Store
from experiments.terminal.study_display import StudyDisplay
from experiments.terminal.tasks_display import TasksDisplay

Endings = Iterator[list[Ending]]  # of one dataset after another


@contextmanager
def running(
    engine: EngineSettings, plan: Plan, store: Store, force: bool, console: Console
) -> Iterator[Endings]:
    """Meanwhile the runs of a study are computed; gives how those of each dataset ended."""
    numbers = [len(plan.methods_on(dataset)) for dataset in plan.datasets]
    if engine.name == "serial":
        with StudyDisplay(console, plan.sizes, numbers) as display:
            yield run_serially(plan, store, force, display, _limit(plan, store))
        return
    pool = _pool(engine)
    try:
        with TasksDisplay(console, sum(numbers)) as display:
            ledgers, estimates = _survey(plan, store, force, display.looking_at)
            schedule = Schedule(ledgers, store, force, estimates, pool, display)
            try:
                yield schedule.run()
            except KeyboardInterrupt:
                display.stop()
                _end_as_wanted(schedule, pool)
                raise
            except BaseException:
                schedule.cancel()
                raise
    finally:
        pool.close()


def show_tasks(console: Console, plan: Plan, store: Store, force: bool) -> None:
    """Say what would be run."""
    with console.status("") as status:
        found = _survey(plan, store, force, lambda name: status.update(f"looking at {name}"))
    print_tasks(console, *found)


def _survey(
    plan: Plan, store: Store, force: bool, tell: Callable[[str], None]
) -> tuple[Sequence[Ledger], Estimates]:
    committed = CommittedResults()
    estimates = _estimates(plan, store, committed)
    limit = None if plan.limit_minutes is None else TimeLimit(plan.limit_minutes, estimates)
    source = committed if plan.reuse_committed else None
    ledgers = []
    for dataset in plan.datasets:
        tell(dataset.name_and_split)
        ledgers.append(survey(plan, dataset, store, source, force, limit))
    return ledgers, estimates


def _limit(plan: Plan, store: Store) -> TimeLimit | None:
    if plan.limit_minutes is None:
        return None
    return TimeLimit(plan.limit_minutes, _estimates(plan, store, CommittedResults()))


def _estimates(plan: Plan, store: Store, committed: CommittedResults) -> Estimates:
    names = {method.name for method in (*plan.methods, *plan.variants)}
    return Estimates([*committed.records, *store.records_of(names)])


def _pool(engine: EngineSettings) -> Pool:
    try:
        if engine.name == "dask":
            from experiments.engines.dask_pool import DaskPool

            return DaskPool(engine)
        from experiments.engines.slurm_pool import SlurmPool

        return SlurmPool(engine)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"engine={engine.name} needs the package {error.name!r}: pip install "
            f"'mlmlm[{engine.name}]'"
        ) from error


def _end_as_wanted(schedule: Schedule, pool: Pool) -> None:
    """Ask on a terminal what is to become of the tasks that are running; else end them."""
    if not schedule.is_running:
        schedule.cancel()
        return
    choices = ["cancel", "wait", *(["leave"] if pool.outlives else [])]
    wanted = "cancel"
    if sys.stdin.isatty() and sys.stdout.isatty():
        wanted = Prompt.ask(
            "Tasks are running: what is to become of them?", choices=choices, default=wanted
        )
    {"cancel": schedule.cancel, "wait": schedule.finish_running, "leave": schedule.leave}[wanted]()
