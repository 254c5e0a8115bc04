"""Runs that predict nothing, or everything, are found from their figures and told in the report."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.analysis.numbers.degenerate import (
    EVERYTHING,
    NOTHING,
    NOTHING_RIGHT,
    degenerate_runs,
)
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.outcome import notices
from mlmlm.metrics import METRICS, evaluate
from tests.harness import ROOT
from tests.made_records import FIXTURE, made_study

COMMITTED = ROOT / "results" / "committed"


def record_of(truth, predicted, method="ml_mlm", **changes):
    """The record of a method that predicts this."""
    rows, labels = truth.shape
    return dataclasses.replace(
        FIXTURE,
        method=method,
        metrics=evaluate(truth, predicted, metrics=METRICS.values()),
        data=FIXTURE.data | {"n_test": rows, "n_labels": labels},
        **changes,
    )


matrices = st.integers(1, 6).flatmap(
    lambda rows: st.tuples(
        *[
            st.lists(
                st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=rows, max_size=rows
            ).map(np.array)
        ]
        * 2
    )
)


@given(matrices)
def test_a_problem_is_told_where_there_is_one_and_nowhere_else(made):
    """Beside another run that is right somewhere and wrong somewhere."""
    truth, predicted = made
    truth[0] = [1, 1, 0]
    other = np.array([[1, 0, 0]] * len(truth))
    records = [record_of(truth, predicted), record_of(truth, other, "other")]
    found = {each.record.method: each.problem for each in degenerate_runs(records)}
    expected = NOTHING if not predicted.any() else EVERYTHING if predicted.all() else None
    assert found.get("ml_mlm") == expected
    assert "other" not in found


def test_alone_a_run_without_anything_right_is_told_too():
    truth = np.array([[1, 0], [1, 0]])
    (found,) = degenerate_runs([record_of(truth, 1 - truth)])
    assert found.problem == NOTHING_RIGHT


def test_the_notices_name_every_such_run_with_its_seed(tmp_path):
    truth = np.array([[1, 0, 1], [1, 0, 0]])
    right = record_of(truth, np.array([[1, 1, 0], [1, 0, 0]]))
    empty = [record_of(truth, 0 * truth, "cc", seed=seed) for seed in range(30)]
    told = list(notices(made_study(tmp_path, [right, *empty])))
    assert len([line for line in told if line.endswith(f"{NOTHING}.")]) == 30
    assert any("with seed 7 on Emotions" in line for line in told)


def test_a_problem_that_the_record_warns_of_is_told_once(tmp_path):
    truth = np.array([[1, 0, 1], [1, 0, 0]])
    right = record_of(truth, np.array([[1, 1, 0], [1, 0, 0]]))
    empty = record_of(truth, 0 * truth, "cc", warnings=(NOTHING,))
    told = list(notices(made_study(tmp_path, [right, empty])))
    assert len([line for line in told if NOTHING in line]) == 1


def studies():
    return sorted(path.parent.name for path in COMMITTED.glob("*/study.json"))


@pytest.mark.parametrize("study", studies())
def test_no_committed_record_predicts_nothing_or_everything_in_silence(study):
    results = StudyResults(COMMITTED / study)
    page = (COMMITTED / study / "report.html").read_text()
    titles = results.dataset_titles
    for record, problem in degenerate_runs(results.all_records):
        seed = "" if record.seed is None else f" with seed {record.seed}"
        assert f"{seed} on {titles[record.dataset]}: {problem}." in page, record


@pytest.mark.parametrize("study", studies())
def test_what_is_found_is_what_the_figures_show(study):
    """By another way: without any label right, F1 is 0 for every label and so in the mean."""
    records = StudyResults(COMMITTED / study).all_records
    found = {id(each.record) for each in degenerate_runs(records)}
    for record in records:
        nothing_right = record.metrics["micro_f1"] == record.metrics["macro_f1"] == 0
        everything = record.metrics["micro_recall"] == record.metrics["macro_recall"] == 1
        assert id(record) not in found or nothing_right or everything
        if nothing_right:  # a run that is wrong in many places and right nowhere would be news
            assert id(record) in found
