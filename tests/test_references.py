"""Reference points that are chosen: which, how many, and what the regression makes of them."""

import pickle
import tracemalloc
from contextlib import ExitStack
from functools import cached_property
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from threadpoolctl import threadpool_limits

from mlmlm import (
    BinaryRelevanceMLM,
    DistanceRegression,
    LocalizationMLM,
    MultiLabelMLM,
    NearestNeighborMLM,
    _chosen_inputs,
    memory,
)
from mlmlm._parallel import one_blas_thread, usable_threads
from mlmlm._reference_choice import choose_references, choose_tuning_rows
from mlmlm._training_rows import RowsInMemory
from mlmlm._work_plan import WorkPlan
from mlmlm.datasets import DatasetError, load_dataset
from mlmlm.metrics import METRICS, evaluate
from mlmlm.progress import listen
from tests import oracles

CLASSIFIERS = (MultiLabelMLM, BinaryRelevanceMLM, LocalizationMLM, NearestNeighborMLM)
SELECTIONS = ("random", "kmeans++", "pivoted")
POWERS = [1.0, 1.7, 2.0, 3.4, 4.0, 8.0]

for_each = pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda c: c.__name__)
for_each_selection = pytest.mark.parametrize("selection", SELECTIONS)
quickly = settings(max_examples=25, deadline=None)


# Data


def make_problem(seed=0, n_rows=50, n_features=4, n_labels=5, n_test=15):
    """Inputs in the unit cube, and labels that are noisy functions of them."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows + n_test, n_features))
    noisy = X @ rng.normal(size=(n_features, n_labels))
    noisy += 0.3 * rng.normal(size=noisy.shape)
    Y = (noisy > np.quantile(noisy, 0.65, axis=0)).astype(int)
    return X[:n_rows], Y[:n_rows], X[n_rows:]


def with_repeated_rows(X, Y):
    X, Y = X.copy(), Y.copy()
    X[[5, 20, 33]] = X[2]
    X[[11, 12]] = X[10]
    X[39], Y[39] = X[0], Y[0]
    return X, Y


class Case:
    """One data set and some of its rows; what the oracle makes of them."""

    def __init__(self, X, Y, X_test, rows, form=np.asarray, Y_test=None):
        self.X, self.Y, self.X_test, self.rows, self.form = X, Y, X_test, np.array(rows), form
        self.Y_test = Y[: len(X_test)] if Y_test is None else Y_test

    @cached_property
    def oracle(self):
        return oracles.Regression(self.X, self.Y, self.rows)

    @cached_property
    def delta(self):
        return self.oracle.predict(self.X_test)

    @cached_property
    def loo(self):
        return self.oracle.press()

    @cached_property
    def regression(self):
        return DistanceRegression(references=self.rows).fit(self.form(self.X), self.Y)

    def predictions(self, classifier):
        """Scores (or none) and labels, as the oracle has them."""
        if classifier is NearestNeighborMLM:
            return None, oracles.nearest_labels(self.delta, self.Y)
        if classifier is MultiLabelMLM:
            power, threshold = self.tuned()
            scores = oracles.quick_idw_scores(self.delta, self.Y, power)
            return scores, scores > threshold
        if classifier is BinaryRelevanceMLM:
            scores = oracles.cubic_scores(self.oracle, self.X_test)
        else:
            scores = oracles.localization_scores(self.delta, self.Y)
        return scores, oracles.local_rcut(scores, self.delta, self.Y)

    def tuned(self, rows=slice(None)):
        """Power and threshold, from all rows or some."""
        loo, Y = self.loo[rows], self.Y[rows]
        scores = [oracles.quick_idw_scores(loo, self.Y, power) for power in POWERS]
        losses = np.round([oracles.mean_ranking_loss(values, Y) for values in scores], 12)
        best = int(np.argmin(losses))
        return POWERS[best], oracles.cardinality_threshold(scores[best], Y.sum())


def make_cases():
    X, Y, X_test = make_problem()
    rare = np.where(X < 0.6, 0, X), Y, np.where(X_test < 0.6, 0, X_test)
    some = [30, 4, 17, 8, 41, 22, 0, 9]
    without = Y.copy()
    without[:, 2] = 0
    single = X.astype(np.float32).astype(float), Y, X_test
    wide = make_problem(3, n_rows=40, n_features=60, n_labels=9)
    return {
        "dense": Case(X, Y, X_test, some),
        "sparse": Case(*rare, some, sp.csr_array),
        "sparse columns": Case(*rare, some, sp.csc_matrix),
        "repeated rows": Case(*with_repeated_rows(X, Y), X_test, [33, 4, 17, 12, 39]),
        "single precision": Case(*single, some, lambda X: X.astype(np.float32)),
        "label without positives": Case(X, without, X_test, some),
        "one reference": Case(X, Y, X_test, [7]),
        "two references": Case(X, Y, X_test, [7, 3]),
        "all references but one": Case(X, Y, X_test, np.delete(np.arange(50), 21)),
        "more features than rows": Case(*wide, np.arange(0, 40, 3)),
    }


CASES = make_cases()


@pytest.fixture(params=CASES, ids=lambda name: name.replace(" ", "_"))
def case(request):
    return CASES[request.param]


def assert_close(actual, expected, atol=1e-6):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=atol)


def make(classifier, **parameters):
    if classifier is MultiLabelMLM:
        parameters = {"power_grid": POWERS} | parameters
    return classifier(**parameters)


def by_row(regression, distances, Y):
    """Distances to distinct label vectors as distances to the label vectors of all rows."""
    column = {tuple(v): k for k, v in enumerate(regression.label_vectors_.vectors.tolist())}
    return distances[:, [column[tuple(labels)] for labels in np.asarray(Y).tolist()]]


def all_leave_one_out(regression, rows=None):
    left_out = regression.leave_one_out(rows)
    distances = np.full((len(left_out), len(regression.label_vectors_)), np.nan)
    for block in left_out.map(lambda block: block):
        distances[block.rows] = block.distances
    return distances


def assert_same_models(one, other, X_test, atol=0.0):
    """Two fitted regressions, or rather what all four methods make of them."""
    for classifier in CLASSIFIERS:
        a, b = make(classifier).fit_from(one), make(classifier).fit_from(other)
        np.testing.assert_array_equal(a.predict(X_test), b.predict(X_test))
        if hasattr(a, "decision_function"):
            assert_close(a.decision_function(X_test), b.decision_function(X_test), atol)
        if classifier is MultiLabelMLM:
            assert a.power_ == b.power_
            assert_close(a.threshold_, b.threshold_, atol)
            assert_close(a.loo_ranking_loss_, b.loo_ranking_loss_, atol)


# Against the plain formulas


def test_ridge_is_the_quantile_of_the_distances_between_the_references(case):
    assert case.regression.alpha_ == pytest.approx(case.oracle.alpha, rel=1e-12)


def test_references_are_those_asked_for(case):
    found = case.regression.references_
    found = found.toarray() if sp.issparse(found) else found
    np.testing.assert_array_equal(found, case.X[case.rows])
    assert sp.issparse(case.regression.references_) == sp.issparse(case.form(case.X))


def test_predicted_distances_are_those_of_the_formulas(case):
    predicted = case.regression.predict(case.form(case.X_test))
    tolerance = 1e-6 if case.form(case.X).dtype == np.float64 else 1e-5  # X_test is rounded too
    assert_close(by_row(case.regression, predicted.to_label_vectors, case.Y), case.delta, tolerance)


def test_leave_one_out_is_refitting_without_the_row(case):
    distances = by_row(case.regression, all_leave_one_out(case.regression), case.Y)
    assert_close(distances, case.oracle.leave_one_out())
    assert_close(case.loo, case.oracle.leave_one_out())


def test_leverage_is_the_diagonal_of_the_hat_matrix(case):
    assert_close(case.regression.leverage_, np.diag(case.oracle.hat_matrix()), 1e-9)


@for_each
def test_scores_labels_and_metrics_are_those_of_the_formulas(case, classifier):
    model = make(classifier, references=case.rows).fit(case.form(case.X), case.Y)
    scores, labels = case.predictions(classifier)
    np.testing.assert_array_equal(model.predict(case.X_test), labels)
    if scores is not None:
        assert_close(model.decision_function(case.X_test), scores)
        metrics = METRICS.values()
        found = evaluate(
            case.Y_test,
            model.predict(case.X_test),
            model.decision_function(case.X_test),
            metrics=metrics,
        )
        expected = evaluate(case.Y_test, labels.astype(int), scores, metrics=metrics)
        assert found == pytest.approx(expected, abs=1e-6, nan_ok=True)


def test_power_and_threshold_are_those_of_the_formulas(case):
    model = make(MultiLabelMLM, references=case.rows).fit(case.form(case.X), case.Y)
    power, threshold = case.tuned()
    assert model.power_ == power
    assert model.threshold_ == pytest.approx(threshold, abs=1e-6)


@pytest.mark.parametrize("name", ["emotions", "yeast"])
def test_published_data_agree_with_the_formulas(name):
    try:
        data = load_dataset(name)
    except DatasetError as error:
        pytest.skip(str(error))
    scaler = MinMaxScaler().fit(data.X_train)
    X, X_test = scaler.transform(data.X_train)[:400], scaler.transform(data.X_test)[:150]
    rows = np.random.default_rng(1).choice(len(X), 60, replace=False)
    rows = rows[np.unique(X[rows], axis=0, return_index=True)[1]]
    case = Case(X, data.Y_train[:400], X_test, rows, Y_test=data.Y_test[:150])
    for classifier in CLASSIFIERS:
        test_scores_labels_and_metrics_are_those_of_the_formulas(case, classifier)
    test_power_and_threshold_are_those_of_the_formulas(case)


# All distinct inputs


@pytest.fixture(scope="module")
def repeated():
    X, Y, X_test = make_problem()
    return *with_repeated_rows(X, Y), X_test


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, lambda X: X.astype(np.float32)])
def test_all_distinct_inputs_are_the_default_to_the_last_bit(repeated, form):
    X, Y, X_test = repeated
    X = form(X)
    everything = DistanceRegression().fit(X, Y)
    n_distinct = everything.n_references
    first = np.unique(repeated[0], axis=0, return_index=True)[1]
    assert n_distinct == len(first) < X.shape[0]
    shuffled = np.random.default_rng(0).permutation(first)
    for references in (n_distinct, np.int32(n_distinct), first, shuffled.tolist(), 1 - 1e-9):
        other = DistanceRegression(references=references).fit(X, Y)
        assert_same_models(everything, other, X_test)
        np.testing.assert_array_equal(other.leverage_, everything.leverage_)


def test_a_share_is_rounded_and_never_nothing(repeated):
    X, Y, _ = repeated
    n_distinct = len(np.unique(X, axis=0))
    for share in (1e-9, 0.01, 0.1, 0.25, 0.5, np.float64(0.77)):
        regression = DistanceRegression(references=share).fit(X, Y)
        assert regression.n_references == max(1, round(float(share) * n_distinct))


# Which rows are chosen


def chosen_rows(X, **parameters):
    """Row indices of the chosen references (the first of those that are equal)."""
    Y = np.eye(2, dtype=int)[np.arange(len(X)) % 2]
    references = DistanceRegression(**parameters).fit(X, Y).references_
    rows = [int(np.flatnonzero((reference == X).all(axis=1))[0]) for reference in references]
    assert len(set(rows)) == len(rows)
    return rows


@quickly
@given(seed=st.integers(0, 2**32 - 1), selection=st.sampled_from(SELECTIONS), data=st.data())
def test_so_many_distinct_rows_are_chosen_in_their_order(seed, selection, data):
    X = make_problem(seed % 1000)[0]
    X[10:20] = X[:10]
    count = data.draw(st.integers(1, 40))
    rows = chosen_rows(X, references=count, selection=selection, random_state=seed)
    assert len(rows) == count
    assert rows == sorted(rows)
    assert rows == chosen_rows(X, references=count, selection=selection, random_state=seed)


@for_each_selection
def test_another_seed_chooses_others(selection):
    X = make_problem(n_rows=200)[0]
    chosen = [
        chosen_rows(X, references=20, selection=selection, random_state=seed) for seed in range(4)
    ]
    assert all(one != other for one, other in pairwise(chosen))


@for_each_selection
@pytest.mark.parametrize("spread", [1e-7, 1e-12, 1e-15, 1e-200, 0])
def test_inputs_that_nearly_coincide_are_chosen_too(selection, spread):
    """Three places, around which inputs differ by next to nothing."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.random((3, 4)), 40, axis=0)
    X += spread * rng.normal(size=X.shape) * X
    if spread <= 1e-15:  # where rounding leaves nothing of it
        X[:, 0] = np.where(np.arange(120) % 40, X[:, 0], 0)
        X[:, 1] = np.linspace(0, spread, 120) if spread else np.arange(120) % 40 * 1e-300
    distinct = np.unique(X, axis=0)
    count = len(distinct) - 2
    assert len(chosen_rows(X, references=count, selection=selection)) == count


@for_each_selection
def test_sparse_inputs_choose_the_rows_that_dense_ones_do(selection):
    X, Y, _ = make_problem(n_rows=120)
    X[X < 0.5] = 0
    dense, sparse = (
        DistanceRegression(references=30, selection=selection).fit(form(X), Y).references_
        for form in (np.asarray, sp.csr_array)
    )
    np.testing.assert_array_equal(sparse.toarray(), dense)


@pytest.mark.parametrize("selection", ["kmeans++", "pivoted"])
def test_far_groups_are_all_found(selection):
    """Ten groups of very different sizes: at random the small ones would be missed."""
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(10), [400, *9 * [3]])
    X = 100 * rng.normal(size=(10, 5))[group] + rng.normal(size=(len(group), 5))
    missed = {
        name: [
            10 - len(set(group[chosen_rows(X, references=20, selection=name, random_state=seed)]))
            for seed in range(5)
        ]
        for name in ("random", selection)
    }
    assert np.mean(missed[selection]) < 1.5
    assert np.mean(missed["random"]) > 4


def test_pivots_are_drawn_as_one_by_one():
    """Chances of the first three pivots of few points, against randomly pivoted Cholesky as it is
    written: a chi-squared test with a limit that one seed in 10^6 would exceed."""
    from mlmlm._reference_choice import _pivots

    X = np.random.default_rng(5).random((6, 2)) ** 3
    radius = np.linalg.norm(X - X.mean(axis=0), axis=1)
    kernel = radius[:, None] + radius - oracles.pairwise(X, X)
    chances: dict[frozenset[int], float] = {}

    def follow(residual, chosen, chance):
        if len(chosen) == 3:
            key = frozenset(chosen)
            chances[key] = chances.get(key, 0.0) + chance
            return
        left = np.maximum(np.diag(residual), 0)
        left[list(chosen)] = 0
        for k in np.flatnonzero(left):
            rest = residual - np.outer(residual[:, k], residual[k]) / residual[k, k]
            follow(rest, (*chosen, int(k)), chance * left[k] / left.sum())

    follow(kernel, (), 1.0)
    generator, n_draws = np.random.default_rng(0), 4000
    counts = dict.fromkeys(chances, 0)
    for _ in range(n_draws):
        counts[frozenset(_pivots(X, 3, generator))] += 1
    expected = np.array([n_draws * chances[key] for key in chances])
    assert expected.sum() == pytest.approx(n_draws)
    excess = ((np.array([counts[key] for key in chances]) - expected) ** 2 / expected).sum()
    assert excess < 68  # 19 degrees of freedom


@quickly
@given(seed=st.integers(0, 2**32 - 1))
def test_order_of_the_references_changes_nothing(seed):
    X, Y, X_test = make_problem(seed)
    rows = np.random.default_rng(seed).choice(50, 12, replace=False)
    one, other = (DistanceRegression(references=r).fit(X, Y) for r in (rows, np.sort(rows)))
    assert_close(one.predict(X_test).to_label_vectors, other.predict(X_test).to_label_vectors, 1e-9)
    assert_close(one.leverage_, other.leverage_, 1e-9)
    scores = [MultiLabelMLM(power=3).fit_from(r).predict_proba(X_test) for r in (one, other)]
    assert_close(*scores, 1e-9)


# Label references


def label_case(n_kept):
    case = CASES["dense"]
    model = make(MultiLabelMLM, references=case.rows, label_references=n_kept)
    return case, model.fit(case.X, case.Y)


def test_label_vectors_that_are_not_chosen_have_no_column():
    case, model = label_case(6)
    vectors = model.regression_.label_vectors_.vectors
    assert vectors.shape == (6, 5)
    assert model.predict_distances(case.X_test).shape == (15, 6)
    kept = {tuple(v) for v in vectors.tolist()}
    assert len(kept) == 6
    nearest = NearestNeighborMLM().fit_from(model.regression_).predict(case.X_test)
    assert {tuple(v) for v in nearest.tolist()} <= kept


def test_chosen_label_vectors_are_as_in_the_formulas():
    """Input references, all rows and the priors of labels are not touched by it."""
    case, model = label_case(6)
    kept = {tuple(v) for v in model.regression_.label_vectors_.vectors.tolist()}
    outputs = [tuple(labels) in kept for labels in case.Y.tolist()]
    oracle, Y = oracles.Regression(case.X, case.Y, case.rows, outputs), case.Y[outputs]
    delta, loo = oracle.predict(case.X_test), oracle.press()
    assert_close(by_row(model.regression_, model.predict_distances(case.X_test), Y), delta)
    losses = [
        oracles.mean_ranking_loss(oracles.quick_idw_scores(loo, Y, power), case.Y)
        for power in POWERS
    ]
    assert_close(model.loo_ranking_loss_, losses)
    scores = oracles.quick_idw_scores(loo, Y, model.power_)
    assert_close(model.threshold_, oracles.cardinality_threshold(scores, case.Y.sum()))
    assert_close(model.predict_proba(case.X_test), oracles.quick_idw_scores(delta, Y, model.power_))
    others = {c: c().fit_from(model.regression_) for c in CLASSIFIERS[1:]}
    np.testing.assert_array_equal(
        others[NearestNeighborMLM].predict(case.X_test), oracles.nearest_labels(delta, Y)
    )
    for classifier, expected in (
        (BinaryRelevanceMLM, oracles.cubic_scores(oracle, case.X_test)),
        (LocalizationMLM, oracles.localization_scores(delta, Y)),
    ):
        assert_close(others[classifier].decision_function(case.X_test), expected)
        np.testing.assert_array_equal(
            others[classifier].predict(case.X_test), oracles.local_rcut(expected, delta, Y)
        )


@pytest.mark.parametrize("references", [None, 8])
def test_all_label_vectors_are_the_default(references):
    X, Y, X_test = make_problem()
    n_vectors = len(np.unique(Y, axis=0))
    one = DistanceRegression(references=references).fit(X, Y)
    for count in (n_vectors, 1 - 1e-9):
        other = DistanceRegression(references=references, label_references=count).fit(X, Y)
        assert_same_models(one, other, X_test)


@pytest.mark.parametrize("references", [None, 8])
def test_label_references_go_with_every_input_too(references):
    X, Y, X_test = make_problem()
    regression = DistanceRegression(references=references, label_references=0.5).fit(X, Y)
    assert len(regression.label_vectors_) == round(0.5 * len(np.unique(Y, axis=0)))
    other = DistanceRegression(references=references, label_references=0.5, random_state=1).fit(
        X, Y
    )
    assert regression.label_vectors_.vectors.tolist() != other.label_vectors_.vectors.tolist()
    assert np.isfinite(MultiLabelMLM().fit_from(regression).predict_proba(X_test)).all()


# Tuning on a sample


@pytest.mark.parametrize("references", [None, 12])
def test_at_least_all_rows_are_all_rows(references):
    X, Y, _ = make_problem()
    regression = DistanceRegression(references=references).fit(X, Y)
    expected = MultiLabelMLM().fit_from(regression)
    for tuning_rows in (50, 51, 10**9):
        model = MultiLabelMLM(tuning_rows=tuning_rows).fit_from(regression)
        assert (model.power_, model.threshold_) == (expected.power_, expected.threshold_)
        np.testing.assert_array_equal(model.loo_ranking_loss_, expected.loo_ranking_loss_)


@pytest.mark.parametrize("selection", ["random", "kmeans++", "pivoted"])
def test_tuning_rows_are_reference_points_no_more_often_than_chance_has_it(selection):
    """Leave-one-out distances of reference points are not like those of other rows."""
    n_rows, n_references, n_tuning = 400, 80, 80
    X, Y, _ = make_problem(n_rows=n_rows)
    common = []
    for seed in range(8):
        model = MultiLabelMLM(references=n_references, selection=selection, random_state=seed)
        rows = choose_tuning_rows(n_rows, n_tuning, seed)
        points = choose_references(RowsInMemory(X, Y), n_references, model.selection, seed)
        common.append(len(np.intersect1d(rows, points)))
    assert np.mean(common) == pytest.approx(n_references * n_tuning / n_rows, abs=5)


def test_a_sample_without_a_label_is_refused():
    X, _, _ = make_problem()
    Y = np.zeros((len(X), 3), dtype=int)
    Y[7, 1] = 1
    with pytest.raises(ValueError, match=r"None of the rows drawn by tuning_rows=2 has a label"):
        MultiLabelMLM(references=5, tuning_rows=2).fit(X, Y)
    assert MultiLabelMLM(references=5, tuning_rows=2).fit(X, 0 * Y).threshold_ == np.inf


@pytest.mark.parametrize("name", ["dense", "sparse", "repeated rows"])
def test_a_sample_tunes_as_the_formulas_do_on_it(name):
    case = CASES[name]
    seen = []
    for seed in range(4):
        model = make(MultiLabelMLM, references=case.rows, tuning_rows=20, random_state=seed).fit(
            case.form(case.X), case.Y
        )
        sample = np.sort(np.random.default_rng((seed, 2)).choice(50, 20, replace=False))
        power, threshold = case.tuned(sample)
        assert model.power_ == power
        assert model.threshold_ == pytest.approx(threshold, abs=1e-6)
        seen.append(threshold)
    assert len(set(seen)) > 1


@pytest.mark.parametrize("references", [None, 12])
def test_rows_left_out_are_the_same_alone_and_among_all(references):
    X, Y, _ = make_problem()
    regression = DistanceRegression(references=references).fit(*with_repeated_rows(X, Y))
    rows = np.array([3, 5, 11, 12, 40])
    assert_close(all_leave_one_out(regression, rows), all_leave_one_out(regression)[rows], 1e-10)


# Pieces, memory maps, threads


def planned(regression, **sizes):
    regression._plan = WorkPlan(**sizes)
    return regression


SMALL_PIECES = {
    "tile": 3,
    "block_values": 1,
    "least_block_rows": 4,
    "product_rows": 8,
    "cached_values": 1,
}


@pytest.mark.parametrize("name", ["dense", "sparse", "repeated rows", "one reference"])
def test_pieces_change_nothing(name, monkeypatch):
    monkeypatch.setattr(_chosen_inputs, "PANEL", 2)
    case = CASES[name]
    small = planned(DistanceRegression(references=case.rows), **SMALL_PIECES)
    small.fit(case.form(case.X), case.Y)
    assert len(list(small.leave_one_out().map(lambda block: block.rows))) == 13
    assert small.alpha_ == pytest.approx(case.regression.alpha_, rel=1e-14)
    assert_close(small.coef_, case.regression.coef_, 1e-9)
    assert_close(small.leverage_, case.regression.leverage_, 1e-9)
    assert_same_models(small, case.regression, case.X_test, atol=1e-8)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_memory_map_is_never_loaded_whole(tmp_path, dtype):
    rng = np.random.default_rng(0)
    X = rng.random((20_000, 200)).astype(dtype)
    Y = (X[:, :4] > 0.7).astype(np.uint8)
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    plan = {"block_values": 1 << 18, "cached_values": 1 << 16}
    expected = planned(DistanceRegression(references=20), **plan).fit(X, Y)
    assert_close(expected.predict(X[:9]).to_zero, expected.predict(mapped[:9]).to_zero, 0)
    tracemalloc.start()
    try:
        regression = planned(DistanceRegression(references=20), **plan).fit(mapped, Y)
        model = MultiLabelMLM(power_grid=[2, 4]).fit_from(regression)
        model.predict(mapped)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 0.7 * 8 * X.size  # of its size as doubles; pages of the file are not counted
    np.testing.assert_array_equal(regression.coef_, expected.coef_)


@pytest.mark.parametrize("wide", ["inputs", "label vectors"])
def test_pieces_are_small_however_few_the_references(wide):
    """Few references make short rows of distances; those of inputs or label distances are not."""
    rng = np.random.default_rng(0)
    shape, n_labels = ((20_000, 300), 2) if wide == "inputs" else ((6000, 3), 40)
    X = rng.random(shape).astype(np.float32)
    Y = rng.random((len(X), n_labels)) < 0.5
    regression = planned(
        DistanceRegression(references=3), block_values=1 << 16, cached_values=1 << 14
    )
    n_vectors = len(np.unique(Y, axis=0))
    whole = 8 * len(X) * max(X.shape[1], n_vectors)
    tracemalloc.start()
    try:
        regression.fit(X, Y)
        _ = regression.leverage_
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < whole / 2


@threadpool_limits.wrap(limits=2, user_api="blas")
def test_whoever_leaves_first_the_limit_of_blas_ends_with_the_last():
    before, one, other = usable_threads(), ExitStack(), ExitStack()
    one.enter_context(one_blas_thread)
    other.enter_context(one_blas_thread)
    one.close()
    assert usable_threads() == 1
    other.close()
    assert usable_threads() == before


def test_phases_are_heard(repeated):
    X, Y, X_test = repeated
    events = []
    with listen(lambda *event: events.append(event)):
        make(MultiLabelMLM, references=8).fit(X, Y).predict(X_test)
    names = list(dict.fromkeys(name for name, _, _ in events))
    assert names == [
        *("choice of references", "distances", "gram", "cholesky", "solve", "leverage"),
        *("tuning", "threshold", "predicted distances"),
    ]


# Pickles


@for_each
def test_a_pickled_model_predicts_the_same_and_holds_no_more_than_that_needs(classifier):
    X, Y, X_test = make_problem(n_rows=20_000, n_features=12, n_labels=14)
    model = make(classifier, references=10, selection="random")
    if classifier is MultiLabelMLM:
        model.set_params(tuning_rows=50)
    model.fit(X, Y)
    pickled = pickle.dumps(model)
    n_vectors = len(model.regression_.label_vectors_)
    assert n_vectors > 3000
    assert len(pickled) <= 8 * 10 * (n_vectors + 14 + 1 + 12) + 40 * n_vectors + 30_000
    copy = pickle.loads(pickled)
    np.testing.assert_array_equal(copy.predict(X_test), model.predict(X_test))
    np.testing.assert_array_equal(copy.predict_distances(X_test), model.predict_distances(X_test))
    if hasattr(model, "decision_function"):
        np.testing.assert_array_equal(
            copy.decision_function(X_test), model.decision_function(X_test)
        )


@pytest.mark.parametrize("references", [None, 10])
def test_a_pickled_regression_says_why_nothing_can_be_tuned_on_it(references):
    X, Y, X_test = make_problem()
    regression = DistanceRegression(references=references).fit(X, Y)
    copy = pickle.loads(pickle.dumps(regression))
    with pytest.raises(ValueError, match=r"pickled or copied.*fit it again") as caught:
        MultiLabelMLM().fit_from(copy)
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="pickled or copied"):
        _ = copy.leverage_
    model = MultiLabelMLM(power=2, threshold=0.5).fit_from(copy)
    expected = MultiLabelMLM(power=2, threshold=0.5).fit_from(regression)
    np.testing.assert_array_equal(model.predict_proba(X_test), expected.predict_proba(X_test))


# Wrong input


@for_each
@pytest.mark.parametrize(
    ("references", "message"),
    [
        (0, r"'references' parameter .* must be an int in the range \[1, inf\).*Got 0"),
        (-3, "'references' parameter .* Got -3"),
        (45, "references=45 is more than the 44 distinct inputs.*references=None"),
        (0.0, "'references' parameter .* Got 0.0"),
        (1.0, "'references' parameter .* Got 1.0"),
        (1.5, "'references' parameter .* Got 1.5"),
        (5.0, "'references' parameter .* Got 5.0"),
        (-0.1, "'references' parameter .* Got -0.1"),
        (float("nan"), "'references' parameter .* Got nan"),
        (True, "'references' parameter .* Got True"),
        ("all", "'references' parameter .* Got 'all'"),
        ([50, 1], "references has index 50, but the 50 rows count from 0"),
        ([1, -1], "references has index -1, but the 50 rows count from 0"),
        ([4, 7, 4], "references has index 4 twice"),
        ([4, 5, 20], "references has rows 5 and 20, equal inputs"),
        ([1.0, 2.0], r"references must be .* row indices; got an array of float64 of shape \(2,\)"),
        ([True, False], "references must be .* row indices; got an array of bool"),
        (np.ones(50, bool), "references must be .* row indices; got an array of bool"),
        ([[1, 2], [3, 4]], r"references must be .* row indices; got .* of shape \(2, 2\)"),
        ([[1, 2], [3]], "references must be .* row indices"),
        (["a", "b"], "references must be .* row indices"),
        ([], r"references must be .* row indices; got .* of shape \(0,\)"),
        (range(50, 52), "references has index 50"),
        (np.array(3), "references"),
    ],
)
def test_wrong_references_are_refused_in_one_line(classifier, references, message, repeated):
    X, Y, _ = repeated
    with pytest.raises(ValueError, match=message) as caught:
        classifier(references=references).fit(X, Y)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"selection": "best"}, "'selection' .* {'random', 'kmeans++', 'pivoted'}. Got 'best'"),
        ({"random_state": None}, "'random_state'"),
        ({"random_state": -1}, "'random_state'"),
        ({"tuning_rows": 0}, "'tuning_rows'"),
        ({"tuning_rows": 0.5}, "'tuning_rows'"),
        ({"label_references": 0}, "'label_references'"),
        ({"label_references": 1.0}, "'label_references'"),
        ({"label_references": [1, 2]}, "'label_references'"),
        ({"label_references": 10**6}, "label_references=1000000 is more than the .* distinct"),
    ],
)
@pytest.mark.parametrize("references", [None, 5])
def test_other_wrong_parameters_are_refused_in_one_line(references, parameters, message, repeated):
    X, Y, _ = repeated
    with pytest.raises(ValueError, match=message.replace("++", r"\+\+")) as caught:
        MultiLabelMLM(references=references, **parameters).fit(X, Y)
    assert "\n" not in str(caught.value)


def test_a_share_may_be_of_single_precision():
    X, Y, _ = make_problem()
    assert MultiLabelMLM(references=np.float32(0.1)).fit(X, Y).regression_.n_references == 5


def test_inputs_that_nearly_coincide_beside_large_distances_are_told_in_words():
    rng = np.random.default_rng(0)
    X = rng.random((600, 5)) * 1e7
    X[1:60:2] = X[:60:2] + 1e-4 * rng.random((30, 5))
    with pytest.raises(ValueError, match=r"nearly coincide .* Scale the features") as caught:
        DistanceRegression(references=range(30)).fit(X, rng.random((600, 3)) < 0.4)
    assert "\n" not in str(caught.value)


def test_small_data_need_little_memory(monkeypatch, repeated):
    X, Y, _ = repeated
    monkeypatch.setattr(memory, "available_bytes", lambda: 1_000_000)
    assert MultiLabelMLM(references=5).fit(X, Y).regression_.n_references == 5


def test_chosen_references_fit_where_all_would_not(monkeypatch):
    X, Y, _ = make_problem(n_rows=2000)
    monkeypatch.setattr(memory, "available_bytes", lambda: 20_000_000)
    with pytest.raises(MemoryError, match="references="):
        MultiLabelMLM(power=2, threshold=0.5).fit(X, Y)
    model = MultiLabelMLM(power=2, threshold=0.5, references=100).fit(X, Y)
    assert model.regression_.n_references == 100


# In scikit-learn's company


@for_each
def test_model_selection_over_references(classifier):
    X, Y, X_test = make_problem(n_rows=90)
    grid = {"references": [None, 5, 0.5], "selection": ["random", "pivoted"]}
    search = GridSearchCV(make(classifier), grid, cv=3, error_score="raise").fit(X, Y)
    assert search.best_params_["references"] in (None, 5, 0.5)
    assert len(set(search.cv_results_["mean_test_score"].round(6))) > 1
    assert search.predict(X_test).shape == (15, 5)


@for_each
def test_indices_survive_clone_and_pipeline(classifier):
    X, Y, X_test = make_problem()
    rows = np.array([4, 8, 15, 16, 23, 42])
    model = clone(make(classifier, references=rows))
    pipeline = make_pipeline(MinMaxScaler(), model).fit(X, Y)
    assert "references=" in repr(pipeline)
    scaled = MinMaxScaler().fit(X)
    expected = make(classifier, references=rows).fit(scaled.transform(X), Y)
    np.testing.assert_array_equal(
        pipeline.predict(X_test), expected.predict(scaled.transform(X_test))
    )
    np.testing.assert_array_equal(rows, [4, 8, 15, 16, 23, 42])
