"""What is to be run: a dataset's and a method's configuration, under their names."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from omegaconf import DictConfig, OmegaConf

from experiments.errors import UsageError, unknown
from experiments.identity import RunIdentity, identify
from experiments.instantiate import Json, make
from experiments.search import Search
from experiments.splits import Split
from mlmlm.datasets import Dataset, in_xml_order
from mlmlm.metrics import METRICS
from mlmlm.scores import has_scores
from mlmlm.validation import check_parameters

SCALINGS = ("minmax", "none")
LABEL_ORDERS = ("arff", "xml")
# Keys of a method that are the harness's, not the estimator's.
RESERVED = (
    "scaling",
    "title",
    "untuned",
    "published_as",
    "variant",
    "swept",
    "label_order",
    "seeds",
    "limit_seconds",
    "search",
    "tuning",
    "memory_gb",
)


@dataclass(frozen=True)
class DatasetChoice:
    """A dataset by the name of its configuration, and how it is split; None is as it is."""

    name: str
    config: Json
    split: Split | None = None

    @property
    def split_name(self) -> str:
        """The short name of the split; empty where the dataset is as it is."""
        return "" if self.split is None else self.split.name

    @property
    def name_and_split(self) -> str:
        return f"{self.name} {self.split_name}".rstrip()

    def load(self) -> Dataset:
        """Load the data; a function that gives something else is a mistake of the configuration."""
        if self.split is None:
            return self._load()
        return self.split.of(_unsplit(self.name, json.dumps(self.config)))

    def _load(self) -> Dataset:
        data = make("dataset", self.name, self.config)
        if not isinstance(data, Dataset):
            raise UsageError(
                f"dataset {self.name!r}: its _target_ must give a mlmlm.datasets.Dataset, "
                f"not {type(data).__name__}"
            )
        return data


@lru_cache(maxsize=1)  # the splits of a dataset are run one after another
def _unsplit(name: str, config: str) -> Dataset:
    return DatasetChoice(name, json.loads(config))._load()


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
        whole = isinstance(seeds, list) and all(type(seed) is int for seed in seeds)
        if not whole or not seeds or len(set(seeds)) < len(seeds):
            raise UsageError(
                f"method {self.name!r}: seeds must be a list of different integers, not {seeds}"
            )
        return seeds[0]

    @property
    def limit_seconds(self) -> float | None:
        """How long a run may take; None is as long as it likes."""
        return self._positive("limit_seconds")

    @property
    def memory_gb(self) -> float | None:
        """How much memory a run needs, for engines that share it out; None if nobody knows."""
        return self._positive("memory_gb")

    @property
    def search(self) -> Json | None:
        """What a study may tune: parameters of the classifier, each with its candidates."""
        space = self.config.get("search")
        if space is not None and (not isinstance(space, dict) or not space):
            raise UsageError(
                f"method {self.name!r}: search must be of parameters and candidates, not {space!r}"
            )
        return space

    @property
    def parameters(self) -> Json:
        """What the estimator is made with, seed included."""
        own = {key: value for key, value in self.config.items() if key not in RESERVED}
        return own if self.seed is None else own | {"random_state": self.seed}

    @property
    def title(self) -> str:
        """What tables and diagrams call it; what is left untuned is part of its name."""
        title = str(self.config.get("title") or self.published_as or self.name)
        untuned = self.config.get("untuned")
        return f"{title} ({untuned})" if untuned and "tuning" not in self.config else title

    @property
    def name_and_seed(self) -> str:
        return self.name if self.seed is None else f"{self.name} seed {self.seed}"

    def each_seed(self) -> list[MethodChoice]:
        """The method under each of its seeds; itself alone if it is deterministic.

        Raises
        ------
        UsageError
            If a key of the configuration that is the harness's has a value that makes no sense.
        """
        _ = self.scaling, self.label_order, self.limit_seconds, self.memory_gb, self.search
        if self.seed is None:
            return [self]
        return [
            MethodChoice(self.name, self.config | {"seeds": [seed]})
            for seed in self.config["seeds"]
        ]

    def estimator(self) -> Any:
        """The estimator, unfitted; wrong values are told here where they can be."""
        estimator = make("method", self.name, self.parameters)
        if not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
            raise UsageError(
                f"method {self.name!r}: {type(estimator).__name__} has no fit and predict; a "
                "method is a scikit-learn style classifier"
            )
        try:
            check_parameters(estimator)
        except ValueError as error:
            raise UsageError(f"method {self.name!r}: {error}") from error
        return estimator

    def tuning(self) -> Search | None:
        """How the estimator is tuned before it is fitted; None if it is not."""
        if "tuning" not in self.config:
            return None
        search: Search = make("tuning of method", self.name, self.config["tuning"])
        return search

    def applies_to(self, data: Dataset) -> bool:
        """False for the order of an XML file that is the usual one."""
        return self.label_order == "arff" or in_xml_order(data) is not data

    def identity(self, fingerprint: str, split: Json | None = None) -> RunIdentity:
        """All that the figures of this method's run on data with a fingerprint depend on."""
        own: Json = {"scaling": self.scaling, "label_order": self.label_order}
        if "tuning" in self.config:
            own["tuning"] = self.config["tuning"]
        return identify(self.parameters | own, fingerprint, split)

    def _positive(self, key: str) -> float | None:
        """The number that a key of the harness has; None unless it is set."""
        value = self.config.get(key)
        if value is None:
            return None
        if type(value) not in (int, float) or not 0 < value < math.inf:
            raise UsageError(f"method {self.name!r}: {key} must be a number above 0, not {value!r}")
        return float(value)

    def _one_of(self, key: str, allowed: tuple[str, ...]) -> str:
        """The value of a key of the harness; the first of those allowed unless it is set."""
        value = str(self.config.get(key) or allowed[0])
        if value not in allowed:
            raise UsageError(unknown(key.replace("_", " "), value, allowed))
        return value


@dataclass(frozen=True)
class BrokenMethod:
    """A method whose configuration cannot be understood; its runs fail, the others do not."""

    name: str
    config: Json
    error: UsageError

    @property
    def title(self) -> str:
        return self.name

    @property
    def name_and_seed(self) -> str:
        return self.name


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


def plain(config: DictConfig) -> Json:
    """A resolved configuration as plain Python values."""
    content = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    return {str(key): value for key, value in dict(content).items()}  # type: ignore[arg-type]
