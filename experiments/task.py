"""What is to be run: a dataset's and a method's configuration, under their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hydra.errors import InstantiationException
from hydra.utils import instantiate
from omegaconf import DictConfig, OmegaConf

from experiments.errors import UsageError, unknown
from experiments.record import Json, code_versions, identity_of
from experiments.store import RunKey
from mlmlm.datasets import Dataset, in_xml_order
from mlmlm.metrics import METRICS
from mlmlm.scores import has_scores
from mlmlm.validation import check_parameters

SCALINGS = ("minmax", "none")
LABEL_ORDERS = ("arff", "xml")
# Keys of a method that are the harness's, not the estimator's.
RESERVED = ("scaling", "published_as", "variant", "label_order", "seeds")


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
        return self._one_of("scaling", SCALINGS)

    @property
    def label_order(self) -> str:
        """Which file's order of the labels counts; that of the ARFF header, as in the paper."""
        return self._one_of("label_order", LABEL_ORDERS)

    @property
    def published_as(self) -> str | None:
        return self.config.get("published_as")

    @property
    def variant(self) -> str | None:
        """What is unlike in a variant of a published method, in words."""
        return self.config.get("variant")

    @property
    def seed(self) -> int | None:
        """The first of the seeds of a stochastic method."""
        seeds = self.config.get("seeds")
        if seeds is None:
            return None
        if not isinstance(seeds, list) or not seeds or not all(type(n) is int for n in seeds):
            raise UsageError(f"method {self.name!r}: seeds must be a list of integers, not {seeds}")
        return seeds[0]

    @property
    def title(self) -> str:
        """Name and seed."""
        return self.name if self.seed is None else f"{self.name} seed {self.seed}"

    def each_seed(self) -> list[MethodChoice]:
        """The method under each of its seeds; itself alone if it is deterministic."""
        if self.seed is None:
            return [self]
        return [
            MethodChoice(self.name, self.config | {"seeds": [seed]})
            for seed in self.config["seeds"]
        ]

    def estimator(self) -> Any:
        """The estimator, unfitted; wrong values are told here where they can be."""
        parameters = {key: value for key, value in self.config.items() if key not in RESERVED}
        if self.seed is not None:
            parameters["random_state"] = self.seed
        estimator = make_estimator(self.name, parameters)
        try:
            check_parameters(estimator)
        except ValueError as error:
            raise UsageError(f"method {self.name!r}: {error}") from error
        return estimator

    def applies_to(self, data: Dataset) -> bool:
        """False for the order of an XML file that is the usual one."""
        return self.label_order == "arff" or in_xml_order(data) is not data

    def key(self, dataset: DatasetChoice, data: Dataset) -> RunKey:
        """The identity of this method's run on a dataset."""
        config = self.config if self.seed is None else self.config | {"seeds": [self.seed]}
        identity = identity_of(config, data.fingerprint, code_versions(config))
        return RunKey(dataset.name, self.name, identity)

    def _one_of(self, key: str, allowed: tuple[str, ...]) -> str:
        """The value of a key of the harness; the first of those allowed unless it is set."""
        value = str(self.config.get(key) or allowed[0])
        if value not in allowed:
            raise UsageError(unknown(key.replace("_", " "), value, allowed))
        return value


def make_estimator(name: str, parameters: Json) -> Any:
    """What a method's ``_target_`` and parameters give."""
    return _make("method", name, parameters)


def check_metrics(names: list[str], method: MethodChoice) -> None:
    """Refuse metrics that do not exist, and a choice of metrics of which a method has none."""
    for name in names:
        if name not in METRICS:
            raise UsageError(unknown("metric", name, METRICS))
    only_ranking = all(METRICS[name].kind == "ranking" for name in names)
    if only_ranking and not has_scores(method.estimator()):
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
