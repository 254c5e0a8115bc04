"""What one footing changes: values with the same scaling and threshold, less the published ones.

The study ``one_footing`` runs every method with min-max scaling and the threshold of the training
cardinality, chosen from out-of-sample scores. The published rows had treatments of their own.
"""

from __future__ import annotations

import pandas as pd

from experiments import published
from experiments.analysis.numbers.metrics import PAPER_METRICS, lower_is_better, metric_title
from experiments.analysis.numbers.results import StudyResults
from mlmlm.statistics import average_ranks

STUDY = "one_footing"


def gains(results: StudyResults) -> pd.DataFrame:
    """Methods by metrics: how much better than published, the mean over the paper's datasets.

    Positive is better, whichever way the metric goes; who gained the most accuracy comes first.
    """
    columns = {}
    for metric, (ours, theirs) in _pairs(results).items():
        gained = (ours - theirs).mean(axis=1)
        columns[metric_title(metric)] = -gained if lower_is_better(metric) else gained
    table = pd.DataFrame(columns).dropna(how="all").rename_axis("method")
    accuracy = metric_title("accuracy")
    return table.sort_values(accuracy, ascending=False) if accuracy in table else table


def published_ranks_of_the_same(results: StudyResults) -> pd.DataFrame:
    """Methods by metrics: average ranks of the published values, on the same datasets."""
    columns = {
        metric_title(metric): average_ranks(theirs, lower_is_better(metric))
        for metric, (_, theirs) in _pairs(results).items()
        if len(theirs) > 1
    }
    return pd.DataFrame(columns).rename_axis("method")


def _pairs(results: StudyResults) -> dict[str, tuple[pd.DataFrame, pd.DataFrame]]:
    """By metric our values and the published ones, of the methods and datasets that have both."""
    cells = results.mean_cells
    cells = cells[cells["published"].notna()]
    cells = cells.assign(method=cells["method"].map(results.method_titles))
    pairs = {}
    for metric in PAPER_METRICS:
        of_metric = cells[cells["metric"] == metric]
        if len(of_metric):
            ours, theirs = (
                of_metric.pivot(index="method", columns="dataset", values=column).dropna()
                for column in ("ours", "published")
            )
            pairs[metric] = ours, theirs
    return pairs


def paper_datasets_of(results: StudyResults) -> list[str]:
    """Titles of those of the study's datasets that the paper has."""
    known = published.datasets().index
    return [title for name, title in results.dataset_titles.items() if name in known]
