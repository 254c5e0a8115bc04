"""The library against plain oracles: same numbers, by far shorter ways.

Cases cover what real label matrices have (repeated inputs, labels that nobody or everybody has,
labels that always occur together, rows without labels) and what only tests have (one row, one
reference point, one label).
"""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.spatial.distance import cdist
from threadpoolctl import threadpool_limits

from mlmlm import (
    BinaryRelevanceMLM,
    DistanceRegression,
    LocalizationMLM,
    MultiLabelMLM,
    NearestNeighborMLM,
    PredictedDistances,
)
from mlmlm._br_mlm import positive_root
from mlmlm._distances import euclidean
from mlmlm._distinct import distinct_rows
from mlmlm._inverse_distance import LabelWeights, LogRatios, doubling_chains
from mlmlm._label_vectors import LabelVectors
from mlmlm._ranking import stable_order
from mlmlm._reference_points import _SmallestValues
from mlmlm._tiles import SymmetricTiles, upper_tiles
from mlmlm._work_plan import WorkPlan
from mlmlm.scores import label_scores
from mlmlm.thresholds import rank_cut
from tests import oracles

# No deadline: a busy machine is not a failure.
PROPERTY = settings(max_examples=60, deadline=None)
SMALL_TILE = 7

# Data


def make_problem(seed=0, n_rows=40, n_features=4, n_labels=5, n_test=12, quantile=0.65):
    """Inputs in the unit cube, and labels that are noisy functions of them."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows + n_test, n_features))
    noisy = X @ rng.normal(size=(n_features, n_labels))
    noisy += 0.3 * rng.normal(size=noisy.shape)
    Y = (noisy > np.quantile(noisy, quantile, axis=0)).astype(int)
    return X[:n_rows], Y[:n_rows], X[n_rows:]


def with_duplicates(X, Y):
    """Some inputs occur two, three or four times; their labels partly agree, partly not."""
    X, Y = X.copy(), Y.copy()
    X[[5, 20, 33]] = X[2]
    X[[11, 12]] = X[10]
    X[39], Y[39] = X[0], Y[0]
    return X, Y


def with_column(Y, column, values):
    Y = Y.copy()
    Y[:, column] = values
    return Y


def with_empty_rows(Y):
    Y = Y.copy()
    Y[[0, 7, 8]] = 0
    return Y


def with_near_duplicates(X, pairs):
    """Pairs of inputs that differ by a ten-millionth."""
    X = X.copy()
    for i, j in pairs:
        X[j] = X[i] * (1 + 1e-7)
    return X


def make_cases():
    X, Y, X_test = make_problem()
    X_dup, Y_dup = with_duplicates(X, Y)
    X_60, Y_60, X_60_test = make_problem(1, n_rows=60)
    X_rare, Y_rare, X_rare_test = make_problem(0, n_rows=60, n_labels=30, quantile=0.965)
    everything = with_empty_rows(with_column(with_column(Y_dup, 1, 0), 3, 1))
    everything[:, 4] = everything[:, 0]
    return {
        "plain": (X, Y, X_test),
        "repeated inputs": (X_dup, Y_dup, X_test),
        "repeated inputs to predict": (X_dup, Y_dup, X_dup[:12]),
        "nearly repeated input": (with_near_duplicates(X_60, [(3, 40)]), Y_60, X_60_test),
        "label without positives": (X, with_column(Y, 2, 0), X_test),
        "label that every row has": (X, with_column(Y, 2, 1), X_test),
        "identical labels": (X, with_column(Y, 3, Y[:, 1]), X_test),
        "complementary labels": (X, with_column(Y, 3, 1 - Y[:, 1]), X_test),
        "rows without labels": (X, with_empty_rows(Y), X_test),
        "all of these": (X_dup, everything, X_test),
        "one row": (X[:1], Y[3:4], X_test),
        "two rows": (X[:2], Y[2:4], X_test),
        "one label": (X, Y[:, :1], X_test),
        "no labels at all": (X[:10], np.zeros((10, 3), int), X_test),
        "rare labels": (X_rare, Y_rare, X_rare_test),
    }


class Case:
    """One data set with what library and oracle make of it, each computed when asked for."""

    def __init__(self, X, Y, X_test):
        self.X, self.Y, self.X_test = X, Y, X_test

    @cached_property
    def oracle(self):
        return oracles.Regression(self.X, self.Y)

    @cached_property
    def delta(self):
        return self.oracle.predict(self.X_test)

    @cached_property
    def loo(self):
        return self.oracle.leave_one_out()

    @cached_property
    def regression(self):
        return DistanceRegression().fit(self.X, self.Y)

    @cached_property
    def ml_mlm(self):
        return MultiLabelMLM().fit_from(self.regression)


CASES = {name: Case(*data) for name, data in make_cases().items()}


@pytest.fixture(params=CASES, ids=lambda name: name.replace(" ", "_"))
def case(request):
    return CASES[request.param]


def by_row(regression, distances):
    """Distances to distinct label vectors as distances to the label vectors of all rows."""
    return distances[:, regression.label_vectors_.of_row]


def predict_by_row(regression, X):
    return by_row(regression, regression.predict(X).to_label_vectors)


def all_leave_one_out(regression):
    """Leave-one-out distances of all rows, in blocks."""
    distances = np.full((len(regression.leverage_), len(regression.label_vectors_)), np.nan)
    for block in regression.leave_one_out().map(lambda block: block):
        distances[block.rows] = block.distances
    return by_row(regression, distances)


def given_distances(model, delta):
    """Predicted distances that say just what they are told to; those of labels are unused."""
    unused = np.zeros((len(delta), model.regression_.label_vectors_.n_labels))
    return PredictedDistances(np.asarray(delta, dtype=float), unused, unused)


def assert_close(actual, expected, atol=1e-8):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=atol)


# Distance regression


def test_ridge_is_the_quantile(case):
    assert case.regression.alpha_ == pytest.approx(case.oracle.alpha, rel=1e-12)


def test_references_are_the_distinct_inputs(case):
    np.testing.assert_array_equal(case.regression.references_, case.oracle.references)


def test_predicted_distances(case):
    assert_close(predict_by_row(case.regression, case.X_test), case.delta)


def test_predicted_distances_of_single_labels(case):
    """The distance to a row's value is that to 0 or to 1, as the row has the label or not."""
    predicted = case.regression.predict(case.X_test)
    for label in range(case.Y.shape[1]):
        to_rows = np.where(
            case.Y[:, label] == 1, predicted.to_one[:, [label]], predicted.to_zero[:, [label]]
        )
        assert_close(to_rows, case.oracle.predict_label(case.X_test, label))


def test_leave_one_out_is_refitting(case):
    assert_close(all_leave_one_out(case.regression), case.loo)


def test_leverage_is_the_diagonal_of_the_hat_matrix(case):
    assert_close(case.regression.leverage_, np.diag(case.oracle.hat_matrix()))


def test_tiny_ridge_costs_digits_but_not_the_answer():
    """With one pair in a thousand nearly equal, alpha is that tiny distance."""
    X, Y, X_test = make_problem()
    X = with_near_duplicates(X, [(0, 1), (8, 9)])
    regression, oracle = DistanceRegression().fit(X, Y), oracles.Regression(X, Y)
    assert regression.alpha_ < 1e-6
    assert_close(predict_by_row(regression, X_test), oracle.predict(X_test), atol=1e-5)
    assert_close(all_leave_one_out(regression), oracle.leave_one_out(), atol=1e-5)


def test_inputs_that_differ_in_the_last_bit_can_be_fitted():
    """Their distance is no ridge at all; a larger one takes its place."""
    X, Y, X_test = make_problem()
    X[1] = X[0] * (1 + 2e-16)
    X[3] = X[2] * (1 + 2e-16)
    oracle, model = oracles.Regression(X, Y), MultiLabelMLM().fit(X, Y)
    assert len(oracle.references) == len(X)
    assert oracle.alpha < 1e-15 < model.regression_.alpha_
    predicted = predict_by_row(model.regression_, X_test)
    assert_close(predicted, oracle.predict_without_gram(X_test), atol=1e-4)
    assert np.isfinite(model.loo_ranking_loss_).all()


def test_more_copies_than_a_byte_counts():
    X, Y, X_test = make_problem(n_rows=12)
    X, Y = np.repeat(X, [300] + 11 * [1], axis=0), np.repeat(Y, [300] + 11 * [1], axis=0)
    Y[0] = 1 - Y[0]
    regression, oracle = DistanceRegression().fit(X, Y), oracles.Regression(X, Y)
    assert_close(predict_by_row(regression, X_test), oracle.predict(X_test))
    label = int(np.argmax(Y[5]))
    expected = oracle.predict_label(X_test, label)[:, Y[:, label] == 0][:, 0]
    assert_close(regression.predict(X_test).to_zero[:, label], expected)


def test_one_reference_point_knows_only_frequencies():
    """Without any distance between inputs, all label vectors are predicted equally near."""
    X, Y, X_test = make_problem()
    X, Y = np.tile(X[:1], (6, 1)), Y[:6]
    regression = DistanceRegression().fit(X, Y)
    assert_close(regression.predict(X_test).to_label_vectors, 0)
    assert_close(all_leave_one_out(regression), oracles.Regression(X, Y).leave_one_out())
    scores = MultiLabelMLM(power=3).fit_from(regression).predict_proba(X_test)
    assert_close(scores, np.tile(Y.mean(axis=0), (len(X_test), 1)))
    nearest = NearestNeighborMLM().fit_from(regression).predict(X_test)
    np.testing.assert_array_equal(nearest, np.tile(Y[0], (len(X_test), 1)))
    assert_close(
        LocalizationMLM().fit_from(regression).decision_function(X_test),
        oracles.localization_scores(np.zeros((len(X_test), len(Y))), Y),
    )


# ML-MLM


@pytest.mark.parametrize("power", [0.5, 1, 7.3, 256])
def test_ml_mlm_scores(case, power):
    model = MultiLabelMLM(power=power).fit_from(case.regression)
    expected = oracles.idw_scores(case.delta, case.Y, power)
    assert_close(label_scores(model, case.X_test, "predict_proba", case.Y.shape[1]), expected)
    assert_close(label_scores(model, case.X_test), expected)


def are_well_apart(scores, Y):
    """Whether scores of different labels differ by more than rounding in every row."""
    columns = np.unique(Y, axis=1, return_index=True)[1]
    ordered = np.sort(scores[:, columns], axis=1)
    return (np.diff(ordered, axis=1) > 1e-12 * ordered[:, 1:]).all()


def test_ml_mlm_power_and_curve(case):
    """At high powers scores differ in their last bits only, and so may the losses."""
    scores = [oracles.idw_scores(case.loo, case.Y, power) for power in oracles.POWERS]
    expected = np.array([oracles.mean_ranking_loss(values, case.Y) for values in scores])
    sure = np.array([are_well_apart(values, case.Y) for values in scores])
    model = case.ml_mlm
    np.testing.assert_allclose(model.power_grid_, oracles.POWERS, rtol=1e-15)
    assert sure[:10].all() or len(case.Y) == 2  # left alone, a row predicts just its own labels
    assert_close(model.loo_ranking_loss_[sure], expected[sure], atol=1e-12)
    assert_close(model.loo_ranking_loss_, expected, atol=0.05)
    first_of_best = np.flatnonzero(expected < expected.min() + 1e-12)[0]
    assert model.power_ == model.power_grid_[first_of_best]


def test_first_of_equally_good_powers_wins(case):
    """Also in a grid that is not sorted, has repetitions and no power twice another."""
    grid = [5.0, 1.5, 5.0, 1.1, 1.5]
    model = MultiLabelMLM(power_grid=grid).fit_from(case.regression)
    expected = [
        oracles.mean_ranking_loss(oracles.idw_scores(case.loo, case.Y, power), case.Y)
        for power in grid
    ]
    assert_close(model.loo_ranking_loss_, expected, atol=1e-12)
    best = [k for k, loss in enumerate(expected) if loss < min(expected) + 1e-12]
    assert model.power_ == grid[best[0]]


def test_ml_mlm_threshold(case):
    scores = oracles.idw_scores(case.loo, case.Y, case.ml_mlm.power_)
    expected = oracles.cardinality_threshold(scores, case.Y.sum())
    assert case.ml_mlm.threshold_ == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("threshold", ["cardinality", "local_rcut", 0.4])
def test_ml_mlm_predictions(case, threshold):
    power = case.ml_mlm.power_
    model = MultiLabelMLM(power=power, threshold=threshold).fit_from(case.regression)
    scores = oracles.idw_scores(case.delta, case.Y, power)
    if threshold == "local_rcut":
        expected = oracles.local_rcut(scores, case.delta, case.Y)
    else:
        expected = scores > model.threshold_
    np.testing.assert_array_equal(model.predict(case.X_test), expected)


def test_leave_one_out_predictions_have_the_cardinality_of_the_training_set():
    X, Y, _ = make_problem(3, n_rows=60)
    model = MultiLabelMLM(power=2).fit(X, Y)
    scores = oracles.idw_scores(oracles.Regression(X, Y).leave_one_out(), Y, 2)
    assert (scores > model.threshold_).sum() == Y.sum()


# NN-MLM, BR-MLM, LLS-MLM


def test_nn_mlm_predictions(case):
    model = NearestNeighborMLM().fit_from(case.regression)
    expected = oracles.nearest_labels(case.delta, case.Y)
    np.testing.assert_array_equal(model.predict(case.X_test), expected)


def test_nearest_is_signed_and_the_first_of_several():
    X, _Y, _ = make_problem(n_rows=4)
    model = NearestNeighborMLM().fit(X, np.eye(4, dtype=int))
    delta = [[1, 0, -2, 2], [3, 1, 1, 2], [-1, -1, 0, 0]]
    np.testing.assert_array_equal(model.predict(given_distances(model, delta)).argmax(1), [2, 1, 0])


@pytest.mark.parametrize("estimator", [BinaryRelevanceMLM, LocalizationMLM])
def test_br_and_lls_mlm(case, estimator):
    model = estimator().fit_from(case.regression)
    if estimator is BinaryRelevanceMLM:
        expected = oracles.cubic_scores(case.oracle, case.X_test)
    else:
        expected = oracles.localization_scores(case.delta, case.Y)
    scores = label_scores(model, case.X_test)
    assert_close(scores, expected, atol=1e-7)
    np.testing.assert_array_equal(
        model.predict(case.X_test), oracles.local_rcut(scores, case.delta, case.Y)
    )


def test_br_mlm_scores_a_label_never_seen_0_whatever_its_distances():
    X, Y, _ = make_problem()
    model = BinaryRelevanceMLM().fit(X, with_column(Y, 2, 0))
    some = np.full((3, 5), 0.4)
    nothing_known = np.zeros((3, len(model.regression_.label_vectors_)))
    scores = model.decision_function(PredictedDistances(nothing_known, some, some))
    np.testing.assert_array_equal(scores == 0, np.tile(np.arange(5) == 2, (3, 1)))


def test_lls_mlm_of_minimum_norm():
    """A label that is the sum of two others: numpy.linalg.lstsq gives the shortest solution."""
    X, Y, X_test = make_problem(n_labels=5)
    Y[:, 1] &= ~Y[:, 0]
    Y[:, 2] = Y[:, 0] + Y[:, 1]
    model = LocalizationMLM(solution="minimum_norm").fit(X, Y)
    basic = LocalizationMLM().fit_from(model.regression_)
    delta, references = predict_by_row(model.regression_, X_test), Y.astype(float)
    scores = model.decision_function(X_test)
    for row, distances in enumerate(delta):
        anchor = int(distances.argmin())
        system = references - references[anchor]
        right = (system**2).sum(axis=1) + distances[anchor] ** 2 - distances**2
        shift = np.linalg.lstsq(system, right / 2, rcond=1e-10)[0]
        assert_close(scores[row], references[anchor] + shift, atol=1e-7)
    assert np.abs(scores - basic.decision_function(X_test)).max() > 1e-3
    with pytest.raises(ValueError, match="minimum_norm"):
        LocalizationMLM(solution="least").fit(X, Y)


def test_lls_mlm_with_fewer_rows_than_labels():
    """Many pivots tie, and rounding decides; every choice is a basic solution of the system."""
    X, Y, X_test = make_problem(1, n_rows=30, n_labels=40, quantile=0.9)
    model = LocalizationMLM().fit(X, Y)
    delta = predict_by_row(model.regression_, X_test)
    scores, expected = model.decision_function(X_test), oracles.localization_scores(delta, Y)
    for row in range(len(X_test)):
        anchor = Y[np.argmin(delta[row])]
        A = Y - anchor
        assert_close(A @ (scores[row] - anchor), A @ (expected[row] - anchor))
        assert np.count_nonzero(scores[row] - anchor) <= np.linalg.matrix_rank(A)


# Proposition 1


def test_nearest_label_vector_need_not_solve_multilateration():
    """The counterexample of the proof: NN-MLM's answer costs 9815, another one 9629."""
    Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    delta = np.array([1.0, 10.0, 2.0, 2.0])
    model = NearestNeighborMLM().fit(make_problem(n_rows=4)[0], Y)
    (answer,) = model.predict(given_distances(model, delta[None]))
    np.testing.assert_array_equal(answer, [0, 0])
    assert oracles.multilateration_cost(answer, Y, delta) == 9815
    assert oracles.multilateration_cost(Y[2], Y, delta) == 9629


@pytest.mark.parametrize("n_labels", [2, 3, 4])
def test_nearest_label_vector_solves_multilateration_if_distances_are_exact(n_labels):
    """Each label vector in turn is the true one; label vectors occur unequally often."""
    vectors = np.array(list(product([0, 1], repeat=n_labels)))
    rng = np.random.default_rng(n_labels)
    Y = rng.permutation(np.repeat(vectors, rng.integers(1, 4, len(vectors)), axis=0))
    model = NearestNeighborMLM().fit(rng.random((len(Y), 3)), Y)
    known = model.regression_.label_vectors_.vectors
    exact = given_distances(model, oracles.pairwise(vectors, known))
    for true, answer in zip(vectors, model.predict(exact), strict=True):
        delta = oracles.pairwise([true], Y)[0]
        assert oracles.multilateration_cost(answer, Y, delta) == pytest.approx(0, abs=1e-20)
        np.testing.assert_array_equal(answer, true)


# Representations of the data


def assert_same_models(regression, other, X_test, atol=1e-9):
    """All four methods give the same on two fitted regressions."""
    for estimator in (MultiLabelMLM, LocalizationMLM, BinaryRelevanceMLM, NearestNeighborMLM):
        one, two = estimator().fit_from(regression), estimator().fit_from(other)
        np.testing.assert_array_equal(one.predict(X_test), two.predict(X_test))
        if hasattr(one, "decision_function"):
            assert_close(one.decision_function(X_test), two.decision_function(X_test), atol)
        if estimator is MultiLabelMLM:
            assert one.power_ == two.power_
            assert one.threshold_ == pytest.approx(two.threshold_, abs=atol)


def make_sparse_inputs(case):
    """Half of the values are 0, and some rows are repeated."""
    X, X_test = (np.where(values < 0.5, 0, values) for values in (case.X, case.X_test))
    return X, X_test


def test_sparse_inputs_are_as_good_as_dense():
    case = CASES["repeated inputs"]
    X, X_test = make_sparse_inputs(case)
    regression = DistanceRegression().fit(X, case.Y)
    other = DistanceRegression().fit(sp.csr_array(X), case.Y)
    assert sp.issparse(other.references_)
    assert_close(other.references_.toarray(), regression.references_, atol=0)
    assert_close(other.predict(sp.csc_array(X_test)).to_zero, regression.predict(X_test).to_zero)
    assert_same_models(regression, other, X_test)


# So small that small data have many.
SMALL_PIECES = {"tile": 7, "block_values": 1, "least_block_rows": 5, "cached_values": 1}


def planned_regression(**sizes):
    regression = DistanceRegression()
    regression._plan = WorkPlan(**sizes)
    return regression


@pytest.mark.parametrize("name", ["repeated inputs", "nearly repeated input", "all of these"])
def test_tiles_and_blocks_change_nothing(name):
    case = CASES[name]
    whole = DistanceRegression().fit(case.X, case.Y)
    tiled = planned_regression(**SMALL_PIECES).fit(case.X, case.Y)
    blocks = list(tiled.leave_one_out().map(lambda block: block.rows))
    assert len(blocks) == tiled.n_references
    assert len(list(tiled.predict_blocks(case.X_test))) == 3
    assert tiled.alpha_ == pytest.approx(whole.alpha_, rel=1e-14)
    assert_close(tiled.coef_, whole.coef_)
    assert_close(tiled.label_coef_, whole.label_coef_)
    assert_close(tiled.leverage_, whole.leverage_)
    assert_close(all_leave_one_out(tiled), case.loo)
    assert_same_models(whole, tiled, case.X_test, atol=1e-8)


def ignore(_work):
    pass


@pytest.mark.parametrize("size", [1, 4, 5, 6, 17])
def test_tiled_algebra(size):
    rng = np.random.default_rng(size)
    D = oracles.pairwise(*2 * [rng.random((size, 3))])
    scale, right = np.sqrt(rng.integers(1, 4, size)), rng.normal(size=(size, 3))
    G = scale[:, None] * (D @ D) * scale + 0.1 * np.eye(size)
    tiles = SymmetricTiles(size, tile=5)
    for i, j in upper_tiles(tiles.slices):
        tiles.put(i, j, D[tiles.slices[i], tiles.slices[j]].copy())
    tiles.gram(scale, 0.1, ignore)
    tiles.cholesky(ignore)
    solution = right.copy()
    tiles.solve(solution, ignore)
    assert_close(G @ solution, right, atol=1e-10)
    assert_close(tiles.inverse_diagonal(ignore), np.diag(np.linalg.inv(G)), atol=1e-10)
    assert_close(tiles.times(right, ignore), D @ right, atol=1e-12)


def test_threads_change_nothing():
    X, Y, X_test = make_problem(5, n_rows=110, n_labels=8)
    fitted = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            model = MultiLabelMLM().fit_from(planned_regression(**SMALL_PIECES).fit(X, Y))
            fitted.append((model.power_, model.threshold_, model.predict_proba(X_test)))
    (power, threshold, scores), (other_power, other_threshold, other_scores) = fitted
    assert power == other_power
    assert threshold == pytest.approx(other_threshold, abs=1e-9)
    assert_close(scores, other_scores, atol=1e-9)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=10, deadline=None)
def test_order_of_labels_and_rows(seed):
    """Permuted labels permute the scores, and permuted training rows change nothing."""
    X, Y, X_test = make_problem(seed, n_rows=25, n_test=5)
    rng = np.random.default_rng(seed)
    labels, rows = rng.permutation(Y.shape[1]), rng.permutation(len(Y))
    for model in (MultiLabelMLM(power=3), BinaryRelevanceMLM(), LocalizationMLM()):
        scores = model.fit(X, Y).decision_function(X_test)
        by_label = model.fit(X, Y[:, labels]).decision_function(X_test)
        assert_close(by_label, scores[:, labels])
        if not isinstance(model, LocalizationMLM) or np.linalg.matrix_rank(Y - Y[0]) == 5:
            assert_close(model.fit(X[rows], Y[rows]).decision_function(X_test), scores)
    nearest = NearestNeighborMLM()
    predicted = nearest.fit(X, Y).predict(X_test)
    np.testing.assert_array_equal(
        nearest.fit(X[rows], Y[rows][:, labels]).predict(X_test), predicted[:, labels]
    )


# Label weights


def exact_sums(Y, weights):
    """Per label, the sums of weights, exact numbers, over rows with it and rows without it."""
    return [
        tuple(
            sum(w for w, value in zip(weights, column, strict=True) if value == wanted)
            for wanted in (1, 0)
        )
        for column in Y.T
    ]


def rare_labels():
    """A label matrix of 45 rows and 40 labels, most of them rare, some rows repeated."""
    rng = np.random.default_rng(7)
    Y = (rng.random((30, 40)) < 0.03).astype(np.uint8)
    Y[np.arange(30), np.arange(30)] = 1
    return np.concatenate([Y, Y[:15]])


def label_weights(Y, sparse, exact_odds=False):
    labels = LabelVectors.of_rows(Y, sparse_density=0.2 if sparse else 0.0)
    assert labels.is_sparse is sparse
    return labels, LabelWeights(labels, exact_odds=exact_odds)


def saturating_weights(n_vectors, exponents):
    """In case k vector k has the weight 1 and all others are around 2^-exponent."""
    rng = np.random.default_rng(11)
    weights = np.empty((n_vectors, len(exponents)))
    for k, exponent in enumerate(exponents):
        weights[:, k] = rng.random(n_vectors) * 2.0**-exponent
        weights[k, k] = 1.0
    return weights


@pytest.mark.parametrize("path", ["sparse", "dense", "log-odds"])
def test_label_sums_are_exact_where_it_matters(path):
    """``a`` is good to its last bits, and a score is 1 just where ``b`` is below these."""
    Y = rare_labels()
    labels, summing = label_weights(Y, path != "dense", path == "log-odds")
    exponents = [0, 5, 19, 21, 30, 45, 48, 62, 70, 200, 1000]
    weights = saturating_weights(len(labels), exponents)
    a, b = summing.sums(weights)
    n_saturated = n_nearly = 0
    for k in range(len(exponents)):
        exact = exact_sums(Y, [Fraction(weight) for weight in weights[labels.of_row, k]])
        for label, (with_it, without) in enumerate(exact):
            assert a[label, k] == pytest.approx(float(with_it), rel=1e-14)
            score = a[label, k] / (a[label, k] + b[label, k])
            expected = with_it / (with_it + without)
            assert score == pytest.approx(float(expected), rel=1e-14)
            if path != "sparse":
                assert b[label, k] == pytest.approx(float(without), rel=1e-14)
            if without < Fraction(2) ** -54 * with_it:
                n_saturated += 1
                assert score == 1.0
            elif without > Fraction(2) ** -52 * with_it:
                n_nearly += without < Fraction(2) ** -30 * with_it
                assert score < 1.0
    assert n_saturated >= 4
    assert n_nearly >= 2


def test_sparse_and_dense_labels_give_the_same_model():
    rng = np.random.default_rng(0)
    Y = rare_labels()
    X, X_test = rng.random((len(Y), 3)), rng.random((10, 3))
    models = []
    for sparse in (True, False):
        regression = planned_regression(sparse_density=0.2 if sparse else 0.0)
        models.append(MultiLabelMLM().fit_from(regression.fit(X, Y)))
        assert models[-1].regression_.label_vectors_.is_sparse is sparse
    one, two = models
    assert one.power_ == two.power_
    assert_close(one.loo_ranking_loss_, two.loo_ranking_loss_, atol=1e-12)
    assert_close(one.predict_proba(X_test), two.predict_proba(X_test), atol=1e-12)
    assert_close(one.predict_distances(X_test), two.predict_distances(X_test), atol=1e-10)


def accurate_log_odds(delta, Y, power):
    """Log-odds of each label in decimal arithmetic with a hundred digits."""
    with localcontext(prec=100):
        sums = exact_sums(Y, [abs(Decimal(float(d))) ** -power for d in delta])
        return [a.ln() - b.ln() for a, b in sums]


@pytest.mark.parametrize("power", [1, 8, 100])
def test_log_odds_rank_as_exact_arithmetic_does(power):
    """At power 100 the scores of some labels tie at 1; their log-odds differ as they should."""
    rng = np.random.default_rng(power)
    Y = np.unique((rng.random((14, 6)) < 0.5).astype(int), axis=0)
    model = MultiLabelMLM(power=power, ranking="log_odds").fit(rng.random((len(Y), 3)), Y)
    vectors = model.regression_.label_vectors_.vectors
    delta = rng.integers(1, 40, (20, len(vectors))) * rng.choice([-1, 1], (20, len(vectors)))
    values = model.decision_function(given_distances(model, delta))
    scores = model.predict_proba(given_distances(model, delta))
    n_ties = 0
    for row_values, row_scores, row in zip(values, scores, delta, strict=True):
        exact = accurate_log_odds(row, vectors, power)
        np.testing.assert_allclose(row_values, np.array(exact, float), rtol=1e-12, atol=1e-12)
        for j, k in product(range(6), repeat=2):
            if exact[j] > exact[k] + Decimal("1e-10"):
                assert row_values[j] > row_values[k]
                n_ties += row_scores[j] == row_scores[k]
    assert n_ties > 0 or power < 100
    assert_close(scores, oracles.idw_scores(delta, vectors, power), atol=1e-12)


def test_log_odds_tune_and_cut_by_exact_arithmetic():
    """With a grid in which scores saturate, the curve is that of exact odds."""
    X, Y, X_test = make_problem(4, n_rows=30)
    model = MultiLabelMLM(ranking="log_odds", power_grid=[40, 120]).fit(X, Y)
    loo = all_leave_one_out(model.regression_)
    for power, loss in zip([40, 120], model.loo_ranking_loss_, strict=True):
        odds = np.array([accurate_log_odds(row, Y, power) for row in loo], dtype=float)
        assert loss == pytest.approx(oracles.mean_ranking_loss(odds, Y), abs=1e-12)
        if power == model.power_:
            expected = oracles.cardinality_threshold(odds, Y.sum())
            assert model.threshold_ == pytest.approx(expected, rel=1e-9)
    np.testing.assert_array_equal(
        model.predict(X_test), model.decision_function(X_test) > model.threshold_
    )


@pytest.mark.parametrize("ranking", ["score", "log_odds"])
def test_labels_that_all_or_none_have_are_predicted_so(ranking):
    """Their log-odds are infinite, and the threshold lies between two infinities."""
    X, _, X_test = make_problem(n_rows=10)
    model = MultiLabelMLM(ranking=ranking).fit(X, np.tile([1, 0, 1], (10, 1)))
    np.testing.assert_array_equal(model.predict(X_test), np.tile([1, 0, 1], (len(X_test), 1)))


def test_distance_of_zero_takes_all_the_weight():
    Y = np.array([[1, 0], [0, 1], [1, 1]])
    model = MultiLabelMLM(power=2).fit(make_problem(n_rows=3)[0], Y)
    delta = [[0, 1, 2], [0, 0, 1], [1e-200, 1, 1]]
    scores = model.predict_proba(given_distances(model, delta))
    np.testing.assert_array_equal(scores, [[1, 0], [0.5, 0.5], [1, 0]])


# The overflow of the published implementation


def test_published_overflow_makes_a_row_nan():
    """Where ``|d|^-P`` overflows all scores are NaN; elsewhere they are as they should be."""
    Y = np.array([[0, 1, 0], [1, 0, 1], [0, 0, 1]])
    delta = np.array([[1e-3, 1, 2], [-1e-2, 1, 1], [0.5, 0.7, 1], [1, 1e-4, 1e-4]])
    X = make_problem(n_rows=3)[0]
    stable = MultiLabelMLM(power=120, threshold="local_rcut").fit(X, Y)
    published = MultiLabelMLM(power=120, threshold="local_rcut", overflow="published").fit(X, Y)
    scores = published.decision_function(given_distances(published, delta))
    assert_close(scores, oracles.overflowing_idw_scores(delta, Y, 120), atol=1e-12)
    np.testing.assert_array_equal(np.isnan(scores).all(axis=1), [True, False, False, True])
    assert_close(scores[1:3], stable.decision_function(given_distances(stable, delta))[1:3], atol=0)
    # NaN ranks in label order: one label in the first row, two in the last.
    predicted = published.predict(given_distances(published, delta))
    np.testing.assert_array_equal(predicted[[0, 3]], [[1, 0, 0], [1, 1, 0]])


def test_published_overflow_counts_in_tuning_and_threshold():
    """On a row with a tiny leave-one-out distance high powers overflow, and its loss changes."""
    X, Y, _ = make_problem(6, n_rows=30)
    grid = [2.0, 256.0, 700.0]
    model = MultiLabelMLM(power_grid=grid, overflow="published").fit(X, Y)
    loo = oracles.Regression(X, Y).leave_one_out()
    scores = [oracles.overflowing_idw_scores(loo, Y, power) for power in grid]
    assert np.isnan(scores[2]).any()
    expected = [oracles.mean_ranking_loss(values, Y) for values in scores]
    assert_close(model.loo_ranking_loss_[[0, 2]], [expected[0], expected[2]], atol=0.02)
    fixed = MultiLabelMLM(power=256.0, overflow="published").fit(X, Y)
    threshold = oracles.cardinality_threshold(scores[1], Y.sum())
    assert fixed.threshold_ == pytest.approx(threshold, abs=1e-8, nan_ok=True)


# Parts


@given(
    a=st.floats(-1e3, 1e3).filter(lambda a: a == 0 or abs(a) > 1e-60),
    c=st.floats(0, 1e3).filter(lambda c: c == 0 or c > 1e-60),
)
@PROPERTY
def test_positive_root_solves_the_cubic(a, c):
    """Exactly evaluated, what is left of the equation is rounding only."""
    x = float(positive_root(np.array([a]), np.array([c]))[0])
    assert x >= 0
    exact, left = Fraction(x), Fraction(a)
    residual = exact**3 + left * exact - Fraction(c)
    scale = exact**3 + abs(left) * exact + Fraction(c)
    assert abs(residual) <= Fraction(1e-14) * scale


@given(a=st.floats(-100, 100), c=st.floats(1e-3, 100))
@PROPERTY
def test_positive_root_is_the_one_of_numpy(a, c):
    """Descartes' rule: for positive c there is just one."""
    roots = np.roots([1, 0, a, -c])
    positive = roots.real[(np.abs(roots.imag) < 1e-6) & (roots.real > 1e-7)]
    assert len(positive) == 1
    x = positive_root(np.array([a]), np.array([c]))[0]
    assert x == pytest.approx(positive[0], rel=1e-6, abs=1e-9)


SCORES = st.sampled_from([-math.inf, -1.5, -0.0, 0.0, 0.25, 1.0, math.inf, math.nan])


def score_tables(elements=SCORES):
    shapes = hnp.array_shapes(min_dims=2, max_dims=2, max_side=9)
    return shapes.flatmap(lambda shape: hnp.arrays(float, shape, elements=elements))


@given(score_tables(), st.randoms(use_true_random=False))
@PROPERTY
def test_stable_order_and_rank_cut(scores, random):
    order = stable_order(scores)
    expected = [oracles.rank_labels(row) for row in scores]
    np.testing.assert_array_equal(order, expected)
    counts = np.array([random.randint(0, scores.shape[1]) for _ in scores])
    chosen = [set(np.flatnonzero(row)) for row in rank_cut(scores, counts)]
    assert chosen == [set(row[:n]) for row, n in zip(expected, counts, strict=True)]


@given(hnp.arrays(float, st.integers(1, 3000), elements=st.floats(0, 10, width=16)), st.data())
@settings(max_examples=40, deadline=None)
def test_streamed_quantile(values, data):
    q = data.draw(st.sampled_from([0.001, 0.01, 0.3]))
    ends = data.draw(st.lists(st.integers(0, len(values)), max_size=6).map(sorted))
    stream = _SmallestValues(len(values), q)
    for chunk in np.split(values, ends):
        stream.add(chunk)
    assert stream.quantile() == pytest.approx(np.quantile(values, q, method="hazen"), rel=1e-12)


@given(
    hnp.arrays(
        float,
        hnp.array_shapes(min_dims=2, max_dims=2, max_side=7),
        elements=st.sampled_from([0.0, -0.0, 1.0, 2.5]),
    )
)
@PROPERTY
def test_distinct_rows(rows):
    keys = [tuple(row) for row in rows.tolist()]
    distinct = list(dict.fromkeys(keys))
    stored_zeros = sp.csr_array((rows.ravel(), np.indices(rows.shape).reshape(2, -1)))
    for matrix in (rows, np.asfortranarray(rows), sp.csr_array(rows), stored_zeros):
        found = distinct_rows(matrix)
        assert found.first.tolist() == [keys.index(key) for key in distinct]
        assert found.inverse.tolist() == [distinct.index(key) for key in keys]
        assert found.counts.tolist() == [keys.count(key) for key in distinct]


@given(
    seed=st.integers(0, 2**32 - 1),
    closeness=st.sampled_from([0, 1e-12, 1e-7, 1e-4, 1e-2, 1]),
    offset=st.sampled_from([0, 1, 1e4]),
)
@PROPERTY
def test_euclidean_distances_do_not_cancel(seed, closeness, offset):
    """Each row of A has a near twin in B, however far both are from the origin."""
    rng = np.random.default_rng(seed)
    A = offset + rng.random((6, 4)) * (rng.random((6, 4)) < 0.8)
    B = np.concatenate([A * (1 + closeness * rng.random(A.shape)), rng.random((3, 4))])
    expected = cdist(A, B)
    for left, right in ((A, B), (sp.csr_array(A), sp.csr_array(B)), (A, sp.csr_array(B))):
        np.testing.assert_allclose(euclidean(left, right), expected, rtol=1e-11, atol=0)


@given(st.lists(st.floats(0.5, 300), min_size=1, max_size=12), st.integers(0, 3))
@PROPERTY
def test_doubling_chains_give_the_weights_of_each_power(powers, n_doublings):
    powers = np.array([p * 2**k for p in powers for k in range(n_doublings + 1)])
    chains = doubling_chains(powers)
    assert sorted(index for chain in chains for index in chain) == list(range(len(powers)))
    distances = np.array([[1.0, -2.0, 1.01], [0.5, 0.4, 0.41]])
    ratios = LogRatios(distances)
    smallest = np.abs(distances).min(axis=1, keepdims=True)
    for chain in chains:
        for index, weights in zip(chain, ratios.weights_along(powers[chain]), strict=True):
            expected = (smallest / np.abs(distances)).T ** powers[index]
            np.testing.assert_allclose(weights, expected, rtol=1e-10)


@pytest.mark.parametrize("ridge", [0.1, 1, 30])
def test_the_ridge_is_so_many_times_the_papers(ridge):
    rng = np.random.default_rng(0)
    X, Y = rng.random((30, 3)), (rng.random((30, 4)) < 0.4).astype(int)
    regression = DistanceRegression(ridge=ridge).fit(X, Y)
    alpha = ridge * DistanceRegression().fit(X, Y).alpha_
    assert regression.alpha_ == alpha
    D = cdist(X, X)
    coefficients = np.linalg.solve(D.T @ D + alpha * np.eye(30), D.T @ cdist(Y, Y))
    distances = regression.predict(X).to_label_vectors[:, regression.label_vectors_.of_row]
    np.testing.assert_allclose(distances, D @ coefficients, atol=1e-7)
    for method in (MultiLabelMLM, NearestNeighborMLM, LocalizationMLM, BinaryRelevanceMLM):
        assert method(ridge=ridge).fit(X, Y).regression_.alpha_ == alpha
        with pytest.raises(ValueError, match="ridge"):
            method(ridge=0).fit(X, Y)
