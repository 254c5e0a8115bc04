"""Every file under conf/ composes, and what it describes can be made."""

import pytest
from hydra import compose, initialize_config_dir

from experiments.choices import DatasetChoice, MethodChoice, check_metrics, plain
from experiments.run import CONFIGURATION
from mlmlm._base import DistanceRegressionClassifier
from mlmlm.datasets import list_datasets
from mlmlm.datasets._cache import cache_folder
from mlmlm.metrics import METRICS, PAPER_METRICS
from tests.harness import ROOT

SMALL = ("medical", "emotions", "enron", "scene", "yeast", "genbase")


def options(group):
    return sorted(path.stem for path in (ROOT / "conf" / group).glob("*.yaml"))


@pytest.fixture(autouse=True)
def hydra():
    with initialize_config_dir(CONFIGURATION, version_base="1.3"):
        yield


def test_every_dataset_of_the_catalogue_has_a_file():
    assert options("dataset") == sorted(list_datasets())


@pytest.mark.parametrize("name", options("dataset"))
def test_dataset(name):
    choice = DatasetChoice(name, plain(compose("config", [f"dataset={name}"]).dataset))
    assert choice.config == {"_target_": "mlmlm.datasets.load_dataset", "name": name}
    if name not in SMALL and not (cache_folder() / f"{name}.npz").is_file():
        pytest.skip("not in the cache, and large")
    assert choice.load().name == name


@pytest.mark.parametrize("name", [name for name in options("method") if "mlm" in name])
def test_distance_regression_method(name):
    choice = MethodChoice(name, plain(compose("config", [f"method={name}"]).method))
    estimator = choice.estimator()
    assert isinstance(estimator, DistanceRegressionClassifier)
    # Every parameter is there to be seen; the paper's methods have the estimators' own defaults.
    shown = {key: value for key, value in choice.config.items() if key in estimator.get_params()}
    assert shown == estimator.get_params()
    if name in compose("study_config", ["study=paper"]).study.methods:
        assert shown == type(estimator)().get_params()
    assert choice.scaling == "minmax"
    assert choice.published_as is not None or choice.config.get("title")


@pytest.mark.parametrize(
    ("name", "metrics"),
    [
        ("paper", [*PAPER_METRICS]),
        ("ranking", [name for name, metric in METRICS.items() if metric.kind == "ranking"]),
        ("bipartition", [name for name, metric in METRICS.items() if metric.kind == "bipartition"]),
        ("all", [*METRICS]),
    ],
)
def test_metrics(name, metrics):
    assert name in options("metrics")
    config = compose("config", [f"metrics={name}"])
    assert list(config.metrics.names) == metrics
    check_metrics(metrics, MethodChoice("ml_mlm", plain(config.method)))


@pytest.mark.parametrize("name", options("study"))
def test_study(name):
    study = compose("study_config", [f"study={name}"]).study
    assert study.name == name
    assert set(study.datasets) <= set(options("dataset"))
    assert {*study.methods, *study.get("variants", ())} <= set(options("method"))


def test_studies_of_the_paper():
    paper = compose("study_config", ["study=paper"]).study
    leak_free = compose("study_config", ["study=leak_free"]).study
    assert len(paper.datasets) == 10
    assert len(paper.methods) == 4
    assert list(leak_free.datasets) == ["tmc2007_fixed"]
    assert leak_free.methods == paper.methods


def test_variants_are_unlike_a_published_method_in_one_thing():
    for name in compose("study_config", ["study=paper"]).study.variants:
        config = plain(compose("config", [f"method={name}"]).method)
        original = plain(compose("config", [f"method={name[: name.index('mlm') + 3]}"]).method)
        unlike = {key for key in config if config[key] != original.get(key)}
        assert len(unlike) == 2
        assert "variant" in unlike


def test_every_file_says_what_it_is():
    for path in (ROOT / "conf").rglob("*.yaml"):
        assert path.read_text().startswith("# "), path
