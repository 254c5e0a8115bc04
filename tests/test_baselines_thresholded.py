"""Thresholds around any classifier: where scores come from, how they are cut, what is refused."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import _SigmoidCalibration
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from mlmlm import BinaryRelevanceMLM, MultiLabelMLM, NearestNeighborMLM
from mlmlm._calibration import Sigmoids
from mlmlm.baselines import (
    BaggedEnsemble,
    BinaryRelevance,
    LabelChain,
    MultiLabelForest,
    Thresholded,
)
from mlmlm.scores import has_scores, label_scores, score_method
from mlmlm.thresholds import cardinality_threshold, transductive_cut


@pytest.fixture(scope="module")
def data():
    """Training inputs and labels, and test inputs."""
    X, Y = make_multilabel_classification(
        n_samples=90, n_features=6, n_classes=4, allow_unlabeled=True, random_state=0
    )
    return X[:70], Y[:70], X[70:]


class Memory(ClassifierMixin, BaseEstimator):
    """Knows the labels of the rows of training by heart; of others it says their first feature."""

    def fit(self, X, y):
        self.known_ = {row.tobytes(): labels for row, labels in zip(X, y, strict=True)}
        self.n_labels_ = y.shape[1]
        return self

    def predict(self, X):
        return (self.predict_proba(X) > 0.5).astype(int)

    def predict_proba(self, X):
        unknown = [np.full(self.n_labels_, row[0]) for row in X]
        return np.array(
            [self.known_.get(row.tobytes(), other) for row, other in zip(X, unknown, strict=True)],
            dtype=float,
        )


class Given(Memory):
    """An ensemble whose out-of-bag scores are given."""

    def __init__(self, oob=None):
        self.oob = oob

    def fit(self, X, y):
        super().fit(X, y)
        self.oob_decision_function_ = np.array(self.oob)
        return self


# Where scores come from


def test_cross_validated_scores_never_see_the_row_itself():
    rng = np.random.default_rng(0)
    X = rng.uniform(0.2, 0.8, size=(40, 1))
    Y = rng.integers(2, size=(40, 3))
    model = Thresholded(Memory(), cv=4).fit(X, Y)
    # A row that was seen would score 0 or 1 and move the threshold out of the features' range.
    assert model.threshold_ == cardinality_threshold(np.tile(X, 3), int(Y.sum()))
    np.testing.assert_array_equal(model.estimator_.predict(X), Y)  # fitted on all rows


@pytest.mark.parametrize("cv", [2, 5])
def test_cross_validated_scores_are_scikit_learns(cv, data):
    X, Y, _ = data
    classifier = BinaryRelevance(LogisticRegression())
    folds = KFold(cv, shuffle=True, random_state=3)
    scores = cross_val_predict(classifier, X, Y, cv=folds, method="predict_proba")
    model = Thresholded(classifier, cv=cv, random_state=3).fit(X, Y)
    assert model.threshold_ == pytest.approx(cardinality_threshold(scores, int(Y.sum())))


@pytest.mark.parametrize("scores", ["auto", "oob"])
def test_out_of_bag_scores_are_scikit_learns(scores, data):
    X, Y, X_test = data
    forest = RandomForestClassifier(60, oob_score=True, random_state=0).fit(X, Y)
    model = Thresholded(clone(forest), scores=scores).fit(X, Y)
    oob = forest.oob_decision_function_[:, 1]
    assert model.threshold_ == cardinality_threshold(oob, int(Y.sum()))
    np.testing.assert_array_equal(model.predict_proba(X_test), label_scores(forest, X_test))


def test_cross_validation_can_be_had_in_spite_of_out_of_bag_scores(data):
    X, Y, _ = data
    forest = RandomForestClassifier(20, oob_score=True, random_state=0)
    folds = KFold(5, shuffle=True, random_state=0)
    scores = np.empty(Y.shape)
    for others, rows in folds.split(X):
        scores[rows] = label_scores(clone(forest).fit(X[others], Y[others]), X[rows])
    model = Thresholded(forest, scores="cv").fit(X, Y)
    assert model.threshold_ == cardinality_threshold(scores, int(Y.sum()))


@pytest.mark.parametrize(("members", "source"), [(10, "cv"), (50, "oob")])
def test_few_members_leave_the_threshold_to_cross_validation(members, source, data):
    X, Y, _ = data
    forest = RandomForestClassifier(members, oob_score=True, random_state=1)
    chosen = Thresholded(forest, random_state=1).fit(X, Y).threshold_
    assert chosen == Thresholded(forest, scores=source, random_state=1).fit(X, Y).threshold_


def test_rows_without_an_out_of_bag_score_do_not_count():
    X, Y = np.arange(4.0).reshape(-1, 1), np.array([[1, 0], [1, 1], [0, 0], [1, 0]])
    oob = [[0.9, 0.2], [np.nan, np.nan], [0.4, 0.1], [0.8, 0.3]]
    model = Thresholded(Given(oob)).fit(X, Y)
    assert model.threshold_ == pytest.approx((0.8 + 0.4) / 2)


# What they are cut at


@pytest.mark.parametrize(
    "estimator",
    [
        KNeighborsClassifier(),
        make_pipeline(MinMaxScaler(), KNeighborsClassifier()),
        MultiOutputClassifier(LogisticRegression()),
        BinaryRelevance(SVC()),
        LabelChain(LogisticRegression()),
        BaggedEnsemble(BinaryRelevance(DecisionTreeClassifier()), 3),
        MultiLabelForest(20),
        MultiLabelMLM(),
        BinaryRelevanceMLM(),
    ],
    ids=lambda e: type(e).__name__,
)
def test_scores_pass_through_and_labels_are_cut_from_them(estimator, data):
    X, Y, X_test = data
    model = Thresholded(estimator, random_state=1).fit(X, Y)
    for name in ("predict_proba", "decision_function"):
        assert hasattr(model, name) == hasattr(estimator, name)
    scores = label_scores(model.estimator_, X_test)
    np.testing.assert_array_equal(label_scores(model, X_test), scores)
    assert scores.shape == (len(X_test), Y.shape[1])
    predicted = model.predict(X_test)
    assert predicted.dtype == np.int64
    np.testing.assert_array_equal(predicted, scores > model.threshold_)
    assert model.cardinality_ == pytest.approx(Y.sum(axis=1).mean())


def test_fixed_rule_cuts_at_a_half(data):
    X, Y, X_test = data
    model = Thresholded(KNeighborsClassifier(4), rule="fixed").fit(X, Y)
    assert model.threshold_ == 0.5
    np.testing.assert_array_equal(model.predict(X_test), model.predict_proba(X_test) > 0.5)


def test_transductive_rule_cuts_the_rows_that_are_predicted(data):
    X, Y, X_test = data
    model = Thresholded(KNeighborsClassifier(), rule="transductive").fit(X, Y)
    assert model.threshold_ is None
    for rows in (X_test, X_test[:5]):
        expected = transductive_cut(model.predict_proba(rows), Y.sum() / len(Y))
        np.testing.assert_array_equal(model.predict(rows), expected)


# Seeds, copies, forms of data


@pytest.mark.parametrize(
    "estimator",
    [MultiLabelForest(40), make_pipeline(MinMaxScaler(), RandomForestClassifier(5))],
    ids=lambda e: type(e).__name__,
)
def test_the_seed_reaches_the_estimator_inside(estimator, data):
    X, Y, X_test = data
    scores = [
        label_scores(Thresholded(estimator, random_state=seed, cv=2).fit(X, Y), X_test)
        for seed in (1, 1, 2)
    ]
    np.testing.assert_array_equal(scores[0], scores[1])
    assert (scores[0] != scores[2]).any()


def test_the_seed_is_handed_on_as_it_is(data):
    X, Y, _ = data
    model = Thresholded(RandomForestClassifier(5), random_state=7, cv=2).fit(X, Y)
    assert model.estimator_.random_state == 7


def test_copies(data):
    X, Y, X_test = data
    model = Thresholded(KNeighborsClassifier(3), cv=3).fit(X, Y)
    again = clone(model).fit(X, Y)
    assert again.threshold_ == model.threshold_
    restored = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(restored.predict(X_test), model.predict(X_test))


@pytest.mark.parametrize("form", [pd.DataFrame, sp.csr_array])
def test_data_frames_and_sparse_matrices(form, data):
    X, Y, X_test = data
    model = Thresholded(BinaryRelevance(LogisticRegression()), cv=3).fit(X, Y)
    other = clone(model).fit(form(X), form(Y))
    assert other.threshold_ == pytest.approx(model.threshold_, abs=1e-3)
    np.testing.assert_array_equal(other.predict(form(X_test)), model.predict(X_test))


# What is refused


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Thresholded(NearestNeighborMLM()), "NearestNeighborMLM has no scores"),
        (Thresholded(MultiOutputClassifier(Perceptron())), "has no scores"),
        (
            Thresholded(KNeighborsClassifier(), rule="half"),
            "'rule' parameter of Thresholded must be a str",
        ),
        (
            Thresholded(KNeighborsClassifier(), scores="loo"),
            "'scores' parameter .*'auto', 'oob', 'cv'",
        ),
        (Thresholded(KNeighborsClassifier(), cv=1), "'cv' parameter of Thresholded must be an int"),
        (Thresholded(KNeighborsClassifier(), scores="oob"), "has no out-of-bag scores"),
        (Thresholded(BinaryRelevance(SVC()), rule="fixed"), "ranks by a decision function"),
    ],
)
def test_wrong_settings_are_told_in_one_line(model, message, data):
    X, Y, _ = data
    with pytest.raises(ValueError, match=message) as error:
        model.fit(X, Y)
    assert "\n" not in str(error.value)


# Scores of any estimator


def test_probabilities_are_preferred_but_for_the_distance_regression_methods():
    assert score_method(KNeighborsClassifier()) == "predict_proba"
    assert score_method(SVC()) == "decision_function"
    assert score_method(MultiLabelMLM()) == "decision_function"
    assert not has_scores(NearestNeighborMLM())


def test_scores_of_forests_with_labels_of_one_class():
    X, Y = np.arange(6.0).reshape(-1, 1), np.zeros((6, 3), dtype=int)
    Y[:3, 0], Y[:, 2] = 1, 1
    scores = label_scores(RandomForestClassifier(5, random_state=0).fit(X, Y), X)
    np.testing.assert_array_equal(scores[:, 1:], np.tile([0.0, 1.0], (6, 1)))
    with pytest.raises(ValueError, match="has no scores"):
        label_scores(NearestNeighborMLM().fit(X, Y), X)


# Calibration


@pytest.fixture(scope="module")
def margins():
    """Out-of-sample decision values of very different units, and labels."""
    rng = np.random.default_rng(3)
    labels = (rng.random((120, 3)) < [0.5, 0.3, 0.1]).astype(np.int64)
    return (labels + rng.normal(size=labels.shape)) * [1, 50, 0.02], labels


def test_sigmoids_are_those_of_scikit_learn(margins):
    values, labels = margins
    found = Sigmoids(values, labels)(values)
    for column, label, ours in zip(values.T, labels.T, found.T, strict=True):
        theirs = _SigmoidCalibration().fit(column, label).predict(column)
        np.testing.assert_allclose(ours, theirs, atol=2e-3)


def test_sigmoids_do_not_depend_on_the_units_of_a_label(margins):
    values, labels = margins
    scaled = values * [1000, 0.001, 7]
    np.testing.assert_allclose(
        Sigmoids(values, labels)(values), Sigmoids(scaled, labels)(scaled), atol=1e-3
    )


def test_sigmoids_never_fall_and_keep_what_is_beyond_doubt():
    values = np.array([[-1.0, -np.inf, 0.0], [0.0, -np.inf, 0.0], [1.0, np.inf, 0.0]] * 4)
    labels = np.array([[1, 0, 0], [0, 0, 0], [0, 1, 0]] * 4)
    found = Sigmoids(values, labels)(values)
    assert np.ptp(found[:, 0]) == 0  # what falls with relevance says nothing
    assert 0.25 < found[0, 0] < 0.45
    np.testing.assert_array_equal(found[:, 1], [0.0, 0.0, 1.0] * 4)
    np.testing.assert_allclose(found[:, 2], 1 / (12 + 2))


def test_calibrated_margins_are_probabilities_and_are_cut_as_such(data):
    X, Y, new = data
    machine = BinaryRelevance(SVC())
    model = Thresholded(machine, calibration="sigmoid").fit(X, Y)
    assert not hasattr(Thresholded(machine), "predict_proba")
    values = np.empty(Y.shape)
    for train, test in KFold(5, shuffle=True, random_state=0).split(X):
        values[test] = clone(machine).fit(X[train], Y[train]).decision_function(X[test])
    sigmoids = Sigmoids(values, Y)
    assert model.threshold_ == cardinality_threshold(sigmoids(values), int(Y.sum()))
    expected = sigmoids(clone(machine).fit(X, Y).decision_function(new))
    np.testing.assert_allclose(model.predict_proba(new), expected)
    np.testing.assert_array_equal(model.predict(new), expected > model.threshold_)
    np.testing.assert_array_equal(label_scores(model, new), model.predict_proba(new))
    fixed = Thresholded(machine, rule="fixed", calibration="sigmoid").fit(X, Y)
    np.testing.assert_array_equal(fixed.predict(new), fixed.predict_proba(new) > 0.5)


def test_probabilities_are_not_calibrated(data):
    X, Y, _ = data
    with pytest.raises(ValueError, match="has probabilities"):
        Thresholded(KNeighborsClassifier(), calibration="sigmoid").fit(X, Y)
