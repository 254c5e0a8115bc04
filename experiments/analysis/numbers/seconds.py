"""Seconds and memory of a study's runs; of several splits of a dataset, the mean of one.

A record's phases add up to its whole time, because time is counted for the innermost phase alone.
So an outer phase takes its own seconds and those of the phases within it, which come right after
it in order of appearance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from experiments.analysis.numbers.titles import by_dataset_and_method, dataset_titles
from experiments.phases import Phase
from experiments.record import Record
from experiments.splits import split_name

SHARED_PHASES = ("scaling", "regression", "predicted distances")
OWN_PHASES = ("search", "scaling", "fit", "prediction", "metrics")
REGRESSION, IN_ALL, PEAK = "regression", "in all", "peak MB"


def by_dataset(records: Sequence[Record], names: Mapping[str, str]) -> pd.DataFrame:
    """Seconds of the regression and of each method on top of it, and the peak, by dataset.

    ``names`` are what methods are called.
    """
    titles, rows = dataset_titles(records), dict[str, dict[str, float]]()
    for (dataset, method), runs in by_dataset_and_method(records).items():
        row = rows.setdefault(titles[dataset], {})
        shared = [sum(outer_seconds(record, shared=True).values()) for record in runs]
        if any(shared) and REGRESSION not in row:
            row[REGRESSION] = sum(shared) / len(shared)
        row[names[method]] = _mean_seconds(runs)[IN_ALL]
        row[PEAK] = max(row.get(PEAK, 0.0), *(record.peak_mb for record in runs))
    for row in rows.values():
        row[IN_ALL] = sum(row.values()) - row[PEAK]
    frame = _frame(rows, [REGRESSION, *names.values(), IN_ALL, PEAK])
    if rows:
        frame.loc[IN_ALL] = frame.sum().where(frame.columns != PEAK, frame.max())
    return frame


def of_the_regression(records: Sequence[Record]) -> pd.DataFrame:
    """Seconds of what the distance-regression methods of a dataset share, by phase."""
    rows: dict[str, dict[str, dict[str, float]]] = {}
    titles = dataset_titles(records)
    for record in records:
        seconds = outer_seconds(record, shared=True)
        if seconds:
            peak = _peak(phase for phase in record.phases if phase.shared)
            row = seconds | {IN_ALL: sum(seconds.values()), PEAK: peak}
            rows.setdefault(titles[record.dataset], {}).setdefault(split_name(record.split), row)
    means = {
        title: pd.DataFrame(list(each.values())).mean().to_dict() for title, each in rows.items()
    }
    return _frame(means, [*SHARED_PHASES, IN_ALL, PEAK])


def by_method(records: Sequence[Record], names: Mapping[str, str]) -> pd.DataFrame:
    """Seconds of each method on each dataset without what is shared, by phase."""
    titles = dataset_titles(records)
    rows = [
        {"dataset": titles[dataset], "method": names[method], "runs": len(runs)}
        | _mean_seconds(runs)
        | {PEAK: _peak(phase for record in runs for phase in record.phases if not phase.shared)}
        for (dataset, method), runs in by_dataset_and_method(records).items()
    ]
    columns = ["dataset", "method", "runs", *OWN_PHASES, IN_ALL, PEAK]
    frame = pd.DataFrame(rows, columns=columns).set_index("dataset")
    if (frame["runs"] == 1).all():
        frame = frame.drop(columns="runs")
    return frame.dropna(axis=1, how="all")


def outer_seconds(record: Record, shared: bool) -> dict[str, float]:
    """Seconds of the outer phases that are shared or that are not, inner phases included."""
    outer_phases = SHARED_PHASES if shared else OWN_PHASES
    seconds: dict[str, float] = {}
    outer = outer_phases[0]
    for phase in record.phases:
        if phase.shared == shared:
            outer = phase.name if phase.name in outer_phases else outer
            seconds[outer] = seconds.get(outer, 0.0) + phase.seconds
    return seconds


def _mean_seconds(runs: Sequence[Record]) -> dict[str, float]:
    """Of a method's own phases, and in all."""
    seconds = pd.DataFrame([outer_seconds(record, shared=False) for record in runs]).mean()
    return {str(name): float(value) for name, value in seconds.items()} | {
        IN_ALL: float(seconds.sum())
    }


def _peak(phases: Iterable[Phase]) -> float:
    return max(phase.peak_mb for phase in phases)


def _frame(rows: Mapping[str, Mapping[str, float]], columns: Sequence[str]) -> pd.DataFrame:
    """By dataset; columns that nothing is in are left out."""
    frame = pd.DataFrame.from_dict(rows, orient="index")
    names = [name for name in columns if name in frame]
    return frame.reindex(columns=names).rename_axis("dataset")
