"""Labels, scores, probabilities and uncertainty of the same rows by one prediction of distances."""

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_multilabel_classification
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import MinMaxScaler

from mlmlm import BinaryRelevanceMLM, LocalizationMLM, MultiLabelMLM, NearestNeighborMLM, Prediction
from mlmlm._work_plan import WorkPlan
from mlmlm.progress import listen

ESTIMATORS = {
    "ML-MLM": MultiLabelMLM,
    "ML-MLM by log-odds": lambda **given: MultiLabelMLM(ranking="log_odds", **given),
    "ML-MLM by local RCut": lambda **given: MultiLabelMLM(threshold="local_rcut", **given),
    "ML-MLM calibrated": lambda **given: MultiLabelMLM(calibration="isotonic", **given),
    "LLS-MLM": LocalizationMLM,
    "BR-MLM": BinaryRelevanceMLM,
    "NN-MLM": NearestNeighborMLM,
}
FIELDS = {
    "labels": "predict",
    "scores": "decision_function",
    "probabilities": "predict_proba",
    "uncertainty": "smallest_distance",
}
LABELS = {
    "matrix": lambda Y: Y,
    "data frame": lambda Y: pd.DataFrame(Y, columns=list("abcd")),
    "vector": lambda Y: Y[:, 0],
    "column": lambda Y: Y[:, :1],
    "words": lambda Y: np.where(Y[:, 0], "yes", "no"),
}

for_each = pytest.mark.parametrize("make", ESTIMATORS.values(), ids=ESTIMATORS.keys())
for_labels = pytest.mark.parametrize("form", LABELS.values(), ids=LABELS.keys())


@pytest.fixture(scope="module")
def data():
    X, Y = make_multilabel_classification(90, 6, n_classes=4, allow_unlabeled=True, random_state=0)
    X = MinMaxScaler().fit_transform(X)
    return X[:50], Y[:50], X[50:]


def assert_as_single_methods(model, X, prediction):
    """Each field equals its method, and is None where there is none."""
    assert isinstance(prediction, Prediction)
    for field, method in FIELDS.items():
        value = getattr(prediction, field)
        if not hasattr(model, method):
            assert value is None
            continue
        expected = np.asarray(getattr(model, method)(X))
        assert value.dtype == expected.dtype
        np.testing.assert_array_equal(value, expected)


@for_each
@for_labels
def test_each_is_as_its_own_method_gives_it(make, form, data):
    X, Y, X_test = data
    model = make().fit(X, form(Y))
    assert_as_single_methods(model, X_test, model.predict_all(X_test))


@for_each
def test_predicted_distances_can_stand_for_inputs(make, data):
    X, Y, X_test = data
    model = make().fit(X, Y)
    predicted = model.regression_.predict(X_test)
    assert_as_single_methods(model, X_test, model.predict_all(predicted))


@for_each
@for_labels
def test_dask_arrays_stay_so(make, form, data):
    X, Y, X_test = data
    model = make(references=20).fit(X, form(Y))
    lazy = da.from_array(X_test, chunks=(15, -1))
    prediction = model.predict_all(lazy)
    given = [value for value in prediction if value is not None]
    assert all(isinstance(value, da.Array) for value in given)
    shapes = [np.shape(value) for value in model.predict_all(X_test) if value is not None]
    assert [value.shape for value in given] == shapes
    computed = Prediction(*(None if value is None else value.compute() for value in prediction))
    assert_as_single_methods(model, lazy, computed)


@for_each
@pytest.mark.parametrize("block_rows", [1000, 7])
def test_distances_are_predicted_once(make, block_rows, data):
    X, Y, X_test = data
    model = make().fit(X, Y)
    model.regression_._plan = WorkPlan(block_values=1, least_block_rows=block_rows)
    events = []
    with listen(lambda *event: events.append(event)):
        model.predict_all(X_test)
    assert events.count(("predicted distances", 0.0, len(X_test))) == 1
    assert {name for name, _, _ in events} == {"predicted distances"}


@for_each
def test_a_single_row_will_do(make, data):
    X, Y, X_test = data
    model = make().fit(X, Y)
    assert_as_single_methods(model, X_test[:1], model.predict_all(X_test[:1]))


@for_each
def test_it_needs_a_fit(make, data):
    with pytest.raises(NotFittedError):
        make().predict_all(data[2])
