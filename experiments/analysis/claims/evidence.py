"""What claims are judged by, in three views.

`Published` is the paper's tables. `Reproduced` has our figures in the place of its own methods'.
`LeakFree` is the same with the corrected Tmc2007: our methods are on ten datasets, the reference
methods, which have no figure for it, on the nine others.

Tests and average ranks are always of all the methods of a table, as in the paper, and so in the
view without the leak of nine datasets. A test among our methods alone has another critical
distance; `LeakFree.own_comparison` is that one, on all ten, and is shown beside the verdict.

Figures are rounded as the paper prints them: ranks among rounded figures would else depend on
digits that the others do not have.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from experiments import published
from experiments.analysis.claims import refits
from experiments.analysis.power_figures import yeast_power_curve
from experiments.analysis.results import StudyResults
from experiments.comparison import is_published_data
from experiments.record import Arrays, Record
from mlmlm.metrics import METRICS
from mlmlm.statistics import RankComparison, compare_ranks

LEAKED, CORRECTED = "tmc2007", "tmc2007_fixed"
LEAK_FREE_STUDY = "leak_free"
PRINTED_DECIMALS = 3
_NOT_PRINTED = "the paper prints no such figures"
_OVERFLOW = "published overflow"


class MissingError(Exception):
    """Figures that a claim needs are not there; the message says which."""


class Run(NamedTuple):
    """A record, and the study it is of."""

    study: StudyResults
    record: Record


class Evidence(ABC):
    """The figures of one view; what it lacks raises `MissingError`."""

    name: str

    def __init__(self) -> None:
        self._figures: dict[str, pd.DataFrame] = {}
        self._comparisons: dict[str, RankComparison] = {}

    def figures(self, metric: str) -> pd.DataFrame:
        """Methods by the paper's ten datasets, in its order; NaN where there is no figure."""
        if metric not in self._figures:
            self._figures[metric] = self._read_figures(metric)
        return self._figures[metric]

    def table(self, metric: str) -> pd.DataFrame:
        """The datasets on which every method has a figure."""
        return self.figures(metric).dropna(axis=1)

    def comparison(self, metric: str) -> RankComparison:
        """Ranks and tests of all methods."""
        if metric not in self._comparisons:
            self._comparisons[metric] = compare_ranks(
                self.table(metric), METRICS[metric].lower_is_better
            )
        return self._comparisons[metric]

    def own_comparison(self, metric: str) -> RankComparison | None:
        """Ranks and tests of our methods alone, where they are on more datasets than the others."""
        return None

    def spelled(self, dataset: str) -> str:
        """The dataset that the figures under a name of the paper's are of."""
        return dataset

    @abstractmethod
    def _read_figures(self, metric: str) -> pd.DataFrame: ...

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

    def yeast_power_curve(self, ridge: bool = True) -> pd.Series:
        """Yeast's test ranking loss by power."""
        raise MissingError(_NOT_PRINTED)

    def refits(self) -> Mapping[str, refits.Refit]:
        """Small datasets fitted again, by name."""
        raise MissingError(_NOT_PRINTED)


class Published(Evidence):
    """The paper's own tables."""

    name = "published"

    def _read_figures(self, metric: str) -> pd.DataFrame:
        return _printed_table(metric)

    def data(self, column: str) -> pd.Series:
        table = _printed_data()
        if column not in table:
            raise MissingError(_NOT_PRINTED)
        return table[column]

    def power_distance(self) -> pd.DataFrame:
        printed = published.power_distance()
        return pd.DataFrame(
            {"power": np.exp2(printed["log2_power"]), "distance": printed["distance_mean"]}
        )


class Reproduced(Evidence):
    """The paper's tables with the figures of a study in the place of its own methods'."""

    name = "reproduced"

    def __init__(self, results: StudyResults) -> None:
        super().__init__()
        self._results = results
        self._refits: dict[str, refits.Refit] | None = None

    def record(self, method: str, dataset: str) -> Record:
        return self._run(method, dataset).record

    def arrays(self, method: str, dataset: str) -> Arrays:
        run = self._run(method, dataset)
        return run.study.arrays(run.record.dataset, run.record.method)

    def data(self, column: str) -> pd.Series:
        return pd.Series({name: self._characteristic(name, column) for name in paper_datasets()})

    def power_distance(self) -> pd.DataFrame:
        rows = {}
        for name in paper_datasets():
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

    def yeast_power_curve(self, ridge: bool = True) -> pd.Series:
        self.record("ML-MLM", "yeast")
        curve = _yeast_curve(ridge)
        if curve is None:
            raise MissingError("yeast cannot be loaded")
        return curve

    def refits(self) -> Mapping[str, refits.Refit]:
        if self._refits is None:
            powers = {name: self._power(name) for name in refits.SMALL}
            tried = {name: refits.refit(name, power) for name, power in powers.items() if power}
            self._refits = {name: one for name, one in tried.items() if one is not None}
        if not self._refits:
            raise MissingError(f"no run of ML-MLM on {', '.join(refits.SMALL)}, or no data of them")
        return self._refits

    def _read_figures(self, metric: str) -> pd.DataFrame:
        table = _printed_table(metric).copy()
        for method in table.index.intersection(own_methods()):
            for dataset in table.columns:
                record = self.record(method, dataset)
                if metric not in record.metrics:
                    raise MissingError(f"no {words(metric)} of {method} on {record.dataset}")
                table.loc[method, dataset] = np.round(record.metrics[metric], PRINTED_DECIMALS)
        return table

    def _characteristic(self, dataset: str, column: str) -> float:
        data = self.record("ML-MLM", dataset).data
        for known in (data, data.get("characteristics", {}), data.get("audit", {})):
            if column in known:
                return float(known[column])
        raise MissingError(f"the record of {self.spelled(dataset)} does not say {words(column)}")

    def _power(self, dataset: str) -> float | None:
        try:
            return self.record("ML-MLM", dataset).chosen.get("power")
        except MissingError:
            return None

    def _run(self, method: str, dataset: str) -> Run:
        name = self.spelled(dataset)
        found = self._runs.get((method, name), {})
        if len(found) != 1:
            problem = f"more than one method is {method}" if found else f"no run of {method}"
            raise MissingError(f"{problem} on {name}")
        return next(iter(found.values()))

    @cached_property
    def _runs(self) -> dict[tuple[str, str], dict[str, Run]]:
        """By row of the paper and dataset, then by the study's name for the method."""
        runs: dict[tuple[str, str], dict[str, Run]] = {}
        for study in self._studies():
            for record in study.records:
                if record.published_as is not None and is_published_data(record):
                    same_row = runs.setdefault((record.published_as, record.dataset), {})
                    same_row[record.method] = Run(study, record)
        return runs

    def _studies(self) -> Sequence[StudyResults]:
        return [self._results]


class LeakFree(Reproduced):
    """The reproduced tables with the corrected Tmc2007 in the place of the published one."""

    name = "leak_free"

    def __init__(self, results: StudyResults) -> None:
        super().__init__(results)
        self._own: dict[str, RankComparison] = {}

    def spelled(self, dataset: str) -> str:
        return CORRECTED if dataset == LEAKED else dataset

    def own_comparison(self, metric: str) -> RankComparison | None:
        if metric not in self._own:
            figures = self.figures(metric)
            own = figures.loc[figures.index.isin(own_methods())]
            self._own[metric] = compare_ranks(own, METRICS[metric].lower_is_better)
        return self._own[metric]

    def _read_figures(self, metric: str) -> pd.DataFrame:
        table = super()._read_figures(metric)
        table.loc[~table.index.isin(own_methods()), LEAKED] = np.nan
        return table

    def _run(self, method: str, dataset: str) -> Run:
        if not any(name == CORRECTED for _, name in self._runs):
            raise MissingError(f"no run on {CORRECTED}")
        return super()._run(method, dataset)

    def _studies(self) -> Sequence[StudyResults]:
        return [self._results, self._results.beside(LEAK_FREE_STUDY)]


@cache
def paper_datasets() -> tuple[str, ...]:
    """In the paper's order."""
    return tuple(_printed_data().index)


@cache
def own_methods() -> tuple[str, ...]:
    """The paper's own methods, in its order."""
    return tuple(published.own_methods())


def views(results: StudyResults) -> tuple[Evidence, ...]:
    """The three views of a study."""
    return Published(), Reproduced(results), LeakFree(results)


def words(name: str) -> str:
    """The name of a metric or column as one says it."""
    return name.replace("_", " ").replace("f1", "F1")


@cache
def _printed_data() -> pd.DataFrame:
    return published.datasets()


@cache
def _printed_table(metric: str) -> pd.DataFrame:
    return published.results_table(metric)


@cache
def _yeast_curve(ridge: bool) -> pd.Series | None:
    return yeast_power_curve(ridge)
