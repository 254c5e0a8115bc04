"""What came out of a study, in sentences: who leads, what is significant, what cannot be told.

They are the first thing on a page and the last lines on the terminal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from experiments.analysis.numbers.comparison import Comparison, MetricComparison
from experiments.analysis.numbers.degenerate import degenerate_runs
from experiments.analysis.numbers.metrics import BIPARTITION, RANKING, metric_words
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections import large, references
from experiments.analysis.sections.words import counted, listed
from experiments.splits import split_name
from experiments.study_folder import Missing
from mlmlm.metrics import METRICS
from mlmlm.statistics import LEAST_DATASETS

MOST_NOTICES = 6
"""Of a kind; more is no summary."""
OVER_LIMIT = "; the study's limit is "
"""How the reason goes on of a run that would have taken too long."""
_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


def conclusion(results: StudyResults) -> list[str]:
    """The outcome of a study, a sentence each."""
    for own in (references, large):
        if results.name == own.STUDY:
            return own.findings(results)
    comparison = results.comparison
    datasets = counted(len(comparison.datasets), "dataset")
    if not comparison.methods:
        return ["There are no records yet, so there is nothing to compare."]
    if len(comparison.methods) == 1:
        only = comparison.methods[0]
        return [f"{only} is alone on {datasets}: there is no other method to compare it with."]
    sentences = [*of_all_methods(results), *compared(comparison)]
    return sentences or ["No two methods have a value on every dataset, so none can be compared."]


def compared(comparison: Comparison) -> list[str]:
    """Who leads, whether that is significant, and what cannot be told."""
    return [*leads(comparison), *significance(comparison), *limits(comparison)]


def of_all_methods(results: StudyResults) -> Iterator[str]:
    """First what holds of all methods, where some of them lack a dataset, and who they are."""
    shared = results.comparison_on_shared_datasets
    if shared is None or not shared.is_testable:
        return
    lacking = {
        method
        for one in results.comparison.metrics.values()
        for method, datasets in one.left_out.items()
        if len(datasets) < len(one.datasets)  # else it has no scores
    }
    yield (
        f"All {counted(len(shared.methods), 'method')} are compared on {listed(shared.datasets)}:"
    )
    yield from compared(shared)
    yield (
        f"What follows is of all datasets, and without {listed(sorted(lacking))}, which lack some "
        f"of the {len(results.comparison.datasets)}:"
    )


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
        ((method, tuple(lacking) if one.runs.loc[method].any() else None), metric)
        for metric, one in comparison.metrics.items()
        for method, lacking in one.left_out.items()
    )
    for (method, lacking), metrics in reasons.items():
        which = _kind(metrics)
        if lacking is not None and comparison.n_splits > 1:
            splits = f"all {comparison.n_splits} splits"
            yield f"{method} does not have {splits} of {listed(lacking)}: left out of {which}."
        elif lacking is not None:
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
    too_long = [each for each in manifest.skipped if OVER_LIMIT in each.reason]
    yield from _left_out_for_time(too_long, manifest.methods | methods, datasets)
    skipped = [each for each in manifest.skipped if each not in too_long]
    for what, missing in (("failed", manifest.failed), ("skipped", skipped)):
        reasons = _grouped(
            (
                (run_title(each, manifest.methods | methods), each.reason.rstrip(".")),
                (each.dataset, each.split),
            )
            for each in missing
        )
        yield from _shortened(
            f"{run} {what} on {_places(places, datasets)}: {reason}."
            for (run, reason), places in reasons.items()
        )
    if lacking := results.comparison.without_values:
        yield (
            f"No method has all {results.n_splits} splits of {listed(lacking)}, which is left out "
            "of all tables of values and of all tests."
        )
    for method, dataset, number in results.comparison.incomplete:
        yield (
            f"{method} has {number} of {results.n_splits} splits of {dataset}: it has no mean "
            "there, and no part in the tests."
        )
    degenerate = list(degenerate_runs(results.all_records))
    known = {(id(each.record), each.problem) for each in degenerate}
    warned = _grouped(
        ((methods[record.method], warning), (record.dataset, split_name(record.split)))
        for record in results.records
        for warning in record.warnings
        if (id(record), warning) not in known
    )
    yield from _shortened(
        f"{method} on {_places(places, datasets)}: {warning}."
        for (method, warning), places in warned.items()
    )
    for record, problem in degenerate:  # each of them, however many there are
        seed = "" if record.seed is None else f" with seed {record.seed}"
        name = (manifest.methods | methods).get(record.method, record.method)
        place = _places([(record.dataset, split_name(record.split))], datasets)
        yield f"{name}{seed} on {place}: {problem}."
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


def run_title(missing: Missing, methods: Mapping[str, str], with_seed: bool = True) -> str:
    """The method of a run that has no record, and its seed if it has one."""
    name, _, seed = missing.method.partition(" seed ")
    return methods.get(name, name) + (f" with seed {seed}" if seed and with_seed else "")


def _left_out_for_time(
    runs: Sequence[Missing], methods: Mapping[str, str], datasets: Mapping[str, str]
) -> Iterator[str]:
    """In one sentence for each limit, because a limit may leave out dozens of runs."""
    for limit, those in _grouped((each.reason.split(OVER_LIMIT)[1], each) for each in runs).items():
        places = _grouped(
            (run_title(each, methods, with_seed=False), (each.dataset, "")) for each in those
        )
        where = _grouped((_places(found, datasets), name) for name, found in places.items())
        names = "; ".join(f"{listed(who)} on {place}" for place, who in where.items())
        yield (
            f"{counted(len(those), 'run')} left out that would take longer than the study's limit "
            f"of {limit.rstrip('.')}: {names}. The estimates are under “Runs without a record”."
        )


def _places(places: Iterable[tuple[str, str]], titles: Mapping[str, str]) -> str:
    """Datasets, with the split where there is one, or the number of splits."""
    splits: dict[str, dict[str, None]] = {}
    for dataset, split in places:
        splits.setdefault(titles.get(dataset, dataset), {})[split] = None
    return listed(dataset + _which(list(each)) for dataset, each in splits.items())


def _which(splits: Sequence[str]) -> str:
    if len(splits) > 1:
        return f" ({len(splits)} splits)"
    return f" ({splits[0]})" if splits[0] else ""


def _shortened(sentences: Iterable[str]) -> Iterator[str]:
    every = list(sentences)
    yield from every[:MOST_NOTICES]
    if len(every) > MOST_NOTICES:
        yield f"And {len(every) - MOST_NOTICES} more of this kind, in study.json."


def _grouped(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, list[_Value]]:
    """Second parts by first part, the largest group first."""
    groups: dict[_Key, list[_Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return dict(sorted(groups.items(), key=lambda item: -len(item[1])))
