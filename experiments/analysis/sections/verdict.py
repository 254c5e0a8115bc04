"""The verdict: each published value beside ours, and why they differ where they do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from experiments import published
from experiments.analysis.numbers.data_facts import FRACTIONS
from experiments.analysis.numbers.metrics import PAPER_METRICS, metric_title
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.verdict import (
    UNEXPLAINED,
    JudgedCell,
    as_frame,
    counts_by_table,
    judged_cells,
    under_variants,
)
from experiments.analysis.sections.data import TITLES as CHARACTERISTICS
from experiments.analysis.sections.parts import Paragraph, Section, Table
from experiments.analysis.sections.results import POWER_DISTANCE
from experiments.published.printing import DECIMALS

TITLES = {
    **{name: metric_title(name) for name in PAPER_METRICS},
    **{name: published.title(name) for name in published.datasets().index},
    **CHARACTERISTICS,
    **POWER_DISTANCE,
    **{"power_distance": "powers and distances", "true": "yes", "false": "no"},
}
"""Of the words that name cells."""


def verdict_section(results: StudyResults) -> Section:
    """Counts, the cells that differ with what each variant gives, and every cell."""
    cells = judged_cells(results)
    return Section(
        "Verdict",
        [
            Paragraph(in_words(cells)),
            Table(
                "verdict_counts",
                "Agreement with the paper",
                counts_by_table(cells),
                form="d",
                titles=TITLES,
            ),
            *variants_table(cells, results),
            verdict_table(cells),
        ],
    )


def verdict_table(cells: Sequence[JudgedCell]) -> Table:
    frame = as_frame(cells).set_index("table")
    frame["agrees"] = frame["agrees"].map({True: "true", False: "false"})
    return Table(
        "verdict",
        "Every published value beside ours",
        frame,
        form=_forms(frame, cells),
        note="They agree if ours rounds to the printed one.",
        titles=TITLES,
    )


def variants_table(cells: Sequence[JudgedCell], results: StudyResults) -> Iterator[Table]:
    """The cells that differ, if there are any."""
    differing = [cell for cell in cells if cell.agrees is False]
    if differing:
        values = under_variants(cells, results)
        yield Table(
            "verdict_variants",
            "The cells that differ, under each variant",
            values,
            form=_forms(values, differing),
            titles=TITLES,
            note=(
                "A dash: the variant does not apply to the method or the dataset. Rounding twice: "
                "first to one digit more than printed, then to the printed ones. Dependent labels: "
                "the ends of the range that exact arithmetic leaves open."
            ),
        )


def in_words(judged: Sequence[JudgedCell]) -> str:
    """The verdict on the result tables in a sentence or two."""
    cells = [cell for cell in judged if cell.table == "results"]
    differing = [cell for cell in cells if cell.agrees is False]
    unexplained = sum(cell.reason == UNEXPLAINED for cell in differing)
    missing = sum(cell.agrees is None for cell in cells)
    agree = len(cells) - len(differing) - missing
    words = [f"**{agree} of {len(cells)}** result cells agree at the printed precision."]
    if differing:
        words.append(
            f"Of the {len(differing)} that differ, {len(differing) - unexplained} take the "
            "published value under a variant that is named as the reason, or have it within what "
            f"exact arithmetic leaves open; {unexplained} "
            f"{'stays' if unexplained == 1 else 'stay'} unexplained."
        )
    if missing:
        words.append(f"{missing} are missing: their runs are not in this study yet.")
    return " ".join(words)


def _forms(frame: pd.DataFrame, cells: Sequence[JudgedCell]) -> pd.DataFrame:
    """Published values as they are printed, others with two digits more; whole numbers whole."""
    printed = [_decimals(cell) for cell in cells]
    finer = [f".{digits + 2 if digits else 0}f" for digits in printed]
    forms = pd.DataFrame({name: finer for name in frame}, index=frame.index)
    return forms.assign(published=[f".{digits}f" for digits in printed])


def _decimals(cell: JudgedCell) -> int:
    counts = cell.table == "data" and cell.metric not in FRACTIONS
    return 0 if counts else DECIMALS[cell.table]
