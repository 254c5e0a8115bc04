"""HOMER: the hierarchy of labels, the walk down it, and the published figures."""

import pickle
from itertools import permutations

import numpy as np
import pytest
import scipy.sparse as sp
from hydra import compose, initialize_config_dir
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from experiments import published
from experiments.choices import MethodChoice, plain
from experiments.run import CONFIGURATION
from mlmlm.baselines import HOMER, BinaryRelevance
from mlmlm.baselines._homer import balanced_k_means
from mlmlm.baselines._one_label import Constant
from mlmlm.datasets import DatasetError, load_dataset
from mlmlm.metrics import evaluate


@pytest.fixture(scope="module")
def data():
    """Eight labels, of which the last has no row, and test inputs."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 5))
    Y = (X @ rng.normal(size=(5, 8)) + rng.normal(size=(150, 8)) > 1.5).astype(np.int64)
    Y[:, 7] = 0
    return X[:100], Y[:100], X[100:]


def clusters(cluster):
    """A cluster and all beneath it."""
    yield cluster
    for part in cluster.parts:
        yield from clusters(part)


# The hierarchy


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 30), st.integers(2, 6), st.integers(0, 5))
def test_every_label_has_one_leaf_and_clusters_are_balanced(n_labels, n_children, seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(12, 2)), rng.integers(0, 2, size=(12, n_labels))
    root = HOMER(GaussianNB(), n_children, random_state=seed).fit(X, Y).hierarchy_
    np.testing.assert_array_equal(root.labels, range(n_labels))
    leaves = [leaf.labels.tolist() for leaf in root.leaves()]
    assert sorted(leaves) == [[label] for label in range(n_labels)]
    for cluster in clusters(root):
        if cluster.parts:
            sizes = [len(part.labels) for part in cluster.parts]
            assert max(sizes) - min(sizes) <= 1
            assert len(sizes) == min(n_children, len(cluster.labels))
            together = np.concatenate([part.labels for part in cluster.parts])
            np.testing.assert_array_equal(np.sort(together), cluster.labels)


@settings(deadline=None)
@given(arrays(np.int64, (6, 4), elements=st.integers(0, 1)), st.integers(2, 4), st.integers(0, 9))
def test_no_other_assignment_is_nearer_to_the_centres(points, n_clusters, seed):
    points = points.astype(np.float64)
    found = balanced_k_means(points, n_clusters, np.random.RandomState(seed))
    centres = np.stack([points[found == each].mean(axis=0) for each in range(n_clusters)])
    costs = ((points[:, None] - centres) ** 2).sum(axis=2)
    best = min(
        costs[range(6), np.array(found)[list(order)]].sum() for order in permutations(range(6))
    )
    assert costs[range(6), found].sum() == pytest.approx(best)


def test_labels_that_occur_together_are_clustered():
    blocks = np.repeat(np.eye(3, dtype=np.int64), 4, axis=1)  # labels 0-3, 4-7 and 8-11
    Y = np.repeat(blocks, 10, axis=0)
    found = {
        tuple(balanced_k_means(Y.T.astype(float), 3, np.random.RandomState(seed)).tolist())
        for seed in range(20)
    }
    apart = {each for each in found if len({each[0], each[4], each[8]}) == 3}
    assert any(len(set(each[:4])) == len(set(each[4:8])) == 1 for each in apart)


def test_models_see_the_rows_of_the_cluster_above(data):
    X, Y, _ = data
    root = HOMER(SVC(), random_state=0).fit(X, Y).hierarchy_
    for cluster in clusters(root):
        above = np.ones(len(Y), bool) if cluster is root else Y[:, cluster.labels].any(axis=1)
        for part in cluster.parts:
            target = Y[above][:, part.labels].any(axis=1)
            if isinstance(part.model, Constant):
                assert set(target) <= {part.model.value}
            else:
                assert part.model.shape_fit_[0] == above.sum()
                expected = SVC().fit(X[above], target).predict(X)
                np.testing.assert_array_equal(part.model.predict(X), expected)


# Predictions


def test_separable_labels_are_recovered():
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, size=(400, 10))
    X = Y + rng.uniform(-0.4, 0.4, size=Y.shape)
    model = HOMER(DecisionTreeClassifier(), random_state=0).fit(X[:300], Y[:300])
    np.testing.assert_array_equal(model.predict(X[:300]), Y[:300])
    assert (model.predict(X[300:]) == Y[300:]).mean() > 0.97


@pytest.mark.parametrize("method", ["decision_function", "predict_proba"])
def test_scores_are_those_of_the_last_classifier_asked(data, method):
    X, Y, X_test = data
    model = HOMER(LogisticRegression(), random_state=0).fit(X, Y)
    scores, labels = getattr(model, method)(X_test), model.predict(X_test)

    def walk(cluster, row):
        for part in cluster.parts:
            value = getattr(part.model, method)([row])[0]
            value = value if method == "decision_function" else value[1]
            accepted = part.model.predict([row])[0] == 1
            yield from ((label, value, accepted) for label in part.labels)
            if accepted:
                yield from walk(part, row)

    for row, row_scores, row_labels in zip(X_test, scores, labels, strict=True):
        last = {label: (value, accepted) for label, value, accepted in walk(model.hierarchy_, row)}
        for label, (value, accepted) in last.items():
            assert row_scores[label] == pytest.approx(value)
            assert row_labels[label] == accepted


def test_few_labels_are_binary_relevance(data):
    X, Y, X_test = data
    model = HOMER(SVC(), n_children=8).fit(X, Y)
    alone = BinaryRelevance(SVC()).fit(X, Y)
    np.testing.assert_array_equal(model.predict(X_test), alone.predict(X_test))
    np.testing.assert_array_equal(model.decision_function(X_test), alone.decision_function(X_test))


def test_one_label(data):
    X, Y, X_test = data
    model = HOMER(SVC()).fit(X, Y[:, :1])
    expected = SVC().fit(X, Y[:, 0]).predict(X_test)
    np.testing.assert_array_equal(model.predict(X_test)[:, 0], expected)


@pytest.mark.parametrize("value", [0, 1])
def test_labels_that_are_the_same_everywhere(data, value):
    X, Y, X_test = data
    predicted = HOMER(SVC(), random_state=0).fit(X, np.full_like(Y, value)).predict(X_test)
    np.testing.assert_array_equal(predicted, np.full((len(X_test), 8), value))


def test_scores_are_there_if_the_estimator_has_them():
    assert hasattr(HOMER(SVC()), "decision_function")
    assert not hasattr(HOMER(SVC()), "predict_proba")
    assert hasattr(HOMER(GaussianNB()), "predict_proba")
    assert not hasattr(HOMER(GaussianNB()), "decision_function")


def test_the_seed_decides(data):
    X, Y, X_test = data

    def leaves(seed, estimator=None):
        model = HOMER(estimator or GaussianNB(), random_state=seed).fit(X, Y)
        return [leaf.labels[0] for leaf in model.hierarchy_.leaves()]

    assert leaves(1) == leaves(1)
    assert len({tuple(leaves(seed)) for seed in range(5)}) > 1
    trees = [
        HOMER(DecisionTreeClassifier(max_features=1), random_state=3).fit(X, Y).predict(X_test)
        for _ in range(2)
    ]
    np.testing.assert_array_equal(*trees)


# As scikit-learn expects it

_CLASSES = "fits classes 1 and 2 in one column; label matrices hold 0 and 1"
_ONE_COLUMN = "fits a 1-D y and wants 1-D predictions; this classifier is multi-label only"


@parametrize_with_checks(
    [HOMER(RidgeClassifier(), random_state=0)],
    expected_failed_checks=lambda _: {
        "check_classifiers_classes": _ONE_COLUMN,
        "check_classifiers_train": _ONE_COLUMN,
        "check_classifier_data_not_an_array": _CLASSES,
        "check_estimators_dtypes": _CLASSES,
        "check_fit2d_1feature": _CLASSES,
    },
    xfail_strict=True,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_matrix, np.ndarray.tolist])
def test_any_form_will_do(data, form):
    X, Y, X_test = data
    expected = HOMER(SVC(), random_state=0).fit(X, Y).predict(X_test)
    model = HOMER(SVC(), random_state=0).fit(form(X), form(Y))
    np.testing.assert_array_equal(model.predict(form(X_test)), expected)


def test_copies_predict_the_same(data):
    X, Y, X_test = data
    model = HOMER(SVC(), random_state=0).fit(X, Y)
    for copy in (pickle.loads(pickle.dumps(model)), clone(model).fit(X, Y)):
        np.testing.assert_array_equal(copy.predict(X_test), model.predict(X_test))


@pytest.mark.parametrize("n_children", [1, 2.5, "3"])
def test_wrong_number_of_children(data, n_children):
    X, Y, _ = data
    with pytest.raises(
        ValueError, match=r"'n_children' parameter of HOMER must be an int in .* \[2, inf\)"
    ):
        HOMER(SVC(), n_children).fit(X, Y)


# The published figures


@pytest.mark.slow
@pytest.mark.parametrize("dataset", ["scene", "yeast"])
def test_published_cells_are_near(dataset):
    try:
        data = load_dataset(dataset)
    except DatasetError as fault:
        pytest.skip(str(fault))
    with initialize_config_dir(CONFIGURATION, version_base="1.3"):
        choice = MethodChoice("homer", plain(compose("config", ["method=homer"]).method))
    assert choice.scaling == "minmax"
    scaler = MinMaxScaler().fit(data.X_train)
    X, X_test = scaler.transform(data.X_train), scaler.transform(data.X_test)
    runs = [
        evaluate(data.Y_test, each.estimator().fit(X, data.Y_train).predict(X_test))
        for each in choice.each_seed()[:3]
    ]
    table = published.results()
    for metric in runs[0]:
        is_cell = (table.metric == metric) & (table.method == "HOMER") & (table.dataset == dataset)
        [printed] = table[is_cell]["value"]
        assert np.mean([run[metric] for run in runs]) == pytest.approx(printed, abs=0.02)
