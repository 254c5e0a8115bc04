"""One method against each other: tests of pairs, beliefs, and how large the differences are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pandas as pd

from experiments.analysis.numbers.comparison import (
    EQUIVALENT,
    Against,
    Comparison,
    MetricComparison,
)
from experiments.analysis.numbers.metrics import metric_title, metric_words
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import ABSENT, Paragraph, Part, Section, Table
from experiments.analysis.sections.words import listed
from mlmlm.statistics import LEAST_DATASETS, Estimate

TITLE = "One against each other"
SURE = 0.95


def pairs_section(results: StudyResults) -> Section:
    """An overview by metric, and for each metric everything on each pair."""
    tested = [one for one in results.comparison.metrics.values() if one.against_control]
    if not tested:
        words = f"Pairs are tested on {LEAST_DATASETS} datasets or more; there are fewer here."
        return Section(TITLE, [Paragraph(words)])
    return Section(
        TITLE,
        [
            *map(Paragraph, method(tested)),
            overview(tested),
            *(pairs_table(one) for one in tested),
            *of_all_methods(results.comparison_on_shared_datasets),
        ],
    )


def of_all_methods(comparison: Comparison | None) -> Iterator[Part]:
    """The same of all methods on the datasets that each of them has, where that is not all."""
    if comparison is None or not comparison.is_testable:
        return
    tested = [one for one in comparison.metrics.values() if one.against_control]
    *_, able = method(tested)
    yield Paragraph(f"All methods, on {listed(comparison.datasets)}. {able}")
    for table in (overview(tested), *(pairs_table(one) for one in tested)):
        yield replace(table, name=f"{table.name}_shared", title=f"{table.title}, all methods")


def method(tested: list[MetricComparison]) -> Iterator[str]:
    """How the pairs are compared, and what could be found at all."""
    asked = tested[0].asked_control
    yield (
        f"The control is {asked}, as the study asks for; where it cannot be ranked, it is the "
        "method with the best average rank."
        if asked
        else "On each metric the control is the method with the best average rank. That it was "
        "chosen by the same values makes its p-values too small: name a `control` in the study to "
        "have one that was chosen before."
    )
    yield (
        "Wilcoxon's signed-rank test asks whether two methods differ; its exact p-values are "
        "corrected for all others by Holm's method. The Bayesian signed-rank test gives the "
        "probabilities that the control is better, as good, and worse, where differences up to "
        f"{EQUIVALENT:g} count as none. For coverage all differences are divided by the number of "
        "labels of the dataset. Intervals hold 95 % of the values that datasets drawn with "
        "replacement give."
    )
    able = tested[0].sensitivity
    assert able is not None
    finds = able.standardized_difference
    yield (
        f"With {able.n_datasets} datasets a method that wins on all of them has p = "
        f"{able.smallest_adjusted_p_value:.3f} after the correction for "
        f"{able.n_comparisons} comparisons, so "
        + (
            f"nothing can be significant here; that takes {able.least_datasets} datasets."
            if finds is None
            else f"a true mean difference of {finds:.1f} standard deviations of the differences "
            "is found in four of five cases; smaller ones will often be missed."
        )
    )


def overview(tested: Iterable[MetricComparison]) -> Table:
    """By metric: the control, and whom it is better than."""
    rows = {metric_title(one.metric): _overview(one) for one in tested}
    return Table(
        "pairs",
        "The control against the others",
        pd.DataFrame.from_dict(rows, orient="index").rename_axis("metric"),
        note=f"Significant: p at most 0.05 after Holm's correction. Probable: {SURE:.0%} or more.",
    )


def pairs_table(one: MetricComparison) -> Table:
    """The control beside each other method on one metric."""
    able = one.sensitivity
    assert able is not None
    rows = {pair.method: _pair(pair, able.standardized_difference) for pair in one.against_control}
    values = pd.DataFrame.from_dict(rows, orient="index").rename_axis("method")
    signed = [name for name in values if name.endswith(("difference", "correlation"))]
    shares = [name for name in values if name.startswith("P(")]
    return Table(
        f"pairs_{one.metric}",
        f"{metric_title(one.metric)}: {one.control} against each other method",
        values,
        form=dict.fromkeys(signed, "+z.3f") | dict.fromkeys(shares, ".2f"),
        best=values.assign(
            **{name: values[name].le(0.05) if name == "p, Holm" else False for name in values}
        ),
        note=f"Differences are positive where {one.control} is better on {metric_words(one.metric)}"
        ". Bold: significant. Could be found: the smallest true mean difference that the test "
        "finds in four of five cases, if the differences vary as they do here.",
        folded=True,
    )


def _overview(one: MetricComparison) -> dict[str, str]:
    significant = [pair for pair in one.against_control if pair.test.adjusted_p_value <= 0.05]
    return {
        "control": str(one.control),
        "significantly better than": _names(
            pair for pair in significant if pair.test.better == one.control
        ),
        "significantly worse than": _names(
            pair for pair in significant if pair.test.better == pair.method
        ),
        "probably better than": _names(p for p in one.against_control if p.belief.better >= SURE),
        "probably as good as": _names(
            p for p in one.against_control if p.belief.equivalent >= SURE
        ),
        "probably worse than": _names(p for p in one.against_control if p.belief.worse >= SURE),
    }


def _pair(pair: Against, finds: float | None) -> dict[str, float | str | None]:
    effect, deviation = pair.effect, pair.effect.standard_deviation
    return {
        "wins / ties / losses": " / ".join(map(str, pair.wins)),
        "mean difference": effect.mean_difference.value,
        "mean: 95 % interval": _interval(effect.mean_difference),
        "median difference": effect.median_difference.value,
        "median: 95 % interval": _interval(effect.median_difference),
        "rank-biserial correlation": effect.rank_biserial.value,
        "correlation: 95 % interval": _interval(effect.rank_biserial),
        "p": pair.test.p_value,
        "p, Holm": pair.test.adjusted_p_value,
        "P(better)": pair.belief.better,
        "P(as good)": pair.belief.equivalent,
        "P(worse)": pair.belief.worse,
        "could be found": None if finds is None or deviation is None else finds * deviation,
    }


def _interval(estimate: Estimate) -> str | None:
    if estimate.interval is None:
        return None
    return f"{estimate.interval.low:+z.3f} to {estimate.interval.high:+z.3f}"


def _names(pairs: Iterable[Against]) -> str:
    return ", ".join(pair.method for pair in pairs) or ABSENT
