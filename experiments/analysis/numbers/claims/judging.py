"""Every claim judged in the three views, and how many hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from experiments.analysis.numbers.claims.claim import Claim, Finding, Verdict
from experiments.analysis.numbers.claims.claim_list import CLAIMS
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.views import LeakFree, Published, Reproduced, views

PUBLISHED, REPRODUCED, LEAK_FREE = VIEWS = (Published.name, Reproduced.name, LeakFree.name)


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


def judged_claims(results: StudyResults) -> list[Judged]:
    """Every claim in each of the three views."""
    seen = views(results)
    return [Judged(claim, {view.name: claim.judge(view) for view in seen}) for claim in CLAIMS]


def claims_frame(judged: Iterable[Judged]) -> pd.DataFrame:
    """A row for each claim."""
    rows = [
        {
            "id": each.claim.id,
            "place": each.claim.place,
            "sentence": each.claim.quote,
            "claim": each.claim.sentence,
            **{view: str(finding.verdict) for view, finding in each.findings.items()},
            "evidence": each.evidence,
        }
        for each in judged
    ]
    columns = ["id", "place", "sentence", "claim", *VIEWS, "evidence"]
    return pd.DataFrame(rows, columns=columns).set_index("id")


def verdict_counts(judged: Iterable[Judged]) -> pd.DataFrame:
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
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("section")
