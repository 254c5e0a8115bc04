"""What is to be run: a dataset's and a method's configuration, under their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hydra.errors import InstantiationException
from hydra.utils import instantiate
from omegaconf import DictConfig, OmegaConf
from sklearn.base import clone

from experiments.errors import UsageError, unknown
from experiments.record import Json, code_versions, identity_of
from experiments.store import RunKey
from mlmlm.base import DistanceRegressionClassifier
from mlmlm.datasets import Dataset
from mlmlm.metrics import BIPARTITION_METRICS, RANKING_METRICS

METRICS = (*RANKING_METRICS, *BIPARTITION_METRICS)
SCALINGS = ("minmax", "none")
# Keys of a method that are the harness's, not the estimator's.
_RESERVED = ("scaling", "published_as")


@dataclass(frozen=True)
class DatasetChoice:
    """A dataset by the name of its configuration."""

    name: str
    config: Json

    def load(self) -> Dataset:
        """Load the data; a function that gives something else is a mistake of the configuration."""
        data = _make("dataset", self.name, self.config)
        if not isinstance(data, Dataset):
            raise UsageError(
                f"dataset {self.name!r}: its _target_ must give a mlmlm.datasets.Dataset, "
                f"not {type(data).__name__}"
            )
        return data


@dataclass(frozen=True)
class MethodChoice:
    """A method by the name of its configuration."""

    name: str
    config: Json

    @property
    def scaling(self) -> str:
        """How features are scaled; as in the paper unless the configuration says otherwise."""
        scaling = str(self.config.get("scaling") or "minmax")
        if scaling not in SCALINGS:
            raise UsageError(unknown("scaling", scaling, SCALINGS))
        return scaling

    @property
    def published_as(self) -> str | None:
        return self.config.get("published_as")

    def estimator(self) -> Any:
        """The estimator, unfitted; wrong values are told here where they can be."""
        parameters = {key: value for key, value in self.config.items() if key not in _RESERVED}
        estimator = _make("method", self.name, parameters)
        if isinstance(estimator, DistanceRegressionClassifier):
            self._rehearse(estimator)
        return estimator

    def key(self, dataset: DatasetChoice, data: Dataset) -> RunKey:
        """The identity of this method's run on a dataset."""
        code = code_versions(self.config)
        return RunKey(dataset.name, self.name, identity_of(self.config, data.fingerprint, code))

    def _rehearse(self, estimator: DistanceRegressionClassifier) -> None:
        """Fit a copy on two rows: a wrong value is told before the cubic step, not after."""
        try:
            clone(estimator).fit([[0.0], [1.0]], [[0, 1], [1, 0]])
        except (TypeError, ValueError) as error:
            raise UsageError(f"method {self.name!r}: {error}") from error


def can_rank(estimator: Any) -> bool:
    """Whether an estimator has scores to rank labels by."""
    return hasattr(estimator, "decision_function") or hasattr(estimator, "predict_proba")


def check_metrics(names: list[str], method: MethodChoice) -> None:
    """Refuse metrics that do not exist, and a choice of metrics of which a method has none."""
    for name in names:
        if name not in METRICS:
            raise UsageError(unknown("metric", name, METRICS))
    if set(names) <= RANKING_METRICS.keys() and not can_rank(method.estimator()):
        raise UsageError(
            f"method {method.name!r} does not rank labels, so it has none of the metrics "
            f"{', '.join(names)}; choose metrics=bipartition or metrics=paper"
        )


def is_true(config: DictConfig, key: str) -> bool:
    """A switch of the configuration; a word that is neither true nor false would count as true."""
    value = config[key]
    if not isinstance(value, bool):
        raise UsageError(f"{key} must be true or false, not {value!r}")
    return value


def plain(config: DictConfig) -> Json:
    """A resolved configuration as plain Python values."""
    content = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    return {str(key): value for key, value in dict(content).items()}  # type: ignore[arg-type]


def _make(kind: str, name: str, config: Json) -> Any:
    """What a configuration's ``_target_`` gives; what is wrong with it is the user's to correct."""
    if "_target_" not in config:
        raise UsageError(f"{kind} {name!r}: its configuration has no _target_")
    try:
        return instantiate(config, _convert_="all")
    except InstantiationException as error:
        cause = error.__cause__ or error
        raise UsageError(f"{kind} {name!r}: {cause}") from cause
