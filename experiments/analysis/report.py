"""The report of a study: one page with every table, picture and claim, that opens from disk.

Usage::

    python -m experiments.analysis.report results/paper

A section that fails costs itself, not the page: it says so there, and the command ends with exit
code 1.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter

from rich.console import Console

from experiments.analysis.document import folder as document
from experiments.analysis.document.page import Chapter, render_section
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.claims import claims_section
from experiments.analysis.sections.costs import costs_section
from experiments.analysis.sections.data import data_section, paper_data_section
from experiments.analysis.sections.distances import distances_section
from experiments.analysis.sections.large import large_section
from experiments.analysis.sections.leak import leak_section
from experiments.analysis.sections.on_each_dataset import on_each_dataset_section
from experiments.analysis.sections.one_footing import one_footing_section, one_footing_summary
from experiments.analysis.sections.outcome import conclusion
from experiments.analysis.sections.pairs import pairs_section
from experiments.analysis.sections.paper_ranks import paper_ranks_section
from experiments.analysis.sections.parts import Paragraph, Section
from experiments.analysis.sections.powers import powers_section
from experiments.analysis.sections.ranks import ranks_section
from experiments.analysis.sections.reference import reference_section, reference_summary
from experiments.analysis.sections.references import references_section
from experiments.analysis.sections.reliability import reliability_section
from experiments.analysis.sections.resources import resources_section
from experiments.analysis.sections.results import results_section
from experiments.analysis.sections.stages import stages_section
from experiments.analysis.sections.summary import summarise
from experiments.analysis.sections.text_differences import text_differences_section
from experiments.analysis.sections.toy import toy_section
from experiments.analysis.sections.tuning import tuning_section
from experiments.analysis.sections.uncertainty import uncertainty_section
from experiments.analysis.sections.values import values_section
from experiments.analysis.sections.verdict import verdict_section
from experiments.errors import USER_ERROR
from experiments.record import RecordError
from experiments.terminal.display import print_wide

Sections = Mapping[str, Callable[[StudyResults], Section]]
"""By anchor on the page, in its order."""

COMPARED: Sections = {
    "ranks": ranks_section,
    "pairs": pairs_section,
    "costs": costs_section,
}
GENERAL: Sections = {
    "values": values_section,
    **COMPARED,
    "data": data_section,
    "resources": resources_section,
}
"""What every study has."""

SPLIT: Sections = {
    "values": values_section,
    "ranks": ranks_section,
    "pairs": pairs_section,
    "on_each_dataset": on_each_dataset_section,
    "costs": costs_section,
    "data": data_section,
    "resources": resources_section,
}
"""What a study has that splits its datasets anew."""

PAPER: Sections = {
    "verdict": verdict_section,
    "claims": claims_section,
    "text_differences": text_differences_section,
    "results": results_section,
    "paper_ranks": paper_ranks_section,
    "data": paper_data_section,
    "leak": leak_section,
    "distances": distances_section,
    "powers": powers_section,
    "toy": toy_section,
    "uncertainty": uncertainty_section,
    "reliability": reliability_section,
    "reference": reference_summary,
    "one_footing": one_footing_summary,
    **COMPARED,
    "resources": resources_section,
}
OF_STUDY = {
    "paper": PAPER,
    "reference": {"reference": reference_section, **GENERAL},
    "one_footing": {"one_footing": one_footing_section, "stages": stages_section, **GENERAL},
    "references": {
        "references": references_section,
        "data": data_section,
        "resources": resources_section,
    },
    "large": {
        "large": large_section,
        "values": values_section,
        "data": data_section,
        "resources": resources_section,
    },
    "tuned": {"tuning": tuning_section, "stages": stages_section, **GENERAL},
}
FAILED = 1


def sections_of(study: str, is_split: bool = False) -> Sections:
    """The sections of a study's report; some studies have their own.

    A study that splits its datasets anew has none of those, which are about published values.
    """
    return SPLIT if is_split else OF_STUDY.get(study, GENERAL)


def build_report(results: StudyResults, console: Console) -> bool:
    """Write the report of a study and say what came out; whether every section succeeded."""
    whole = build(results, sections_of(results.name, results.split is not None), console)
    for sentence in conclusion(results):
        print_wide(console, sentence)
    return whole


def build(results: StudyResults, sections: Sections, console: Console) -> bool:
    """Write the report and all that it shows; whether every section succeeded.

    A section that has nothing to show is not on the page.
    """
    every = {anchor: _make(anchor, make, results, console) for anchor, make in sections.items()}
    made = {anchor: each for anchor, each in every.items() if each[0].parts}
    document.write_cells(results.cells, results.folder)
    whole = all(succeeded for _, _, succeeded in made.values())
    shown = [section for section, _, _ in made.values()]
    if whole:  # else what is there may be the last good state of what failed
        document.remove_others(shown, results.folder)
    chapters = [chapter for _, chapter, _ in made.values()]
    page = document.write_page(summarise(results, shown), chapters, results.folder)
    print_wide(console, f"{page}  {page.stat().st_size / 1e6:.1f} MB")
    return whole


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        return _refuse("usage: python -m experiments.analysis.report results/<study>")
    folder = Path(arguments[0])
    if not folder.is_dir():
        return _refuse(f"error: there is no folder {folder}; give that of a study")
    if not document.may_be_study(folder):
        return _refuse(f"error: {folder} has no records, but other files; give a study's folder")
    results = StudyResults(folder)
    try:
        if not results.all_records:
            print(f"no records in {folder / 'records'}: the page has only what is published")
    except RecordError as error:
        return _refuse(f"error: in {folder / 'records'}: {error}")
    return 0 if build_report(results, Console()) else FAILED


def _make(
    anchor: str,
    make: Callable[[StudyResults], Section],
    results: StudyResults,
    console: Console,
) -> tuple[Section, Chapter, bool]:
    """Make and write a section, or one that says why that failed."""
    start, succeeded = perf_counter(), True
    try:
        section = make(results)
        chapter = document.write_section(anchor, section, results.folder)
    except Exception as error:  # whatever it is, the other sections are good
        traceback.print_exc()
        reason = traceback.format_exception_only(error)[-1].strip()
        section = Section(anchor.replace("_", " "), [Paragraph(f"This part failed: {reason}")])
        chapter, succeeded = render_section(anchor, section, results.folder), False
    mark = f"{perf_counter() - start:.1f} s" if succeeded else "failed"
    print_wide(console, f"{anchor:20} {mark:>8}")
    return section, chapter, succeeded


def _refuse(reason: str) -> int:
    print(reason, file=sys.stderr)
    return USER_ERROR


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
