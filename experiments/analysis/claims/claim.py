"""A claim, and what comes of judging it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from experiments.analysis.claims.evidence import Evidence, MissingError


class Verdict(StrEnum):
    """What a claim turns out to be."""

    HOLDS = "holds"
    FAILS = "does not hold"
    OPEN = "cannot be judged"


class Finding(NamedTuple):
    """A verdict, and the figures it rests on."""

    verdict: Verdict
    evidence: str


Check: TypeAlias = Callable[[Evidence], Finding]


@dataclass(frozen=True)
class Claim:
    """A checkable sentence of the paper, or a part of one.

    Attributes
    ----------
    id : str
        Short name: what it is about, and a number.
    place : str
        Section, and where there is one the figure or table.
    text : str
        The claim in our words.
    check : callable
        From the evidence of a view to a finding.
    reading : str
        How a vague sentence was made checkable; empty if it was clear.
    """

    id: str
    place: str
    text: str
    check: Check
    reading: str = ""

    @property
    def section(self) -> str:
        return self.place.partition(",")[0]

    @property
    def sentence(self) -> str:
        """The claim with its reading."""
        return f"{self.text} (read as: {self.reading})" if self.reading else self.text

    def judge(self, evidence: Evidence) -> Finding:
        """Check the claim; without the figures it needs it cannot be judged."""
        try:
            return self.check(evidence)
        except MissingError as missing:
            return Finding(Verdict.OPEN, str(missing))


def finding(holds: bool, evidence: str) -> Finding:
    return Finding(Verdict.HOLDS if holds else Verdict.FAILS, evidence)


def cannot_be_judged(reason: str) -> Check:
    """For a sentence that no figure of the paper or of a study bears on."""

    def check(evidence: Evidence) -> Finding:
        return Finding(Verdict.OPEN, reason)

    return check
