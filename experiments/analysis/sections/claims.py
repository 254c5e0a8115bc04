"""The claims evaluated: what holds, what does not, and on which values."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from experiments.analysis.numbers.claims.claim import Verdict
from experiments.analysis.numbers.claims.judging import (
    LEAK_FREE,
    PUBLISHED,
    REPRODUCED,
    Judged,
    claims_frame,
    judged_claims,
    verdict_counts,
)
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.views import LEAK_FREE_STUDY
from experiments.analysis.sections.parts import Paragraph, Part, Points, Section, Table

IN_WORDS = {
    PUBLISHED: "on the published tables",
    REPRODUCED: "with our values",
    LEAK_FREE: "without the leak",
}
SHORT = {PUBLISHED: "published", REPRODUCED: "ours", LEAK_FREE: "no leak"}
WAYS_TO_FAIL = {
    "These do not hold on the published tables themselves": {PUBLISHED: Verdict.FAILS},
    "These hold on the published tables, but not with our values": {
        PUBLISHED: Verdict.HOLDS,
        REPRODUCED: Verdict.FAILS,
    },
    "These cannot be judged by the published tables, and do not hold by our runs": {
        PUBLISHED: Verdict.OPEN,
        REPRODUCED: Verdict.FAILS,
    },
    "These hold with the leak in Tmc2007, but not without it": {
        REPRODUCED: Verdict.HOLDS,
        LEAK_FREE: Verdict.FAILS,
    },
}


def claims_section(results: StudyResults) -> Section:
    """Counts, what fails in plain words, and every claim."""
    judged = judged_claims(results)
    return Section(
        "Claims",
        [
            Paragraph(_introduction(judged)),
            Table(
                "claims_summary",
                "Verdicts by section of the paper",
                verdict_counts(judged),
                form="d",
                titles={
                    f"{view}: {verdict}": f"{words}: {short}"
                    for view, words in SHORT.items()
                    for verdict, short in zip(Verdict, ("hold", "do not", "open"), strict=True)
                },
                note="Open: it cannot be judged by these values.",
            ),
            *_failures(judged),
            Table("claims", "Claims", _frame(judged), linked=True, titles=IN_WORDS),
        ],
    )


def _frame(judged: list[Judged]) -> pd.DataFrame:
    """The claims, with words for the views in their evidence."""
    frame = claims_frame(judged)
    evidence = frame["evidence"].str.replace(f"{LEAK_FREE}:", f"{IN_WORDS[LEAK_FREE]}:")
    return frame.assign(evidence=evidence)


def _introduction(judged: list[Judged]) -> str:
    counts = "; ".join(_counts(judged, view, text) for view, text in IN_WORDS.items())
    missing = ""
    if all(each.has({LEAK_FREE: Verdict.OPEN}) for each in judged):
        missing = (
            " There are no runs on the corrected Tmc2007 yet: "
            f"`make reproduce STUDY={LEAK_FREE_STUDY}` makes them."
        )
    return (
        f"The paper's text makes {len(judged)} statements that values can bear out or contradict. "
        "Each is judged three times: on the published tables, with our values in the place of "
        "its own methods', and with the corrected Tmc2007; the reference methods have no values "
        "for that one, so there ranks and tests are of the nine other datasets, and the critical "
        "distance is a twentieth larger. "
        f"The outcome: {counts}.{missing}"
    )


def _counts(judged: list[Judged], view: str, text: str) -> str:
    hold, fail, unknown = (sum(each.has({view: verdict}) for each in judged) for verdict in Verdict)
    return f"{text} {hold} hold, {fail} do not, {unknown} cannot be judged"


def _failures(judged: list[Judged]) -> Iterator[Part]:
    """The claims of each way to fail, if there are any, each with a link to its evidence."""
    for text, verdicts in WAYS_TO_FAIL.items():
        failing = [each.claim for each in judged if each.has(verdicts)]
        if failing:
            yield Paragraph(f"{text}:")
            yield Points([f"[{claim.id}](#claims-{claim.id}) {claim.text}" for claim in failing])
