"""The tables that a study refreshes after each dataset: what is cheap to make.

Those on ranks and tests, and the figures, are the report's.
"""

from __future__ import annotations

from pathlib import Path

from experiments.analysis import data_tables, resources, result_tables
from experiments.analysis.parts import Section
from experiments.analysis.results import StudyResults
from experiments.analysis.table import Table
from experiments.store import write_file

TOPICS = (data_tables, result_tables, resources)


def refresh(results: StudyResults) -> None:
    """Write the tables on data, results and resources, and every figure in ``cells.csv``."""
    folder = results.folder / "tables"
    for topic in TOPICS:
        write_tables(topic.make(results), folder)
    cells = results.cells.to_csv(index=False, float_format="%.9g", lineterminator="\n")
    write_file(folder / "cells.csv", cells.encode())


def write_tables(section: Section, folder: Path) -> None:
    """Write every table of a section in all its forms; each file is whole at any time."""
    for part in section.parts:
        if isinstance(part, Table):
            part.write(folder)
