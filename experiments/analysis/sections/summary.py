"""What the first screenful of a report says, taken from what its sections show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from experiments import published
from experiments.analysis.numbers.claims.claim import Verdict, Weight
from experiments.analysis.numbers.metrics import BIPARTITION, RANKING
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.claims import IN_WORDS
from experiments.analysis.sections.outcome import conclusion, notices
from experiments.analysis.sections.parts import ABSENT, Picture, Section, Table
from experiments.analysis.sections.results import POWER_DISTANCE
from experiments.analysis.sections.words import counted
from experiments.comparison import is_published_data
from experiments.record import Record
from experiments.splits import splits_in_words

PAPER = "paper"
PAPER_TITLE = "Minimal Learning Machine for Multi-Label Learning"
DIAGRAMS = ("cd_reproduced", "cd", "cd_published")
"""How the names of critical-difference diagrams begin, the most telling first."""


class Fact(NamedTuple):
    """A number, what it is of, and the anchor of the place that tells more."""

    number: str
    text: str
    anchor: str


@dataclass(frozen=True)
class Summary:
    """The head of a page.

    Attributes
    ----------
    study : str
        Its name.
    title : str
        What the page is of.
    origin : sequence of str
        When, from which code and on which machine the records were made.
    outcome : sequence of str
        Sentences on who leads, what is significant, and what cannot be told.
    notices : sequence of str
        Sentences on what the study lacks, and on runs that a reader should know of.
    facts : sequence of Fact
        How far the study agrees with the paper.
    pictures : sequence of Picture
        One or two that show the most.
    published : bool
        Whether published values stand beside the study's own.
    """

    study: str
    title: str
    origin: Sequence[str]
    outcome: Sequence[str]
    notices: Sequence[str]
    facts: Sequence[Fact]
    pictures: Sequence[Picture]
    published: bool


def summarise(results: StudyResults, sections: Sequence[Section]) -> Summary:
    tables = {table.name: table for section in sections for table in section.tables}
    pictures = {picture.name: picture for section in sections for picture in section.pictures}
    of_paper = results.name == PAPER
    return Summary(
        study=results.name,
        title=PAPER_TITLE if of_paper else _title(results),
        origin=list(origin(results.all_records)),
        outcome=conclusion(results),
        notices=[*(missing(results) if of_paper else ()), *notices(results)],
        facts=list(facts(tables)),
        pictures=list(_shown(pictures)),
        published=of_paper or results.compares_with_paper,
    )


def origin(records: Sequence[Record]) -> Iterator[str]:
    """Provenance of some records, each different thing once."""
    if not records:
        return
    sources = [record.provenance for record in records]
    days = sorted({source["utc"][:10] for source in sources})
    yield f"{len(records)} runs of {' to '.join(dict.fromkeys([days[0], days[-1]]))}"
    commits = dict.fromkeys(_commit(source["git"]) for source in sources)
    yield f"commit {', '.join(commits)}"
    machines = dict.fromkeys(_machine(source) for source in sources)
    yield "; ".join(machines)
    yield f"Python {', '.join(dict.fromkeys(source['python'] for source in sources))}"


def missing(results: StudyResults) -> Iterator[str]:
    """What the study lacks of the paper's own methods on its datasets."""
    if not results.all_records:
        yield "This study has no records yet; what they would give is shown as missing."
        return
    done = {
        (each.dataset, each.published_as) for each in results.records if is_published_data(each)
    }
    methods = published.own_methods()
    lacking = {
        published.title(dataset): [name for name in methods if (dataset, name) not in done]
        for dataset in published.datasets().index
    }
    whole = [dataset for dataset, names in lacking.items() if names == methods]
    if whole:
        yield f"No runs in this study: {', '.join(whole)}."
    for dataset, names in lacking.items():
        if names and dataset not in whole:
            yield f"No runs in this study on {dataset}: {', '.join(names)}."


def facts(tables: Mapping[str, Table]) -> Iterator[Fact]:
    """Counts of what agrees and of what holds; none of a table that could not be made."""
    if "verdict_counts" in tables:
        yield _cells(tables["verdict_counts"].values)
    if "table_power_distance" in tables:
        yield from _powers_and_distances(tables["table_power_distance"])
    if "claims" in tables:
        yield from _claims(tables["claims"].values)


def _cells(counts: pd.DataFrame) -> Fact:
    agree, cells = counts.loc["results", ["agree", "cells"]]
    return Fact(f"{agree} of {cells}", "cells of the result tables agree as printed", "verdict")


def _powers_and_distances(table: Table) -> Iterator[Fact]:
    """Of the datasets that have them in the paper; what is missing does not agree."""
    assert table.published is not None and table.agrees is not None
    agrees = table.agrees[table.published.notna().all(axis=1)].eq(True)
    anchor, (power, *distances) = f"table-{table.name}", POWER_DISTANCE.values()
    yield Fact(_of(agrees[power]), "chosen powers P agree", anchor)
    both = agrees[distances].all(axis=1)
    yield Fact(_of(both), "predicted distances agree, mean and deviation", anchor)


def _claims(claims: pd.DataFrame) -> Iterator[Fact]:
    """In each view, of the central claims and, after them, of all."""
    central = claims[claims["weight"] == Weight.CENTRAL]
    for view, words in IN_WORDS.items():
        if (central[view] == Verdict.OPEN).all():
            yield Fact(ABSENT, f"central claims hold {words}: none can be judged yet", "claims")
            continue
        hold, others = _verdicts(central[view])
        of_all, others_of_all = _verdicts(claims[view])
        text = (
            f"central claims hold {words}; {others}. Of all {len(claims)} claims {of_all} hold; "
            f"{others_of_all}"
        )
        yield Fact(f"{hold} of {len(central)}", text, "claims")


def _verdicts(verdicts: pd.Series) -> tuple[int, str]:
    """How many hold, and in words how many do not."""
    counts = verdicts.value_counts()
    hold, depend, fail, rest = (int(counts.get(verdict, 0)) for verdict in Verdict)
    return hold, f"depend on the reading: {depend}; do not: {fail}; cannot be judged: {rest}"


def _of(holds: pd.Series) -> str:
    return f"{holds.sum()} of {len(holds)}"


def _title(results: StudyResults) -> str:
    comparison = results.comparison
    if not comparison.methods:
        return "No records yet"
    methods = counted(len(comparison.methods), "method")
    title = f"{methods} on {counted(len(comparison.datasets), 'dataset')}"
    return title if results.split is None else f"{title}, {splits_in_words(results.split)}"


def _shown(pictures: Mapping[str, Picture]) -> Iterator[Picture]:
    """The diagram of the first metric of each kind, with our rows if there is one."""
    for metrics in (RANKING, BIPARTITION):
        names = (f"{kind}_{metric}" for kind in DIAGRAMS for metric in metrics)
        yield from [pictures[name] for name in names if name in pictures][:1]


def _commit(git: Mapping[str, Any] | None) -> str:
    if git is None:
        return "unknown"
    return git["commit"][:12] + (" with changes" if git["dirty"] else "")


def _machine(source: Mapping[str, Any]) -> str:
    cpu = source["cpu"]
    return f"{cpu['model']}, {cpu['usable']} cores, {source['memory_gb']:.0f} GB"
