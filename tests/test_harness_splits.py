"""Splits as configuration: single runs, studies, records, reports, from a user's own folder."""

import dataclasses
import json

import numpy as np
import pytest

from experiments import run, splits, study
from experiments.analysis.numbers.results import StudyResults
from experiments.choices import DatasetChoice, MethodChoice
from experiments.execute import Workbench, obtain
from experiments.record import SCHEMA, read_record
from experiments.splits import Split, each_split, one_split
from experiments.store import Store
from mlmlm.datasets import Dataset
from tests.harness import ROOT, call, record_files
from tests.user_home import UserHome

CV = {"kind": "cross_validation", "folds": 3, "repeats": 2, "seed": 0}
FAST = {"_target_": "mlmlm.NearestNeighborMLM"}


@pytest.fixture
def home(tmp_path):
    home = UserHome(tmp_path / "home")
    home.data()
    home.study("mine", ["nn_mlm", "br_mlm"])
    return home


@pytest.fixture
def command(home, monkeypatch, capsys, tmp_path):
    def command(main, *arguments):
        places = [f"results={tmp_path / 'runs'}"]
        if main is study.main:
            places.append(f"output={tmp_path / 'study'}")
        own = "--config-dir", home.conf
        return call(main, monkeypatch, capsys, *own, *arguments, *places)

    return command


def made(n_rows=60):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(n_rows, 3)), rng.integers(0, 2, (n_rows, 2)).astype(np.uint8)
    cut = n_rows // 2
    return Dataset("made", X[:cut], Y[:cut], X[cut:], Y[cut:], tuple("abc"), tuple("yz"))


def rows(data: Dataset) -> set[bytes]:
    return {row.tobytes() for row in np.concatenate([data.X_train, data.X_test])}


def test_folds_are_made_of_all_rows_and_each_row_is_tested_once_in_a_repetition():
    data = made()
    folds = [split.of(data) for split in each_split(CV)]
    assert len(folds) == 6
    assert len({fold.fingerprint for fold in folds}) == 6
    for fold in folds:
        assert rows(fold) == rows(data)
    for repeat in (folds[:3], folds[3:]):
        tested = [row.tobytes() for fold in repeat for row in fold.X_test]
        assert sorted(tested) == sorted(rows(data))


def test_more_repetitions_leave_the_others_as_they_are():
    few, more = each_split(CV), each_split(CV | {"repeats": 3})
    assert few == more[:6]
    holdouts = each_split({"kind": "holdout", "test_size": 0.2, "repeats": 4, "seed": 1})
    assert [split.name for split in holdouts] == [f"holdout{repeat}" for repeat in range(4)]
    assert len({split.of(made()).fingerprint for split in holdouts}) == 4
    assert all(len(split.of(made()).X_test) == 12 for split in holdouts)


def test_fixed_is_the_dataset_as_it_is():
    assert one_split({"kind": "fixed"}) is None
    assert each_split(None) == each_split({"kind": "fixed"}) == [None]


def test_the_split_is_part_of_the_identity_and_fixed_is_what_it_was():
    method = MethodChoice("nn", FAST)
    fixed = method.identity("data")
    one, other = (dataclasses.replace(each_split(CV)[0], repeat=n).as_json for n in (0, 1))
    digests = {method.identity("data", each).digest for each in (None, one, other)}
    assert len(digests) == 3
    assert method.identity("data", None).digest == fixed.digest


def test_committed_records_keep_their_identity():
    for path in (ROOT / "results" / "committed").glob("*/records/emotions/*.json"):
        record = read_record(path.read_bytes())
        assert record.schema == SCHEMA
        assert (record.split is not None) == ("repeated" in path.parts)
        assert record.run_identity.digest == record.identity


def test_the_data_are_loaded_and_stratified_once_for_the_folds_of_a_repetition(
    home, command, monkeypatch
):
    stratified, loaded = [], []
    stratify, load = splits.stratified_folds, DatasetChoice._load
    monkeypatch.setattr(
        splits, "stratified_folds", lambda *given: stratified.append(1) or stratify(*given)
    )
    monkeypatch.setattr(DatasetChoice, "_load", lambda self: loaded.append(1) or load(self))
    answer = command(study.main, "study=mine", "report=false", f"+study.split={_braces(CV)}")
    assert answer.code == 0, answer.err
    assert len(stratified) == 2
    assert len(loaded) == 2  # once to see how large it is


def test_a_study_of_own_data_and_methods_with_cross_validation(home, command, tmp_path):
    given = "study=mine", f"+study.split={_braces(CV)}"
    answer = command(study.main, *given)
    assert answer.code == 0, answer.err
    assert "12 computed, 0 reused, 0 failed" in answer.out
    assert "music cv1.2 br_mlm" in answer.out
    assert len(record_files(tmp_path / "runs")) == 12
    names = {path.stem for path in (tmp_path / "study/records/music").glob("*.json")}
    assert names == {
        f"{method}-cv{repeat}.{fold}"
        for method in ("nn_mlm", "br_mlm")
        for repeat in range(2)
        for fold in range(3)
    }
    results = StudyResults(tmp_path / "study")
    assert results.n_splits == 6
    record = read_record((tmp_path / "study/records/music/nn_mlm-cv1.2.json").read_bytes())
    assert record.split == Split("cross_validation", 0, 1, 3, 2).as_json
    assert (record.data["n_train"], record.data["n_test"]) == (40, 20)
    values = [each.metrics["accuracy"] for each in results.records if each.method == "nn_mlm"]
    one = results.comparison.metrics["accuracy"]
    title = results.method_titles["nn_mlm"]
    assert one.means.loc[title, "music"] == pytest.approx(np.mean(values))
    assert one.deviations.loc[title, "music"] == pytest.approx(np.std(values, ddof=1))
    page = (tmp_path / "study" / "report.html").read_text()
    assert "2 repetitions of 3-fold cross-validation" in page
    assert "On each dataset" in page
    again = command(study.main, *given, "report=false")
    assert "0 computed, 12 reused" in again.out
    more = _braces(CV | {"repeats": 3})
    answer = command(study.main, "study=mine", f"+study.split={more}", "report=false")
    assert "6 computed, 12 reused" in answer.out
    assert "older record" not in answer.out


def test_a_fold_by_itself_is_the_fold_of_a_study(home, command, tmp_path):
    answer = command(
        run.main,
        *("dataset=music", "method=nn_mlm", "split=cross_validation"),
        *("split.folds=3", "split.repeat=1", "split.fold=2"),
    )
    assert answer.code == 0, answer.err
    assert "nn_mlm on music cv1.2" in answer.out
    answer = command(study.main, "study=mine", "report=false", f"+study.split={_braces(CV)}")
    assert "11 computed, 1 reused" in answer.out


def test_a_method_that_lacks_a_fold_has_no_mean(home, command, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(home.folder)
    home.config("method", "once", "_target_: picky.Once\n")
    home.file(
        "picky.py",
        """
        from sklearn.neighbors import KNeighborsClassifier

        CALLS = []

        class Once(KNeighborsClassifier):
            def fit(self, X, y):
                CALLS.append(1)
                if len(CALLS) == 2:
                    raise ValueError("not these rows")
                return super().fit(X, y)
        """,
    )
    given = "study=mine", "study.methods=[nn_mlm,br_mlm,once]", f"+study.split={_braces(CV)}"
    answer = command(study.main, *given)
    assert answer.code == 1
    assert "failed: once on music cv0.1" in answer.out
    results = StudyResults(tmp_path / "study")
    one = results.comparison.metrics["accuracy"]
    assert np.isnan(one.means.loc["once", "music"])
    assert one.runs.loc["once", "music"] == 5
    assert list(one.complete.index) == list(one.means.index.drop("once"))
    page = (tmp_path / "study" / "report.html").read_text()
    assert "once failed on music (cv0.1)" in page
    assert "once has 5 of 6 splits of music" in page
    assert "once does not have all 6 splits of music: left out" in page
    manifest = json.loads((tmp_path / "study/study.json").read_bytes())
    assert [each["split"] for each in manifest["failed"]] == ["cv0.1"]


@pytest.mark.parametrize("labels", [("happy",), ("happy", "sad", "calm")])
@pytest.mark.parametrize("kind", ["cross_validation", "holdout"])
def test_one_label_and_single_positives(home, tmp_path, labels, kind):
    home.data("few", labels)
    text = (home.folder / "few.csv").read_text().splitlines()
    cut = [",".join([*line.split(",")[:-1], str(int(n == 7))]) for n, line in enumerate(text[1:])]
    (home.folder / "few.csv").write_text("\n".join([text[0], *cut]) + "\n")
    config = {
        "_target_": "mlmlm.datasets.load_csv",
        "train": str(home.folder / "few.csv"),
        "labels": list(labels),
        "test_size": 0.5,
    }
    extra = {"folds": 4} if kind == "cross_validation" else {"test_size": 0.25}
    for split in each_split({"kind": kind, "repeats": 1, "seed": 3} | extra):
        dataset = DatasetChoice("few", config, split)
        bench = Workbench(dataset, dataset.load())
        obtained = obtain(Store(tmp_path / "runs"), bench, MethodChoice("nn", FAST))
        assert 0 <= obtained.record.metrics["hamming_loss"] <= 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["split=cross_validation", "split.folds=61"], "60 rows cannot be split into 61 folds"),
        (["split=cross_validation", "split.folds=1"], "split.folds must be a whole number from 2"),
        (["split=cross_validation", "split.fold=5"], "split.fold must be below split.folds, 5"),
        (["split=cross_validation", "split.seed=-1"], "split.seed must be a whole number from 0"),
        (["split=cross_validation", "split.repeat=x"], "split.repeat must be a whole number"),
        (["split=holdout", "split.test_size=1.5"], "between 0 and 1, not 1.5"),
        (["split=holdout", "split.test_size=1"], "between 0 and 1, not 1"),
        (["split=holdout", "+split.folds=2"], "of kind holdout has no key 'folds'"),
        (["split=cv"], "there is no split 'cv'"),
        (["split.kind=cv"], "there is no kind of split 'cv'"),
    ],
)
def test_mistakes_of_a_run(command, arguments, words):
    answer = command(run.main, "dataset=music", "method=nn_mlm", *arguments)
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert words in answer.err


@pytest.mark.parametrize(
    ("split", "words"),
    [
        ("5", "study.split must have keys and values"),
        ("{kind: cv}", "there is no kind of study.split 'cv'"),
        ("{kind: fixed, folds: 2}", "of kind fixed has no key 'folds'"),
        ("{kind: holdout, test_size: 0.3, seed: 0}", "study.split.repeats must be a whole number"),
        ("{kind: holdout, test_size: 0.3, repeats: 0, seed: 0}", "from 1, not 0"),
        ("{kind: cross_validation, folds: 3, repeats: 1, fold: 0, seed: 0}", "no key 'fold'"),
    ],
)
def test_mistakes_of_a_study(command, split, words):
    answer = command(study.main, "study=mine", f"+study.split={split}")
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert words in answer.err


def _braces(config):
    return "{" + ",".join(f"{key}:{value}" for key, value in config.items()) + "}"
