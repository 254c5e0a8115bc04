"""One label: binary classification, as scikit-learn's other classifiers do it."""

import dask.array as da
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    brier_score_loss,
    f1_score,
    get_scorer,
    log_loss,
    roc_auc_score,
)
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from mlmlm import BinaryRelevanceMLM, LocalizationMLM, MultiLabelMLM, NearestNeighborMLM
from tests import oracles

CLASSIFIERS = [MultiLabelMLM, LocalizationMLM, BinaryRelevanceMLM, NearestNeighborMLM]
RANKERS = CLASSIFIERS[:3]

for_each = pytest.mark.parametrize("classifier", CLASSIFIERS)
for_each_ranker = pytest.mark.parametrize("classifier", RANKERS)


@pytest.fixture(scope="module")
def data():
    """Inputs in [0, 1] and a label, 0 or 1, that they tell fairly well: training, then test."""
    X, y = make_classification(140, 5, n_redundant=0, flip_y=0.1, weights=[0.65], random_state=3)
    X = MinMaxScaler().fit_transform(X)
    return X[:90], y[:90], X[90:], y[90:]


# Forms of the label

FORMS = [
    pytest.param(lambda y: y, [0, 1], np.int64, id="zeros and ones"),
    pytest.param(lambda y: y.astype(np.uint8), [0, 1], np.uint8, id="bytes"),
    pytest.param(lambda y: y.astype(float), [0.0, 1.0], np.float64, id="floats"),
    pytest.param(lambda y: y == 1, [False, True], np.bool_, id="truth values"),
    pytest.param(lambda y: 2 * y - 1, [-1, 1], np.int64, id="-1 and 1"),
    pytest.param(lambda y: 3 + 4 * y, [3, 7], np.int64, id="any two numbers"),
    pytest.param(lambda y: np.where(y, "yes", "no"), ["no", "yes"], np.dtype("<U3"), id="words"),
    pytest.param(
        lambda y: np.where(y, "yes", "no").astype(object), ["no", "yes"], object, id="objects"
    ),
]


@for_each
@pytest.mark.parametrize(("form", "classes", "dtype"), FORMS)
def test_a_vector_of_two_classes(classifier, form, classes, dtype, data):
    X, y, X_test, _ = data
    model, plain = classifier().fit(X, form(y)), classifier().fit(X, y[:, None])
    assert model.classes_.tolist() == classes
    predicted = model.predict(X_test)
    assert predicted.shape == (len(X_test),)
    assert predicted.dtype == model.classes_.dtype == dtype
    np.testing.assert_array_equal(predicted, np.array(classes)[plain.predict(X_test)[:, 0]])


@for_each
@pytest.mark.parametrize(
    "form", [np.ndarray.tolist, pd.Series, lambda y: pd.Series(y).astype("Int64"), tuple]
)
def test_other_vectors_are_as_arrays(classifier, form, data):
    X, y, X_test, _ = data
    predicted = classifier().fit(X, form(y)).predict(X_test)
    np.testing.assert_array_equal(predicted, classifier().fit(X, y).predict(X_test))


@for_each
@pytest.mark.parametrize(
    "form",
    [
        lambda column: column,
        lambda column: column == 1,
        np.ndarray.tolist,
        sp.csr_array,
        lambda column: pd.DataFrame(column, columns=["has it"]),
        lambda column: pd.DataFrame(column == 1, columns=["has it"]),
    ],
    ids=["array", "truth values", "lists", "sparse", "data frame", "data frame of truth values"],
)
def test_a_matrix_of_one_column(classifier, form, data):
    X, y, X_test, _ = data
    model = classifier().fit(X, form(y[:, None]))
    assert model.classes_.tolist() == [0, 1]
    predicted = model.predict(X_test)
    assert predicted.shape == (len(X_test), 1)
    np.testing.assert_array_equal(predicted[:, 0], classifier().fit(X, y).predict(X_test))


@for_each
def test_a_column_of_two_words_gives_a_column_of_words(classifier, data):
    X, y, X_test, _ = data
    frame = pd.DataFrame({"answer": np.where(y, "yes", "no")})
    model = classifier().fit(X, frame)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.label_names_in_.tolist() == ["answer"]
    expected = np.where(classifier().fit(X, y).predict(X_test), "yes", "no")
    np.testing.assert_array_equal(model.predict(X_test), expected[:, None])


@for_each_ranker
def test_scores_are_of_the_second_class(classifier, data):
    X, y, X_test, _ = data
    words, numbers = classifier().fit(X, np.where(y, "a", "b")), classifier().fit(X, 1 - y)
    assert words.decision_function(X_test).shape == (len(X_test),)
    np.testing.assert_array_equal(
        words.decision_function(X_test), numbers.decision_function(X_test)
    )


def test_scores_are_those_of_the_formulas(data):
    """Oracles know no binary classification, only label matrices."""
    X, y, X_test, _ = data
    model = MultiLabelMLM().fit(X, y)
    scores = oracles.idw_scores(
        oracles.Regression(X, y[:, None]).predict(X_test), y[:, None], model.power_
    )
    np.testing.assert_allclose(model.decision_function(X_test), scores[:, 0], atol=1e-9)
    np.testing.assert_allclose(model.predict_proba(X_test), np.hstack([1 - scores, scores]))


def test_the_power_changes_neither_labels_nor_the_order_of_rows(data):
    """All powers have the same loss, so the first of the grid is taken."""
    X, y, X_test, _ = data
    chosen, other = MultiLabelMLM().fit(X, y), MultiLabelMLM(power=8).fit(X, y)
    assert chosen.power_ == chosen.power_grid_[0] != other.power_
    np.testing.assert_array_equal(chosen.predict(X_test), other.predict(X_test))
    np.testing.assert_array_equal(
        chosen.decision_function(X_test).argsort(), other.decision_function(X_test).argsort()
    )


@pytest.mark.parametrize("parameters", [{}, {"ranking": "log_odds"}, {"calibration": "sigmoid"}])
def test_probabilities_have_a_column_for_each_class(parameters, data):
    X, y, X_test, y_test = data
    model = MultiLabelMLM(**parameters).fit(X, y)
    probabilities = model.predict_proba(X_test)
    assert probabilities.shape == (len(X_test), 2)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert roc_auc_score(y_test, probabilities[:, 1]) > 0.7


# Labels that do not vary


@for_each
@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("shape", [(-1,), (-1, 1)])
def test_a_label_that_is_constant_in_training_is_predicted_always(classifier, value, shape, data):
    X, y, X_test, _ = data
    model = classifier().fit(X, np.full_like(y, value).reshape(shape))
    assert model.classes_.tolist() == [0, 1]
    predicted = model.predict(X_test)
    assert predicted.shape == np.empty(len(X_test)).reshape(shape).shape
    assert (predicted == value).all()


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("calibration", [None, "sigmoid", "isotonic"])
def test_a_constant_label_is_nearly_certain(value, calibration, data):
    X, y, X_test, _ = data
    model = MultiLabelMLM(calibration=calibration).fit(X, np.full_like(y, value))
    probabilities = model.predict_proba(X_test)
    np.testing.assert_allclose(probabilities[:, value], 1, atol=1.01 / (len(X) + 2))
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


@for_each
@pytest.mark.parametrize("value", ["yes", -1, 2])
def test_one_class_that_is_neither_0_nor_1_is_refused(classifier, value, data):
    X, y, *_ = data
    with pytest.raises(ValueError, match=f"one class only, {value!r}, and nothing says what the"):
        classifier().fit(X, np.full(len(y), value))


# Scorers and model selection


def by_hand(name, model, X, y):
    """A metric of class 1, without scikit-learn's scorers."""
    labels = model.predict(X)
    metrics = {"f1": f1_score, "accuracy": accuracy_score}
    if name in metrics:
        return metrics[name](y, labels)
    if name in ("roc_auc", "average_precision"):
        metric = roc_auc_score if name == "roc_auc" else average_precision_score
        return metric(y, model.decision_function(X))
    probabilities = model.predict_proba(X)[:, 1]
    if name == "neg_brier_score":
        return -brier_score_loss(y, probabilities)
    return -log_loss(y, np.column_stack([1 - probabilities, probabilities]))


def by_chance(name, y):
    """The metric where the inputs tell nothing: the share of the label for all rows."""
    share = y.mean()
    always = np.full(len(y), share)
    return {
        "roc_auc": 0.5,
        "average_precision": share,
        "f1": f1_score(y, np.ones_like(y)),
        "accuracy": max(share, 1 - share),
        "neg_brier_score": -brier_score_loss(y, always),
        "neg_log_loss": -log_loss(y, always),
    }[name]


SCORERS = {
    MultiLabelMLM: [
        "roc_auc",
        "average_precision",
        "f1",
        "accuracy",
        "neg_brier_score",
        "neg_log_loss",
    ],
    LocalizationMLM: ["roc_auc", "average_precision", "f1", "accuracy"],
    BinaryRelevanceMLM: ["roc_auc", "average_precision", "f1", "accuracy"],
    NearestNeighborMLM: ["f1", "accuracy"],
}


@pytest.mark.parametrize("shape", [(-1,), (-1, 1)], ids=["vector", "column"])
@pytest.mark.parametrize(
    ("classifier", "name"), [(each, name) for each, names in SCORERS.items() for name in names]
)
def test_scorers_give_the_metric_and_are_on_the_right_side_of_chance(classifier, name, shape, data):
    X, y, X_test, y_test = data
    parameters = {"calibration": "sigmoid"} if classifier is MultiLabelMLM else {}
    model = classifier(**parameters).fit(X, y.reshape(shape))
    value = get_scorer(name)(model, X_test, y_test.reshape(shape))
    assert value == pytest.approx(by_hand(name, model, X_test, y_test))
    assert value > by_chance(name, y_test)


def test_scorers_take_words(data):
    X, y, X_test, y_test = data
    words, words_test = np.where(y, "yes", "no"), np.where(y_test, "yes", "no")
    model = MultiLabelMLM().fit(X, words)
    value = get_scorer("roc_auc")(model, X_test, words_test)
    assert value == get_scorer("roc_auc")(MultiLabelMLM().fit(X, y), X_test, y_test) > 0.7


@for_each_ranker
def test_cross_validation_scores_each_fold(classifier, data):
    X, y, *_ = data
    folds = StratifiedKFold(3)
    values = cross_val_score(classifier(), X, y, cv=folds, scoring="roc_auc")
    expected = [
        roc_auc_score(y[test], classifier().fit(X[train], y[train]).decision_function(X[test]))
        for train, test in folds.split(X, y)
    ]
    np.testing.assert_allclose(values, expected)
    assert values.mean() > 0.7


def test_cross_validated_probabilities_have_two_columns(data):
    X, y, *_ = data
    words = np.where(y, "yes", "no")
    probabilities = cross_val_predict(
        MultiLabelMLM(), X, words, cv=KFold(3), method="predict_proba"
    )
    first = MultiLabelMLM().fit(X[30:], words[30:]).predict_proba(X[:30])
    np.testing.assert_allclose(probabilities[:30], first)
    assert roc_auc_score(y, probabilities[:, 1]) > 0.7


def test_grid_search_finds_the_best_of_the_folds(data):
    X, y, X_test, _ = data
    pipeline = make_pipeline(MinMaxScaler(), MultiLabelMLM())
    grid = {"multilabelmlm__power": [0.05, 8.0], "multilabelmlm__ridge": [1.0, 1e4]}
    search = GridSearchCV(pipeline, grid, scoring="roc_auc", cv=3, error_score="raise").fit(X, y)
    candidates = [clone(pipeline).set_params(**each) for each in search.cv_results_["params"]]
    means = [cross_val_score(each, X, y, cv=3, scoring="roc_auc").mean() for each in candidates]
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], means)
    best = candidates[int(np.argmax(means))].fit(X, y)
    np.testing.assert_array_equal(search.predict(X_test), best.predict(X_test))


@for_each_ranker
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_scikit_learn_can_calibrate_it(classifier, method, data):
    X, y, X_test, y_test = data
    model = CalibratedClassifierCV(classifier(), method=method, cv=3).fit(X, np.where(y, "b", "a"))
    assert model.classes_.tolist() == ["a", "b"]
    probabilities = model.predict_proba(X_test)[:, 1]
    assert roc_auc_score(y_test, probabilities) > 0.7
    assert brier_score_loss(y_test, probabilities) < brier_score_loss(
        y_test, np.full(len(y_test), y.mean())
    )


def test_one_against_the_rest_makes_it_a_classifier_of_several_classes():
    X, y = make_classification(
        120, 5, n_informative=4, n_redundant=0, n_classes=3, class_sep=2, random_state=0
    )
    model = OneVsRestClassifier(MultiLabelMLM()).fit(X[:80], y[:80])
    scores = np.column_stack(
        [MultiLabelMLM().fit(X[:80], y[:80] == k).decision_function(X[80:]) for k in range(3)]
    )
    np.testing.assert_array_equal(model.predict(X[80:]), scores.argmax(axis=1))
    assert model.score(X[80:], y[80:]) > 0.6


# Dask


@for_each
@pytest.mark.parametrize("shape", [(-1,), (-1, 1)], ids=["vector", "column"])
@pytest.mark.parametrize("lazy_labels", [True, False])
def test_dask_arrays_of_one_label_are_as_arrays(classifier, shape, lazy_labels, data):
    X, y, X_test, _ = data
    y = y.reshape(shape)
    parameters = {"references": list(range(0, 90, 4))}
    model = classifier(**parameters).fit(
        da.from_array(X, chunks=(40, -1)), da.from_array(y, chunks=30) if lazy_labels else y
    )
    in_memory = classifier(**parameters).fit(X, y)
    assert model.classes_.tolist() == [0, 1]
    lazy_test = da.from_array(X_test, chunks=(20, -1))
    methods = ["predict", "decision_function", "predict_proba"]
    for method in [name for name in methods if hasattr(model, name)]:
        predicted, expected = getattr(model, method)(lazy_test), getattr(in_memory, method)(X_test)
        assert isinstance(predicted, da.Array)
        assert predicted.shape == expected.shape
        assert predicted.dtype == expected.dtype
        np.testing.assert_allclose(predicted.compute(), expected, atol=1e-9)
