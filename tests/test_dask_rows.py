"""Rows that are chunks of Dask arrays: the same figures as in memory, whoever does the work."""

import pickle
import warnings
from functools import partial

import dask
import dask.array as da
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from mlmlm import (
    BinaryRelevanceMLM,
    DistanceRegression,
    LocalizationMLM,
    MultiLabelMLM,
    NearestNeighborMLM,
)
from mlmlm._dask_rows import RowsOnDask
from mlmlm._ml_mlm import _scores_left_out
from mlmlm._parallel import usable_threads
from mlmlm._scores_in_pieces import _add_counts, _bins_around, _different, _no_counts
from mlmlm.progress import listen

CLASSIFIERS = (MultiLabelMLM, BinaryRelevanceMLM, LocalizationMLM, NearestNeighborMLM)
N_ROWS, N_TEST, N_FEATURES, N_LABELS = 220, 45, 6, 5
UNEVEN = (70, 1, 100, 49)
TOLERANCE = 1e-9

for_each = pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda c: c.__name__)


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes of one thread each."""
    distributed = pytest.importorskip("distributed")
    with (
        dask.config.set({"distributed.scheduler.worker-ttl": None}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture(params=["synchronous", "threads", "two processes"])
def workers(request):
    """Where Dask does its work."""
    if request.param == "two processes":
        client = request.getfixturevalue("cluster")
        with client.as_current(), dask.config.set(scheduler=client):
            yield request.param
    else:
        with dask.config.set(scheduler=request.param):
            yield request.param


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.random((N_ROWS + N_TEST, N_FEATURES))
    X[10:30] = X[120:140]  # equal inputs in different chunks
    noisy = X @ rng.normal(size=(N_FEATURES, N_LABELS)) + 0.3 * rng.normal(size=(len(X), N_LABELS))
    Y = (noisy > np.quantile(noisy, 0.6, axis=0)).astype(np.uint8)
    return X[:N_ROWS], Y[:N_ROWS], X[N_ROWS:]


def in_chunks(table, rows=UNEVEN, columns=-1):
    return da.from_array(table, chunks=(rows, columns))


def with_unknown_sizes(array):
    return array[da.ones(len(array), dtype=bool, chunks=array.chunks[0])]


def assert_close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=TOLERANCE)


def assert_same(model, expected, X_test):
    """Tuned figures, scores and labels of two fitted classifiers."""
    if isinstance(model, MultiLabelMLM):
        assert model.power_ == expected.power_
        assert_close(model.threshold_, expected.threshold_)
        # At high powers scores differ in their last bits only, and there losses may differ too.
        assert_close(model.loo_ranking_loss_[:50], expected.loo_ranking_loss_[:50])
    np.testing.assert_array_equal(model.predict(X_test), expected.predict(X_test))
    assert_close(model.predict_distances(X_test), expected.predict_distances(X_test))
    if hasattr(expected, "decision_function"):
        assert_close(model.decision_function(X_test), expected.decision_function(X_test))


# The same figures as in memory


@for_each
def test_figures_are_those_in_memory(workers, classifier, data):
    X, Y, X_test = data
    model = classifier(references=30).fit(in_chunks(X), in_chunks(Y))
    expected = classifier(references=30).fit(X, Y)
    np.testing.assert_array_equal(model.regression_.references_, expected.regression_.references_)
    assert_close(model.regression_.leverage_, expected.regression_.leverage_)
    assert_same(model, expected, X_test)


@pytest.mark.parametrize(
    "chunked",
    [
        lambda X, Y: (in_chunks(X), in_chunks(Y, (10, 100, 110))),
        lambda X, Y: (in_chunks(X, columns=2), in_chunks(Y, columns=3)),
        lambda X, Y: (in_chunks(X, N_ROWS), in_chunks(Y, N_ROWS)),
        lambda X, Y: (in_chunks(X, 1 + N_ROWS // 17), in_chunks(Y, 50)),
        lambda X, Y: (with_unknown_sizes(in_chunks(X)), with_unknown_sizes(in_chunks(Y, 60))),
        lambda X, Y: (in_chunks(X), Y),
        lambda X, Y: (in_chunks(X), Y.tolist()),
        lambda X, Y: (in_chunks(X), sp.csr_array(Y)),
        lambda X, Y: (in_chunks(X), sp.coo_array(Y)),
        lambda X, Y: (X, in_chunks(Y)),
        lambda X, Y: (in_chunks(X, (0, 100, 0, 120)), in_chunks(Y, (200, 0, 20))),
        lambda X, Y: (in_chunks(X).map_blocks(sp.csr_matrix), in_chunks(Y)),
    ],
    ids=[
        *("other_chunks_of_Y", "chunks_of_columns", "one_chunk", "many_chunks", "unknown_sizes"),
        *("Y_array", "Y_list", "Y_csr", "Y_coo", "X_array", "empty_chunks", "sparse_chunks"),
    ],
)
def test_any_chunks_will_do(workers, chunked, data):
    X, Y, X_test = data
    rows = np.array([200, 3, 80, 70, 71, 130, 9])
    model = MultiLabelMLM(references=rows).fit(*chunked(X, Y))
    assert_same(model, MultiLabelMLM(references=rows).fit(X, Y), X_test)


def test_inputs_in_memory_follow_the_chunks_of_labels(data):
    X, Y, _ = data
    rows = RowsOnDask.of_arrays(X, in_chunks(Y))
    with dask.config.set(scheduler="synchronous"):
        assert list(rows.map(lambda piece: len(piece.Y), N_ROWS)) == list(UNEVEN)


VECTORS = {
    "words": lambda y: np.where(y == 1, "yes", "no"),
    "one and two": lambda y: y + 1,
    "signs": lambda y: 2 * y.astype(int) - 1,
    "truth values": lambda y: y.astype(bool),
    "small integers": lambda y: y.astype(np.int8),
    "floats": lambda y: y.astype(float),
    "a column": lambda y: y[:, None],
    "a column of signs": lambda y: 2 * y[:, None].astype(int) - 1,
}


@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.parametrize("where", ["in memory", "in chunks"])
def test_a_single_label_is_as_in_memory(name, where, workers, data):
    X, Y, X_test = data
    y = VECTORS[name](Y[:, 0])
    chunked = y if where == "in memory" else da.from_array(y, chunks=(100, *y.shape[1:]))
    model = MultiLabelMLM(references=20).fit(in_chunks(X), chunked)
    expected = MultiLabelMLM(references=20).fit(X, y)
    assert model.classes_.tolist() == expected.classes_.tolist()
    assert model.classes_.dtype == expected.classes_.dtype
    predicted, known = model.predict(in_chunks(X_test, 20)), expected.predict(X_test)
    assert predicted.dtype == known.dtype
    np.testing.assert_array_equal(predicted.compute(), known)
    assert_close(model.predict_proba(X_test), expected.predict_proba(X_test))


@pytest.mark.parametrize("references", [200, 0.1, [5, 210, 100]])
@pytest.mark.parametrize("selection", ["random", "kmeans++", "pivoted"])
def test_references_are_those_chosen_in_memory(references, selection, data):
    """Also all 200 distinct inputs: the dual in memory, the sums over rows here."""
    X, Y, X_test = data
    parameters = {"references": references, "selection": selection, "random_state": 3}
    model = MultiLabelMLM(**parameters).fit(in_chunks(X), in_chunks(Y))
    expected = MultiLabelMLM(**parameters).fit(X, Y)
    np.testing.assert_array_equal(model.regression_.references_, expected.regression_.references_)
    assert_same(model, expected, X_test)


@pytest.mark.parametrize("tuning_rows", [1, 3, 60, N_ROWS])
def test_tuning_on_a_sample_is_the_same(workers, tuning_rows, data):
    """Also on so small a one that there are chunks without any of its rows."""
    X, Y, X_test = data
    parameters = {"references": 20, "tuning_rows": tuning_rows}
    model = MultiLabelMLM(**parameters).fit(in_chunks(X), in_chunks(Y))
    assert_same(model, MultiLabelMLM(**parameters).fit(X, Y), X_test)


@pytest.mark.parametrize("ranking", ["score", "log_odds"])
@pytest.mark.parametrize("power", [0.5, 8, 10_000])
@pytest.mark.parametrize("relevant", ["some", "few", "nearly all", "all", "none"])
def test_the_threshold_is_that_in_memory(ranking, power, relevant, data):
    """Also where nearly all scores are 0 or 1, and of a cut that no score lies above or below."""
    X, Y, _ = data
    Y = Y.copy()
    if relevant in ("few", "none"):
        Y[:] = 0
    if relevant in ("nearly all", "all"):
        Y[:] = 1
    if relevant in ("few", "nearly all"):
        Y[[3, 77, 150], [0, 2, 3]] ^= 1
    model = MultiLabelMLM(references=20, power=power, ranking=ranking)
    chunked = clone(model).fit(in_chunks(X), in_chunks(Y)).threshold_
    expected = model.fit(X, Y).threshold_
    np.testing.assert_allclose(chunked, expected, rtol=0, atol=TOLERANCE)


def test_calibration_is_that_in_memory(data):
    X, Y, X_test = data
    model = MultiLabelMLM(references=20, calibration="sigmoid")
    expected = clone(model).fit(X, Y)
    assert_close(
        model.fit(in_chunks(X), in_chunks(Y)).predict_proba(X_test), expected.predict_proba(X_test)
    )


def test_the_scores_stay_where_they_are(data):
    """What comes back for the threshold are a few bins of them."""
    X, Y, _ = data
    regression = DistanceRegression(references=20).fit(in_chunks(X), in_chunks(Y))
    left_out = regression.leave_one_out()
    score = partial(_scores_left_out, MultiLabelMLM(power=2.0).fit_from(regression))
    (counts,) = left_out.sum(_no_counts, partial(_add_counts, score), lambda rows: None)
    assert counts.sum() == Y.size
    around = _bins_around(counts, int(Y.sum()))
    back = sum(len(values) for values, _ in left_out.map(partial(_different, score, *around)))
    assert back < Y.size / 10


def test_label_references_are_the_same(workers, data):
    X, Y, X_test = data
    parameters = {"references": 20, "label_references": 7}
    model = MultiLabelMLM(**parameters).fit(in_chunks(X), in_chunks(Y))
    assert len(model.regression_.label_vectors_) == 7
    assert_same(model, MultiLabelMLM(**parameters).fit(X, Y), X_test)


def test_a_regression_is_shared(workers, data):
    X, Y, X_test = data
    regression = DistanceRegression(references=20).fit(in_chunks(X), in_chunks(Y))
    for classifier in CLASSIFIERS:
        assert_same(classifier().fit_from(regression), classifier(references=20).fit(X, Y), X_test)


def test_single_precision_chunks(data):
    X, Y, X_test = data
    X = X.astype(np.float32)
    model = MultiLabelMLM(references=20).fit(in_chunks(X), in_chunks(Y))
    assert_same(model, MultiLabelMLM(references=20).fit(X, Y), X_test)


def test_a_pickled_model_has_none_of_the_chunks(workers, data):
    X, Y, X_test = data
    model = MultiLabelMLM(references=20).fit(in_chunks(X), in_chunks(Y))
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict(X_test), model.predict(X_test))


def test_phases_are_heard(data):
    X, Y, _ = data
    events = []
    with listen(lambda *event: events.append(event)):
        MultiLabelMLM(references=20).fit(in_chunks(X), in_chunks(Y))
    names = list(dict.fromkeys(name for name, _, _ in events))
    assert names == [
        *("choice of references", "distances", "gram", "cholesky", "solve", "leverage"),
        *("tuning", "threshold"),
    ]


def test_threads_of_dask_leave_those_of_blas_as_they_were(data):
    X, Y, X_test = data
    with threadpool_limits(2, user_api="blas"), dask.config.set(scheduler="threads"):
        before = usable_threads()
        for _ in range(5):
            model = MultiLabelMLM(references=20).fit(in_chunks(X, 11), in_chunks(Y, 11))
            model.predict(in_chunks(X_test, 5)).compute()
        assert usable_threads() == before


# Predictions


METHODS = {
    "predict": ((N_LABELS,), np.int64),
    "predict_proba": ((N_LABELS,), np.float64),
    "decision_function": ((N_LABELS,), np.float64),
    "predict_distances": (None, np.float64),
    "smallest_distance": ((), np.float64),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("references", [None, 25])
def test_predictions_are_dask_arrays(workers, method, references, data):
    """Also of a model that was fitted in memory."""
    X, Y, X_test = data
    model = MultiLabelMLM(power=2, references=references).fit(X, Y)
    shape, dtype = METHODS[method]
    shape = (len(model.regression_.label_vectors_),) if shape is None else shape
    predicted = getattr(model, method)(in_chunks(X_test, (20, 5, 20), 4))
    assert isinstance(predicted, da.Array)
    assert predicted.shape == (N_TEST, *shape)
    assert predicted.dtype == dtype
    assert predicted.chunks == ((20, 5, 20), *((size,) for size in shape))
    computed = predicted.compute()
    assert computed.shape == predicted.shape
    assert computed.dtype == dtype
    assert_close(computed, getattr(model, method)(X_test))


@for_each
def test_predictions_of_chunks_of_unknown_or_no_size(workers, classifier, data):
    X, Y, X_test = data
    model = classifier(references=25).fit(X, Y)
    chunked = in_chunks(X_test, 20)
    some = chunked[chunked[:, 0] > 0.5]
    expected = model.predict(X_test[X_test[:, 0] > 0.5])
    np.testing.assert_array_equal(model.predict(some).compute(), expected)
    no_row_of_the_first = chunked[da.arange(N_TEST, chunks=20) >= 20]
    np.testing.assert_array_equal(
        model.predict(no_row_of_the_first).compute(), model.predict(X_test[20:])
    )


def test_nothing_is_computed_before_it_is_asked_for(data):
    X, Y, X_test = data
    model = MultiLabelMLM(power=2, references=25).fit(X, Y)
    touched = []
    chunked = in_chunks(X_test, 15).map_blocks(
        lambda x: touched.append(len(x)) or x, dtype=float, meta=np.empty((0, 0))
    )
    with dask.config.set(scheduler="synchronous"):
        lazy = model.predict(chunked)
        assert touched == []
        lazy[:15].compute()
    assert touched == [15]


# Wrong input


def with_value(table, row, value):
    table = table.astype(float)
    table[row, 1] = value
    return table


def with_another_width(table):
    """Chunks of which the last has a column less than it is said to have."""
    return in_chunks(table).map_blocks(
        lambda x, block_info=None: x[:, :-1] if len(x) == UNEVEN[-1] else x,
        dtype=table.dtype,
        meta=np.empty((0, 0)),
        chunks=in_chunks(table).chunks,
    )


WRONG = {
    "widths of X": (lambda X, Y: (with_another_width(X), in_chunks(Y)), "X must have 6 columns"),
    "widths of Y": (lambda X, Y: (in_chunks(X), with_another_width(Y)), "Y must have 5 columns"),
    "lengths": (
        lambda X, Y: (in_chunks(X), in_chunks(Y[:-1], 100)),
        "inconsistent numbers of samples: 220 and 219",
    ),
    "length of an array": (lambda X, Y: (in_chunks(X), Y[:-1]), "samples: 220 and 219"),
    "NaN in X": (
        lambda X, Y: (in_chunks(with_value(X, 150, np.nan)), in_chunks(Y)),
        "X contains NaN",
    ),
    "infinity in X": (lambda X, Y: (in_chunks(with_value(X, 150, np.inf)), Y), "X contains inf"),
    "NaN in Y": (
        lambda X, Y: (in_chunks(X), in_chunks(with_value(Y, 3, np.nan))),
        "y contains NaN",
    ),
    "two in Y": (lambda X, Y: (in_chunks(X), in_chunks(2 * Y)), "only 0 and 1, but it has 2"),
    "two in an array": (lambda X, Y: (in_chunks(X), 2 * Y), "only 0 and 1, but it has 2"),
    "one dimension of X": (lambda X, Y: (in_chunks(X)[:, 0], Y), "X must have two dimensions"),
    "three dimensions of Y": (lambda X, Y: (in_chunks(X), Y[None]), "it has 3 dimension"),
    "three dimensions of chunks of Y": (
        lambda X, Y: (in_chunks(X), da.from_array(Y[None])),
        "Y must have two dimensions",
    ),
    "no column of Y": (lambda X, Y: (in_chunks(X), in_chunks(Y)[:, :0]), "Y has 0 columns"),
    "no array": (
        lambda X, Y: (dask.delayed(X), Y),
        r"X must be a Dask array, not a .*frame\.to_dask_array",
    ),
    "weights": (lambda X, Y: (in_chunks(X), Y, np.ones(len(Y))), "no sample_weight"),
    "three classes": (
        lambda X, Y: (in_chunks(X), da.from_array(Y.sum(axis=1), chunks=50)),
        "type of the target is multiclass",
    ),
    "no rows": (lambda X, Y: (in_chunks(X)[:0], in_chunks(Y)[:0]), "0 samples"),
    "no labels": (lambda X, Y: (in_chunks(X), None), "y.* None"),
}


@pytest.mark.parametrize("references", [12, [199, 3]])
@pytest.mark.parametrize("name", WRONG)
def test_wrong_data_are_refused_in_one_line(workers, name, references, data):
    change, message = WRONG[name]
    with pytest.raises(ValueError, match=message) as caught:
        MultiLabelMLM(references=references).fit(*change(*data[:2]))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("references", "message"),
    [
        (None, "Dask arrays need reference points chosen, such as references=1000"),
        (0, "'references' parameter"),
        (201, "references=201 is more than the 200 distinct inputs"),
        ([10, 120], "references has rows 10 and 120, equal inputs"),
        ([5, 220], "references has index 220"),
        ([5, 5], "references has index 5 twice"),
    ],
)
def test_wrong_references_are_refused_in_one_line(references, message, data):
    X, Y, _ = data
    with pytest.raises(ValueError, match=message) as caught:
        MultiLabelMLM(references=references).fit(in_chunks(X), in_chunks(Y))
    assert "\n" not in str(caught.value)


def test_another_number_of_features_is_refused_at_once(data):
    X, Y, X_test = data
    model = MultiLabelMLM(references=20).fit(in_chunks(X), in_chunks(Y))
    with pytest.raises(ValueError, match=r"5 features.* expecting 6"):
        model.predict(in_chunks(X_test[:, 1:], 20))


# What is sent


def test_no_large_graphs_are_sent(cluster):
    """Label vectors, coefficients and label matrices go to the workers once, beside the graph."""
    rng = np.random.default_rng(0)
    X = da.random.default_rng(0).random((4000, 20), chunks=(200, -1))
    Y = (rng.random((4000, 60)) < 0.1).astype(np.uint8)
    limit = {"distributed.admin.large-graph-warning-threshold": "200kB"}
    with (
        cluster.as_current(),
        dask.config.set(scheduler=cluster, **limit),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error")
        model = MultiLabelMLM(references=100, power_grid=[1, 2]).fit(X, Y)
        assert model.regression_.coef_.nbytes > 10 * 200_000
        assert model.predict(X).sum().compute() > 0


def test_threads_can_be_asked_for_beside_a_cluster(cluster, data):
    X, Y, X_test = data
    with cluster.as_current(), dask.config.set(scheduler="threads"):
        model = MultiLabelMLM(references=20).fit(in_chunks(X), Y)
        assert_same(model, MultiLabelMLM(references=20).fit(X, Y), X_test)
