"""On one footing: what becomes of the comparison if all methods get the same treatment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from experiments import published
from experiments.analysis.numbers.metrics import best, metric_heading, metric_title, metric_words
from experiments.analysis.numbers.one_footing import (
    STUDY,
    accuracy_gained,
    costs,
    footing_comparisons,
    footing_ranks,
    metric_tables,
    spread_over_seeds,
)
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.titles import in_paper_order
from experiments.analysis.sections.cd_diagram import draw_cd_diagram
from experiments.analysis.sections.parts import Paragraph, Part, Picture, Section, Table
from experiments.published.printing import DECIMALS
from experiments.record import Record
from mlmlm.statistics import RankComparison

TITLE = "On one footing"
COMMAND = f"make reproduce STUDY={STUDY}"
OURS = "ML-MLM"


def one_footing_section(results: StudyResults) -> Section:
    """Findings, ranks beside the published ones, diagrams, values and times."""
    records = in_paper_order(results.variants)
    if not records:
        return Section(TITLE, [Paragraph(missing())], COMMAND)
    tables = metric_tables(records)
    comparisons = footing_comparisons(tables)
    parts: list[Part] = [
        Paragraph(_set_up(records)),
        *map(Paragraph, findings(tables, comparisons)),
        Paragraph(limits(comparisons)),
    ]
    if comparisons:
        parts += [ranks_table(tables, comparisons), *diagrams(comparisons)]
    parts += [values_table(metric, table) for metric, table in tables.items()]
    parts += [spread_table(records), cost_table(records, tables["accuracy"])]
    return Section(TITLE, parts, COMMAND)


def one_footing_summary(results: StudyResults) -> Section:
    """What the report of the paper says of this study: its findings, and where the rest is."""
    records = in_paper_order(results.beside(STUDY).variants)
    if not records:
        return Section(TITLE, [Paragraph(missing())], COMMAND)
    tables = metric_tables(records)
    words = [_set_up(records), *findings(tables, footing_comparisons(tables))]
    link = f"[The whole comparison](../{STUDY}/report.html)."
    return Section(TITLE, [Paragraph(text) for text in (*words, link)], COMMAND)


def ranks_table(
    tables: Mapping[str, pd.DataFrame], comparisons: Mapping[str, RankComparison]
) -> Table:
    return Table(
        "one_footing_ranks",
        "Average ranks on one footing, beside those of the published values",
        footing_ranks(tables, comparisons),
        form=".2f",
        note=(
            "1 is the best. Published: ranks of the published values among the methods that have "
            "one, on those of the datasets that the paper has. A dash: the method has no scores, "
            "or no published row."
        ),
    )


def values_table(metric: str, table: pd.DataFrame) -> Table:
    shown = table.round(DECIMALS["results"])
    return Table(
        f"one_footing_{metric}",
        f"On one footing: {metric_heading(metric)}",
        table.rename(columns=published.title).rename_axis(None, axis=1),
        best=shown.eq(best(shown, metric)).rename(columns=published.title),
    )


def spread_table(records: Sequence[Record]) -> Table:
    values = spread_over_seeds(records)
    return Table(
        "one_footing_spread",
        "Standard deviation over seeds of stochastic methods, mean over datasets",
        values,
        form={"seeds": "d"} | dict.fromkeys(values.columns[1:], ".4f"),
    )


def cost_table(records: Sequence[Record], accuracy: pd.DataFrame) -> Table:
    """What a user pays for a point of accuracy."""
    values = costs(records, accuracy)
    return Table(
        "one_footing_cost",
        "Seconds to fit and predict, and mean accuracy",
        values,
        form=dict.fromkeys([*values.columns], ".2f") | {"accuracy": ".3f"},
        note=(
            "Scaling, fitting with the choice of the threshold, and predicting, the mean over "
            "seeds. Seconds per point: the total over the hundredths of mean accuracy."
        ),
    )


def diagrams(comparisons: Mapping[str, RankComparison]) -> Iterator[Picture]:
    for metric, comparison in comparisons.items():
        title = f"{metric_title(metric)}, on one footing"
        figure, _ = draw_cd_diagram(comparison, title)
        yield Picture(f"cd_one_footing_{metric}", title, figure)


def findings(
    tables: Mapping[str, pd.DataFrame], comparisons: Mapping[str, RankComparison]
) -> Iterator[str]:
    """What comes out, in plain words."""
    leading = [
        f"{metric_words(metric)}: {one.average_ranks.index[0]} "
        f"({one.average_ranks.iloc[0]:.2f}), {OURS} is {_place(one)} of {one.n_methods}"
        for metric, one in comparisons.items()
        if OURS in one.average_ranks.index
    ]
    if leading:
        yield "**Best average rank.** " + "; ".join(leading) + "."
    differing = [
        f"{metric_words(metric)}: {', '.join(worse)}"
        for metric, one in comparisons.items()
        if one.rejected
        and OURS in one.average_ranks.index
        and (worse := [str(name) for name in one.average_ranks.index if one.differ(OURS, name)])
    ]
    yield f"**Significant differences to {OURS}** (Nemenyi, 5 %): " + (
        "; ".join(differing) + "." if differing else "none on any metric."
    )
    if "accuracy" in tables:
        gained = accuracy_gained(tables["accuracy"])
        words = ", ".join(f"{name} {change:+.3f}" for name, change in gained.items())
        yield f"**Mean accuracy less the published**, on the paper's datasets: {words}."


def limits(comparisons: Mapping[str, RankComparison]) -> str:
    """What these values cannot show."""
    sizes = {one.n_datasets for one in comparisons.values()}
    distances = {f"{one.critical_distance:.2f}" for one in comparisons.values()}
    counted = (
        f"{max(sizes)} datasets give critical distances of {' and '.join(sorted(distances))} "
        "ranks, so only large differences can be significant. "
        if sizes
        else ""
    )
    return (
        f"**Limits.** {counted}No method is tuned beyond what its configuration says: one setting "
        "for all datasets, and BR-SVM and CC-SVM have scikit-learn's defaults where the published "
        "rows were tuned. Methods without scores (NN-MLM, RAkEL) keep their own way to labels. "
        "Times are of one shared machine."
    )


def _place(comparison: RankComparison) -> int:
    return 1 + list(comparison.average_ranks.index).index(OURS)


def _set_up(records: Sequence[Record]) -> str:
    datasets = list(dict.fromkeys(published.title(record.dataset) for record in records))
    methods = dict.fromkeys(record.method for record in records)
    return (
        f"{len(methods)} methods on {', '.join(datasets)}: features scaled to [0, 1] for all of "
        "them, and, for all that have scores, one threshold at which the training rows, scored by "
        "models that have not seen them, have as many labels as they really have."
    )


def missing() -> str:
    return f"Missing: nothing of this study is here; `{COMMAND}`."
