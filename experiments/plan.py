"""What a study will run: its datasets, smallest first, and its methods."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hydra import compose
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from experiments import published
from experiments.errors import UsageError
from experiments.footing import on_footing
from experiments.task import DatasetChoice, MethodChoice, plain


@dataclass(frozen=True)
class Plan:
    """The datasets, their numbers of training rows, and the methods to run on each.

    ``variants`` are run on a dataset with a cell that differs from the published one, so that the
    verdict can say under which of them the published value comes out.
    """

    datasets: Sequence[DatasetChoice]
    sizes: Sequence[float]
    methods: Sequence[MethodChoice]
    variants: Sequence[MethodChoice] = ()


def make_plan(study: DictConfig) -> Plan:
    """Find the configuration of every name; a wrong one is told before anything runs."""
    if not study.datasets or not study.methods:
        raise UsageError("a study needs at least one dataset and one method")
    methods = _methods(study.methods)
    if study.get("footing"):
        methods = [on_footing(method, plain(study.footing)) for method in methods]
    variants = _methods(study.get("variants") or ())
    datasets = [DatasetChoice(name, _compose("dataset", name)) for name in study.datasets]
    sizes = {dataset.name: _training_rows(dataset) for dataset in datasets}
    datasets.sort(key=lambda dataset: sizes[dataset.name])
    return Plan(datasets, [sizes[dataset.name] for dataset in datasets], methods, variants)


def _methods(names: Iterable[str]) -> list[MethodChoice]:
    """The methods by their names, stochastic ones once for each seed."""
    choices = (MethodChoice(name, _compose("method", name)) for name in names)
    return [method for choice in choices for method in choice.each_seed()]


def _compose(group: str, name: str) -> dict[str, object]:
    """The configuration that ``group=name`` would select for a single run."""
    # A search path given on the command line is not part of what Hydra hands on by itself.
    given = HydraConfig.get().overrides.hydra
    search_path = [each for each in given if each.lstrip("+").startswith("hydra.searchpath")]
    config = compose("config", overrides=[*search_path, f"{group}={name}"])
    return plain(config[group])


def _training_rows(dataset: DatasetChoice) -> float:
    """Known for the paper's datasets; others are loaded to see."""
    known = published.datasets()["n_train"]
    if dataset.name in known.index:
        return float(known[dataset.name])
    try:
        return float(len(dataset.load().X_train))
    except Exception:  # it goes last, and fails there, where failures are recorded
        return math.inf
