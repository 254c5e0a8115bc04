"""Every claim judged in the three views, by the rules of `rules`, and how many hold.

A claim that holds with the leak and not without it is judged once more, with the corrected data
but at the critical distance of ten datasets. If it holds there, it is lost to the smaller number
of datasets: the reference methods have no values on the corrected Tmc2007. If not, it is lost to
the leak.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd

from experiments.analysis.numbers.claims.claim import Claim, Finding, Verdict, Weight
from experiments.analysis.numbers.claims.claim_list import CLAIMS
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.views import (
    LeakFree,
    Published,
    Reproduced,
    SameDistance,
    View,
    views,
)

PUBLISHED, REPRODUCED, LEAK_FREE = VIEWS = (Published.name, Reproduced.name, LeakFree.name)
IN_ALL = "in all"


class LostTo(StrEnum):
    """Why a claim that holds with the leak does not hold without it."""

    LEAK = "the leak"
    DISTANCE = "critical distance"


@dataclass(frozen=True)
class Judged:
    """A claim, what came of it in each view, and what it is lost to without the leak, if it is."""

    claim: Claim
    findings: Mapping[str, Finding]
    lost_to: LostTo | None

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


def judged_claims(results: StudyResults) -> list[Judged]:
    """Every claim in each of the three views."""
    seen, same_distance = views(results), SameDistance(results)
    judged = []
    for claim in CLAIMS:
        findings = {view.name: claim.judge(view) for view in seen}
        judged.append(Judged(claim, findings, _lost_to(claim, findings, same_distance)))
    return judged


def _lost_to(claim: Claim, findings: Mapping[str, Finding], same_distance: View) -> LostTo | None:
    with_leak, without = (findings[view].verdict for view in (REPRODUCED, LEAK_FREE))
    if with_leak == without or with_leak not in (Verdict.HOLDS, Verdict.DEPENDS):
        return None
    if without not in (Verdict.DEPENDS, Verdict.FAILS):
        return None
    kept = claim.judge(same_distance).verdict == with_leak
    return LostTo.DISTANCE if kept else LostTo.LEAK


def claims_frame(judged: Iterable[Judged]) -> pd.DataFrame:
    """A row for each claim."""
    rows = [
        {
            "id": each.claim.id,
            "weight": str(each.claim.weight),
            "claim": each.claim.sentence,
            **{view: str(finding.verdict) for view, finding in each.findings.items()},
            "evidence": each.evidence,
            "lost_to": None if each.lost_to is None else str(each.lost_to),
            "sentence": each.claim.quote,
            "place": each.claim.place,
        }
        for each in judged
    ]
    columns = ["id", "weight", "claim", *VIEWS, "evidence", "lost_to", "sentence", "place"]
    return pd.DataFrame(rows, columns=columns).set_index("id")


def verdict_counts(judged: Iterable[Judged]) -> pd.DataFrame:
    """Numbers of verdicts by view: of each section of the paper, of each weight, and in all."""
    claims = list(judged)
    parts = dict.fromkeys(each.claim.section for each in claims)
    rows = {
        part: _numbers(each for each in claims if part in (each.claim.section, each.claim.weight))
        for part in [*parts, *(str(weight) for weight in Weight)]
    }
    return pd.DataFrame.from_dict(rows | {IN_ALL: _numbers(claims)}, orient="index").rename_axis(
        "section"
    )


def _numbers(judged: Iterable[Judged]) -> dict[str, int]:
    numbers = {f"{view}: {verdict}": 0 for view in VIEWS for verdict in Verdict}
    for each in judged:
        for view, finding in each.findings.items():
            numbers[f"{view}: {finding.verdict}"] += 1
    return numbers
