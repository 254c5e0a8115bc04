"""Methods that are not ours: what they say is checked, and what they do ends no study."""

import json
import os
import shutil
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import psutil
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from experiments import run, study
from experiments.answer import ask, check_predictions, check_scores
from experiments.store import FAILURE
from tests.harness import ROOT, call, finish, record_files, spawn, start
from tests.user_home import UserHome


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A user with data of their own; their folder is where Python looks for modules."""
    home = UserHome(tmp_path / "user")
    home.data()
    monkeypatch.syspath_prepend(home.folder)
    return home


@pytest.fixture
def command(home, tmp_path, monkeypatch, capsys):
    def command(main, *arguments):
        places = [f"results={tmp_path / 'runs'}"]
        if main is study.main:
            places += [f"output={tmp_path / 'study'}", "report=false"]
        else:
            places += ["dataset=music"]
        return call(main, monkeypatch, capsys, "--config-dir", home.conf, *places, *arguments)

    return command


def says(home: UserHome, name: str, predictions: str, scores: str = "", method: str = "") -> None:
    """A method of a module of its own that says this, whatever the data."""
    proba = f"def {method or 'predict_proba'}(self, X): return {scores}" if scores else ""
    home.file(
        f"says_{name}.py",
        f"""
        import numpy as np, pandas as pd, scipy.sparse as sp

        class Method:
            def fit(self, X, Y):
                self.Y = Y
                return self
            def predict(self, X):
                n, L = len(X), self.Y.shape[1]
                good = (X[:, :L] > 0.5).astype(int)
                return {predictions}
            {proba}
        """,
    )
    home.config("method", name, f"_target_: says_{name}.Method\n")


# Predictions

GOOD = {
    "integers": "good",
    "booleans": "good.astype(bool)",
    "floats": "good.astype(np.float32)",
    "sparse": "sp.csr_matrix(good)",
    "sparse_array": "sp.coo_array(good)",
    "frame": "pd.DataFrame(good)",
    "nested": "good.tolist()",
    "matrix": "np.asmatrix(good)",
    "read_only": "np.broadcast_to(good, good.shape)",
    "unmasked": "np.ma.array(good)",
}
BAD = {
    "fractions": ("good * 0.9", "must be 0 or 1, but that of row"),
    "nan": ("np.where(good, np.nan, 0)", "is nan"),
    "infinite": ("np.where(good, np.inf, 0)", "is inf"),
    "large": ("good * 256", "is 256"),
    "negative": ("good * 2 - 1", "is -1"),
    "constant": ("np.full((n, L), 7)", "that of row 1, label 1 is 7"),
    "complex": ("good + 0j", "of type complex128"),
    "objects": ("good.astype(object)", "of type object"),
    "strings": ("good.astype(str)", "of type <U"),
    "dates": ("good.astype('datetime64[s]')", "of type datetime64"),
    "one_dimension": ("good[:, 0]", "have the shape (24,), not (24, 3)"),
    "three_dimensions": ("good[..., None]", "have the shape (24, 3, 1)"),
    "transposed": ("good.T", "have the shape (3, 24), not (24, 3): rows by labels"),
    "list_of_labels": ("list(good.T)", "have the shape (3, 24)"),
    "ragged": ("[[1], [1, 0]]", "inhomogeneous"),
    "too_few_rows": ("good[:-1]", "have the shape (23, 3)"),
    "too_many_labels": ("np.hstack([good, good])", "have the shape (24, 6)"),
    "text_frame": ("pd.DataFrame(good).astype('category')", "of type object"),
    "missing_frame": ("pd.DataFrame(good).astype('Int64').replace(1, pd.NA)", "of type object"),
    "masked": ("np.ma.array(good, mask=good)", "are masked"),
    "nothing": ("None", "have the shape (), not (24, 3)"),
    "word": ("'yes'", "have the shape (), not (24, 3)"),
}


def test_every_form_of_a_label_matrix_is_taken(command, home, tmp_path):
    for name, said in GOOD.items():
        says(home, name, said)
    home.study("forms", list(GOOD))
    answer = command(study.main, "study=forms")
    assert answer.code == 0, answer.out
    metrics = [
        json.loads(p.read_bytes())["metrics"] for p in record_files(tmp_path / "runs").values()
    ]
    assert len(metrics) == len(GOOD)
    assert all(each == metrics[0] for each in metrics)


def test_what_is_no_label_matrix_is_a_failure_and_never_a_figure(command, home, tmp_path):
    for name, (said, _) in BAD.items():
        says(home, name, said)
    home.config("method", "regression", "_target_: sklearn.linear_model.LinearRegression\n")
    home.study("bad", [*BAD, "regression", "nn_mlm"])
    answer = command(study.main, "study=bad")
    assert answer.code == 1
    assert f"1 computed, 0 reused, {len(BAD) + 1} failed" in answer.out
    told = {
        line.split()[1]: line for line in answer.out.splitlines() if line.startswith("failed: ")
    }
    for name, (_, word) in BAD.items():
        assert word in told[name]
    assert "is it a regressor" in told["regression"]
    assert [name.split("/")[1] for name in record_files(tmp_path / "runs")] == ["nn_mlm"]


@pytest.mark.parametrize(
    ("scores", "word"),
    [
        ("np.where(np.eye(len(X), 3), np.nan, 0.5)", "must be numbers, but that of row 1, label 1"),
        ("np.eye(len(X), 3) * 1j", "of type complex128"),
        ("np.eye(len(X), 3).astype(str)", "of type <U"),
        ("np.eye(len(X), 3).astype(object)", "of type object"),
        ("np.eye(3, len(X))", "have the shape (3, 24), not (24, 3)"),
        ("np.eye(len(X), 3)[:, 0]", "have the shape (24, 1), not (24, 3)"),
        ("[np.full((len(X), 2), 0.5)] * 3", "classes_"),
        ("None", "of type object"),
    ],
)
@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_scores_are_checked_too(command, home, scores, word, method):
    says(home, "scored", "good", scores, method)
    sys.modules.pop("says_scored", None)
    answer = command(run.main, "method=scored")
    assert answer.code == 2
    assert answer.err.startswith("error: method 'scored': ")
    assert answer.err.count("\n") == 1
    assert word in answer.err


def test_infinite_scores_can_be_ranked(command, home, tmp_path):
    says(home, "certain", "good", "np.where(X[:, :3] > 0.5, np.inf, -np.inf)")
    assert command(run.main, "method=certain").code == 0
    (path,) = record_files(tmp_path / "runs").values()
    assert "ranking_loss" in json.loads(path.read_bytes())["metrics"]


def test_only_the_emulation_of_the_published_program_may_have_nan():
    class Overflowing:
        overflow = "published"

        def predict(self, X):
            return np.zeros((2, 2))

        def predict_proba(self, X):
            return np.full((2, 2), np.nan)

    with pytest.raises(ValueError, match="scores must be numbers"):
        ask(Overflowing(), None, (2, 2))


@given(hnp.arrays(np.float64, (3, 2), elements=st.floats(width=16)))
def test_predictions_are_zeros_and_ones_or_refused(matrix):
    if np.isin(matrix, [0.0, 1.0]).all():
        for form in (matrix, sp.csr_array(matrix), pd.DataFrame(matrix), matrix.tolist()):
            checked = check_predictions(form, (3, 2))
            assert checked.dtype == np.uint8
            np.testing.assert_array_equal(checked, matrix)
    else:
        with pytest.raises(ValueError, match="must be 0 or 1"):
            check_predictions(matrix, (3, 2))


@given(hnp.arrays(np.float64, (3, 2), elements=st.floats()))
def test_scores_are_kept_as_they_are_or_refused(matrix):
    if np.isnan(matrix).any():
        with pytest.raises(ValueError, match="must be numbers"):
            check_scores(matrix, (3, 2))
        np.testing.assert_array_equal(check_scores(matrix, (3, 2), may_be_nan=True), matrix)
    else:
        np.testing.assert_array_equal(check_scores(matrix, (3, 2)), matrix)


@pytest.mark.parametrize(
    ("said", "warning"),
    [
        ("good * 0", "it predicts no label for any test row"),
        ("good ** 0", "it predicts every label for every test row"),
    ],
)
def test_all_or_nothing_is_recorded_with_a_warning(command, home, tmp_path, said, warning):
    name = "everything" if "every" in warning else "nothing_at_all"
    says(home, name, said)
    home.study("warned", [name, "nn_mlm"])
    answer = command(study.main, "study=warned")
    assert answer.code == 0
    assert f"warning: {name} on music: {warning}" in answer.out
    assert answer.out.count("warning: ") == 1
    alone = command(run.main, f"method={name}")
    assert f"warning: {warning}" in alone.out
    record = json.loads((tmp_path / f"study/records/music/{name}.json").read_bytes())
    assert record["warnings"] == [warning]
    assert "warning" not in command(run.main, "method=nn_mlm").out


# One label

SINGLE = {
    "regression": "sklearn.linear_model.LogisticRegression",
    "knn": "sklearn.neighbors.KNeighborsClassifier",
    "svc": "sklearn.svm.SVC",
    "linear_svc": "sklearn.svm.LinearSVC",
    "forest": "sklearn.ensemble.RandomForestClassifier",
    "ridge": "sklearn.linear_model.RidgeClassifier",
    "tree": "sklearn.tree.DecisionTreeClassifier",
    "bayes": "sklearn.naive_bayes.GaussianNB",
}
HELD = {
    "outputs": "{_target_: sklearn.multioutput.MultiOutputClassifier, estimator: %s}",
    "one_vs_rest": "{_target_: sklearn.multiclass.OneVsRestClassifier, estimator: %s}",
    "bagging": "{_target_: sklearn.ensemble.BaggingClassifier, estimator: %s}",
    "search": (
        "{_target_: sklearn.model_selection.GridSearchCV, param_grid: {C: [1, 2]}, estimator: %s}"
    ),
    "pipeline": "{_target_: sklearn.pipeline.Pipeline, steps: [[one, %s]]}",
    "pipeline_of_outputs": (
        "{_target_: sklearn.pipeline.Pipeline, steps: "
        "[[one, {_target_: sklearn.multioutput.MultiOutputClassifier, estimator: %s}]]}"
    ),
    "multilearn": "{_target_: skmultilearn.problem_transform.BinaryRelevance, classifier: %s}",
}
OURS = ["ml_mlm", "nn_mlm", "lls_mlm", "br_mlm", "ml_knn", "br_svc", "cc_svc", "rf_pct"]


@pytest.mark.filterwarnings("error::sklearn.exceptions.DataConversionWarning")
def test_a_single_label(command, home, tmp_path):
    home.data("coin", labels=("heads",))
    for name, target in SINGLE.items():
        home.config("method", name, f"_target_: {target}\n")
    for name, text in HELD.items():
        home.config("method", name, text % "{_target_: sklearn.linear_model.LogisticRegression}")
    home.study("single", [*SINGLE, *HELD, *OURS], datasets=("coin",))
    answer = command(study.main, "study=single")
    assert answer.code == 0, answer.out
    for path in record_files(tmp_path / "runs").values():
        record = json.loads(path.read_bytes())
        assert record["data"]["n_labels"] == 1
        assert record["metrics"]["accuracy"] > 0.6, record["method"]  # not of the other class


# Bad methods

BROKEN = {
    "syntax": ("def fit(:", "cannot be imported: SyntaxError"),
    "raises": ("raise RuntimeError('at import')", "cannot be imported: RuntimeError: at import"),
    "exits": ("import sys; sys.exit(3)", "cannot be imported: SystemExit: 3"),
    "worse": ("class E(BaseException): ...\nraise E('worse')", "cannot be imported: E: worse"),
    "needs": ("import not_installed_anywhere", "No module named 'not_installed_anywhere'"),
    "no_fit": ("class Method: ...", "Method has no fit and predict"),
    "not_a_class": ("Method = 3", "Expected a callable target"),
    "misspelt": (
        "class Methot: ...",
        "there is no 'Method' in broken_misspelt. Did you mean: Methot?",
    ),
}
IN_PLACES = {
    "exit": ("import sys; sys.exit('bye')", "it ends the program with sys.exit('bye')"),
    "base": ("raise Strange('oh')", "it ends the program with Strange('oh')"),
    "error": ("raise KeyError('gone')", "gone"),
    "stop": ("raise StopIteration", "StopIteration"),
    "empty": ("raise ValueError()", "ValueError"),
    "deep": ("self.fit_again()", "recursion"),
}


def test_one_bad_method_does_not_end_a_study(command, home, tmp_path):
    words = {}
    for name, (text, word) in BROKEN.items():
        home.file(f"broken_{name}.py", text)
        home.config("method", name, f"_target_: broken_{name}.Method\n")
        words[name] = word
    for place in ("__init__", "fit", "predict"):
        for name, (statement, word) in IN_PLACES.items():
            in_place = {each: statement if each == place else "pass" for each in
                        ("__init__", "fit", "predict")}  # fmt: skip
            module = f"in_{place.strip('_')}_{name}"
            home.file(
                f"{module}.py",
                f"""
                class Strange(BaseException): ...

                class Method:
                    def __init__(self): {in_place["__init__"]}
                    def fit(self, X, Y): {in_place["fit"]}
                    def predict(self, X): {in_place["predict"]}
                    def fit_again(self): self.fit_again()
                """,
            )
            home.config("method", module, f"_target_: {module}.Method\n")
            words[module] = word
    weird = {
        "unknown_parameter": "_target_: sklearn.svm.SVC\nnothing: 1\n",
        "wrong_parameter": "_target_: sklearn.svm.SVC\nC: [{a: {1: 2}}, null]\n",
        "odd_keys": "_target_: sklearn.svm.SVC\nC: {2: 3, true: 4}\n",
        "bytes": "_target_: sklearn.svm.SVC\nC: !!binary aGVsbG8=\n",
        "date": "_target_: sklearn.svm.SVC\nC: 2020-01-01\n",
        "no_module": "_target_: skleran.svm.SVC\n",
        "no_class": "_target_: sklearn.svm.SVCC\n",
        "no_submodule": "_target_: sklearn.linear_modle.LogisticRegression\n",
        "dots": "_target_: a..b\n",
        "number": "_target_: 3\n",
        "list": "_target_: [a, b]\n",
        "seeds": "_target_: sklearn.svm.SVC\nseeds: [1, 1]\n",
        "limit": "_target_: sklearn.svm.SVC\nlimit_seconds: soon\n",
        "endless": "_target_: sklearn.svm.SVC\nlimit_seconds: .inf\n",
        "scaling": "_target_: sklearn.svm.SVC\nscaling: {a: b}\n",
    }
    for name, text in weird.items():
        home.config("method", name, text)
        words[name] = ""
    words |= {
        "no_module": "Did you mean: sklearn",
        "no_class": "Did you mean: SVC",
        "no_submodule": "there is no 'linear_modle' in sklearn. Did you mean: linear_model?",
        "seeds": "seeds must be a list of different integers",
        "limit": "limit_seconds must be a number above 0",
        "endless": "limit_seconds must be a number above 0",
    }
    home.study("bad", [*words, "nn_mlm"])
    answer = command(study.main, "study=bad")
    assert answer.code == 1
    assert answer.err == ""
    assert f"1 computed, 0 reused, {len(words)} failed" in answer.out
    lines = [line for line in answer.out.splitlines() if line.startswith("failed: ")]
    told = {line.split()[1]: line for line in lines}
    for name, word in words.items():
        assert word in told[name], told[name]
    manifest = json.loads((tmp_path / "study" / "study.json").read_bytes())
    assert {each["method"] for each in manifest["failed"]} == words.keys()
    assert list(manifest["runs"]) == ["music/nn_mlm"]
    for path in (tmp_path / "runs").rglob(FAILURE):
        content = json.loads(path.read_bytes())
        assert content.keys() == {"error", "traceback", "provenance"}
        assert "\n" not in content["error"]
        assert content["error"].partition(":")[0] in content["traceback"]
        assert content["provenance"]["python"]


def test_a_missing_extra_is_no_failure_and_anything_else_that_is_missing_is(
    command, home, monkeypatch
):
    """At import, in the constructor, in fit, in a part, and in a process of its own."""
    raising = "from mlmlm.baselines import MissingExtraError\n"
    words = "raise MissingExtraError('install the extra speed')"
    home.file("extra_import.py", raising + words)
    for place in ("__init__", "fit"):
        home.file(
            f"extra_{place.strip('_')}.py",
            f"""
            {raising}
            class Method:
                def {place}(self, *data): {words}
                def {"fit" if place == "__init__" else "other"}(self, X, Y): ...
                def predict(self, X): ...
            """,
        )
    home.config("method", "at_import", "_target_: extra_import.Method\n")
    home.config("method", "in_init", "_target_: extra_init.Method\n")
    home.config("method", "in_fit", "_target_: extra_fit.Method\n")
    part = "_target_: sklearn.multioutput.MultiOutputClassifier\nestimator: {_target_: %s}\n"
    home.config("method", "in_part", part % "extra_init.Method")
    home.config("method", "limited", "_target_: extra_fit.Method\nlimit_seconds: 60\n")
    skipped = ["at_import", "in_init", "in_fit", "in_part", "limited"]
    home.study("extras", [*skipped, "nn_mlm"])
    answer = command(study.main, "study=extras")
    assert answer.code == 0, answer.out
    assert "1 computed, 0 reused, 0 failed, 5 skipped" in answer.out
    assert answer.out.count("install the extra speed") == 5


# Failures


def test_a_failure_is_told_in_its_file_until_the_run_succeeds(command, home, tmp_path):
    """The method fails as long as a file is not there: the same run, and then it succeeds."""
    home.file(
        "waiting.py",
        f"""
        from pathlib import Path
        from sklearn.neighbors import KNeighborsClassifier

        class Waiting(KNeighborsClassifier):
            def fit(self, X, Y):
                if not Path({str(tmp_path / "ready")!r}).exists():
                    raise RuntimeError("not yet\\nready")
                return super().fit(X, Y)
        """,
    )
    home.config("method", "waiting", "_target_: waiting.Waiting\n")
    home.study("waiting", ["waiting"])
    assert command(study.main, "study=waiting").code == 1
    (failure,) = (tmp_path / "runs").rglob(FAILURE)
    content = json.loads(failure.read_bytes())
    assert content["error"] == "RuntimeError: not yet ready"
    assert "waiting.py" in content["traceback"]
    assert content["provenance"]["packages"]["numpy"] == np.__version__
    (tmp_path / "ready").touch()
    assert command(study.main, "study=waiting").code == 0
    assert not list((tmp_path / "runs").rglob(FAILURE))
    manifest = json.loads((tmp_path / "study" / "study.json").read_bytes())
    assert manifest["failed"] == []


def test_failures_of_data_and_of_configurations_are_gone_after_success(command, home, tmp_path):
    home.config("method", "seeded", "_target_: sklearn.tree.ExtraTreeClassifier\nseeds: 1\n")
    home.study("mended", ["seeded"], datasets=("music", "later"))
    home.config("dataset", "later", f"_target_: mlmlm.datasets.load_csv\ntrain: {tmp_path}/x.csv\n")
    assert command(study.main, "study=mended").code == 1
    assert {path.parent.name for path in (tmp_path / "runs").rglob(FAILURE)} == {"later", "seeded"}
    home.config("method", "seeded", "_target_: sklearn.tree.ExtraTreeClassifier\nseeds: [1]\n")
    home.data("later", seed=1)
    assert command(study.main, "study=mended").code == 0
    assert not list((tmp_path / "runs").rglob(FAILURE))


# Limits


@pytest.fixture
def limited(home):
    """Methods that take their time, or their leave."""
    home.file(
        "limited_methods.py",
        """
        import os, signal, subprocess, sys, time
        from pathlib import Path
        from sklearn.neighbors import KNeighborsClassifier

        class Quick(KNeighborsClassifier): ...

        class Sleepy(KNeighborsClassifier):
            def fit(self, X, Y):
                subprocess.Popen([sys.executable, "-c", "import time; time.sleep(987654)"])
                time.sleep(1000)

        class Deaf(KNeighborsClassifier):
            def predict(self, X):
                Path(os.environ.get("BEGAN", os.devnull)).write_text(str(os.getpid()))
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                while True:
                    pass

        class Leaving(KNeighborsClassifier):
            def fit(self, X, Y):
                os._exit(0)

        class Killed(KNeighborsClassifier):
            def fit(self, X, Y):
                os.kill(os.getpid(), signal.SIGSEGV)

        class Wrong(KNeighborsClassifier):
            def fit(self, X, Y):
                raise RuntimeError("wrong [/from] the start")

        class Exiting(KNeighborsClassifier):
            def fit(self, X, Y):
                sys.exit(4)
        """,
    )
    for name in ("quick", "sleepy", "deaf", "leaving", "killed", "wrong", "exiting"):
        limit = 1 if name in ("sleepy", "deaf") else 1e9
        target = f"_target_: limited_methods.{name.title()}\n"
        home.config("method", name, f"{target}limit_seconds: {limit}\n")
    return home


@pytest.mark.slow
def test_a_run_over_its_limit_is_a_failure_and_the_rest_runs(command, limited, tmp_path):
    words = {
        "sleepy": "method 'sleepy': its run took longer than its limit_seconds, 1",
        "deaf": "method 'deaf': its run took longer than its limit_seconds, 1",
        "leaving": "method 'leaving': its process ended by itself with exit code 0",
        "killed": "method 'killed': its process was ended by signal 11 (Segmentation fault)",
        "wrong": "wrong [/from] the start",
        "exiting": "method 'exiting': it ends the program with sys.exit(4)",
    }
    limited.study("limited", [*words, "quick"])
    answer = command(study.main, "study=limited")
    assert answer.code == 1
    assert "1 computed, 0 reused, 6 failed" in answer.out
    for word in words.values():
        assert f"FAILED: {word}" in answer.out
    (failure,) = (tmp_path / "runs").glob(f"music/wrong/*/{FAILURE}")
    assert "limited_methods.py" in json.loads(failure.read_bytes())["traceback"]
    everybody = subprocess.run(["ps", "ax"], capture_output=True, text=True).stdout
    assert "987654" not in everybody  # what a method has started ends with it


@pytest.mark.slow
def test_a_run_within_its_limit_is_the_run_without_one(command, limited, tmp_path):
    assert "computed: " in command(run.main, "method=quick").out
    assert "reused: " in command(run.main, "method=quick", "method.limit_seconds=null").out
    (path,) = record_files(tmp_path / "runs").values()
    within = json.loads(path.read_bytes())
    assert command(run.main, "method=quick", "method.limit_seconds=null", "force=true").code == 0
    without = json.loads(path.read_bytes())
    for record in (within, without):
        del record["provenance"], record["checksum"], record["config"]["method"]["limit_seconds"]
        record["phases"] = [phase["name"] for phase in record["phases"]]
    assert within == without


@pytest.mark.slow
def test_a_limited_run_ends_with_the_command_that_started_it(limited, tmp_path):
    """A command that is killed can end nothing; its run must notice by itself."""
    began = tmp_path / "began"
    limited.config("method", "deaf", "_target_: limited_methods.Deaf\nlimit_seconds: 1000\n")
    process = start(
        "experiments.run",
        *("--config-dir", limited.conf, "dataset=music", "method=deaf"),
        f"results={tmp_path / 'runs'}",
        **{"PYTHONPATH": str(limited.folder), "BEGAN": str(began)},
    )
    while not began.exists():
        assert process.poll() is None, finish(process)
        time.sleep(0.05)
    run_of_it = psutil.Process(int(began.read_text()))
    process.kill()
    process.communicate()
    run_of_it.wait(timeout=60)


# What a record is of


@pytest.mark.slow
def test_what_has_changed_in_the_code_of_a_method_is_told(home, tmp_path):
    """In every way in which a method can be reached, each time in a process of its own."""
    method = """
        from sklearn.neighbors import KNeighborsClassifier
        {imports}

        class Method(KNeighborsClassifier):
            def fit(self, X, Y):
                return super().fit(X * {factor}, Y)

            @classmethod
            def make(cls, n_neighbors=5):
                return cls(n_neighbors)
        """
    helped = {"imports": "from changed_helper import FACTOR", "factor": "FACTOR"}
    plain = {"imports": "", "factor": "1"}
    home.file("changed_helper.py", "FACTOR = 1\n")
    home.file("helped.py", method.format(**helped))
    home.file("exported/__init__.py", "from exported.inner import Method\n")
    home.file("exported/inner.py", method.format(**plain))
    home.file("made.py", method.format(**plain))
    home.file("source/editable/__init__.py", "from editable.core import Method\n")
    home.file("source/editable/core.py", method.format(**plain))
    home.file("late_helper.py", "FACTOR = 1\n")
    late = "import importlib\n        FACTOR = importlib.import_module('late_' + 'helper').FACTOR"
    home.file("dynamic.py", method.format(imports=late, factor="FACTOR"))
    home.file("after.py", method.format(imports=late, factor="FACTOR"))
    home.file("untouched.py", method.format(**plain))
    targets = {
        "helped": "helped.Method",
        "exported": "exported.Method",
        "made": "made.Method.make",
        "editable": "editable.Method",
        "dynamic": "dynamic.Method",
        "after": "after.Method",  # finds loaded what the one before it has loaded
        "untouched": "untouched.Method",
    }
    for name, target in targets.items():
        home.config("method", name, f"_target_: {target}\n")
    home.study("changes", list(targets))
    # An editable install is a folder of sources that a line in site-packages names.
    path = os.pathsep.join([str(home.folder), str(home.folder / "source")])

    def again():
        return spawn(
            "experiments.study",
            *("--config-dir", home.conf, "study=changes", "report=false"),
            *(f"results={tmp_path / 'runs'}", f"output={tmp_path / 'study'}"),
            PYTHONPATH=path,
        )

    assert "7 computed, 0 reused, 0 failed" in again().out
    assert "0 computed, 7 reused, 0 failed" in again().out
    home.file("changed_helper.py", "FACTOR = 2\n")
    home.file("late_helper.py", "FACTOR = 2\n")
    for file in ("exported/inner.py", "made.py", "source/editable/core.py"):
        home.file(file, method.format(imports="", factor="2"))
    untouched = home.folder / "untouched.py"
    untouched.write_text(f"# A comment changes nothing.\n{untouched.read_text()}")
    answer = again()
    assert "6 computed, 1 reused, 0 failed" in answer.out, answer
    told = {line.split()[2]: line for line in answer.out.splitlines() if line.startswith("[")}
    assert told["untouched"].endswith("reused")
    for name, module in {
        "helped": "changed_helper",
        "exported": "exported.inner",
        "made": "made",
        "editable": "editable.core",
        "dynamic": "late_helper",
        "after": "late_helper",
    }.items():
        assert "an older record is not reused; changed: the code of " in told[name]
        assert module in told[name].rpartition("the code of ")[2]
    alone = spawn(
        "experiments.run",
        *("--config-dir", home.conf, "dataset=music", "method=made", "+method.n_neighbors=3"),
        f"results={tmp_path / 'runs'}",
        PYTHONPATH=path,
    )
    assert "an older record is not reused; changed: n_neighbors 3, was 5\n" in alone.out


@pytest.mark.slow
def test_an_edit_of_the_repository_that_is_not_committed_counts(home, tmp_path):
    """In a copy: the scaler is changed, and no record is reused; a comment changes nothing."""
    copy = tmp_path / "copy"
    for folder in ("conf", "experiments", "mlmlm"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)

    def again():
        answer = subprocess.run(
            [
                *(sys.executable, "-m", "experiments.run", "--config-dir", home.conf),
                *("dataset=music", "method=nn_mlm", f"results={tmp_path / 'runs'}"),
            ],
            cwd=copy,
            capture_output=True,
            text=True,
            check=True,
        )
        return answer.stdout

    assert "\ncomputed: " in again()
    compute = copy / "experiments" / "compute.py"
    source = compute.read_text()
    compute.write_text(f"# A comment.\n{source}")
    assert "\nreused: " in again()
    changed = source.replace("MinMaxScaler()", "MinMaxScaler((0, 2))")
    assert changed != source
    compute.write_text(changed)
    answer = again()
    assert "\ncomputed: " in answer
    assert "an older record is not reused; changed: the code of experiments.compute\n" in answer
    assert len(record_files(tmp_path / "runs")) == 2
