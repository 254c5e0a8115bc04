"""The results of a study as the analysis reads them: records, their small arrays, their cells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from experiments.comparison import Cell, record_cells
from experiments.record import Arrays, Record
from experiments.store import slug
from experiments.study_folder import Manifest, StudyFolder


@dataclass(frozen=True)
class StudyResults:
    """A folder such as ``results/paper``; whatever is not there yet is simply absent."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @cached_property
    def manifest(self) -> Manifest | None:
        """What the study is; None where there is none yet."""
        return StudyFolder(self.folder).manifest()

    @cached_property
    def all_records(self) -> list[Record]:
        """Variants included, the smallest dataset first."""
        runs = self.manifest.runs if self.manifest is not None else {}
        records = [StudyFolder(self.folder).read(name) for name in runs]
        return sorted(records, key=lambda record: (record.data["n_train"], record.dataset))

    @cached_property
    def records(self) -> list[Record]:
        """Of the study's own methods."""
        return [record for record in self.all_records if record.variant is None]

    @cached_property
    def variants(self) -> list[Record]:
        """Of the same methods under other circumstances, which explain cells that differ."""
        return [record for record in self.all_records if record.variant is not None]

    @cached_property
    def cells(self) -> pd.DataFrame:
        """Columns table, metric, method, dataset, ours, published, agrees; a row per figure."""
        rows = [cell for record in self.records for cell in record_cells(record)]
        return pd.DataFrame(rows, columns=Cell._fields)

    @property
    def datasets(self) -> list[str]:
        """In order of size."""
        return list(dict.fromkeys(record.dataset for record in self.records))

    @property
    def methods(self) -> list[str]:
        return list(dict.fromkeys(record.method for record in self.records))

    def record(self, dataset: str, method: str) -> Record | None:
        found = (each for each in self.records if (each.dataset, each.method) == (dataset, method))
        return next(found, None)

    def arrays(self, dataset: str, method: str) -> Arrays:
        """The small arrays of a run, by name; none if there is no such run."""
        name = f"{slug(dataset)}/{slug(method)}"
        runs = self.manifest.runs if self.manifest is not None else {}
        return StudyFolder(self.folder).read_arrays(name, runs.get(name))

    def beside(self, study: str) -> StudyResults:
        """Another study, in the folder beside this one."""
        return StudyResults(self.folder.with_name(study))
