"""Tuning: the same budget, folds and metric for every method, and what a study makes of it."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import loguniform
from sklearn.base import clone
from sklearn.datasets import make_multilabel_classification
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from experiments import study
from experiments.choices import MethodChoice
from experiments.errors import UsageError
from experiments.footing import on_footing
from experiments.search import Search
from experiments.tuning import check_tuning, under_tuning
from mlmlm.baselines import BinaryRelevance, BinaryRelevanceSVC, MLkNN, RAkEL, Thresholded
from mlmlm.metrics import average_precision, micro_f1, ranking_loss
from mlmlm.progress import listen
from tests.harness import call

TUNING = {
    "budget": 4,
    "folds": 3,
    "seed": 0,
    "metric": "average_precision",
    "metric_without_scores": "micro_f1",
}
FOOTING = {"scaling": "minmax", "threshold": "cardinality"}
MACHINE = {
    "_target_": "mlmlm.baselines.BinaryRelevanceSVC",
    "title": "SVC",
    "untuned": "default C",
    "search": {"C": [1, 10], "gamma": ["scale", 0.5]},
}


@pytest.fixture(scope="module")
def data():
    return make_multilabel_classification(n_samples=80, n_features=5, n_classes=4, random_state=0)


def search(space, **changes):
    return Search(space, **(TUNING | changes))


# Candidates


@given(
    budget=st.integers(1, 12),
    neighbors=st.lists(st.integers(1, 9), min_size=1, max_size=4, unique=True),
    smoothing=st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=1, max_size=3, unique=True),
)
def test_candidates_are_the_own_one_and_others_of_the_space_within_the_budget(
    budget, neighbors, smoothing
):
    own = {"n_neighbors": 3, "smoothing": 1.0}
    space = {"n_neighbors": neighbors, "smoothing": smoothing}
    found = list(search(space, budget=budget).candidates(MLkNN(**own)))
    whole = [{"n_neighbors": k, "smoothing": s} for k, s in itertools.product(neighbors, smoothing)]
    others = [each for each in whole if each != own]
    assert found[0] == own
    assert all(each in others for each in found[1:])
    assert len(found) == len({json.dumps(each) for each in found})
    assert len(found) == min(budget, 1 + len(others))


def test_distributions_are_drawn_from_as_plain_numbers_and_alike_for_a_seed():
    space = {"C": loguniform(0.1, 10), "gamma": ["scale", 0.5]}
    found = list(search(space).candidates(BinaryRelevanceSVC()))
    assert found == list(search(space).candidates(BinaryRelevanceSVC()))
    assert len(found) == 4
    assert all(type(each["C"]) is float for each in found)
    assert found != list(search(space, seed=1).candidates(BinaryRelevanceSVC()))


def test_names_are_those_of_the_classifier_that_has_the_scores():
    cut = Thresholded(BinaryRelevance(SVC()))
    (own, *_) = search({"estimator__C": [1, 2]}).candidates(cut)
    assert own == {"estimator__estimator__C": 1.0}
    with pytest.raises(ValueError, match="no parameter 'neighbours' to search"):
        list(search({"neighbours": [1]}).candidates(MLkNN()))


# The search


@pytest.mark.parametrize(
    ("metric", "function", "sign"),
    [("average_precision", average_precision, 1), ("ranking_loss", ranking_loss, -1)],
)
def test_the_best_is_that_of_cross_validation_by_hand(data, metric, function, sign):
    X, Y = data
    found = search({"n_neighbors": [2, 5, 9]}, metric=metric).run(MLkNN(n_neighbors=4), X, Y)
    means = {}
    for k in (4, 2, 5, 9):
        scores = []
        for train, test in KFold(3, shuffle=True, random_state=0).split(X):
            model = MLkNN(n_neighbors=k).fit(X[train], Y[train])
            scores.append(function(Y[test], model.predict_proba(X[test])))
        means[k] = np.mean(scores)
    best = max(means, key=lambda k: sign * means[k])
    assert found.parameters == {"n_neighbors": best}
    assert found.score == pytest.approx(means[best])
    assert found.own_score == pytest.approx(means[4])
    assert (found.metric, found.candidates) == (metric, 4)


def test_on_a_tie_the_method_stays_as_it_is(data):
    model = _Neighbors(algorithm="brute")  # which has no leaves
    assert search({"leaf_size": [5, 10]}).run(model, *data).parameters == {"leaf_size": 30}


def test_a_method_without_scores_is_judged_by_its_labels(data):
    X, Y = data
    model = RAkEL(SVC(), labelset_size=2, random_state=0)
    found = search({"estimator__C": [0.01]}).run(model, X, Y)
    assert found.metric == "micro_f1"
    by_hand = []
    for train, test in KFold(3, shuffle=True, random_state=0).split(X):
        by_hand.append(micro_f1(Y[test], clone(model).fit(X[train], Y[train]).predict(X[test])))
    assert found.own_score == pytest.approx(np.mean(by_hand))


def test_no_threshold_is_chosen_for_the_candidates_and_one_phase_is_heard(data):
    _Neighbors.fits = 0
    heard = []
    cut = Thresholded(_Neighbors(), cv=5)
    with listen(lambda name, done, total: heard.append((name, done, total))):
        found = search({"n_neighbors": [3, 7]}, folds=2).run(cut, *data)
    assert _Neighbors.fits == found.candidates * 2 == 6
    assert {name for name, _, _ in heard} == {"search"}
    assert heard[0] == ("search", 0.0, 6)
    assert heard[-1] == ("search", 6, 6)
    assert cut.rule == "cardinality"


class _Neighbors(KNeighborsClassifier):
    fits = 0

    def fit(self, X, y):
        type(self).fits += 1
        return super().fit(X, y)


# Configurations


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"budget": 0}, "tuning.budget must be 1 or more"),
        ({"folds": 1}, "tuning.folds must be 2 or more"),
        ({"seed": True}, "tuning.seed must be 0 or more"),
        ({"metric": "accurcy"}, "accuracy"),
        ({"metric_without_scores": "coverage"}, "metric of predictions"),
        ({"more": 1}, "a tuning has the keys"),
    ],
)
def test_a_wrong_tuning_is_told(change, word):
    with pytest.raises(UsageError, match=word):
        check_tuning(TUNING | change)
    assert check_tuning(TUNING) == TUNING
    assert check_tuning(None) is None


def test_a_wrong_search_space_is_told():
    for space in (3, {}, ["C"]):
        with pytest.raises(UsageError, match="search must be of parameters"):
            MethodChoice("mine", MACHINE | {"search": space}).each_seed()


def test_tuning_is_part_of_the_identity_and_a_search_space_by_itself_is_not():
    plain = MethodChoice("svc", MACHINE)
    bare = MethodChoice("svc", {"_target_": MACHINE["_target_"]})
    tuned = under_tuning(plain, TUNING)
    assert plain.identity("data").digest == bare.identity("data").digest
    assert tuned.identity("data").digest != plain.identity("data").digest
    assert "experiments.search" in tuned.identity("data").code.modules
    assert "experiments.search" not in plain.identity("data").code.modules
    other = under_tuning(plain, TUNING | {"budget": 5})
    assert other.identity("data").digest != tuned.identity("data").digest


def test_what_is_untuned_is_said_in_the_title_until_it_is_tuned():
    plain = MethodChoice("svc", MACHINE)
    tuned = on_footing(under_tuning(plain, TUNING), FOOTING)
    assert (plain.title, tuned.title) == ("SVC (default C)", "SVC")
    assert isinstance(tuned.estimator(), Thresholded)
    assert tuned.tuning().space == MACHINE["search"]
    assert plain.tuning() is None
    nothing = MethodChoice("bare", {"_target_": MACHINE["_target_"]})
    assert under_tuning(nothing, TUNING) is nothing


# The command


@pytest.mark.slow
def test_a_study_tunes_what_can_be_tuned_and_keeps_what_was_chosen(monkeypatch, capsys, tmp_path):
    answer = call(
        study.main,
        *(monkeypatch, capsys, "study=tuned", "study.datasets=[emotions]", "study.tuning.budget=3"),
        "study.methods=[ml_mlm,ml_knn,rakel_sgdc]",
        *(f"results={tmp_path / 'runs'}", f"output={tmp_path / 'tuned'}"),
    )
    assert answer.code == 0, answer.err
    records = {
        path.stem: json.loads(path.read_bytes())
        for path in (tmp_path / "tuned" / "records" / "emotions").glob("*.json")
    }
    assert set(records) == {"ml_mlm", "ml_knn", "rakel_sgdc-seed1"}
    ours, theirs = records["ml_mlm"], records["ml_knn"]
    for record, names in ((ours, {"ridge"}), (theirs, {"estimator__n_neighbors"})):
        found = record["chosen"]["tuning"]
        assert found["candidates"] == 3
        assert found["score"] >= found["own_score"]
        assert names <= set(found["parameters"])
        assert "search" in {phase["name"] for phase in record["phases"]}
    assert ours["distance"] is not None
    assert "threshold" in theirs["chosen"]
    assert "tuning" not in records["rakel_sgdc-seed1"]["chosen"]
    page = (tmp_path / "tuned" / "report.html").read_text()
    assert "as they are: Rakel-SGDC" in page
