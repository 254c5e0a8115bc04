"""ML-kNN: against a transcription in loops, and against the published figures."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hydra import compose, initialize_config_dir
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from experiments.choices import DatasetChoice, MethodChoice, plain
from experiments.comparison import record_cells
from experiments.execute import Workbench
from experiments.run import CONFIGURATION
from mlmlm.baselines import MLkNN
from mlmlm.baselines._ml_knn import NeighbourSearch, smallest_columns
from mlmlm.datasets import DatasetError, load_dataset


def transcription(X, Y, X_test, k, s, count_self):
    """Probabilities by the article's formulas, label by label and row by row."""

    def neighbours(row, without=None):
        others = [i for i in range(len(X)) if i != without]
        return sorted(others, key=lambda i: (sum((X[i] - row) ** 2), i))[:k]

    n, n_labels = Y.shape
    near = [neighbours(X[i], None if count_self else i) for i in range(n)]
    scores = np.empty((len(X_test), n_labels))
    for label in range(n_labels):
        having, lacking = [0] * (k + 1), [0] * (k + 1)
        for i in range(n):
            count = sum(Y[j, label] for j in near[i])
            (having if Y[i, label] else lacking)[count] += 1
        prior = (s + sum(Y[:, label])) / (2 * s + n)
        for t, row in enumerate(X_test):
            count = sum(Y[j, label] for j in neighbours(row))
            yes = prior * (s + having[count]) / (s * (k + 1) + sum(having))
            no = (1 - prior) * (s + lacking[count]) / (s * (k + 1) + sum(lacking))
            scores[t, label] = yes / (yes + no)
    return scores


@st.composite
def problems(draw):
    """Few distinct whole coordinates, so that distances tie and rows repeat."""
    n = draw(st.integers(2, 14))
    X = draw(arrays(np.int64, (n + 4, 2), elements=st.integers(0, 3)))
    Y = draw(arrays(np.int64, (n, 3), elements=st.integers(0, 1)))
    k = draw(st.integers(1, n - 1))
    return X[:n], Y, X[n:], k


@settings(deadline=None, max_examples=100)
@given(problems(), st.sampled_from([0.5, 1.0, 3.0]), st.booleans())
def test_transcription_gives_the_same(problem, smoothing, count_self):
    X, Y, X_test, k = problem
    model = MLkNN(k, smoothing, count_self).fit(X, Y)
    rows = np.vstack([X_test, X])  # training rows too: as test rows they are their own neighbours
    scores = model.predict_proba(rows)
    expected = transcription(X, Y, rows, k, smoothing, count_self)
    np.testing.assert_allclose(scores, expected, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(rows), scores > 0.5)


@pytest.mark.parametrize("count_self", [False, True])
def test_equal_rows_tie_whatever_their_values(count_self):
    """A matrix product may round equal rows unequally, which must not decide who is nearer."""
    rng = np.random.default_rng(0)
    distinct = rng.normal(size=(7, 13)) * 10.0 ** rng.integers(-3, 3, size=13)
    X = distinct[rng.integers(0, 7, size=60)]
    Y = rng.integers(0, 2, size=(60, 4))
    X_test = rng.normal(size=(20, 13)) + X[:20]
    scores = MLkNN(5, count_self=count_self).fit(X, Y).predict_proba(X_test)
    np.testing.assert_allclose(scores, transcription(X, Y, X_test, 5, 1.0, count_self), rtol=1e-12)


def test_a_row_is_not_its_own_neighbour_but_its_twin_is():
    X = [[0.0], [0.0], [5.0], [9.0]]
    Y = [[1], [0], [1], [0]]
    # Row 0 sees row 1 (lacks it), row 1 sees row 0 (has it), row 2 row 3, and row 3 row 2.
    model = MLkNN(n_neighbors=1).fit(X, Y)
    # Both rows with the label have a neighbour without it: P(0 | 1) = 3/4, P(0 | 0) = 1/4.
    np.testing.assert_allclose(model.posterior_, [[0.75], [0.25]])
    # Counting themselves, row 1 sees its twin 0, the first of the two; the others see themselves.
    counted = MLkNN(n_neighbors=1, count_self=True).fit(X, Y)
    np.testing.assert_allclose(counted.posterior_, [[1 / 3], [3 / 5]])


@given(arrays(np.float64, (5, 8), elements=st.sampled_from([0.0, 1.0, 2.0, np.inf])))
def test_smallest_columns_are_the_first_of_a_stable_sort(values):
    for k in range(1, 9):
        expected = np.sort(np.argsort(values, axis=1, kind="stable")[:, :k], axis=1)
        np.testing.assert_array_equal(smallest_columns(values, k), expected)


# The published figures


@pytest.mark.parametrize(
    ("method", "dataset", "n_cells", "differing"),
    [
        ("ml_knn", "emotions", 8, set()),
        ("ml_knn", "scene", 8, {"micro_f1"}),  # printed .661, computed .699
        ("ml_knn", "yeast", 8, set()),
        ("ml_knn_d", "emotions", 4, set()),
        ("ml_knn_d", "scene", 4, set()),
        ("ml_knn_d", "yeast", 4, set()),
    ],
)
def test_published_cells(method, dataset, n_cells, differing):
    try:
        data = load_dataset(dataset)
    except DatasetError as fault:
        pytest.skip(str(fault))
    with initialize_config_dir(CONFIGURATION, version_base="1.3"):
        config = plain(compose("config", [f"method={method}"]).method)
    record, _ = Workbench(DatasetChoice(dataset, {}), data).run(MethodChoice(method, config))
    cells = [cell for cell in record_cells(record) if cell.agrees is not None]
    assert len(cells) == n_cells
    assert {cell.metric for cell in cells if not cell.agrees} == differing


def test_configurations_show_every_parameter():
    for name, count_self in (("ml_knn", False), ("ml_knn_d", True)):
        with initialize_config_dir(CONFIGURATION, version_base="1.3"):
            choice = MethodChoice(name, plain(compose("config", [f"method={name}"]).method))
        shown = {key: choice.config[key] for key in MLkNN().get_params()}
        assert shown == choice.estimator().get_params() == MLkNN(count_self=count_self).get_params()
        assert choice.scaling == "none"


# As scikit-learn expects it

_CLASSES = "fits classes 1 and 2 in one column; label matrices hold 0 and 1"
_ONE_COLUMN = "fits a 1-D y and wants 1-D predictions; this classifier is multi-label only"
_TWO_COLUMNS = "wants two columns of probabilities for one column of labels"


@parametrize_with_checks(
    [MLkNN(n_neighbors=3)],
    expected_failed_checks=lambda _: {
        "check_classifiers_classes": _ONE_COLUMN,
        "check_classifiers_train": _ONE_COLUMN,
        "check_classifier_data_not_an_array": _CLASSES,
        "check_estimators_dtypes": _CLASSES,
        "check_fit2d_1feature": _CLASSES,
        "check_estimator_sparse_array": _TWO_COLUMNS,
        "check_estimator_sparse_matrix": _TWO_COLUMNS,
    },
    xfail_strict=True,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture
def data():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 4, size=(70, 6)).astype(np.float64)
    Y = (X[:, :3] + rng.normal(size=(70, 3)) > 1.5).astype(np.int64)
    return X[:50], Y[:50], X[50:]


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_matrix, np.ndarray.tolist])
def test_any_form_will_do(data, form):
    X, Y, X_test = data
    expected = MLkNN().fit(X, Y).predict_proba(X_test)
    model = MLkNN().fit(form(X), form(Y))
    np.testing.assert_array_equal(model.predict_proba(form(X_test)), expected)


@pytest.mark.parametrize("without_self", [True, False])
def test_blocks_of_rows_change_nothing(data, without_self):
    X, _, _ = data
    search = NeighbourSearch(X, 4)
    [whole] = search.blocks(X, without_self)
    blocks = search.blocks(X, without_self, block_values=3 * len(X))
    assert len(blocks) == 17  # of 50 rows
    np.testing.assert_array_equal(np.concatenate(blocks), whole)


def test_copies_predict_the_same(data):
    X, Y, X_test = data
    model = MLkNN(n_neighbors=4).fit(X, Y)
    for copy in (pickle.loads(pickle.dumps(model)), clone(model).fit(X, Y)):
        np.testing.assert_array_equal(copy.predict_proba(X_test), model.predict_proba(X_test))


def test_labels_that_all_rows_or_none_have(data):
    X, _, X_test = data
    Y = np.tile([0, 1], (len(X), 1))
    predicted = MLkNN().fit(X, Y).predict(X_test)
    np.testing.assert_array_equal(predicted, np.tile([0, 1], (len(X_test), 1)))
    assert predicted.dtype == np.int64


def test_as_many_neighbours_as_there_can_be(data):
    X, Y, X_test = data
    scores = MLkNN(n_neighbors=len(X) - 1).fit(X, Y).predict_proba(X_test)
    assert np.isfinite(scores).all()
    with pytest.raises(ValueError, match=r"needs at least 51 training rows.*n_samples = 50"):
        MLkNN(n_neighbors=len(X)).fit(X, Y)
    MLkNN(n_neighbors=len(X), count_self=True).fit(X, Y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"n_neighbors": 0},
            r"'n_neighbors' parameter of MLkNN must be an int in the range \[1, inf\). Got 0",
        ),
        ({"n_neighbors": 2.5}, "must be an int in the range"),
        ({"n_neighbors": True}, "must be an int in the range"),
        (
            {"smoothing": 0},
            r"'smoothing' parameter of MLkNN must be a float in the range \(0.0, inf\). Got 0",
        ),
        ({"smoothing": "1"}, "must be a float in the range"),
        ({"count_self": "yes"}, "'count_self' parameter of MLkNN must be .* 'bool'.* Got 'yes'"),
    ],
)
def test_wrong_parameters(data, parameters, message):
    X, Y, _ = data
    with pytest.raises(ValueError, match=message):
        MLkNN(**parameters).fit(X, Y)


def test_wrong_shapes(data):
    X, Y, X_test = data
    with pytest.raises(ValueError, match="inconsistent numbers of samples: 50 and 49"):
        MLkNN().fit(X, Y[1:])
    with pytest.raises(ValueError, match="features"):
        MLkNN().fit(X, Y).predict(X_test[:, 1:])
