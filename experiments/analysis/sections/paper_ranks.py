"""Average ranks, tests and critical-difference diagrams: as published, and with our rows."""

from __future__ import annotations

from collections.abc import Iterator

from experiments.analysis.numbers.metrics import PAPER_METRICS, metric_title, metric_words
from experiments.analysis.numbers.ranks import (
    PUBLISHED,
    Ranks,
    average_ranks,
    friedman_tests,
    groups,
    published_ranks,
    reproduced_ranks,
)
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.cd_diagram import draw_cd_diagram
from experiments.analysis.sections.parts import Gallery, Paragraph, Picture, Section, Table
from experiments.analysis.sections.ranks import (
    DIAGRAM_EXPLAINED,
    EXPLAINED,
    TESTS_EXPLAINED,
    forms_of_tests,
)


def paper_ranks_section(results: StudyResults) -> Section:
    """Everything on the ranks, first as published, then with our rows."""
    theirs, ours = published_ranks(), reproduced_ranks(results.mean_cells)
    both = (theirs, ours)
    return Section(
        "Average ranks and tests",
        [
            Paragraph(EXPLAINED),
            *map(Paragraph, remarks(ours)),
            *(ranks_table(each, theirs) for each in both),
            *(significance_table(each) for each in both),
            *(groups_table(each) for each in both),
            Paragraph(
                f"{DIAGRAM_EXPLAINED} Coloured: the distance-regression methods, in the reproduced "
                "ones our rows."
            ),
            *galleries(theirs, ours),
            *(table for each in both for table in nemenyi_tables(each)),
        ],
    )


def ranks_table(ranks: Ranks, theirs: Ranks) -> Table:
    """Methods by metrics; beside ours the published ranks, where they are of the same methods."""
    values = average_ranks(ranks)
    beside = agrees = None
    if ranks is not theirs:
        beside = average_ranks(theirs).reindex_like(values)
        same = values.notna().eq(beside.notna()).all() | values.isna().all()
        beside = beside.where(same, axis=1)
        compared = values.notna() & beside.notna()
        agrees = (values - beside).abs().lt(1e-9).astype(object).where(compared, None)
    return Table(
        f"ranks_{ranks.which}",
        f"Average ranks, {_words(ranks)}",
        values,
        form=".2f",
        published=beside,
        agrees=agrees,
        best=values.eq(values.min()),
        note="Bold: the best of a metric. Published ranks are those of the published tables.",
    )


def significance_table(ranks: Ranks) -> Table:
    """By metric: Friedman's and Iman and Davenport's tests, and the critical distance."""
    values = friedman_tests(ranks)
    return Table(
        f"tests_{ranks.which}",
        f"Tests, {_words(ranks)}",
        values,
        form=forms_of_tests(values),
        note=TESTS_EXPLAINED,
    )


def groups_table(ranks: Ranks) -> Table:
    """Methods by metrics: the numbers of the groups that a method is in."""
    return Table(
        f"groups_{ranks.which}",
        f"Groups, {_words(ranks)}",
        groups(ranks),
        note="Methods that have a group in common do not differ significantly (Nemenyi). The "
        "groups are as large as they can be, and numbered from the best rank on.",
    )


def nemenyi_tables(ranks: Ranks) -> Iterator[Table]:
    """For each metric the p-values of all pairs, in order of rank."""
    for metric, one in ranks.comparisons.items():
        yield Table(
            f"nemenyi_{ranks.which}_{metric}",
            f"Nemenyi p-values of {metric_words(metric)}, {_words(ranks)}",
            one.p_values.rename_axis(index="method"),
            best=one.p_values.le(one.alpha),
            note=f"Methods in order of rank. Bold: at most {one.alpha:g}.",
            folded=True,
        )


def galleries(theirs: Ranks, ours: Ranks) -> Iterator[Gallery]:
    """For each metric the diagram as published, and beside it the reproduced one."""
    for metric in PAPER_METRICS:
        known = (ranks for ranks in (theirs, ours) if metric in ranks.comparisons)
        yield Gallery([diagram(ranks, metric) for ranks in known])


def diagram(ranks: Ranks, metric: str) -> Picture:
    """The critical-difference diagram of a metric."""
    title = f"{metric_title(metric)}, {_words(ranks)}"
    best = ranks.comparisons[metric].average_ranks
    return Picture(
        f"cd_{ranks.which}_{metric}",
        title,
        draw_cd_diagram(ranks.comparisons[metric], title, ranks.ours)[0],
        f"The best: {best.index[0]} ({best.iloc[0]:.2f}).",
    )


def remarks(ranks: Ranks) -> Iterator[str]:
    """Which rows are ours, and why others are not."""
    if ranks.ours:
        yield (
            f"Reproduced are {len(ranks.comparisons)} of {len(PAPER_METRICS)} metrics, with these "
            f"rows of this study: {', '.join(ranks.ours)}; the other rows are as published."
        )
    else:
        yield "No metric is reproduced yet."
    for problem, metrics in ranks.metrics_by_problem.items():
        yield f"Missing: {problem} ({', '.join(metrics)})."


def _words(ranks: Ranks) -> str:
    return "as published" if ranks.which == PUBLISHED else "reproduced"
