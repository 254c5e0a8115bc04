"""A fit that cannot fit says so at once."""

import re
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from mlmlm import DistanceRegression, MultiLabelMLM, NearestNeighborMLM, memory
from mlmlm._parallel import parallel_map
from mlmlm._reference_choice import choice_peak_bytes, choose_references
from mlmlm._training_rows import RowsInMemory
from mlmlm._work_plan import WorkPlan


def test_refuses_before_the_work_with_both_figures(monkeypatch):
    rng = np.random.default_rng(0)
    monkeypatch.setattr(memory, "available_bytes", lambda: 3_000)
    with pytest.raises(MemoryError, match=r"60 rows .* needs about .* GB, and .* GB is available"):
        MultiLabelMLM().fit(rng.random((60, 3)), rng.random((60, 4)) < 0.4)


@pytest.mark.parametrize("selection", ["random", "pivoted"])
@pytest.mark.parametrize("references", [None, 500, 300])
@pytest.mark.parametrize("available", [25e6, 12e6, 8e6])
def test_what_is_advised_fits(monkeypatch, references, available, selection):
    """Word for word: the settings that the error names are those of a fit that ends."""
    rng = np.random.default_rng(0)
    X, Y = rng.random((3000, 4)), rng.random((3000, 10)) < 0.4
    monkeypatch.setattr(memory, "available_bytes", lambda: available)
    model = NearestNeighborMLM(references=references, selection=selection)
    told = []
    while True:
        try:
            model.fit(X, Y)
            break
        except MemoryError as error:
            told.append(str(error))
            assert len(told) < 3
            settings = re.findall(r"(\w+)='?(\w+)", told[-1].split("available. ")[1])
            model.set_params(**{n: int(v) if v.isdigit() else v for n, v in settings})
    assert told or references is not None


def test_nothing_is_advised_where_nothing_would_fit(monkeypatch):
    rng = np.random.default_rng(0)
    monkeypatch.setattr(memory, "available_bytes", lambda: 3_000)
    with pytest.raises(MemoryError, match=r"available\. Use a machine with more memory\.$"):
        MultiLabelMLM().fit(rng.random((60, 3)), rng.random((60, 4)) < 0.4)


@pytest.fixture
def no_regression(monkeypatch):
    """What would be a defect: to begin with the regression."""
    monkeypatch.setattr(DistanceRegression, "fit", None)


def test_scores_that_do_not_fit_are_told_before_the_regression(monkeypatch, no_regression):
    monkeypatch.setattr(memory, "available_bytes", lambda: 10_000)
    with pytest.raises(MemoryError, match=r"scores of 500 rows for 4 labels .* tuning_rows=100,"):
        MultiLabelMLM(references=5).fit(np.zeros((500, 3)), np.zeros((500, 4)))


def test_scores_are_those_of_the_rows_that_choose_the_threshold(monkeypatch):
    rng = np.random.default_rng(0)
    X, Y = rng.random((500, 3)), rng.random((500, 4)) < 0.4
    regression = DistanceRegression(references=5).fit(X, Y)
    monkeypatch.setattr(memory, "available_bytes", lambda: 10_000)
    with pytest.raises(MemoryError, match="tuning_rows=100"):
        MultiLabelMLM().fit_from(regression)
    MultiLabelMLM(tuning_rows=100).fit_from(regression)
    MultiLabelMLM(threshold="local_rcut").fit_from(regression)
    NearestNeighborMLM().fit_from(regression)


@pytest.mark.parametrize("selection", ["kmeans++", "pivoted"])
def test_candidates_that_do_not_fit_are_told_with_what_needs_none(monkeypatch, selection):
    rows = RowsInMemory(np.random.default_rng(0).random((60, 30)), np.zeros((60, 1), np.uint8))
    monkeypatch.setattr(memory, "available_bytes", lambda: 10_000)
    with pytest.raises(MemoryError, match=r"Choosing 20 reference points .* selection='random'"):
        choose_references(rows, 20, selection, 0)
    assert len(choose_references(rows, 20, "random", 0)) == 20


def peak_bytes(function):
    """What a call allocates at its most, beyond what there was."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def made_rows(form, n_rows=6000, n_features=400, n_labels=30):
    rng = np.random.default_rng(0)
    if form == "sparse":
        X = sp.random_array((n_rows, n_features), density=0.05, format="csr", rng=rng)
    else:
        X = rng.random((n_rows, n_features))
    return RowsInMemory(X, (rng.random((n_rows, n_labels)) < 0.4).astype(np.uint8))


@pytest.mark.parametrize(
    ("form", "selection"), [("dense", "kmeans++"), ("dense", "pivoted"), ("sparse", "pivoted")]
)
def test_the_choice_takes_what_is_estimated(form, selection):
    rows = made_rows(form)
    n_distinct = len(rows.distinct_inputs)
    estimate = choice_peak_bytes(selection, 500, n_distinct, rows.n_features, rows.width)
    peak = peak_bytes(lambda: choose_references(rows, 500, selection, 0))
    assert estimate == pytest.approx(peak, rel=0.15)


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_the_fit_takes_what_is_estimated(form):
    rows = made_rows(form)
    n_vectors = len(rows.label_vectors(0.1))
    piece_rows = min(len(rows), WorkPlan().rows_of_width(n_vectors))
    estimate = memory.chosen_fit_peak_bytes(500, n_vectors, 30, rows.width, piece_rows)
    peak = peak_bytes(lambda: DistanceRegression(references=500).fit(rows.X, rows.Y))
    assert estimate == pytest.approx(peak, rel=0.15)


@pytest.mark.parametrize(
    ("parameters", "weighted", "n_tables"),
    [
        ({}, False, memory.PLAIN_TABLES),
        ({"calibration": "sigmoid"}, False, memory.CALIBRATION_TABLES),
        ({}, True, memory.WEIGHTED_TABLES),
    ],
)
def test_scores_take_what_is_estimated(parameters, weighted, n_tables):
    rng = np.random.default_rng(0)
    X, Y = rng.random((60_000, 2)), np.zeros((60_000, 40), np.uint8)
    Y[np.arange(60_000), rng.integers(0, 40, 60_000)] = 1
    weights = rng.random(60_000) if weighted else None
    model = MultiLabelMLM(references=5, power=2, **parameters)
    regression = model.regression().fit(X, Y, weights)
    peak = peak_bytes(lambda: model.fit_from(regression))
    assert memory.scores_bytes(60_000, 40, n_tables) == pytest.approx(peak, rel=0.25)


def test_estimate_grows_with_the_square_of_the_references():
    small, large = (memory.fit_peak_bytes(k, 10, 5, 7) for k in (20_000, 40_000))
    assert 3.5 < large / small < 4


def test_group_limit_counts(tmp_path):
    unlimited = memory.available_bytes(tmp_path)
    (tmp_path / "memory.current").write_text("1000\n")
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.available_bytes(tmp_path) == pytest.approx(unlimited, rel=0.2)
    (tmp_path / "memory.max").write_text("5000\n")
    assert memory.available_bytes(tmp_path) == 4000


def test_parallel_map_keeps_the_order_and_few_results_waiting():
    started: list[int] = []

    def work(item: int) -> int:
        started.append(item)
        return item * item

    results = parallel_map(work, range(100))
    assert next(results) == 0
    assert len(started) < 20
    assert list(results) == [item * item for item in range(1, 100)]
