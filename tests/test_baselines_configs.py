"""Each reference method of conf/method, from its file to labels; and the published BR-Ada."""

import sys

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from sklearn.datasets import make_multilabel_classification

from experiments.choices import DatasetChoice, MethodChoice, plain
from experiments.comparison import record_cells
from experiments.errors import UsageError
from experiments.execute import Workbench
from experiments.run import CONFIGURATION
from mlmlm.baselines import _java as java
from mlmlm.baselines._java import weka_class
from mlmlm.datasets import Dataset, DatasetError, load_dataset
from mlmlm.metrics import PAPER_METRICS

STOCHASTIC = ["br_ada", "br_rf", "rf_pct", "bpnn", "br_j48", "cc_j48", "ebr_j48", "ecc_j48"]
STOCHASTIC += ["homer_svc"]
DETERMINISTIC = ["br_svm", "cc_svm", "lightgbm", "br_j48_weka", "ebr_j48_weka", "ecc_j48_weka"]
DETERMINISTIC += ["br_svc", "cc_svc", "logistic"]


def method(name, *overrides):
    with initialize_config_dir(CONFIGURATION, version_base="1.3"):
        return MethodChoice(name, plain(compose("config", [f"method={name}", *overrides]).method))


def skip_without_extras(name):
    if name == "lightgbm":
        pytest.importorskip("lightgbm", reason="needs the extra 'modern'")
    if name.endswith("_weka"):
        try:
            weka_class("java.lang.String")
        except ImportError as error:
            pytest.skip(str(error))


@pytest.fixture(scope="module")
def bench():
    """A small dataset; its last label is never relevant in training."""
    X, Y = make_multilabel_classification(n_samples=90, n_features=8, n_classes=4, random_state=0)
    Y = np.column_stack([Y, np.arange(90) % 30 == 29])
    Y[:60, -1] = 0
    data = Dataset(
        *("toy", X[:60], Y[:60], X[60:], Y[60:]),
        feature_names=[f"x{k}" for k in range(X.shape[1])],
        label_names=[f"y{k}" for k in range(Y.shape[1])],
    )
    return Workbench(DatasetChoice("toy", {}), data)


@pytest.mark.parametrize("name", STOCHASTIC + DETERMINISTIC)
def test_a_method_runs_from_its_file(name, bench):
    skip_without_extras(name)
    choice = method(name)
    assert (choice.seed is not None) == (name in STOCHASTIC)
    record, _ = bench.run(choice)
    # All of these methods have scores, so all have the ranking metrics.
    assert record.metrics.keys() >= PAPER_METRICS.keys()
    assert 0 < record.metrics["accuracy"] <= 1
    assert record.metrics["hamming_loss"] < 0.5


@pytest.mark.parametrize("name", ["rf_pct", "ecc_j48"])
def test_seeds_make_runs_and_each_is_repeatable(name, bench):
    first, second = method(name).each_seed()[:2]
    losses = [bench.run(choice)[0].metrics["ranking_loss"] for choice in (first, first, second)]
    assert losses[0] == losses[1]
    assert losses[0] != losses[2]


def test_the_search_for_svm_parameters_is_in_the_record(bench):
    record, _ = bench.run(method("br_svm", "method.param_grid.estimator__C=[1]"))
    assert record.chosen["best_params"].keys() == {"estimator__C", "estimator__gamma"}
    assert record.chosen["best_params"]["estimator__C"] == 1


@pytest.mark.parametrize(
    ("name", "override", "message"),
    [
        ("ebr_j48", "method.rule=half", "'rule' parameter of Thresholded must be"),
        ("ebr_j48", "method.estimator.voting=loud", "'voting' parameter of BaggedEnsemble must be"),
        ("cc_j48", "method.order=rising", "'order' parameter of LabelChain must be"),
        ("br_svm", "method.scoring=beauty", "scoring"),
    ],
)
def test_wrong_settings_are_for_the_user(name, override, message, bench):
    with pytest.raises(UsageError, match=message):
        bench.run(method(name, override))


def test_a_missing_extra_is_for_the_user(bench, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(UsageError, match="install mlmlm with the extra 'modern'"):
        bench.run(method("lightgbm"))
    java._start.cache_clear()
    monkeypatch.setitem(sys.modules, "weka", None)
    with pytest.raises(UsageError, match="install mlmlm with the extra 'java'"):
        bench.run(method("br_j48_weka"))
    java._start.cache_clear()


def test_published_br_ada_of_emotions():
    """Stumps hardly draw, so any seed gives the published figures."""
    try:
        data = load_dataset("emotions")
    except DatasetError as error:
        pytest.skip(str(error))
    record, _ = Workbench(DatasetChoice("emotions", {}), data).run(method("br_ada"))
    cells = [cell for cell in record_cells(record) if cell.agrees is not None]
    assert {cell.metric for cell in cells} == {"accuracy", "hamming_loss", "micro_f1", "macro_f1"}
    assert all(cell.agrees for cell in cells)
