"""A claim, and what comes of judging it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeAlias

from experiments.analysis.numbers.views import MissingError, View


class Verdict(StrEnum):
    """What a claim turns out to be."""

    HOLDS = "holds"
    FAILS = "does not hold"
    OPEN = "cannot be judged"


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
        Section, and where there is one the picture or table.
    quote : str
        The sentence of the paper, or the part of it that matters; dots where words are left out.
    text : str
        What it claims, in our words.
    check : callable
        From a view to a finding.
    reading : str
        How a vague sentence was made checkable; empty if it was clear.
    """

    id: str
    place: str
    quote: str
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

    def judge(self, view: View) -> Finding:
        """Check the claim; without the values it needs it cannot be judged."""
        try:
            return self.check(view)
        except MissingError as missing:
            return Finding(Verdict.OPEN, str(missing))


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
