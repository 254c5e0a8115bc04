"""On one footing: what becomes of the comparison if all methods get the same treatment."""

from __future__ import annotations

from collections.abc import Iterator

from experiments.analysis.numbers.one_footing import (
    STUDY,
    minutes_elsewhere,
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
    """What the footing is, what it cannot show, and how the published values ranked."""
    if not results.records:
        return Section(TITLE, [Paragraph(MISSING)], COMMAND)
    parts: list[Part] = [
        Paragraph(footing(results)),
        Paragraph(LIMITS),
        *published_ranks(results),
        *elsewhere(results),
    ]
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
        "that have not seen them, have as many labels as they really have. The margins "
        "of support vector machines are first made probabilities, by a sigmoid for each label."
    )


LIMITS = (
    "No method is tuned beyond what its configuration says: one setting for all datasets, where "
    "the published rows of support vector machines were tuned; the study `tuned` tunes all alike. "
    "Methods without scores (NN-MLM, RAkEL) keep their own way to labels. Times are of one shared "
    "machine. BOOMER is not among the methods: `mlrl-boomer` 0.12.3 asks for an older NumPy and "
    "scikit-learn than these runs have, and held to one thread it crashed in 11 of 12 trials."
)


def elsewhere(results: StudyResults) -> Iterator[Part]:
    """Why the paper's two largest datasets are not here, with the estimate for each method."""
    minutes = minutes_elsewhere(results)
    if minutes.empty:
        return
    names = list(minutes.columns.drop("by"))
    hours = minutes[names].sum() / 60
    yield Paragraph(
        f"Not in this study, for the time: {listed(names)}. One run of each method would take "
        f"about {listed(f'{hours[name]:,.0f} hours on {name}' for name in names)}, one after "
        "another on one core. The study `one_footing_large` is for the methods that finish there; "
        "the values of ML-MLM and NN-MLM, whose scaling and way to labels are the same, are those "
        "of the study `paper`."
    )
    yield Table(
        "one_footing_elsewhere",
        f"Estimated minutes of a run on {listed(names)}",
        minutes,
        form=dict.fromkeys(names, ",.0f"),
        note="By the run of the method on the largest data here: seconds grow with rows, features "
        "and labels, for support vector machines and neighbours with the squared rows, and for "
        "distance regression with the rows to the power 2.4. Where rows are many and features "
        "few, as in Mediamill, that may be far too little; and for ML-MLM on Delicious, which took "
        "21 minutes in the study `paper`, it is an eighth.",
        folded=True,
    )


def published_ranks(results: StudyResults) -> Iterator[Table]:
    """How the published values of the same methods ranked."""
    ranks = published_ranks_of_the_same(results)
    if not ranks.empty:
        yield Table(
            "one_footing_published_ranks",
            "Average ranks of the published values of the same methods",
            ranks,
            form=".2f",
            best=ranks.eq(ranks.min()),
            note="To be compared with the average ranks of this study; on "
            f"{listed(paper_datasets_of(results))}.",
        )
