"""Weka's J48, against Weka itself and the published rows; and what is said where it is missing."""

import pickle
import sys

import numpy as np
import pytest
from sklearn.base import clone

from mlmlm import metrics
from mlmlm.baselines import BaggedEnsemble, BinaryRelevance, LabelChain, Thresholded, WekaJ48
from mlmlm.baselines import _java as java_module
from mlmlm.baselines._java import weka_class
from mlmlm.baselines._java_random import JavaRandom
from mlmlm.baselines._weka_j48 import _instances
from mlmlm.datasets import DatasetError, load_dataset

N_LABELS = 2


@pytest.fixture(scope="module")
def weka():
    """Skips without Java or the package."""
    try:
        weka_class("weka.classifiers.trees.J48")
    except ImportError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def data():
    """Rows whose first columns are labels, classes that depend on both kinds, and weights."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, N_LABELS + 3))
    X[:, :N_LABELS] = X[:, :N_LABELS] > 0
    noise = rng.normal(scale=0.5, size=300)
    y = (X[:, 0] + X[:, 2] + noise > 0.5).astype(int)
    return X, y, rng.integers(1, 4, size=300).astype(float)


@pytest.mark.parametrize("n_label_inputs", [0, N_LABELS])
@pytest.mark.parametrize(("confidence", "min_objects"), [(0.25, 2), (0.5, 1), (0.01, 20)])
def test_copied_trees_say_what_weka_says(weka, data, n_label_inputs, confidence, min_objects):
    X, y, weights = data
    model = WekaJ48(confidence, min_objects, n_label_inputs).fit(X, y, weights)
    original = weka_class("weka.classifiers.trees.J48")()
    original.setConfidenceFactor(confidence)
    original.setMinNumObj(min_objects)
    original.buildClassifier(_instances(X, y, weights, n_label_inputs))
    rows = np.vstack([X, near_the_splits(model, X)])
    instances = _instances(rows, np.zeros(len(rows)), np.ones(len(rows)), n_label_inputs)
    expected = [list(original.distributionForInstance(each)) for each in instances]
    np.testing.assert_allclose(model.predict_proba(rows), expected, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(model.predict(rows), np.argmax(expected, axis=1))


def near_the_splits(model, X):
    """Rows at, and just beside, the values where the tree splits."""
    rows = []
    inner = model.tree_.feature >= N_LABELS
    for column, value in zip(model.tree_.feature[inner], model.tree_.split[inner], strict=True):
        for beside in (-1e-9, 0, 1e-9):
            near = X[:20].copy()
            near[:, column] = value + beside
            rows.append(near)
    return np.vstack([X[:1], *rows])


def test_copies_need_no_java(weka, data, monkeypatch):
    X, y, _ = data
    model = WekaJ48().fit(X, y)
    expected = model.predict_proba(X)
    monkeypatch.setattr("mlmlm.baselines._weka_j48.weka_class", None)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), expected)


def test_java_draws_the_same_numbers(weka):
    for seed in (0, 1, 7, 2**31 - 1):
        java, ours = weka_class("java.util.Random")(seed), JavaRandom(seed)
        for bound in (1, 6, 16, 391, 2**30 + 3) * 5:
            assert java.nextInt(bound) == ours.below(bound)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("estimator", "voting", "published"),
    [
        (BinaryRelevance(WekaJ48()), "soft", [0.519, 0.216, 0.657, 0.644]),
        (LabelChain(WekaJ48(), order="random"), "hard", [0.537, 0.236, 0.664, 0.657]),
    ],
    ids=["EBR-J48", "ECC-J48"],
)
def test_published_rows_of_emotions(weka, estimator, voting, published):
    try:
        data = load_dataset("emotions")
    except DatasetError as error:
        pytest.skip(str(error))
    ensemble = BaggedEnsemble(clone(estimator), 10, voting=voting)
    model = Thresholded(ensemble, rule="transductive", random_state=1)
    predicted = model.fit(data.X_train, data.Y_train).predict(data.X_test)
    values = metrics.evaluate(data.Y_test, predicted)
    names = ("accuracy", "hamming_loss", "micro_f1", "macro_f1")
    assert [round(values[name], 3) for name in names] == published


# What is refused


def test_a_class_other_than_0_and_1_is_refused(data):
    X, y, _ = data
    with pytest.raises(ValueError, match="only the classes 0 and 1"):
        WekaJ48().fit(X, y + 1)


@pytest.mark.parametrize("confidence", [0, 0.6])
def test_confidence_out_of_range_is_refused(data, confidence):
    X, y, _ = data
    with pytest.raises(
        ValueError,
        match=r"'confidence' parameter of WekaJ48 must be a float in the range \(0.0, 0.5\]",
    ):
        WekaJ48(confidence).fit(X, y)


@pytest.fixture
def not_started():
    """As before the first use of Java."""
    java_module._start.cache_clear()
    yield
    java_module._start.cache_clear()


def test_a_missing_package_is_told_in_one_line(data, monkeypatch, not_started):
    X, y, _ = data
    monkeypatch.setitem(sys.modules, "weka", None)
    with pytest.raises(ImportError, match="install mlmlm with the extra 'java'") as error:
        WekaJ48().fit(X, y)
    assert "\n" not in str(error.value)


def test_missing_java_is_told_in_one_line(data, monkeypatch, not_started):
    jpype = pytest.importorskip("jpype", reason="needs the extra 'java'")
    X, y, _ = data

    def not_found(*arguments, **options):
        raise jpype.JVMNotFoundException("No JVM shared library file (libjvm.so) found.\nTry")

    monkeypatch.setattr(jpype, "isJVMStarted", lambda: False)
    monkeypatch.setattr(jpype, "startJVM", not_found)
    with pytest.raises(ImportError, match=r"needs Java .*: install it or set JAVA_HOME") as error:
        WekaJ48().fit(X, y)
    assert "\n" not in str(error.value)


def test_a_forked_child_is_refused(weka, data, monkeypatch):
    X, y, _ = data
    WekaJ48().fit(X, y)
    monkeypatch.setattr(java_module.os, "getpid", lambda: -1)
    with pytest.raises(RuntimeError, match="forked from one that runs Java"):
        WekaJ48().fit(X, y)
