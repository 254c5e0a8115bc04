"""RAkEL: seeded, out of its package's traps, and the published figures."""

import pickle
import random
import sys
from itertools import chain, combinations, permutations

import numpy as np
import pytest
import scipy.sparse as sp
from hydra import compose, initialize_config_dir
from sklearn.base import clone
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from experiments import run
from experiments.choices import DatasetChoice, MethodChoice, plain
from experiments.comparison import record_cells
from experiments.execute import Workbench
from experiments.run import CONFIGURATION
from mlmlm.baselines import RAkEL
from mlmlm.baselines._rakel import coverage_chance
from mlmlm.datasets import DatasetError, load_dataset
from mlmlm.scores import has_scores
from tests.harness import call


@pytest.fixture(scope="module")
def data():
    """Seven labels, of which two have no row, and test inputs."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 4))
    Y = (X @ rng.normal(size=(4, 7)) > 0.5).astype(np.int64)
    Y[:, [2, 5]] = 0
    return X[:60], Y[:60], X[60:]


def label_powerset(X, Y, X_test, estimator):
    """Each combination of labels as a class."""
    vectors, of_row = np.unique(Y, axis=0, return_inverse=True)
    if len(vectors) == 1:
        return np.repeat(vectors, len(X_test), axis=0)
    return vectors[clone(estimator).fit(X, of_row.ravel()).predict(X_test)]


def test_disjoint_labelsets(data):
    X, Y, X_test = data
    model = RAkEL(GaussianNB(), random_state=0).fit(X, Y)
    assert sorted(map(len, model.labelsets_)) == [1, 3, 3]
    assert sorted(chain(*model.labelsets_)) == list(range(7))
    predicted = model.predict(X_test)
    assert predicted.dtype == np.int64
    for labelset in model.labelsets_:
        expected = label_powerset(X, Y[:, labelset], X_test, GaussianNB())
        np.testing.assert_array_equal(predicted[:, labelset], expected)


def test_overlapping_labelsets_vote(data):
    X, Y, X_test = data
    model = RAkEL(GaussianNB(), n_labelsets=8, random_state=0).fit(X, Y)
    assert len(model.labelsets_) == 8  # the package would draw nine
    assert set(chain(*model.labelsets_)) == set(range(7))
    votes, voters = np.zeros((len(X_test), 7)), np.zeros(7)
    for labelset in model.labelsets_:
        votes[:, labelset] += label_powerset(X, Y[:, labelset], X_test, GaussianNB())
        voters[labelset] += 1
    np.testing.assert_array_equal(model.predict(X_test), votes / voters > 0.5)


# Seeds


@pytest.mark.parametrize("n_labelsets", [None, 8])
def test_the_seed_decides(data, n_labelsets):
    X, Y, X_test = data

    def fit(seed):
        estimator = DecisionTreeClassifier(max_features=1)
        return RAkEL(estimator, n_labelsets=n_labelsets, random_state=seed).fit(X, Y)

    random.seed(1)
    first = fit(5)
    random.seed(2)
    np.random.seed(2)
    second = fit(5)
    assert first.labelsets_ == second.labelsets_
    np.testing.assert_array_equal(first.predict(X_test), second.predict(X_test))
    assert len({str(fit(seed).labelsets_) for seed in range(5)}) > 1


@pytest.mark.parametrize("estimator", [GaussianNB(), "no estimator"])
def test_global_generators_stay_as_they_are(data, estimator):
    """Also where fitting fails."""
    X, Y, X_test = data
    states = random.getstate(), np.random.get_state()[1].tolist()
    try:
        RAkEL(estimator, n_labelsets=8, random_state=0).fit(X, Y).predict(X_test)
    except TypeError:
        assert estimator == "no estimator"
    assert (random.getstate(), np.random.get_state()[1].tolist()) == states


# Labelsets that cannot be


@pytest.mark.parametrize(
    ("n_labels", "parameters", "message"),
    [
        (3, {}, "labelset_size=3 needs more than 3 labels, and there are 3"),
        (2, {}, "labelset_size=3 needs more than 3 labels, and there are 2"),
        (3, {"n_labelsets": 6}, "labelset_size=3 needs more than 3 labels"),
        (4, {"n_labelsets": 5}, "more than the 4 labelsets of 3 out of 4 labels; take fewer"),
        (7, {"n_labelsets": 2}, "hardly ever cover 7 labels; take more"),
        (40, {"n_labelsets": 14}, "hardly ever cover 40 labels; take more"),
        (7, {"labelset_size": 0}, "'labelset_size' parameter of RAkEL must be an int .* Got 0"),
        (
            7,
            {"n_labelsets": 2.5},
            "'n_labelsets' parameter of RAkEL must be an int .* or None. Got 2.5",
        ),
    ],
)
def test_impossible_labelsets_are_told_at_once(n_labels, parameters, message):
    X, Y = np.arange(20.0).reshape(10, 2), np.ones((10, n_labels), dtype=int)
    with pytest.raises(ValueError, match=message) as caught:
        RAkEL(GaussianNB(), **parameters).fit(X, Y)
    assert "\n" not in str(caught.value)


def test_all_possible_labelsets(data):
    X, Y, _ = data
    model = RAkEL(GaussianNB(), n_labelsets=4, random_state=0).fit(X, Y[:, :4])
    assert len(model.labelsets_) == 4


@pytest.mark.parametrize(
    ("n_labels", "size", "n_sets"),
    [(2, 1, 2), (4, 1, 3), (4, 1, 4), (3, 2, 2), (4, 2, 2), (4, 2, 3), (4, 3, 2), (5, 2, 3)],
)
def test_coverage_chance_is_the_share_of_draws_that_cover(n_labels, size, n_sets):
    draws = list(combinations(permutations(range(n_labels), size), n_sets))
    covering = [draw for draw in draws if len(set().union(*draw)) == n_labels]
    expected = len(covering) / len(draws)
    assert coverage_chance(n_labels, size, n_sets) == pytest.approx(expected)


def test_coverage_chance_of_many_labels():
    """Labels are missed nearly independently: 1 - 3/L by each labelset."""
    expected = np.exp(-374 * (1 - 3 / 374) ** 748)
    assert coverage_chance(374, 3, 748) == pytest.approx(expected, rel=0.02)
    assert coverage_chance(374, 3, 124) == 0  # 372 places for 374 labels


@pytest.mark.parametrize("method", ["rakel_svc", "rakel_sgdc"])
def test_too_few_labels_end_a_run_with_one_line(method, tmp_path, monkeypatch, capsys):
    rows = "".join(f"{i},{i % 3},{i % 2},{(i + 1) % 2}\n" for i in range(20))
    (tmp_path / "two.csv").write_text(f"a,b,x,y\n{rows}")
    folder = tmp_path / "conf" / "dataset"
    folder.mkdir(parents=True)
    (folder / "two.yaml").write_text(
        f"_target_: mlmlm.datasets.load_csv\ntrain: {tmp_path}/two.csv\n"
        f"test: {tmp_path}/two.csv\nlabels: [x, y]\n"
    )
    answer = call(
        run.main, monkeypatch, capsys, "--config-dir", tmp_path / "conf", "dataset=two",
        f"method={method}", f"results={tmp_path}/runs",
    )  # fmt: skip
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert "labelset_size=3 needs more than 3 labels, and there are 2" in answer.err


# As scikit-learn expects it


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_matrix, np.ndarray.tolist])
def test_any_form_will_do(data, form):
    X, Y, X_test = data
    expected = RAkEL(SVC(), random_state=0).fit(X, Y).predict(X_test)
    model = RAkEL(SVC(), random_state=0).fit(form(X), form(Y))
    np.testing.assert_array_equal(model.predict(form(X_test)), expected)


def test_copies_predict_the_same(data):
    X, Y, X_test = data
    model = RAkEL(SGDClassifier(), random_state=0).fit(X, Y)
    for copy in (pickle.loads(pickle.dumps(model)), clone(model).fit(X, Y)):
        np.testing.assert_array_equal(copy.predict(X_test), model.predict(X_test))
    assert not hasattr(model.estimator, "coef_")


def test_it_does_not_rank():
    assert not has_scores(RAkEL(GaussianNB()))


@pytest.mark.parametrize("value", [0, 1])
def test_labels_that_are_the_same_everywhere(data, value):
    X, Y, X_test = data
    predicted = RAkEL(SVC(), random_state=0).fit(X, np.full_like(Y, value)).predict(X_test)
    np.testing.assert_array_equal(predicted, np.full((len(X_test), 7), value))


def test_without_the_package(data, monkeypatch):
    X, Y, _ = data
    monkeypatch.setitem(sys.modules, "skmultilearn.ensemble", None)
    with pytest.raises(ImportError, match="install mlmlm with the extra 'experiments'"):
        RAkEL(SVC()).fit(X, Y)


# The published figures


def emotions_record(seed):
    try:
        data = load_dataset("emotions")
    except DatasetError as fault:
        pytest.skip(str(fault))
    with initialize_config_dir(CONFIGURATION, version_base="1.3"):
        config = plain(compose("config", ["method=rakel_svc"]).method)
    choice = MethodChoice("rakel_svc", config | {"seeds": [seed]})
    return choice, Workbench(DatasetChoice("emotions", {}), data).run(choice)[0]


def test_one_partition_of_emotions_gives_the_published_cells():
    choice, record = emotions_record(seed=1)
    assert choice.estimator().random_state == 1
    cells = [cell for cell in record_cells(record) if cell.published is not None]
    assert len(cells) == 4
    assert all(cell.agrees for cell in cells)
    assert "average_precision" not in record.metrics
