"""The runs of ML-MLM in a study, which the pictures of powers and distances are made of."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from experiments import published
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.titles import dataset_title, paper_datasets
from experiments.analysis.numbers.views import CORRECTED, LEAK_FREE_STUDY, LEAKED
from experiments.record import Arrays, Record


class MlMlmRun(NamedTuple):
    """A record and its small arrays."""

    record: Record
    arrays: Arrays


def ml_mlm_runs(results: StudyResults) -> dict[str, MlMlmRun]:
    """By title of the dataset, in the paper's order; other datasets come last."""
    records = {
        dataset_title(record): record
        for record in results.records
        if record.published_as == "ML-MLM"
    }
    titles = dict.fromkeys([*paper_datasets(), *records])
    return {
        title: MlMlmRun(record, results.arrays(record.dataset, record.method))
        for title in titles
        if (record := records.get(title)) is not None
    }


def clean_runs(results: StudyResults) -> dict[str, MlMlmRun]:
    """The same with the corrected Tmc2007, if it was run, in the place of the leaked one."""
    leaked = published.title(LEAKED)
    fixed = results.beside(LEAK_FREE_STUDY)
    record = fixed.record(CORRECTED, "ml_mlm")
    clean: dict[str, MlMlmRun] = {}
    for title, run in ml_mlm_runs(results).items():
        if title != leaked:
            clean[title] = run
        elif record is not None:
            clean[_corrected(title)] = MlMlmRun(record, fixed.arrays(CORRECTED, record.method))
    return clean


def missing_sentence(shown: Collection[str]) -> str:
    """Names the paper's datasets that a picture or table does not show, if there are any."""
    lacking = [title for title in paper_datasets() if not {title, _corrected(title)} & set(shown)]
    return f" Missing: {', '.join(lacking)}." if lacking else ""


def _corrected(title: str) -> str:
    return f"{title} corrected"
