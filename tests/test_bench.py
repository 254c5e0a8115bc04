"""The benchmark: its yardstick gives the library's results, and its table is built."""

import json
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from experiments.phases import Phase
from mlmlm._distinct import distinct_rows
from mlmlm.scores import label_scores
from scripts.bench import engines, ml_knn, plain
from scripts.bench.__main__ import run
from scripts.bench.against_plain import plain_methods
from scripts.bench.arithmetic import cubic_flops, four_methods_flops
from scripts.bench.fresh_fit import FOREST, LOGISTIC, ML_MLM, fit_of
from scripts.bench.made_data import CELL, TEST_START, make_rows
from scripts.bench.many_rows import ManyRows
from scripts.bench.ours import STEPS, Sizes, apply_methods, fit_regression
from scripts.bench.page import PAGE, page
from scripts.bench.plan import FULL, QUICK, TEN, Plan
from scripts.bench.report import Bar, Report, Row, format_seconds, format_value
from scripts.bench.splits import load_split
from scripts.bench.ten import study_seconds
from scripts.bench.timing import Stopwatch, best_of


@pytest.mark.parametrize("name", ["emotions", "synthetic-80"])
def test_plain_transcription_gives_our_results(name):
    split, watch = load_split(name), Stopwatch()
    ours = apply_methods(fit_regression(split, watch), split, watch)
    theirs = plain_methods(split, Stopwatch())
    assert theirs.power == ours.power
    assert theirs.scores.keys() == ours.scores.keys()
    for method, scores in ours.scores.items():
        np.testing.assert_allclose(theirs.scores[method], scores, atol=1e-6, rtol=0)
    for method, labels in ours.labels.items():
        np.testing.assert_array_equal(theirs.labels[method], labels)


def test_plain_shared_regression_gives_what_one_per_label_gives():
    split = load_split("synthetic-60")
    regression = plain.Regression(split.X_train, split.Y_train)
    inputs = regression.input_distances(split.X_test)
    shared, each = (
        plain.binary_relevance_scores(regression, inputs, one_regression_each=one)
        for one in (False, True)
    )
    np.testing.assert_allclose(shared, each, atol=1e-9)


@pytest.mark.parametrize("name", ["emotions", "synthetic-80"])
def test_both_ml_knn_predict_the_same(name):
    split = load_split(name)
    np.testing.assert_array_equal(ml_knn.theirs(split), ml_knn.ours(split))


@pytest.mark.slow
def test_table_of_a_tiny_plan(tmp_path, capsys):
    name = ("synthetic-120",)
    measurable = ("synthetic-1200",)  # large enough to use memory beyond what the process has
    many_rows = ManyRows(
        1000, 3000, test_rows=100, references=50, tuning_rows=100, compared=(1000,)
    )
    plan = Plan(
        cubic=name,
        large_cubic=measurable,
        plain=name,
        plain_localization=name,
        label_products=name,
        peers=name,
        ml_knn=name,
        stratification=name,
        growth=measurable,
        peak_memory=measurable,
        estimated_memory=measurable,
        threads=measurable,
        small_fits=measurable,
        references=measurable,
        many_rows=many_rows,
        dask_rows=many_rows,
    )
    output = tmp_path / "bench" / "latest.json"
    run(plan, "tiny", output)
    record = json.loads(output.read_text())
    assert record["finished"] is not None
    assert record["machine"]["versions"]["numpy"] == np.__version__
    rows = record["rows"]
    assert len({row["section"] for row in rows}) == 15
    assert all(row["value"] > 0 for row in rows)
    assert {row["what"] for row in rows} >= {"BR-MLM, own part", "linear SVM, one versus rest"}
    shown = capsys.readouterr().out
    assert all(row["what"] in shown for row in rows)
    assert str(tmp_path) not in output.read_text()


def test_made_rows_are_the_same_in_blocks_of_any_size():
    X, Y = make_rows(0, 2 * CELL + 300)
    bounds = (0, 7, CELL - 1, CELL + 500, 2 * CELL + 300)
    blocks = [make_rows(start, stop) for start, stop in pairwise(bounds)]
    np.testing.assert_array_equal(X, np.concatenate([block[0] for block in blocks]))
    np.testing.assert_array_equal(Y, np.concatenate([block[1] for block in blocks]))
    np.testing.assert_array_equal(X[:9].astype(np.float32), make_rows(0, 9, np.float32)[0])


def test_made_rows_are_what_their_module_says():
    X, Y = make_rows(0, 10_000)
    assert X.shape == (10_000, 100) and X.min() == 0 and X.max() == 1
    assert Y.shape == (10_000, 50) and set(np.unique(Y)) == {0, 1}
    assert Y.sum() / len(Y) == pytest.approx(3.00, abs=0.005)
    assert len(distinct_rows(Y).first) == 768
    frequencies = np.sort(Y.mean(axis=0))
    shown = [frequencies[0], np.median(frequencies), frequencies[-1]]
    assert shown == pytest.approx([0.0046, 0.030, 0.41], rel=0.02)


def test_made_training_and_test_rows_are_apart():
    split = load_split("made-300-40")
    assert len(split.X_train) == len(split.Y_train) == 300
    np.testing.assert_array_equal(split.X_test, make_rows(TEST_START, TEST_START + 40)[0])
    assert len(distinct_rows(np.concatenate([split.X_train, split.X_test])).first) == 340


def test_the_methods_for_many_rows_are_cut_at_the_training_cardinality():
    split = load_split("made-600-200")
    for method in (ML_MLM, FOREST, LOGISTIC):
        model = fit_of(method, references=0.2, tuning_rows=None)(split)
        n_labels = (label_scores(model.estimator, split.X_test) > model.threshold).sum()
        assert n_labels / split.Y_test.sum() == pytest.approx(1, abs=0.25), method


def test_what_was_measured_survives_a_crash(tmp_path, capsys):
    output = tmp_path / "latest.json"
    plan = Plan(label_products=("synthetic-60", "no such dataset"))
    with pytest.raises(ValueError, match="no such dataset"):
        run(plan, "tiny", output)
    record = json.loads(output.read_text())
    assert record["finished"] is None
    assert len(record["rows"]) == 1
    assert "Not finished" in capsys.readouterr().out


def test_shared_phases_of_a_study_are_counted_once():
    shared = Phase("gram", 10.0, 100.0, shared=True)
    records = [
        SimpleNamespace(phases=(shared, Phase("fit", seconds, 100.0))) for seconds in (1.0, 2.0)
    ]
    assert study_seconds(records) == 13


@pytest.mark.slow
def test_a_study_on_two_workers_is_measured(monkeypatch):
    monkeypatch.setattr(engines, "METHODS", ("ml_knn", "rf_pct"))
    (row,) = engines.serial_over_two_workers(["emotions"], lambda _: None)
    assert row.value == row.details["serial_seconds"] / row.details["dask_seconds"]
    assert row.value > 0


def test_forms_name_the_datasets_they_should():
    assert QUICK.plain == ("emotions", "yeast", "enron")
    assert "delicious" in FULL.large_cubic
    assert FULL.references == ("tmc2007_fixed",)
    assert FULL.many_rows.many == 1_000_000 and FULL.many_rows.judged
    assert len(TEN) == 10 and "mediamill" in TEN and "genbase" not in TEN


@pytest.mark.parametrize(
    ("bar", "text", "meets", "misses"),
    [
        (Bar(at_least=10), "≥ 10", 10, 9.9),
        (Bar(at_most=2), "≤ 2", 2, 2.1),
        (Bar(0.85, 1.15), "0.85 to 1.15", 1, 1.2),
    ],
)
def test_bars(bar, text, meets, misses):
    assert str(bar) == text
    assert bar.is_met_by(meets)
    assert not bar.is_met_by(misses)


def test_a_missed_bar_shows(tmp_path):
    report = Report(tmp_path / "latest.json", "quick")
    report.add(Row("section", "yeast", "whole run", 3.0, Bar(at_least=20)))
    assert "0 of 1 bars met" in str(report.table().caption)
    [row] = json.loads((tmp_path / "latest.json").read_text())["rows"]
    assert row["met"] is False


def test_arithmetic_counts():
    sizes = Sizes(
        rows=10,
        test_rows=3,
        features=4,
        labels=2,
        references=9,
        label_vectors=3,
        ones=5,
        sparse_products=True,
    )
    assert cubic_flops(9) == pytest.approx(9**3 * 5 / 3)
    expected = 81 * 4 + cubic_flops(9) + 4 * 81 * 6 + 2 * 3 * 9 * 10 + 2 * 81 * 10 * 5
    assert four_methods_flops(sizes) == pytest.approx(expected)


def test_steps_make_up_the_whole_run():
    split, watch = load_split("synthetic-60"), Stopwatch()
    with watch.step("whole run"):
        apply_methods(fit_regression(split, watch), split, watch)
    steps = sum(watch.seconds[step] for step in STEPS)
    assert 0.5 * watch.seconds["whole run"] < steps <= watch.seconds["whole run"]


def test_best_of_takes_the_smallest_time_of_each_step():
    runs = iter([{"a": 2.0, "b": 1.0}] + 20 * [{"a": 1.0, "b": 3.0}])
    assert best_of(lambda: next(runs)) == {"a": 1.0, "b": 1.0}


def test_figures_have_three_digits():
    assert [format_value(value) for value in (0.12345, 12.345, 1234.5)] == [
        "0.123",
        "12.3",
        "1,234",
    ]
    assert [format_seconds(value) for value in (0.00123, 1.234, 123.4)] == [
        "1.23 ms",
        "1.23 s",
        "123 s",
    ]


def test_the_committed_page_is_that_of_the_committed_figures():
    assert PAGE.read_text() == page()
