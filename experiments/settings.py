"""Settings of the commands, checked before anything runs."""

from __future__ import annotations

import importlib.resources
from pathlib import Path
from typing import Any

from hydra.conf import ConfigSourceInfo
from hydra.core.hydra_config import HydraConfig
from hydra.utils import to_absolute_path
from omegaconf import DictConfig, OmegaConf

from experiments.choices import DatasetChoice, MethodChoice, plain
from experiments.errors import UsageError
from experiments.splits import one_split


def chosen(config: DictConfig, group: str) -> tuple[str, dict[str, Any]]:
    """Name and content of what is chosen of a group such as ``method``."""
    name = HydraConfig.get().runtime.choices.get(group)
    if not isinstance(name, str) or config.get(group) is None:
        raise UsageError(f"choose a {group}: {group}=..., one of the names that --help lists")
    check_one_source(group, name)
    return name, content_of(config, group, name)


def content_of(config: DictConfig, group: str, name: str) -> dict[str, Any]:
    """What the file of a name in a group says."""
    content = config[group]
    if not isinstance(content, DictConfig):
        raise UsageError(f"{group} {name!r}: its file must be of keys and values")
    return plain(content)


def chosen_dataset(config: DictConfig) -> DatasetChoice:
    """The dataset, split as the configuration says."""
    return DatasetChoice(*chosen(config, "dataset"), one_split(chosen(config, "split")[1]))


def chosen_method(config: DictConfig) -> MethodChoice:
    return MethodChoice(*chosen(config, "method"))


def chosen_metrics(config: DictConfig) -> list[str]:
    """Names of the metrics to show."""
    names = chosen(config, "metrics")[1].get("names")
    if not isinstance(names, list) or not names or not all(isinstance(n, str) for n in names):
        raise UsageError(f"metrics.names must be a list of metrics, not {names!r}")
    return names


def check_one_source(group: str, name: str) -> None:
    """Refuse a name that a built-in file and a user's file have: Hydra would ignore the user's."""
    folders = [_folder(source) for source in HydraConfig.get().runtime.config_sources]
    files = [folder / group / f"{name}.yaml" for folder in folders if folder is not None]
    found = list(dict.fromkeys(file.resolve() for file in files if file.is_file()))
    if len(found) > 1:
        raise UsageError(
            f"{found[-1]}: there is a {group} {name!r} already; give this one another name"
        )


def _folder(source: ConfigSourceInfo) -> Path | None:
    """Where a source of configurations has its files; None if it is not of files."""
    if source.schema == "file":
        return Path(source.path)
    if source.schema == "pkg":
        return Path(str(importlib.resources.files(source.path)))
    return None


def folder_setting(config: DictConfig, key: str) -> Path:
    """A setting that names a folder, which need not exist yet."""
    value = config[key] if key in config and not OmegaConf.is_missing(config, key) else None
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{key} must be the path of a folder, not {value!r}")
    path = Path(to_absolute_path(value))
    for existing in (path, *path.parents):
        if existing.exists():
            if not existing.is_dir():
                raise UsageError(f"{key}={value}: {existing} is a file, not a folder")
            break
    return path


def switch(config: DictConfig, key: str) -> bool:
    """A switch; a word that is neither true nor false would count as true."""
    value = config[key]
    if not isinstance(value, bool):
        raise UsageError(f"{key} must be true or false, not {value!r}")
    return value
