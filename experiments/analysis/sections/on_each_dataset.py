"""The control against each other method on each dataset, where datasets are split several times."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from experiments.analysis.numbers.comparison import MetricComparison
from experiments.analysis.numbers.metrics import metric_title, metric_words
from experiments.analysis.numbers.on_each_dataset import (
    ALPHA,
    OnDataset,
    on_each_dataset,
    outcomes,
)
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import Paragraph, Section, Table

TITLE = "On each dataset"
EXPLAINED = (
    "Whether {control} differs from another method on one dataset is asked of the {n} splits of "
    "that dataset, by the corrected resampled t-test (Nadeau and Bengio, 2003): splits share "
    "training rows, so the variance of the mean difference is taken as (1/{n} + test rows / "
    "training rows) times that of the differences. p-values are corrected for all other methods on "
    "the dataset by Holm's method, not for the number of datasets and metrics. What is found holds "
    "for rows like those of the dataset; the tests over datasets ask about other datasets."
)


def on_each_dataset_section(results: StudyResults) -> Section:
    """How often the control is better and worse, and for each metric all the tests."""
    metrics = results.comparison.metrics
    tests = {metric: on_each_dataset(one) for metric, one in metrics.items()}
    tests = {metric: of_metric for metric, of_metric in tests.items() if any(of_metric.values())}
    if not tests:
        words = "There is no method to compare the others with that has all splits of a dataset."
        return Section(TITLE, [Paragraph(words)])
    controls = dict.fromkeys(str(metrics[metric].control) for metric in tests)
    control = next(iter(controls)) if len(controls) == 1 else "the best by average rank"
    words = EXPLAINED.format(control=control, n=results.n_splits)
    return Section(
        TITLE,
        [
            Paragraph(words),
            outcomes_table(tests, control),
            *(tests_table(metrics[metric], of_metric) for metric, of_metric in tests.items()),
        ],
    )


def outcomes_table(tests: Mapping[str, Mapping[str, list[OnDataset]]], control: str) -> Table:
    return Table(
        "on_each_dataset",
        f"Methods that {control} is better than / not told apart from / worse than",
        outcomes(tests).rename(index=metric_title),
        note=f"Better and worse: p at most {ALPHA:g} after Holm's correction. A dash: the method "
        "does not have all splits of the dataset.",
    )


def tests_table(one: MetricComparison, tests: Mapping[str, list[OnDataset]]) -> Table:
    """Every test of one metric."""
    rows = [_row(test) for on_dataset in tests.values() for test in on_dataset]
    values = pd.DataFrame(rows).set_index("dataset")
    return Table(
        f"on_each_dataset_{one.metric}",
        f"{metric_title(one.metric)}: {one.control} against each other method on each dataset",
        values,
        form={"mean difference": "+z.3f"},
        best=values.assign(
            **{name: values[name].le(ALPHA) if name == "p, Holm" else False for name in values}
        ),
        note=f"Differences are positive where {one.control} is better on {metric_words(one.metric)}"
        ". Bold: significant. A dash: the two differ by the same on all splits.",
        folded=True,
    )


def _row(each: OnDataset) -> dict[str, float | str | None]:
    difference = each.test.mean_difference
    interval = difference.interval
    return {
        "dataset": each.dataset,
        "method": each.method,
        "mean difference": difference.value,
        "95 % interval": None
        if interval is None
        else f"{interval.low:+z.3f} to {interval.high:+z.3f}",
        "t": each.test.statistic,
        "p": each.test.p_value,
        "p, Holm": each.adjusted_p_value,
    }
