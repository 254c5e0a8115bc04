"""Our values beside the paper's: a cell agrees if it equals the printed value as printed."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

from experiments import published
from experiments.published.printing import equal_as_printed
from experiments.record import Record
from mlmlm.datasets import CATALOGUE


class Cell(NamedTuple):
    """One value of ours and, where there is one, the paper's beside it."""

    table: str
    metric: str
    method: str
    dataset: str
    ours: float
    published: float | None
    agrees: bool | None


def record_cells(record: Record) -> list[Cell]:
    """Every value of a record beside the paper's, if its method and data are in the paper."""
    row = record.published_as if is_published_data(record) else None
    cells = [
        _cell(record, "results", metric, ours, _results().get((metric, row, record.dataset)))
        for metric, ours in record.metrics.items()
    ]
    if not record.chosen.get("power") or record.distance is None:
        return cells
    values = {
        "log2_power": math.log2(record.chosen["power"]),
        "distance_mean": record.distance["mean"],
        "distance_std": record.distance["std"],
    }
    return cells + [
        _cell(
            record,
            "power_distance",
            metric,
            ours,
            _power_distance().get((metric, row, record.dataset)),
        )
        for metric, ours in values.items()
    ]


def is_published_data(record: Record) -> bool:
    """Whether the numbers are those of the paper: a user's dataset may have a name like one's."""
    known = {entry.name: entry.fingerprint for entry in CATALOGUE}
    return known.get(record.dataset) == record.data["fingerprint"]


def _cell(record: Record, table: str, metric: str, ours: float, printed: float | None) -> Cell:
    agrees = None if printed is None else equal_as_printed(ours, printed, table)
    return Cell(table, metric, record.method, record.dataset, ours, printed, agrees)


@cache
def _results() -> dict[tuple[str, str | None, str], float]:
    rows = published.results().itertuples(index=False)
    return {(row.metric, row.method, row.dataset): float(row.value) for row in rows}


@cache
def _power_distance() -> dict[tuple[str, str | None, str], float]:
    frame = published.power_distance()
    return {
        (metric, "ML-MLM", dataset): float(frame.loc[dataset, metric])
        for dataset in frame.index
        for metric in frame.columns
    }
