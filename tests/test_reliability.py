"""Scores as probabilities: the measures against scikit-learn's, the fits, and the command."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.calibration import calibration_curve
from sklearn.preprocessing import MinMaxScaler

from experiments.analysis.numbers import reliability as kept
from experiments.analysis.numbers.results import StudyResults
from experiments.reliability import __main__ as command
from experiments.reliability.measures import N_BINS, measures
from experiments.reliability.probabilities import (
    ISOTONIC,
    PREVALENCE,
    PUBLISHED,
    SIGMOID,
    probabilities,
)
from mlmlm import DistanceRegression, MultiLabelMLM
from mlmlm._work_plan import WorkPlan
from mlmlm.datasets import Dataset, DatasetError, load_dataset
from mlmlm.datasets._dataset import numbered_names
from tests.harness import ROOT

COMMITTED = ROOT / "results" / "committed" / "paper"
KINDS = {PUBLISHED: None, SIGMOID: "sigmoid", ISOTONIC: "isotonic"}


# Measures

SOME = st.sampled_from([0.0, 1e-20, 1 / 15, 0.2, 0.5, 2 / 3, 0.999, 1.0])
PAIRS = st.lists(st.tuples(SOME | st.floats(0, 1), st.integers(0, 1)), min_size=4, max_size=60)


KEPT = 1e-9
"""What rounding to nine digits may change."""


@given(PAIRS)
def test_measures_are_those_of_scikit_learn(pairs):
    p, y = (np.array(each) for each in zip(*pairs, strict=True))
    found = measures(y[:, None], p[:, None])
    brier = metrics.brier_score_loss(y, p, pos_label=1)
    assert found["brier_score"] == pytest.approx(brier, abs=KEPT)
    loss = metrics.log_loss(y, np.stack([1 - p, p], axis=1), labels=[0, 1])
    assert found["log_loss"] == pytest.approx(loss, abs=KEPT)


@given(PAIRS)
def test_bins_are_those_of_scikit_learn(pairs):
    p, y = (np.array(each) for each in zip(*pairs, strict=True))
    found = measures(y[:, None], p[:, None])
    shares, means = calibration_curve(y, p, pos_label=1, n_bins=N_BINS)
    assert [each["share"] for each in found["bins"]] == pytest.approx(shares, abs=KEPT)
    assert [each["mean"] for each in found["bins"]] == pytest.approx(means, abs=KEPT)
    edges = np.linspace(0, 1, N_BINS + 1)
    for each in found["bins"]:
        low, high = edges[each["number"] : each["number"] + 2]
        assert low - KEPT <= each["mean"] <= high + KEPT
        assert each["count"] == sum(low < value <= high or low == value == 0 for value in p)
    counts = [each["count"] for each in found["bins"]]
    error = np.average(np.abs(shares - means), weights=counts)
    assert found["calibration_error"] == pytest.approx(error, abs=2 * KEPT)


def test_rows_and_labels_are_taken_together():
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 2, (5, 3)), rng.random((5, 3))
    by_label = [metrics.brier_score_loss(y[:, j], p[:, j], pos_label=1) for j in range(3)]
    assert measures(y, p)["brier_score"] == pytest.approx(np.mean(by_label), abs=KEPT)


def test_of_a_bin_that_is_empty_nothing_is_said():
    found = measures(np.array([[0, 1]]), np.array([[0.01, 0.99]]))
    assert [each["number"] for each in found["bins"]] == [0, N_BINS - 1]


# Probabilities


@pytest.fixture(scope="module")
def data():
    """One label that all training rows have, and one that none has."""
    rng = np.random.default_rng(3)
    X = rng.random((150, 3))
    Y = np.stack([X[:, 0] > 0.5, X[:, 1] + rng.random(150) > 1.2, X[:, 2] > -1, X[:, 2] > 2], 1)
    names = numbered_names("x", 3), numbered_names("y", 4)
    Y = Y.astype(np.uint8)
    return Dataset("made", X[:100], Y[:100], X[100:], Y[100:], *names)


def test_each_kind_is_what_its_model_gives(data, monkeypatch):
    scaler = MinMaxScaler().fit(data.X_train)
    train, test = scaler.transform(data.X_train), scaler.transform(data.X_test)
    expected = {
        kind: MultiLabelMLM(power=4.0, calibration=calibration)
        .fit(train, data.Y_train)
        .predict_proba(test)
        for kind, calibration in KINDS.items()
    }
    expected[PREVALENCE] = np.array([data.Y_train.mean(axis=0)] * len(test))
    monkeypatch.setattr(WorkPlan, "rows_of_width", lambda plan, width: 7)  # several blocks
    found = probabilities(data, 4.0)
    assert list(found) == [PUBLISHED, SIGMOID, ISOTONIC, PREVALENCE]
    for kind, each in found.items():
        assert each == pytest.approx(expected[kind], abs=1e-9), kind


def test_one_regression_serves_all(data, monkeypatch):
    fits, fit = [], DistanceRegression.fit
    monkeypatch.setattr(
        DistanceRegression, "fit", lambda self, X, Y: fits.append(self) or fit(self, X, Y)
    )
    probabilities(data, 2.0)
    assert len(fits) == 1


# The command


@pytest.fixture
def study(tmp_path):
    """The committed study, of which nothing has been computed here."""
    for name in ("records", "study.json"):
        (tmp_path / name).symlink_to(COMMITTED / name)
    return tmp_path


@pytest.fixture
def emotions():
    try:
        return load_dataset("emotions")
    except DatasetError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("arguments", [[], ["no/such/folder"]], ids=str)
def test_wrong_arguments_are_told_in_one_line(arguments, capsys):
    assert command.main(arguments) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("names", [[], ["emotions"]], ids=str)
def test_a_folder_without_records_is_told_in_one_line(names, tmp_path, capsys):
    assert command.main([str(tmp_path), *names]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")


def test_the_command_keeps_what_the_model_of_the_record_gives(study, emotions):
    assert command.main([str(study), "emotions"]) == 0
    content = json.loads((study / "reliability" / "emotions.json").read_text())
    record = StudyResults(study).record("emotions", "ml_mlm")
    assert content["power"] == record.chosen["power"]
    assert content["fingerprint"] == record.data["fingerprint"]
    scaler = MinMaxScaler().fit(emotions.X_train)
    model = MultiLabelMLM().fit(scaler.transform(emotions.X_train), emotions.Y_train)
    scores = model.predict_proba(scaler.transform(emotions.X_test))
    expected = np.mean(
        [metrics.brier_score_loss(emotions.Y_test[:, j], scores[:, j]) for j in range(6)]
    )
    assert content["kinds"][PUBLISHED]["brier_score"] == pytest.approx(expected, rel=1e-6)


def test_what_is_there_is_not_computed_again_unless_the_code_is_another(study, monkeypatch):
    computed = []

    def write(name):
        computed.append(name)
        return Dataset(
            name,
            *(np.eye(4)[:, :2], np.eye(4, dtype=np.uint8)) * 2,
            *(numbered_names("x", 2), numbered_names("y", 4)),
        )

    monkeypatch.setattr(command, "load_dataset", write)
    assert command.main([str(study), "emotions", "yeast"]) == 0
    assert command.main([str(study), "emotions", "yeast", "scene"]) == 0
    assert computed == ["emotions", "yeast", "scene"]
    path = study / "reliability" / "yeast.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"identity": "of other code"}))
    assert command.main([str(study), "emotions", "yeast"]) == 0
    assert computed[3:] == ["yeast"]


# What is kept


def test_the_analysis_knows_the_names_and_bins():
    assert kept.N_BINS == N_BINS
    assert (*kept.KINDS, kept.PREVALENCE) == (PUBLISHED, SIGMOID, ISOTONIC, PREVALENCE)


@pytest.mark.parametrize("path", sorted(COMMITTED.glob("reliability/*.json")), ids=str)
def test_what_is_committed_is_of_the_committed_records(path):
    content = json.loads(path.read_text())
    record = StudyResults(COMMITTED).record(path.stem, "ml_mlm")
    assert content["fingerprint"] == record.data["fingerprint"]
    assert content["power"] == record.chosen["power"]
    for each in content["kinds"].values():
        labels = record.data["n_test"] * record.data["n_labels"]
        assert sum(group["count"] for group in each["bins"]) == labels
