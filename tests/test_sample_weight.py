"""Rows that count more than once, less than once, or not at all."""

from functools import partial
from itertools import pairwise

import dask.array as da
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import make_multilabel_classification
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from mlmlm import (
    BinaryRelevanceMLM,
    DistanceRegression,
    LocalizationMLM,
    MultiLabelMLM,
    NearestNeighborMLM,
)
from mlmlm.thresholds import cardinality_threshold, weighted_threshold
from tests import oracles

CLASSIFIERS = [MultiLabelMLM, LocalizationMLM, BinaryRelevanceMLM, NearestNeighborMLM]
CHOSEN = [*range(0, 20, 2), *range(25, 50, 2)]  # no two inputs are equal
POWERS = [0.5, 1, 2, 4, 8, 16]
SCORE_METHODS = ["decision_function", "predict_proba"]

for_each = pytest.mark.parametrize("classifier", CLASSIFIERS)
for_references = pytest.mark.parametrize(
    "references", [None, CHOSEN], ids=["every input", "chosen"]
)


@pytest.fixture(scope="module", params=["dense", "sparse"])
def data(request):
    """Training inputs and labels, and test inputs; few ones in the labels are kept sparse."""
    X, Y = make_multilabel_classification(70, 6, n_classes=5, allow_unlabeled=True, random_state=1)
    X = MinMaxScaler().fit_transform(X)
    X[20:24] = X[10:14]  # equal inputs with other labels
    if request.param == "sparse":
        Y = np.hstack([Y[:, :2] & Y[:, 2:4], np.eye(30, dtype=int)[np.arange(70) % 30]])
    return X[:50], Y[:50], X[50:]


@pytest.fixture(scope="module")
def small():
    rng = np.random.default_rng(5)
    X, Y = rng.random((14, 3)), rng.integers(0, 2, (14, 4))
    X[7] = X[2]
    return X, Y, rng.random((9, 3))


def repeated(weights, *tables):
    return [np.repeat(table, weights, axis=0) for table in tables]


def places_of(references, weights):
    """Where the first copies of rows are once each is repeated."""
    return None if references is None else (np.cumsum(weights) - weights)[references]


def assert_same(model, expected, X):
    """Labels, scores and what was chosen of two fitted classifiers."""
    np.testing.assert_array_equal(model.predict(X), expected.predict(X))
    np.testing.assert_allclose(model.predict_distances(X), expected.predict_distances(X), atol=1e-9)
    for method in [name for name in SCORE_METHODS if hasattr(model, name)]:
        np.testing.assert_allclose(
            getattr(model, method)(X), getattr(expected, method)(X), atol=1e-7
        )
    if isinstance(model, MultiLabelMLM):
        assert model.power_ == expected.power_
        assert model.threshold_ == pytest.approx(expected.threshold_, abs=1e-9)


# Whole numbers


@for_each
@for_references
def test_a_weight_of_two_is_as_two_rows(classifier, references, data):
    X, Y, X_test = data
    weights = np.random.default_rng(0).integers(1, 4, len(X))
    model = classifier(references=references).fit(X, Y, weights)
    expected = classifier(references=places_of(references, weights)).fit(*repeated(weights, X, Y))
    assert model.regression_.label_vectors_.is_sparse == (Y.shape[1] > 5)
    assert_same(model, expected, X_test)


@for_references
@pytest.mark.parametrize(
    "parameters",
    [
        {"ranking": "log_odds"},
        {"threshold": "local_rcut"},
        {"calibration": "sigmoid"},
        {"calibration": "isotonic"},
        {"calibration": "sigmoid", "ranking": "log_odds"},
    ],
    ids=str,
)
def test_it_is_in_all_that_ml_mlm_chooses(parameters, references, data):
    X, Y, X_test = data
    weights = np.random.default_rng(1).integers(1, 5, len(X))
    parameters = {"power_grid": POWERS} | parameters
    model = MultiLabelMLM(**parameters, references=references).fit(X, Y, weights)
    expected = MultiLabelMLM(**parameters, references=places_of(references, weights))
    expected.fit(*repeated(weights, X, Y))
    np.testing.assert_allclose(model.loo_ranking_loss_, expected.loo_ranking_loss_, atol=1e-9)
    assert_same(model, expected, X_test)


@pytest.mark.parametrize("selection", ["random", "kmeans++", "pivoted"])
def test_as_many_references_are_the_same_ones(selection, small):
    """They are chosen among the distinct inputs, which weights do not change."""
    X, Y, X_test = small
    weights = np.arange(len(X)) % 3 + 1
    model = BinaryRelevanceMLM(references=6, selection=selection)
    expected = BinaryRelevanceMLM(references=6, selection=selection)
    assert_same(model.fit(X, Y, weights), expected.fit(*repeated(weights, X, Y)), X_test)


@for_each
@for_references
def test_a_weight_of_zero_is_as_no_row(classifier, references, data):
    """The indices of references are those of all the rows."""
    X, Y, X_test = data
    weights = np.arange(len(X)) % 3 > 0
    if references is not None:
        references = [row for row in references if weights[row]]
    model = classifier(references=references).fit(X, Y, weights)
    expected = classifier(references=places_of(references, weights.astype(int)))
    assert_same(model, expected.fit(X[weights], Y[weights]), X_test)
    assert model.regression_.n_rows_ == weights.sum()


@for_each
def test_weights_of_one_change_nothing(classifier, data):
    X, Y, X_test = data
    model, expected = classifier().fit(X, Y, np.ones(len(X))), classifier().fit(X, Y)
    np.testing.assert_array_equal(model.predict(X_test), expected.predict(X_test))
    np.testing.assert_array_equal(
        model.predict_distances(X_test), expected.predict_distances(X_test)
    )


@for_each
@for_references
def test_sparse_inputs_have_weights_too(classifier, references, data):
    X, Y, X_test = data
    weights = np.arange(len(X)) % 4 + 1
    model = classifier(references=references).fit(sp.csr_array(X), Y, weights)
    assert_same(model, classifier(references=references).fit(X, Y, weights), X_test)


@settings(max_examples=30)
@given(st.data())
def test_repeating_rows_and_weighing_them_are_the_same(small, data):
    X, Y, X_test = small
    weights = data.draw(arrays(np.intp, len(X), elements=st.integers(0, 3)).filter(np.any))
    some = np.flatnonzero(weights)
    references = data.draw(st.none() | st.permutations([0, 1, 2, 3, 5, 9]).map(lambda p: p[:3]))
    if references is not None:
        weights[references] = np.maximum(weights[references], 1)
    model = MultiLabelMLM(power_grid=POWERS, references=references).fit(X, Y, weights)
    expected = MultiLabelMLM(power_grid=POWERS, references=places_of(references, weights))
    expected.fit(*repeated(weights, X, Y))
    np.testing.assert_allclose(model.loo_ranking_loss_, expected.loo_ranking_loss_, atol=1e-6)
    np.testing.assert_allclose(
        model.predict_distances(X_test), expected.predict_distances(X_test), atol=1e-6
    )
    assert len(model.regression_.leverage_) == len(np.flatnonzero(weights)) >= len(some)


# Fractions, against the plainest computation


class WeightedRegression:
    """Ridge regression in which rows have weights, solved anew for each row left out."""

    def __init__(self, X, Y, weights, references=None):
        self.Y, self.weights = Y, weights
        self.points = oracles.distinct(X) if references is None else X[references]
        self.alpha = oracles.ridge(self.points)
        self.D = oracles.pairwise(X, self.points)
        self.to_labels = oracles.pairwise(Y, Y)

    def coefficients(self, targets, weights):
        left = self.D.T @ np.diag(weights) @ self.D + self.alpha * np.eye(len(self.points))
        return np.linalg.solve(left, self.D.T @ np.diag(weights) @ targets)

    def predict(self, X, targets=None):
        targets = self.to_labels if targets is None else targets
        return oracles.pairwise(X, self.points) @ self.coefficients(targets, self.weights)

    def leave_one_out(self):
        """Without one unit of the weight of a row, or without all of it if it is less."""
        predicted = []
        for row, weight in enumerate(self.weights):
            weights = self.weights.copy()
            weights[row] -= min(weight, 1)
            predicted.append(self.D[row] @ self.coefficients(self.to_labels, weights))
        return np.array(predicted)

    def scores(self, distances, power):
        votes = self.weights * np.abs(distances) ** -power
        return votes @ self.Y / votes.sum(axis=1, keepdims=True)


def weighted_loss(scores, Y, weights):
    """Mean ranking loss over the rows that have a label, by their weights."""
    losses = [
        oracles.mean_ranking_loss(row[None], labels[None])
        for row, labels in zip(scores, Y, strict=True)
    ]
    return weights @ losses / (weights @ Y.any(axis=1))


def threshold_by_trial(scores, n_relevant, weights):
    """Of all cuts between unequal scores the one whose weight above is nearest; the upper if two
    are as near."""
    values = sorted(set(scores.ravel()), reverse=True)
    cuts = [
        np.inf,
        *((above + below) / 2 for above, below in pairwise(values)),
        -np.inf,
    ]
    off = [abs(weights @ (scores > cut).sum(axis=1) - n_relevant) for cut in cuts]
    return cuts[min(range(len(cuts)), key=lambda k: (round(off[k], 9), k))]


@pytest.fixture(scope="module", params=[None, [0, 3, 4, 8, 11]], ids=["every input", "chosen"])
def weighted(request, small):
    """Weights below and above one, and what they make of each method in the plainest way."""
    X, Y, X_test = small
    weights = np.random.default_rng(8).choice([0.2, 0.7, 1.0, 1.6, 3.3], len(X))
    return request.param, weights, WeightedRegression(X, Y, weights, request.param), X, X_test


def test_fractions_weigh_in_distances_and_leave_one_out(weighted):
    references, weights, plain, X, X_test = weighted
    regression = DistanceRegression(references=references).fit(X, plain.Y, weights)
    which = regression.label_vectors_.of_row
    assert regression.alpha_ == pytest.approx(plain.alpha)
    np.testing.assert_allclose(
        regression.predict(X_test).to_label_vectors[:, which], plain.predict(X_test), atol=1e-9
    )
    left_out = np.empty((len(X), len(X)))
    for block in regression.leave_one_out().map(lambda block: block):
        left_out[block.rows] = block.distances[:, which]
        np.testing.assert_array_equal(block.weights, weights[block.rows])
    np.testing.assert_allclose(left_out, plain.leave_one_out(), atol=1e-8)


def test_fractions_weigh_in_leverages(weighted):
    references, weights, plain, X, _ = weighted
    regression = DistanceRegression(references=references).fit(X, plain.Y, weights)
    hat = plain.D @ plain.coefficients(np.eye(len(X)), weights)
    np.testing.assert_allclose(regression.leverage_ * weights, np.diag(hat), atol=1e-9)


def test_fractions_weigh_in_ml_mlm(weighted):
    references, weights, plain, X, X_test = weighted
    model = MultiLabelMLM(power_grid=POWERS, references=references).fit(X, plain.Y, weights)
    left_out = plain.leave_one_out()
    losses = [weighted_loss(plain.scores(left_out, power), plain.Y, weights) for power in POWERS]
    np.testing.assert_allclose(model.loo_ranking_loss_, losses, atol=1e-9)
    assert model.power_ == POWERS[int(np.argmin(np.round(losses, 12)))]
    scores = plain.scores(plain.predict(X_test), model.power_)
    np.testing.assert_allclose(model.predict_proba(X_test), scores, atol=1e-9)
    threshold = threshold_by_trial(
        plain.scores(left_out, model.power_), weights @ plain.Y.sum(axis=1), weights
    )
    assert model.threshold_ == pytest.approx(threshold)
    np.testing.assert_array_equal(model.predict(X_test), scores > threshold)


def multilateration_cost(y, to_zero, to_one, share):
    """Of a label that a share of the weight has."""
    return (1 - share) * (y**2 - to_zero**2) ** 2 + share * ((y - 1) ** 2 - to_one**2) ** 2


def test_fractions_weigh_in_br_mlm(weighted):
    """Scores minimise the cost over a fine grid about them, and beat all of a coarse one."""
    references, weights, plain, X, X_test = weighted
    model = BinaryRelevanceMLM(references=references).fit(X, plain.Y, weights)
    scores = model.decision_function(X_test)
    for label, values in enumerate(plain.Y.T):
        cost = partial(
            multilateration_cost,
            to_zero=plain.predict(X_test, values)[:, None],
            to_one=plain.predict(X_test, 1 - values)[:, None],
            share=np.average(values, weights=weights),
        )
        found = scores[:, [label]]
        others = np.hstack([found - 1e-3, found + 1e-3, np.tile(np.linspace(-3, 3, 500), (9, 1))])
        assert (cost(found) <= cost(others) + 1e-12).all()


def test_fractions_weigh_in_lls_mlm(weighted):
    references, weights, plain, X, X_test = weighted
    model = LocalizationMLM(references=references).fit(X, plain.Y, weights)
    expected = []
    for distances in plain.predict(X_test):
        anchor = plain.Y[np.argmin(distances)]
        left = plain.Y - anchor
        right = ((left**2).sum(axis=1) + distances.min() ** 2 - distances**2) / 2
        root = np.sqrt(weights)
        expected.append(anchor + oracles.basic_solution(root[:, None] * left, root * right))
    np.testing.assert_allclose(model.decision_function(X_test), expected, atol=1e-8)


def test_fractions_weigh_in_nn_mlm(weighted):
    references, weights, plain, X, X_test = weighted
    model = NearestNeighborMLM(references=references).fit(X, plain.Y, weights)
    nearest = plain.Y[plain.predict(X_test).argmin(axis=1)]
    np.testing.assert_array_equal(model.predict(X_test), nearest)


tables = arrays(np.float64, (5, 3), elements=st.integers(0, 8).map(lambda n: n / 8))


@given(tables, arrays(np.float64, 5, elements=st.integers(1, 12).map(lambda n: n / 4)), st.data())
def test_weighted_threshold_is_the_best_of_all_cuts(scores, weights, data):
    n_relevant = data.draw(st.integers(0, 12).map(lambda n: n * weights.sum() / 4))
    expected = threshold_by_trial(scores, n_relevant, weights)
    assert weighted_threshold(scores, n_relevant, weights) == expected


@given(tables, arrays(np.intp, 5, elements=st.integers(1, 4)), st.data())
def test_weighted_threshold_is_that_of_repeated_rows(scores, weights, data):
    n_relevant = data.draw(st.integers(0, 3 * weights.sum()))
    expected = cardinality_threshold(np.repeat(scores, weights, axis=0), n_relevant)
    assert weighted_threshold(scores, n_relevant, weights.astype(float)) == expected


# How they are given


def test_a_pipeline_hands_them_on(data):
    X, Y, X_test = data
    weights = np.linspace(0.1, 2, len(X))
    pipeline = make_pipeline(MinMaxScaler(), MultiLabelMLM())
    pipeline.fit(X, Y, multilabelmlm__sample_weight=weights)
    scaler = MinMaxScaler().fit(X)
    expected = MultiLabelMLM().fit(scaler.transform(X), Y, weights)
    np.testing.assert_array_equal(
        pipeline.predict_proba(X_test), expected.predict_proba(scaler.transform(X_test))
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda w: -w, "Negative values"),
        (lambda w: 0 * w, "at least one non-zero"),
        (lambda w: w * np.nan, "sample_weight contains NaN"),
        (lambda w: w / 0, "sample_weight contains infinity"),
        (lambda w: w[1:], r"\(49,\), expected \(50,\)"),
        (lambda w: np.tile(w, (2, 1)).T, "1D array"),
        (lambda w: ["heavy"] * len(w), "could not convert string to float"),
    ],
)
@for_each
@np.errstate(divide="ignore")
def test_bad_weights_are_refused_in_one_line(classifier, change, message, data):
    X, Y, _ = data
    with pytest.raises(ValueError, match=message) as caught:
        classifier().fit(X, Y, change(np.ones(len(X))))
    assert "\n" not in str(caught.value)


def test_a_reference_without_weight_is_refused(small):
    X, Y, _ = small
    weights = np.ones(len(X))
    weights[3] = 0
    with pytest.raises(ValueError, match="index 3, but no such row is among the 13 whose weight"):
        MultiLabelMLM(references=[2, 3]).fit(X, Y, weights)


def test_dask_arrays_have_none(small):
    X, Y, _ = small
    with pytest.raises(ValueError, match="no sample_weight; repeat rows instead"):
        MultiLabelMLM(references=3).fit(da.from_array(X), da.from_array(Y), np.ones(len(X)))
