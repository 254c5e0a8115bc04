"""The reference methods, run here: how close each comes to its published row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from experiments.analysis.numbers.reference import (
    STUDY,
    closeness,
    equal_cells_by_dataset,
    estimated_minutes,
    every_cell,
    reference_cells,
    whole_rows,
)
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import Paragraph, Part, Section, Table
from experiments.analysis.sections.words import listed
from experiments.record import Record

TITLE = "The reference methods, live"
COMMAND = f"make reproduce STUDY={STUDY}"


def reference_section(results: StudyResults) -> Section:
    """Agreement by row and dataset, every cell, and what was too slow."""
    if not results.records:
        return Section(TITLE, [Paragraph(missing())], COMMAND)
    cells = reference_cells(results.records, results.method_titles)
    parts: list[Part] = [
        Paragraph(in_words(cells)),
        closeness_table(cells),
        Table(
            "reference_by_dataset",
            "Published cells that come out as printed",
            equal_cells_by_dataset(cells),
        ),
        cells_table(cells),
        *slow_table(results.records, results.method_titles),
    ]
    return Section(TITLE, parts, COMMAND)


def reference_summary(results: StudyResults) -> Section:
    """What the report of the paper says of this study: a sentence, and where the rest is."""
    study = results.beside(STUDY)
    if not study.records:
        return Section(TITLE, [Paragraph(missing())], COMMAND)
    words = in_words(reference_cells(study.records, study.method_titles))
    link = f"[The whole comparison]({results.page_beside(STUDY)})."
    return Section(TITLE, [Paragraph(f"{words} {link}")], COMMAND)


def closeness_table(cells: pd.DataFrame) -> Table:
    values = closeness(cells)
    return Table(
        "reference_closeness",
        "How close the reference methods come to their published rows",
        values,
        form=dict.fromkeys((name for name in values if values[name].dtype.kind == "i"), "d"),
        note=(
            "Differences are counted without coverage, which is not between 0 and 1. A method "
            "with no published row has no cells."
        ),
    )


def cells_table(cells: pd.DataFrame) -> Table:
    return Table(
        "reference_cells",
        "Every value of the reference methods",
        every_cell(cells),
        form={"seeds": "d", "difference": "+.3f"},
        note="Std: standard deviation over seeds, for stochastic methods.",
    )


def slow_table(records: Sequence[Record], methods: Mapping[str, str]) -> Iterator[Table]:
    """What the study leaves out, if it does."""
    minutes = estimated_minutes(records, methods)
    if not minutes.empty:
        yield Table(
            "reference_estimates",
            "What the study leaves out: estimated minutes for one seed",
            minutes,
            form=",.1f",
            note=(
                "In proportion to training rows x features x labels, from the largest dataset that "
                "was run; methods whose time grows faster with the rows take longer than this."
            ),
        )


def in_words(cells: pd.DataFrame) -> str:
    """The outcome in a sentence or two."""
    known = cells[cells["published"].notna()]
    equal = int(known["agrees"].astype(bool).sum())
    words = f"**{equal} of {len(known)}** published cells come out as printed."
    exact = whole_rows(cells)
    if exact:
        rows = "; ".join(f"{row} on {listed(titles)}" for row, titles in exact.items())
        words += f" All cells of a row and dataset do for {rows}."
    return words


def missing() -> str:
    return f"Missing: nothing of this study is here; `{COMMAND}`."
