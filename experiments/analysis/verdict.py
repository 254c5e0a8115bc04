"""The verdict: each published figure beside ours, and why they differ where they do.

For a cell that differs the study's variants are consulted: the same method run under the original's
overflow, with labels in the order of the XML file, by minimum-norm least squares, ranked by
log-odds. A reason is what gives the published figure; where nothing does, the cell is unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from experiments import published
from experiments.analysis.data_tables import CHARACTERISTICS, FRACTIONS
from experiments.analysis.mean_cells import mean_cells
from experiments.analysis.parts import Paragraph, Part, Section
from experiments.analysis.results import StudyResults
from experiments.analysis.rounding import rounded_twice
from experiments.analysis.table import Table
from experiments.comparison import TOLERANCES, is_published_data

UNEXPLAINED, MISSING = "unexplained", "missing"
DECIMALS = {"results": 3, "power_distance": 1, "data": 3}
ROUNDED_TWICE = "rounding twice"


class Finding(NamedTuple):
    """A row of the verdict; ``agrees`` is None where there is no figure of ours."""

    table: str
    metric: str
    method: str
    dataset: str
    ours: float | None
    published: float
    agrees: bool | None
    reason: str


def make(results: StudyResults) -> Section:
    """Counts, the cells that differ with what each variant gives, and every cell."""
    findings = verdict(results)
    return Section(
        "Verdict",
        [
            Paragraph(in_words(findings)),
            counts_table(findings),
            *_differing(findings, results),
            verdict_table(findings),
        ],
    )


def verdict(results: StudyResults) -> list[Finding]:
    """A finding for each published cell of the study's methods, and for the tables of data and P.

    A study without records is judged by the paper's own methods: everything is missing.
    """
    return [*_of_methods(results), *_of_data(results)]


def verdict_table(findings: Sequence[Finding]) -> Table:
    frame = pd.DataFrame(findings, columns=Finding._fields).set_index("table")
    frame["agrees"] = frame["agrees"].map({True: "true", False: "false"})
    return Table(
        "verdict",
        "Every published figure beside ours",
        frame,
        form=".5g",
        note="They agree if ours rounds to the printed one.",
    )


def counts_table(findings: Sequence[Finding]) -> Table:
    """Cells that agree, that differ with and without a reason, and that are missing, by table."""
    frame = pd.DataFrame(findings, columns=Finding._fields)
    rows = {}
    for name, cells in frame.groupby("table", sort=False):
        unexplained = cells["reason"] == UNEXPLAINED
        differs = cells["agrees"].map(lambda agrees: agrees is False)
        rows[name] = {
            "cells": len(cells),
            "agree": int(cells["agrees"].map(lambda agrees: agrees is True).sum()),
            "differ, explained": int((differs & ~unexplained).sum()),
            "differ, unexplained": int((differs & unexplained).sum()),
            "missing": int(cells["agrees"].isna().sum()),
        }
    values = pd.DataFrame.from_dict(rows, orient="index").rename_axis("table")
    return Table("verdict_counts", "Agreement with the paper", values, form="d")


def in_words(findings: Sequence[Finding]) -> str:
    """The verdict on the result tables in a sentence or two."""
    cells = [finding for finding in findings if finding.table == "results"]
    differing = [finding for finding in cells if finding.agrees is False]
    unexplained = sum(finding.reason == UNEXPLAINED for finding in differing)
    missing = sum(finding.agrees is None for finding in cells)
    agree = len(cells) - len(differing) - missing
    words = [f"**{agree} of {len(cells)}** result cells agree at the printed precision."]
    if differing:
        words.append(
            f"Of the {len(differing)} that differ, {len(differing) - unexplained} take the "
            f"published value under a variant that is named as the reason; {unexplained} stay "
            "unexplained."
        )
    if missing:
        words.append(f"{missing} are missing: their runs are not in this study yet.")
    return " ".join(words)


def variants_table(findings: Sequence[Finding], results: StudyResults) -> Table | None:
    """Each cell that differs, ours and under every variant that was run."""
    differing = [finding for finding in findings if finding.agrees is False]
    if not differing:
        return None
    columns = ["dataset", "method", "metric", "published", "ours"]
    cells = pd.DataFrame(differing, columns=Finding._fields)[columns]
    under = pd.DataFrame([_under_variants(finding, results) for finding in differing])
    values = pd.concat([cells, under], axis=1).set_index("dataset")
    return Table(
        "verdict_variants",
        "The cells that differ, under each variant",
        values,
        form=".5f",
        note=(
            "A dash: the variant does not apply to the method or the dataset. Rounding twice: "
            "first to one digit more than printed, then to the printed ones."
        ),
    )


def _of_methods(results: StudyResults) -> Iterator[Finding]:
    """Findings on the result tables and on the table of powers and distances."""
    cells = mean_cells(results.records)
    cells = cells[cells["published"].notna()]
    ours: dict[tuple[str, str, str, str], list[Any]] = {}
    for cell in cells.itertuples():
        key = cell.table, cell.metric, cell.published_as, cell.dataset
        ours.setdefault(key, []).append(cell)
    rows = {record.published_as for record in results.records} - {None}
    for table, metric, method, dataset, printed in _published_cells():
        if method not in (rows or set(published.own_methods())):
            continue
        key = table, metric, method, dataset
        if key not in ours:
            yield Finding(*key, None, printed, None, MISSING)
        for cell in ours.get(key, ()):  # several methods may claim one row of the paper
            finding = Finding(
                table, metric, cell.row, dataset, cell.ours, printed, bool(cell.agrees), ""
            )
            yield finding if cell.agrees else finding._replace(reason=_reason(finding, results))


def _published_cells() -> Iterator[tuple[str, str, str, str, float]]:
    for row in published.results().itertuples(index=False):
        yield "results", row.metric, row.method, row.dataset, float(row.value)
    powers = published.power_distance()
    for dataset in powers.index:
        for metric in powers.columns:
            yield "power_distance", metric, "ML-MLM", dataset, float(powers.loc[dataset, metric])


def _of_data(results: StudyResults) -> Iterator[Finding]:
    """Findings on the table of characteristics."""
    known = {
        record.dataset: record.data.get("characteristics", {})
        for record in results.records
        if is_published_data(record)
    }
    for dataset, printed in published.datasets().iterrows():
        for metric in CHARACTERISTICS:
            value = known.get(dataset, {}).get(metric)
            finding = Finding("data", metric, "", dataset, value, printed[metric], None, MISSING)
            if value is None:
                yield finding
                continue
            tolerance = TOLERANCES["results"] if metric in FRACTIONS else 0
            agrees = bool(abs(value - printed[metric]) <= tolerance)
            yield finding._replace(agrees=agrees, reason="" if agrees else _rounding(finding))


def _reason(finding: Finding, results: StudyResults) -> str:
    """What gives the published figure."""
    values = _under_variants(finding, results)
    tolerance = TOLERANCES[finding.table]
    reasons = [
        f"{variant} gives {value:.5g}"
        for variant, value in values.items()
        if abs(value - finding.published) <= tolerance
    ]
    return "; ".join(reasons) or UNEXPLAINED


def _rounding(finding: Finding) -> str:
    twice = _rounded_twice(finding)
    return f"{ROUNDED_TWICE} gives {twice:.5g}" if twice == finding.published else UNEXPLAINED


def _under_variants(finding: Finding, results: StudyResults) -> dict[str, float]:
    """The figure by variant, and rounded twice."""
    values: dict[str, float] = {}
    for record in results.variants:
        if (record.dataset, record.published_as) != (finding.dataset, finding.method):
            continue
        (cell,) = (
            mean_cells([record])
            .query("table == @finding.table and metric == @finding.metric")
            .itertuples()
        )
        values[str(record.variant)] = cell.ours
    return values | {ROUNDED_TWICE: _rounded_twice(finding)}


def _rounded_twice(finding: Finding) -> float:
    assert finding.ours is not None
    return rounded_twice(finding.ours, DECIMALS[finding.table])


def _differing(findings: Sequence[Finding], results: StudyResults) -> Iterator[Part]:
    table = variants_table(findings, results)
    if table is not None:
        yield table
