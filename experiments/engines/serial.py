"""One run after another in this process, dataset by dataset, smallest first."""

from __future__ import annotations

from collections.abc import Iterator

from experiments.committed import CommittedResults
from experiments.endings import Ending
from experiments.engines.task import Limit, Task, run_task
from experiments.plan import Plan
from experiments.store import Store
from experiments.terminal.study_display import StudyDisplay


def run_serially(
    plan: Plan, store: Store, force: bool, display: StudyDisplay, limit: Limit | None = None
) -> Iterator[list[Ending]]:
    """Run everything; gives how the runs of each dataset ended when it is finished."""
    committed = CommittedResults() if plan.reuse_committed else None
    for dataset in plan.datasets:
        task = Task(dataset, plan.methods_on(dataset), plan.variants, limit=limit)
        yield list(run_task(task, store, committed, force, display))
