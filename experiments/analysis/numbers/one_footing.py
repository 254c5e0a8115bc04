"""The published values of the methods that the study ``one_footing`` has, on the same datasets.

The study runs every method with min-max scaling and the threshold of the training cardinality,
chosen from out-of-sample scores. The published rows had treatments of their own; what each of these
changes is told apart in `experiments.analysis.numbers.stages`.
"""

from __future__ import annotations

import pandas as pd

from experiments import published
from experiments.analysis.numbers.metrics import PAPER_METRICS, lower_is_better, metric_title
from experiments.analysis.numbers.results import StudyResults
from mlmlm.statistics import average_ranks

STUDY = "one_footing"


def published_ranks_of_the_same(results: StudyResults) -> pd.DataFrame:
    """Methods by metrics: average ranks of the published values, on the same datasets."""
    cells = results.mean_cells
    cells = cells[cells["published"].notna()]
    cells = cells.assign(method=cells["method"].map(results.method_titles))
    columns = {}
    for metric in PAPER_METRICS:
        of_metric = cells[cells["metric"] == metric]
        values = of_metric.pivot(index="method", columns="dataset", values="published").dropna()
        if len(values) > 1:
            columns[metric_title(metric)] = average_ranks(values, lower_is_better(metric))
    return pd.DataFrame(columns).rename_axis("method")


def paper_datasets_of(results: StudyResults) -> list[str]:
    """Titles of those of the study's datasets that the paper has."""
    known = published.datasets().index
    return [title for name, title in results.dataset_titles.items() if name in known]
