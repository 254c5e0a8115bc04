"""What is kept of single test rows: uncertainties, twins, and what dependent labels leave open."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.row_facts import RowFacts, row_facts
from experiments.refits.fitting import fit
from experiments.rows.__main__ import STUDY_OF, main
from experiments.rows.dependent_labels import ChosenBasis, dependent_labels
from experiments.rows.uncertainty import (
    FOREST_GB,
    forest_rows,
    ml_mlm_rows,
    score_entropy,
    score_variance,
    why_no_forest,
)
from mlmlm import LocalizationMLM, MultiLabelMLM, NearestNeighborMLM
from mlmlm.datasets import Dataset, DatasetError, audit, load_dataset
from mlmlm.datasets._dataset import numbered_names
from mlmlm.metrics import PAPER_METRICS
from tests.harness import ROOT

COMMITTED = ROOT / "results" / "committed"
ROW_MEANS = ("ranking_loss", "coverage", "one_error", "average_precision", "accuracy")


def dataset(X, Y, n_train):
    return Dataset(
        "made",
        X[:n_train],
        Y[:n_train].astype(np.uint8),
        X[n_train:],
        Y[n_train:].astype(np.uint8),
        numbered_names("x", X.shape[1]),
        numbered_names("y", Y.shape[1]),
    )


@pytest.fixture(scope="module")
def data():
    """Some test rows have a twin in training, and some no label."""
    rng = np.random.default_rng(3)
    X, Y = rng.random((90, 4)), rng.random((90, 5)) < 0.35
    X[70:74] = X[:4]
    return dataset(X, Y, 60)


@pytest.fixture(scope="module")
def dependent_data():
    """The third label is there where one of the first two is; the last two are the same label."""
    rng = np.random.default_rng(4)
    first = rng.integers(0, 3, size=80)
    other, same = rng.random(80) < 0.4, rng.random(80) < 0.3
    Y = np.stack([first == 1, first == 2, first > 0, other, same, same], axis=1)
    return dataset(rng.random((80, 3)), Y, 50)


# The command


@pytest.mark.parametrize(
    "arguments", [[], ["no/such/folder"], [str(COMMITTED / "paper"), "imdb"]], ids=str
)
def test_wrong_arguments_are_told_in_one_line(arguments, capsys):
    assert main(arguments) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_study_without_the_record_is_told_in_one_line(tmp_path, capsys):
    assert main([str(tmp_path), "emotions"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ") and "ml_mlm.json" in line


def test_the_command_gives_what_is_committed(tmp_path):
    try:
        load_dataset("emotions")
    except DatasetError as error:
        pytest.skip(str(error))
    (tmp_path / "records").symlink_to(COMMITTED / "paper" / "records")
    assert main([str(tmp_path), "emotions"]) == 0
    made, kept = (
        np.load(each / "rows" / "emotions.npz") for each in (tmp_path, COMMITTED / "paper")
    )
    assert set(made) == set(kept)
    for name in made:
        assert made[name] == pytest.approx(kept[name], rel=1e-3, abs=1e-5), name


def test_every_dataset_of_the_paper_is_there_but_the_leaked_one():
    assert set(STUDY_OF) == {path.name for path in (COMMITTED / "paper/records").iterdir()} - {
        "tmc2007"
    } | {"tmc2007_fixed"}


# Uncertainties


@given(st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]), min_size=1, max_size=6))
def test_variance_and_entropy_are_sums_over_the_labels(scores):
    row = np.array([scores])
    assert score_variance(row)[0] == pytest.approx(sum(p * (1 - p) for p in scores))
    entropy = -sum(q * np.log(q) for p in scores for q in (p, 1 - p) if q > 0)
    assert score_entropy(row)[0] == pytest.approx(entropy)


def test_rows_are_those_of_the_fitted_methods(data):
    fitted = fit(data)
    model = MultiLabelMLM().fit(fitted.train, data.Y_train)
    scores, labels = model.predict_proba(fitted.test), model.predict(fitted.test)
    nearest = NearestNeighborMLM().fit(fitted.train, data.Y_train).predict(fitted.test)
    found = ml_mlm_rows(fitted, model.power_, model.threshold_)
    assert found["score_margin"] == pytest.approx(
        np.abs(scores - model.threshold_).min(axis=1), rel=1e-5
    )
    assert found["score_variance"] == pytest.approx(score_variance(scores), rel=1e-5)
    assert found["wrong_labels"].tolist() == (labels != data.Y_test).sum(axis=1).tolist()
    assert found["nearest_wrong"].tolist() == (nearest != data.Y_test).sum(axis=1).tolist()
    distances = cdist(fitted.test, fitted.train).min(axis=1)
    assert found["nearest_input"] == pytest.approx(distances, rel=1e-5, abs=1e-6)
    assert np.flatnonzero(found["has_twin"]).tolist() == [10, 11, 12, 13]
    assert found["has_twin"].sum() == audit(data).test_rows_with_twin
    assert (found["nearest_input"][found["has_twin"]] == 0).all()


def test_the_forest_is_judged_by_its_own_errors(data):
    found = forest_rows(data)
    assert {len(each) for each in found.values()} == {len(data.X_test)}
    assert ((found["forest_accuracy"] >= 0) & (found["forest_accuracy"] <= 1)).all()
    without = ~data.Y_test.any(axis=1)
    assert np.isnan(found["forest_ranking_loss"]).tolist() == without.tolist()


def test_a_forest_that_is_too_large_has_a_reason(data):
    assert why_no_forest(data) is None
    wide = type("Wide", (), {"X_train": np.empty((10_000, 1)), "Y_train": np.empty((10_000, 1000))})
    reason = why_no_forest(wide)
    assert reason == "its 100 trees would need up to 16 GB"
    assert FOREST_GB < 16


# Dependent labels


def exact_bases(columns):
    """Every set of columns that pivoting can take in exact arithmetic, all ties followed."""
    found = set()

    def go(residual, taken):
        norms = [sum(x * x for x in column) for column in residual]
        if not any(norms):
            found.add(frozenset(taken))
            return
        for j in [j for j, norm in enumerate(norms) if norm == max(norms)]:
            pivot = residual[j]
            shares = [sum(map(Fraction.__mul__, pivot, c)) / norms[j] for c in residual]
            rest = [
                [x - share * y for x, y in zip(column, pivot, strict=True)]
                for column, share in zip(residual, shares, strict=True)
            ]
            go(rest, [*taken, j])

    go([[Fraction(int(x)) for x in column] for column in columns.T], [])
    return found


def test_the_bases_are_those_that_exact_pivoting_can_take(dependent_data):
    fitted = fit(dependent_data)
    model = ChosenBasis().fit_from(fitted.regression)
    vectors = fitted.regression.label_vectors_.vectors
    for anchor in np.unique(fitted.predicted.nearest):
        system = dependent_data.Y_train.astype(int) - vectors[anchor].astype(int)
        bases = {frozenset(np.flatnonzero(basis).tolist()) for basis in model.bases(anchor)}
        assert bases == exact_bases(system)
        assert len(bases) >= 4  # two of the first three, and one of the last two


def test_the_first_choice_is_that_of_the_method(dependent_data):
    fitted = fit(dependent_data)
    own = LocalizationMLM().fit_from(fitted.regression).decision_function(fitted.predicted)
    chosen = ChosenBasis().fit_from(fitted.regression).decision_function(fitted.predicted)
    assert chosen == pytest.approx(own, abs=1e-9)


def test_every_choice_solves_the_least_squares_problem(dependent_data):
    fitted = fit(dependent_data)
    vectors = fitted.regression.label_vectors_.vectors.astype(float)
    of_row = fitted.regression.label_vectors_.of_row
    for choice in range(4):
        scores = ChosenBasis(choice).fit_from(fitted.regression)
        for row, found in enumerate(scores.decision_function(fitted.predicted)):
            d = fitted.predicted.to_label_vectors[row]
            anchor = vectors[d.argmin()]
            system = (vectors - anchor)[of_row]
            right = ((vectors - anchor) ** 2).sum(axis=1) + d.min() ** 2 - d**2
            right = right[of_row] / 2
            best = np.linalg.lstsq(system, right)[0]
            assert system @ (found - anchor) == pytest.approx(system @ best, abs=1e-7)


def test_the_sums_are_those_of_the_metrics_under_each_choice(dependent_data):
    fitted = fit(dependent_data)
    found = dependent_labels(fitted)
    anchors, which = np.unique(fitted.predicted.nearest, return_inverse=True)
    assert found["labels"] and set(found["labels"]) <= {0, 1, 2, 4, 5}
    assert found["rows"] == np.bincount(which).tolist()
    for choice in range(max(found["choices"])):
        model = ChosenBasis(choice).fit_from(fitted.regression)
        scores, labels = (
            model.decision_function(fitted.predicted),
            model.predict(fitted.predicted),
        )
        for name in ROW_MEANS:
            metric = PAPER_METRICS[name]
            of = scores if metric.kind == "ranking" else labels
            weights = found["ranked_rows" if metric.kind == "ranking" else "rows"]
            for number, rows in enumerate(anchors[:, None] == anchors[which]):
                if not dependent_data.Y_test[rows].any():
                    continue
                mean = metric(dependent_data.Y_test[rows], of[rows])
                kept = found["sums"][name][number][choice]
                assert kept == pytest.approx(mean * weights[number], abs=1e-6)


def test_independent_labels_leave_nothing_open(data):
    assert dependent_labels(fit(data)) is None


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_the_bases_of_random_dependent_labels(seed):
    """Copies, sums of disjoint labels, labels that all rows have, and labels that none has."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 3, size=14)
    Y = np.stack(
        [group == 1, group == 2, group > 0, group == 1, group > 9, group < 9, rng.random(14) < 0.5],
        axis=1,
    )[:, rng.permutation(7)]
    made = dataset(rng.random((14, 2)), Y, 10)
    fitted = fit(made)
    model = ChosenBasis().fit_from(fitted.regression)
    vectors = fitted.regression.label_vectors_.vectors.astype(int)
    for anchor in range(len(vectors)):
        bases = {frozenset(np.flatnonzero(basis).tolist()) for basis in model.bases(anchor)}
        # Not always all of them: ties between independent labels are not followed.
        assert bases <= exact_bases(made.Y_train.astype(int) - vectors[anchor])


# What is committed


def committed_rows():
    return sorted(path.stem for path in (COMMITTED / "paper" / "rows").glob("*.npz"))


@pytest.mark.parametrize("name", committed_rows())
def test_the_committed_rows_are_of_the_committed_runs(name):
    paper = StudyResults(COMMITTED / "paper")
    study = paper.beside(STUDY_OF[name])
    ml_mlm, nn_mlm = (study.record(name, method) for method in ("ml_mlm", "nn_mlm"))
    facts = row_facts(paper, ml_mlm)
    assert facts is not None
    arrays, n_labels = facts.arrays, ml_mlm.data["n_labels"]
    assert {len(each) for each in arrays.values()} == {ml_mlm.data["n_test"]}
    wrong, nearest = (arrays[key].mean() / n_labels for key in ("wrong_labels", "nearest_wrong"))
    assert wrong == pytest.approx(ml_mlm.metrics["hamming_loss"], rel=1e-3)
    assert nearest == pytest.approx(nn_mlm.metrics["hamming_loss"], rel=1e-3)
    assert arrays["has_twin"].sum() == ml_mlm.data["audit"]["test_rows_with_twin"]
    assert ("forest_variance" in arrays) == (facts.no_forest is None)


def test_products_of_choices_cover_the_range(dependent_data):
    """The ends of a range are those of all ways to choose, one choice for each anchor."""
    found = dependent_labels(fit(dependent_data))
    few = {**found, "rows": found["rows"][:3], "ranked_rows": found["ranked_rows"][:3]}
    few["choices"] = found["choices"][:3]
    few["sums"] = {name: sums[:3] for name, sums in found["sums"].items()}
    for name in ("coverage", "accuracy"):
        n_rows = sum(few["ranked_rows"] if name == "coverage" else few["rows"])
        every = [sum(each) / n_rows for each in product(*few["sums"][name])]
        opened = RowFacts({}, None, few).open_range(name)
        assert (opened.low, opened.high) == pytest.approx((min(every), max(every)))
        assert opened.rows == sum(few["rows"])
