"""Methods on sparse features: the figures of the dense ones, or one line that says why not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from omegaconf import OmegaConf

from experiments.choices import DatasetChoice, MethodChoice
from experiments.errors import UsageError
from experiments.execute import Workbench
from mlmlm.datasets import Dataset

CONF = Path(__file__).resolve().parents[1] / "conf" / "method"
# Those that take seconds even here are left out; each has the same parts as one of these.
METHODS = (
    *("ml_mlm", "br_mlm", "nn_mlm", "lls_mlm", "logistic", "ml_knn", "br_svc", "br_j48", "cc_j48"),
    *("cc_svc", "ebr_j48", "homer_svc", "lightgbm", "rakel_sgdc", "rakel_svc", "rf_pct"),
)


def made_up() -> Dataset:
    """Rows with few values; one column that is never 0, one constant in training."""
    rng = np.random.default_rng(3)
    X = np.where(rng.random((90, 12)) < 0.3, rng.integers(1, 5, (90, 12)), 0).astype(float)
    X[:, 4], X[:60, 7] = rng.integers(2, 9, 90), 0
    Y = (X[:, :5] + rng.integers(0, 3, (90, 5)) > [2, 2, 2, 2, 6]).astype(int)
    names = tuple("abcdefghijkl"), tuple("pqrst")
    return Dataset("made up", X[:60], Y[:60], X[60:], Y[60:], *names)


def as_sparse(data: Dataset) -> Dataset:
    return replace(data, X_train=sp.csr_array(data.X_train), X_test=sp.csr_array(data.X_test))


def metrics(data: Dataset, name: str) -> dict[str, float]:
    config = OmegaConf.to_container(OmegaConf.load(CONF / f"{name}.yaml"))
    assert isinstance(config, dict)
    method = MethodChoice(name, {str(key): value for key, value in config.items()})
    record, _ = Workbench(DatasetChoice(data.name, {}), data).run(method)
    return record.metrics


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", METHODS)
def test_figures_are_those_of_the_dense_features(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dense = metrics(made_up(), name)
    monkeypatch.setattr(sp.csr_array, "toarray", None)  # nobody makes them dense
    assert metrics(as_sparse(made_up()), name) == pytest.approx(dense, abs=1e-12)


@pytest.mark.parametrize("name", ["br_j48_weka", "ecc_j48_weka"])
def test_methods_that_take_dense_features_only_say_so(name: str) -> None:
    with pytest.raises(UsageError, match=rf"{name}'.*[Ss]parse data was passed") as caught:
        metrics(as_sparse(made_up()), name)
    assert len(str(caught.value).splitlines()) == 1
