"""What came out of a study, in sentences: who leads, what is significant, what cannot be told.

They are the first thing on a page and the last lines on the terminal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from experiments.analysis.numbers.comparison import Comparison, MetricComparison
from experiments.analysis.numbers.metrics import BIPARTITION, RANKING, metric_words
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.words import counted, listed
from experiments.study_folder import Missing
from mlmlm.metrics import METRICS
from mlmlm.statistics import LEAST_DATASETS

MOST_NOTICES = 6
"""Of a kind; more is no summary."""
_Key = TypeVar("_Key", bound=Hashable)


def conclusion(results: StudyResults) -> list[str]:
    """The outcome of a study, a sentence each."""
    comparison = results.comparison
    datasets = counted(len(comparison.datasets), "dataset")
    if not comparison.methods:
        return ["There are no records yet, so there is nothing to compare."]
    if len(comparison.methods) == 1:
        only = comparison.methods[0]
        return [f"{only} is alone on {datasets}: there is no other method to compare it with."]
    sentences = [*leads(comparison), *significance(comparison), *limits(comparison)]
    return sentences or ["No two methods have a value on every dataset, so none can be compared."]


def leads(comparison: Comparison) -> Iterator[str]:
    """Who is the best on which metrics: by average rank, or by mean with few datasets."""
    ranked = {metric: one for metric, one in comparison.metrics.items() if one.is_comparable}
    groups = _grouped(((_by(one), *_leaders(one)), metric) for metric, one in ranked.items())
    number = counted(len(ranked), "metric")
    for (by, *names), metrics in groups.items():
        values = ", ".join(f"{metric_words(each)} ({_lead(ranked[each])})" for each in metrics)
        verb = "leads" if len(names) == 1 else "share the lead"
        yield f"{listed(names)} {verb} by {by} on {len(metrics)} of {number}: {values}."


def significance(comparison: Comparison) -> Iterator[str]:
    """Which leads are more than chance."""
    tested = {metric: one for metric, one in comparison.metrics.items() if one.ranks is not None}
    if not tested:
        return
    better = _grouped(
        ((leader, tuple(others)), metric)
        for metric, one in tested.items()
        for leader in one.leaders
        if (others := one.better_than(leader))
    )
    if not better:
        yield "No lead is significant at 5 %."
    for (leader, worse), metrics in better.items():
        words = listed(map(metric_words, metrics))
        yield f"{leader} is significantly better than {listed(worse)} on {words}."


def significance_of(one: MetricComparison) -> str:
    """Who leads on one metric, and whom significantly."""
    verb = "leads" if len(one.leaders) == 1 else "share the lead"
    worse = dict.fromkeys(name for leader in one.leaders for name in one.better_than(leader))
    how = f"significantly better than {listed(worse)}" if worse else "but not significantly"
    return f"{listed(one.leaders)} {verb}, {how}."


def limits(comparison: Comparison) -> Iterator[str]:
    """What so few datasets cannot tell."""
    if not comparison.is_testable:
        if any(one.is_comparable for one in comparison.metrics.values()):
            yield (
                f"With {counted(len(comparison.datasets), 'dataset')} nothing can be tested: "
                f"that takes {LEAST_DATASETS} or more. A lead may be chance."
            )
        return
    tested = [one for one in comparison.metrics.values() if one.is_testable]
    able = max(tested, key=lambda one: len(one.complete)).sensitivity
    assert able is not None
    yield (
        f"With {counted(able.n_methods, 'method')} on {counted(able.n_datasets, 'dataset')} two "
        f"average ranks must differ by {able.critical_distance:.2f} to be significant."
    )
    if able.standardized_difference is None:
        yield (
            "Tests of pairs can find nothing here: among so many methods they need "
            f"{able.least_datasets} datasets or more."
        )


def left_out(comparison: Comparison) -> Iterator[str]:
    """Methods that could not be ranked, and why."""
    reasons = _grouped(
        ((method, tuple(lacking) if len(lacking) < len(one.datasets) else None), metric)
        for metric, one in comparison.metrics.items()
        for method, lacking in one.left_out.items()
    )
    for (method, lacking), metrics in reasons.items():
        which = _kind(metrics)
        if lacking is not None:
            yield f"{method} has no value on {listed(lacking)} and is left out of {which}."
        elif set(metrics) <= set(RANKING):
            yield f"{method} gives labels without scores and is left out of {which}."
        else:
            yield f"{method} has no value at all on {which} and is left out there."


def notices(results: StudyResults) -> Iterator[str]:
    """What a reader must know of the runs: those that are missing, odd, or of older code."""
    manifest, methods, datasets = results.manifest, results.method_titles, results.dataset_titles
    if manifest is None:
        return
    for what, missing in (("failed", manifest.failed), ("skipped", manifest.skipped)):
        reasons = _grouped(
            ((_run(each, manifest.methods | methods), each.reason.rstrip(".")), each.dataset)
            for each in missing
        )
        yield from _shortened(
            f"{run} {what} on {_places(names, datasets)}: {reason}."
            for (run, reason), names in reasons.items()
        )
    warned = _grouped(
        ((methods[record.method], warning), record.dataset)
        for record in results.records
        for warning in record.warnings
    )
    yield from _shortened(
        f"{method} on {_places(names, datasets)}: {warning}."
        for (method, warning), names in warned.items()
    )
    older = sum(bool(record.accepted) for record in results.all_records)
    if older:
        yield (
            f"{older:,} of {counted(len(results.all_records), 'record')} "
            f"{'was' if older == 1 else 'were'} computed by older code and accepted because a "
            "sample, computed again, gave the same values."
        )


def _by(one: MetricComparison) -> str:
    """What the methods are ordered by."""
    if one.is_testable:
        return "average rank"
    return "value" if len(one.datasets) == 1 else "mean over the datasets"


def _leaders(one: MetricComparison) -> list[str]:
    return one.leaders if one.is_testable else one.leaders_by_mean


def _lead(one: MetricComparison) -> str:
    if one.is_testable:
        return f"{one.average_ranks.iloc[0]:.2f}"
    return f"{one.overall.iloc[0]:.{METRICS[one.metric].decimals}f}"


def _kind(metrics: Sequence[str]) -> str:
    """Some metrics in a few words."""
    if set(metrics) == set(RANKING):
        return "the ranking metrics"
    if set(metrics) == {*RANKING, *BIPARTITION}:
        return "all metrics"
    return listed(map(metric_words, metrics))


def _run(missing: Missing, methods: Mapping[str, str]) -> str:
    """The method of a run that has no record, and its seed if it has one."""
    name, _, seed = missing.method.partition(" seed ")
    return methods.get(name, name) + (f" with seed {seed}" if seed else "")


def _places(names: Iterable[str], titles: Mapping[str, str]) -> str:
    return listed(titles.get(name, name) for name in dict.fromkeys(names))


def _shortened(sentences: Iterable[str]) -> Iterator[str]:
    every = list(sentences)
    yield from every[:MOST_NOTICES]
    if len(every) > MOST_NOTICES:
        yield f"And {len(every) - MOST_NOTICES} more of this kind, in study.json."


def _grouped(pairs: Iterable[tuple[_Key, str]]) -> dict[_Key, list[str]]:
    """Second parts by first part, the largest group first."""
    groups: dict[_Key, list[str]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return dict(sorted(groups.items(), key=lambda item: -len(item[1])))
