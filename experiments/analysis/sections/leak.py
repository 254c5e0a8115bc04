"""The leak in Tmc2007: both splits side by side, and the ranks with and without the dataset."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from experiments.analysis.numbers.agreement import agreement
from experiments.analysis.numbers.leak import (
    RANKINGS,
    best_methods,
    facts_of_both,
    leak_comparisons,
    printed_of_both,
    ranks_of_all,
    significant_leads,
    values_of_both,
)
from experiments.analysis.numbers.metrics import PAPER_METRICS, metric_title
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.row_facts import COMMAND as ROWS
from experiments.analysis.numbers.twins import without_twins
from experiments.analysis.numbers.views import (
    CORRECTED,
    LEAK_FREE_STUDY,
    LEAKED,
    LeakFree,
    Reproduced,
    View,
)
from experiments.analysis.sections.parts import Paragraph, Section, Table
from experiments.published.printing import TOLERANCES
from mlmlm.statistics import RankComparison

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


def leak_section(results: StudyResults) -> Section:
    """Values and audit of both splits, and the ranks."""
    leaked, corrected = Reproduced(results), LeakFree(results)
    audit = audit_table(leaked, corrected)
    comparisons = {metric: leak_comparisons(metric, leaked, corrected) for metric in PAPER_METRICS}
    return Section(
        "The leak in Tmc2007",
        [
            Paragraph(_introduction(audit.values)),
            values_table(leaked, corrected),
            audit,
            *map(Paragraph, _effects(comparisons)),
            Table(
                "leak_ranks",
                "Average ranks with and without Tmc2007",
                ranks_of_all(comparisons),
                form=".2f",
            ),
            *_twin_parts(results),
        ],
        command=COMMAND,
    )


def _twin_parts(results: StudyResults) -> Iterator[Paragraph | Table]:
    """Figures without the test rows that have a twin in training, of every dataset that has any."""
    figures = without_twins(results)
    if figures.empty:
        yield Paragraph(f"Which test rows have a twin in training is not known yet: `{ROWS}`.")
        return
    yield Paragraph(_twins_in_words(figures))
    titles = {"accuracy": "accuracy", "ranking_loss": "ranking loss"}
    headings = {f"{name} without": f"{title}, without twins" for name, title in titles.items()}
    yield Table(
        "leak_twins",
        "Figures without the test rows that have a twin in training",
        figures.set_index("dataset"),
        form={"rows": ",d", "twins": ",d"},
        titles=titles | headings,
        note=(
            "Of the metrics that records keep for each row; NN-MLM has no scores. A twin has the "
            "features of a training row, not always its labels. Of Tmc2007 as published nothing "
            "would be left."
        ),
    )


def _twins_in_words(figures: pd.DataFrame) -> str:
    """How much the figures change, the most of all, and whether the order of the methods does."""
    change = (figures["accuracy without"] - figures["accuracy"]).abs()
    most = figures.loc[change.idxmax()]
    changed = [
        str(name)
        for name, of_dataset in figures.groupby("dataset", sort=False)
        if _order(of_dataset, "accuracy") != _order(of_dataset, "accuracy without")
    ]
    datasets = figures["dataset"].nunique()
    return (
        f"On {datasets} datasets some test rows have the features of a training row. Without them "
        f"accuracy changes by {change.max():.3f} at the most ({most['method']} on "
        f"{most['dataset']}: "
        f"{most['accuracy']:.3f} to {most['accuracy without']:.3f}); the order of the methods by "
        f"accuracy is {'another on ' + ', '.join(changed) if changed else 'the same on all'}."
    )


def _order(figures: pd.DataFrame, column: str) -> list[str]:
    return list(figures.sort_values(column, ascending=False, kind="stable")["method"])


def values_table(leaked: View, corrected: View) -> Table:
    """Metrics by methods and splits, the published values beside ours."""
    ours, theirs = values_of_both(leaked, corrected), printed_of_both()
    return Table(
        "leak_values",
        "Tmc2007 as published and corrected",
        ours,
        published=theirs,
        agrees=agreement(ours, theirs, TOLERANCES["results"]),
        note="The paper has no values on the corrected split.",
    )


def audit_table(leaked: View, corrected: View) -> Table:
    """What the two splits hold, and what ML-MLM chose on them."""
    values = facts_of_both(leaked, corrected, AUDIT)
    fractions = {"cardinality": ".3f", "P of ML-MLM": ".1f", "mean squared distance": ".2f"}
    form = {name: fractions.get(name, ",.0f") for name in values}
    titles = {LEAKED: "as published", CORRECTED: "corrected"}
    return Table("leak_audit", "The two splits of Tmc2007", values, form=form, titles=titles)


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
    """What leaving the dataset out changes; with our values if they are there."""
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
        f"{metric_title(metric)} ({', '.join(first)}; without it {', '.join(second)})"
        for metric, (whole, without) in known.items()
        if (first := best_methods(whole)) != (second := best_methods(without))
    ]
    if not changed:
        return f"In the {base} tables no metric's best average rank changes without Tmc2007."
    where = "; ".join(changed)
    return f"In the {base} tables the best average rank changes without Tmc2007 in: {where}."


def _on_significance(known: dict[str, tuple[RankComparison, RankComparison]]) -> str:
    found = significant_leads(known.values())
    return (
        f"Over all metrics a distance-regression method meets a reference method {found.pairs} "
        f"times. {found.whole} times it is significantly better; without Tmc2007 {found.without} "
        f"times. With fewer datasets the critical distance is larger; by that of all ten it would "
        f"be {found.without_at_same_distance} times."
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
        metric_title(metric)
        for metric, (leaked, corrected) in known.items()
        if list(leaked.average_ranks.index) != list(corrected.average_ranks.index)
    ]
    if changed:
        yield f"{text}another with the corrected split in: {', '.join(changed)}."
    else:
        yield f"{text}the same with both splits."
