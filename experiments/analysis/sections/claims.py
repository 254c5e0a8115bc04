"""The claims evaluated: what holds, what does not, and on which values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from experiments.analysis.numbers.claims.claim import Verdict, Weight
from experiments.analysis.numbers.claims.judging import (
    LEAK_FREE,
    PUBLISHED,
    REPRODUCED,
    Judged,
    LostTo,
    claims_frame,
    judged_claims,
    verdict_counts,
)
from experiments.analysis.numbers.claims.rules import IN_SHORT
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.views import LEAK_FREE_STUDY, LeakFree
from experiments.analysis.sections.parts import Paragraph, Part, Points, Section, Table

IN_WORDS = {
    PUBLISHED: "on the published tables",
    REPRODUCED: "with our values",
    LEAK_FREE: "without the leak",
}
SHORT = {PUBLISHED: "published", REPRODUCED: "ours", LEAK_FREE: "no leak"}
VERDICTS_IN_SHORT = {
    Verdict.HOLDS: "hold",
    Verdict.DEPENDS: "depend",
    Verdict.FAILS: "do not",
    Verdict.OPEN: "open",
}
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
    "These depend, with our values, on how the sentence is read": {REPRODUCED: Verdict.DEPENDS},
}
WAYS_TO_BE_LOST = {
    LostTo.LEAK: "These stand with the leak in Tmc2007, but not without it",
    LostTo.DISTANCE: "These are lost without Tmc2007 too, but only because nine datasets have a "
    "larger critical distance than ten: at that of ten they would stand",
}


def claims_section(results: StudyResults) -> Section:
    """Counts, the rules, what fails in plain words, and every claim."""
    judged = judged_claims(results)
    return Section(
        "Claims",
        [
            Paragraph(_introduction(judged) + _lacking(results)),
            Paragraph("How they are judged:"),
            Points(IN_SHORT),
            Table(
                "claims_summary",
                "Verdicts by section of the paper and by weight",
                verdict_counts(judged),
                form="d",
                titles={
                    f"{view}: {verdict}": f"{words}: {short}"
                    for view, words in SHORT.items()
                    for verdict, short in VERDICTS_IN_SHORT.items()
                },
                note="Depend: on the reading. Open: it cannot be judged by these values.",
            ),
            *_failures(judged),
            Table(
                "claims",
                "Claims",
                _frame(judged),
                linked=True,
                titles={**IN_WORDS, "lost_to": "lost without the leak to"},
            ),
        ],
    )


def _frame(judged: list[Judged]) -> pd.DataFrame:
    """The claims, with words for the views in their evidence."""
    frame = claims_frame(judged)
    evidence = frame["evidence"].str.replace(f"{LEAK_FREE}:", f"{IN_WORDS[LEAK_FREE]}:")
    return frame.assign(evidence=evidence)


def _introduction(judged: list[Judged]) -> str:
    central = [each for each in judged if each.claim.weight == Weight.CENTRAL]
    return (
        f"The paper's text makes {len(judged)} statements that values can bear out or contradict, "
        f"{len(central)} of them central. "
        "Each is judged three times: on the published tables, with our values in the place of "
        "its own methods', and with the corrected Tmc2007; the reference methods have no values "
        "for that one, so there ranks and tests are of the nine other datasets, and the critical "
        "distance is a twentieth larger. "
        f"Of the central ones {_outcome(central)}."
    )


def _lacking(results: StudyResults) -> str:
    if LeakFree(results).has_runs:
        return ""
    return (
        " There are no runs on the corrected Tmc2007 yet: "
        f"`make reproduce STUDY={LEAK_FREE_STUDY}` makes them."
    )


def _outcome(judged: Sequence[Judged]) -> str:
    return "; ".join(_counts(judged, view, text) for view, text in IN_WORDS.items())


def _counts(judged: Sequence[Judged], view: str, text: str) -> str:
    hold, depend, fail, unknown = (
        sum(each.has({view: verdict}) for each in judged) for verdict in Verdict
    )
    return (
        f"{text} {hold} hold, {depend} depend on the reading, {fail} do not hold, {unknown} "
        "cannot be judged"
    )


def _failures(judged: list[Judged]) -> Iterator[Part]:
    """The claims of each way to fail, if there are any, each with a link to its evidence."""
    lists: Mapping[str, list[Judged]] = {
        **{
            text: [each for each in judged if each.has(verdicts)]
            for text, verdicts in WAYS_TO_FAIL.items()
        },
        **{
            text: [each for each in judged if each.lost_to == why]
            for why, text in WAYS_TO_BE_LOST.items()
        },
    }
    for text, claims in lists.items():
        if claims:
            yield Paragraph(f"{text}:")
            yield Points([_point(each) for each in claims])


def _point(judged: Judged) -> str:
    claim = judged.claim
    text = f"[{claim.id}](#claims-{claim.id}) {claim.text}"
    return f"{text} **Central.**" if claim.weight == Weight.CENTRAL else text
