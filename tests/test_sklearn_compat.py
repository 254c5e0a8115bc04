"""The estimators as scikit-learn and its users expect them: checks, pipelines, inputs, errors."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import make_multilabel_classification
from sklearn.exceptions import NotFittedError
from sklearn.metrics import average_precision_score, get_scorer, log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_param_validation, parametrize_with_checks
from threadpoolctl import threadpool_limits

from mlmlm import (
    BinaryRelevanceMLM,
    DistanceRegression,
    LocalizationMLM,
    MultiLabelMLM,
    NearestNeighborMLM,
)
from mlmlm._parallel import usable_threads
from mlmlm._work_plan import WorkPlan
from mlmlm.baselines import (
    HOMER,
    BaggedEnsemble,
    BinaryRelevance,
    LabelChain,
    MLkNN,
    MultiLabelForest,
    RAkEL,
    Thresholded,
    WekaJ48,
)
from mlmlm.progress import listen
from mlmlm.uncertainty import uncertainty_categories
from mlmlm.validation import check_parameters

ESTIMATORS = [MultiLabelMLM(), LocalizationMLM(), BinaryRelevanceMLM(), NearestNeighborMLM()]
WITH_CHOSEN_REFERENCES = [clone(estimator).set_params(references=4) for estimator in ESTIMATORS]
SCORING = [estimator for estimator in ESTIMATORS if hasattr(estimator, "decision_function")]

for_each = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
for_each_scoring = pytest.mark.parametrize("estimator", SCORING, ids=lambda e: type(e).__name__)


@pytest.fixture(scope="module")
def data():
    """Training and test inputs in [0, 1], and training labels."""
    X, Y = make_multilabel_classification(
        n_samples=60, n_features=6, n_classes=4, allow_unlabeled=True, random_state=0
    )
    X = MinMaxScaler().fit_transform(X)
    return X[:45], Y[:45], X[45:]


# scikit-learn's own checks

_SIGN = (
    "wants predict to be decision_function > 0, or the class of the larger probability; these cut "
    "at a threshold of their own, or at as many labels as the nearest label vector has"
)
_PLACES = "shuffles the rows, and reference points are chosen by the places of rows"

EXPECTED_FAILURES_OF_SCORES = {
    "check_classifiers_classes": _SIGN,
    "check_classifiers_train": _SIGN,
    "check_classifier_multioutput": _SIGN,
}
EXPECTED_FAILURES_OF_EXTREME_SCORES = {
    "check_classifiers_multilabel_output_format_predict_proba": (
        "wants scores strictly between 0 and 1; a weighted mean of label vectors reaches both"
    ),
}
EXPECTED_FAILURES_OF_CHOICE = {
    "check_sample_weight_equivalence_on_dense_data": _PLACES,
    "check_sample_weight_equivalence_on_sparse_data": _PLACES,
}


def expected_failures(estimator):
    expected = {}
    if hasattr(estimator, "decision_function"):
        expected |= EXPECTED_FAILURES_OF_SCORES
    if estimator.references is not None:
        expected |= EXPECTED_FAILURES_OF_CHOICE
    elif hasattr(estimator, "predict_proba"):  # with fewer references no score is that extreme
        expected |= EXPECTED_FAILURES_OF_EXTREME_SCORES
    return expected


@parametrize_with_checks(
    [*ESTIMATORS, *WITH_CHOSEN_REFERENCES],
    expected_failed_checks=expected_failures,
    xfail_strict=True,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# The same on label matrices


@for_each
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_any_number_type_will_do_for_inputs(estimator, dtype, data):
    X, Y, _ = data
    numbers = (3 * X).astype(dtype)
    expected = clone(estimator).fit(numbers.astype(np.float64), Y).predict(X)
    np.testing.assert_array_equal(clone(estimator).fit(numbers, Y).predict(X), expected)


@for_each
@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float64, object])
def test_any_number_type_will_do_for_labels(estimator, dtype, data):
    X, Y, X_test = data
    predicted = clone(estimator).fit(X, Y.astype(dtype)).predict(X_test)
    assert predicted.dtype == np.int64
    np.testing.assert_array_equal(predicted, clone(estimator).fit(X, Y).predict(X_test))


@for_each
@pytest.mark.parametrize(
    "form", [np.ndarray.tolist, pd.DataFrame, sp.csr_array, sp.csc_matrix, sp.coo_array]
)
def test_any_form_will_do(estimator, form, data):
    """Lists, data frames and sparse matrices, of inputs and labels."""
    X, Y, X_test = data
    model, other = clone(estimator).fit(X, Y), clone(estimator).fit(form(X), form(Y))
    np.testing.assert_array_equal(other.predict(form(X_test)), model.predict(X_test))
    if hasattr(model, "decision_function"):
        np.testing.assert_allclose(
            other.decision_function(form(X_test)), model.decision_function(X_test), atol=1e-9
        )


@for_each
def test_one_feature_and_one_label(estimator, data):
    X, Y, X_test = data
    predicted = clone(estimator).fit(X[:, :1], Y[:, :1]).predict(X_test[:, :1])
    assert predicted.shape == (len(X_test), 1)
    assert set(np.unique(predicted)) <= {0, 1}


@for_each
def test_training_rows_are_recognised(estimator, data):
    """Distance regression nearly interpolates."""
    X, Y, _ = data
    assert (clone(estimator).fit(X, Y).predict(X) == Y).mean() > 0.83


@for_each_scoring
def test_float32_inputs_are_close_to_float64(estimator, data):
    X, Y, X_test = data
    model = clone(estimator)
    if isinstance(model, MultiLabelMLM):
        model.set_params(power=3)
    expected = model.fit(X, Y).decision_function(X_test)
    model.fit(X.astype(np.float32), Y)
    scores = model.decision_function(X_test.astype(np.float32))
    assert scores.dtype == np.float64
    np.testing.assert_allclose(scores, expected, atol=1e-4)


def test_scores_and_probabilities_have_a_column_for_each_label(data):
    X, Y, X_test = data
    model = MultiLabelMLM().fit(X, Y)
    scores = model.predict_proba(X_test)
    assert scores.shape == (len(X_test), Y.shape[1])
    assert ((scores >= 0) & (scores <= 1)).all()
    np.testing.assert_array_equal(model.classes_, [[0, 1]] * Y.shape[1])
    np.testing.assert_array_equal(model.decision_function(X_test), scores)
    np.testing.assert_array_equal(model.predict(X_test), scores > model.threshold_)


# Pipelines, model selection, copies


@for_each
def test_pipeline_scales_and_classifies(estimator, data):
    X, Y, X_test = data
    wide, wide_test = 50 * X - 7, 50 * X_test - 7
    pipeline = make_pipeline(MinMaxScaler(), clone(estimator)).fit(wide, Y)
    scaler = MinMaxScaler().fit(wide)
    model = clone(estimator).fit(scaler.transform(wide), Y)
    expected = model.predict(scaler.transform(wide_test))
    np.testing.assert_array_equal(pipeline.predict(wide_test), expected)


@for_each
def test_cross_validation(estimator, data):
    X, Y, _ = data
    predicted = cross_val_predict(clone(estimator), X, Y, cv=3)
    assert predicted.shape == Y.shape
    first = clone(estimator).fit(X[15:], Y[15:])
    np.testing.assert_array_equal(predicted[:15], first.predict(X[:15]))
    subset_accuracy = cross_val_score(clone(estimator), X, Y, cv=3)
    assert subset_accuracy[0] == pytest.approx((predicted[:15] == Y[:15]).all(axis=1).mean())


@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_cross_validated_scores(method, data):
    X, Y, _ = data
    scores = cross_val_predict(MultiLabelMLM(), X, Y, cv=3, method=method)
    model = MultiLabelMLM().fit(X[15:], Y[15:])
    np.testing.assert_allclose(scores[:15], model.predict_proba(X[:15]), atol=1e-12)


def test_grid_search_sets_parameters(data):
    X, Y, X_test = data
    pipeline = make_pipeline(MinMaxScaler(), MultiLabelMLM())
    grid = {
        "multilabelmlm__power": [None, 1.0, 8.0],
        "multilabelmlm__threshold": ["cardinality", "local_rcut"],
    }
    search = GridSearchCV(pipeline, grid, scoring="f1_micro", cv=3, error_score="raise").fit(X, Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    best = clone(pipeline).set_params(**search.best_params_).fit(X, Y)
    np.testing.assert_array_equal(search.predict(X_test), best.predict(X_test))


@for_each
def test_clone_is_unfitted_and_has_the_parameters(estimator, data):
    X, Y, X_test = data
    copy = clone(clone(estimator).fit(X, Y))
    assert copy.get_params() == estimator.get_params()
    with pytest.raises(NotFittedError):
        copy.predict(X_test)


@for_each
def test_pickled_models_predict_the_same(estimator, data):
    X, Y, X_test = data
    model = clone(estimator).fit(X, Y)
    before = model.predict(X_test)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict(X_test), before)
    if hasattr(model, "decision_function"):
        np.testing.assert_array_equal(
            copy.decision_function(X_test), model.decision_function(X_test)
        )


def test_pickled_regression_predicts_the_same(data):
    X, Y, X_test = data
    regression = DistanceRegression().fit(X, Y)
    copy = pickle.loads(pickle.dumps(regression))
    expected, predicted = regression.predict(X_test), copy.predict(X_test)
    np.testing.assert_array_equal(predicted.to_label_vectors, expected.to_label_vectors)
    np.testing.assert_array_equal(predicted.to_one, expected.to_one)


# Data frames


def make_frame(X):
    return pd.DataFrame(X, columns=[f"feature {k}" for k in range(X.shape[1])])


@for_each
def test_data_frames_name_the_features(estimator, data):
    X, Y, X_test = data
    frame, test_frame = make_frame(X), make_frame(X_test)
    model = clone(estimator).fit(frame, pd.DataFrame(Y))
    assert list(model.feature_names_in_) == list(frame.columns)
    np.testing.assert_array_equal(
        model.predict(test_frame), clone(estimator).fit(X, Y).predict(X_test)
    )
    with pytest.raises(ValueError, match="feature names"):
        model.predict(test_frame[frame.columns[::-1]])


def test_refitting_leaves_nothing_of_the_earlier_fit(data):
    X, Y, _ = data
    model = MultiLabelMLM().fit(make_frame(X), Y)
    model.set_params(power=2).fit(X[:, :3], Y[:, :2])
    assert not hasattr(model, "feature_names_in_")
    assert not hasattr(model, "power_grid_")
    assert not hasattr(model, "loo_ranking_loss_")
    assert model.n_features_in_ == 3
    assert len(model.classes_) == 2


# Sharing a regression


@for_each
def test_shared_regression_is_as_good_as_an_own_one(estimator, data):
    X, Y, X_test = data
    own = clone(estimator).fit(X, Y)
    regression = DistanceRegression().fit(X, Y)
    shared = clone(estimator).fit_from(regression)
    assert shared.regression_ is regression
    np.testing.assert_array_equal(shared.predict(X_test), own.predict(X_test))
    if hasattr(own, "decision_function"):
        np.testing.assert_array_equal(
            shared.decision_function(X_test), own.decision_function(X_test)
        )
    if isinstance(own, MultiLabelMLM):
        assert (shared.power_, shared.threshold_) == (own.power_, own.threshold_)


def test_unfitted_regression_cannot_be_shared():
    with pytest.raises(NotFittedError):
        MultiLabelMLM().fit_from(DistanceRegression())


@for_each
def test_predicted_distances_can_stand_for_inputs(estimator, data):
    """Also if they come in several blocks."""
    X, Y, X_test = data
    model = clone(estimator).fit(X, Y)
    predicted = model.regression_.predict(X_test)
    assert len(predicted) == len(X_test)
    names = ["predict", "predict_distances", "smallest_distance", "decision_function"]
    methods = [getattr(model, name) for name in names if hasattr(model, name)]
    expected = [method(X_test) for method in methods]
    for block_rows in (1000, 4):
        model.regression_._plan = WorkPlan(block_values=1, least_block_rows=block_rows)
        for method, values in zip(methods, expected, strict=True):
            np.testing.assert_array_equal(method(predicted), values)


def test_distances_of_predictions(data):
    X, Y, X_test = data
    model = NearestNeighborMLM().fit(X, Y)
    distances = model.predict_distances(X_test)
    vectors = model.regression_.label_vectors_.vectors
    assert distances.shape == (len(X_test), len(np.unique(Y, axis=0)))
    np.testing.assert_array_equal(model.predict(X_test), vectors[distances.argmin(axis=1)])
    np.testing.assert_array_equal(model.smallest_distance(X_test), distances.min(axis=1))


# Scores that do not exist


@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_nn_mlm_has_no_scores_and_says_why(method, data):
    X, Y, _ = data
    model = NearestNeighborMLM().fit(X, Y)
    assert not hasattr(model, method)
    with pytest.raises(AttributeError) as caught:
        getattr(model, method)
    messages = f"{caught.value} {caught.value.__cause__}"
    assert "no scores" in messages
    assert "MultiLabelMLM" in messages


@pytest.mark.parametrize("estimator", [LocalizationMLM, BinaryRelevanceMLM])
def test_scores_that_are_no_probabilities_are_not_called_so(estimator):
    assert hasattr(estimator(), "decision_function")
    assert not hasattr(estimator(), "predict_proba")


# Wrong input


def with_value(array, value):
    array = array.astype(float)
    array[1, 1] = value
    return array


@for_each
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X, Y: (X, Y[None]), "3 dimension"),
        (lambda X, Y: (X, with_value(Y, 2)), "only 0 and 1, but it has 2.0.*OneHotEncoder"),
        (lambda X, Y: (X, with_value(Y, 0.5)), "only 0 and 1, but it has 0.5"),
        (lambda X, Y: (X, np.where(Y == 1, "yes", "no")), "only 0 and 1, but it has '(yes|no)'"),
        (lambda X, Y: (X, sp.csr_array(2 * Y)), "only 0 and 1, but it has 2"),
        (lambda X, Y: (X, None), "y .*None"),
        (lambda X, Y: (with_value(X, np.nan), Y), "X contains NaN"),
        (lambda X, Y: (with_value(X, np.inf), Y), "X contains infinity"),
        (lambda X, Y: (X, with_value(Y, np.nan)), "y contains NaN"),
        (lambda X, Y: (X[:-1], Y), "inconsistent numbers of samples: 44 and 45"),
        (lambda X, Y: (X[:, 0], Y), "Expected 2D array"),
        (lambda X, Y: (X[:0], Y[:0]), "0 sample"),
    ],
)
def test_wrong_training_data_are_refused(estimator, change, message, data):
    X, Y, _ = data
    with pytest.raises(ValueError, match=message):
        clone(estimator).fit(*change(X, Y))


@for_each
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X: X[:, 1:], "5 features.* expecting 6"),
        (lambda X: with_value(X, np.nan), "NaN"),
        (lambda X: X[0], "Expected 2D array"),
        (lambda X: X[:0], "0 sample"),
    ],
)
def test_wrong_inputs_to_predict_are_refused(estimator, change, message, data):
    X, Y, X_test = data
    model = clone(estimator).fit(X, Y)
    with pytest.raises(ValueError, match=message):
        model.predict(change(X_test))


NAN = float("nan")
WRONG_PARAMETERS = [
    *(({"power": value}, r"a float in the range \(0\.0, inf\)") for value in (-1, 0, np.inf, NAN)),
    *(({"power": value}, "a float in the range") for value in ("high", True, [2.0])),
    *(({"power_grid": value}, "a list of numbers, each a float") for value in ([], 3, [[1], [2]])),
    *(({"power_grid": value}, r"in the range \(0\.0, inf\)") for value in ([1, -2], [NAN], [True])),
    ({"power_grid": np.zeros(40)}, "in the range"),
    ({"threshold": "half"}, "a str among {'cardinality', 'local_rcut'} or a float.*Got 'half'"),
    *(({"threshold": value}, "a str among") for value in (None, NAN, np.inf, True)),
    *(({"threshold": value}, r"\[0\.0, 1\.0\] of the scores") for value in (7, -0.1)),
    ({"threshold": NAN, "ranking": "log_odds"}, "a str among"),
    ({"ranking": "rank"}, "a str among {'score', 'log_odds'}. Got 'rank'"),
    ({"overflow": "ignore"}, "a str among {'stable', 'published'}. Got 'ignore'"),
]


@pytest.mark.parametrize(("parameters", "message"), WRONG_PARAMETERS)
def test_wrong_parameters_are_refused_before_any_work(parameters, message, data):
    X, Y, _ = data
    phases = []
    told = f"The '{next(iter(parameters))}' parameter of MultiLabelMLM must be .*{message}"
    with (
        listen(lambda *event: phases.append(event)),
        pytest.raises(ValueError, match=f"(?s){told}"),
    ):
        MultiLabelMLM(**parameters).fit(X, Y)
    assert phases == []
    with pytest.raises(ValueError, match=told) as caught:
        check_parameters(MultiLabelMLM(**parameters))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "parameters",
    [
        {"power": 3},
        {"power": np.float64(0.5)},
        {"power_grid": np.arange(1, 4)},
        {"power_grid": pd.Series([1.0, 2.5])},
        {"threshold": 0},
        {"threshold": 1.0},
        {"threshold": -2.5, "ranking": "log_odds"},
    ],
)
def test_parameters_that_make_sense_are_taken(parameters, data):
    X, Y, _ = data
    model = MultiLabelMLM(**parameters)
    check_parameters(model)
    assert not hasattr(model, "regression_")
    model.fit(X, Y)


class Named(BaseEstimator):
    """An estimator that declares nothing of its parameters."""

    def __init__(self, size="any"):
        self.size = size


@pytest.mark.parametrize(
    ("estimator", "told"),
    [
        (LocalizationMLM("shortest"), "The 'solution' parameter of LocalizationMLM must be a str"),
        (make_pipeline(MinMaxScaler(), MultiLabelMLM(power=0)), "'power' parameter of MultiLabelM"),
        (make_pipeline(MinMaxScaler(clip="yes"), MultiLabelMLM()), "'clip' parameter of MinMaxSca"),
        (Thresholded(BinaryRelevance(SVC(C=-1))), "The 'C' parameter of SVC must be a float"),
        (Thresholded(NearestNeighborMLM()), "NearestNeighborMLM has no scores"),
    ],
)
def test_parameters_are_checked_at_every_depth_without_a_fit(estimator, told):
    with pytest.raises(ValueError, match=told):
        check_parameters(estimator)


def test_what_declares_nothing_is_taken_as_it_is():
    for estimator in (Named(), make_pipeline(Named()), object()):
        check_parameters(estimator)


BASELINES = [
    BaggedEnsemble(BinaryRelevance(SVC())),
    BinaryRelevance(SVC()),
    HOMER(SVC()),
    LabelChain(SVC()),
    MLkNN(),
    MultiLabelForest(),
    RAkEL(SVC()),
    Thresholded(KNeighborsClassifier()),
    WekaJ48(),
]


@pytest.mark.parametrize(
    "estimator", [*ESTIMATORS, *BASELINES], ids=lambda estimator: type(estimator).__name__
)
def test_every_parameter_has_constraints_and_they_are_kept(estimator):
    """By scikit-learn's own check: wrong types and values, and what is then said."""
    check_param_validation(type(estimator).__name__, estimator)


# Uncertainty


def test_uncertainty_categories():
    """One differing label, at a distance of 1, is medium, and so are two, at sqrt 2."""
    distances = [-0.1, 0.0, 0.999, 1.0, 1.2, np.sqrt(2), 1.4143, 3.0]
    expected = ["low"] * 3 + ["medium"] * 3 + ["high"] * 2
    assert uncertainty_categories(distances).tolist() == expected


def test_known_rows_are_certain_and_far_ones_are_not(data):
    X, Y, _ = data
    model = MultiLabelMLM().fit(X, Y)
    assert set(uncertainty_categories(model.smallest_distance(X))) == {"low"}
    far = np.full((1, X.shape[1]), 30.0)
    assert model.smallest_distance(far)[0] > model.smallest_distance(X).max()


# Progress


def in_small_blocks():
    """A regression in which every phase over rows has several steps."""
    regression = DistanceRegression()
    regression._plan = WorkPlan(block_values=1, least_block_rows=4, cached_values=1)
    return regression


FIT_PHASES = ["distances", "gram", "cholesky", "solve", "leverage", "coefficients"]


@for_each
def test_phases_are_heard_from_beginning_to_end(estimator, data):
    X, Y, X_test = data
    events = []
    with listen(lambda *event: events.append(event)):
        clone(estimator).fit_from(in_small_blocks().fit(X, Y)).predict(X_test)
    phases = list(dict.fromkeys(name for name, _, _ in events))
    own = ["tuning", "threshold"] if isinstance(estimator, MultiLabelMLM) else []
    assert phases == [*FIT_PHASES, *own, "predicted distances"]
    for phase in phases:
        done = [done for name, done, _ in events if name == phase]
        (total,) = {total for name, _, total in events if name == phase}
        assert done[0] == 0
        assert done[-1] == total > 0
        assert done == sorted(set(done))
    rows = [done for name, done, _ in events if name == "predicted distances"]
    assert rows == [0, 4, 8, 12, len(X_test)]


def test_listener_is_heard_through_pipeline_and_cross_validation_only_while_it_listens(data):
    X, Y, X_test = data
    events = []
    pipeline = make_pipeline(MinMaxScaler(), MultiLabelMLM())
    with listen(lambda *event: events.append(event)):
        cross_val_predict(pipeline, X, Y, cv=3)
    assert events.count(("gram", 0.0, 30.0**3)) == 3
    n_events = len(events)
    pipeline.fit(X, Y).predict(X_test)
    assert len(events) == n_events


class CancelledError(Exception):
    pass


@pytest.mark.parametrize("phase", [*FIT_PHASES, "tuning", "threshold"])
@threadpool_limits.wrap(limits=2, user_api="blas")
def test_what_the_listener_raises_ends_the_fit(phase, data):
    X, Y, X_test = data
    heard = []

    def cancel(name, done, total):
        heard.append(name)
        if name == phase and (done > 0 or name in FIT_PHASES):
            raise CancelledError

    model, threads = MultiLabelMLM(power_grid=[1, 2]), usable_threads()
    with listen(cancel), pytest.raises(CancelledError):
        model.fit_from(in_small_blocks().fit(X, Y))
    assert heard[-1] == phase
    # The model can be fitted again afterwards, on as many threads as before.
    assert usable_threads() == threads
    expected = clone(model).fit(X, Y).predict_proba(X_test)
    np.testing.assert_array_equal(model.fit(X, Y).predict_proba(X_test), expected)


# scikit-learn's scorers


@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize(
    ("scorer", "metric"),
    [
        ("neg_log_loss", lambda Y, P: -log_loss(Y, P)),
        ("roc_auc", roc_auc_score),
        ("average_precision", average_precision_score),
    ],
)
def test_scorers_take_every_label_for_a_label(scorer, metric, n_labels):
    """Two labels are not the two classes of one."""
    X, Y = make_multilabel_classification(
        90, 6, n_classes=n_labels, n_labels=1, allow_unlabeled=False, random_state=1
    )
    X = MinMaxScaler().fit_transform(X)
    model = MultiLabelMLM(power=2).fit(X[:60], Y[:60])
    expected = metric(Y[60:], model.predict_proba(X[60:]))
    assert get_scorer(scorer)(model, X[60:], Y[60:]) == pytest.approx(expected)
    scores = cross_val_score(model, X, Y, cv=3, scoring=scorer, error_score="raise")
    assert np.isfinite(scores).all()
