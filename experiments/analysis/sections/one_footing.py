"""On one footing: what becomes of the comparison if all methods get the same treatment."""

from __future__ import annotations

from collections.abc import Iterator

from experiments.analysis.numbers.one_footing import (
    STUDY,
    gains,
    paper_datasets_of,
    published_ranks_of_the_same,
)
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.outcome import conclusion
from experiments.analysis.sections.parts import Paragraph, Part, Points, Section, Table
from experiments.analysis.sections.words import counted, listed

TITLE = "On one footing"
COMMAND = f"make reproduce STUDY={STUDY}"
MISSING = f"Missing: nothing of this study is here; `{COMMAND}`."


def one_footing_section(results: StudyResults) -> Section:
    """What the footing is, what it changes beside the published values, and what it cannot show."""
    if not results.records:
        return Section(TITLE, [Paragraph(MISSING)], COMMAND)
    parts: list[Part] = [Paragraph(footing(results)), Paragraph(LIMITS), *changes(results)]
    return Section(TITLE, parts, COMMAND)


def one_footing_summary(results: StudyResults) -> Section:
    """What the report of the paper says of this study: its outcome, and where the rest is."""
    study = results.beside(STUDY)
    if not study.records:
        return Section(TITLE, [Paragraph(MISSING)], COMMAND)
    link = f"[The whole comparison]({results.page_beside(STUDY)})."
    return Section(
        TITLE, [Paragraph(footing(study)), Points(conclusion(study)), Paragraph(link)], COMMAND
    )


def footing(results: StudyResults) -> str:
    return (
        f"{counted(len(results.method_titles), 'method')} on "
        f"{listed(results.dataset_titles.values())}: features scaled to [0, 1] for all of them, "
        "and, for all that have scores, one threshold at which the training rows, scored by models "
        "that have not seen them, have as many labels as they really have."
    )


LIMITS = (
    "No method is tuned beyond what its configuration says: one setting for all datasets, and "
    "BR-SVM and CC-SVM have scikit-learn's defaults where the published rows were tuned. Methods "
    "without scores (NN-MLM, RAkEL) keep their own way to labels. Times are of one shared machine."
)


def changes(results: StudyResults) -> Iterator[Table]:
    """How much the same methods gain over their published rows, and how those ranked."""
    gained = gains(results)
    if gained.empty:
        return
    on = f"on {listed(paper_datasets_of(results))}"
    yield Table(
        "one_footing_gains",
        "How much better than published",
        gained,
        form="+z.3f",
        note=f"Our mean less the published one, {on}; positive is better on every metric. A dash: "
        "the method has no scores, or no published row.",
    )
    ranks = published_ranks_of_the_same(results)
    yield Table(
        "one_footing_published_ranks",
        "Average ranks of the published values of the same methods",
        ranks,
        form=".2f",
        best=ranks.eq(ranks.min()),
        note=f"To be compared with the average ranks of this study; {on}.",
    )
