"""The report of a study: one page with every table, figure and claim, that opens from disk.

Usage::

    python -m experiments.analysis.report results/paper

writes ``report.html``, and beside it ``tables/<name>.csv``, ``.md`` and ``.tex`` of each table and
``figures/<name>.svg``, ``.pdf`` and ``.png`` of each figure on it. Files of an earlier report that
no longer belong to one are removed. The same records give the same bytes.

Each topic is a module beside this one whose ``make`` gives a section. One that fails costs its
section, not the page: the section says so, and the command ends with exit code 1.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from time import perf_counter

from rich.console import Console

from experiments.analysis.cd_diagram import FORMATS
from experiments.analysis.page.render import Chapter, render_page, render_section
from experiments.analysis.parts import Paragraph, Picture, Section
from experiments.analysis.results import StudyResults
from experiments.analysis.summary import summarise
from experiments.analysis.table import Table
from experiments.errors import USER_ERROR
from experiments.record import RecordError
from experiments.store import write_file
from experiments.terminal.display import print_wide

TOPICS = (
    "verdict",
    "claims",
    "text_differences",
    "result_tables",
    "ranks",
    "data_tables",
    "leak",
    "distance_figures",
    "power_figures",
    "toy_figure",
    "uncertainty_figures",
    "reference",
    "one_footing",
    "resources",
)
"""Modules of ``experiments.analysis``, in the order of the page."""

PAGE = "report.html"
TABLE_FORMS = ("csv", "md", "tex")
CELLS = "cells.csv"  # made by the study itself, and not on the page
FAILED = 1


@dataclass(frozen=True)
class Outcome:
    """What became of a topic."""

    section: Section
    chapter: Chapter
    failed: bool = False


def build(results: StudyResults, console: Console) -> bool:
    """Write the report and all that it shows; whether every topic succeeded."""
    outcomes = [_run(topic, results, console) for topic in TOPICS]
    sections = [outcome.section for outcome in outcomes]
    whole = not any(outcome.failed for outcome in outcomes)
    if whole:  # else what is there may be the last good state of what failed
        _remove_others(results.folder, sections)
    chapters = [outcome.chapter for outcome in outcomes]
    page = render_page(summarise(results, sections), chapters, results.folder).encode()
    write_file(results.folder / PAGE, page)
    print_wide(console, f"{results.folder / PAGE}  {len(page) / 1e6:.1f} MB")
    return whole


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        return _refuse("usage: python -m experiments.analysis.report results/<study>")
    folder = Path(arguments[0])
    if not folder.is_dir():
        return _refuse(f"error: there is no folder {folder}; give that of a study")
    if not _may_be_study(folder):
        return _refuse(f"error: {folder} has no records, but other files; give a study's folder")
    results = StudyResults(folder)
    try:
        if not results.all_records:
            print(f"no records in {folder / 'records'}: the page has only what is published")
    except RecordError as error:
        return _refuse(f"error: in {folder / 'records'}: {error}")
    return 0 if build(results, Console()) else FAILED


def _run(topic: str, results: StudyResults, console: Console) -> Outcome:
    """Make, write and set the section of a topic, or say why that failed."""
    start = perf_counter()
    try:
        section: Section = import_module(f"experiments.analysis.{topic}").make(results)
        for table in _tables(section):
            table.write(results.folder / "tables")
        outcome = Outcome(section, render_section(topic, section, results.folder))
    except Exception as error:  # whatever it is, the other sections are good
        traceback.print_exc()
        reason = traceback.format_exception_only(error)[-1].strip()
        section = Section(topic.replace("_", " "), [Paragraph(f"This part failed: {reason}")])
        outcome = Outcome(section, render_section(topic, section, results.folder), failed=True)
    mark = "failed" if outcome.failed else f"{perf_counter() - start:.1f} s"
    print_wide(console, f"{topic:20} {mark:>8}")
    return outcome


def _remove_others(folder: Path, sections: Sequence[Section]) -> None:
    """Remove tables and figures that are of no section: those of an earlier report."""
    kept = {folder / "tables" / CELLS, *_files(folder, sections)}
    for path in [*(folder / "tables").glob("*"), *(folder / "figures").glob("*")]:
        if path.is_file() and path not in kept:
            path.unlink()


def _files(folder: Path, sections: Sequence[Section]) -> Iterator[Path]:
    """What the parts of some sections are written as."""
    for part in (part for section in sections for part in section.parts):
        if isinstance(part, Table):
            yield from (folder / "tables" / f"{part.name}.{form}" for form in TABLE_FORMS)
        elif isinstance(part, Picture):
            yield from (folder / "figures" / f"{part.name}.{form}" for form in FORMATS)


def _may_be_study(folder: Path) -> bool:
    """Whether a folder has records, or at least nothing that a study's would not have.

    In any other folder the names ``tables`` and ``figures`` may mean something else.
    """
    ours = {"README.md", "tables", "figures", PAGE}
    return (folder / "records").is_dir() or {path.name for path in folder.iterdir()} <= ours


def _tables(section: Section) -> list[Table]:
    return [part for part in section.parts if isinstance(part, Table)]


def _refuse(reason: str) -> int:
    print(reason, file=sys.stderr)
    return USER_ERROR


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
