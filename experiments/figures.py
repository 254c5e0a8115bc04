"""The figures of two records of one run, side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from experiments.record import Json, Record

TOLERANCE = 1e-7
"""Another order of additions changes the last digits of a figure: a distance on the corrected
Tmc2007 by 3e-9, between two processors. The least that a metric can change by is the Hamming loss
of one label, 8e-7 on Mediamill."""


def largest_difference(one: Record, other: Record) -> float:
    """The largest difference of any figure; infinite where one has what the other has not."""
    return _difference(_figures(one), _figures(other))


def changed_figures(old: Record, new: Record) -> Iterator[str]:
    """The metrics in which two records differ, in words."""
    for metric in dict.fromkeys([*old.metrics, *new.metrics]):
        before, after = old.metrics.get(metric), new.metrics.get(metric)
        if _difference(before, after) > TOLERANCE:
            yield f"{metric} {_shown(after)}, was {_shown(before)}"


def _figures(record: Record) -> Json:
    """Metrics and what fitting chose, as a record's file has them."""
    chosen = {
        name: value if isinstance(value, int | float | Mapping) else str(value)
        for name, value in record.chosen.items()
    }
    return {"metrics": record.metrics, "chosen": chosen, "distance": record.distance}


def _difference(one: Any, other: Any) -> float:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        if one.keys() != other.keys():
            return math.inf
        return max((_difference(one[key], other[key]) for key in one), default=0.0)
    if isinstance(one, int | float) and isinstance(other, int | float):
        both_nan = math.isnan(one) and math.isnan(other)
        return 0.0 if one == other or both_nan else abs(one - other)
    return 0.0 if one == other else math.inf


def _shown(value: float | None) -> str:
    return "absent" if value is None else f"{value:.5f}"
