"""A researcher's way: a method of one's own beside the field, from a folder of one's own."""

import os
import subprocess
import sys

import pandas as pd
import pytest

from experiments.study_folder import StudyFolder
from mlmlm.metrics import PAPER_METRICS
from tests.harness import ROOT

COMMITTED = ROOT / "results" / "committed" / "one_footing"
METHOD = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import NearestNeighbors


class Vote(ClassifierMixin, BaseEstimator):
    def __init__(self, n_neighbors=7):
        self.n_neighbors = n_neighbors

    def fit(self, X, y):
        self.search_ = NearestNeighbors(n_neighbors=self.n_neighbors).fit(X)
        self.labels_ = np.asarray(y)
        self.classes_ = np.arange(self.labels_.shape[1])
        return self

    def predict_proba(self, X):
        return self.labels_[self.search_.kneighbors(X)[1]].mean(axis=1)

    def predict(self, X):
        return (self.predict_proba(X) > 0.5).astype(int)
"""


@pytest.fixture
def home(tmp_path):
    """A folder with a method in a module of one's own, and a study."""
    (tmp_path / "my_methods.py").write_text(METHOD)
    for group, name, text in (
        ("method", "vote", "_target_: my_methods.Vote\nscaling: minmax\n"),
        (
            "study",
            "mine",
            "name: mine\ndatasets: [emotions, scene, yeast]\nmethods: [vote, ml_mlm, ml_knn]\n"
            "control: vote\n",
        ),
    ):
        folder = tmp_path / "conf" / group
        folder.mkdir(parents=True)
        (folder / f"{name}.yaml").write_text(text)
    return tmp_path


def study(home, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "experiments.study", "--config-dir", "conf", *arguments],
        cwd=home,
        env=os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )


def check_report(folder, methods):
    ranks = pd.read_csv(folder / "tables" / "ranks.csv", index_col="method")
    assert methods <= set(ranks.index)
    for metric in PAPER_METRICS:
        assert (folder / "figures" / f"cd_{metric}.svg").is_file()
    assert not list(folder.rglob("claims*"))


@pytest.mark.slow
def test_a_study_of_ones_own(home):
    answer = study(home, "study=mine")
    assert answer.returncode == 0, answer.stderr
    assert "9 computed" in answer.stdout or "taken from the committed" in answer.stdout
    check_report(home / "results" / "mine", {"vote", "ML-MLM", "ML-kNN"})
    assert "vote" in answer.stdout.splitlines()[-1] or "leads" in answer.stdout


@pytest.mark.slow
@pytest.mark.skipif(not COMMITTED.is_dir(), reason="no committed results")
def test_beside_the_field_only_the_new_method_is_computed(home):
    small = ("medical", "emotions", "scene", "yeast")  # on which the committed results lack nothing
    beside = (
        "study=one_footing",
        "study.methods=[...,vote]",
        f"study.datasets=[{','.join(small)}]",
    )
    answer = study(home, *beside)
    assert answer.returncode == 0, answer.stderr
    committed = [
        name for name in StudyFolder(COMMITTED).manifest().runs if name.split("/")[0] in small
    ]
    told = f"4 computed, 0 reused, {len(committed)} taken from the committed results, 0 failed"
    assert told in answer.stdout
    folder = home / "results" / "one_footing"
    check_report(folder, {"vote", "ML-MLM"})
    record = StudyFolder(folder).read("emotions/vote")
    assert "my_methods" in record.code.modules
    again = study(home, *beside, "report=false")
    assert "0 computed, 4 reused" in again.stdout
    (home / "my_methods.py").write_text(METHOD.replace("> 0.5", ">= 0.5"))
    changed = study(home, *beside, "report=false")
    assert "4 computed, 0 reused" in changed.stdout
    assert "changed: the code of my_methods" in changed.stdout
