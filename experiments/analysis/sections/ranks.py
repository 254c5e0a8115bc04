"""The methods of a study ranked: average ranks, tests, critical-difference diagrams, wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from experiments.analysis.numbers.comparison import Comparison, MetricComparison
from experiments.analysis.numbers.metrics import metric_title, metric_words
from experiments.analysis.numbers.ranks import friedman_row
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.cd_diagram import draw_cd_diagram
from experiments.analysis.sections.outcome import compared, left_out, significance_of
from experiments.analysis.sections.parts import (
    Gallery,
    Paragraph,
    Part,
    Picture,
    Points,
    Section,
    Table,
)
from experiments.analysis.sections.words import counted, listed
from mlmlm.statistics import LEAST_DATASETS

TITLE = "Ranks and tests"
EXPLAINED = (
    "On each dataset the methods are ranked, 1 is the best, and ties share their mean rank. If "
    "Friedman's test finds that the methods differ, Nemenyi's test compares the pairs: two methods "
    "differ significantly if their average ranks do by the critical distance (CD) or more."
)
OF_SPLITS = (
    " The value of a method on a dataset is its mean over the splits: splits share rows, so only "
    "another dataset is another observation."
)
DIAGRAM_EXPLAINED = (
    "In the diagrams the best average rank is on the left, and bars join methods that do not "
    "differ significantly."
)
TESTS_EXPLAINED = (
    "Friedman's χ² and Iman and Davenport's F, as in Demšar (2006) and corrected for ties; after "
    "each the probability p of one as large if no method differs; and Nemenyi's critical distance "
    "(CD) at the level α."
)

EQUAL = 1e-9  # average ranks are sums of halves divided by the number of datasets


def ranks_section(results: StudyResults) -> Section:
    """Ranks, and tests and diagrams where there are datasets enough for them."""
    comparison = results.comparison
    if len(comparison.methods) < 2:
        return Section(TITLE, [Paragraph("Ranks need two methods or more.")])
    tested = [one for one in comparison.metrics.values() if one.is_testable]
    words = EXPLAINED if tested else _untested(comparison)
    parts: list[Part] = [Paragraph(words + (OF_SPLITS if results.n_splits > 1 else ""))]
    if sentences := list(left_out(comparison)):
        parts.append(Points(sentences))
    parts.append(ranks_table(comparison))
    if tested:
        whose = "the control" if tested[0].asked_control else "the best"
        parts += [
            tests_table(tested),
            Paragraph(f"{DIAGRAM_EXPLAINED} Coloured: {whose}."),
            Gallery([diagram(one) for one in tested]),
        ]
    parts += [wins_table(one) for one in comparison.metrics.values() if one.is_comparable]
    parts += nemenyi_tables(tested)
    if (shared := results.comparison_on_shared_datasets) and shared.is_testable:
        parts += on_shared_datasets(shared)
    return Section(TITLE, parts)


def on_shared_datasets(comparison: Comparison) -> Iterator[Part]:
    """All methods, also those that lack a dataset, on the datasets that each of them has."""
    tested = [one for one in comparison.metrics.values() if one.is_testable]
    yield Paragraph(
        f"Only methods that have every dataset are ranked above. On {listed(comparison.datasets)} "
        "all of them are:"
    )
    yield Points(compared(comparison))
    for table in (ranks_table(comparison), tests_table(tested)):
        yield replace(table, name=f"{table.name}_shared", title=f"{table.title}, all methods")
    pictures = [diagram(one) for one in tested]
    yield Gallery([replace(each, name=f"{each.name}_shared") for each in pictures])
    for table in nemenyi_tables(tested):
        yield replace(table, name=f"{table.name}_shared", title=f"{table.title}, all methods")


def ranks_table(comparison: Comparison) -> Table:
    """All methods by metrics that have a rank on any; without tests, all that there are."""
    columns = {
        metric_title(metric): one.average_ranks for metric, one in comparison.metrics.items()
    }
    index = pd.Index(comparison.methods, name="method")
    values = pd.DataFrame(columns, index=index, dtype=float)
    order = values.mean(axis=1).sort_values(kind="stable").index
    values = values.loc[order]
    if values.notna().any(axis=None):
        values = values.dropna(how="all")
    return Table(
        "ranks",
        "Average ranks",
        values,
        form=".2f",
        best=values.eq(values.min()),
        note="Bold: the best of a metric. The methods are in order of their mean over the metrics.",
    )


def tests_table(tested: list[MetricComparison]) -> Table:
    """By metric: Friedman's and Iman and Davenport's tests, and the critical distance."""
    rows = {metric_title(one.metric): friedman_row(one.ranks) for one in tested if one.ranks}
    values = pd.DataFrame.from_dict(rows, orient="index").rename_axis("metric")
    return Table("tests", "Tests", values, form=forms_of_tests(values), note=TESTS_EXPLAINED)


def forms_of_tests(values: pd.DataFrame) -> dict[str, str]:
    """How the columns of a table of tests are printed."""
    forms = {str(name): ".1e" if str(name).startswith("p ") else ".2f" for name in values}
    return forms | {"methods": ".0f", "datasets": ".0f", "α": "g", "CD": ".3f"}


def diagram(one: MetricComparison) -> Picture:
    """The critical-difference diagram of a metric."""
    assert one.ranks is not None
    title = metric_title(one.metric)
    coloured = [one.asked_control] if one.asked_control else one.leaders
    return Picture(
        f"cd_{one.metric}",
        title,
        draw_cd_diagram(one.ranks, title, coloured)[0],
        significance_of(one),
    )


def wins_table(one: MetricComparison) -> Table:
    """On how many datasets the method of a row is better than, equal to, and worse than others."""
    wins, names = one.wins, list(one.average_ranks.index)
    assert wins is not None
    cells = {
        other: [
            None if method == other else "/".join(map(str, wins.of(method, other)))
            for method in names
        ]
        for other in names
    }
    return Table(
        f"wins_{one.metric}",
        f"Wins, ties and losses on {metric_words(one.metric)}",
        pd.DataFrame(cells, index=pd.Index(names, name="method")),
        note="Datasets on which the method of the row is better / equal / worse than the method of "
        "the column; methods in order of rank.",
        folded=True,
    )


def nemenyi_tables(tested: list[MetricComparison]) -> Iterator[Table]:
    """For each metric the p-values of all pairs, in order of rank."""
    for one in tested:
        assert one.ranks is not None
        p_values, alpha = one.ranks.p_values, one.ranks.alpha
        yield Table(
            f"nemenyi_{one.metric}",
            f"Nemenyi p-values of {metric_words(one.metric)}",
            p_values.rename_axis(index="method"),
            best=p_values.le(alpha),
            note=f"Methods in order of rank. Bold: at most {alpha:g}.",
            folded=True,
        )


def _untested(comparison: Comparison) -> str:
    return (
        f"On each dataset the methods are ranked, 1 is the best, and ties share their mean rank. "
        f"There are no tests: {counted(len(comparison.datasets), 'dataset')} can tell nothing "
        f"about others, that takes {LEAST_DATASETS} or more and two methods with a value on each."
    )
