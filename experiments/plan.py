"""What a study will run: its datasets, smallest first, and its methods."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hydra import compose
from hydra.core.hydra_config import HydraConfig

from experiments import published
from experiments.choices import BrokenMethod, DatasetChoice, MethodChoice, plain
from experiments.errors import UsageError, unknown
from experiments.footing import check_footing, on_footing
from experiments.settings import check_one_source


@dataclass(frozen=True)
class Plan:
    """The datasets, their numbers of training rows, and the methods to run on each.

    ``variants`` are run on a dataset with a cell that differs from the published one, so that the
    verdict can say under which of them the published value comes out.
    """

    name: str
    datasets: Sequence[DatasetChoice]
    sizes: Sequence[float]
    methods: Sequence[MethodChoice | BrokenMethod]
    variants: Sequence[MethodChoice | BrokenMethod] = ()
    control: str | None = None
    published: bool = False


def make_plan(study: dict[str, Any]) -> Plan:
    """Find the configuration of every name; a wrong one is told before anything runs."""
    own = _own_names()
    names = {key: _names(study, key, own) for key in ("datasets", "methods", "variants")}
    if not names["datasets"] or not names["methods"]:
        raise UsageError("a study needs at least one dataset and one method")
    control = study.get("control")
    if control is not None and control not in names["methods"]:
        raise UsageError(unknown("method of the study, as its control,", control, names["methods"]))
    footing = check_footing(study.get("footing"))
    datasets = [DatasetChoice(name, _compose("dataset", name)) for name in names["datasets"]]
    sizes = {dataset.name: _training_rows(dataset) for dataset in datasets}
    datasets.sort(key=lambda dataset: sizes[dataset.name])
    return Plan(
        name=str(study["name"]),
        datasets=datasets,
        sizes=[sizes[dataset.name] for dataset in datasets],
        methods=list(_methods(names["methods"], footing)),
        variants=list(_methods(names["variants"], None)),
        control=control,
        published=bool(study.get("published", False)),
    )


def _own_names() -> dict[str, Any]:
    """The study as its file has it, whatever the command line says."""
    name = HydraConfig.get().runtime.choices["study"]
    return plain(compose("study_config", overrides=[*_search_path(), f"study={name}"]).study)


def _names(study: dict[str, Any], key: str, own: dict[str, Any]) -> list[str]:
    """A list of names in a study's configuration, each once.

    On the command line three dots stand for the names that the study has by itself:
    ``study.methods=[...,mine]`` adds one to them.
    """
    value = study.get(key) or []
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise UsageError(f"study.{key} must be a list of names, not {value!r}")
    names = [each for name in value for each in (own.get(key) or [] if name == "..." else [name])]
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise UsageError(f"study.{key} has {repeated[0]!r} more than once")
    return names


def _methods(
    names: Iterable[str], footing: dict[str, Any] | None
) -> Iterator[MethodChoice | BrokenMethod]:
    """The methods by their names, on a footing if there is one, once for each seed."""
    for name in names:
        choice = MethodChoice(name, _compose("method", name))
        try:
            on_it = choice if footing is None else on_footing(choice, footing)
            yield from on_it.each_seed()
        except UsageError as error:
            yield BrokenMethod(name, choice.config, error)


def _compose(group: str, name: str) -> dict[str, object]:
    """The configuration that ``group=name`` would select for a single run."""
    check_one_source(group, name)
    return plain(compose("config", overrides=[*_search_path(), f"{group}={name}"])[group])


def _search_path() -> list[str]:
    """A search path given on the command line, which Hydra does not hand on by itself."""
    given = HydraConfig.get().overrides.hydra
    return [each for each in given if each.lstrip("+").startswith("hydra.searchpath")]


def _training_rows(dataset: DatasetChoice) -> float:
    """Known for the paper's datasets; others are loaded to see."""
    known = published.datasets()["n_train"]
    if dataset.name in known.index:
        return float(known[dataset.name])
    try:
        return float(len(dataset.load().X_train))
    except Exception:  # it goes last, and fails there, where failures are recorded
        return math.inf
