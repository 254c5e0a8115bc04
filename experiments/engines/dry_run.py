"""What a study would do: its tasks, what each will need, and what is there already."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from experiments.engines.estimates import Estimates
from experiments.engines.survey import Ledger
from experiments.terminal.display import print_wide, result_table


def print_tasks(console: Console, ledgers: Sequence[Ledger], estimates: Estimates) -> None:
    """The tasks in the order in which they would begin, and sums."""
    works = [work for ledger in ledgers for work in ledger.tasks(estimates)]
    works.sort(key=lambda work: -work.need.seconds)
    table = result_table("", "task", "runs", "estimated seconds", "memory it may use, GB")
    for work in works:
        table.add_row(
            Text(work.title),
            str(len(work.runs)),
            f"{work.need.seconds:.1f}",
            f"{work.need.memory / 1e9:.1f}",
        )
    if works:
        console.print(table)
    known = sum(len(ledger.endings) for ledger in ledgers)
    runs = sum(len(work.runs) for work in works)
    seconds = sum(work.need.seconds for work in works)
    print_wide(
        console,
        f"{len(works)} tasks of {runs} runs, about {seconds:.0f} s one after another; "
        f"{known} runs are there or have failed already",
    )
