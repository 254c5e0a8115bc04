"""The verdict: every published cell once, with a reason where ours differs."""

import dataclasses
from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.analysis.document.tables import write_table
from experiments.analysis.numbers import text_differences
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.verdict import UNEXPLAINED, judged_cells
from experiments.analysis.sections.verdict import variants_table, verdict_section, verdict_table
from experiments.published.printing import rounded_twice
from experiments.record import Record
from tests.made_records import FIXTURE, made_record, made_study, write_rows


def changed(record: Record, **metrics: float) -> Record:
    return dataclasses.replace(record, metrics=record.metrics | metrics)


def of_cell(findings, metric, dataset="emotions", method="ML-MLM"):
    (found,) = [
        each
        for each in findings
        if (each.metric, each.dataset, each.method) == (metric, dataset, method)
    ]
    return found


def test_an_empty_study_misses_all_of_the_paper(tmp_path):
    findings = judged_cells(StudyResults(tmp_path))
    assert Counter(each.table for each in findings) == {
        "results": 280,
        "power_distance": 30,
        "data": 90,
    }
    assert {(each.agrees, each.reason) for each in findings} == {(None, "missing")}
    assert verdict_section(StudyResults(tmp_path)).parts


def test_a_cell_that_agrees_needs_no_reason(tmp_path):
    findings = judged_cells(made_study(tmp_path, [FIXTURE]))
    found = of_cell(findings, "accuracy")
    assert (found.published, found.agrees, found.reason) == (0.609, True, "")
    assert of_cell(findings, "accuracy", "yeast").reason == "missing"


def test_the_variant_that_gives_the_published_value_is_the_reason(tmp_path):
    ours = changed(FIXTURE, accuracy=0.7)
    right = dataclasses.replace(
        changed(FIXTURE, accuracy=0.60899), method="ml_mlm_published", variant="published overflow"
    )
    wrong = dataclasses.replace(
        changed(FIXTURE, accuracy=0.61), method="ml_mlm_log_odds", variant="log-odds ranking"
    )
    results = made_study(tmp_path, [ours, right, wrong])
    found = of_cell(judged_cells(results), "accuracy")
    assert (found.ours, found.agrees) == (0.7, False)
    assert found.reason == "published overflow gives 0.60899"
    (table,) = variants_table([found], results)
    row = table.values.loc["emotions"]
    assert (row["published overflow"], row["log-odds ranking"]) == (0.60899, 0.61)


def test_rounding_twice_is_a_reason_and_nothing_is_none(tmp_path):
    findings = judged_cells(
        made_study(tmp_path, [changed(FIXTURE, accuracy=0.60849, coverage=3.0)])
    )
    assert of_cell(findings, "accuracy").reason == "rounding twice gives 0.609"
    assert of_cell(findings, "coverage").reason == "unexplained"


def test_columns_of_the_file(tmp_path):
    results = made_study(tmp_path, [changed(FIXTURE, accuracy=0.7)])
    write_table(verdict_table(judged_cells(results)), tmp_path / "tables")
    frame = pd.read_csv(tmp_path / "tables" / "verdict.csv")
    columns = ["table", "metric", "method", "dataset", "ours", "published", "agrees", "reason"]
    assert list(frame.columns) == columns
    assert len(frame) == 80 + 30 + 90  # ML-MLM's cells, its powers and distances, the data
    row = frame.query("metric == 'accuracy' and dataset == 'emotions'").iloc[0]
    assert (row["ours"], row["published"], row["agrees"]) == (0.7, 0.609, False)


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_rounding_twice_leaves_what_is_short_enough(number, decimals):
    value = number / 10**decimals
    assert rounded_twice(value, decimals) == pytest.approx(value, abs=10.0 ** -(decimals + 2))


def test_rounding_twice_of_the_known_cells():
    assert rounded_twice(243 / 1212, 3) == 0.201
    assert rounded_twice(1108 / 593, 3) == 1.869
    assert rounded_twice(0.68436, 3) == 0.684


def test_text_differences_count_the_cells_of_both_readings(tmp_path):
    evidence = {
        each.point: each.evidence
        for each in text_differences.differences(made_study(tmp_path, [FIXTURE]))
    }
    assert evidence["Coverage"].startswith("1 of 1 cells agree as the tables have it, 0 as")
    assert evidence["Macro F1"].startswith("1 of 1 cells agree as the tables have it, 0 as")
    assert evidence["Overflow"] == "missing"


def test_text_differences_name_the_variants_that_change_nothing(tmp_path):
    same = dataclasses.replace(FIXTURE, method="a", variant="published overflow")
    other = dataclasses.replace(
        changed(FIXTURE, accuracy=0.7), method="b", variant="minimum-norm least squares"
    )
    results = made_study(tmp_path, [FIXTURE, same, other])
    evidence = {each.point: each.evidence for each in text_differences.differences(results)}
    assert evidence["Overflow"] == "no value changes for ML-MLM on emotions"
    assert "8 of 8 cells agree by default, 7 of 8 under" in evidence["Dependent labels"]


def test_every_point_is_said_of_an_empty_made_study(tmp_path):
    found = text_differences.differences(StudyResults(tmp_path))
    assert len(found) == 9
    assert all(each.evidence for each in found)


def test_a_value_within_what_dependent_labels_leave_open_has_that_for_a_reason(tmp_path):
    ours = made_record("LLS-MLM", "mediamill", method="lls_mlm")
    results = made_study(tmp_path, [changed(ours, coverage=27.636, ranking_loss=0.09)])
    assert of_cell(judged_cells(results), "coverage", "mediamill", "LLS-MLM").reason == UNEXPLAINED
    # Two anchors, of 3 and 1 rows, have two choices each; a third of 6 rows has none.
    dependent = {
        "labels": [17, 28],
        "choices": [2, 2, 1],
        "rows": [3, 1, 6],
        "ranked_rows": [3, 1, 6],
        "sums": {
            "coverage": [[80.0, 84.0], [30.0, 20.0], [165.8, 165.8]],
            "ranking_loss": [[0.3, 0.3], [0.1, 0.1], [0.5, 0.5]],
        },
    }
    write_rows(tmp_path, "mediamill", {}, dependent_labels=dependent)
    cells = judged_cells(results)
    found = of_cell(cells, "coverage", "mediamill", "LLS-MLM")
    assert (found.published, found.agrees) == (27.611, False)
    assert found.reason.startswith("labels 17, 28 (from 0) depend on others")
    assert found.reason.endswith("for 2 anchors: anything from 26.58 to 27.98")
    assert of_cell(cells, "ranking_loss", "mediamill", "LLS-MLM").reason == UNEXPLAINED
    (table,) = variants_table([found], results)
    row = table.values.loc["mediamill"]
    assert row["dependent labels, least"] == pytest.approx(26.58)
    assert row["dependent labels, most"] == pytest.approx(27.98)
