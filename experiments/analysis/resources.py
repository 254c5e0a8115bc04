"""Seconds and memory of a study.

A record's phases add up to its whole time, because time is counted for the innermost phase alone.
So an outer phase takes its own seconds and those of the phases within it, which come right after
it in order of appearance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from experiments.analysis.parts import Paragraph, Section
from experiments.analysis.results import StudyResults
from experiments.analysis.table import Table
from experiments.analysis.titles import dataset_title, row_titles
from experiments.phases import Phase
from experiments.record import Record

SHARED_PHASES = ("scaling", "regression", "predicted distances")
OWN_PHASES = ("scaling", "fit", "prediction", "metrics")
REGRESSION, IN_ALL, PEAK = "regression", "in all", "peak MB"
SECONDS, WHOLE = ",.2f", ",.0f"


def make(results: StudyResults) -> Section:
    """What a study took: by dataset, by phase of the shared work, and by method."""
    records = results.records
    return Section(
        "Time and memory",
        [
            Paragraph(
                "Seconds of wall time from loaded data to metrics. The distance regression of a "
                "dataset is solved once for all methods built on it, and counted once. Memory is "
                "the largest resident set of the process, data and interpreter included. The "
                "machine is named in each record."
            ),
            dataset_table(records),
            regression_table(records),
            method_table(records),
        ],
    )


def dataset_table(records: Sequence[Record]) -> Table:
    """Seconds of the regression and of each method on top of it, and the peak, by dataset."""
    names = row_titles(records)
    rows: dict[str, dict[str, float]] = {}
    for (dataset, method), runs in _by_dataset_and_method(records).items():
        row = rows.setdefault(dataset, {})
        if (shared := outer_seconds(runs[0], shared=True)) and REGRESSION not in row:
            row[REGRESSION] = sum(shared.values())
        row[names[method]] = _mean_seconds(runs)[IN_ALL]
        row[PEAK] = max(row.get(PEAK, 0.0), *(record.peak_mb for record in runs))
    for row in rows.values():
        row[IN_ALL] = sum(row.values()) - row[PEAK]
    frame = _frame(rows, [REGRESSION, *names.values(), IN_ALL, PEAK])
    if rows:
        frame.loc[IN_ALL] = frame.sum().where(frame.columns != PEAK, frame.max())
    return _table("resources", "Seconds and peak memory by dataset", frame)


def regression_table(records: Sequence[Record]) -> Table:
    """Seconds of what the distance-regression methods of a dataset share, by phase."""
    rows: dict[str, dict[str, float]] = {}
    for record in records:
        seconds = outer_seconds(record, shared=True)
        if seconds:
            peak = _peak(phase for phase in record.phases if phase.shared)
            row = seconds | {IN_ALL: sum(seconds.values()), PEAK: peak}
            rows.setdefault(dataset_title(record), row)
    frame = _frame(rows, [*SHARED_PHASES, IN_ALL, PEAK])
    return _table("resources_regression", "Seconds of the shared distance regression", frame)


def method_table(records: Sequence[Record]) -> Table:
    """Seconds of each method on each dataset without what is shared, by phase."""
    names = row_titles(records)
    rows = [
        {"dataset": dataset, "method": names[method], "runs": len(runs)}
        | _mean_seconds(runs)
        | {PEAK: _peak(phase for record in runs for phase in record.phases if not phase.shared)}
        for (dataset, method), runs in _by_dataset_and_method(records).items()
    ]
    columns = ["dataset", "method", "runs", *OWN_PHASES, IN_ALL, PEAK]
    frame = pd.DataFrame(rows, columns=columns).set_index("dataset")
    if (frame["runs"] == 1).all():
        frame = frame.drop(columns="runs")
    return _table(
        "resources_methods",
        "Seconds of each method by phase",
        frame.dropna(axis=1, how="all"),
        "Without the shared distance regression. Of several seeds: mean seconds, largest memory.",
    )


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


def _by_dataset_and_method(records: Sequence[Record]) -> dict[tuple[str, str], list[Record]]:
    runs: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        runs.setdefault((dataset_title(record), record.method), []).append(record)
    return runs


def _mean_seconds(runs: Sequence[Record]) -> dict[str, float]:
    """Of a method's own phases, and in all."""
    seconds = pd.DataFrame([outer_seconds(record, shared=False) for record in runs]).mean()
    return {str(name): float(value) for name, value in seconds.items()} | {
        IN_ALL: float(seconds.sum())
    }


def _peak(phases: Iterable[Phase]) -> float:
    return max(phase.peak_mb for phase in phases)


def _frame(rows: dict[str, dict[str, float]], columns: Sequence[str]) -> pd.DataFrame:
    """By dataset; columns that nothing is in are left out."""
    frame = pd.DataFrame.from_dict(rows, orient="index")
    names = [name for name in columns if name in frame]
    return frame.reindex(columns=names).rename_axis("dataset")


def _table(name: str, title: str, frame: pd.DataFrame, note: str = "") -> Table:
    forms = {column: WHOLE if column in (PEAK, "runs") else SECONDS for column in frame}
    return Table(name, title, frame, form=forms, note=note)
