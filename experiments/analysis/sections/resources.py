"""Time and memory: what a study took, by dataset, by phase of the shared work, and by method."""

from __future__ import annotations

import pandas as pd

from experiments.analysis.numbers import seconds
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import Paragraph, Section, Table

SECONDS, WHOLE = ",.2f", ",.0f"


def resources_section(results: StudyResults) -> Section:
    records, names = results.records, results.method_titles
    regression = seconds.of_the_regression(records)
    by_dataset = seconds.by_dataset(records, names)
    return Section(
        "Time and memory",
        [
            Paragraph(
                "Seconds of wall time from loaded data to metrics. The distance regression of a "
                "dataset is solved once for all methods built on it, and counted once. Memory is "
                "the largest resident set of the process, data and interpreter included. The "
                "machine is named in each record."
                + ("" if results.split is None else " All is of one split, the mean over them.")
            ),
            Table(
                "resources",
                "Seconds and peak memory by dataset",
                by_dataset.T.rename_axis(index="method", columns=None),
                form=SECONDS,
            ),
            *([] if regression.empty else [_regression_table(regression)]),
            _table(
                "resources_methods",
                "Seconds of each method by phase",
                seconds.by_method(records, names),
                "Without the shared distance regression. Of several runs: mean seconds, largest "
                "memory.",
            ),
        ],
    )


def _regression_table(frame: pd.DataFrame) -> Table:
    title = "Seconds of the shared distance regression"
    return _table("resources_regression", title, frame)


def _table(name: str, title: str, frame: pd.DataFrame, note: str = "") -> Table:
    forms = {column: WHOLE if column in (seconds.PEAK, "runs") else SECONDS for column in frame}
    return Table(name, title, frame, form=forms, note=note)
