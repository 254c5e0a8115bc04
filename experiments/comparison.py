"""Our figures beside the paper's: a cell agrees if it equals the printed value as printed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from experiments import published
from experiments.record import Record
from mlmlm.datasets.catalogue import CATALOGUE

# Half of the last digit, and room for the binary representation of decimals.
RESULT_TOLERANCE = 0.0005 + 1e-9
DISTANCE_TOLERANCE = 0.05 + 1e-9


class Cell(NamedTuple):
    """One figure of ours and, where there is one, the paper's beside it."""

    table: str
    metric: str
    method: str
    dataset: str
    ours: float
    published: float | None
    agrees: bool | None


def result_cells(
    dataset: str, method: str, figures: Mapping[str, float], row: str | None = None
) -> Iterator[Cell]:
    """Metrics beside those of the paper's tables.

    Parameters
    ----------
    dataset, method : str
        What the figures are of.
    figures : mapping
        From a metric's name to our value.
    row : str, optional
        The method's name in the paper, empty if it is not there; by default ``method``.
    """
    for metric, ours in figures.items():
        printed = _results().get((metric, method if row is None else row, dataset))
        yield _cell("results", metric, method, dataset, ours, printed, RESULT_TOLERANCE)


def power_distance_cells(
    dataset: str, method: str, figures: Mapping[str, float], row: str | None = None
) -> Iterator[Cell]:
    """log2_power, distance_mean and distance_std beside those of the paper, ML-MLM's alone."""
    for metric, ours in figures.items():
        printed = _power_distance().get((metric, method if row is None else row, dataset))
        yield _cell("power_distance", metric, method, dataset, ours, printed, DISTANCE_TOLERANCE)


def record_cells(record: Record) -> list[Cell]:
    """Every figure of a record beside the paper's, if its method and data are in the paper."""
    row = record.published_as if _is_published_data(record) else None
    cells = list(result_cells(record.dataset, record.method, record.metrics, row or ""))
    figures: dict[str, float] = {}
    if record.chosen.get("power") and record.distance is not None:
        figures = {
            "log2_power": math.log2(record.chosen["power"]),
            "distance_mean": record.distance["mean"],
            "distance_std": record.distance["std"],
        }
    return cells + list(power_distance_cells(record.dataset, record.method, figures, row or ""))


def _is_published_data(record: Record) -> bool:
    """Whether the numbers are those of the paper: a user's dataset may have a name like one's."""
    known = {entry.name: entry.fingerprint for entry in CATALOGUE}
    return known.get(record.dataset) == record.data["fingerprint"]


def _cell(
    table: str,
    metric: str,
    method: str,
    dataset: str,
    ours: float,
    printed: float | None,
    tolerance: float,
) -> Cell:
    agrees = None if printed is None else abs(ours - printed) <= tolerance
    return Cell(table, metric, method, dataset, ours, printed, agrees)


@cache
def _results() -> dict[tuple[str, str, str], float]:
    rows = published.results().itertuples(index=False)
    return {(row.metric, row.method, row.dataset): float(row.value) for row in rows}


@cache
def _power_distance() -> dict[tuple[str, str, str], float]:
    frame = published.power_distance()
    return {
        (metric, "ML-MLM", dataset): float(frame.loc[dataset, metric])
        for dataset in frame.index
        for metric in frame.columns
    }
