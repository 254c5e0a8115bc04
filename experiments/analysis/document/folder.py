"""A study's report in its folder: the page, and beside it every table and picture on it.

::

    results/<study>/report.html
                    tables/<name>.csv, .md, .tex
                    figures/<name>.svg, .pdf

The same records give the same bytes. Files of an earlier report that no longer belong to one are
removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from experiments.analysis.document import pictures, tables
from experiments.analysis.document.page import Chapter, render_page, render_section
from experiments.analysis.document.pictures import write_picture
from experiments.analysis.document.tables import frame_as_csv, write_table
from experiments.analysis.sections.parts import Section
from experiments.analysis.sections.summary import Summary
from experiments.store import write_file
from experiments.study_folder import MANIFEST, SET_ASIDE

PAGE, TABLES, PICTURES = "report.html", "tables", "figures"
CELLS = "cells.csv"


def write_tables(section: Section, folder: Path) -> None:
    """Write the tables of a section."""
    for table in section.tables:
        write_table(table, folder / TABLES)


def write_section(anchor: str, section: Section, folder: Path) -> Chapter:
    """Write the tables and pictures of a section, and give it as a chapter of the page."""
    write_tables(section, folder)
    for picture in section.pictures:
        write_picture(picture, folder / PICTURES)
    return render_section(anchor, section, folder)


def write_cells(cells: pd.DataFrame, folder: Path) -> None:
    """Write every value of a study beside the paper's, for machines."""
    write_file(folder / TABLES / CELLS, frame_as_csv(cells, index=False).encode())


def write_page(summary: Summary, chapters: Sequence[Chapter], folder: Path) -> Path:
    """Write the page and give its path."""
    write_file(folder / PAGE, render_page(summary, chapters, folder).encode())
    return folder / PAGE


def remove_others(sections: Sequence[Section], folder: Path) -> None:
    """Remove tables and pictures that are of none of the sections."""
    kept = {folder / TABLES / CELLS, *_files(sections, folder)}
    for path in [*(folder / TABLES).glob("*"), *(folder / PICTURES).glob("*")]:
        if path.is_file() and path not in kept:
            path.unlink()


def may_be_study(folder: Path) -> bool:
    """Whether a folder has records, or at least nothing that a study's would not have.

    In any other folder the names ``tables`` and ``figures`` may mean something else.
    """
    ours = {"README.md", "refits", "reliability", "rows"}
    ours |= {MANIFEST, SET_ASIDE, TABLES, PICTURES, PAGE}
    return (folder / "records").is_dir() or {path.name for path in folder.iterdir()} <= ours


def _files(sections: Sequence[Section], folder: Path) -> Iterator[Path]:
    """What the sections are written as."""
    for section in sections:
        for table in section.tables:
            yield from (folder / TABLES / f"{table.name}.{form}" for form in tables.FORMS)
        for picture in section.pictures:
            yield from (folder / PICTURES / f"{picture.name}.{form}" for form in pictures.FORMS)
