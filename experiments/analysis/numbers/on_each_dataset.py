"""The control against each other method on one dataset that is split several times.

A test over datasets says nothing of a single one. There the splits are the observations, and
because they share training rows the t-test is the corrected one of Nadeau and Bengio. Its p-values
are corrected by Holm's method for all other methods on the dataset, not for all datasets and
metrics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd
from statsmodels.stats.multitest import multipletests

from experiments.analysis.numbers.comparison import MetricComparison
from experiments.analysis.numbers.metrics import lower_is_better
from mlmlm.statistics import ResampledTTest, corrected_resampled_t_test

ALPHA = 0.05


@dataclass(frozen=True)
class OnDataset:
    """The control beside one other method on a dataset.

    ``adjusted_p_value`` is None where the two differ by the same on all splits.
    """

    dataset: str
    method: str
    test: ResampledTTest
    adjusted_p_value: float | None

    @property
    def outcome(self) -> int:
        """1 if the control is significantly better, -1 if it is significantly worse, else 0."""
        if self.adjusted_p_value is None or self.adjusted_p_value > ALPHA:
            return 0
        return 1 if self.test.mean_difference.value > 0 else -1


def on_each_dataset(one: MetricComparison) -> dict[str, list[OnDataset]]:
    """The tests of one metric by dataset."""
    return {dataset: on_dataset(one, dataset) for dataset in one.datasets}


def on_dataset(one: MetricComparison, dataset: str) -> list[OnDataset]:
    """The tests on one dataset, of all methods that have all its splits; none without a control."""
    present = list(one.means[dataset].dropna().index)
    if one.control not in present or one.n_splits < 2:
        return []
    splits = one.by_split.loc[dataset, present]
    tests = {
        str(method): corrected_resampled_t_test(
            splits[one.control],
            splits[method],
            lower_is_better(one.metric),
            one.test_to_train[dataset],
        )
        for method in present
        if method != one.control
    }
    known = {name: test.p_value for name, test in tests.items() if test.p_value is not None}
    adjusted = dict(zip(known, _holm(list(known.values())), strict=True))
    return [OnDataset(dataset, name, test, adjusted.get(name)) for name, test in tests.items()]


def outcomes(tests: Mapping[str, Mapping[str, list[OnDataset]]]) -> pd.DataFrame:
    """Metrics by datasets: methods the control is better than, undecided, worse than."""
    rows = {
        metric: {dataset: _counts(each) for dataset, each in of_metric.items()}
        for metric, of_metric in tests.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("metric")


def _counts(tests: list[OnDataset]) -> str | None:
    if not tests:
        return None
    return " / ".join(str(sum(test.outcome == sign for test in tests)) for sign in (1, 0, -1))


def _holm(p_values: list[float]) -> list[float]:
    return [float(p) for p in multipletests(p_values, method="holm")[1]] if p_values else []
