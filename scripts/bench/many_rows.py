"""Rows by the hundred thousand, made by `scripts.bench.made_data`: ML-MLM and what one would use.

Each fit is in a process of its own. ML-MLM chooses P and the threshold on a sample of rows. Of
20,000 made rows (K = 300) samples of 1,000, 2,000 and 5,000 chose the P that all rows choose, and
accuracy was the same to 0.0004; so 20,000 of a million are plenty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mlmlm.progress import PhaseName
from scripts.bench.fresh_fit import FOREST, LOGISTIC, ML_MLM, FreshFit, fresh_fit
from scripts.bench.report import Bar, Row, format_seconds
from scripts.bench.splits import MADE

SECTION = "many rows"
COMPARISON_SECTION = "many rows, what one would use instead"
MEMORY_BAR = Bar(at_most=4)
GROWTH_BAR = Bar(at_most=11)


@dataclass(frozen=True)
class ManyRows:
    """How many of what."""

    few: int
    many: int
    test_rows: int
    references: int
    tuning_rows: int
    compared: tuple[int, ...]
    """Numbers of rows at which peers, which are slow, are beside it."""
    judged: bool = False
    """Whether the bars, which are for a million rows, apply."""

    def name(self, n_rows: int) -> str:
        """Of the data with so many training rows."""
        return f"{MADE}{n_rows}-{self.test_rows}"

    def ml_mlm(self, n_rows: int) -> FreshFit:
        return fresh_fit(self.name(n_rows), ML_MLM, self.references, self.tuning_rows)


def measure_many_rows(size: ManyRows, tell: Callable[[str], None]) -> Iterator[Row]:
    """Seconds and memory of ML-MLM at both numbers of rows, and its peers beside it."""
    runs = {}
    for n_rows in (size.few, size.many):
        tell(f"{n_rows:,} rows: ML-MLM")
        runs[n_rows] = size.ml_mlm(n_rows)
        yield from _costs(size, n_rows, runs[n_rows])
    few, many = (run.total_seconds for run in runs.values())
    yield Row(
        section=SECTION,
        dataset=f"{size.many:,} over {size.few:,} rows",
        what="growth of the time to fit and predict",
        value=many / few,
        bar=GROWTH_BAR if size.judged else None,
        note=f"{format_seconds(many)} over {format_seconds(few)}",
        details={"few_seconds": few, "many_seconds": many},
    )
    for n_rows in size.compared:
        yield from _comparison(size, n_rows, tell)


def _costs(size: ManyRows, n_rows: int, run: FreshFit) -> Iterator[Row]:
    phases = ", ".join(
        f"{name} {format_seconds(seconds)}"
        for name, seconds in run.seconds.items()
        if name not in (PhaseName.FIT, PhaseName.PREDICTION, PhaseName.PREDICTED_DISTANCES)
    )
    dataset = f"{n_rows:,} rows"
    with_tuning = f"K = {size.references:,}, P and threshold by {size.tuning_rows:,} rows: {phases}"
    fit, prediction = run.seconds[PhaseName.FIT], run.seconds[PhaseName.PREDICTION]
    yield Row(SECTION, dataset, "seconds to fit", fit, note=with_tuning, details=run.seconds)
    yield Row(SECTION, dataset, f"seconds to predict {size.test_rows:,} rows", prediction)
    yield Row(
        section=SECTION,
        dataset=dataset,
        what="peak memory beyond the data, GB",
        value=run.bytes_beyond_data / 1e9,
        bar=MEMORY_BAR if size.judged else None,
        note=f"{run.bytes_before / 1e9:.2f} GB before",
        details={"peak_bytes": run.bytes_peak, "before_bytes": run.bytes_before},
    )


def _comparison(size: ManyRows, n_rows: int, tell: Callable[[str], None]) -> Iterator[Row]:
    """Accuracy, ranking loss and seconds of each method, side by side."""
    yield from _peer(n_rows, f"{ML_MLM}, K = {size.references:,}", size.ml_mlm(n_rows))
    for peer in (LOGISTIC, FOREST):
        tell(f"{n_rows:,} rows: {peer}")
        yield from _peer(n_rows, peer, fresh_fit(size.name(n_rows), peer))


def _peer(n_rows: int, method: str, run: FreshFit) -> Iterator[Row]:
    note = f"{run.bytes_beyond_data / 1e9:.2f} GB beyond the data"
    for what, value in (
        ("accuracy", run.accuracy),
        ("ranking loss", run.ranking_loss),
        ("seconds to fit and predict", run.total_seconds),
    ):
        yield Row(COMPARISON_SECTION, f"{n_rows:,} rows", f"{method}: {what}", value, note=note)
