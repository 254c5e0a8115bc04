"""What a study will run: its datasets, smallest first, and its methods."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hydra import compose
from hydra.core.hydra_config import HydraConfig
from hydra.errors import MissingConfigException

from experiments import published
from experiments.choices import BrokenMethod, DatasetChoice, MethodChoice
from experiments.errors import UsageError, describe, unknown
from experiments.footing import check_footing, on_footing
from experiments.settings import check_one_source, content_of


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
    name, is_published = study.get("name"), study.get("published", False)
    if not isinstance(name, str) or not name.strip():
        raise UsageError(f"study.name must be a name, not {name!r}")
    if not isinstance(is_published, bool):
        raise UsageError(f"study.published must be true or false, not {is_published!r}")
    names = {key: _names(study, key) for key in ("datasets", "methods", "variants")}
    if not names["datasets"] or not names["methods"]:
        raise UsageError("a study needs at least one dataset and one method")
    control = study.get("control")
    if control is not None and control not in names["methods"]:
        known = names["methods"]
        raise UsageError(unknown("method of the study, as its control,", str(control), known))
    footing = check_footing(study.get("footing"))
    datasets = [DatasetChoice(name, _compose("dataset", name)) for name in names["datasets"]]
    sizes = {dataset.name: _training_rows(dataset) for dataset in datasets}
    datasets.sort(key=lambda dataset: sizes[dataset.name])
    return Plan(
        name=name,
        datasets=datasets,
        sizes=[sizes[dataset.name] for dataset in datasets],
        methods=list(_methods(names["methods"], footing)),
        variants=list(_methods(names["variants"], None)),
        control=control,
        published=is_published,
    )


def _names(study: dict[str, Any], key: str) -> list[str]:
    """A list of names in a study's configuration, each once."""
    value = study.get(key) or []
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise UsageError(f"study.{key} must be a list of names, not {value!r}")
    repeated = [name for name in value if value.count(name) > 1]
    if repeated:
        raise UsageError(f"study.{key} has {repeated[0]!r} more than once")
    return value


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
    # A search path given on the command line is not part of what Hydra hands on by itself.
    given = HydraConfig.get().overrides.hydra
    search_path = [each for each in given if each.lstrip("+").startswith("hydra.searchpath")]
    quoted = name.replace("\\", "\\\\").replace("'", "\\'")  # a name may have brackets and commas
    try:
        config = compose("config", overrides=[*search_path, f"{group}='{quoted}'"])
        content = content_of(config, group, name)
    except (UsageError, MissingConfigException):
        raise
    except Exception as error:  # whatever it is, it is in the user's file
        raise UsageError(f"{group} {name!r}: {describe(error)}") from error
    if not content.get("_target_"):
        raise UsageError(f"{group} {name!r}: its configuration has no _target_")
    return content


def _training_rows(dataset: DatasetChoice) -> float:
    """Known for the paper's datasets; others are loaded to see."""
    known = published.datasets()["n_train"]
    if dataset.name in known.index:
        return float(known[dataset.name])
    try:
        return float(len(dataset.load().X_train))
    except Exception:  # it goes last, and fails there, where failures are recorded
        return math.inf
