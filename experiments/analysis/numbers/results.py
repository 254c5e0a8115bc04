"""The results of a study as the analysis reads them: records, their small arrays, their cells.

This is the only place of the analysis that reads a study's folder.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from experiments.analysis.numbers.cells import mean_cells
from experiments.analysis.numbers.comparison import Comparison, compare_records
from experiments.analysis.numbers.titles import dataset_titles, distinct
from experiments.committed import COMMITTED
from experiments.comparison import Cell, record_cells
from experiments.record import Arrays, Json, Record
from experiments.splits import each_split
from experiments.study_folder import Manifest, StudyFolder, run_name


@dataclass(frozen=True, eq=False)
class StudyResults:
    """A folder such as ``results/paper``; whatever is not there yet is simply absent."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name if self.manifest is None else self.manifest.name

    @cached_property
    def manifest(self) -> Manifest | None:
        """What the study is; None where there is none yet."""
        return StudyFolder(self.folder).manifest()

    @cached_property
    def all_records(self) -> list[Record]:
        """Variants included, the smallest dataset first."""
        records = [StudyFolder(self.folder).read(name) for name in self._runs]
        return sorted(records, key=lambda record: (record.data["n_train"], record.dataset))

    @property
    def _runs(self) -> dict[str, str | None]:
        """Names of the records, each with the digest of its arrays."""
        return {} if self.manifest is None else self.manifest.runs

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
        """Columns table, metric, method, dataset, ours, published, agrees; a row per value."""
        rows = [cell for record in self.records for cell in record_cells(record)]
        return pd.DataFrame(rows, columns=Cell._fields)

    @cached_property
    def mean_cells(self) -> pd.DataFrame:
        """The same, of several seeds the mean, with the names that our tables use."""
        return mean_cells(self.records)

    @cached_property
    def comparison(self) -> Comparison:
        """The study's methods over its datasets."""
        return self._compare(self.records, self.dataset_titles)

    @cached_property
    def comparison_on_shared_datasets(self) -> Comparison | None:
        """All methods over the datasets that each of them has; None if that is all, or none."""
        methods: dict[str, set[str]] = {}
        for record in self.records:
            methods.setdefault(record.dataset, set()).add(record.method)
        shared = [name for name, present in methods.items() if len(present) == len(self.methods)]
        if len(shared) in (0, len(methods)):
            return None
        titles = {name: self.dataset_titles[name] for name in self.datasets if name in shared}
        return self._compare([each for each in self.records if each.dataset in shared], titles)

    def _compare(self, records: list[Record], datasets: dict[str, str]) -> Comparison:
        titles = self.method_titles
        asked = self.manifest and self.manifest.control
        control = titles.get(asked) if asked else None
        return compare_records(records, titles, datasets, control, self.n_splits)

    @cached_property
    def method_titles(self) -> dict[str, str]:
        """What tables and pictures call the methods that have records, in the study's order."""
        known = {} if self.manifest is None else self.manifest.methods
        present = {record.method for record in self.records}
        return distinct({name: title for name, title in known.items() if name in present})

    @cached_property
    def dataset_titles(self) -> dict[str, str]:
        """What tables and pictures call the datasets, the smallest first."""
        return dataset_titles(self.records)

    @property
    def split(self) -> Json | None:
        """How the study splits its datasets anew; None if it takes them as they are."""
        return None if self.manifest is None else self.manifest.split

    @property
    def n_splits(self) -> int:
        """How often each dataset is split."""
        return len(each_split(self.split))

    @property
    def compares_with_paper(self) -> bool:
        """Whether published values, which are of the fixed splits, stand beside the study's own."""
        return self.manifest is not None and self.manifest.published and self.split is None

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
        """The small arrays of a run on a fixed split, by name; none if there is no such run."""
        name = run_name(dataset, method, seed=None, split="")
        return StudyFolder(self.folder).read_arrays(name, self._runs.get(name))

    def refit(self, name: str) -> Json | None:
        """What `experiments.refits` kept of one fit; None if it was not run."""
        path = self.folder / "refits" / f"{name}.json"
        return json.loads(path.read_bytes()) if path.exists() else None

    def refits(self, kind: str) -> dict[str, Json]:
        """What it kept of one kind, by dataset, in the order of the study's."""
        paths = (self.folder / "refits").glob(f"{kind}_*.json")
        found = {path.stem.removeprefix(f"{kind}_"): path for path in sorted(paths)}
        order = {name: place for place, name in enumerate(self.datasets)}
        names = sorted(found, key=lambda name: order.get(name, len(order)))
        return {name: json.loads(found[name].read_bytes()) for name in names}

    def rows(self, dataset: str) -> tuple[Json, Arrays] | None:
        """What `experiments.rows` kept of a dataset's test rows; None if it was not run."""
        path = self.folder / "rows" / f"{dataset}.json"
        if not path.exists():
            return None
        with np.load(path.with_suffix(".npz"), allow_pickle=False) as stored:
            return json.loads(path.read_bytes()), dict(stored)

    def reliability(self, dataset: str) -> Json | None:
        """What `experiments.reliability` kept of a dataset; None if it was not run."""
        path = self.folder / "reliability" / f"{dataset}.json"
        return json.loads(path.read_bytes()) if path.exists() else None

    def beside(self, study: str) -> StudyResults:
        """Another study: of the folder beside this one, or else the committed one."""
        own = self.folder.with_name(study)
        folder = own if own.is_dir() else COMMITTED / study
        return self._others.setdefault(study, StudyResults(folder))

    def page_beside(self, study: str) -> str:
        """The address of another study's report, as this one's page has to give it."""
        page = self.beside(study).folder.resolve() / "report.html"
        return Path(os.path.relpath(page, self.folder.resolve())).as_posix()

    @cached_property
    def _others(self) -> dict[str, StudyResults]:
        return {}
