"""Records made for the tests of the analysis: the published values of a row, on a dataset."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from experiments import published
from experiments.analysis.numbers.results import StudyResults
from experiments.record import Arrays, Record, read_record
from experiments.study_folder import Manifest, StudyFolder
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


def made_study(folder: Path, records: Iterable[Record], **changes: object) -> StudyResults:
    """A study's folder with these records in it; ``changes`` are of its manifest."""
    study, records = StudyFolder(folder), list(records)
    manifest = Manifest(
        name=folder.name,
        datasets=list(dict.fromkeys(record.dataset for record in records)),
        methods={record.method: record.published_as or record.method for record in records},
        runs=dict(study.write(record, {}) for record in records),
        published=True,
    )
    study.write_manifest(dataclasses.replace(manifest, **changes))
    return StudyResults(folder)


def add_run(folder: Path, record: Record, arrays: Arrays) -> None:
    """Put a run with arrays into a study's folder, in the place of one of the same name."""
    study = StudyFolder(folder)
    known = study.manifest() or Manifest(folder.name, [], {}, {}, published=True)
    name, digest = study.write(record, arrays)
    study.write_manifest(dataclasses.replace(known, runs={**known.runs, name: digest}))


def write_rows(folder: Path, dataset: str, arrays: Arrays, **about: object) -> None:
    """What `experiments.rows` would keep of a dataset's test rows."""
    (folder / "rows").mkdir(exist_ok=True)
    content = {"fingerprint": FINGERPRINTS[dataset], "no_forest": None, "dependent_labels": None}
    (folder / "rows" / f"{dataset}.json").write_text(json.dumps(content | about))
    np.savez(folder / "rows" / f"{dataset}.npz", **arrays)
