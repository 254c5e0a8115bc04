"""The runs of ML-MLM in a study, which the pictures of powers and distances are made of."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.titles import dataset_title, paper_datasets
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


def missing_sentence(shown: Collection[str]) -> str:
    """Names the paper's datasets that a picture or table does not show, if there are any."""
    lacking = [title for title in paper_datasets() if title not in shown]
    return f" Missing: {', '.join(lacking)}." if lacking else ""
