"""Runs that predict no label at all, or all of them, told from the figures of their records.

A record's metrics determine the numbers of labels. With tp relevant labels found, precision ``p``,
recall ``r`` and ``w`` wrong places (Hamming loss times rows times labels),

    w = (tp / p - tp) + (tp / r - tp),   so   tp = w / (1/p + 1/r - 2),

``tp / p`` labels are predicted and ``tp / r`` are relevant. Where nothing relevant is found, p and
r are 0 and the wrong places are the labels predicted and the relevant ones together; how many are
relevant is known from another run on the same data. So a run that predicts nothing is told apart
from one that predicts only what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from experiments.record import Record

NOTHING = "it predicts no label for any test row"
EVERYTHING = "it predicts every label for every test row"
NOTHING_RIGHT = "it predicts no label that is relevant, and perhaps none at all"


class DegenerateRun(NamedTuple):
    """A record, and what is wrong with its predictions."""

    record: Record
    problem: str


def degenerate_runs(records: Iterable[Record]) -> Iterator[DegenerateRun]:
    """Those among some records, which may be of several datasets."""
    records = [record for record in records if "micro_recall" in record.metrics]
    relevant = {
        record.data["fingerprint"]: counts.relevant
        for record in records
        if (counts := _counts(record)) is not None
    }
    for record in records:
        problem = _problem(record, relevant.get(record.data["fingerprint"]))
        if problem is not None:
            yield DegenerateRun(record, problem)


class _Counts(NamedTuple):
    predicted: int
    relevant: int


def _problem(record: Record, relevant: int | None) -> str | None:
    if record.metrics["micro_recall"] == 0:
        wrong = _wrong_places(record)
        if wrong in (0, relevant):
            return NOTHING
        return NOTHING_RIGHT if relevant is None else None
    counts = _counts(record)
    places = record.data["n_test"] * record.data["n_labels"]
    return EVERYTHING if counts is not None and counts.predicted == places else None


def _counts(record: Record) -> _Counts | None:
    """Labels that are predicted and that are relevant; None where none or all are right."""
    precision, recall = record.metrics["micro_precision"], record.metrics["micro_recall"]
    wrong = _wrong_places(record)
    if precision == 0 or wrong == 0:
        return None
    found = wrong / (1 / precision + 1 / recall - 2)
    return _Counts(round(found / precision), round(found / recall))


def _wrong_places(record: Record) -> int:
    return round(record.metrics["hamming_loss"] * record.data["n_test"] * record.data["n_labels"])
