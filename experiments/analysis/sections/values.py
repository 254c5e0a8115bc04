"""The values of a study: for each metric its methods by its datasets."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from experiments.analysis.numbers.comparison import MetricComparison
from experiments.analysis.numbers.metrics import metric_heading
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.outcome import run_title
from experiments.analysis.sections.parts import Paragraph, Section, Table
from experiments.splits import splits_in_words
from mlmlm.metrics import METRICS

TITLE = "Values"


def values_section(results: StudyResults) -> Section:
    """A table for each metric, with the published values beside ours if the study asks for them."""
    metrics = results.comparison.metrics
    if not metrics:
        return Section(TITLE, [Paragraph("The study has no values yet.")])
    tables = [values_table(one, results) for one in metrics.values()]
    words = map(Paragraph, on_splits(results))
    return Section(TITLE, [*words, *tables, *missing_runs(results)])


def on_splits(results: StudyResults) -> Iterator[str]:
    """How the datasets are split, if not as they are."""
    if results.split is None:
        return
    yield (
        f"Training and test rows of each dataset are put together and split anew, "
        f"{results.n_splits} times, by {splits_in_words(results.split)} with iterative "
        f"stratification (seed {results.split['seed']}). All methods have the same splits. A value "
        "is the mean ± standard deviation over the splits, and of a stochastic method the seeds "
        "are averaged within each split first. The deviation is of splits that share most of their "
        "training rows, so it is no standard error. A method that lacks a split has no value."
    )


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
        note="Bold: the best of a dataset." + _on_deviations(one, runs),
    )


def _on_deviations(one: MetricComparison, runs: str) -> str:
    if one.n_splits > 1:
        return f" Mean ± standard deviation over {one.n_splits} splits."
    return f" Of several runs, mean ± standard deviation: {runs}." if runs else ""


def missing_runs(results: StudyResults) -> Iterator[Table]:
    """The runs that have no record, all of them, and why."""
    manifest = results.manifest
    if manifest is None or not (manifest.failed or manifest.skipped):
        return
    rows = [
        {
            "method": run_title(each, manifest.methods | results.method_titles),
            "dataset": results.dataset_titles.get(each.dataset, each.dataset),
            "split": each.split or None,
            "reason": each.reason,
        }
        for each in (*manifest.failed, *manifest.skipped)
    ]
    yield Table(
        "missing",
        "Runs without a record",
        pd.DataFrame(rows).set_index("method").dropna(axis=1, how="all"),
        note="Estimates of time are by the growth of rows, features and labels.",
        folded=True,
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
