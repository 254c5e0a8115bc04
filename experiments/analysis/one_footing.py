"""All methods on one footing: the same scaling, the same rule from scores to labels.

The study ``one_footing`` lays min-max scaling and the threshold of the training cardinality, chosen
from out-of-sample scores, over every method. Its records are variants of the published rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd

from experiments import published
from experiments.analysis.cd_diagram import draw_cd_diagram, save_figure
from experiments.analysis.mean_cells import mean_cells
from experiments.analysis.parts import Paragraph, Part, Picture, Section
from experiments.analysis.results import StudyResults
from experiments.analysis.seconds import user_seconds
from experiments.analysis.table import Table
from experiments.analysis.titles import in_paper_order
from experiments.record import Record
from mlmlm.metrics import METRICS, PAPER_METRICS
from mlmlm.statistics import RankComparison, compare_ranks

STUDY = "one_footing"
COMMAND = f"make reproduce STUDY={STUDY} && make report"
OURS = "ML-MLM"
LEAST_DATASETS = 2


def make(results: StudyResults) -> Section:
    """Findings, ranks beside the published ones, diagrams, figures and times."""
    records = in_paper_order(results.beside(STUDY).variants)
    if not records:
        missing = Paragraph(f"Missing: nothing of this study is here; `{COMMAND}`.")
        return Section("On one footing", [missing], COMMAND)
    tables = metric_tables(records)
    comparisons = _comparisons(tables)
    parts: list[Part] = [
        Paragraph(_set_up(records)),
        *(Paragraph(finding) for finding in findings(tables, comparisons)),
        Paragraph(limits(comparisons)),
    ]
    if comparisons:
        parts += [ranks_table(tables, comparisons), *_draw(comparisons, results.folder / "figures")]
    parts += [figures_table(metric, table) for metric, table in tables.items()]
    parts += [spread_table(records), cost_table(tables, user_seconds(records))]
    return Section("On one footing", parts, COMMAND)


def metric_tables(records: Sequence[Record]) -> dict[str, pd.DataFrame]:
    """By metric: methods by datasets, means over seeds; methods without scores have no ranking."""
    cells = mean_cells(records)
    tables = {}
    for metric in PAPER_METRICS:
        of_metric = cells[cells["metric"] == metric]
        if len(of_metric):
            table = of_metric.pivot(index="row", columns="dataset", values="ours")
            rows, columns = of_metric["row"].unique(), of_metric["dataset"].unique()
            tables[metric] = table.loc[rows, columns].rename_axis("method")
    return tables


def published_like(metric: str, table: pd.DataFrame) -> pd.DataFrame:
    """The published figures of the same methods, on those of the datasets that the paper has."""
    printed = published.results_table(metric)
    rows = [name for name in table.index if name in printed.index]
    return printed.loc[rows, [name for name in table.columns if name in printed.columns]]


def ranks_table(
    tables: Mapping[str, pd.DataFrame], comparisons: Mapping[str, RankComparison]
) -> Table:
    """Average ranks on one footing, and among the same methods as published."""
    columns: dict[str, pd.Series] = {}
    for metric, comparison in comparisons.items():
        columns[METRICS[metric].title] = comparison.average_ranks
        printed = published_like(metric, tables[metric])
        if len(printed) > 1:
            ranks = compare_ranks(printed, METRICS[metric].lower_is_better).average_ranks
            columns[f"{METRICS[metric].title}, published"] = ranks
    values = pd.DataFrame(columns).rename_axis("method")
    ours = [METRICS[metric].title for metric in comparisons]
    order = values[ours].mean(axis=1).sort_values(kind="stable").index
    return Table(
        "one_footing_ranks",
        "Average ranks on one footing, beside those of the published figures",
        values.loc[order],
        form=".2f",
        note=(
            "1 is the best. Published: ranks of the published figures among the methods that have "
            "one, on those of the datasets that the paper has. A dash: the method has no scores, "
            "or no published row."
        ),
    )


def figures_table(metric: str, table: pd.DataFrame) -> Table:
    lower = METRICS[metric].lower_is_better
    shown = table.round(3)
    return Table(
        f"one_footing_{metric}",
        f"On one footing: {METRICS[metric].heading}",
        table.rename(columns=published.title).rename_axis(None, axis=1),
        best=shown.eq(shown.min() if lower else shown.max()).rename(columns=published.title),
    )


def spread_table(records: Sequence[Record]) -> Table:
    """Standard deviations over seeds of the stochastic methods, the mean over datasets."""
    rows = [
        {"method": record.published_as or record.method, "dataset": record.dataset}
        | {METRICS[name].title: record.metrics.get(name) for name in PAPER_METRICS}
        for record in records
        if record.seed is not None
    ]
    if not rows:
        return Table("one_footing_spread", "Spread over seeds", pd.DataFrame())
    frame = pd.DataFrame(rows)
    groups = frame.groupby(["method", "dataset"], sort=False)
    values = groups.std().groupby("method", sort=False).mean()
    values.insert(0, "seeds", groups.size().groupby("method", sort=False).max())
    return Table(
        "one_footing_spread",
        "Standard deviation over seeds of stochastic methods, mean over datasets",
        values,
        form={"seeds": "d"} | dict.fromkeys(values.columns[1:], ".4f"),
    )


def cost_table(tables: Mapping[str, pd.DataFrame], seconds: pd.DataFrame) -> Table:
    """Seconds to fit and predict beside accuracy: what a user pays for a point of it."""
    accuracy = tables["accuracy"].mean(axis=1)
    total = seconds.sum(axis=1).reindex(accuracy.index)
    values = seconds.reindex(accuracy.index).rename(columns=published.title)
    values = values.assign(total=total, accuracy=accuracy)
    values["seconds per point"] = total / (100 * accuracy)
    values = values.sort_values("accuracy", ascending=False, kind="stable")
    return Table(
        "one_footing_cost",
        "Seconds to fit and predict, and mean accuracy",
        values.rename_axis("method").rename_axis(None, axis=1),
        form=dict.fromkeys([*values.columns], ".2f") | {"accuracy": ".3f"},
        note=(
            "Scaling, fitting with the choice of the threshold, and predicting, the mean over "
            "seeds. Seconds per point: the total over the hundredths of mean accuracy."
        ),
    )


def findings(
    tables: Mapping[str, pd.DataFrame], comparisons: Mapping[str, RankComparison]
) -> Iterator[str]:
    """What comes out, in plain words."""
    best = [
        f"{_in_a_sentence(metric)}: {one.average_ranks.index[0]} "
        f"({one.average_ranks.iloc[0]:.2f}), {OURS} is {_place(one)} of {one.n_methods}"
        for metric, one in comparisons.items()
        if OURS in one.average_ranks.index
    ]
    if best:
        yield "**Best average rank.** " + "; ".join(best) + "."
    differing = [
        f"{_in_a_sentence(metric)}: {', '.join(worse)}"
        for metric, one in comparisons.items()
        if one.rejected
        and OURS in one.average_ranks.index
        and (worse := [str(name) for name in one.average_ranks.index if one.differ(OURS, name)])
    ]
    yield f"**Significant differences to {OURS}** (Nemenyi, 5 %): " + (
        "; ".join(differing) + "." if differing else "none on any metric."
    )
    if "accuracy" in tables:
        yield from _accuracy_gained(tables["accuracy"])


def limits(comparisons: Mapping[str, RankComparison]) -> str:
    """What these figures cannot show."""
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


def _accuracy_gained(table: pd.DataFrame) -> Iterator[str]:
    printed = published_like("accuracy", table)
    gained = (
        (table.loc[printed.index, printed.columns] - printed)
        .mean(axis=1)
        .sort_values(ascending=False)
    )
    if len(gained):
        words = ", ".join(f"{name} {change:+.3f}" for name, change in gained.items())
        yield f"**Mean accuracy less the published**, on the paper's datasets: {words}."


def _comparisons(tables: Mapping[str, pd.DataFrame]) -> dict[str, RankComparison]:
    """Of the methods that have a figure on all datasets."""
    complete = {metric: table.dropna() for metric, table in tables.items()}
    return {
        metric: compare_ranks(table, METRICS[metric].lower_is_better)
        for metric, table in complete.items()
        if table.shape[1] >= LEAST_DATASETS and len(table) > 2
    }


def _draw(comparisons: Mapping[str, RankComparison], folder: Path) -> Iterator[Picture]:
    for metric, comparison in comparisons.items():
        name, title = f"cd_one_footing_{metric}", f"{METRICS[metric].title}, on one footing"
        save_figure(draw_cd_diagram(comparison, title)[0], folder / name)
        yield Picture(name, title)


def _in_a_sentence(metric: str) -> str:
    title = METRICS[metric].title
    return title[0].lower() + title[1:]


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
