"""Time of the paper's study over what its arithmetic takes at the rate of products.

The study takes half an hour and records its own times, so it is not run again: the records of
``make reproduce`` are read, and the rate is measured now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from experiments.analysis.numbers.results import StudyResults
from experiments.record import Record
from scripts.bench.arithmetic import four_methods_flops
from scripts.bench.machine import REPOSITORY, dgemm_rate
from scripts.bench.ours import Sizes
from scripts.bench.report import Bar, Row, format_seconds
from scripts.bench.splits import load_split

SECTION = "time of the study over arithmetic at dgemm's rate"
BAR = Bar(at_most=2)
STUDY = REPOSITORY / "results" / "committed" / "paper"


def time_over_arithmetic(
    names: Sequence[str], tell: Callable[[str], None], folder: Path = STUDY
) -> Iterator[Row]:
    """Each dataset at the rate of its size, and all together."""
    records = StudyResults(folder).records
    taken = at_rate = 0.0
    for name in names:
        tell(f"{name}: dgemm")
        sizes = Sizes.of(load_split(name))
        rate = dgemm_rate(sizes.references)
        seconds = study_seconds([record for record in records if record.dataset == name])
        least = four_methods_flops(sizes) / rate.flops
        taken, at_rate = taken + seconds, at_rate + least
        yield _row(name, seconds, least, f" at {rate.flops / 1e9:.1f} GF/s of {rate.product}")
    yield _row(f"all {len(names)}", taken, at_rate, bar=BAR)


def study_seconds(records: Sequence[Record]) -> float:
    """Time of several methods on a dataset, what they share counted once."""
    phases = {phase for record in records for phase in record.phases if phase.shared}
    own = [phase for record in records for phase in record.phases if not phase.shared]
    return sum(phase.seconds for phase in [*phases, *own])


def _row(name: str, seconds: float, least: float, at: str = "", bar: Bar | None = None) -> Row:
    return Row(
        section=SECTION,
        dataset=name,
        what="four methods, from loaded data to metrics",
        value=seconds / least,
        bar=bar,
        note=f"{format_seconds(seconds)} over {format_seconds(least)}{at}",
        details={"our_seconds": seconds, "arithmetic_seconds": least},
    )
