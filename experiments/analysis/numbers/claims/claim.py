"""A claim, and what comes of judging it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeAlias

from experiments.analysis.numbers.claims.vocabulary import ABSTRACT, CONCLUSION, INTRODUCTION
from experiments.analysis.numbers.views import MissingError, View


class Verdict(StrEnum):
    """What a claim turns out to be."""

    HOLDS = "holds"
    DEPENDS = "depends on the reading"
    FAILS = "does not hold"
    OPEN = "cannot be judged"


class Weight(StrEnum):
    """What a claim is to the paper; `rules` has how it is given."""

    CENTRAL = "central"
    SUPPORTING = "supporting"
    DESCRIPTIVE = "descriptive"


class Finding(NamedTuple):
    """A verdict, and the values it rests on."""

    verdict: Verdict
    evidence: str


P = ParamSpec("P")
Check: TypeAlias = Callable[[View], Finding]


@dataclass(frozen=True)
class Claim:
    """A checkable sentence of the paper, or a part of one.

    Attributes
    ----------
    id : str
        Short name: what it is about, and a number.
    place : str
        Section, and where there is one the picture or table; sections that say it again follow.
    quote : str
        The sentence of the paper, or the part of it that matters; dots where words are left out.
    text : str
        What it claims, in our words.
    check : callable
        From a view to a finding.
    reading : str
        How a vague sentence was made checkable; empty if it was clear.
    or_read_as : mapping
        Checks of other readings that are as fair, by what they are.
    describes : bool
        Whether it only says what a table has, what a term means or how reference methods do.
    """

    id: str
    place: str
    quote: str
    text: str
    check: Check
    reading: str = ""
    or_read_as: Mapping[str, Check] = field(default_factory=dict)
    describes: bool = False

    @property
    def section(self) -> str:
        return self.place.partition(",")[0]

    @property
    def weight(self) -> Weight:
        if any(name in self.place for name in (ABSTRACT, INTRODUCTION, CONCLUSION)):
            return Weight.CENTRAL
        return Weight.DESCRIPTIVE if self.describes else Weight.SUPPORTING

    @property
    def sentence(self) -> str:
        """The claim with its readings."""
        if not self.reading:
            return self.text
        readings = [self.reading, *self.or_read_as]
        if len(readings) > 1:
            readings = [f"({number}) {words}" for number, words in enumerate(readings, start=1)]
        return f"{self.text} (read as: {'; or '.join(readings)})"

    def judge(self, view: View) -> Finding:
        """Check each reading; without the values it needs it cannot be judged."""
        findings = [_try(check, view) for check in (self.check, *self.or_read_as.values())]
        return findings[0] if len(findings) == 1 else _together(findings)


def _try(check: Check, view: View) -> Finding:
    try:
        return check(view)
    except MissingError as missing:
        return Finding(Verdict.OPEN, str(missing))


def _together(findings: list[Finding]) -> Finding:
    """What several readings come to; those that cannot be judged have no say."""
    if len(set(findings)) == 1:
        return findings[0]
    told = {each.verdict for each in findings} - {Verdict.OPEN}
    verdict = Verdict.DEPENDS if len(told) > 1 else next(iter(told), Verdict.OPEN)
    parts = (f"({n}) {each.verdict}: {each.evidence}" for n, each in enumerate(findings, start=1))
    return Finding(verdict, "; ".join(parts))


def finding(holds: bool, evidence: str) -> Finding:
    return Finding(Verdict.HOLDS if holds else Verdict.FAILS, evidence)


def check(judge: Callable[Concatenate[View, P], Finding]) -> Callable[P, Check]:
    """Let a function of a view and arguments take the arguments first, as a claim gives them."""

    @wraps(judge)
    def with_arguments(*args: P.args, **kwargs: P.kwargs) -> Check:
        return lambda view: judge(view, *args, **kwargs)

    return with_arguments


@check
def cannot_be_judged(view: View, reason: str) -> Finding:
    """For a sentence that no value of the paper or of a study bears on."""
    return Finding(Verdict.OPEN, reason)
