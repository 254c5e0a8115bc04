"""Checks of average ranks and of tests on them.

Where methods are named in groups, a check is of every pair of the two groups; methods that a table
does not have, as NN-MLM in the ranking tables, are left out of it. Ties get their mean rank. If a
claim fails with these, but holds when ties are ranked in the order of the rows, the evidence says
so: some software ranks that way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import pandas as pd

from experiments.analysis.claims.claim import Check, Finding, finding
from experiments.analysis.claims.evidence import Evidence, words
from mlmlm.metrics import METRICS
from mlmlm.statistics import critical_distance

Names: TypeAlias = str | Sequence[str]
CLEAR_MARGIN = 0.001
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
        return f"{self.one} and {self.other} {ranks} ({words(self.metric)})"


# Tests


def friedman_rejected(metrics: Names) -> Check:
    """The Friedman test rejects, on each metric, at a level far below that of the paper."""

    def check(evidence: Evidence) -> Finding:
        p_values = {
            metric: evidence.comparison(metric).friedman.chi_square_ties.p_value
            for metric in _names(metrics)
        }
        largest = max(p_values, key=p_values.__getitem__)
        text = f"largest p = {p_values[largest]:.1e} ({words(largest)})"
        return finding(p_values[largest] < CLEAR_MARGIN, text)

    return check


def significant(metrics: Names, better: Names, worse: Names) -> Check:
    """Each of the first methods is ahead of each of the second by the critical distance or more."""

    def check(evidence: Evidence) -> Finding:
        pairs = list(_pairs(evidence, metrics, better, worse))
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
        others = [_in_row_order(evidence, pair) for pair in failing]
        if others and all(other.ahead and other.differs for other in others):
            text += f"; with ties ranked by row order {_against_cd(others[0])}"
        if len(pairs) == 1 and failing and pairs[0].ahead:
            text += _with_all_datasets(evidence, pairs[0])
        return finding(not failing, text + _among_own(evidence, pairs))

    return check


def not_significant(metrics: Names, methods: Names, others: Names) -> Check:
    """No method of the first group differs significantly from one of the second."""

    def check(evidence: Evidence) -> Finding:
        pairs = list(_pairs(evidence, metrics, methods, others))
        failing = [pair for pair in pairs if pair.differs]
        if failing:
            text = "differ: " + _list(f"{pair}, {_against_cd(pair)}" for pair in failing)
        else:
            widest = max(pairs, key=lambda pair: pair.gap / pair.critical_distance)
            text = f"widest: {widest}, {_against_cd(widest)}"
        return finding(not failing, text + _among_own(evidence, pairs))

    return check


def first_group(metric: str, *methods: str) -> Check:
    """The methods are in the first group of the diagram: none differs from the best one."""

    def check(evidence: Evidence) -> Finding:
        comparison = evidence.comparison(metric)
        group = comparison.cliques[0]
        ranks = ", ".join(f"{name} {comparison.average_ranks[name]:.2f}" for name in methods)
        best = f"{group[0]} {comparison.average_ranks[group[0]]:.2f}"
        text = f"{ranks}; the best is {best}, CD {comparison.critical_distance:.2f}"
        return finding(set(methods) <= set(group), text)

    return check


def significantly_better_on(count: int, metrics: Names, better: str, worse: str) -> Check:
    """The first method is significantly better on exactly so many of the metrics."""

    def check(evidence: Evidence) -> Finding:
        pairs = list(_pairs(evidence, metrics, better, worse))
        found = [pair for pair in pairs if pair.ahead and pair.differs]
        return finding(len(found) == count, _leads(pairs))

    return check


def not_significant_on(count: int, metrics: Names, one: str, other: str) -> Check:
    """The two methods do not differ significantly on exactly so many of the metrics."""

    def check(evidence: Evidence) -> Finding:
        pairs = list(_pairs(evidence, metrics, one, other))
        return finding(sum(not pair.differs for pair in pairs) == count, _leads(pairs))

    return check


def differs_only_on(metric: str, metrics: Names, method: str, others: Names) -> Check:
    """The method differs significantly from some of the others on this metric, and on no other."""

    def check(evidence: Evidence) -> Finding:
        pairs = list(_pairs(evidence, metrics, method, others))
        differing = [pair for pair in pairs if pair.differs]
        text = _list(f"{pair}, {_against_cd(pair)}" for pair in differing) or "no pair differs"
        holds = {pair.metric for pair in differing} == {metric}
        return finding(holds, text + _among_own(evidence, pairs))

    return check


def same_interpretation(metrics: Names, method: str, others: Names) -> Check:
    """Whether the method differs from each of the others is the same on all the metrics."""

    def check(evidence: Evidence) -> Finding:
        pairs = list(_pairs(evidence, metrics, method, others))
        by_other = {
            other: {pair.differs for pair in pairs if pair.other == other}
            for other in _names(others)
        }
        differing = [pair for pair in pairs if pair.differs]
        text = _list(f"{pair}, {_against_cd(pair)}" for pair in differing) or (
            f"no pair differs, widest gap {max(pair.gap for pair in pairs):.2f} < "
            f"CD {pairs[0].critical_distance:.2f}"
        )
        return finding(all(len(found) == 1 for found in by_other.values()), text)

    return check


def larger_critical_distance(metrics: Names, than: Names) -> Check:
    """The critical distance of the first metrics is larger than that of the second."""

    def check(evidence: Evidence) -> Finding:
        first = [evidence.comparison(metric).critical_distance for metric in _names(metrics)]
        second = [evidence.comparison(metric).critical_distance for metric in _names(than)]
        return finding(min(first) > max(second), f"CD {min(first):.2f} and {max(second):.2f}")

    return check


# Average ranks


def best_rank(metric: str, method: str) -> Check:
    """No method has a better average rank."""

    def check(evidence: Evidence) -> Finding:
        ranks = evidence.comparison(metric).average_ranks
        rivals = ranks.drop(method)
        shared = list(rivals.index[(rivals - ranks[method]).abs() <= _EQUAL])
        text = f"average rank {ranks[method]:.2f}, next {rivals.index[0]} {rivals.iloc[0]:.2f}"
        if shared:
            text = f"average rank {ranks[method]:.2f}, shared with {', '.join(shared)}"
        return finding(ranks[method] <= rivals.min() + _EQUAL, text)

    return check


def rank_better(metrics: Names, methods: Names, than: Names) -> Check:
    """Each of the first methods has a better average rank than each of the second."""

    def check(evidence: Evidence) -> Finding:
        pairs = list(_pairs(evidence, metrics, methods, than))
        failing = [pair for pair in pairs if not pair.ahead]
        if len(pairs) == 1:
            text = "average ranks {:.2f} and {:.2f}".format(*pairs[0].ranks)
        elif failing:
            text = f"{len(failing)} of {len(pairs)} fail: " + _list(map(str, failing))
        else:
            text = f"smallest lead: {min(pairs, key=lambda pair: pair.lead)}"
        if failing and all(_in_row_order(evidence, pair).ahead for pair in failing):
            text += "; holds with ties ranked by row order"
        return finding(not failing, text + _among_own(evidence, pairs))

    return check


def worst_ranks(metrics: Names, *methods: str) -> Check:
    """On each metric the methods have the worst average ranks of all."""

    def check(evidence: Evidence) -> Finding:
        last = {}
        for metric in _names(metrics):
            ranks = evidence.comparison(metric).average_ranks
            last[metric] = [f"{name} {ranks[name]:.2f}" for name in ranks.index[-len(methods) :]]
        holds = all(
            set(evidence.comparison(metric).average_ranks.index[-len(methods) :]) == set(methods)
            for metric in last
        )
        text = "; ".join(f"{words(metric)}: {', '.join(names)}" for metric, names in last.items())
        return finding(holds, f"worst: {text}")

    return check


def better_than_the_mean_rank(metrics: Names, methods: Names) -> Check:
    """Over the metrics each method's average ranks are in the mean better than the middle rank."""

    def check(evidence: Evidence) -> Finding:
        means, middle = _mean_over_metrics(evidence, metrics, methods)
        return finding(max(means.values()) < middle, _beside_the_middle(means, middle))

    return check


def worse_than_the_mean_rank(metrics: Names, methods: Names) -> Check:
    """Over the metrics each method's average ranks are in the mean worse than the middle rank."""

    def check(evidence: Evidence) -> Finding:
        means, middle = _mean_over_metrics(evidence, metrics, methods)
        return finding(min(means.values()) > middle, _beside_the_middle(means, middle))

    return check


def best_among_on_most(metrics: Names, method: str, group: Names) -> Check:
    """Among the methods of a group it has the best average rank on more than half the metrics."""

    def check(evidence: Evidence) -> Finding:
        best = {}
        for metric in _names(metrics):
            ranks = evidence.comparison(metric).average_ranks
            best[metric] = ranks[ranks.index.isin(_names(group))].idxmin()
        won = [words(metric) for metric, name in best.items() if name == method]
        others = [f"{words(metric)}: {name}" for metric, name in best.items() if name != method]
        text = f"best on {len(won)} of {len(best)}; " + ", ".join(others)
        return finding(len(won) > len(best) / 2, text)

    return check


def strongest_on(metric: str, metrics: Names, method: str) -> Check:
    """Of the method's average ranks that on this metric is the best."""

    def check(evidence: Evidence) -> Finding:
        ranks = {
            name: float(evidence.comparison(name).average_ranks[method]) for name in _names(metrics)
        }
        text = ", ".join(f"{words(name)} {rank:.2f}" for name, rank in ranks.items())
        others = [rank for name, rank in ranks.items() if name != metric]
        return finding(ranks[metric] < min(others) - _EQUAL, f"average ranks: {text}")

    return check


def largest_lead_on(metric: str, metrics: Names, better: str, worse: str) -> Check:
    """The first method is farther ahead of the second on this metric than on the others."""

    def check(evidence: Evidence) -> Finding:
        leads = {pair.metric: pair.lead for pair in _pairs(evidence, metrics, better, worse)}
        text = ", ".join(f"{words(name)} {lead:.2f}" for name, lead in leads.items())
        others = [lead for name, lead in leads.items() if name != metric]
        return finding(leads[metric] > max(others) + _EQUAL, f"leads: {text}")

    return check


def larger_leads_on(metric: str, than: Names, better: str, others: Names) -> Check:
    """The method's lead over each of the others is larger on this metric than on those."""

    def check(evidence: Evidence) -> Finding:
        first = {pair.other: pair.lead for pair in _pairs(evidence, metric, better, others)}
        rest = list(_pairs(evidence, than, better, others))
        failing = [pair for pair in rest if first[pair.other] <= pair.lead + _EQUAL]
        text = ", ".join(
            f"{other} {lead:.2f} against {max(p.lead for p in rest if p.other == other):.2f}"
            for other, lead in first.items()
        )
        return finding(not failing, f"leads: {text}")

    return check


# What is in the tables


def methods_are(count: int, metrics: Names) -> Check:
    """Each of the tables has so many rows."""

    def check(evidence: Evidence) -> Finding:
        counts = {len(evidence.figures(metric)) for metric in _names(metrics)}
        return finding(counts == {count}, f"rows: {', '.join(map(str, sorted(counts)))}")

    return check


def references_are(count: int, metrics: Names, own: Sequence[str]) -> Check:
    """Each of the tables has a row for each of these methods, and so many others."""

    def check(evidence: Evidence) -> Finding:
        tables = [set(evidence.figures(metric).index) for metric in _names(metrics)]
        counts = {len(rows - set(own)) for rows in tables}
        holds = counts == {count} and all(rows >= set(own) for rows in tables)
        return finding(holds, f"other rows: {', '.join(map(str, sorted(counts)))}")

    return check


def rows_exist(metrics: Names, *methods: str) -> Check:
    """The tables have a row for each of the methods."""

    def check(evidence: Evidence) -> Finding:
        tables = [set(evidence.figures(metric).index) for metric in _names(metrics)]
        lacking = [name for name in methods if not all(name in rows for rows in tables)]
        text = f"no row of {', '.join(lacking)}" if lacking else "all have rows"
        return finding(not lacking, text)

    return check


def no_row(metrics: Names, method: str) -> Check:
    """The tables have no row for the method."""

    def check(evidence: Evidence) -> Finding:
        found = [
            words(metric) for metric in _names(metrics) if method in evidence.figures(metric).index
        ]
        return finding(not found, f"rows in: {', '.join(found) or 'none'}")

    return check


# Helpers


def _names(names: Names) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _pair(evidence: Evidence, metric: str, one: str, other: str) -> Pair:
    comparison = evidence.comparison(metric)
    ranks = comparison.average_ranks
    return Pair(
        metric, one, other, (float(ranks[one]), float(ranks[other])), comparison.critical_distance
    )


def _pairs(evidence: Evidence, metrics: Names, ones: Names, others: Names) -> Iterator[Pair]:
    """Each pair once, also where the groups are the same."""
    for metric in _names(metrics):
        rows = evidence.comparison(metric).average_ranks.index
        seen: set[frozenset[str]] = set()
        for one in _names(ones):
            for other in _names(others):
                pair = frozenset((one, other))
                if len(pair) == 2 and pair not in seen and one in rows and other in rows:
                    seen.add(pair)
                    yield _pair(evidence, metric, one, other)


def _in_row_order(evidence: Evidence, pair: Pair) -> Pair:
    """The same pair if ties are ranked in the order of the table's rows."""
    lower = METRICS[pair.metric].lower_is_better
    ranks: pd.Series = (
        evidence.table(pair.metric).rank(method="first", ascending=lower).mean(axis=1)
    )
    return pair._replace(ranks=(float(ranks[pair.one]), float(ranks[pair.other])))


def _mean_over_metrics(
    evidence: Evidence, metrics: Names, methods: Names
) -> tuple[dict[str, float], float]:
    """Means of the methods' average ranks, and of all ranks."""
    comparisons = [evidence.comparison(metric) for metric in _names(metrics)]
    means = {
        name: sum(float(one.average_ranks[name]) for one in comparisons) / len(comparisons)
        for name in _names(methods)
    }
    return means, sum((one.n_methods + 1) / 2 for one in comparisons) / len(comparisons)


def _beside_the_middle(means: dict[str, float], middle: float) -> str:
    shown = ", ".join(f"{name} {mean:.2f}" for name, mean in means.items())
    return f"means over the metrics: {shown}; of all methods {middle:.2f}"


def _leads(pairs: Sequence[Pair]) -> str:
    leads = ", ".join(f"{words(pair.metric)} {pair.lead:.2f}" for pair in pairs)
    return f"leads: {leads}; CD {pairs[0].critical_distance:.2f}"


def _against_cd(pair: Pair) -> str:
    return f"gap {pair.gap:.2f} {'>' if pair.differs else '<'} CD {pair.critical_distance:.2f}"


def _with_all_datasets(evidence: Evidence, pair: Pair) -> str:
    """Whether a gap is only too small because fewer datasets have a larger critical distance."""
    n_methods, n_datasets = evidence.figures(pair.metric).shape
    if evidence.comparison(pair.metric).n_datasets == n_datasets:
        return ""
    whole = critical_distance(n_methods, n_datasets)
    return f", though > {whole:.2f}, the CD of {n_datasets} datasets" if pair.gap >= whole else ""


def _among_own(evidence: Evidence, pairs: Sequence[Pair]) -> str:
    """The widest of the gaps if our methods are ranked alone, where that has more datasets."""
    widest: Pair | None = None
    for pair in pairs:
        comparison = evidence.own_comparison(pair.metric)
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
