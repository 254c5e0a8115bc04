"""The leak in Tmc2007: the published split beside the corrected one, and what it does to ranks.

Every test row of Tmc2007 as published is a copy of a training row. The corrected split comes from
the study ``leak_free``. The reference methods have no figures for it, so the ranks of all methods
are shown with Tmc2007 and without it, and those of the distance-regression methods alone with
either of the two splits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd

from experiments import published
from experiments.analysis.claims.evidence import (
    CORRECTED,
    LEAK_FREE_STUDY,
    LEAKED,
    Evidence,
    LeakFree,
    MissingError,
    Published,
    Reproduced,
)
from experiments.analysis.parts import Paragraph, Section
from experiments.analysis.results import StudyResults
from experiments.analysis.table import Table
from experiments.comparison import TOLERANCES
from experiments.record import Record
from mlmlm.metrics import METRICS, PAPER_METRICS
from mlmlm.statistics import RankComparison, compare_ranks, critical_distance

COMMAND = f"make reproduce STUDY={LEAK_FREE_STUDY} && make report"
AUDIT = {
    "n_train": "training rows",
    "n_test": "test rows",
    "test_rows_with_twin": "test rows with a twin in training",
    "test_rows_with_twin_and_labels": "with a twin and its labels",
    "novel_label_vectors": "test rows with a new label vector",
    "duplicate_training_rows": "duplicates in training",
    "unique_label_vectors": "label vectors",
    "cardinality": "cardinality",
}
RANKINGS = (
    "published",
    "published without Tmc2007",
    "reproduced",
    "reproduced without Tmc2007",
    "distance regression alone",
    "distance regression alone, corrected",
)
"""Columns of the table of ranks."""


def make(results: StudyResults) -> Section:
    """Figures and audit of both splits, and the ranks."""
    leaked, corrected = Reproduced(results), LeakFree(results)
    audit = audit_table(leaked, corrected)
    comparisons = {metric: _comparisons(metric, leaked, corrected) for metric in PAPER_METRICS}
    return Section(
        "The leak in Tmc2007",
        [
            Paragraph(_introduction(audit.values)),
            figures_table(leaked, corrected),
            audit,
            *map(Paragraph, _effects(comparisons)),
            ranks_table(comparisons),
        ],
        command=COMMAND,
    )


def figures_table(leaked: Evidence, corrected: Evidence) -> Table:
    """Metrics by methods and splits, the published figures beside ours."""
    ours = _side_by_side(_figures(leaked), _figures(corrected))
    theirs = _side_by_side(_printed(), _printed() * np.nan)
    agrees = ((ours - theirs).abs() <= TOLERANCES["results"]).astype(object)
    return Table(
        "leak_figures",
        "Tmc2007 as published and corrected",
        ours,
        published=theirs,
        agrees=agrees.where(ours.notna() & theirs.notna(), None),
        note="The paper has no figures on the corrected split.",
    )


def audit_table(leaked: Evidence, corrected: Evidence) -> Table:
    """What the two splits hold, and what ML-MLM chose on them."""
    rows = {LEAKED: _facts(_record(leaked)), CORRECTED: _facts(_record(corrected))}
    values = pd.DataFrame.from_dict(rows, orient="index", dtype=float).rename_axis("dataset")
    fractions = {"cardinality": ".3f", "P of ML-MLM": ".1f", "mean squared distance": ".2f"}
    form = {name: fractions.get(name, ",.0f") for name in values}
    return Table("leak_audit", "The two splits of Tmc2007", values, form=form)


def ranks_table(comparisons: dict[str, dict[str, RankComparison]]) -> Table:
    """Average ranks by metric and method; the best of each metric first."""
    rows: list[dict[str, Any]] = []
    for metric, known in comparisons.items():
        for method in known["published"].average_ranks.index:
            ranks = {
                name: known[name].average_ranks.get(method, np.nan) if name in known else np.nan
                for name in RANKINGS
            }
            rows.append({"metric": METRICS[metric].title, "method": method, **ranks})
    values = pd.DataFrame(rows).set_index("metric")
    return Table("leak_ranks", "Average ranks with and without Tmc2007", values, form=".2f")


def _comparisons(metric: str, leaked: Evidence, corrected: Evidence) -> dict[str, RankComparison]:
    """Those of `RANKINGS` for which there are figures."""
    tables = {"published": Published().figures(metric)}
    with suppress(MissingError):
        tables["reproduced"] = leaked.figures(metric)
        tables["distance regression alone"] = _own(leaked.figures(metric))
    for base in tables.keys() & {"published", "reproduced"}:
        tables[f"{base} without Tmc2007"] = tables[base].drop(columns=LEAKED)
    with suppress(MissingError):
        tables["distance regression alone, corrected"] = _own(corrected.figures(metric))
    return {
        name: compare_ranks(table, METRICS[metric].lower_is_better)
        for name, table in tables.items()
    }


# Words


def _introduction(audit: pd.DataFrame) -> str:
    rows, twins, copies = (
        audit.at[LEAKED, AUDIT[name]]
        for name in ("n_test", "test_rows_with_twin", "test_rows_with_twin_and_labels")
    )
    if np.isnan(copies):
        text = "The study's records do not hold the audit of Tmc2007."
    else:
        text = (
            f"Of the {rows:,.0f} test rows of Tmc2007 as published {twins:,.0f} have the features "
            f"of a training row, and {copies:,.0f} its labels too."
        )
        if copies == rows:
            text += " The whole test set is in the training set."
    if np.isnan(audit.at[CORRECTED, AUDIT["n_test"]]):
        return f"{text} There are no runs on the corrected split yet: `{COMMAND}` makes them."
    fixed = audit.at[CORRECTED, AUDIT["test_rows_with_twin_and_labels"]]
    if not np.isnan(fixed):
        text += f" In the corrected split {fixed:,.0f} are such copies."
    return text


def _effects(comparisons: dict[str, dict[str, RankComparison]]) -> Iterator[str]:
    """What leaving the dataset out changes; with our figures if they are there."""
    for base in ("reproduced", "published"):
        known = {
            metric: (one[base], one[f"{base} without Tmc2007"])
            for metric, one in comparisons.items()
            if base in one
        }
        if known:
            yield _on_best(base, known)
            yield _on_significance(known)
            break
    yield from _on_own(comparisons)


def _on_best(base: str, known: dict[str, tuple[RankComparison, RankComparison]]) -> str:
    changed = [
        f"{METRICS[metric].title} ({', '.join(first)}; without it {', '.join(second)})"
        for metric, (whole, without) in known.items()
        if (first := _best(whole)) != (second := _best(without))
    ]
    if not changed:
        return f"In the {base} tables no metric's best average rank changes without Tmc2007."
    where = "; ".join(changed)
    return f"In the {base} tables the best average rank changes without Tmc2007 in: {where}."


def _on_significance(known: dict[str, tuple[RankComparison, RankComparison]]) -> str:
    pairs = before = after = same_distance = 0
    for whole, without in known.values():
        gaps = _leads(whole)
        pairs += len(gaps)
        before += int((gaps >= whole.critical_distance).sum())
        after += int((_leads(without) >= without.critical_distance).sum())
        distance = critical_distance(whole.n_methods, whole.n_datasets)
        same_distance += int((_leads(without) >= distance).sum())
    return (
        f"Over all metrics a distance-regression method meets a reference method {pairs} times. "
        f"{before} times it is significantly better; without Tmc2007 {after} times. "
        f"With fewer datasets the critical distance is larger; by that of all ten it would be "
        f"{same_distance} times."
    )


def _on_own(comparisons: dict[str, dict[str, RankComparison]]) -> Iterator[str]:
    names = RANKINGS[-2:]
    known = {
        metric: (one[names[0]], one[names[1]])
        for metric, one in comparisons.items()
        if all(name in one for name in names)
    }
    if not known:
        return
    text = "Among the distance-regression methods alone the order of the average ranks is "
    changed = [
        METRICS[metric].title
        for metric, (leaked, corrected) in known.items()
        if list(leaked.average_ranks.index) != list(corrected.average_ranks.index)
    ]
    if changed:
        yield f"{text}another with the corrected split in: {', '.join(changed)}."
    else:
        yield f"{text}the same with both splits."


# Helpers


def _record(evidence: Evidence, method: str = "ML-MLM") -> Record | None:
    try:
        return evidence.record(method, LEAKED)
    except MissingError:
        return None


def _facts(record: Record | None) -> dict[str, float]:
    data = {} if record is None else record.data
    known = data | data.get("characteristics", {}) | data.get("audit", {})
    facts = {title: float(known.get(name, np.nan)) for name, title in AUDIT.items()}
    chosen = {} if record is None else record.chosen
    distance = None if record is None else record.distance
    facts["P of ML-MLM"] = float(chosen.get("power", np.nan))
    facts["mean squared distance"] = np.nan if distance is None else distance["mean"]
    return facts


def _figures(evidence: Evidence) -> pd.DataFrame:
    """Metrics by methods on the split that a view has."""
    records = {method: _record(evidence, method) for method in published.own_methods()}
    columns = {
        method: [
            np.nan if record is None else record.metrics.get(metric) for metric in PAPER_METRICS
        ]
        for method, record in records.items()
    }
    return _by_metric(columns)


def _printed() -> pd.DataFrame:
    """The paper's figures: metrics by methods."""
    tables = [published.results_table(metric)[LEAKED] for metric in PAPER_METRICS]
    return _by_metric(
        {method: [t.get(method) for t in tables] for method in published.own_methods()}
    )


def _by_metric(columns: dict[str, list[float | None]]) -> pd.DataFrame:
    index = pd.Index([METRICS[metric].title for metric in PAPER_METRICS], name="metric")
    return pd.DataFrame(columns, index=index, dtype=float)


def _side_by_side(leaked: pd.DataFrame, corrected: pd.DataFrame) -> pd.DataFrame:
    columns: dict[str, pd.Series] = {}
    for method in leaked:
        columns |= {method: leaked[method], f"{method} corrected": corrected[method]}
    return pd.DataFrame(columns)


def _own(table: pd.DataFrame) -> pd.DataFrame:
    return table.loc[table.index.isin(published.own_methods())]


def _best(comparison: RankComparison) -> list[str]:
    """The methods of the best average rank."""
    ranks = comparison.average_ranks
    return sorted(ranks.index[np.isclose(ranks, ranks.min())])


def _leads(comparison: RankComparison) -> pd.Series:
    """How far each own method is ahead of each reference method."""
    ranks = comparison.average_ranks
    own = ranks.index.isin(published.own_methods())
    return pd.Series(np.subtract.outer(ranks[~own].to_numpy(), ranks[own].to_numpy()).ravel())
