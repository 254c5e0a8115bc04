"""The claims evaluated: what holds, what does not, and on which figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from experiments.analysis.claims.claim import Claim, Finding, Verdict
from experiments.analysis.claims.claim_list import CLAIMS
from experiments.analysis.claims.evidence import (
    LEAK_FREE_STUDY,
    LeakFree,
    Published,
    Reproduced,
    views,
)
from experiments.analysis.parts import Paragraph, Section
from experiments.analysis.results import StudyResults
from experiments.analysis.table import Table

PUBLISHED, REPRODUCED, LEAK_FREE = VIEWS = (Published.name, Reproduced.name, LeakFree.name)
IN_WORDS = {
    PUBLISHED: "on the published tables",
    REPRODUCED: "with our figures",
    LEAK_FREE: "without the leak",
}
WAYS_TO_FAIL = {
    "These do not hold on the published tables themselves": {PUBLISHED: Verdict.FAILS},
    "These hold on the published tables, but not with our figures": {
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


@dataclass(frozen=True)
class Judged:
    """A claim, and what came of it in each view."""

    claim: Claim
    findings: Mapping[str, Finding]

    def has(self, verdicts: Mapping[str, Verdict]) -> bool:
        """Whether these are its verdicts in these views."""
        return all(self.findings[view].verdict == verdict for view, verdict in verdicts.items())

    @property
    def evidence(self) -> str:
        """What the findings rest on; views with the same evidence share it."""
        by_text: dict[str, list[str]] = {}
        for view, finding in self.findings.items():
            by_text.setdefault(finding.evidence, []).append(view)
        if len(by_text) == 1:
            return next(iter(by_text))
        return " | ".join(f"{', '.join(names)}: {text}" for text, names in by_text.items())


def make(results: StudyResults) -> Section:
    """Counts, what fails in plain words, and every claim."""
    judged = judge(results)
    return Section(
        "Claims",
        [
            Paragraph(_introduction(judged)),
            summary_table(judged),
            *map(Paragraph, _failures(judged)),
            claims_table(judged),
        ],
    )


def judge(results: StudyResults) -> list[Judged]:
    """Every claim in each of the three views."""
    evidences = views(results)
    return [
        Judged(claim, {evidence.name: claim.judge(evidence) for evidence in evidences})
        for claim in CLAIMS
    ]


def claims_table(judged: Iterable[Judged]) -> Table:
    """A row for each claim."""
    rows = [
        {
            "id": each.claim.id,
            "place": each.claim.place,
            "claim": each.claim.sentence,
            **{view: str(finding.verdict) for view, finding in each.findings.items()},
            "evidence": each.evidence,
        }
        for each in judged
    ]
    columns = ["id", "place", "claim", *VIEWS, "evidence"]
    return Table("claims", "Claims", pd.DataFrame(rows, columns=columns).set_index("id"))


def summary_table(judged: Iterable[Judged]) -> Table:
    """Numbers of verdicts, by section of the paper and view."""
    rows: dict[str, dict[str, int]] = {}
    for each in judged:
        for part in (each.claim.section, "in all"):
            row = rows.setdefault(
                part, {f"{v}: {verdict}": 0 for v in VIEWS for verdict in Verdict}
            )
            for view, finding in each.findings.items():
                row[f"{view}: {finding.verdict}"] += 1
    if rows:
        rows["in all"] = rows.pop("in all")
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("section")
    return Table("claims_summary", "Verdicts by section of the paper", table, form="d")


def _introduction(judged: list[Judged]) -> str:
    counts = "; ".join(_counts(judged, view, text) for view, text in IN_WORDS.items())
    missing = ""
    if all(each.has({LEAK_FREE: Verdict.OPEN}) for each in judged):
        missing = (
            " There are no runs on the corrected Tmc2007 yet: "
            f"`make reproduce STUDY={LEAK_FREE_STUDY}` makes them."
        )
    return (
        f"The paper's text makes {len(judged)} statements that figures can bear out or contradict. "
        "Each is judged three times: on the published tables, with our figures in the place of "
        "its own methods', and with the corrected Tmc2007; the reference methods have no figures "
        "for that one, so there ranks and tests are of the nine other datasets, and the critical "
        "distance is a twentieth larger. "
        f"The outcome: {counts}.{missing}"
    )


def _counts(judged: list[Judged], view: str, text: str) -> str:
    hold, fail, unknown = (sum(each.has({view: verdict}) for each in judged) for verdict in Verdict)
    return f"{text} {hold} hold, {fail} do not, {unknown} cannot be judged"


def _failures(judged: list[Judged]) -> Iterator[str]:
    """One paragraph for each way to fail, if there is a claim that does."""
    for text, verdicts in WAYS_TO_FAIL.items():
        names = [f"**{each.claim.id}** {each.claim.text}" for each in judged if each.has(verdicts)]
        if names:
            yield f"{text}: {' '.join(names)}"
