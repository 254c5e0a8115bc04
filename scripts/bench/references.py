"""ML-MLM with chosen reference points beside the full model, each in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scripts.bench.fresh_fit import ML_MLM, FreshFit, fresh_fit
from scripts.bench.report import Bar, Row, format_seconds

SECTION = "chosen reference points beside the full model"
NUMBERS = {"tmc2007_fixed": 4000}
SHARE = 0.2
"""Of the inputs of other datasets."""

_TIME, _MEMORY = "full over chosen, time to fit and predict", "peak memory, GB"
_ACCURACY, _RANKING_LOSS = "accuracy", "ranking loss"
BARS = {
    ("tmc2007_fixed", _TIME): Bar(at_least=8),
    ("tmc2007_fixed", _MEMORY): Bar(at_most=2),
    ("tmc2007_fixed", _ACCURACY): Bar(at_least=0.535),
    ("tmc2007_fixed", _RANKING_LOSS): Bar(at_most=0.0675),
}


def compare_references(name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """Time, memory and figures of the chosen ones, with those of the full model beside them."""
    tell("ML-MLM with chosen reference points")
    number = NUMBERS.get(name, SHARE)
    chosen = fresh_fit(name, ML_MLM, references=number)
    tell("ML-MLM with every input as a reference point")
    full = fresh_fit(name, ML_MLM)
    yield from _rows(
        name, f"{number:,} at random" if number >= 1 else f"{number:.0%}", chosen, full
    )


def _rows(name: str, which: str, chosen: FreshFit, full: FreshFit) -> Iterator[Row]:
    def row(what: str, value: float, note: str, **details: float) -> Row:
        return Row(SECTION, name, what, value, BARS.get((name, what)), f"{which}: {note}", details)

    fast, slow = chosen.total_seconds, full.total_seconds
    note = f"{format_seconds(slow)} over {format_seconds(fast)}"
    yield row(_TIME, slow / fast, note, full_seconds=slow, chosen_seconds=fast)
    for what, value, beside in (
        (_MEMORY, chosen.bytes_peak / 1e9, full.bytes_peak / 1e9),
        (_ACCURACY, chosen.accuracy, full.accuracy),
        (_RANKING_LOSS, chosen.ranking_loss, full.ranking_loss),
    ):
        yield row(what, value, f"{value:.4f} (full {beside:.4f})", full=beside)
