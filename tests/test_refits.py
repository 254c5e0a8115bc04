"""The refits: each computed again in a plain way, and the kept ones against the records."""

import itertools
import subprocess
import sys
import types

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from experiments.analysis.numbers import refits as kept
from experiments.analysis.numbers.metrics import BIPARTITION
from experiments.analysis.numbers.refits import (
    BY_CARDINALITY,
    HALF,
    LOCAL_RCUT,
    PREDICTED_CARDINALITY,
)
from experiments.analysis.numbers.results import StudyResults
from experiments.refits.__main__ import FEW_LABELS, FEW_ROWS, SMALL, UP_TO_5000_ROWS
from experiments.refits.cuts import cuts
from experiments.refits.fitting import fit
from experiments.refits.label_sets import label_sets
from experiments.refits.leave_one_out import leave_one_out, scores_without_each_row
from experiments.refits.multilateration import cost_of_sets, label_sets_of, multilateration
from experiments.refits.nearest_inputs import nearest_inputs
from experiments.refits.out_of_sample import br_scores, lls_scores
from experiments.refits.rounding import ORDERS, THREADS, rounding
from mlmlm import (
    BinaryRelevanceMLM,
    DistanceRegression,
    LocalizationMLM,
    MultiLabelMLM,
    NearestNeighborMLM,
)
from mlmlm._ml_mlm import PAPER_GRID
from mlmlm.metrics import METRICS
from tests.harness import ROOT

COMMITTED = StudyResults(ROOT / "results/committed/paper")


@pytest.fixture(scope="module")
def small_data():
    rng = np.random.default_rng(5)
    X, Y = rng.random((60, 4)), rng.random((60, 5)) < 0.4
    return types.SimpleNamespace(
        X_train=X[:40],
        Y_train=Y[:40].astype(np.uint8),
        X_test=X[40:],
        Y_test=Y[40:].astype(int),
        fingerprint="made",
    )


@pytest.fixture(scope="module")
def fitted(small_data):
    return fit(small_data)


@pytest.fixture(scope="module")
def one_refit(fitted):
    return cuts(fitted)


@pytest.fixture(scope="module")
def scaled(small_data):
    low, high = small_data.X_train.min(axis=0), small_data.X_train.max(axis=0)
    return [(X - low) / (high - low) for X in (small_data.X_train, small_data.X_test)]


def test_a_refit_cuts_the_same_scores_in_three_ways(one_refit, small_data, scaled):
    train, test = scaled

    def fitted(model):
        return model.fit(train, small_data.Y_train)

    ml = fitted(MultiLabelMLM())
    assert one_refit["power"] == ml.power_
    br = fitted(BinaryRelevanceMLM())
    expected = {
        ("ML-MLM", BY_CARDINALITY): ml.predict_proba(test) > ml.threshold_,
        ("ML-MLM", HALF): ml.predict_proba(test) > 0.5,
        ("NN-MLM", LOCAL_RCUT): fitted(NearestNeighborMLM()).predict(test),
        ("BR-MLM", HALF): br.decision_function(test) > 0.5,
        ("BR-MLM", LOCAL_RCUT): br.predict(test),
    }
    values = pd.DataFrame(one_refit["cuts"]).set_index(["method", "rule"])
    for key, labels in expected.items():
        row = values.loc[key]
        for name, metric in METRICS.items():
            if metric.kind == "ranking":
                continue
            assert row[name] == pytest.approx(metric(small_data.Y_test, labels.astype(int)))
        assert row[PREDICTED_CARDINALITY] == pytest.approx(labels.sum(axis=1).mean())


def test_the_share_of_the_nearest_label_vector(one_refit, small_data, scaled):
    train, test = scaled
    regression = DistanceRegression().fit(train, small_data.Y_train)
    labels, shares = regression.label_vectors_, []
    for row in regression.predict(test).to_label_vectors:
        # One weight for each training row, of which several may have the nearest label vector.
        weights = np.abs(row[labels.of_row]) ** -one_refit["power"]
        shares.append(weights[labels.of_row == row.argmin()].sum() / weights.sum())
    assert one_refit["nearest_share"] == pytest.approx(np.mean(shares))


def test_out_of_sample_scores_are_those_of_fits_without_each_equation(fitted, scaled, small_data):
    """By least squares without row i, in which x_i and the label vector y_i stay references."""
    train, _ = scaled
    regression = fitted.regression
    inputs = np.linalg.norm(train[:, None] - regression.references_, axis=2)
    ridge = regression.alpha_ * np.eye(inputs.shape[1])
    labels = small_data.Y_train.astype(float)
    vectors = regression.label_vectors_.vectors.astype(float)
    to_vectors = np.linalg.norm(labels[:, None] - vectors, axis=2)
    targets = np.hstack([to_vectors, labels, 1 - labels])
    left_out = []
    for i in range(len(inputs)):
        x, y = np.delete(inputs, i, axis=0), np.delete(targets, i, axis=0)
        left_out.append(inputs[i] @ np.linalg.solve(x.T @ x + ridge, x.T @ y))
    parts = np.split(np.array(left_out), [len(vectors), len(vectors) + labels.shape[1]], axis=1)
    predicted = type(fitted.predicted)(*parts)
    for method, scores in ((LocalizationMLM(), lls_scores), (BinaryRelevanceMLM(), br_scores)):
        method.fit_from(regression)
        expected = method.decision_function(predicted)
        np.testing.assert_allclose(scores(fitted, method), expected, rtol=1e-6, atol=1e-6)


def test_new_label_sets_counted_one_by_one(fitted, small_data):
    found = label_sets(fitted)
    known = {tuple(row) for row in small_data.Y_train.tolist()}
    truth = [tuple(row) for row in small_data.Y_test.tolist()]
    assert found["new_in_test"] == sum(row not in known for row in truth)
    labels = MultiLabelMLM().fit_from(fitted.regression).predict(fitted.predicted)
    predicted = [tuple(map(int, row)) for row in labels]
    new = [i for i, row in enumerate(predicted) if row not in known and any(row)]
    ours = found["methods"]["ML-MLM"]
    assert ours["new"] == len(new)
    assert ours["new_and_right"] == sum(predicted[i] == truth[i] for i in new)
    assert ours["empty"] == sum(not any(row) for row in predicted)
    assert ours["right"] == sum(map(tuple.__eq__, predicted, truth))
    assert found["methods"]["NN-MLM"]["new"] == 0


def test_the_multilateration_cost_by_its_definition():
    rng = np.random.default_rng(1)
    sets, references = label_sets_of(3), rng.integers(0, 2, (5, 3)).astype(np.uint8)
    assert {tuple(row) for row in sets} == set(itertools.product((0, 1), repeat=3))
    counts, squares = rng.integers(1, 4, 5), rng.random((2, 5))
    costs = cost_of_sets(sets, references, counts, squares)
    for row, number in itertools.product(range(2), range(8)):
        expected = sum(
            count * (int((sets[number] != reference).sum()) - square) ** 2
            for count, reference, square in zip(counts, references, squares[row], strict=True)
        )
        assert costs[row, number] == pytest.approx(expected)


def test_who_solves_the_multilateration_problem(fitted):
    found = multilateration(fitted)
    regression, squares = fitted.regression, fitted.predicted.to_label_vectors**2
    vectors = regression.label_vectors_
    nearest = NearestNeighborMLM().fit_from(regression).predict(fitted.predicted)

    def cost(labels, row):
        from_references = (vectors.vectors != labels).sum(axis=1)
        return vectors.counts @ (from_references - squares[row]) ** 2

    every_set = list(itertools.product((0, 1), repeat=nearest.shape[1]))
    solved = sum(
        cost(nearest[row], row) <= min(cost(np.array(each), row) for each in every_set) * (1 + 1e-9)
        for row in range(len(nearest))
    )
    assert found["methods"]["NN-MLM"]["solves"] == solved


def test_leaving_rows_out_altogether(fitted, scaled, small_data):
    train, labels = scaled[0], small_data.Y_train
    scores = scores_without_each_row(fitted)
    for i, j in ((0, 0), (7, 20), (39, 60)):
        others = np.arange(len(train)) != i
        model = MultiLabelMLM(power=PAPER_GRID[j]).fit(train[others], labels[others])
        np.testing.assert_allclose(scores[j, i], model.predict_proba(train[[i]])[0])
    found = leave_one_out(fitted)
    assert found["largest_difference"] < 1e-6
    closed = MultiLabelMLM().fit_from(fitted.regression)
    assert found["closed"]["power"] == closed.power_
    losses = np.array(found["refits"]["losses"])
    assert found["refits"]["power"] == PAPER_GRID[losses.round(12).argmin()]


def test_rounding_is_tried_in_every_setting(small_data):
    rows = rounding(small_data)["settings"]
    assert len(rows) == len(THREADS) + ORDERS
    assert rows[0]["labels_that_differ"] == rows[0]["largest_difference_of_scores"] == 0
    assert max(row["largest_difference_of_scores"] for row in rows) < 1e-6


def test_the_nearest_inputs(small_data, scaled):
    train, test = scaled
    distances = np.arange(len(test), dtype=float)
    nearest = np.linalg.norm(test[:, None] - train, axis=2).min(axis=1)
    found = nearest_inputs(small_data, distances)
    assert found["spearman"] == pytest.approx(spearmanr(nearest, distances).statistic)


# What is kept


def test_what_is_kept_is_what_a_fit_with_the_power_of_the_record_gives():
    for name in UP_TO_5000_ROWS:
        content, record = COMMITTED.refit(f"cuts_{name}"), COMMITTED.record(name, "ml_mlm")
        assert content["fingerprint"] == record.data["fingerprint"]
        assert content["power"] == pytest.approx(record.chosen["power"])
        values = pd.DataFrame(content["cuts"]).set_index(["method", "rule"])
        for metric in BIPARTITION:
            found = values.at[("ML-MLM", BY_CARDINALITY), metric]
            assert found == pytest.approx(record.metrics[metric])


def test_every_refit_is_kept_of_its_datasets():
    assert list(kept.cuts(COMMITTED)) == list(UP_TO_5000_ROWS)
    assert set(kept.label_sets(COMMITTED).index.unique("dataset")) == set(UP_TO_5000_ROWS)
    assert set(kept.multilateration(COMMITTED).index.unique("dataset")) == set(FEW_LABELS)
    assert set(kept.leave_one_out(COMMITTED)) == set(FEW_ROWS)
    assert set(kept.rounding(COMMITTED).index.unique("dataset")) == set(SMALL)
    inputs = kept.nearest_inputs(COMMITTED)
    assert set(inputs.index) == {*COMMITTED.datasets, "tmc2007_fixed"}
    for kind in ("label_sets", "multilateration", "leave_one_out", "rounding"):
        for name, content in COMMITTED.refits(kind).items():
            assert content["fingerprint"] == COMMITTED.record(name, "ml_mlm").data["fingerprint"]


def test_a_study_without_refits(tmp_path):
    results = StudyResults(tmp_path)
    for table in (kept.cuts, kept.label_sets, kept.multilateration, kept.leave_one_out):
        assert table(results) is None
    assert kept.rounding(results) is None
    assert kept.nearest_inputs(results) is None


def test_the_command_tells_its_use():
    command = [sys.executable, "-m", "experiments.refits"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "usage: python -m experiments.refits results/paper\n"
