"""The values of a study: for each metric its methods by its datasets."""

from __future__ import annotations

import pandas as pd

from experiments.analysis.numbers.comparison import MetricComparison
from experiments.analysis.numbers.metrics import metric_heading
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import Paragraph, Section, Table
from mlmlm.metrics import METRICS

TITLE = "Values"


def values_section(results: StudyResults) -> Section:
    """A table for each metric, with the published values beside ours if the study asks for them."""
    metrics = results.comparison.metrics
    if not metrics:
        return Section(TITLE, [Paragraph("The study has no values yet.")])
    return Section(TITLE, [values_table(one, results) for one in metrics.values()])


def values_table(one: MetricComparison, results: StudyResults) -> Table:
    decimals = METRICS[one.metric].decimals
    beside, agrees = published_like(one, results)
    several = one.runs.max(axis=1)
    runs = ", ".join(f"{name} ({n:.0f})" for name, n in several[several > 1].items())
    return Table(
        f"table_{one.metric}",
        metric_heading(one.metric),
        one.means,
        form=f".{decimals}f",
        published=beside,
        agrees=agrees,
        best=one.best_as_printed(decimals),
        deviations=one.deviations if runs else None,
        note="Bold: the best of a dataset."
        + (f" Of several runs, mean ± standard deviation: {runs}." if runs else ""),
    )


def published_like(
    one: MetricComparison, results: StudyResults
) -> tuple[pd.DataFrame, pd.DataFrame] | tuple[None, None]:
    """The published values and whether ours agree, labelled as ours are; None if not wanted."""
    if not results.compares_with_paper:
        return None, None
    cells = results.mean_cells.query("metric == @one.metric")
    cells = cells.assign(method=cells["method"].map(results.method_titles))
    cells = cells.assign(dataset=cells["dataset"].map(results.dataset_titles))

    def frame(column: str) -> pd.DataFrame:
        table = cells.pivot(index="method", columns="dataset", values=column)
        return table.reindex(index=one.means.index, columns=one.means.columns)

    return frame("published").astype(float), frame("agrees").astype(object)
