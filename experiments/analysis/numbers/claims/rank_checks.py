"""Checks of average ranks and of tests on them.

Where methods are named in groups, a check is of every pair of the two groups; methods that a table
does not have, as NN-MLM in the ranking tables, are left out of it. Ties get their mean rank. If a
claim fails with these, but holds when ties are ranked in the order of the rows, the evidence says
so: some software ranks that way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from experiments.analysis.numbers.claims.claim import Finding, check, finding
from experiments.analysis.numbers.claims.rules import CLEAR_MARGIN
from experiments.analysis.numbers.metrics import lower_is_better, metric_words
from experiments.analysis.numbers.views import View

Names: TypeAlias = str | Sequence[str]
_EQUAL = 1e-9  # average ranks are sums of halves divided by the number of datasets
_SHOWN = 4


class Pair(NamedTuple):
    """Two methods on a metric, and how far the first is ahead of the second."""

    metric: str
    one: str
    other: str
    ranks: tuple[float, float]
    critical_distance: float

    @property
    def lead(self) -> float:
        return self.ranks[1] - self.ranks[0]

    @property
    def gap(self) -> float:
        return abs(self.lead)

    @property
    def ahead(self) -> bool:
        return self.lead > _EQUAL

    @property
    def differs(self) -> bool:
        return self.gap >= self.critical_distance

    def __str__(self) -> str:
        ranks = f"{self.ranks[0]:.2f} and {self.ranks[1]:.2f}"
        return f"{self.one} and {self.other} {ranks} ({metric_words(self.metric)})"


# Tests


@check
def friedman_rejected(view: View, metrics: Names) -> Finding:
    """The Friedman test rejects, on each metric, at a level far below that of the paper."""
    p_values = {
        metric: view.comparison(metric).friedman.chi_square_ties.p_value
        for metric in _names(metrics)
    }
    largest = max(p_values, key=p_values.__getitem__)
    text = f"largest p = {p_values[largest]:.1e} ({metric_words(largest)})"
    return finding(p_values[largest] < CLEAR_MARGIN, text)


@check
def significant(view: View, metrics: Names, better: Names, worse: Names) -> Finding:
    """Each of the first methods is ahead of each of the second by the critical distance or more."""
    pairs = list(_pairs(view, metrics, better, worse))
    failing = [pair for pair in pairs if not (pair.ahead and pair.differs)]
    if len(pairs) == 1:
        ranks = "{:.2f} and {:.2f}".format(*pairs[0].ranks)
        text = f"average ranks {ranks}, {_against_cd(pairs[0])}"
    elif failing:
        text = f"{len(failing)} of {len(pairs)} fail: "
        text += _list(f"{pair}, {_against_cd(pair)}" for pair in failing)
    else:
        smallest = min(pairs, key=lambda pair: pair.lead)
        text = f"smallest: {smallest}, {_against_cd(smallest)}"
    others = [_in_row_order(view, pair) for pair in failing]
    if others and all(other.ahead and other.differs for other in others):
        text += f"; with ties ranked by row order {_against_cd(others[0])}"
    return finding(not failing, text + _among_own(view, pairs))


@check
def not_significant(view: View, metrics: Names, methods: Names, others: Names) -> Finding:
    """No method of the first group differs significantly from one of the second."""
    pairs = list(_pairs(view, metrics, methods, others))
    failing = [pair for pair in pairs if pair.differs]
    if failing:
        text = "differ: " + _list(f"{pair}, {_against_cd(pair)}" for pair in failing)
    else:
        widest = max(pairs, key=lambda pair: pair.gap / pair.critical_distance)
        text = f"widest: {widest}, {_against_cd(widest)}"
    return finding(not failing, text + _among_own(view, pairs))


@check
def not_behind(view: View, metrics: Names, methods: Names, others: Names) -> Finding:
    """No method of the second group is significantly ahead of one of the first."""
    return _none_ahead(list(_pairs(view, metrics, others, methods)))


@check
def not_behind_the_best(view: View, metrics: Names, methods: Names, own: Names) -> Finding:
    """On each metric none of the methods is significantly behind the best that is not own."""
    pairs: list[Pair] = []
    for metric in _names(metrics):
        others = view.comparison(metric).average_ranks.drop(_names(own), errors="ignore")
        pairs += _pairs(view, metric, str(others.index[0]), methods)
    return _none_ahead(pairs)


@check
def first_group(view: View, metric: str, *methods: str) -> Finding:
    """The methods are in the first group of the diagram: none differs from the best one."""
    comparison = view.comparison(metric)
    group = comparison.cliques[0]
    ranks = ", ".join(f"{name} {comparison.average_ranks[name]:.2f}" for name in methods)
    best = f"{group[0]} {comparison.average_ranks[group[0]]:.2f}"
    text = f"{ranks}; the best is {best}, CD {comparison.critical_distance:.2f}"
    return finding(set(methods) <= set(group), text)


@check
def significantly_better_on(
    view: View, count: int, metrics: Names, better: str, worse: str
) -> Finding:
    """The first method is significantly better on exactly so many of the metrics."""
    pairs = list(_pairs(view, metrics, better, worse))
    found = [pair for pair in pairs if pair.ahead and pair.differs]
    return finding(len(found) == count, _leads(pairs))


@check
def not_significant_on(view: View, count: int, metrics: Names, one: str, other: str) -> Finding:
    """The two methods do not differ significantly on exactly so many of the metrics."""
    pairs = list(_pairs(view, metrics, one, other))
    return finding(sum(not pair.differs for pair in pairs) == count, _leads(pairs))


@check
def differs_only_on(view: View, metric: str, metrics: Names, method: str, others: Names) -> Finding:
    """The method differs significantly from some of the others on this metric, and on no other."""
    pairs = list(_pairs(view, metrics, method, others))
    differing = [pair for pair in pairs if pair.differs]
    text = _list(f"{pair}, {_against_cd(pair)}" for pair in differing) or "no pair differs"
    holds = {pair.metric for pair in differing} == {metric}
    return finding(holds, text + _among_own(view, pairs))


@check
def same_interpretation(view: View, metrics: Names, method: str, others: Names) -> Finding:
    """Whether the method differs from each of the others is the same on all the metrics."""
    pairs = list(_pairs(view, metrics, method, others))
    by_other = {
        other: {pair.differs for pair in pairs if pair.other == other} for other in _names(others)
    }
    differing = [pair for pair in pairs if pair.differs]
    text = _list(f"{pair}, {_against_cd(pair)}" for pair in differing) or (
        f"no pair differs, widest gap {max(pair.gap for pair in pairs):.2f} < "
        f"CD {pairs[0].critical_distance:.2f}"
    )
    return finding(all(len(found) == 1 for found in by_other.values()), text)


@check
def larger_critical_distance(view: View, metrics: Names, than: Names) -> Finding:
    """The critical distance of the first metrics is larger than that of the second."""
    first = [view.comparison(metric).critical_distance for metric in _names(metrics)]
    second = [view.comparison(metric).critical_distance for metric in _names(than)]
    return finding(min(first) > max(second), f"CD {min(first):.2f} and {max(second):.2f}")


# Average ranks


@check
def best_rank(view: View, metrics: Names, method: str) -> Finding:
    """On no metric has another method a better average rank."""
    texts: dict[bool, list[str]] = {True: [], False: []}
    for metric in _names(metrics):
        ranks = view.comparison(metric).average_ranks
        rivals = ranks.drop(method)
        shared = list(rivals.index[(rivals - ranks[method]).abs() <= _EQUAL])
        text = f"average rank {ranks[method]:.2f}, next {rivals.index[0]} {rivals.iloc[0]:.2f}"
        if shared:
            text = f"average rank {ranks[method]:.2f}, shared with {', '.join(shared)}"
        best = bool(ranks[method] <= rivals.min() + _EQUAL)
        texts[best].append(text if isinstance(metrics, str) else f"{text} ({metric_words(metric)})")
    return finding(not texts[False], "; ".join(texts[False] or texts[True]))


@check
def rank_better(view: View, metrics: Names, methods: Names, than: Names) -> Finding:
    """Each of the first methods has a better average rank than each of the second."""
    pairs = list(_pairs(view, metrics, methods, than))
    failing = [pair for pair in pairs if not pair.ahead]
    if len(pairs) == 1:
        text = "average ranks {:.2f} and {:.2f}".format(*pairs[0].ranks)
    elif failing:
        text = f"{len(failing)} of {len(pairs)} fail: " + _list(map(str, failing))
    else:
        text = f"smallest lead: {min(pairs, key=lambda pair: pair.lead)}"
    if failing and all(_in_row_order(view, pair).ahead for pair in failing):
        text += "; holds with ties ranked by row order"
    return finding(not failing, text + _among_own(view, pairs))


@check
def worst_ranks(view: View, metrics: Names, *methods: str) -> Finding:
    """On each metric the methods have the worst average ranks of all."""
    last = {}
    for metric in _names(metrics):
        ranks = view.comparison(metric).average_ranks
        last[metric] = [f"{name} {ranks[name]:.2f}" for name in ranks.index[-len(methods) :]]
    holds = all(
        set(view.comparison(metric).average_ranks.index[-len(methods) :]) == set(methods)
        for metric in last
    )
    text = "; ".join(
        f"{metric_words(metric)}: {', '.join(names)}" for metric, names in last.items()
    )
    return finding(holds, f"worst: {text}")


@check
def worst_in_the_mean(view: View, metrics: Names, *methods: str) -> Finding:
    """The methods have the worst means of their average ranks over the metrics."""
    means = _means_of_all(view, metrics)
    worst = means.iloc[-len(methods) - 1 :]
    text = ", ".join(f"{name} {mean:.2f}" for name, mean in worst.items())
    return finding(set(worst.index[1:]) == set(methods), f"worst means over the metrics: {text}")


@check
def better_than_the_mean_rank(view: View, metrics: Names, methods: Names) -> Finding:
    """Over the metrics each method's average ranks are in the mean better than the middle rank."""
    means, middle = _mean_over_metrics(view, metrics, methods)
    return finding(max(means.values()) < middle, _beside_the_middle(means, middle))


@check
def worse_than_the_mean_rank(view: View, metrics: Names, methods: Names) -> Finding:
    """Over the metrics each method's average ranks are in the mean worse than the middle rank."""
    means, middle = _mean_over_metrics(view, metrics, methods)
    return finding(min(means.values()) > middle, _beside_the_middle(means, middle))


@check
def best_among_on_most(view: View, metrics: Names, method: str, group: Names) -> Finding:
    """Among the methods of a group it has the best average rank on more than half the metrics."""
    best = {}
    for metric in _names(metrics):
        ranks = view.comparison(metric).average_ranks
        best[metric] = ranks[ranks.index.isin(_names(group))].idxmin()
    won = [metric_words(metric) for metric, name in best.items() if name == method]
    others = [f"{metric_words(metric)}: {name}" for metric, name in best.items() if name != method]
    text = f"best on {len(won)} of {len(best)}; " + ", ".join(others)
    return finding(len(won) > len(best) / 2, text)


@check
def best_mean_among(view: View, tables: Sequence[Names], method: str, group: Names) -> Finding:
    """Of a group it has the best mean of average ranks over the metrics of each kind of table."""
    texts, holds = [], True
    for metrics in tables:
        means = _means_of_all(view, metrics)
        means = means[means.index.isin(_names(group))]
        holds &= means.index[0] == method
        texts.append(", ".join(f"{name} {mean:.2f}" for name, mean in means.items()))
    return finding(holds, f"means over the metrics: {'; '.join(texts)}")


@check
def strongest_on(view: View, metric: str, metrics: Names, method: str) -> Finding:
    """Of the method's average ranks that on this metric is the best."""
    ranks = {name: float(view.comparison(name).average_ranks[method]) for name in _names(metrics)}
    text = ", ".join(f"{metric_words(name)} {rank:.2f}" for name, rank in ranks.items())
    others = [rank for name, rank in ranks.items() if name != metric]
    return finding(ranks[metric] < min(others) - _EQUAL, f"average ranks: {text}")


@check
def largest_lead_on(view: View, metric: str, metrics: Names, better: str, worse: str) -> Finding:
    """The first method is farther ahead of the second on this metric than on the others."""
    leads = {pair.metric: pair.lead for pair in _pairs(view, metrics, better, worse)}
    text = ", ".join(f"{metric_words(name)} {lead:.2f}" for name, lead in leads.items())
    others = [lead for name, lead in leads.items() if name != metric]
    return finding(leads[metric] > max(others) + _EQUAL, f"leads: {text}")


@check
def larger_leads_on(view: View, metric: str, than: Names, better: str, others: Names) -> Finding:
    """The method's lead over each of the others is larger on this metric than on those."""
    first = {pair.other: pair.lead for pair in _pairs(view, metric, better, others)}
    rest = list(_pairs(view, than, better, others))
    failing = [pair for pair in rest if first[pair.other] <= pair.lead + _EQUAL]
    text = ", ".join(
        f"{other} {lead:.2f} against {max(p.lead for p in rest if p.other == other):.2f}"
        for other, lead in first.items()
    )
    return finding(not failing, f"leads: {text}")


@check
def larger_mean_lead_on(
    view: View, metric: str, than: Names, better: str, others: Names
) -> Finding:
    """The mean of the method's leads over the others is larger on this metric than on each."""
    leads = {
        name: float(np.mean([pair.lead for pair in _pairs(view, name, better, others)]))
        for name in (metric, *_names(than))
    }
    text = ", ".join(f"{metric_words(name)} {lead:.2f}" for name, lead in leads.items())
    rest = max(lead for name, lead in leads.items() if name != metric)
    return finding(leads[metric] > rest + _EQUAL, f"mean leads: {text}")


# What is in the tables


@check
def methods_are(view: View, count: int, metrics: Names) -> Finding:
    """Each of the tables has so many rows."""
    counts = {len(view.values(metric)) for metric in _names(metrics)}
    return finding(counts == {count}, f"rows: {', '.join(map(str, sorted(counts)))}")


@check
def references_are(view: View, count: int, metrics: Names, own: Sequence[str]) -> Finding:
    """Each of the tables has a row for each of these methods, and so many others."""
    tables = [set(view.values(metric).index) for metric in _names(metrics)]
    counts = {len(rows - set(own)) for rows in tables}
    holds = counts == {count} and all(rows >= set(own) for rows in tables)
    return finding(holds, f"other rows: {', '.join(map(str, sorted(counts)))}")


@check
def rows_exist(view: View, metrics: Names, *methods: str) -> Finding:
    """The tables have a row for each of the methods."""
    tables = [set(view.values(metric).index) for metric in _names(metrics)]
    lacking = [name for name in methods if not all(name in rows for rows in tables)]
    text = f"no row of {', '.join(lacking)}" if lacking else "all have rows"
    return finding(not lacking, text)


@check
def no_row(view: View, metrics: Names, method: str) -> Finding:
    """The tables have no row for the method."""
    found = [
        metric_words(metric) for metric in _names(metrics) if method in view.values(metric).index
    ]
    return finding(not found, f"rows in: {', '.join(found) or 'none'}")


# Helpers


def _names(names: Names) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _pair(view: View, metric: str, one: str, other: str) -> Pair:
    comparison = view.comparison(metric)
    ranks = comparison.average_ranks
    return Pair(
        metric, one, other, (float(ranks[one]), float(ranks[other])), comparison.critical_distance
    )


def _pairs(view: View, metrics: Names, ones: Names, others: Names) -> Iterator[Pair]:
    """Each pair once, also where the groups are the same."""
    for metric in _names(metrics):
        rows = view.comparison(metric).average_ranks.index
        seen: set[frozenset[str]] = set()
        for one in _names(ones):
            for other in _names(others):
                pair = frozenset((one, other))
                if len(pair) == 2 and pair not in seen and one in rows and other in rows:
                    seen.add(pair)
                    yield _pair(view, metric, one, other)


def _in_row_order(view: View, pair: Pair) -> Pair:
    """The same pair if ties are ranked in the order of the table's rows."""
    lower = lower_is_better(pair.metric)
    ranks: pd.Series = view.complete(pair.metric).rank(method="first", ascending=lower).mean(axis=1)
    return pair._replace(ranks=(float(ranks[pair.one]), float(ranks[pair.other])))


def _none_ahead(pairs: Sequence[Pair]) -> Finding:
    """Whether no pair's first method is significantly ahead of its second."""
    failing = [pair for pair in pairs if pair.ahead and pair.differs]
    widest = max(pairs, key=lambda pair: pair.lead / pair.critical_distance)
    text = f"farthest behind: {widest}, {_against_cd(widest)}"
    if failing:
        text = f"{len(failing)} of {len(pairs)} are behind: "
        text += _list(f"{pair}, {_against_cd(pair)}" for pair in failing)
    return finding(not failing, text)


def _means_of_all(view: View, metrics: Names) -> pd.Series:
    """Means of all methods' average ranks over the metrics, the best first."""
    ranks = [view.comparison(metric).average_ranks for metric in _names(metrics)]
    return pd.concat(ranks, axis=1).mean(axis=1).sort_values()


def _mean_over_metrics(
    view: View, metrics: Names, methods: Names
) -> tuple[dict[str, float], float]:
    """Means of the methods' average ranks, and of all ranks."""
    comparisons = [view.comparison(metric) for metric in _names(metrics)]
    means = {
        name: sum(float(one.average_ranks[name]) for one in comparisons) / len(comparisons)
        for name in _names(methods)
    }
    return means, sum((one.n_methods + 1) / 2 for one in comparisons) / len(comparisons)


def _beside_the_middle(means: dict[str, float], middle: float) -> str:
    shown = ", ".join(f"{name} {mean:.2f}" for name, mean in means.items())
    return f"means over the metrics: {shown}; of all methods {middle:.2f}"


def _leads(pairs: Sequence[Pair]) -> str:
    leads = ", ".join(f"{metric_words(pair.metric)} {pair.lead:.2f}" for pair in pairs)
    return f"leads: {leads}; CD {pairs[0].critical_distance:.2f}"


def _against_cd(pair: Pair) -> str:
    return f"gap {pair.gap:.2f} {'>' if pair.differs else '<'} CD {pair.critical_distance:.2f}"


def _among_own(view: View, pairs: Sequence[Pair]) -> str:
    """The widest of the gaps if our methods are ranked alone, where that has more datasets."""
    widest: Pair | None = None
    for pair in pairs:
        comparison = view.own_comparison(pair.metric)
        if comparison is None or not {pair.one, pair.other} <= set(comparison.average_ranks.index):
            return ""
        ranks = comparison.average_ranks
        own = pair._replace(
            ranks=(float(ranks[pair.one]), float(ranks[pair.other])),
            critical_distance=comparison.critical_distance,
        )
        if (
            widest is None
            or own.gap - own.critical_distance > widest.gap - widest.critical_distance
        ):
            widest = own
    return f"; ranked alone, on ten datasets: {widest}, {_against_cd(widest)}" if widest else ""


def _list(items: Iterable[str]) -> str:
    """The first few, and how many more there are."""
    everything = list(items)
    shown = "; ".join(everything[:_SHOWN])
    more = len(everything) - _SHOWN
    return f"{shown}; and {more} more" if more > 0 else shown
