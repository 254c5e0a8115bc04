"""What is measured on which data, in the quick and in the full form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from mlmlm.datasets import list_datasets
from scripts.bench.against_plain import compare_all_phases, compare_localization
from scripts.bench.cubic import share_of_rate, share_of_rate_in_fresh_run
from scripts.bench.dask_rows import two_workers_over_one
from scripts.bench.engines import serial_over_two_workers
from scripts.bench.growth import growth_exponents
from scripts.bench.label_products import dense_over_sparse
from scripts.bench.many_rows import ManyRows, measure_many_rows
from scripts.bench.memory import estimate_over_measured, peak_over_allowed
from scripts.bench.ml_knn import compare_ml_knn
from scripts.bench.peers import compare_peers
from scripts.bench.references import compare_references
from scripts.bench.report import Row
from scripts.bench.small_fits import all_threads_over_chosen
from scripts.bench.stratification import stratification
from scripts.bench.ten import time_over_arithmetic
from scripts.bench.threads import same_with_two_threads

Names = tuple[str, ...]
Measure = Callable[[str, Callable[[str], None]], Iterator[Row]]


@dataclass(frozen=True)
class Plan:
    """The datasets of each measurement, and how many rows of the one that grows."""

    cubic: Names = ()
    large_cubic: Names = ()
    plain: Names = ()
    plain_localization: Names = ()
    label_products: Names = ()
    peers: Names = ()
    ml_knn: Names = ()
    stratification: Names = ()
    growth: Names = ()
    growth_rows: int | None = None
    peak_memory: Names = ()
    estimated_memory: Names = ()
    threads: Names = ()
    small_fits: Names = ()
    references: Names = ()
    many_rows: ManyRows | None = None
    dask_rows: ManyRows | None = None
    engines: Names = ()
    ten: Names = ()

    def rows(self, tell: Callable[[str], None]) -> Iterator[Row]:
        """Measure everything; ``tell`` hears what is being measured."""
        measurements: tuple[tuple[Names, Measure], ...] = (
            (self.cubic, share_of_rate),
            (self.large_cubic, share_of_rate_in_fresh_run),
            (self.plain, compare_all_phases),
            (self.plain_localization, compare_localization),
            (self.label_products, dense_over_sparse),
            (self.peers, compare_peers),
            (self.ml_knn, compare_ml_knn),
            (self.stratification, stratification),
            (self.growth, lambda name, say: growth_exponents(name, self.growth_rows, say)),
            (self.peak_memory, peak_over_allowed),
            (self.estimated_memory, estimate_over_measured),
            (self.threads, same_with_two_threads),
            (self.small_fits, all_threads_over_chosen),
            (self.references, compare_references),
        )
        for names, measure in measurements:
            for name in names:
                yield from measure(name, partial(_tell_of, name, tell))
        if self.many_rows:
            yield from measure_many_rows(self.many_rows, tell)
        if self.dask_rows:
            yield from two_workers_over_one(self.dask_rows, tell)
        if self.engines:
            yield from serial_over_two_workers(self.engines, tell)
        if self.ten:
            yield from time_over_arithmetic(self.ten, tell)


def _tell_of(name: str, tell: Callable[[str], None], what: str) -> None:
    tell(f"{name}: {what}")


_FEW_ROWS = ManyRows(
    few=2_000,
    many=20_000,
    test_rows=2_000,
    references=100,
    tuning_rows=2_000,
    compared=(2_000,),
)
_MANY_ROWS = ManyRows(
    few=100_000,
    many=1_000_000,
    test_rows=100_000,
    references=1_000,
    tuning_rows=20_000,
    compared=(100_000, 1_000_000),
    judged=True,
)
QUICK = Plan(
    cubic=("emotions", "yeast", "enron"),
    plain=("emotions", "yeast", "enron"),
    label_products=("emotions", "yeast", "enron"),
    peers=("yeast",),
    ml_knn=("yeast",),
    stratification=("mediamill",),
    growth=("bibtex",),
    growth_rows=2000,
    peak_memory=("enron",),
    threads=("emotions", "enron", "yeast"),
    small_fits=("emotions", "medical", "enron", "yeast"),
    references=("yeast",),
    many_rows=_FEW_ROWS,
    dask_rows=_FEW_ROWS,
)
FULL = replace(
    QUICK,
    large_cubic=("delicious",),
    plain_localization=("corel5k",),
    label_products=("emotions", "yeast", "tmc2007", "enron", "mediamill", "bibtex"),
    peers=("yeast", "enron"),
    growth=("tmc2007",),
    growth_rows=None,
    peak_memory=("bibtex", "delicious", "tmc2007"),
    estimated_memory=("bibtex", "delicious", "tmc2007"),
    references=("tmc2007_fixed",),
    many_rows=_MANY_ROWS,
    dask_rows=_MANY_ROWS,
    engines=("medical", "emotions", "enron", "scene", "yeast"),
)
TEN = list_datasets()[:10]
