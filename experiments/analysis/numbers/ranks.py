"""Average ranks and tests, of the paper's tables and of these with our rows.

A metric is reproduced if each of the paper's own methods has a value on all ten datasets. Any
other method of the study that is as complete takes its row's place too, or is added if the paper
does not have it. What is missing is said.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import pandas as pd

from experiments import published
from experiments.analysis.numbers.metrics import PAPER_METRICS, lower_is_better, metric_title
from experiments.analysis.numbers.paper_tables import comparable_table
from mlmlm.statistics import RankComparison, compare_ranks

TESTS = {"chi_square": "χ²", "chi_square_ties": "χ² ties", "f": "F", "f_ties": "F ties"}
PUBLISHED, REPRODUCED = "published", "reproduced"


@dataclass(frozen=True)
class Ranks:
    """Comparisons by metric, whose methods are ours, and what is missing.

    ``which`` is `PUBLISHED` or `REPRODUCED`.
    """

    which: str
    comparisons: Mapping[str, RankComparison]
    ours: Sequence[str]
    problems: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def methods(self) -> list[str]:
        """In the order of the paper; those that are not in it come last."""
        ranked = (name for one in self.comparisons.values() for name in one.average_ranks.index)
        return list(dict.fromkeys([*published.results()["method"], *ranked]))

    @property
    def metrics_by_problem(self) -> dict[str, list[str]]:
        """What is missing, with the titles of the metrics it is missing for."""
        metrics: dict[str, list[str]] = {}
        for metric, problems in self.problems.items():
            for problem in problems:
                metrics.setdefault(problem, []).append(metric_title(metric))
        return metrics


def compare_methods(table: pd.DataFrame, metric: str) -> RankComparison:
    """Ranks and tests of a metric's table, methods by datasets."""
    return compare_ranks(table, lower_is_better(metric))


@cache  # it depends on nothing, and is asked for by several sections of a report
def published_comparison(metric: str) -> RankComparison:
    """Ranks and tests of one of the paper's tables."""
    return compare_methods(published.results_table(metric), metric)


def published_ranks() -> Ranks:
    """Ranks of the paper's own values."""
    comparisons = {metric: published_comparison(metric) for metric in PAPER_METRICS}
    return Ranks(PUBLISHED, comparisons, published.own_methods())


def reproduced_ranks(cells: pd.DataFrame) -> Ranks:
    """Ranks with the values of a study in the place of the paper's; of its `mean_cells`."""
    tables = {metric: comparable_table(metric, cells) for metric in PAPER_METRICS}
    whole = {metric: table for metric, table in tables.items() if table.values is not None}
    return Ranks(
        REPRODUCED,
        {metric: compare_methods(table.values, metric) for metric, table in whole.items()},
        list(dict.fromkeys(row for table in whole.values() for row in table.ours)),
        {metric: table.problems for metric, table in tables.items()},
    )


def average_ranks(ranks: Ranks) -> pd.DataFrame:
    """Methods by all metrics, those without a comparison included."""
    columns = {metric_title(metric): one.average_ranks for metric, one in ranks.comparisons.items()}
    return _by_metric(columns, ranks).astype(float)


def friedman_tests(ranks: Ranks) -> pd.DataFrame:
    """By metric: Friedman's and Iman and Davenport's tests, and the critical distance."""
    rows = {metric_title(metric): friedman_row(one) for metric, one in ranks.comparisons.items()}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("metric")


def groups(ranks: Ranks) -> pd.DataFrame:
    """Methods by metrics: the numbers of the groups that a method is in."""
    columns = {
        metric_title(metric): {
            method: _groups_of(method, one) for method in one.average_ranks.index
        }
        for metric, one in ranks.comparisons.items()
    }
    return _by_metric(columns, ranks)


def _by_metric(columns: Mapping[str, object], ranks: Ranks) -> pd.DataFrame:
    titles = [metric_title(metric) for metric in PAPER_METRICS]
    index = pd.Index(ranks.methods, name="method")
    return pd.DataFrame(columns, index=index).reindex(columns=titles)


def _groups_of(method: Hashable, comparison: RankComparison) -> str:
    """First and last group; in order of rank groups are intervals, so all between are its too."""
    numbers = [i for i, group in enumerate(comparison.cliques, start=1) if method in group]
    return "–".join(map(str, dict.fromkeys((numbers[0], numbers[-1]))))


def friedman_row(comparison: RankComparison) -> dict[str, float]:
    """Friedman's and Iman and Davenport's tests of one comparison, and the critical distance."""
    numbers: dict[str, float] = {
        "methods": comparison.n_methods,
        "datasets": comparison.n_datasets,
    }
    for name, title in TESTS.items():
        test = getattr(comparison.friedman, name)
        numbers |= {title: test.statistic, f"p of {title}": test.p_value}
    return numbers | {"α": comparison.alpha, "CD": comparison.critical_distance}
