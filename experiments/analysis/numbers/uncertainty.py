"""Does the uncertainty work, and better than what costs nothing?

The smallest predicted distance of a test row is ML-MLM's uncertainty. It orders the rows, and so do
others that any probabilistic classifier has (`experiments.rows.uncertainty`). Which order leaves
the smallest risk when the most uncertain rows are rejected is seen from the areas under the
risk-coverage curves; see `experiments.analysis.numbers.risk_coverage`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from statsmodels.stats.multitest import multipletests

from experiments.analysis.numbers.arrays import Array
from experiments.analysis.numbers.metrics import PAPER_METRICS
from experiments.analysis.numbers.ml_mlm_runs import MlMlmRun
from experiments.analysis.numbers.risk_coverage import (
    RiskCoverage,
    interval,
    risk_coverage,
    sampled_areas,
    sampled_means,
    samples_of,
)
from experiments.analysis.numbers.row_facts import RowFacts
from mlmlm.statistics import LEAST_DATASETS, wilcoxon
from mlmlm.uncertainty import CATEGORIES

ACCURACY, RANKING_LOSS = "1 - accuracy", "ranking loss"
RISKS = (ACCURACY, RANKING_LOSS)

ALPHA = 0.05

SMALLEST_DISTANCE = "smallest distance"
FOREST, FOREST_ALONE = "forest's Σ p(1 − p)", "forest, its own risk"
FREE = {
    "Σ p(1 − p)": "score_variance",
    "entropy": "score_entropy",
    "margin": "score_margin",
    "nearest input": "nearest_input",
    FOREST: "forest_variance",
}
"""The orders that any classifier offers, and the arrays that they are made of."""

Curves = Mapping[str, Mapping[str, RiskCoverage]]  # by risk and dataset


class Order(NamedTuple):
    """An uncertainty of the test rows, and the risks that it should foresee."""

    uncertainty: Array
    risk: Array


class SampledCurve(NamedTuple):
    """A curve, and of each sample the area and its ratio to random rejection."""

    curve: RiskCoverage
    areas: Array
    ratios: Array


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
    """By risk, the curves of the smallest distance of the datasets whose runs hold it."""
    curves: dict[str, dict[str, RiskCoverage]] = {risk: {} for risk in RISKS}
    for name, run in runs.items():
        for risk, values in _risks(run):
            curves[risk][name] = risk_coverage(run.arrays["smallest_distances"], values)
    return curves


def areas(runs: Mapping[str, MlMlmRun], facts: Mapping[str, RowFacts]) -> pd.DataFrame:
    """By dataset: the area of each order for each risk, its interval, and what it is worth.

    Columns are ``risk``, ``order``, ``rows``, ``area`` with its interval from ``low`` to ``high``,
    the areas of ``random`` rejection and of the ``ideal`` order, the ``ratio`` of area to random,
    and by how much that is larger than the ratio of the smallest distance (``difference``, with the
    interval from ``difference low`` to ``difference high``).
    """
    frames = [
        _areas(risk, _orders(risk, values, run, facts.get(name))).assign(dataset=name)
        for name, run in runs.items()
        for risk, values in _risks(run)
    ]
    return pd.concat(frames).set_index("dataset") if frames else pd.DataFrame()


def advantages(table: pd.DataFrame) -> pd.DataFrame:
    """What the smallest distance is worth beside each other order, from `areas`.

    By risk and order: the number of ``datasets``, the median ``ratio`` of the order and that of the
    smallest distance on the same datasets, on how many datasets the smallest distance is ``better``
    and ``worse``, and on how many of these ``surely``, the interval of the difference leaving out
    zero; ``p`` of Wilcoxon's signed-rank test of the two ratios over the datasets, two-sided and by
    Holm's correction for all orders of the risk; and whether the smallest distance has an
    ``advantage``: it is the better one by that test.
    """
    if table.empty:
        return pd.DataFrame()
    others = table[table["order"] != SMALLEST_DISTANCE]
    rows = [
        {"risk": risk, "order": order, **_beside(each, _own(table, risk).loc[each.index])}
        for (risk, order), each in others.groupby(["risk", "order"], sort=False)
        if len(each) >= LEAST_DATASETS
    ]
    if not rows:
        return pd.DataFrame()
    counts = pd.DataFrame(rows)
    counts["p"] = counts.groupby("risk")["p"].transform(
        lambda values: multipletests(values, method="holm")[1]
    )
    counts["advantage"] = (counts["p"] <= ALPHA) & (counts["better"] > counts["worse"])
    return counts


def _own(table: pd.DataFrame, risk: str) -> pd.DataFrame:
    return table[(table["risk"] == risk) & (table["order"] == SMALLEST_DISTANCE)]


def _beside(order: pd.DataFrame, own: pd.DataFrame) -> dict[str, float]:
    """An order and the smallest distance on the same datasets."""
    return {
        "datasets": len(order),
        "median ratio": order["ratio"].median(),
        "of smallest distance": own["ratio"].median(),
        "better": int((order["difference"] > 0).sum()),
        "surely better": int((order["difference low"] > 0).sum()),
        "worse": int((order["difference"] < 0).sum()),
        "surely worse": int((order["difference high"] < 0).sum()),
        "p": wilcoxon(own["ratio"], order["ratio"], lower_is_better=True).p_value,
    }


def _areas(risk: str, orders: Mapping[str, Order]) -> pd.DataFrame:
    found = {name: _sampled(order) for name, order in orders.items()}
    own = found[SMALLEST_DISTANCE]
    rows = [
        {"risk": risk, "order": name, **_figures(each), **_difference(each, own)}
        for name, each in found.items()
    ]
    return pd.DataFrame(rows)


def _sampled(order: Order) -> SampledCurve:
    defined = ~np.isnan(order.risk)
    uncertainty, values = order.uncertainty[defined], order.risk[defined]
    samples = samples_of(len(values))
    drawn = sampled_areas(uncertainty, values, samples)
    with np.errstate(invalid="ignore"):  # no risk at all has no ratio
        ratios = drawn / sampled_means(values, samples)
    return SampledCurve(risk_coverage(uncertainty, values), drawn, ratios)


def _figures(found: SampledCurve) -> dict[str, float]:
    curve, (low, high) = found.curve, interval(found.areas)
    return {
        "rows": len(curve.curve),
        "area": curve.area,
        "low": low,
        "high": high,
        "random": curve.random,
        "ideal": curve.ideal_area,
        "ratio": curve.ratio,
    }


def _difference(found: SampledCurve, own: SampledCurve) -> dict[str, float]:
    low, high = interval(found.ratios - own.ratios)
    return {
        "difference": found.curve.ratio - own.curve.ratio,
        "difference low": low,
        "difference high": high,
    }


def _orders(risk: str, values: Array, run: MlMlmRun, facts: RowFacts | None) -> dict[str, Order]:
    """The orders that are known of a dataset; that of the smallest distance comes first."""
    orders = {SMALLEST_DISTANCE: Order(run.arrays["smallest_distances"], values)}
    arrays = {} if facts is None else facts.arrays
    for name, source in FREE.items():
        if source in arrays:
            sign = -1 if source == "score_margin" else 1  # a large margin is certain
            orders[name] = Order(sign * arrays[source].astype(np.float64), values)
    if FREE[FOREST] in arrays:
        own = {
            ACCURACY: 1 - arrays["forest_accuracy"].astype(np.float64),
            RANKING_LOSS: arrays["forest_ranking_loss"].astype(np.float64),
        }
        orders[FOREST_ALONE] = Order(orders[FOREST].uncertainty, own[risk])
    return orders


def _risks(run: MlMlmRun) -> Iterator[tuple[str, Array]]:
    """By name, those that are defined in some rows."""
    arrays = run.arrays
    if "smallest_distances" not in arrays:
        return
    if "accuracy_per_row" in arrays:
        yield ACCURACY, 1 - arrays["accuracy_per_row"]
    if "ranking_loss_per_row" in arrays and not np.isnan(arrays["ranking_loss_per_row"]).all():
        yield RANKING_LOSS, arrays["ranking_loss_per_row"]
