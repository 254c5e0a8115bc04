"""The leak in Tmc2007: the published split beside the corrected one, and what it does to ranks.

Every test row of Tmc2007 as published is a copy of a training row. The corrected split comes from
the study ``leak_free``. The reference methods have no values for it, so the ranks of all methods
are shown with Tmc2007 and without it, and those of the distance-regression methods alone with
either of the two splits.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from experiments import published
from experiments.analysis.numbers.arrays import Array
from experiments.analysis.numbers.data_facts import known_facts
from experiments.analysis.numbers.metrics import PAPER_METRICS, metric_title
from experiments.analysis.numbers.ranks import compare_methods, published_comparison
from experiments.analysis.numbers.views import CORRECTED, LEAKED, MissingError, Published, View
from experiments.record import Record
from mlmlm.statistics import RankComparison, critical_distance

RANKINGS = (
    "published",
    "published without Tmc2007",
    "reproduced",
    "reproduced without Tmc2007",
    "distance regression alone",
    "distance regression alone, corrected",
)
"""Columns of the table of ranks."""


class SignificantLeads(NamedTuple):
    """How often an own method meets a reference method, and is significantly better.

    On fewer datasets the critical distance is larger; the last number is by that of all.
    """

    pairs: int
    whole: int
    without: int
    without_at_same_distance: int


def leak_comparisons(metric: str, leaked: View, corrected: View) -> dict[str, RankComparison]:
    """Those of `RANKINGS` for which there are values."""
    known = {"published": published_comparison(metric)}
    tables = {"published": Published().values(metric)}
    with suppress(MissingError):
        known["reproduced"] = leaked.comparison(metric)
        tables["reproduced"] = leaked.values(metric)
        tables["distance regression alone"] = _own(leaked.values(metric))
    for base in tables.keys() & {"published", "reproduced"}:
        tables[f"{base} without Tmc2007"] = tables[base].drop(columns=LEAKED)
    with suppress(MissingError):
        tables["distance regression alone, corrected"] = _own(corrected.values(metric))
    others = {name: table for name, table in tables.items() if name not in known}
    return known | {name: compare_methods(table, metric) for name, table in others.items()}


def values_of_both(leaked: View, corrected: View) -> pd.DataFrame:
    """Metrics by methods and splits."""
    return _side_by_side(_values(leaked), _values(corrected))


def printed_of_both() -> pd.DataFrame:
    """The same of the paper, which has none of the corrected split."""
    tables = [published.results_table(metric)[LEAKED] for metric in PAPER_METRICS]
    printed = _by_metric(
        {method: [t.get(method) for t in tables] for method in published.own_methods()}
    )
    return _side_by_side(printed, printed * np.nan)


def facts_of_both(leaked: View, corrected: View, names: dict[str, str]) -> pd.DataFrame:
    """What the two splits hold, by name of the fact, and what ML-MLM chose on them."""
    rows = {LEAKED: _facts(_record(leaked), names), CORRECTED: _facts(_record(corrected), names)}
    return pd.DataFrame.from_dict(rows, orient="index", dtype=float).rename_axis("dataset")


def ranks_of_all(comparisons: dict[str, dict[str, RankComparison]]) -> pd.DataFrame:
    """Average ranks by metric and method; the best of each metric first."""
    rows: list[dict[str, Any]] = []
    for metric, known in comparisons.items():
        for method in known["published"].average_ranks.index:
            ranks = {
                name: known[name].average_ranks.get(method, np.nan) if name in known else np.nan
                for name in RANKINGS
            }
            rows.append({"metric": metric_title(metric), "method": method, **ranks})
    return pd.DataFrame(rows).set_index("metric")


def best_methods(comparison: RankComparison) -> list[str]:
    """The methods of the best average rank."""
    ranks = comparison.average_ranks
    return sorted(ranks.index[np.isclose(ranks, ranks.min())])


def significant_leads(known: Iterable[tuple[RankComparison, RankComparison]]) -> SignificantLeads:
    """Of comparisons on all datasets, and of the same without one of them."""
    pairs = before = after = at_same_distance = 0
    for whole, without in known:
        distance = critical_distance(whole.n_methods, whole.n_datasets)
        pairs += _leads(whole).size
        before += int((_leads(whole) >= whole.critical_distance).sum())
        after += int((_leads(without) >= without.critical_distance).sum())
        at_same_distance += int((_leads(without) >= distance).sum())
    return SignificantLeads(pairs, before, after, at_same_distance)


def _leads(comparison: RankComparison) -> Array:
    """How far each own method is ahead of each reference method."""
    ranks = comparison.average_ranks
    own = ranks.index.isin(published.own_methods())
    return np.subtract.outer(ranks[~own].to_numpy(), ranks[own].to_numpy())


def _record(view: View, method: str = "ML-MLM") -> Record | None:
    try:
        return view.record(method, LEAKED)
    except MissingError:
        return None


def _facts(record: Record | None, names: dict[str, str]) -> dict[str, float]:
    known = {} if record is None else known_facts(record)
    facts = {title: float(known.get(name, np.nan)) for name, title in names.items()}
    chosen = {} if record is None else record.chosen
    distance = None if record is None else record.distance
    facts["P of ML-MLM"] = float(chosen.get("power", np.nan))
    facts["mean squared distance"] = np.nan if distance is None else distance["mean"]
    return facts


def _values(view: View) -> pd.DataFrame:
    """Metrics by methods on the split that a view has."""
    records = {method: _record(view, method) for method in published.own_methods()}
    columns = {
        method: [
            np.nan if record is None else record.metrics.get(metric) for metric in PAPER_METRICS
        ]
        for method, record in records.items()
    }
    return _by_metric(columns)


def _by_metric(columns: dict[str, list[float | None]]) -> pd.DataFrame:
    index = pd.Index([metric_title(metric) for metric in PAPER_METRICS], name="metric")
    return pd.DataFrame(columns, index=index, dtype=float)


def _side_by_side(leaked: pd.DataFrame, corrected: pd.DataFrame) -> pd.DataFrame:
    columns: dict[str, pd.Series] = {}
    for method in leaked:
        columns |= {method: leaked[method], f"{method} corrected": corrected[method]}
    return pd.DataFrame(columns)


def _own(table: pd.DataFrame) -> pd.DataFrame:
    return table.loc[table.index.isin(published.own_methods())]
