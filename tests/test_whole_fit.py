"""A fit is all or nothing: an estimator is as before it, or as after it."""

import pickle
import signal

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_multilabel_classification
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import MinMaxScaler

from mlmlm import (
    BinaryRelevanceMLM,
    DistanceRegression,
    LocalizationMLM,
    MultiLabelMLM,
    NearestNeighborMLM,
)
from mlmlm.progress import listen

CLASSIFIERS = [MultiLabelMLM, LocalizationMLM, BinaryRelevanceMLM, NearestNeighborMLM]
OF_EVERY_INPUT = ["distances", "gram", "cholesky", "solve", "leverage", "coefficients"]
OF_CHOSEN_INPUTS = ["choice of references", "distances", "gram", "cholesky", "solve"]
OF_ML_MLM = ["tuning", "threshold", "calibration"]
PHASES = [
    *((None, phase) for phase in [*OF_EVERY_INPUT, *OF_ML_MLM]),
    *((9, phase) for phase in [*OF_CHOSEN_INPUTS, "leverage", *OF_ML_MLM]),
]

for_each = pytest.mark.parametrize("classifier", CLASSIFIERS)
when_fitted = pytest.mark.parametrize("fitted", [True, False], ids=["fitted", "unfitted"])


class CancelledError(Exception):
    pass


def cancelling(phase, at_its_end=False, error=CancelledError):
    """A listener that ends a computation in one of its phases."""

    def cancel(name, done, total):
        if name == phase and done == (total if at_its_end else 0):
            raise error

    return cancel


@pytest.fixture(scope="module")
def data():
    """Two training sets of other sizes and names."""
    X, Y = make_multilabel_classification(60, 6, n_classes=5, allow_unlabeled=True, random_state=0)
    X = MinMaxScaler().fit_transform(X)
    first = (
        pd.DataFrame(X[:35], columns=list("abcdef")),
        pd.DataFrame(Y[:35], columns=list("vwxyz")),
    )
    second = X[20:, :4], Y[20:, :3]
    return first, second


def made(estimator, data, fitted):
    """The estimator, fitted on the first training set or not at all."""
    return estimator.fit(*data[0]) if fitted else estimator


class Unchanged:
    """What an estimator is, down to the identity of its attributes, and what it predicts."""

    def __init__(self, model, inputs):
        self.model, self.inputs, self.attributes = model, inputs, dict(vars(model))
        self.fitted = hasattr(model, "n_features_in_")
        self.answers = self.ask() if self.fitted else []

    def ask(self):
        names = ["predict", "predict_distances", "decision_function", "predict_proba"]
        methods = [name for name in names if hasattr(self.model, name)]
        return [getattr(self.model, method)(self.inputs) for method in methods]

    def check(self):
        attributes = vars(self.model)
        assert attributes.keys() == self.attributes.keys()
        assert all(attributes[name] is value for name, value in self.attributes.items())
        if not self.fitted:
            with pytest.raises(NotFittedError):
                self.model.predict(self.inputs)
            return
        for answer, expected in zip(self.ask(), self.answers, strict=True):
            np.testing.assert_array_equal(answer, expected)


# Cancelled


@when_fitted
@pytest.mark.parametrize("at_its_end", [False, True], ids=["begun", "done"])
@pytest.mark.parametrize(("references", "phase"), PHASES)
def test_a_fit_cancelled_in_any_phase_changes_nothing(references, phase, at_its_end, fitted, data):
    parameters = {"references": references, "calibration": "sigmoid", "power_grid": [1, 4]}
    model = made(MultiLabelMLM(**parameters), data, fitted)
    before = Unchanged(model, data[0][0])
    with listen(cancelling(phase, at_its_end)), pytest.raises(CancelledError):
        model.fit(*data[1])
    before.check()
    if fitted:
        assert model.n_features_in_ == 6
        assert model.feature_names_in_.tolist() == list("abcdef")
        assert model.label_names_in_.tolist() == list("vwxyz")


@for_each
@when_fitted
def test_an_interrupted_fit_changes_nothing(classifier, fitted, data):
    model = made(classifier(), data, fitted)
    before = Unchanged(model, data[0][0])

    def interrupt(name, done, total):
        if name == "solve":
            signal.raise_signal(signal.SIGINT)

    with listen(interrupt), pytest.raises(KeyboardInterrupt):
        model.fit(*data[1])
    before.check()


@for_each
def test_after_a_cancelled_fit_another_succeeds(classifier, data):
    model = made(classifier(), data, fitted=True)
    with listen(cancelling("cholesky")), pytest.raises(CancelledError):
        model.fit(*data[1])
    X, Y = data[1]
    expected = classifier().fit(X, Y)
    assert model.fit(X, Y) is model
    np.testing.assert_array_equal(model.predict(X), expected.predict(X))
    assert vars(model).keys() == vars(expected).keys()


@for_each
def test_while_it_is_fitted_again_a_model_predicts_as_before(classifier, data):
    model = made(classifier(), data, fitted=True)
    before, phases = Unchanged(model, data[0][0]), []

    def look(name, done, total):
        if done == 0 and name != "predicted distances":
            phases.append(name)
            before.check()

    with listen(look):
        model.fit(*data[1])
    assert phases[: len(OF_EVERY_INPUT)] == OF_EVERY_INPUT
    assert model.n_features_in_ == 4


# Failed


@for_each
@when_fitted
@pytest.mark.parametrize(
    "change",
    [
        lambda X, Y: (X * np.nan, Y),
        lambda X, Y: (X, 2 * Y),
        lambda X, Y: (X, np.arange(len(X)) % 3),
        lambda X, Y: (X[1:], Y),
        lambda X, Y: (X, Y, -np.ones(len(X))),
        lambda X, Y: (X, None),
    ],
    ids=["nan", "labels", "classes", "rows", "weights", "none"],
)
def test_bad_data_change_nothing(classifier, fitted, change, data):
    model = made(classifier(), data, fitted)
    before = Unchanged(model, data[0][0])
    with pytest.raises(ValueError):
        model.fit(*change(*data[1]))
    before.check()


@when_fitted
@pytest.mark.parametrize(
    "parameters",
    [{"ridge": -1}, {"power": 0}, {"threshold": 7}, {"references": 1000}, {"references": [0, 0]}],
    ids=str,
)
def test_bad_parameters_change_nothing(parameters, fitted, data):
    model = made(MultiLabelMLM(), data, fitted).set_params(**parameters)
    before = Unchanged(model, data[0][0])
    with pytest.raises(ValueError):
        model.fit(*data[1])
    before.check()


# On a regression that is there already


@for_each
@when_fitted
def test_a_failed_fit_from_changes_nothing(classifier, fitted, data):
    model = made(classifier(), data, fitted)
    before = Unchanged(model, data[0][0])
    with pytest.raises(NotFittedError):
        model.fit_from(DistanceRegression())
    before.check()


@when_fitted
@pytest.mark.parametrize("phase", OF_ML_MLM)
def test_a_cancelled_fit_from_changes_nothing(phase, fitted, data):
    model = made(MultiLabelMLM(calibration="isotonic", power_grid=[1, 2]), data, fitted)
    before = Unchanged(model, data[0][0])
    regression = DistanceRegression().fit(*data[1])
    with listen(cancelling(phase)), pytest.raises(CancelledError):
        model.fit_from(regression)
    before.check()


def test_a_regression_without_its_rows_changes_nothing(data):
    model = made(MultiLabelMLM(), data, fitted=True)
    before = Unchanged(model, data[0][0])
    copy = pickle.loads(pickle.dumps(DistanceRegression().fit(*data[1])))
    with pytest.raises(ValueError, match="pickled or copied"):
        model.fit_from(copy)
    before.check()


@when_fitted
@pytest.mark.parametrize("error", [CancelledError, KeyboardInterrupt])
@pytest.mark.parametrize(
    ("references", "phase"),
    [*((None, phase) for phase in OF_EVERY_INPUT), *((9, phase) for phase in OF_CHOSEN_INPUTS)],
)
def test_a_cancelled_fit_of_a_regression_changes_nothing(references, phase, error, fitted, data):
    regression = made(DistanceRegression(references=references), data, fitted)
    attributes = dict(vars(regression))
    expected = regression.predict(data[0][0]).to_label_vectors if fitted else None
    with listen(cancelling(phase, error=error)), pytest.raises(error):
        regression.fit(*data[1])
    assert vars(regression) == attributes
    if fitted:
        np.testing.assert_array_equal(regression.predict(data[0][0]).to_label_vectors, expected)
    else:
        with pytest.raises(NotFittedError):
            regression.predict(data[0][0])


def test_classifiers_on_a_regression_stay_when_it_is_fitted_again_in_vain(data):
    regression = DistanceRegression().fit(*data[0])
    models = [classifier().fit_from(regression) for classifier in CLASSIFIERS]
    before = [Unchanged(model, data[0][0]) for model in models]
    with pytest.raises(ValueError, match="NaN"):
        regression.fit(data[1][0] * np.nan, data[1][1])
    for each in before:
        each.check()


# Users' own classes


class Noting(MultiLabelMLM):
    """Notes something before, within and after the fit of the class it extends."""

    def fit(self, X, y, sample_weight=None):
        self.n_begun_ = getattr(self, "n_begun_", 0) + 1
        super().fit(X, y, sample_weight)
        self.n_done_ = getattr(self, "n_done_", 0) + 1
        return self

    def _fit_method(self, regression):
        super()._fit_method(regression)
        self.n_rows_seen_ = regression.n_rows_


def test_a_subclass_keeps_what_it_sets_before_within_and_after(data):
    model = Noting(power=2).fit(*data[1])
    assert (model.n_begun_, model.n_rows_seen_, model.n_done_) == (1, 40, 1)
    with listen(cancelling("gram")), pytest.raises(CancelledError):
        model.fit(*data[0])
    assert (model.n_begun_, model.n_rows_seen_, model.n_done_) == (2, 40, 1)
    expected = clone(model).fit(*data[1]).predict(data[1][0])
    np.testing.assert_array_equal(model.predict(data[1][0]), expected)
