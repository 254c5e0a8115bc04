"""Probabilities: from leave-one-out scores, by scikit-learn's own calibration of them."""

import pickle
from collections import Counter

import numpy as np
import pytest
from scipy.special import expit, logit
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import cross_val_predict
from sklearn.preprocessing import MinMaxScaler

from mlmlm import MultiLabelMLM
from mlmlm._calibration import Sigmoids
from mlmlm._reference_choice import choose_tuning_rows
from mlmlm.progress import listen
from tests import oracles

KINDS = ["sigmoid", "isotonic"]
RANKINGS = ["score", "log_odds"]

for_each_kind = pytest.mark.parametrize("calibration", KINDS)
for_each_ranking = pytest.mark.parametrize("ranking", RANKINGS)


def noisy(n_rows, n_labels, strength):
    """Inputs in [0, 1] that tell the chances of labels, and not more."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_labels))
    chances = expit(X @ rng.normal(size=(n_labels, n_labels)) * strength - 1)
    return MinMaxScaler().fit_transform(X), (rng.random(chances.shape) < chances).astype(int)


@pytest.fixture(scope="module")
def small():
    X, Y = noisy(60, n_labels=3, strength=3)
    return X[:40], Y[:40], X[40:]


@pytest.fixture(scope="module")
def large():
    X, Y = noisy(900, n_labels=6, strength=0.7)
    return X[:400], Y[:400], X[400:], Y[400:]


def log_odds(scores, n_rows):
    """Bounded by Laplace's rule."""
    least = 1 / (n_rows + 2)
    return logit(np.clip(scores, least, 1 - least))


def scikit_learn_calibrator(calibration):
    if calibration == "sigmoid":
        return _SigmoidCalibration()
    return IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")


def calibrated_plainly(calibration, X, Y, X_test, power, rows=slice(None)):
    """The formulas of the paper, N refits for the scores of rows that were left out."""
    regression = oracles.Regression(X, Y)
    known = oracles.idw_scores(regression.leave_one_out()[rows], Y, power)
    scores = oracles.idw_scores(regression.predict(X_test), Y, power)
    columns = []
    for label, values in enumerate(Y[rows].T):
        calibrator = scikit_learn_calibrator(calibration)
        calibrator.fit(log_odds(known[:, label], len(known)), values)
        columns.append(calibrator.predict(log_odds(scores[:, label], len(known))))
    return np.column_stack(columns)


@for_each_kind
@for_each_ranking
def test_probabilities_are_those_of_scikit_learn_on_scores_of_refits(calibration, ranking, small):
    X, Y, X_test = small
    model = MultiLabelMLM(calibration=calibration, ranking=ranking).fit(X, Y)
    expected = calibrated_plainly(calibration, X, Y, X_test, model.power_)
    assert np.ptp(expected, axis=0).min() > 0.2
    np.testing.assert_allclose(model.predict_proba(X_test), expected, atol=1e-3)


@for_each_kind
def test_a_sample_of_rows_calibrates(calibration, small):
    X, Y, X_test = small
    model = MultiLabelMLM(calibration=calibration, tuning_rows=25, random_state=4).fit(X, Y)
    rows = choose_tuning_rows(len(X), 25, 4)
    expected = calibrated_plainly(calibration, X, Y, X_test, model.power_, rows)
    np.testing.assert_allclose(model.predict_proba(X_test), expected, atol=1e-3)


@for_each_kind
def test_both_rankings_have_the_same_probabilities(calibration, small):
    X, Y, X_test = small
    by_score, by_odds = (
        MultiLabelMLM(power=3, ranking=ranking, calibration=calibration).fit(X, Y)
        for ranking in RANKINGS
    )
    np.testing.assert_allclose(
        by_score.predict_proba(X_test), by_odds.predict_proba(X_test), atol=1e-6
    )


@for_each_kind
@for_each_ranking
@pytest.mark.parametrize("threshold", ["cardinality", "local_rcut", 0.4])
@pytest.mark.parametrize("power", [None, 2.0])
def test_only_probabilities_change(calibration, ranking, threshold, power, small):
    X, Y, X_test = small
    parameters = {"ranking": ranking, "threshold": threshold, "power": power}
    model = MultiLabelMLM(**parameters, calibration=calibration).fit(X, Y)
    plain = MultiLabelMLM(**parameters).fit(X, Y)
    assert (model.power_, model.threshold_) == (plain.power_, plain.threshold_)
    assert plain.calibrator_ is None
    np.testing.assert_array_equal(model.predict(X_test), plain.predict(X_test))
    np.testing.assert_array_equal(model.decision_function(X_test), plain.decision_function(X_test))
    assert np.abs(model.predict_proba(X_test) - plain.predict_proba(X_test)).max() > 0.05


@for_each_kind
@for_each_ranking
def test_probabilities_rise_with_scores(calibration, ranking, large):
    X, Y, X_test, _ = large
    model = MultiLabelMLM(calibration=calibration, ranking=ranking).fit(X, Y)
    scores, probabilities = model.decision_function(X_test), model.predict_proba(X_test)
    order = np.argsort(scores, axis=0)
    assert (np.diff(np.take_along_axis(probabilities, order, axis=0), axis=0) >= 0).all()
    assert ((probabilities >= 0) & (probabilities <= 1)).all()


def mean_of(loss, Y, probabilities):
    return np.mean([loss(*each) for each in zip(Y.T, probabilities.T, strict=True)])


@for_each_kind
@for_each_ranking
def test_noisy_labels_are_judged_better(calibration, ranking, large):
    """By Brier score and log loss, than uncalibrated and than by each label's share."""
    X, Y, X_test, Y_test = large
    before, after = (
        MultiLabelMLM(ranking=ranking, calibration=kind).fit(X, Y).predict_proba(X_test)
        for kind in (None, calibration)
    )
    share = np.tile(Y.mean(axis=0), (len(Y_test), 1))
    for loss in (brier_score_loss, log_loss):
        assert mean_of(loss, Y_test, after) < 0.95 * mean_of(loss, Y_test, before)
        assert mean_of(loss, Y_test, after) < 0.9 * mean_of(loss, Y_test, share)


def test_where_labels_are_likely_half_of_the_time_half_of_them_are_relevant(large):
    X, Y, X_test, Y_test = large
    probabilities = MultiLabelMLM(calibration="sigmoid").fit(X, Y).predict_proba(X_test)
    about_half = np.abs(probabilities - 0.5) < 0.1
    assert about_half.sum() > 100
    assert Y_test[about_half].mean() == pytest.approx(0.5, abs=0.1)


@for_each_kind
def test_nothing_is_fitted_twice(calibration, small):
    X, Y, _ = small
    phases = Counter()

    def count(name, done, total):
        phases[name] += done == 0

    with listen(count):
        MultiLabelMLM(calibration=calibration).fit(X, Y)
    assert set(phases.values()) == {1}
    assert {"cholesky", "solve", "tuning", "threshold", "calibration"} <= phases.keys()
    assert "predicted distances" not in phases


@for_each_kind
def test_a_pickled_model_has_the_same_probabilities(calibration, small):
    X, Y, X_test = small
    model = MultiLabelMLM(calibration=calibration).fit(X, Y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(X_test), model.predict_proba(X_test))


@for_each_kind
def test_rows_of_weight_zero_do_not_calibrate(calibration, small):
    X, Y, X_test = small
    weights = np.arange(len(X)) % 4 > 0
    model = MultiLabelMLM(calibration=calibration).fit(X, Y, weights)
    expected = MultiLabelMLM(calibration=calibration).fit(X[weights], Y[weights])
    np.testing.assert_allclose(model.predict_proba(X_test), expected.predict_proba(X_test))


@for_each_kind
def test_labels_that_all_rows_or_none_have_are_nearly_certain(calibration, small):
    X, Y, X_test = small
    constant = np.column_stack([Y, np.zeros(len(Y)), np.ones(len(Y))])
    for ranking in RANKINGS:
        model = MultiLabelMLM(calibration=calibration, ranking=ranking).fit(X, constant)
        probabilities = model.predict_proba(X_test)
        np.testing.assert_allclose(probabilities[:, -2:], [[0, 1]] * len(X_test), atol=0.03)
        assert np.isfinite(probabilities).all()


def test_where_values_fall_with_relevance_the_share_is_the_probability_of_all():
    """One relevant row of ten, the lowest: by Platt's rule it counts by 2/3, the others by 1/11."""
    values, label = np.arange(10.0)[:, None], (np.arange(10) == 0).astype(int)[:, None]
    probabilities = Sigmoids(values, label)(np.array([[-5.0], [3.0], [50.0]]))
    np.testing.assert_allclose(probabilities, (2 / 3 + 9 / 11) / 10)


def test_values_beyond_doubt_stay_so():
    values, label = (
        np.array([[-np.inf], [-1.0], [0.0], [1.0], [np.inf]]),
        np.array([[0, 0, 1, 1, 1]]),
    )
    probabilities = Sigmoids(values, label.T)(values)
    assert probabilities[0] == 0
    assert probabilities[-1] == 1
    assert (np.diff(probabilities[:, 0]) > 0).all()


@for_each_kind
def test_cross_validated_probabilities_are_calibrated_in_each_fold(calibration, large):
    X, Y, *_ = large
    model = MultiLabelMLM(calibration=calibration, power=4)
    probabilities = cross_val_predict(model, X, Y, cv=2, method="predict_proba")
    np.testing.assert_allclose(
        probabilities[:200], model.fit(X[200:], Y[200:]).predict_proba(X[:200])
    )


def test_figures_as_published_have_no_probabilities(small):
    X, Y, _ = small
    with pytest.raises(ValueError, match="'calibration' parameter of MultiLabelMLM must be None"):
        MultiLabelMLM(calibration="sigmoid", overflow="published").fit(X, Y)
    with pytest.raises(ValueError, match=r"a str among {'sigmoid', 'isotonic'} or None"):
        MultiLabelMLM(calibration="platt").fit(X, Y)
