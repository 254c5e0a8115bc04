"""Checks of single values: cells of the result tables, powers, distances, characteristics."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from experiments.analysis.numbers.claims.claim import Finding, Verdict, check, finding
from experiments.analysis.numbers.claims.rules import LEVEL, NEARLY_PERFECT
from experiments.analysis.numbers.metrics import RANKING, best, lower_is_better, metric_words
from experiments.analysis.numbers.views import MissingError, View
from experiments.published.printing import TOLERANCES

_EQUAL = 1e-9  # values have three decimals


class Contest(NamedTuple):
    """Two methods on one dataset and metric; each value is better the larger it is."""

    dataset: str
    metric: str
    values: tuple[float, float]

    @property
    def lead(self) -> float:
        sign = -1 if lower_is_better(self.metric) else 1
        return sign * (self.values[0] - self.values[1])

    @property
    def won(self) -> bool:
        return self.lead > _EQUAL

    def __str__(self) -> str:
        one, other = self.values
        return f"{metric_words(self.metric)} on {self.dataset} ({one:.3f} against {other:.3f})"


# Cells of the result tables


@check
def wins_on(
    view: View, datasets: Sequence[str], metrics: Sequence[str], better: str, worse: str
) -> Finding:
    """The first method's value is the better one on every dataset and metric."""
    contests = _contests(view, datasets, metrics, better, worse)
    lost = [str(contest) for contest in contests if not contest.won]
    text = f"better in {len(contests) - len(lost)} of {len(contests)}"
    if lost:
        text += f", not in {', '.join(lost)}"
    return finding(not lost, text + _left_out(view, contests, datasets))


@check
def wins_on_most(
    view: View, datasets: Sequence[str], metrics: Sequence[str], better: str, worse: str
) -> Finding:
    """The first method's value is the better one on more than half the datasets and metrics."""
    contests = _contests(view, datasets, metrics, better, worse)
    won = sum(contest.won for contest in contests)
    return finding(won > len(contests) / 2, f"better in {won} of {len(contests)}")


@check
def macro_f1_keeps_up(view: View, share: float, method: str) -> Finding:
    """On every dataset the method's macro F1 is at least this share of its micro F1."""
    ratios = view.values("macro_f1").loc[method] / view.values("micro_f1").loc[method]
    low = ratios[ratios < share].sort_values()
    shown = ", ".join(f"{view.actual_dataset(name)} {ratio:.2f}" for name, ratio in low.items())
    text = f"macro F1 over micro F1 is {share} or more on {len(ratios) - len(low)} of {len(ratios)}"
    return finding(low.empty, f"{text}, not on {shown}" if shown else text)


@check
def better_on(
    view: View, count: int, dataset: str, metrics: Sequence[str], better: str, worse: str
) -> Finding:
    """The first method's value is the better one on exactly so many of the metrics."""
    contests = _contests(view, [dataset], metrics, better, worse)
    won = [contest for contest in contests if contest.won]
    text = ", ".join(
        f"{metric_words(contest.metric)} {contest.values[0]:.3f} and {contest.values[1]:.3f}"
        for contest in contests
    )
    return finding(len(won) == count, f"better in {len(won)}: {text}")


@check
def values_differ(
    view: View, dataset: str, metrics: Sequence[str], one: str, other: str
) -> Finding:
    """The two methods' values differ on every metric."""
    contests = _contests(view, [dataset], metrics, one, other)
    equal = [str(contest) for contest in contests if abs(contest.lead) <= _EQUAL]
    text = ", ".join(f"{metric_words(each.metric)} {abs(each.lead):.3f}" for each in contests)
    return finding(not equal, f"differences: {text}")


@check
def gains_at_most(
    view: View, gain: float, dataset: str, metrics: Sequence[str], method: str, over: str
) -> Finding:
    """On no metric is the first method better than the second by more than the gain."""
    contests = _contests(view, [dataset], metrics, method, over)
    largest = max(contests, key=lambda contest: contest.lead)
    return finding(largest.lead <= gain + _EQUAL, f"largest gain {largest.lead:.3f}: {largest}")


@check
def close(view: View, within: float, metrics: Sequence[str], one: str, other: str) -> Finding:
    """The two methods' values differ by no more than this on any dataset and metric."""
    datasets = list(view.values(metrics[0]).columns)
    contests = _contests(view, datasets, metrics, one, other)
    widest = max(contests, key=lambda contest: abs(contest.lead))
    text = f"largest difference of {len(contests)}: {widest}"
    return finding(abs(widest.lead) <= within + _EQUAL, text)


@check
def best_on(view: View, count: int, metric: str, method: str) -> Finding:
    """The method has the best value of all, alone or not, on exactly so many datasets.

    On a dataset where some methods have no value it may or may not be the best, unless one of
    those that have is better.
    """
    values = view.values(metric)
    leading = values.columns[(values.loc[method] - best(values, metric)).abs() <= _EQUAL]
    whole = values.columns[values.notna().all()]
    sure, maybe = leading.intersection(whole), leading.difference(whole)
    names = ", ".join(view.actual_dataset(name) for name in sure)
    text = f"best on {len(sure)} of {len(whole)}: {names}"
    if len(maybe):
        unknown = ", ".join(view.actual_dataset(name) for name in maybe)
        text += f"; not known of {unknown}, where only our methods have values"
    if len(sure) <= count <= len(sure) + len(maybe) and len(maybe):
        return Finding(Verdict.OPEN, text)
    return finding(len(sure) == count, text)


@check
def nearly_perfect(view: View, dataset: str, methods: Sequence[str]) -> Finding:
    """Every ranking metric of the methods is within a small margin of the best possible.

    That is 0, 1 for average precision, and for coverage one less than the number of relevant
    labels, because it counts from 0; there the margin is relative.
    """
    least = view.data("cardinality")[dataset] - 1
    limits = {
        "ranking_loss": NEARLY_PERFECT,
        "coverage": least * (1 + NEARLY_PERFECT),
        "one_error": NEARLY_PERFECT,
        "average_precision": 1 - NEARLY_PERFECT,
    }
    text, holds = [], True
    for metric, limit in limits.items():
        values = view.values(metric).loc[list(methods), dataset]
        lower = lower_is_better(metric)
        worst = values.max() if lower else values.min()
        holds &= bool(worst <= limit if lower else worst >= limit)
        text.append(f"{metric_words(metric)} {worst:.3f}")
    return finding(holds, f"worst on {view.actual_dataset(dataset)}: {', '.join(text)}")


@check
def small_for_all_on_most(view: View, metric: str, limit: float) -> Finding:
    """On more than half the datasets no method's value is above the limit."""
    largest = view.complete(metric).max()
    small = largest.index[largest <= limit]
    above = ", ".join(f"{name} {largest[name]:.3f}" for name in largest.index.difference(small))
    text = f"at most {limit} for all on {len(small)} of {len(largest)}; not on {above}"
    return finding(len(small) > len(largest) / 2, text)


@check
def coverage_counts_from_one(view: View) -> Finding:
    """Coverage is at least the number of relevant labels, as it must be if it counts from 1."""
    cardinality = view.data("cardinality")
    smallest = view.complete("coverage").min()
    below = [name for name in smallest.index if smallest[name] < cardinality[name]]
    text = ", ".join(f"{name} {smallest[name]:.3f} < {cardinality[name]:.3f}" for name in below)
    return finding(not below, f"smallest coverage and cardinality: {text or 'never below'}")


# Correlations between datasets


@check
def wins_fall_with_novelty(view: View, better: str, worse: str) -> Finding:
    """The more new label vectors the test set has, the fewer ranking metrics are won."""
    ratios = novelty(view)
    contests = _contests(view, list(ratios.index), RANKING, better, worse)
    won = pd.Series({name: 0 for name in ratios.index if name in _datasets(contests)})
    for contest in contests:
        won[contest.dataset] += contest.won
    return _correlation(ratios[won.index], won, falling=True)


@check
def falls_with_labels(view: View, metric: str) -> Finding:
    """The median of the methods is the lower, the more labels a dataset has."""
    median = view.complete(metric).median()
    return _correlation(view.data("n_labels")[median.index], median, falling=True)


@check
def falls_with_distance(view: View, metric: str, method: str) -> Finding:
    """The method's value is the lower, the larger the mean squared distance of a dataset is."""
    distance = view.power_distance()["distance"]
    return _correlation(distance, view.values(metric).loc[method, distance.index], falling=True)


# The table of characteristics


def novelty(view: View) -> pd.Series:
    """Share of test rows with a new label vector, by dataset, ascending."""
    return (view.data("novel_label_vectors") / view.data("n_test")).sort_values()


@check
def no_novel_label_vectors(view: View, dataset: str) -> Finding:
    """Every label vector of the test set is in the training set."""
    count = view.data("novel_label_vectors")[dataset]
    return finding(count == 0, f"L_n = {count:.0f} on {view.actual_dataset(dataset)}")


@check
def lowest_novelty(view: View, expected: Mapping[str, float]) -> Finding:
    """These datasets have the lowest shares of new label vectors, and these they are."""
    ratios = novelty(view)
    lowest = ratios.iloc[: len(expected)]
    holds = set(lowest.index) == set(expected) and _as_printed(lowest, expected)
    return finding(holds, f"lowest: {_shares(view, lowest)}")


@check
def novelty_is(view: View, expected: Mapping[str, float]) -> Finding:
    """These are the datasets' shares of new label vectors."""
    ratios = novelty(view)[list(expected)]
    return finding(_as_printed(ratios, expected), _shares(view, ratios))


# Powers and distances


@check
def powers_spread(view: View, factor: float) -> Finding:
    """The largest power is at least so many times the smallest."""
    powers = view.power_distance()["power"]
    text = f"{powers.min():.1f} to {powers.max():.1f}"
    return finding(powers.max() >= factor * powers.min(), text)


@check
def smallest_power(view: View, dataset: str) -> Finding:
    return _extreme(view, "power", dataset, smallest=True)


@check
def largest_power(view: View, dataset: str) -> Finding:
    return _extreme(view, "power", dataset, smallest=False)


@check
def smallest_distance(view: View, dataset: str) -> Finding:
    return _extreme(view, "distance", dataset, smallest=True)


@check
def largest_distance(view: View, dataset: str) -> Finding:
    return _extreme(view, "distance", dataset, smallest=False)


@check
def power_is(view: View, dataset: str, log2_power: float) -> Finding:
    """The chosen power is that of the text."""
    power = view.power_distance()["power"][dataset]
    holds = abs(math.log2(power) - log2_power) < 0.05
    text = f"P = {power:.1f} on {view.actual_dataset(dataset)}"
    emulated = None if holds else view.overflow_power(dataset)
    if emulated is not None:
        text += f"; {emulated:.1f} with the overflow of the original emulated"
    return finding(holds, text)


@check
def among_largest(view: View, column: str, count: int, *datasets: str) -> Finding:
    """The datasets' powers or distances are among so many largest."""
    largest = view.power_distance()[column].nlargest(count)
    text = ", ".join(f"{view.actual_dataset(name)} {value:.1f}" for name, value in largest.items())
    return finding(set(datasets) <= set(largest.index), f"largest: {text}")


# Helpers


def _contests(
    view: View, datasets: Sequence[str], metrics: Sequence[str], one: str, other: str
) -> list[Contest]:
    """All for which both methods have values."""
    contests = []
    for metric in metrics:
        values = view.values(metric)
        for dataset in datasets:
            pair = (float(values.at[one, dataset]), float(values.at[other, dataset]))
            if not any(map(math.isnan, pair)):
                contests.append(Contest(dataset, metric, pair))
    if not contests:
        raise MissingError(f"no values of both {one} and {other}")
    return contests


def _datasets(contests: Sequence[Contest]) -> set[str]:
    return {contest.dataset for contest in contests}


def _left_out(view: View, contests: Sequence[Contest], datasets: Sequence[str]) -> str:
    lacking = [name for name in datasets if name not in _datasets(contests)]
    if not lacking:
        return ""
    return f"; no values of both on {', '.join(map(view.actual_dataset, lacking))}"


def _correlation(x: pd.Series, y: pd.Series, falling: bool) -> Finding:
    """Spearman's, one-sided."""
    side = "less" if falling else "greater"
    outcome = stats.spearmanr(np.asarray(x, float), np.asarray(y, float), alternative=side)
    text = (
        f"Spearman {outcome.statistic:.2f}, one-sided p = {outcome.pvalue:.1e}, {len(x)} datasets"
    )
    return finding(bool(outcome.pvalue < LEVEL), text)


def _extreme(view: View, column: str, dataset: str, smallest: bool) -> Finding:
    """The dataset's power or distance is the smallest or the largest of all, alone."""
    values = view.power_distance()[column].sort_values(ascending=smallest)
    text = ", ".join(f"{view.actual_dataset(k)} {v:.4g}" for k, v in values.iloc[:2].items())
    holds = values.index[0] == dataset and values.iloc[0] != values.iloc[1]
    return finding(bool(holds), f"{'smallest' if smallest else 'largest'}: {text}")


def _as_printed(values: pd.Series, expected: Mapping[str, float]) -> bool:
    return all(abs(values[name] - share) < TOLERANCES["data"] for name, share in expected.items())


def _shares(view: View, ratios: pd.Series) -> str:
    return ", ".join(f"{view.actual_dataset(name)} {share:.3f}" for name, share in ratios.items())
