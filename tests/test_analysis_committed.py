"""The committed tables are what the committed records give, to the last digit."""

from __future__ import annotations

import pytest

from experiments.analysis.document.tables import csv, frame_as_csv
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.report import sections_of
from tests.harness import ROOT

COMMITTED = ROOT / "results" / "committed"
STUDIES = sorted(path.parent.name for path in COMMITTED.glob("*/study.json"))


def committed(study: str) -> dict[str, str]:
    folder = COMMITTED / study / "tables"
    return {path.stem: path.read_text() for path in folder.glob("*.csv")}


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
def test_tables(study):
    results = StudyResults(COMMITTED / study)
    made = {"cells": frame_as_csv(results.cells, index=False)}
    for make in sections_of(study, results.split is not None).values():
        made |= {table.name: csv(table) for table in make(results).tables}
    expected = committed(study)
    assert set(made) == set(expected)
    assert [name for name in made if made[name] != expected[name]] == []


def test_the_counts_that_the_readme_quotes():
    counts = committed("paper")["verdict_counts"].splitlines()
    assert counts[:2] == [
        'table,cells,agree,"differ, explained","differ, unexplained",missing',
        "results,280,268,12,0,0",
    ]
    verdicts = committed("paper")["claims_summary"].splitlines()[-1]
    assert verdicts == "in all,99,10,11,24,104,22,15,3,90,20,29,5"
