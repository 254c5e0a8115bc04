"""Binary relevance, chains, bags and forests, against scikit-learn and plain loops."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from mlmlm import metrics
from mlmlm.baselines import BaggedEnsemble, BinaryRelevance, LabelChain, MultiLabelForest
from mlmlm.baselines._bagging import bootstrap_counts
from mlmlm.baselines._java_random import JavaRandom
from mlmlm.scores import label_scores


@pytest.fixture(scope="module")
def data():
    """Training inputs and labels, and test inputs."""
    X, Y = make_multilabel_classification(
        n_samples=100, n_features=6, n_classes=4, allow_unlabeled=True, random_state=1
    )
    return X[:80], Y[:80], X[80:]


@pytest.fixture(scope="module")
def with_constants(data):
    """The same with a label that is never relevant, first, and one that always is, last."""
    X, Y, X_test = data
    return X, np.column_stack([np.zeros(len(Y), int), Y, np.ones(len(Y), int)]), X_test


TREE = DecisionTreeClassifier(random_state=0)
MODELS = [
    BinaryRelevance(SVC()),
    BinaryRelevance(AdaBoostClassifier(n_estimators=5), random_state=1),
    LabelChain(SVC()),
    LabelChain(LogisticRegression(), order="random", random_state=3),
    BaggedEnsemble(BinaryRelevance(TREE), 4, random_state=1),
    BaggedEnsemble(LabelChain(TREE, order="random"), 4, voting="hard", random_state=1),
    MultiLabelForest(10, random_state=1),
]
for_each = pytest.mark.parametrize("model", MODELS, ids=lambda e: type(e).__name__)


# What all have in common


@for_each
def test_labels_with_one_class_are_constant(model, with_constants):
    X, Y, X_test = with_constants
    model = clone(model).fit(X, Y)
    predicted, scores = model.predict(X_test), label_scores(model, X_test)
    assert predicted.shape == scores.shape == (len(X_test), Y.shape[1])
    assert not predicted[:, 0].any()
    assert predicted[:, -1].all()
    # The label that always was ranks first, the one that never was last.
    assert (scores[:, -1:] >= scores).all()
    assert (scores[:, :1] <= scores).all()
    assert 0 <= metrics.ranking_loss(predicted, scores) <= 1


@pytest.mark.parametrize("model", [MODELS[0], MODELS[-1]], ids=lambda e: type(e).__name__)
def test_constant_labels_do_not_change_the_others(model, data, with_constants):
    plain = clone(model).fit(*data[:2])
    wide = clone(model).fit(*with_constants[:2])
    np.testing.assert_array_equal(wide.predict(data[2])[:, 1:-1], plain.predict(data[2]))


@for_each
def test_the_seed_decides(model, data):
    X, Y, X_test = data
    twice = [label_scores(clone(model).fit(X, Y), X_test) for _ in range(2)]
    np.testing.assert_array_equal(*twice)


@for_each
def test_copies(model, data):
    X, Y, X_test = data
    model = clone(model).fit(X, Y)
    restored = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(restored.predict(X_test), model.predict(X_test))
    np.testing.assert_array_equal(label_scores(restored, X_test), label_scores(model, X_test))


@for_each
def test_sparse_inputs(model, data):
    X, Y, X_test = data
    dense = clone(model).fit(X, Y)
    sparse = clone(model).fit(sp.csr_array(X), sp.csr_array(Y))
    np.testing.assert_array_equal(sparse.predict(sp.csr_array(X_test)), dense.predict(X_test))


# Binary relevance


def test_binary_relevance_is_scikit_learns_one_versus_rest(data):
    X, Y, X_test = data
    ours, theirs = BinaryRelevance(SVC()).fit(X, Y), OneVsRestClassifier(SVC()).fit(X, Y)
    np.testing.assert_array_equal(ours.predict(X_test), theirs.predict(X_test))
    np.testing.assert_array_equal(ours.decision_function(X_test), theirs.decision_function(X_test))
    assert not hasattr(ours, "predict_proba")


def test_binary_relevance_is_a_classifier_for_each_column(data):
    X, Y, X_test = data
    model = BinaryRelevance(TREE).fit(X, Y)
    for column, label in enumerate(Y.T):
        alone = clone(TREE).fit(X, label)
        np.testing.assert_array_equal(model.predict(X_test)[:, column], alone.predict(X_test))
        np.testing.assert_array_equal(
            model.predict_proba(X_test)[:, column], alone.predict_proba(X_test)[:, 1]
        )


def test_constant_labels_are_infinitely_far_from_the_margin(with_constants):
    X, Y, X_test = with_constants
    scores = BinaryRelevance(SVC()).fit(X, Y).decision_function(X_test)
    assert (scores[:, 0] == -np.inf).all()
    assert (scores[:, -1] == np.inf).all()
    assert np.isfinite(scores[:, 1:-1]).all()


def test_binary_relevance_seeds_its_members_each_in_its_own_way(data):
    X, Y, _ = data
    model = BinaryRelevance(RandomForestClassifier(2), random_state=1).fit(X, Y)
    seeds = [member.random_state for member in model.models_]
    assert len(set(seeds)) == len(seeds)
    unseeded = BinaryRelevance(RandomForestClassifier(2, random_state=5)).fit(X, Y)
    assert {member.random_state for member in unseeded.models_} == {5}


def test_binary_relevance_has_the_out_of_bag_scores_of_its_members(with_constants):
    X, Y, _ = with_constants
    forest = RandomForestClassifier(50, oob_score=True)
    model = BinaryRelevance(forest, random_state=1).fit(X, Y)
    oob = model.oob_decision_function_
    assert oob.shape == Y.shape
    for column in (1, 4):
        member = clone(model.models_[column]).fit(X, Y[:, column])
        np.testing.assert_array_equal(oob[:, column], member.oob_decision_function_[:, 1])
    np.testing.assert_array_equal(oob[:, [0, -1]], Y[:, [0, -1]])
    model.set_params(estimator=SVC()).fit(X, Y)
    assert not hasattr(model, "oob_decision_function_")


# Chains


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 0, 3, 1]])
def test_a_chain_is_scikit_learns(order, data):
    X, Y, X_test = data
    base = LogisticRegression(tol=1e-10, max_iter=10_000)
    ours = LabelChain(base, order=order).fit(X, Y)
    theirs = ClassifierChain(base, order=order).fit(X, Y)
    np.testing.assert_array_equal(ours.predict(X_test), theirs.predict(X_test))
    for method in ("predict_proba", "decision_function"):
        np.testing.assert_allclose(
            getattr(ours, method)(X_test), getattr(theirs, method)(X_test), atol=1e-4
        )


def test_orders_of_chains(data):
    X, Y, _ = data
    orders = [
        LabelChain(TREE, order="random", random_state=seed).fit(X, Y).order_.tolist()
        for seed in (1, 1, 2, 3)
    ]
    assert orders[0] == orders[1]
    assert len({*map(tuple, orders)}) > 1
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)
    assert LabelChain(TREE).fit(X, Y).order_.tolist() == [0, 1, 2, 3]


class Spy(ClassifierMixin, BaseEstimator):
    """Predicts 1 and keeps what it was given."""

    def __init__(self, n_label_inputs=0):
        self.n_label_inputs = n_label_inputs

    def fit(self, X, y):
        self.inputs_ = X
        return self

    def predict(self, X):
        return np.ones(len(X), dtype=int)


def test_labels_come_before_the_features_in_their_own_order(data):
    X, Y, _ = data
    last = LabelChain(Spy(), order=[3, 1, 0, 2]).fit(X, Y).models_[-1]
    assert last.n_label_inputs == 3
    np.testing.assert_array_equal(last.inputs_, np.hstack([Y[:, [0, 1, 3]], X]))


# Bags


def test_java_draws_these_numbers():
    """Of java.util.Random, as Java prints them; 16 and 2^30 + 3 take its two special ways."""
    generator = JavaRandom(42)
    assert [generator.below(10) for _ in range(10)] == [0, 3, 8, 4, 0, 5, 5, 8, 9, 3]
    generator = JavaRandom(1)
    bounds = [10, 16, 391, 2**30 + 3, 7] * 2
    expected = [5, 1, 367, 874970313, 6, 4, 5, 380, 13136569, 5]
    assert [generator.below(bound) for bound in bounds] == expected


@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_bootstrap_samples(seed):
    counts = bootstrap_counts(200, seed)
    assert counts.sum() == 200
    assert 0.2 < (counts == 0).mean() < 0.5


@pytest.mark.parametrize("voting", ["soft", "hard"])
def test_an_ensemble_is_the_mean_of_its_members(voting, data):
    X, Y, X_test = data
    model = BaggedEnsemble(BinaryRelevance(TREE), 5, voting=voting, random_state=4).fit(X, Y)
    total, unseen_votes = np.zeros((len(X_test), 4)), [[] for _ in X]
    for seed in range(4, 9):
        times = bootstrap_counts(len(X), seed)
        seen = times > 0
        member = BinaryRelevance(TREE, random_state=seed)
        member.fit(X[seen], Y[seen], sample_weight=times[seen])
        vote = member.predict_proba if voting == "soft" else member.predict
        total += vote(X_test)
        for row in np.flatnonzero(~seen):
            unseen_votes[row].append(vote(X[[row]])[0])
    np.testing.assert_allclose(model.predict_proba(X_test), total / 5)
    np.testing.assert_array_equal(model.predict(X_test), model.predict_proba(X_test) > 0.5)
    for scores, votes in zip(model.oob_decision_function_, unseen_votes, strict=True):
        expected = np.mean(votes, axis=0) if votes else np.full(4, np.nan)
        np.testing.assert_allclose(scores, expected)


def test_a_row_that_all_members_have_seen_has_no_out_of_bag_score(data):
    X, Y, _ = data
    oob = BaggedEnsemble(BinaryRelevance(TREE), 1, random_state=1).fit(X, Y).oob_decision_function_
    np.testing.assert_array_equal(np.isnan(oob).all(axis=1), bootstrap_counts(len(X), 1) > 0)


# Forests


@pytest.mark.parametrize("columns", [[0, 1, 2, 3], [2]])
def test_a_forest_is_scikit_learns(columns, data):
    X, Y, X_test = data
    labels = Y[:, columns]
    model = MultiLabelForest(40, max_features=0.5, random_state=2).fit(X, labels)
    forest = RandomForestClassifier(
        40, max_features=0.5, min_samples_leaf=2, oob_score=True, random_state=2
    ).fit(X, labels.squeeze())
    scores = model.predict_proba(X_test)
    if len(columns) > 1:
        np.testing.assert_array_equal(scores, label_scores(forest, X_test))
        np.testing.assert_array_equal(
            model.oob_decision_function_, forest.oob_decision_function_[:, 1]
        )
    else:
        np.testing.assert_array_equal(scores[:, 0], forest.predict_proba(X_test)[:, 1])
    np.testing.assert_array_equal(model.predict(X_test), scores > 0.5)


def test_out_of_bag_scores_of_a_forest_with_constant_labels(with_constants):
    X, Y, _ = with_constants
    oob = MultiLabelForest(30, random_state=1).fit(X, Y).oob_decision_function_
    assert oob.shape == Y.shape
    np.testing.assert_array_equal(oob[:, [0, -1]], Y[:, [0, -1]])
    assert (oob[:, 1:-1] != Y[:, 1:-1]).any()


# What is refused


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            LabelChain(TREE, order="rising"),
            "order.* must be a str among {'random'}, an array-like or None",
        ),
        (LabelChain(TREE, order=[0, 1, 1, 2]), "order must name each of the 4 columns"),
        (
            BaggedEnsemble(BinaryRelevance(TREE), voting="loud"),
            "'voting' parameter of BaggedEnsemble must be a str among",
        ),
        (
            BaggedEnsemble(BinaryRelevance(TREE), 0),
            "'n_estimators' parameter .* an int in the range",
        ),
        (BaggedEnsemble(BinaryRelevance(SVC())), "choose voting='hard'"),
        (BaggedEnsemble(BinaryRelevance(KNeighborsClassifier())), "takes no sample weights"),
    ],
)
def test_wrong_settings_are_told_in_one_line(model, message, data):
    X, Y, _ = data
    with pytest.raises(ValueError, match=message) as error:
        model.fit(X, Y)
    assert "\n" not in str(error.value)


def test_a_forest_of_nothing_is_refused(data):
    X, Y, _ = data
    with pytest.raises(ValueError, match="no label that is relevant in some rows"):
        MultiLabelForest(2).fit(X, np.zeros_like(Y))
