"""What is said on standard error, and how many threads a fit takes."""

import os

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_multilabel_classification
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from threadpoolctl import threadpool_limits

from mlmlm import BinaryRelevanceMLM, LocalizationMLM, MultiLabelMLM, NearestNeighborMLM, _parallel
from mlmlm._parallel import usable_threads
from mlmlm.progress import _Narrator, listen

ESTIMATORS = [MultiLabelMLM(), LocalizationMLM(), BinaryRelevanceMLM(), NearestNeighborMLM()]
FIT_PHASES = ["distances", "gram", "cholesky", "solve", "leverage", "coefficients"]

for_each = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)


@pytest.fixture(scope="module")
def data():
    X, Y = make_multilabel_classification(60, 6, n_classes=4, allow_unlabeled=True, random_state=0)
    X = MinMaxScaler().fit_transform(X)
    return X[:45], Y[:45], X[45:]


class CancelledError(Exception):
    pass


# Progress


@for_each
def test_a_verbose_model_says_how_long_it_took(estimator, data, capfd):
    X, Y, X_test = data
    name = type(estimator).__name__
    model = clone(estimator).set_params(verbose=True).fit(X, Y)
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"[{name}] fit took ")
    assert said.err.endswith(" s\n")
    model.predict(X_test)
    assert capfd.readouterr().err.startswith(f"[{name}] prediction took ")


@for_each
def test_others_say_nothing(estimator, data, capfd):
    X, Y, X_test = data
    clone(estimator).fit(X, Y).predict_all(X_test)
    assert capfd.readouterr() == ("", "")


def test_phases_that_take_long_are_told_with_what_is_left(data, capfd, monkeypatch):
    X, Y, X_test = data
    monkeypatch.setattr(_Narrator, "interval", 0.0)
    MultiLabelMLM(verbose=True).fit(X, Y).predict(X_test)
    lines = capfd.readouterr().err.splitlines()
    for phase in [*FIT_PHASES, "tuning", "threshold", "predicted distances"]:
        told = [line for line in lines if line.startswith(f"[MultiLabelMLM] {phase}: ")]
        assert told[-1].endswith(": 100%, 0 s, about 0 s left")
    assert sum("took" in line for line in lines) == 2


def test_what_is_left_is_told_by_what_is_done(capfd, monkeypatch):
    """A quarter in 3 s, so 9 s are left; nothing in between, since a second ago it was said."""
    times = iter([100.0, 101.0, 103.0, 104.0, 112.0])
    monkeypatch.setattr("mlmlm.progress.time.perf_counter", lambda: next(times))
    narrator = _Narrator("Someone")
    for done in (0, 10, 25, 30, 100):
        narrator.hear("solve", done, 100)
    assert capfd.readouterr().err.splitlines() == [
        "[Someone] solve: 25%, 3 s, about 9 s left",
        "[Someone] solve: 100%, 12 s, about 0 s left",
    ]


@for_each
def test_a_listener_hears_the_same_of_a_verbose_model(estimator, data, capfd):
    X, Y, X_test = data
    heard = {}
    for verbose in (False, True):
        events = heard[verbose] = []
        with listen(lambda *event, events=events: events.append(event)):
            clone(estimator).set_params(verbose=verbose).fit(X, Y).predict(X_test)
    assert heard[True] == heard[False]
    assert len(heard[True]) > len(FIT_PHASES)
    assert "fit took" in capfd.readouterr().err


def test_a_listener_can_cancel_a_verbose_fit(data, capfd):
    X, Y, _ = data

    def cancel(name, done, total):
        raise CancelledError

    with listen(cancel), pytest.raises(CancelledError):
        MultiLabelMLM(verbose=True).fit(X, Y)
    assert "took" not in capfd.readouterr().err


def test_processes_of_a_search_are_heard(data, capfd):
    """Two processes, four fits and predictions, and the fit of the best on all rows here."""
    X, Y, _ = data
    pipeline = make_pipeline(MinMaxScaler(), MultiLabelMLM(verbose=True))
    grid = {"multilabelmlm__power": [1.0, 4.0]}
    GridSearchCV(pipeline, grid, cv=2, scoring="f1_micro", n_jobs=2, error_score="raise").fit(X, Y)
    said = capfd.readouterr().err
    assert said.count("[MultiLabelMLM] fit took ") == 5
    assert said.count("[MultiLabelMLM] prediction took ") == 4


# Threads


@pytest.fixture
def two_cores(monkeypatch):
    """A machine of two cores, both for BLAS, whatever this one has."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1}, raising=False)
    with threadpool_limits(limits=2, user_api="blas"):
        yield


def threads_in_phases(model, X, Y):
    """Threads that BLAS may use as each phase of the algebra begins."""
    threads = {}

    def note(name, done, total):
        if done == 0 and name != "choice of references":
            threads[name] = usable_threads()

    with listen(note):
        model.fit(X, Y).predict(X)
    return threads


@pytest.mark.usefixtures("two_cores")
@for_each
@pytest.mark.parametrize("references", [None, 10])
def test_a_small_fit_takes_one_thread(estimator, references, data):
    X, Y, _ = data
    threads = threads_in_phases(clone(estimator).set_params(references=references), X, Y)
    assert {"gram", "cholesky", "solve", "predicted distances"} <= threads.keys()
    assert set(threads.values()) == {1}
    assert usable_threads() == 2


@pytest.mark.usefixtures("two_cores")
@for_each
@pytest.mark.parametrize("references", [None, 10])
def test_a_large_one_takes_all(estimator, references, data, monkeypatch):
    X, Y, _ = data
    monkeypatch.setattr(_parallel, "SMALL_TABLE", 1)
    threads = threads_in_phases(clone(estimator).set_params(references=references), X, Y)
    assert set(threads.values()) == {2}


@pytest.mark.usefixtures("two_cores")
def test_threads_change_no_figure(data, monkeypatch):
    X, Y, X_test = data
    small = MultiLabelMLM().fit(X, Y)
    monkeypatch.setattr(_parallel, "SMALL_TABLE", 1)
    large = MultiLabelMLM().fit(X, Y)
    assert (large.power_, large.threshold_) == (small.power_, pytest.approx(small.threshold_))
    np.testing.assert_allclose(large.predict_proba(X_test), small.predict_proba(X_test), atol=1e-9)


@pytest.mark.usefixtures("two_cores")
@pytest.mark.parametrize("small_table", [1, 1 << 20])
@pytest.mark.parametrize("phase", [*FIT_PHASES, "tuning", "threshold", "predicted distances"])
def test_threads_are_given_back_after_an_error(phase, small_table, data, monkeypatch):
    """Even while the error, and with it all that was going on, is kept."""
    X, Y, X_test = data
    monkeypatch.setattr(_parallel, "SMALL_TABLE", small_table)

    def cancel(name, done, total):
        if name == phase and done > 0:
            raise CancelledError

    with listen(cancel), pytest.raises(CancelledError) as kept:
        MultiLabelMLM().fit(X, Y).predict(X_test)
    assert kept.value.__traceback__ is not None
    assert usable_threads() == 2


@pytest.mark.usefixtures("two_cores")
def test_threads_are_given_back_after_an_error_in_the_rows_of_a_prediction(data):
    X, Y, X_test = data

    class Failing(NearestNeighborMLM):
        def _cut(self, scores, predicted):
            raise CancelledError

    with pytest.raises(CancelledError) as kept:
        Failing().fit(X, Y).predict(X_test)
    assert kept.value.__traceback__ is not None
    assert usable_threads() == 2


@pytest.mark.usefixtures("two_cores")
@pytest.mark.parametrize("labels", [None, "wrong"])
def test_threads_are_given_back_after_bad_data(labels, data):
    with pytest.raises(ValueError):
        MultiLabelMLM().fit(data[0], labels and np.full(45, labels))
    assert usable_threads() == 2
