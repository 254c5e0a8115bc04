"""Labels in any form: what is taken, and what is said of the others; names of labels."""

import re

import dask.array as da
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.preprocessing
from sklearn.base import clone
from sklearn.datasets import make_multilabel_classification
from sklearn.pipeline import make_pipeline

from mlmlm import (
    BinaryRelevanceMLM,
    DistanceRegressionClassifier,
    LocalizationMLM,
    MultiLabelMLM,
    NearestNeighborMLM,
)

ESTIMATORS = [MultiLabelMLM(), LocalizationMLM(), BinaryRelevanceMLM(), NearestNeighborMLM()]
NAMES = np.array(["calm", "happy", "sad", "loud"])

for_each = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)


@pytest.fixture(scope="module")
def data():
    X, Y = make_multilabel_classification(45, 6, n_classes=4, allow_unlabeled=True, random_state=0)
    return sklearn.preprocessing.MinMaxScaler().fit_transform(X), Y


def as_lists(Y):
    return [NAMES[row == 1].tolist() for row in Y]


def column_of(rows):
    """An array of objects, whatever these are."""
    column = np.empty(len(rows), dtype=object)
    column[:] = rows
    return column


# Advice


def advice(message):
    """The code that a message says to use."""
    found = re.search(
        r"(?:pass |matrix: |such as )(.+?)(?:, with the word|; for lists|\.$)", message
    )
    assert found, message
    return found[1]


def followed(message, labels):
    return eval(advice(message), {"sklearn": sklearn, "np": np, "y": labels, "Y": labels})


LISTS = {
    "lists": as_lists,
    "tuples": lambda Y: [tuple(row) for row in as_lists(Y)],
    "sets": lambda Y: [set(row) for row in as_lists(Y)],
    "frozensets of one size": lambda Y: [frozenset(row[:1] or ["none"]) for row in as_lists(Y)],
    "a tuple of lists": lambda Y: tuple(as_lists(Y)),
    "lists of numbers": lambda Y: [np.flatnonzero(row).tolist() for row in Y],
    "arrays": lambda Y: [np.flatnonzero(row) for row in Y],
    "an array of lists": lambda Y: column_of(as_lists(Y)),
    "a column of lists": lambda Y: pd.Series(as_lists(Y)),
    "a table of one column of lists": lambda Y: column_of(as_lists(Y))[:, None],
    "a data frame of one column of lists": lambda Y: pd.DataFrame({"labels": as_lists(Y)}),
}


@for_each
@pytest.mark.parametrize("form", LISTS.values(), ids=LISTS.keys())
def test_lists_of_labels_are_told_to_become_a_matrix(estimator, form, data):
    X, Y = data
    with pytest.raises(ValueError, match=r"a list of labels for each row.*MultiLabelB") as caught:
        clone(estimator).fit(X, form(Y))
    matrix = followed(str(caught.value), form(Y))
    assert len(matrix) == len(X)
    assert clone(estimator).fit(X, matrix).predict(X).shape == matrix.shape


def test_the_matrix_of_lists_is_that_of_the_labels(data):
    X, Y = data
    with pytest.raises(ValueError) as caught:
        MultiLabelMLM().fit(X, pd.Series(as_lists(Y)))
    matrix = followed(str(caught.value), pd.Series(as_lists(Y)))
    np.testing.assert_array_equal(matrix, Y[:, np.argsort(NAMES)])


def words(Y):
    return np.where(Y == 1, "yes", "no")


def three_classes(Y):
    return Y[:, :2].sum(axis=1)


def classes_in_columns(Y):
    return np.column_stack([three_classes(Y), Y[:, 2] + 2 * Y[:, 3]])


FORMS = {
    "-1 and 1": (lambda Y: 2 * Y - 1, "it has -1. For labels of -1 and 1"),
    "-1 and 1 in a data frame": (lambda Y: pd.DataFrame(2 * Y - 1), "it has -1. For labels of"),
    "-1 and 1, sparse": (lambda Y: sp.csr_array(2 * Y - 1), "it has -1. For labels of -1 and 1"),
    "words": (words, "it has '(yes|no)'. For a table of two words"),
    "words as objects": (lambda Y: words(Y).astype(object), "For a table of two words"),
    "words in a data frame": (lambda Y: pd.DataFrame(words(Y)), "For a table of two words"),
    "words of bytes": (lambda Y: words(Y).astype(bytes), "it has b'(yes|no)'. For a table of two"),
    "words of several classes": (
        lambda Y: np.array(["low", "medium", "high", "none"])[classes_in_columns(Y)],
        "For columns of classes, a label for each class",
    ),
    "a vector of three classes": (three_classes, "multiclass. For a label for each class"),
    "a column of three classes": (lambda Y: three_classes(Y)[:, None], "multiclass. For a label"),
    "a vector of three words": (lambda Y: NAMES[three_classes(Y)], "multiclass. For a label"),
    "a column of three words": (
        lambda Y: pd.DataFrame({"mood": NAMES[three_classes(Y)]}),
        "multiclass. For a label for each class",
    ),
    "classes in columns": (classes_in_columns, "it has [23]. For columns of classes"),
    "classes in a data frame": (
        lambda Y: pd.DataFrame(classes_in_columns(Y)),
        "it has [23]. For columns of classes",
    ),
    "fractions": (lambda Y: 0.1 + 0.7 * Y, "it has 0.[18]0*1?. For degrees of relevance"),
    "a vector of fractions": (lambda Y: 0.1 + 0.3 * three_classes(Y), "continuous. For degrees"),
    "-1, 0 and 1": (lambda Y: Y - np.roll(Y, 1, axis=1), "it has -1. For degrees of relevance"),
}


@for_each
@pytest.mark.parametrize(("form", "told"), FORMS.values(), ids=FORMS.keys())
def test_advice_on_other_forms_leads_to_a_fit(estimator, form, told, data):
    X, Y = data
    with pytest.raises(ValueError, match=f"Unknown label type.*{told}") as caught:
        clone(estimator).fit(X, form(Y))
    message = str(caught.value)
    assert "\n" not in message
    assert "DistanceRegression" not in message
    labels = followed(message, form(Y))
    assert clone(estimator).fit(X, labels).predict(X).shape == labels.shape


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (lambda Y: 2 * Y - 1, lambda Y: Y),
        (lambda Y: 0.1 + 0.7 * Y, lambda Y: Y),
        (three_classes, lambda Y: np.eye(3)[three_classes(Y)]),
        (
            classes_in_columns,
            lambda Y: np.hstack(
                [np.eye(3)[three_classes(Y)], np.eye(4)[classes_in_columns(Y)[:, 1]]]
            ),
        ),
    ],
    ids=["-1 and 1", "fractions", "classes", "columns of classes"],
)
def test_advice_keeps_the_meaning_of_labels(form, expected, data):
    X, Y = data
    with pytest.raises(ValueError) as caught:
        MultiLabelMLM().fit(X, form(Y))
    np.testing.assert_array_equal(followed(str(caught.value), form(Y)), expected(Y))


@for_each
@pytest.mark.parametrize("missing", [None, {}, object()], ids=["none", "dicts", "objects"])
def test_what_are_no_classes_get_no_recipe(estimator, missing, data):
    X, Y = data
    labels = column_of([missing if value else "a" for value in Y[:, 0]])
    with pytest.raises(ValueError, match="all numbers or all words, and none may be missing"):
        clone(estimator).fit(X, labels)


# In whose name


def in_its_name(estimator, message):
    return type(estimator).__name__ in message and "DistanceRegression" not in message


def with_nan(X):
    X = X.copy()
    X[1, 1] = np.nan
    return X


@for_each
def test_errors_of_a_fit_name_the_class_that_was_called(estimator, data):
    X, Y = data
    for bad in ((with_nan(X), Y), (X[:0], Y[:0]), (X, None)):
        with pytest.raises(ValueError) as caught:
            clone(estimator).fit(*bad)
        assert in_its_name(estimator, str(caught.value))
    with pytest.raises(ValueError) as caught:
        clone(estimator).set_params(ridge=-1).fit(X, Y)
    assert in_its_name(estimator, str(caught.value))
    with pytest.raises(ValueError) as caught:
        clone(estimator).set_params(references=3).fit(da.from_array(X), None)
    assert in_its_name(estimator, str(caught.value))


METHODS = ["predict", "predict_all", "smallest_distance", "predict_distances"]


@pytest.mark.parametrize(
    ("estimator", "method"),
    [
        *((estimator, method) for estimator in ESTIMATORS for method in METHODS),
        *((estimator, "decision_function") for estimator in ESTIMATORS[:3]),
        (MultiLabelMLM(), "predict_proba"),
    ],
    ids=str,
)
@pytest.mark.parametrize("lazy", [False, True], ids=["arrays", "dask"])
def test_errors_of_a_prediction_name_the_class_that_was_called(estimator, method, lazy, data):
    X, Y = data
    model = clone(estimator).fit(X, Y)

    def predict(X):
        answer = getattr(model, method)(da.from_array(X, chunks=(20, -1)) if lazy else X)
        table = answer[0] if method == "predict_all" else answer
        return table.compute() if lazy else table

    for bad in (with_nan(X), X[:, 1:]):
        with pytest.raises(ValueError) as caught:
            predict(bad)
        assert in_its_name(estimator, str(caught.value))


@for_each
def test_warnings_on_feature_names_name_the_class_that_was_called(estimator, data):
    X, Y = data
    frame = pd.DataFrame(X, columns=list("abcdef"))
    with pytest.warns(UserWarning, match=f"but {type(estimator).__name__} was fitted with feature"):
        clone(estimator).fit(frame, Y).predict(X)
    with pytest.warns(UserWarning, match=f"but {type(estimator).__name__} was fitted without feat"):
        clone(estimator).fit(X, Y).predict(frame)


@for_each
def test_other_features_are_refused_by_name(estimator, data):
    X, Y = data
    frame = pd.DataFrame(X, columns=list("abcdef"))
    model = clone(estimator).fit(frame, Y)
    with pytest.raises(ValueError, match="yet now missing:\n- c"):
        model.predict(frame.drop(columns="c"))
    with pytest.raises(ValueError, match="unseen at fit time:\n- g"):
        model.predict(frame.assign(g=0.5))


# Names of labels


@for_each
def test_names_of_labels_are_those_of_the_data_frame(estimator, data):
    X, Y = data
    frame = pd.DataFrame(Y, columns=NAMES)
    model = clone(estimator).fit(X, frame)
    assert model.label_names_in_.tolist() == NAMES.tolist()
    assert model.classes_.tolist() == [[0, 1]] * 4
    model.fit(X, Y)
    assert not hasattr(model, "label_names_in_")


@for_each
def test_a_data_frame_of_predictions_is_one_line(estimator, data):
    """That of the docstring, in which a data frame of inputs has an index of its own."""
    inputs, Y = data
    X = pd.DataFrame(inputs, [f"song {k}" for k in range(len(inputs))], list("abcdef"))
    model = clone(estimator).fit(X, pd.DataFrame(Y, X.index, NAMES))
    line = "pd.DataFrame(model.predict(X), X.index, model.label_names_in_)"
    assert line in " ".join(DistanceRegressionClassifier.__doc__.split())
    table = eval(line)
    pd.testing.assert_frame_equal(table, pd.DataFrame(model.predict(X), X.index, NAMES))
    assert table.loc["song 7", "sad"] == model.predict(X)[7, 2]


@for_each
def test_names_go_through_a_pipeline_and_a_shared_regression(estimator, data):
    X, Y = data
    frame = pd.DataFrame(Y, columns=NAMES)
    pipeline = make_pipeline(sklearn.preprocessing.MinMaxScaler(), clone(estimator)).fit(X, frame)
    assert pipeline[-1].label_names_in_.tolist() == NAMES.tolist()
    other = clone(estimator).fit_from(pipeline[-1].regression_)
    assert other.label_names_in_.tolist() == NAMES.tolist()


def test_columns_that_are_numbers_are_no_names(data):
    X, Y = data
    assert not hasattr(MultiLabelMLM().fit(X, pd.DataFrame(Y)), "label_names_in_")
    mixed = pd.DataFrame(Y, columns=["calm", 1, 2, 3])
    assert not hasattr(MultiLabelMLM().fit(X, mixed), "label_names_in_")
