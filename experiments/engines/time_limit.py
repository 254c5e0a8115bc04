"""A study may leave out what would take too long, and says how long that would have been."""

from __future__ import annotations

from dataclasses import dataclass

from experiments.choices import MethodChoice
from experiments.engines.estimates import Estimates, Facts
from experiments.execute import Workbench


@dataclass(frozen=True)
class TimeLimit:
    """How long a run of a study may be expected to take."""

    minutes: float
    estimates: Estimates

    def refusal(self, bench: Workbench, method: MethodChoice) -> str | None:
        """Why a run is not made; None if it is expected to end in time, or if nobody knows."""
        expected = self.estimates.by_nearest_record(method, Facts.of(bench.data))
        if expected is None or expected.seconds <= 60 * self.minutes:
            return None
        minutes = expected.seconds / 60
        long = f"{minutes:.1f} minutes" if minutes < 120 else f"{minutes / 60:.0f} hours"
        return (
            f"it would take about {long}, by the {expected.record.seconds:.0f} s that it took on "
            f"{expected.record.dataset}; the study's limit is {self.minutes:g} minutes a run"
        )
