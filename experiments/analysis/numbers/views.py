"""The three views that the paper's claims are judged in.

`Published` is the paper's tables. `Reproduced` has our values in the place of its own methods'.
`LeakFree` is the same with the corrected Tmc2007: our methods are on ten datasets, the reference
methods, which have no value for it, on the nine others.

Tests and average ranks are always of all the methods of a table, as in the paper, and so in the
view without the leak of nine datasets. A test among our methods alone has another critical
distance; `LeakFree.own_comparison` is that one, on all ten, and is shown beside the verdict.

Nine datasets have a larger critical distance than ten. `SameDistance` is the view without the leak
at that of ten: what is significant there, but not in `LeakFree`, is lost to the smaller number of
datasets and not to the leak.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
import pandas as pd

from experiments import published
from experiments.analysis.numbers.cells import mean_cells
from experiments.analysis.numbers.data_facts import known_facts
from experiments.analysis.numbers.metrics import metric_words
from experiments.analysis.numbers.paper_tables import comparable_table
from experiments.analysis.numbers.ranks import compare_methods, published_comparison
from experiments.analysis.numbers.refits import COMMAND
from experiments.analysis.numbers.results import StudyResults
from experiments.comparison import is_published_data
from experiments.record import Arrays, Record
from mlmlm.statistics import RankComparison, cliques, critical_distance

LEAKED, CORRECTED = "tmc2007", "tmc2007_fixed"
LEAK_FREE_STUDY = "leak_free"
T = TypeVar("T")
_NOT_PRINTED = "the paper prints no such values"
_OVERFLOW = "published overflow"


class MissingError(Exception):
    """Values that a claim needs are not there; the message says which."""


class StudyRun(NamedTuple):
    """A record, and the study it is of."""

    study: StudyResults
    record: Record


class View(ABC):
    """The values of one view; what it lacks raises `MissingError`."""

    name: str

    def __init__(self) -> None:
        self._values: dict[str, pd.DataFrame] = {}
        self._comparisons: dict[str, RankComparison] = {}

    def values(self, metric: str) -> pd.DataFrame:
        """Methods by the paper's ten datasets, in its order; NaN where there is no value."""
        if metric not in self._values:
            self._values[metric] = self._read_values(metric)
        return self._values[metric]

    def complete(self, metric: str) -> pd.DataFrame:
        """The datasets on which every method has a value."""
        return self.values(metric).dropna(axis=1)

    def comparison(self, metric: str) -> RankComparison:
        """Ranks and tests of all methods."""
        if metric not in self._comparisons:
            self._comparisons[metric] = compare_methods(self.complete(metric), metric)
        return self._comparisons[metric]

    def own_comparison(self, metric: str) -> RankComparison | None:
        """Ranks and tests of our methods alone, where they are on more datasets than the others."""
        return None

    def actual_dataset(self, name: str) -> str:
        """The dataset that the values under a name of the paper's are of."""
        return name

    @abstractmethod
    def _read_values(self, metric: str) -> pd.DataFrame: ...

    @abstractmethod
    def data(self, column: str) -> pd.Series:
        """A column of the table of characteristics, by dataset."""

    @abstractmethod
    def power_distance(self) -> pd.DataFrame:
        """By dataset: the ``power`` that ML-MLM chose and the mean squared ``distance``."""

    def record(self, method: str, dataset: str) -> Record:
        """The run of a row of the tables on a dataset."""
        raise MissingError(_NOT_PRINTED)

    def arrays(self, method: str, dataset: str) -> Arrays:
        """The small arrays of a run."""
        raise MissingError(_NOT_PRINTED)

    def overflow_power(self, dataset: str) -> float | None:
        """The power that ML-MLM chooses with the original's overflow emulated, if it was run."""
        return None

    def refit(self, table: Callable[[StudyResults], T | None]) -> T:
        """What one of the functions of `refits` gives."""
        raise MissingError(_NOT_PRINTED)


class Published(View):
    """The paper's own tables."""

    name = "published"

    def comparison(self, metric: str) -> RankComparison:
        return published_comparison(metric)

    def _read_values(self, metric: str) -> pd.DataFrame:
        return published.results_table(metric)

    def data(self, column: str) -> pd.Series:
        table = published.datasets()
        if column not in table:
            raise MissingError(_NOT_PRINTED)
        return table[column]

    def power_distance(self) -> pd.DataFrame:
        printed = published.power_distance()
        return pd.DataFrame(
            {"power": np.exp2(printed["log2_power"]), "distance": printed["distance_mean"]}
        )


class Reproduced(View):
    """The paper's tables with the values of a study in the place of its own methods'."""

    name = "reproduced"

    def __init__(self, results: StudyResults) -> None:
        super().__init__()
        self._results = results

    def record(self, method: str, dataset: str) -> Record:
        return self._run(method, dataset).record

    def arrays(self, method: str, dataset: str) -> Arrays:
        run = self._run(method, dataset)
        return run.study.arrays(run.record.dataset, run.record.method)

    def data(self, column: str) -> pd.Series:
        names = published.datasets().index
        return pd.Series({name: self._characteristic(name, column) for name in names})

    def power_distance(self) -> pd.DataFrame:
        rows = {}
        for name in published.datasets().index:
            record = self.record("ML-MLM", name)
            if "power" not in record.chosen or record.distance is None:
                raise MissingError(
                    f"the run of ML-MLM on {record.dataset} has no power or distances"
                )
            rows[name] = {"power": record.chosen["power"], "distance": record.distance["mean"]}
        return pd.DataFrame.from_dict(rows, orient="index")

    def overflow_power(self, dataset: str) -> float | None:
        for record in self._results.variants:
            if (record.dataset, record.variant) == (dataset, _OVERFLOW):
                return float(record.chosen["power"])
        return None

    def refit(self, table: Callable[[StudyResults], T | None]) -> T:
        found = table(self._results)
        if found is None:
            raise MissingError(f"not refitted: `{COMMAND}`")
        return found

    @cached_property
    def _cells(self) -> pd.DataFrame:
        return mean_cells([run.record for run in self._runs])

    @cached_property
    def _runs(self) -> list[StudyRun]:
        return [
            StudyRun(study, record)
            for study in self._studies()
            for record in study.records
            if is_published_data(record)
        ]

    def _studies(self) -> Sequence[StudyResults]:
        return [self._results]

    def _read_values(self, metric: str) -> pd.DataFrame:
        return self._comparable(metric, {})

    def _comparable(self, metric: str, in_place_of: Mapping[str, str]) -> pd.DataFrame:
        table = comparable_table(metric, self._cells, in_place_of)
        if table.values is None:
            raise MissingError("; ".join(table.problems))
        return table.values

    def _characteristic(self, dataset: str, column: str) -> float:
        known = known_facts(self.record("ML-MLM", dataset))
        if column not in known:
            name = self.actual_dataset(dataset)
            raise MissingError(f"the record of {name} does not say {metric_words(column)}")
        return float(known[column])

    def _run(self, method: str, dataset: str) -> StudyRun:
        name = self.actual_dataset(dataset)
        runs = [
            run
            for run in self._runs
            if (run.record.published_as, run.record.dataset) == (method, name)
        ]
        if len({run.record.method for run in runs}) != 1:
            problem = f"more than one method is {method}" if runs else f"no run of {method}"
            raise MissingError(f"{problem} on {name}")
        return runs[-1]


class LeakFree(Reproduced):
    """The reproduced tables with the corrected Tmc2007 in the place of the published one."""

    name = "leak_free"

    def __init__(self, results: StudyResults) -> None:
        super().__init__(results)
        self._own: dict[str, RankComparison] = {}

    def actual_dataset(self, name: str) -> str:
        return CORRECTED if name == LEAKED else name

    def own_comparison(self, metric: str) -> RankComparison | None:
        if metric not in self._own:
            values = self.values(metric)
            own = values.loc[values.index.isin(published.own_methods())]
            self._own[metric] = compare_methods(own, metric)
        return self._own[metric]

    def _studies(self) -> Sequence[StudyResults]:
        return [self._results, self._results.beside(LEAK_FREE_STUDY)]

    def _read_values(self, metric: str) -> pd.DataFrame:
        self._require_corrected()
        return self._comparable(metric, {LEAKED: CORRECTED})

    def _run(self, method: str, dataset: str) -> StudyRun:
        self._require_corrected()
        return super()._run(method, dataset)

    @property
    def has_runs(self) -> bool:
        """Whether the corrected split was run at all."""
        return any(run.record.dataset == CORRECTED for run in self._runs)

    def _require_corrected(self) -> None:
        if not self.has_runs:
            raise MissingError(f"no run on {CORRECTED}")


class SameDistance(LeakFree):
    """The view without the leak, its ranks compared at the critical distance of ten datasets."""

    name = "same_distance"

    def comparison(self, metric: str) -> RankComparison:
        found = super().comparison(metric)
        distance = critical_distance(found.n_methods, self.values(metric).shape[1], found.alpha)
        groups = cliques(found.average_ranks, distance)
        return replace(found, critical_distance=distance, cliques=groups)


def views(results: StudyResults) -> tuple[View, ...]:
    """The three views of a study."""
    return Published(), Reproduced(results), LeakFree(results)
