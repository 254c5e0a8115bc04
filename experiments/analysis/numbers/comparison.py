"""The comparison of a study's methods over its datasets, metric by metric.

The value of a method on a dataset is the mean over its runs there; where the study splits the
dataset several times, over the splits, and within each over the seeds. A method that lacks a split
has no value, because the mean of the others would be of other rows than everybody else's. Ranks and
tests are of the methods that have a value on every dataset, and tests need three datasets or more:
the dataset is their unit, however often it is split.

*Paired comparisons* look at differences on one dataset and put them together over datasets, so the
unit must be the same everywhere. Seven of the eight metrics are shares between 0 and 1. Coverage
counts labels, and is divided by the number of labels of its dataset first. Then a difference of
`EQUIVALENT` or less is of no practical importance for any of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile

import pandas as pd

from experiments.analysis.numbers.metrics import PAPER_METRICS, best, lower_is_better
from experiments.record import Record
from experiments.splits import split_name
from mlmlm.statistics import (
    LEAST_DATASETS,
    BayesianSignedRank,
    EffectSizes,
    PairTest,
    RankComparison,
    Sensitivity,
    WinTieLoss,
    average_ranks,
    bayesian_signed_rank,
    compare_ranks,
    effect_sizes,
    sensitivity,
    wilcoxon_against_control,
    win_tie_loss,
)

EQUIVALENT = 0.01
"""Half the width of the region of practical equivalence; of coverage, a share of the labels."""
DRAWS = 20_000
"""From the posterior; the error of a probability is 0.004 at the most, and two digits are shown."""
COUNTS_LABELS = "coverage"
_UNIT = ["method", "dataset", "split"]


@dataclass(frozen=True)
class Against:
    """The control beside one other method; differences are positive where the control is better."""

    method: str
    wins: tuple[int, int, int]
    test: PairTest
    belief: BayesianSignedRank
    effect: EffectSizes


@dataclass(frozen=True, eq=False)
class MetricComparison:
    """All methods of a study by one metric.

    Attributes
    ----------
    metric : str
        Its name.
    means, deviations, runs : DataFrame
        Methods by datasets: the mean over runs, their standard deviation (NaN for a single one) and
        their number; over splits if there are several. Every method of the study has a row, and
        every dataset with a value a column.
    n_labels : Series
        Number of labels by dataset.
    asked_control : str or None
        The method that the study wants the others compared with.
    by_split : DataFrame
        A row for each split of each dataset, a column for each method; of several seeds the mean.
    test_to_train : Series
        Test rows for each training row by dataset, over its splits.
    n_splits : int
        How often the study splits each dataset.
    """

    metric: str
    means: pd.DataFrame
    deviations: pd.DataFrame
    runs: pd.DataFrame
    n_labels: pd.Series
    asked_control: str | None = None
    by_split: pd.DataFrame = field(default_factory=pd.DataFrame)
    test_to_train: pd.Series = field(default_factory=pd.Series)
    n_splits: int = 1

    @cached_property
    def complete(self) -> pd.DataFrame:
        """The methods with a value on every dataset, which can be ranked."""
        return self.means.dropna()

    @property
    def datasets(self) -> list[str]:
        return list(self.means.columns)

    @property
    def left_out(self) -> dict[str, list[str]]:
        """By method that cannot be ranked, the datasets it has no value on."""
        lacking = {method: list(row.index[row.isna()]) for method, row in self.means.iterrows()}
        return {str(method): names for method, names in lacking.items() if names}

    @property
    def is_comparable(self) -> bool:
        """Whether there are two methods to be ranked."""
        return len(self.complete) > 1

    @property
    def is_testable(self) -> bool:
        return self.is_comparable and self.complete.shape[1] >= LEAST_DATASETS

    @cached_property
    def average_ranks(self) -> pd.Series:
        """By method, the best first; none if there is nothing to compare."""
        if not self.is_comparable:
            return pd.Series(dtype=float)
        ranks = average_ranks(self.complete, lower_is_better(self.metric))
        return ranks.sort_values(kind="stable")

    @property
    def overall(self) -> pd.Series:
        """By method that can be ranked: its mean over the datasets, the best first."""
        return self.complete.mean(axis=1).sort_values(
            ascending=lower_is_better(self.metric), kind="stable"
        )

    @property
    def leaders(self) -> list[str]:
        """The method with the best average rank, or all that share it."""
        return _first_ones(self.average_ranks)

    @property
    def leaders_by_mean(self) -> list[str]:
        return _first_ones(self.overall)

    @cached_property
    def ranks(self) -> RankComparison | None:
        """Friedman's and Nemenyi's tests; None with too few datasets or methods."""
        if not self.is_testable:
            return None
        return compare_ranks(self.complete, lower_is_better(self.metric))

    @cached_property
    def wins(self) -> WinTieLoss | None:
        if not self.is_comparable:
            return None
        return win_tie_loss(self.complete, lower_is_better(self.metric))

    @property
    def control(self) -> str | None:
        """What the others are compared with: as asked for if that can be ranked, else the best."""
        if self.asked_control in self.complete.index:
            return self.asked_control
        return self.leaders[0] if self.leaders else None

    @cached_property
    def against_control(self) -> tuple[Against, ...]:
        """The control beside each other method, in order of rank; none if it cannot be tested."""
        if not self.is_testable:
            return ()
        return tuple(self._against_control())

    @property
    def sensitivity(self) -> Sensitivity | None:
        """What the tests against the control could have found."""
        if not self.is_testable:
            return None
        return sensitivity(len(self.complete), len(self.datasets), against_control=True)

    def better_than(self, method: str) -> list[str]:
        """Whom one of the best is significantly better than.

        By Nemenyi's test if Friedman's lets the pairs be looked at. Of two methods a rank says no
        more than who won, so there it is Wilcoxon's test.
        """
        if self.ranks is None:
            return []
        if len(self.complete) == 2:
            (pair,) = self.against_control
            found = pair.test.p_value <= self.ranks.alpha and pair.test.better == method
            return [name for name in self.complete.index if name != method] if found else []
        if not self.ranks.rejected:
            return []
        order = self.average_ranks
        return [
            name
            for name in self.complete.index
            if order[name] > order[method] and self.ranks.differ(method, name)
        ]

    def best_as_printed(self, decimals: int) -> pd.DataFrame:
        """Where a value is the best of its dataset, by the digits that are shown."""
        shown = self.means.round(decimals)
        return shown.eq(best(shown, self.metric))

    def _against_control(self) -> Iterator[Against]:
        lower, table = lower_is_better(self.metric), self._in_one_unit
        assert self.wins is not None
        assert self.control is not None
        tests = {
            str(test.second): test
            for test in wilcoxon_against_control(table, self.control, lower).tests
        }
        for other in self.average_ranks.index.drop(self.control):
            pair = table.loc[self.control], table.loc[other]
            yield Against(
                method=other,
                wins=self.wins.of(self.control, other),
                test=tests[other],
                belief=bayesian_signed_rank(*pair, lower, EQUIVALENT, n_draws=DRAWS),
                effect=effect_sizes(*pair, lower),
            )

    @property
    def _in_one_unit(self) -> pd.DataFrame:
        if self.metric != COUNTS_LABELS:
            return self.complete
        return self.complete / self.n_labels[self.complete.columns]


@dataclass(frozen=True)
class Comparison:
    """All methods of a study by each of the eight metrics that any of them has."""

    methods: Sequence[str]
    datasets: Sequence[str]
    metrics: Mapping[str, MetricComparison]
    n_splits: int = 1

    @property
    def is_testable(self) -> bool:
        return any(one.is_testable for one in self.metrics.values())

    @property
    def incomplete(self) -> list[tuple[str, str, int]]:
        """Method, dataset and number of splits, where a method has some of them but not all."""
        lacking = {
            (str(method), str(dataset)): int(number)
            for one in self.metrics.values()
            for (method, dataset), number in one.runs.stack().items()
            if 0 < number < self.n_splits
        }
        return [(*place, number) for place, number in lacking.items()]

    @property
    def without_values(self) -> list[str]:
        """Datasets that no method has all splits of."""
        known = {name for one in self.metrics.values() for name in one.datasets}
        return [name for name in self.datasets if name not in known]


def compare_records(
    records: Sequence[Record],
    methods: Mapping[str, str],
    datasets: Mapping[str, str],
    control: str | None,
    n_splits: int = 1,
) -> Comparison:
    """The comparison of all methods of some records.

    Parameters
    ----------
    records : sequence of Record
        Their runs.
    methods, datasets : mapping
        What each is called, in the order of the tables.
    control : str or None
        The method that the others are compared with, by its title.
    n_splits : int, default=1
        How often each dataset is split.
    """
    rows = [
        {
            "method": methods[each.method],
            "dataset": datasets[each.dataset],
            "split": split_name(each.split),
        }
        | each.metrics
        for each in records
    ]
    frame = pd.DataFrame(rows, columns=[*_UNIT, *PAPER_METRICS])
    by_split = frame.groupby(_UNIT, sort=False)[list(PAPER_METRICS)].mean()
    values = frame if n_splits == 1 else by_split.reset_index()
    n_labels = pd.Series({datasets[each.dataset]: each.data["n_labels"] for each in records})
    test_to_train = _test_to_train(records, datasets)
    metrics = {}
    for metric in PAPER_METRICS:
        means, deviations, runs = (
            _table(values, metric, statistic, list(methods.values()), list(datasets.values()))
            for statistic in ("mean", "std", "count")
        )
        whole = runs.ge(n_splits)
        present = list(runs.columns[whole.any()])
        if present:
            metrics[metric] = MetricComparison(
                metric,
                means.where(whole)[present],
                deviations.where(whole)[present],
                runs[present],
                n_labels,
                control,
                by_split[metric].unstack("method"),
                test_to_train,
                n_splits,
            )
    return Comparison(list(methods.values()), list(datasets.values()), metrics, n_splits)


def _test_to_train(records: Sequence[Record], datasets: Mapping[str, str]) -> pd.Series:
    """By dataset the test rows of all its splits for each of their training rows.

    In cross-validation with k folds that is 1 / (k - 1), whether the folds have equal sizes or not.
    """
    sizes = {(datasets[each.dataset], split_name(each.split)): each.data for each in records}
    rows = [(name, data["n_test"], data["n_train"]) for (name, _), data in sizes.items()]
    sums = pd.DataFrame(rows, columns=["dataset", "test", "train"]).groupby("dataset").sum()
    return sums["test"] / sums["train"]


def _table(
    frame: pd.DataFrame, metric: str, statistic: str, methods: list[str], datasets: list[str]
) -> pd.DataFrame:
    """Methods by the datasets on which any of them has a value."""
    known = frame.dropna(subset=metric)
    groups = known.groupby(["method", "dataset"], sort=False)[metric]
    table = groups.agg(statistic).unstack()
    present = [name for name in datasets if name in table.columns]
    table = table.reindex(index=methods, columns=present)
    return table.rename_axis("method").rename_axis(None, axis=1)


def _first_ones(ordered: pd.Series) -> list[str]:
    """The first of a sorted series and all that are equal to it."""
    return [str(name) for name in takewhile(lambda n: ordered[n] == ordered.iloc[0], ordered.index)]
