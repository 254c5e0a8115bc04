"""All methods on one footing: the same scaling, the same rule from scores to labels.

The study ``one_footing`` runs every method with min-max scaling and the threshold of the training
cardinality, chosen from out-of-sample scores. Its records are variants of the published rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from experiments import published
from experiments.analysis.numbers.cells import mean_cells
from experiments.analysis.numbers.metrics import PAPER_METRICS, metric_title
from experiments.analysis.numbers.ranks import compare_methods
from experiments.analysis.numbers.seconds import user_seconds
from experiments.record import Record
from mlmlm.statistics import LEAST_DATASETS, RankComparison

STUDY = "one_footing"


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


def footing_comparisons(tables: Mapping[str, pd.DataFrame]) -> dict[str, RankComparison]:
    """Of the methods that have a value on all datasets."""
    complete = {metric: table.dropna() for metric, table in tables.items()}
    return {
        metric: compare_methods(table, metric)
        for metric, table in complete.items()
        if table.shape[1] >= LEAST_DATASETS and len(table) > 2
    }


def published_like(metric: str, table: pd.DataFrame) -> pd.DataFrame:
    """The published values of the same methods, on those of the datasets that the paper has."""
    printed = published.results_table(metric)
    rows = [name for name in table.index if name in printed.index]
    return printed.loc[rows, [name for name in table.columns if name in printed.columns]]


def footing_ranks(
    tables: Mapping[str, pd.DataFrame], comparisons: Mapping[str, RankComparison]
) -> pd.DataFrame:
    """Average ranks on one footing, and among the same methods as published."""
    columns: dict[str, pd.Series] = {}
    for metric, comparison in comparisons.items():
        columns[metric_title(metric)] = comparison.average_ranks
        printed = published_like(metric, tables[metric])
        if len(printed) > 1:
            ranks = compare_methods(printed, metric).average_ranks
            columns[f"{metric_title(metric)}, published"] = ranks
    values = pd.DataFrame(columns).rename_axis("method")
    ours = [metric_title(metric) for metric in comparisons]
    order = values[ours].mean(axis=1).sort_values(kind="stable").index
    return values.loc[order]


def spread_over_seeds(records: Sequence[Record]) -> pd.DataFrame:
    """Standard deviations over seeds of the stochastic methods, the mean over datasets."""
    rows = [
        {"method": record.published_as or record.method, "dataset": record.dataset}
        | {metric_title(name): record.metrics.get(name) for name in PAPER_METRICS}
        for record in records
        if record.seed is not None
    ]
    if not rows:
        return pd.DataFrame()
    frame = pd.DataFrame(rows)
    groups = frame.groupby(["method", "dataset"], sort=False)
    values = groups.std().groupby("method", sort=False).mean()
    values.insert(0, "seeds", groups.size().groupby("method", sort=False).max())
    return values


def costs(records: Sequence[Record], accuracy_table: pd.DataFrame) -> pd.DataFrame:
    """Seconds to fit and predict beside accuracy: what a user pays for a point of it."""
    seconds, accuracy = user_seconds(records), accuracy_table.mean(axis=1)
    total = seconds.sum(axis=1).reindex(accuracy.index)
    values = seconds.reindex(accuracy.index).rename(columns=published.title)
    values = values.assign(total=total, accuracy=accuracy)
    values["seconds per point"] = total / (100 * accuracy)
    values = values.sort_values("accuracy", ascending=False, kind="stable")
    return values.rename_axis("method").rename_axis(None, axis=1)


def accuracy_gained(table: pd.DataFrame) -> pd.Series:
    """By method, the mean accuracy less the published, the largest first."""
    printed = published_like("accuracy", table)
    gained = (table.loc[printed.index, printed.columns] - printed).mean(axis=1)
    return gained.sort_values(ascending=False)
