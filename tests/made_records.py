"""Records made for the tests of the analysis: the published values of a row, on a dataset."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path

from experiments import published
from experiments.analysis.numbers.results import StudyResults
from experiments.record import Record, read_record
from experiments.store import slug
from mlmlm.datasets._catalogue import CATALOGUE
from mlmlm.metrics import PAPER_METRICS

FIXTURE = read_record((Path(__file__).parent / "data" / "record_schema1.json").read_bytes())
FINGERPRINTS = {entry.name: entry.fingerprint for entry in CATALOGUE}
TABLES = {metric: published.results_table(metric) for metric in PAPER_METRICS}
DATASETS = list(TABLES["accuracy"])


def made_record(row: str, dataset: str, **changes: object) -> Record:
    """A record with the published values of a row, in digits that are not printed."""
    metrics = {
        metric: float(table.loc[row, dataset]) + 0.0004
        for metric, table in TABLES.items()
        if row in table.index
    }
    data = FIXTURE.data | {"fingerprint": FINGERPRINTS[dataset]}
    whole = dataclasses.replace(
        FIXTURE, dataset=dataset, method=row, published_as=row, metrics=metrics, data=data
    )
    return dataclasses.replace(whole, **changes)


def made_study(folder: Path, records: Iterable[Record]) -> StudyResults:
    """A study's folder with these records in it."""
    for record in records:
        seed = "" if record.seed is None else f"-seed{record.seed}"
        path = folder / "records" / slug(record.dataset) / f"{slug(record.method)}{seed}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(record.to_json())
    return StudyResults(folder)
