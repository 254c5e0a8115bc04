"""Does the uncertainty work? Metrics by category, and risk-coverage curves.

The smallest predicted distance of a test row is its uncertainty. If it is a good one, then keeping
only the rows of the smallest distances leaves better predictions than keeping any rows.

**Risk-coverage curve.** Let ``r_1, ..., r_n`` be the risks (1 - accuracy, or ranking loss) of the
rows from the most to the least certain. Of the k most certain the mean risk is
``R_k = (r_1 + ... + r_k) / k``, and the curve is ``R_k`` against the share ``k / n`` that is kept.
The area under it is ``(R_1 + ... + R_n) / n``.

**What to compare it with.** If rows are rejected at random, each ``R_k`` has the expectation of a
mean of k rows drawn without replacement, the overall mean; so has the area. No order has a smaller
area than that of ascending risks, which makes every ``R_k`` as small as it can be: this is the
ideal, which needs to know the risks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from experiments.analysis.numbers.arrays import Array
from experiments.analysis.numbers.metrics import PAPER_METRICS
from experiments.analysis.numbers.ml_mlm_runs import MlMlmRun
from mlmlm.uncertainty import CATEGORIES

ACCURACY, RANKING_LOSS = "1 - accuracy", "ranking loss"


@dataclass(frozen=True)
class RiskCoverage:
    """A risk-coverage curve, and the ideal one of the same risks."""

    curve: Array
    ideal: Array

    @property
    def coverage(self) -> Array:
        """The share of rows that is kept at each point."""
        return np.arange(1, len(self.curve) + 1) / len(self.curve)

    @property
    def random(self) -> float:
        """The expected area, and every expected point, of random rejection."""
        return float(self.curve[-1])

    @property
    def area(self) -> float:
        return float(self.curve.mean())

    @property
    def ideal_area(self) -> float:
        return float(self.ideal.mean())

    @property
    def ratio(self) -> float:
        """Area over that of random rejection; below 1 the uncertainty is of use."""
        return self.area / self.random if self.random else float("nan")


Curves = Mapping[str, Mapping[str, RiskCoverage]]  # by risk and dataset


def risk_coverage(uncertainty: Array, risk: Array) -> RiskCoverage | None:
    """Curve of the rows whose risk is defined (not NaN); None if there is no such row.

    Of equal uncertainties the row that comes first is kept first.
    """
    defined = ~np.isnan(risk)
    uncertainty, risk = uncertainty[defined], risk[defined]
    if not len(risk):
        return None
    order = np.argsort(uncertainty, kind="stable")
    return RiskCoverage(_running_mean(risk[order]), _running_mean(np.sort(risk)))


def metrics_by_category(runs: Mapping[str, MlMlmRun]) -> pd.DataFrame:
    """A row for each dataset and category: number of test rows, and the paper's metrics."""
    rows = [
        {"dataset": name, "category": category, **run.record.uncertainty[category]}
        for name, run in runs.items()
        if run.record.uncertainty is not None
        for category in CATEGORIES
    ]
    return pd.DataFrame(rows, columns=["dataset", "category", "rows", *PAPER_METRICS])


def are_in_order(values: pd.Series, lower_is_better: bool) -> bool:
    """Whether a metric gets worse from each category to the next that has rows."""
    steps = values.dropna().diff().dropna()
    return bool((steps > 0).all() if lower_is_better else (steps < 0).all())


def risk_coverage_curves(runs: Mapping[str, MlMlmRun]) -> dict[str, dict[str, RiskCoverage]]:
    """By risk, the curves of the datasets whose runs hold what they need."""
    curves: dict[str, dict[str, RiskCoverage]] = {ACCURACY: {}, RANKING_LOSS: {}}
    for name, run in runs.items():
        for risk, values in _risks(run):
            curve = risk_coverage(run.arrays["smallest_distances"], values)
            if curve is not None:
                curves[risk][name] = curve
    return curves


def areas(curves: Curves) -> pd.DataFrame:
    """By dataset and for both risks: the area, those of random rejection and the ideal, a ratio."""
    columns = {
        f"{risk}: {name}": {dataset: getattr(curve, field) for dataset, curve in each.items()}
        for risk, each in curves.items()
        for name, field in (
            ("area", "area"),
            ("random", "random"),
            ("ideal", "ideal_area"),
            ("ratio", "ratio"),
        )
    }
    return pd.DataFrame(columns).rename_axis("dataset")


def _risks(run: MlMlmRun) -> Iterator[tuple[str, Array]]:
    arrays = run.arrays
    if "smallest_distances" not in arrays:
        return
    if "accuracy_per_row" in arrays:
        yield ACCURACY, 1 - arrays["accuracy_per_row"]
    if "ranking_loss_per_row" in arrays:
        yield RANKING_LOSS, arrays["ranking_loss_per_row"]


def _running_mean(values: Array) -> Array:
    return np.cumsum(values) / np.arange(1, len(values) + 1)
