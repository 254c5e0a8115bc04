"""Checks of single figures: cells of the result tables, powers, distances, characteristics."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from experiments.analysis.claims.claim import Check, Finding, Verdict, finding
from experiments.analysis.claims.evidence import Evidence, MissingError, words
from mlmlm.metrics import METRICS

NEARLY_PERFECT = 0.005
LEVEL = 0.05
_EQUAL = 1e-9  # figures have three decimals


class Contest(NamedTuple):
    """Two methods on one dataset and metric; each value is better the larger it is."""

    dataset: str
    metric: str
    values: tuple[float, float]

    @property
    def lead(self) -> float:
        sign = -1 if METRICS[self.metric].lower_is_better else 1
        return sign * (self.values[0] - self.values[1])

    @property
    def won(self) -> bool:
        return self.lead > _EQUAL

    def __str__(self) -> str:
        one, other = self.values
        return f"{words(self.metric)} on {self.dataset} ({one:.3f} against {other:.3f})"


# Cells of the result tables


def wins_on(datasets: Sequence[str], metrics: Sequence[str], better: str, worse: str) -> Check:
    """The first method's figure is the better one on every dataset and metric."""

    def check(evidence: Evidence) -> Finding:
        contests = _contests(evidence, datasets, metrics, better, worse)
        lost = [str(contest) for contest in contests if not contest.won]
        text = f"better in {len(contests) - len(lost)} of {len(contests)}"
        if lost:
            text += f", not in {', '.join(lost)}"
        return finding(not lost, text + _left_out(evidence, contests, datasets))

    return check


def better_on(count: int, dataset: str, metrics: Sequence[str], better: str, worse: str) -> Check:
    """The first method's figure is the better one on exactly so many of the metrics."""

    def check(evidence: Evidence) -> Finding:
        contests = _contests(evidence, [dataset], metrics, better, worse)
        won = [contest for contest in contests if contest.won]
        text = ", ".join(
            f"{words(contest.metric)} {contest.values[0]:.3f} and {contest.values[1]:.3f}"
            for contest in contests
        )
        return finding(len(won) == count, f"better in {len(won)}: {text}")

    return check


def figures_differ(dataset: str, metrics: Sequence[str], one: str, other: str) -> Check:
    """The two methods' figures differ on every metric."""

    def check(evidence: Evidence) -> Finding:
        contests = _contests(evidence, [dataset], metrics, one, other)
        equal = [str(contest) for contest in contests if abs(contest.lead) <= _EQUAL]
        text = ", ".join(f"{words(each.metric)} {abs(each.lead):.3f}" for each in contests)
        return finding(not equal, f"differences: {text}")

    return check


def gains_at_most(
    gain: float, dataset: str, metrics: Sequence[str], method: str, over: str
) -> Check:
    """On no metric is the first method better than the second by more than the gain."""

    def check(evidence: Evidence) -> Finding:
        contests = _contests(evidence, [dataset], metrics, method, over)
        largest = max(contests, key=lambda contest: contest.lead)
        return finding(largest.lead <= gain + _EQUAL, f"largest gain {largest.lead:.3f}: {largest}")

    return check


def close(within: float, metrics: Sequence[str], one: str, other: str) -> Check:
    """The two methods' figures differ by no more than this on any dataset and metric."""

    def check(evidence: Evidence) -> Finding:
        datasets = list(evidence.figures(metrics[0]).columns)
        contests = _contests(evidence, datasets, metrics, one, other)
        widest = max(contests, key=lambda contest: abs(contest.lead))
        text = f"largest difference of {len(contests)}: {widest}"
        return finding(abs(widest.lead) <= within + _EQUAL, text)

    return check


def best_on(count: int, metric: str, method: str) -> Check:
    """The method has the best figure of all, alone or not, on exactly so many datasets.

    On a dataset where some methods have no figure it may or may not be the best, unless one of
    those that have is better.
    """

    def check(evidence: Evidence) -> Finding:
        figures = evidence.figures(metric)
        best = figures.min() if METRICS[metric].lower_is_better else figures.max()
        leading = figures.columns[(figures.loc[method] - best).abs() <= _EQUAL]
        whole = figures.columns[figures.notna().all()]
        sure, maybe = leading.intersection(whole), leading.difference(whole)
        names = ", ".join(evidence.spelled(name) for name in sure)
        text = f"best on {len(sure)} of {len(whole)}: {names}"
        if len(maybe):
            unknown = ", ".join(evidence.spelled(name) for name in maybe)
            text += f"; not known of {unknown}, where only our methods have figures"
        if len(sure) <= count <= len(sure) + len(maybe) and len(maybe):
            return Finding(Verdict.OPEN, text)
        return finding(len(sure) == count, text)

    return check


def nearly_perfect(dataset: str, methods: Sequence[str]) -> Check:
    """Every ranking metric of the methods is within a small margin of the best possible.

    That is 0, 1 for average precision, and for coverage one less than the number of relevant
    labels, because it counts from 0; there the margin is relative.
    """

    def check(evidence: Evidence) -> Finding:
        least = evidence.data("cardinality")[dataset] - 1
        limits = {
            "ranking_loss": NEARLY_PERFECT,
            "coverage": least * (1 + NEARLY_PERFECT),
            "one_error": NEARLY_PERFECT,
            "average_precision": 1 - NEARLY_PERFECT,
        }
        text, holds = [], True
        for metric, limit in limits.items():
            values = evidence.figures(metric).loc[list(methods), dataset]
            lower = METRICS[metric].lower_is_better
            worst = values.max() if lower else values.min()
            holds &= bool(worst <= limit if lower else worst >= limit)
            text.append(f"{words(metric)} {worst:.3f}")
        return finding(holds, f"worst on {evidence.spelled(dataset)}: {', '.join(text)}")

    return check


def small_for_all_on_most(metric: str, limit: float) -> Check:
    """On more than half the datasets no method's figure is above the limit."""

    def check(evidence: Evidence) -> Finding:
        largest = evidence.table(metric).max()
        small = largest.index[largest <= limit]
        above = ", ".join(f"{name} {largest[name]:.3f}" for name in largest.index.difference(small))
        text = f"at most {limit} for all on {len(small)} of {len(largest)}; not on {above}"
        return finding(len(small) > len(largest) / 2, text)

    return check


def coverage_counts_from_one() -> Check:
    """Coverage is at least the number of relevant labels, as it must be if it counts from 1."""

    def check(evidence: Evidence) -> Finding:
        cardinality = evidence.data("cardinality")
        smallest = evidence.table("coverage").min()
        below = [name for name in smallest.index if smallest[name] < cardinality[name]]
        text = ", ".join(f"{name} {smallest[name]:.3f} < {cardinality[name]:.3f}" for name in below)
        return finding(not below, f"smallest coverage and cardinality: {text or 'never below'}")

    return check


# Correlations between datasets


def wins_fall_with_novelty(better: str, worse: str) -> Check:
    """The more new label vectors the test set has, the fewer ranking metrics are won."""

    def check(evidence: Evidence) -> Finding:
        ratios = novelty(evidence)
        ranking = [name for name, metric in METRICS.items() if metric.kind == "ranking"]
        contests = _contests(evidence, list(ratios.index), ranking, better, worse)
        won = pd.Series({name: 0 for name in ratios.index if name in _datasets(contests)})
        for contest in contests:
            won[contest.dataset] += contest.won
        return _correlation(ratios[won.index], won, falling=True)

    return check


def falls_with_labels(metric: str) -> Check:
    """The median of the methods is the lower, the more labels a dataset has."""

    def check(evidence: Evidence) -> Finding:
        median = evidence.table(metric).median()
        return _correlation(evidence.data("n_labels")[median.index], median, falling=True)

    return check


def falls_with_distance(metric: str, method: str) -> Check:
    """The method's figure is the lower, the larger the mean squared distance of a dataset is."""

    def check(evidence: Evidence) -> Finding:
        distance = evidence.power_distance()["distance"]
        return _correlation(
            distance, evidence.figures(metric).loc[method, distance.index], falling=True
        )

    return check


# The table of characteristics


def novelty(evidence: Evidence) -> pd.Series:
    """Share of test rows with a new label vector, by dataset, ascending."""
    return (evidence.data("novel_label_vectors") / evidence.data("n_test")).sort_values()


def no_novel_label_vectors(dataset: str) -> Check:
    """Every label vector of the test set is in the training set."""

    def check(evidence: Evidence) -> Finding:
        count = evidence.data("novel_label_vectors")[dataset]
        return finding(count == 0, f"L_n = {count:.0f} on {evidence.spelled(dataset)}")

    return check


def lowest_novelty(expected: Mapping[str, float]) -> Check:
    """These datasets have the lowest shares of new label vectors, and these they are."""

    def check(evidence: Evidence) -> Finding:
        ratios = novelty(evidence)
        lowest = ratios.iloc[: len(expected)]
        holds = set(lowest.index) == set(expected) and _as_printed(lowest, expected)
        return finding(holds, f"lowest: {_shares(evidence, lowest)}")

    return check


def novelty_is(expected: Mapping[str, float]) -> Check:
    """These are the datasets' shares of new label vectors."""

    def check(evidence: Evidence) -> Finding:
        ratios = novelty(evidence)[list(expected)]
        return finding(_as_printed(ratios, expected), _shares(evidence, ratios))

    return check


# Powers and distances


def powers_spread(factor: float) -> Check:
    """The largest power is at least so many times the smallest."""

    def check(evidence: Evidence) -> Finding:
        powers = evidence.power_distance()["power"]
        text = f"{powers.min():.1f} to {powers.max():.1f}"
        return finding(powers.max() >= factor * powers.min(), text)

    return check


def smallest_power(dataset: str) -> Check:
    return _extreme("power", dataset, smallest=True)


def largest_power(dataset: str) -> Check:
    return _extreme("power", dataset, smallest=False)


def smallest_distance(dataset: str) -> Check:
    return _extreme("distance", dataset, smallest=True)


def largest_distance(dataset: str) -> Check:
    return _extreme("distance", dataset, smallest=False)


def power_is(dataset: str, log2_power: float) -> Check:
    """The chosen power is that of the text."""

    def check(evidence: Evidence) -> Finding:
        power = evidence.power_distance()["power"][dataset]
        holds = abs(math.log2(power) - log2_power) < 0.05
        text = f"P = {power:.1f} on {evidence.spelled(dataset)}"
        emulated = None if holds else evidence.overflow_power(dataset)
        if emulated is not None:
            text += f"; {emulated:.1f} with the overflow of the original emulated"
        return finding(holds, text)

    return check


def among_largest(column: str, count: int, *datasets: str) -> Check:
    """The datasets' powers or distances are among so many largest."""

    def check(evidence: Evidence) -> Finding:
        largest = evidence.power_distance()[column].nlargest(count)
        text = ", ".join(f"{evidence.spelled(name)} {value:.1f}" for name, value in largest.items())
        return finding(set(datasets) <= set(largest.index), f"largest: {text}")

    return check


# Helpers


def _contests(
    evidence: Evidence, datasets: Sequence[str], metrics: Sequence[str], one: str, other: str
) -> list[Contest]:
    """All for which both methods have figures."""
    contests = []
    for metric in metrics:
        values = evidence.figures(metric)
        for dataset in datasets:
            pair = (float(values.at[one, dataset]), float(values.at[other, dataset]))
            if not any(map(math.isnan, pair)):
                contests.append(Contest(dataset, metric, pair))
    if not contests:
        raise MissingError(f"no figures of both {one} and {other}")
    return contests


def _datasets(contests: Sequence[Contest]) -> set[str]:
    return {contest.dataset for contest in contests}


def _left_out(evidence: Evidence, contests: Sequence[Contest], datasets: Sequence[str]) -> str:
    lacking = [name for name in datasets if name not in _datasets(contests)]
    if not lacking:
        return ""
    return f"; no figures of both on {', '.join(map(evidence.spelled, lacking))}"


def _correlation(x: pd.Series, y: pd.Series, falling: bool) -> Finding:
    """Spearman's, one-sided."""
    side = "less" if falling else "greater"
    outcome = stats.spearmanr(np.asarray(x, float), np.asarray(y, float), alternative=side)
    text = f"Spearman {outcome.statistic:.2f}, p = {outcome.pvalue:.1e}, {len(x)} datasets"
    return finding(bool(outcome.pvalue < LEVEL), text)


def _extreme(column: str, dataset: str, smallest: bool) -> Check:
    """The dataset's power or distance is the smallest or the largest of all, alone."""

    def check(evidence: Evidence) -> Finding:
        values = evidence.power_distance()[column].sort_values(ascending=smallest)
        text = ", ".join(f"{evidence.spelled(k)} {v:.4g}" for k, v in values.iloc[:2].items())
        holds = values.index[0] == dataset and values.iloc[0] != values.iloc[1]
        return finding(bool(holds), f"{'smallest' if smallest else 'largest'}: {text}")

    return check


def _as_printed(values: pd.Series, expected: Mapping[str, float]) -> bool:
    return all(abs(values[name] - share) < 0.0005 + _EQUAL for name, share in expected.items())


def _shares(evidence: Evidence, ratios: pd.Series) -> str:
    return ", ".join(f"{evidence.spelled(name)} {share:.3f}" for name, share in ratios.items())
