"""Figures of distances, powers, the toy and the uncertainty: their numbers, and how they look."""

import dataclasses
import itertools
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Text
from scipy.spatial.distance import cdist
from sklearn.preprocessing import MinMaxScaler

from experiments.analysis.document.pictures import drawn
from experiments.analysis.numbers.calibration import calibration, calibration_summary
from experiments.analysis.numbers.ml_mlm_runs import clean_runs, ml_mlm_runs
from experiments.analysis.numbers.powers import chosen_powers
from experiments.analysis.numbers.refits import relative_weights, toy_prediction, yeast_powers
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.risk_coverage import (
    N_SAMPLES,
    risk_coverage,
    sampled_areas,
    sampled_means,
    samples_of,
)
from experiments.analysis.numbers.row_facts import row_facts
from experiments.analysis.numbers.uncertainty import (
    FOREST_ALONE,
    FREE,
    SMALLEST_DISTANCE,
    advantages,
    are_in_order,
)
from experiments.analysis.sections import distances as distances_module
from experiments.analysis.sections import powers, toy
from experiments.analysis.sections.distances import distances_section
from experiments.analysis.sections.parts import Paragraph, Picture
from experiments.analysis.sections.powers import powers_section
from experiments.analysis.sections.toy import toy_section
from experiments.analysis.sections.uncertainty import uncertainty_section
from experiments.refits.fitting import fit
from experiments.refits.toy import toy as fit_toy
from experiments.refits.yeast import sample_distances
from experiments.refits.yeast import yeast_powers as fit_yeast_powers
from mlmlm import metrics
from mlmlm._ml_mlm import PAPER_GRID
from mlmlm.datasets import DatasetError, load_dataset
from mlmlm.uncertainty import CATEGORIES, uncertainty_categories
from tests import oracles
from tests.made_records import DATASETS, FINGERPRINTS, FIXTURE, add_run, write_rows
from tests.readable import check_texts

ROOT = Path(__file__).resolve().parents[1]
FROM_RECORDS = (distances_section, powers_section, uncertainty_section)


def made_arrays(seed):
    """Arrays of a run in which certain rows are better; some rows have no relevant label."""
    rng = np.random.default_rng(seed)
    distances = rng.normal(1.2, 0.4, size=80)
    losses = np.clip(0.1 * distances + rng.normal(0, 0.05, size=80), 0, 1)
    losses[::9] = np.nan
    return {
        "smallest_distances": distances,
        "accuracy_per_row": np.clip(1 - 0.4 * distances + rng.normal(0, 0.1, 80), 0, 1),
        "ranking_loss_per_row": losses,
        "power_grid": PAPER_GRID,
        "loo_ranking_loss": 0.1 + 0.01 * (np.log2(PAPER_GRID) - 3) ** 2,
    }


def made_categories(arrays):
    """What `Record.uncertainty` holds, of the two metrics that are drawn."""
    categories = uncertainty_categories(arrays["smallest_distances"])
    found = {}
    for name in CATEGORIES:
        rows = categories == name
        found[name] = {"rows": int(rows.sum())}
        if rows.any():
            found[name] |= {
                "accuracy": float(arrays["accuracy_per_row"][rows].mean()),
                "ranking_loss": float(np.nanmean(arrays["ranking_loss_per_row"][rows])),
            }
    return found


def write_run(folder, dataset, arrays=None, **changes):
    data = FIXTURE.data | {"fingerprint": FINGERPRINTS[dataset]}
    record = dataclasses.replace(FIXTURE, dataset=dataset, data=data, **changes)
    add_run(folder, record, arrays or {})


def whole_study(folder, datasets=DATASETS):
    for seed, name in enumerate(datasets):
        arrays = made_arrays(seed)
        write_run(folder, name, arrays, uncertainty=made_categories(arrays))
    return StudyResults(folder)


@pytest.fixture(scope="module")
def yeast():
    try:
        return load_dataset("yeast")
    except DatasetError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def yeast_fit(yeast, tmp_path_factory):
    """A study with what the refit of Yeast keeps."""
    folder = tmp_path_factory.mktemp("fitted")
    write_refit(folder, "yeast_powers", fit_yeast_powers(fit(yeast)))
    return StudyResults(folder)


@pytest.fixture(scope="module")
def toy_study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("toy")
    write_refit(folder, "toy", fit_toy())
    return StudyResults(folder)


def write_refit(folder, name, content):
    (folder / "refits").mkdir(exist_ok=True)
    (folder / "refits" / f"{name}.json").write_text(json.dumps(content))


def figures(section):
    return {picture.name: picture.figure for picture in section.pictures}


def words(section):
    return " ".join(part.text for part in section.parts if isinstance(part, Paragraph))


# Risk and coverage


def brute_force_curve(uncertainty, risk):
    """Mean risk of the k rows that are kept, for every k; of tied rows in the order of the rows."""
    rows = [row for row in range(len(risk)) if not math.isnan(risk[row])]
    rows = sorted(rows, key=lambda row: (uncertainty[row], row))
    return [math.fsum(risk[row] for row in rows[:k]) / k for k in range(1, len(rows) + 1)]


LEVELS = st.sampled_from([-1.0, 0.0, 0.5, 2.0])  # few of them, so that there are ties


@given(st.data())
def test_risk_coverage_is_that_of_brute_force_over_all_orders_of_tied_rows(data):
    risk = data.draw(st.lists(st.floats(0, 1) | st.just(math.nan), max_size=4))
    risk.append(data.draw(st.floats(0, 1)))
    uncertainty = data.draw(st.lists(LEVELS, min_size=len(risk), max_size=len(risk)))
    found = risk_coverage(np.array(uncertainty), np.array(risk))
    orders = [
        brute_force_curve([uncertainty[row] for row in order], [risk[row] for row in order])
        for order in itertools.permutations(range(len(risk)))
    ]
    expected = np.mean(orders, axis=0)
    assert found.curve == pytest.approx(expected)
    assert found.coverage == pytest.approx(np.arange(1, len(expected) + 1) / len(expected))
    assert found.area == pytest.approx(np.mean(expected))
    assert found.random == pytest.approx(np.nanmean(risk))


@given(st.data())
def test_the_area_of_a_sample_is_that_of_its_rows(data):
    risk = np.array(data.draw(st.lists(st.floats(0, 1), min_size=1, max_size=12)))
    n = len(risk)
    uncertainty = np.array(data.draw(st.lists(LEVELS, min_size=n, max_size=n)))
    rows = np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n)))
    counts = np.bincount(rows, minlength=n)[None, :]
    (found,) = sampled_areas(uncertainty, risk, counts)
    assert found == pytest.approx(risk_coverage(uncertainty[rows], risk[rows]).area)
    assert sampled_means(risk, counts)[0] == pytest.approx(risk[rows].mean())


def test_samples_are_as_large_as_the_data_and_always_the_same():
    samples = samples_of(30)
    assert samples.shape == (N_SAMPLES, 30) and (samples.sum(axis=1) == 30).all()
    samples_of.cache_clear()
    assert (samples_of(30) == samples).all()
    assert samples.mean(axis=0) == pytest.approx(np.ones(30), abs=0.15)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_random_rejection_is_the_mean_of_all_orders_and_the_ideal_the_least_of_them(risk):
    areas = [
        np.mean(brute_force_curve(order, risk))
        for order in itertools.permutations(range(len(risk)))
    ]
    found = risk_coverage(np.zeros(len(risk)), np.array(risk))
    assert found.random == pytest.approx(np.mean(areas))
    assert found.ideal_area == pytest.approx(min(areas))
    assert (found.ideal <= found.curve + 1e-12).all()


def test_a_curve_that_one_can_compute_in_the_head():
    found = risk_coverage(np.array([3, 1, 2, 4]), np.array([0.5, 0, 0.4, 1]))
    assert found.curve == pytest.approx([0, 0.2, 0.3, 0.475])
    assert found.ideal == pytest.approx(found.curve)
    assert found.area == pytest.approx(0.24375)
    assert found.ratio == pytest.approx(0.24375 / 0.475)


def test_no_risk_at_all_has_no_ratio():
    found = risk_coverage(np.arange(3), np.zeros(3))
    assert found.area == found.random == 0
    assert math.isnan(found.ratio)


@pytest.mark.parametrize(
    ("values", "lower_is_better", "expected"),
    [
        ([0.9, 0.8, 0.1], False, True),
        ([0.9, 0.8, 0.8], False, False),
        ([0.9, math.nan, 0.8], False, True),
        ([0.1, 0.2, math.nan], True, True),
        ([0.1, 0.3, 0.2], True, False),
    ],
)
def test_order_of_categories(values, lower_is_better, expected):
    assert are_in_order(pd.Series(values), lower_is_better) is expected


def test_tables_and_sentences_of_the_uncertainty_are_those_of_the_runs(tmp_path):
    results = whole_study(tmp_path, DATASETS[:3])
    # On Enron the most certain rows are the worst.
    wrong = made_arrays(2)
    wrong["accuracy_per_row"] = 1 - wrong["accuracy_per_row"]
    write_run(tmp_path, "enron", wrong, uncertainty=made_categories(wrong))
    section = uncertainty_section(results)
    by_category, areas = section.tables
    assert len(by_category.values) == 3 * len(CATEGORIES)
    row = by_category.values.loc["Emotions"].set_index("Category").loc["low"]
    distances, accuracies = (
        made_arrays(1)[key] for key in ("smallest_distances", "accuracy_per_row")
    )
    assert row["Rows"] == (distances < 1).sum()
    assert row["Accuracy"] == pytest.approx(accuracies[distances < 1].mean())
    by_risk = areas.values.set_index("risk", append=True).xs("1 - accuracy", level="risk")
    curve = brute_force_curve(distances, 1 - accuracies)
    assert by_risk.loc["Emotions", "area"] == pytest.approx(np.mean(curve))
    assert by_risk.loc["Emotions", "random"] == pytest.approx(curve[-1])
    assert by_risk.loc["Enron", "ratio"] > 1
    assert (by_risk["low"] < by_risk["area"]).all() and (by_risk["area"] < by_risk["high"]).all()
    text = words(section)
    assert "in more than one category: 3." in text
    assert "accuracy falls on 2 of them, and ranking loss rises on 3." in text
    assert "than that of random rejection on 2 of 3 datasets" in text
    assert f"the median of their ratios is {by_risk['ratio'].median():.2f}" in text
    assert "Nothing to compare the smallest distance with yet" in text
    assert set(figures(section)) == {
        "uncertainty_categories",
        "risk_coverage_accuracy",
        "risk_coverage_ranking_loss",
    }


def made_rows(seed, noise):
    """Uncertainties that are the smallest distance and noise; the forest's errors are ML-MLM's."""
    rng, run = np.random.default_rng(seed + 50), made_arrays(seed)
    noisy = run["smallest_distances"] + rng.normal(0, noise, 80)
    rows = {name: noisy for name in FREE.values()} | {"score_margin": -noisy}
    return rows | {
        "forest_accuracy": run["accuracy_per_row"],
        "forest_ranking_loss": run["ranking_loss_per_row"],
        "wrong_labels": rng.integers(0, 4, 80),
        "nearest_wrong": rng.integers(0, 4, 80),
        "has_twin": np.arange(80) < 5,
    }


CLEAN = [name for name in DATASETS if name != "tmc2007"]


def study_with_rows(folder, noise):
    results = whole_study(folder, CLEAN)
    for seed, name in enumerate(CLEAN):
        write_rows(folder, name, made_rows(seed, noise))
    return results


def test_an_order_that_is_only_noise_is_worse_than_the_smallest_distance(tmp_path):
    section = uncertainty_section(study_with_rows(tmp_path, noise=9.0))
    tables = {table.name: table.values for table in section.tables}
    counts = tables["uncertainty_orders"]
    assert (counts["advantage"] == "yes").all() and (counts["surely worse"] == 0).all()
    assert "no advantage" not in words(section)
    areas = tables["risk_coverage"]
    assert len(areas) == 2 * len(CLEAN) * (2 + len(FREE))
    assert {*FREE, FOREST_ALONE, SMALLEST_DISTANCE} == set(areas["order"])


def test_over_an_order_that_is_the_same_no_advantage_is_claimed(tmp_path):
    section = uncertainty_section(study_with_rows(tmp_path, noise=0.0))
    (counts,) = (table.values for table in section.tables if table.name == "uncertainty_orders")
    assert (counts["advantage"] == "no").all()
    assert (counts[["better", "worse", "surely better", "surely worse"]] == 0).all(axis=None)
    plainly = "**For ranking loss the smallest distance has no advantage over: Σ p(1 − p)"
    assert plainly in words(section)
    assert set(figures(section)) >= {"calibration", "uncertainty_orders_loss"}
    for figure in figures(section).values():
        check_texts(figure)


def test_advantages_are_tested_over_datasets_with_a_correction():
    """Nine datasets, all alike: p is 2 / 2^9 for each of two orders, and twice that by Holm."""
    rows = [
        {"risk": "r", "order": order, "ratio": 0.5 + 0.01 * (number + 1) * worse}
        | {"difference": 0.01 * (number + 1) * worse, "dataset": number}
        | {"difference low": -0.1, "difference high": 0.1}
        for number in range(9)
        for order, worse in ((SMALLEST_DISTANCE, 0), ("a", 1), ("b", -1))
    ]
    found = advantages(pd.DataFrame(rows).set_index("dataset")).set_index("order")
    assert found["p"].tolist() == pytest.approx([4 / 512, 4 / 512])
    assert found["advantage"].tolist() == [True, False]
    assert found["surely better"].tolist() == [0, 0]


def test_rows_of_other_data_are_not_used(tmp_path):
    results = whole_study(tmp_path, ["emotions"])
    write_rows(tmp_path, "emotions", made_rows(0, 1.0), fingerprint="of other data")
    assert "Nothing to compare" in words(uncertainty_section(results))


def test_calibration_is_that_of_the_rows(tmp_path):
    results, rows = whole_study(tmp_path, ["emotions"]), made_rows(0, 1.0)
    write_rows(tmp_path, "emotions", rows)
    squares = made_arrays(0)["smallest_distances"] ** 2
    runs = clean_runs(results)
    facts = {name: row_facts(results, run.record) for name, run in runs.items()}
    bins = calibration(runs, facts).query("of == 'ML-MLM'")
    assert bins["rows"].tolist() == [8] * 10
    lowest = np.argsort(squares)[:8]
    assert bins.iloc[0]["predicted"] == pytest.approx(squares[lowest].mean())
    assert bins.iloc[0]["wrong"] == pytest.approx(rows["wrong_labels"][lowest].mean())
    summary = calibration_summary(runs, facts).loc["Emotions"]
    assert summary["predicted"] == pytest.approx(squares.mean())
    first, second = (pd.Series(each).rank() for each in (squares, rows["nearest_wrong"]))
    assert summary["rank correlation, nearest label vector"] == pytest.approx(first.corr(second))


def test_the_corrected_data_stand_in_the_place_of_the_leaked(tmp_path):
    whole_study(tmp_path / "leak_free", ["tmc2007_fixed"])
    runs = clean_runs(whole_study(tmp_path / "paper", ["yeast", "tmc2007"]))
    assert list(runs) == ["Yeast", "Tmc2007 corrected"]
    assert runs["Tmc2007 corrected"].record.dataset == "tmc2007_fixed"
    assert set(runs["Tmc2007 corrected"].arrays) == set(made_arrays(0))


# Powers


def test_weights_add_up_and_follow_equation_4():
    distances = np.array([1.4, 1.9, 2.5, 3.0])
    for power in (1.0, 2.0, 32.0):
        by_hand = distances**-power / (distances**-power).sum()
        assert relative_weights(distances, power) == pytest.approx(by_hand)


def test_sampled_distances_are_of_the_row_near_the_root_of_two():
    predicted = np.tile(np.linspace(0.1, 3, 30), (3, 1))
    predicted[1] = np.linspace(2.85, 1.4, 30)
    predicted[2] += 2
    sample = sample_distances(predicted)
    assert len(sample) == len(set(sample)) == 8
    assert (np.diff(sample) > 0).all()
    assert sample[0] == 1.4
    assert sample[-1] == 2.85
    assert set(sample) <= set(predicted[1])
    assert np.abs(sample - np.linspace(1.4, 2.85, 8)).max() <= 0.025 + 1e-12


def test_powers_by_both_rankings_are_shown_where_both_were_run(tmp_path):
    assert chosen_powers(whole_study(tmp_path)) is None
    chosen = FIXTURE.chosen | {"power": 2**5.1}
    variant = {"method": "ml_mlm_log_odds", "variant": "log-odds ranking", "chosen": chosen}
    write_run(tmp_path, "emotions", **variant)
    write_run(tmp_path, "medical", **(variant | {"variant": "something else"}))
    table = chosen_powers(StudyResults(tmp_path))
    assert list(table.index) == ["Emotions"]
    assert list(table.loc["Emotions"].round(9)) == [2.9, 5.1, 2.9]


def test_yeast_curve_is_that_of_the_study_and_near_the_papers_minimum(yeast_fit):
    curve = yeast_powers(yeast_fit).with_ridge
    assert set(curve.index) == {*PAPER_GRID, *range(1, 33)}
    assert curve.index.is_monotonic_increasing
    # The published P, ranking loss and value of the record.
    record = json.loads((ROOT / "results/committed/paper/records/yeast/ml_mlm.json").read_bytes())
    assert curve[record["chosen"]["power"]] == pytest.approx(record["metrics"]["ranking_loss"])
    assert round(curve[2**3.2], 3) == 0.166
    assert 13 / 1.3 < curve.idxmin() < 13 * 1.3
    assert curve[13] - curve.min() < 0.0005


def test_without_the_ridge_yeast_is_best_at_the_papers_power(yeast, yeast_fit):
    curve = yeast_powers(yeast_fit).without_ridge
    assert round(curve.idxmin()) == 13
    whole = curve[[power for power in curve.index if power.is_integer() and power <= 32]]
    assert whole.idxmin() == 13
    # Algorithm 1 and Eq. 4 as they are written.
    scaler = MinMaxScaler().fit(yeast.X_train)
    train, test = scaler.transform(yeast.X_train), scaler.transform(yeast.X_test)
    D_x, D_y = cdist(train, train), cdist(yeast.Y_train, yeast.Y_train)
    delta = np.abs(cdist(test, train) @ np.linalg.solve(D_x.T @ D_x, D_x.T @ D_y))
    weights = delta**-13.0
    scores = weights @ yeast.Y_train / weights.sum(axis=1, keepdims=True)
    assert curve[13] == pytest.approx(metrics.ranking_loss(yeast.Y_test, scores), abs=1e-5)


@pytest.mark.filterwarnings("error")
def test_pictures_of_yeast(yeast_fit):
    section = powers_section(yeast_fit)
    found = figures(section)
    assert set(found) == {powers.WEIGHTS, powers.YEAST}
    lines = found[powers.WEIGHTS].axes[0].get_legend_handles_labels()[1]
    assert lines == ["P = 1", "P = 2", "P = 4", "P = 8", "P = 16", "P = 32"]
    labels = found[powers.YEAST].axes[0].get_legend_handles_labels()[1]
    assert labels[1:] == ["without it: smallest at P = 13", "chosen by leave-one-out: P = 9.19"]
    assert "No run of ML-MLM has a leave-one-out curve yet" in words(section)
    for fig in found.values():
        check_texts(fig)


def test_what_is_kept_of_yeast_is_what_a_fit_gives(yeast_fit):
    # Where scores saturate a loss may hang on the last bit, as the order of a sum does.
    kept = yeast_powers(StudyResults(ROOT / "results/committed/paper"))
    fitted = yeast_powers(yeast_fit)
    assert kept.chosen == fitted.chosen
    np.testing.assert_allclose(kept.with_ridge, fitted.with_ridge, atol=2e-4)
    np.testing.assert_allclose(kept.without_ridge, fitted.without_ridge, atol=2e-4)
    np.testing.assert_allclose(kept.distances, fitted.distances, atol=1e-6)


# The toy


def test_toy_is_algorithm_2_by_hand(toy_study):
    """Every step from the formulas of the paper, on four rows."""
    found = toy_prediction(toy_study)
    X, Y = found.points, found.label_sets
    regression = oracles.Regression(X, Y)
    d = np.array([math.dist(found.test_point, point) for point in X])
    delta = d @ regression.B
    scores = sum(abs(delta_i) ** -2 * y for delta_i, y in zip(delta, Y, strict=True))
    scores = scores / sum(abs(delta_i) ** -2 for delta_i in delta)
    left_out = oracles.idw_scores(regression.leave_one_out(), Y, 2)
    t = oracles.cardinality_threshold(left_out, Y.sum())
    assert found.input_distances == pytest.approx(d)
    assert found.label_distances == pytest.approx(delta)
    assert found.weights == pytest.approx(delta**-2 / (delta**-2).sum())
    assert found.weights @ Y == pytest.approx(found.scores)
    assert found.scores == pytest.approx(scores)
    assert found.threshold == pytest.approx(t)
    assert list(found.labels) == list((scores > t).astype(int))


def test_toy_predicts_what_is_drawn_and_no_training_row_has(toy_study):
    found = toy_prediction(toy_study)
    assert list(found.labels) == list(found.test_labels)
    assert list(found.labels) not in found.label_sets.tolist()


def test_toy_picture_shows_its_numbers(toy_study):
    section = toy_section(toy_study)
    assert "{sun, tree}" in words(section)
    found, fig = toy_prediction(toy_study), figures(section)[toy.NAME]
    for ax, values in zip(
        fig.axes[1:], (found.label_distances, found.weights, found.scores), strict=True
    ):
        assert [bar.get_width() for bar in ax.patches] == pytest.approx(values)
    written = " ".join(text.get_text() for text in fig.findobj(Text))
    for value in (*found.input_distances, *found.label_distances, *found.weights, *found.scores):
        assert f"{value:.2f}" in written


# Whole and partial studies


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("datasets", [DATASETS, ["yeast"]], ids=len)
def test_pictures_are_readable_whatever_is_there(tmp_path, datasets):
    results = whole_study(tmp_path, datasets)
    missing = [name.capitalize() for name in DATASETS if name not in datasets]
    for make in FROM_RECORDS:
        section = make(results)
        assert section.pictures
        for fig in figures(section).values():
            check_texts(fig)
        captions = " ".join(picture.caption for picture in section.pictures)
        assert ("Missing: " + ", ".join(missing) in captions) == bool(missing)


@pytest.mark.filterwarnings("error")
def test_the_toy_is_readable(toy_study):
    for fig in figures(toy_section(toy_study)).values():
        check_texts(fig)


@pytest.mark.filterwarnings("error")
def test_an_empty_study_has_sentences_in_place_of_pictures(tmp_path):
    for make in (*FROM_RECORDS, toy_section):
        section = make(StudyResults(tmp_path))
        assert not section.pictures + section.tables
        assert "yet" in words(section)
    assert "`python -m experiments.refits results/paper`" in words(
        toy_section(StudyResults(tmp_path))
    )


def test_a_record_of_an_older_schema_shows_what_it_has(tmp_path):
    arrays = made_arrays(0)
    for name in ("accuracy_per_row", "ranking_loss_per_row"):
        arrays.pop(name)
    write_run(tmp_path, "emotions", arrays)
    results = StudyResults(tmp_path)
    found = {name for make in FROM_RECORDS for name in figures(make(results))}
    assert found == {distances_module.NAME, powers.CURVES}
    assert "no run" in words(uncertainty_section(results)).lower()


def test_boxes_are_of_the_distances_in_the_papers_order(tmp_path):
    runs = ml_mlm_runs(whole_study(tmp_path, ["yeast", "medical", "tmc2007_fixed"]))
    assert list(runs) == ["Medical", "Yeast", "tmc2007_fixed"]
    distances = {name: run.arrays["smallest_distances"] for name, run in runs.items()}
    _, ax = distances_module.draw_distances(distances)
    medians = [line.get_xdata()[0] for line in ax.lines if line.get_linewidth() == 1.8]
    assert medians == pytest.approx([np.median(values) for values in distances.values()])
    limits = [line.get_xdata()[0] for line in ax.lines if line.get_linestyle() == "--"]
    assert limits == pytest.approx([1, math.sqrt(2)])


def test_leave_one_out_curves_mark_minimum_and_published_power():
    curve = pd.Series(made_arrays(0)["loo_ranking_loss"], PAPER_GRID)
    _, (ax, other) = powers.draw_loo_curves({"Yeast": curve, "mine": curve}, {"Yeast": 9.2})
    line, published, dot = ax.lines
    assert list(line.get_ydata()) == list(curve)
    assert set(published.get_xdata()) == {9.2}
    assert dot.get_xdata()[0] == pytest.approx(8)
    assert len(other.lines) == 2


def test_a_picture_gives_the_same_file_each_time(toy_study):
    first, second = (
        drawn(Picture("toy", "Toy", toy.draw_toy(toy_prediction(toy_study))[0]), "svg")
        for _ in range(2)
    )
    assert first == second
