"""The published values of the methods that the study ``one_footing`` has, on the same datasets.

The study runs every method with min-max scaling and the threshold of the training cardinality,
chosen from out-of-sample scores. The published rows had treatments of their own; what each of these
changes is told apart in `experiments.analysis.numbers.stages`.
"""

from __future__ import annotations

import math

import pandas as pd

from experiments import published
from experiments.analysis.numbers.metrics import PAPER_METRICS, lower_is_better, metric_title
from experiments.analysis.numbers.results import StudyResults
from experiments.published import title
from experiments.record import Record
from mlmlm.statistics import average_ranks

STUDY = "one_footing"
LARGE = ("delicious", "mediamill")
"""The paper's datasets that the study does not have unless it is asked for them."""
REGRESSION, PAIRS = 2.4, 2.0
"""Powers of the training rows with which seconds grow: of the distance regression, as measured
from Yeast to Mediamill, and of what looks at pairs of rows, support vector machines
and neighbours, at the least."""


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


def minutes_elsewhere(results: StudyResults) -> pd.DataFrame:
    """Methods by those of `LARGE` that are not here: the minutes that a run would take.

    Told from its run on the largest data that are here. They grow with rows, features and labels,
    with the squared rows for what looks at pairs of them, and for the distance regression with a
    power of the rows alone.
    """
    sizes = published.datasets().loc[[name for name in LARGE if name not in results.datasets]]
    if sizes.empty:
        return pd.DataFrame()
    rows = []
    for method, name in results.method_titles.items():
        largest = max(
            (each for each in results.records if each.method == method),
            key=lambda each: (1 / _growth(each, sizes.iloc[0]), each.seconds),
        )
        minutes = {
            title(dataset): _growth(largest, there) * largest.seconds / 60
            for dataset, there in sizes.iterrows()
        }
        on = results.dataset_titles[largest.dataset]
        rows.append({"method": name, **minutes, "by": f"{largest.seconds:.0f} s on {on}"})
    return pd.DataFrame(rows).set_index("method")


def _growth(record: Record, there: pd.Series) -> float:
    """How many times as long a run takes on data of other sizes."""
    rows = there["n_train"] / record.data["n_train"]
    if record.method.endswith("_mlm"):
        return float(rows**REGRESSION)
    columns = ("n_features", "n_labels")
    others = math.prod(there[key] / record.data[key] for key in columns)
    return float(rows ** (PAIRS if record.method.endswith(("_svc", "_knn")) else 1.0) * others)


def paper_datasets_of(results: StudyResults) -> list[str]:
    """Titles of those of the study's datasets that the paper has."""
    known = published.datasets().index
    return [title for name, title in results.dataset_titles.items() if name in known]
