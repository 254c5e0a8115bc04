"""Which package index the user has configured, for pip or for uv.

An environment variable wins over pip's configuration files, ``PIP_*`` over ``UV_*``. The files
are read here, not by running pip: an environment made by uv has none.
"""

from __future__ import annotations

import configparser
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs


@dataclass(frozen=True)
class IndexSettings:
    """Where packages are looked for; ``index_url`` None stands for the finder's default."""

    index_url: str | None
    extra_index_urls: tuple[str, ...]
    find_links: tuple[str, ...]
    no_index: bool
    trusted_hosts: tuple[str, ...]
    certificates: str | None
    timeout: float


def read_index_settings() -> IndexSettings:
    """The settings in force now."""
    environment = os.environ
    options = _options_of_files(environment) | _options_of_environment(environment)
    return IndexSettings(
        index_url=options.get("index-url"),
        extra_index_urls=tuple(options.get("extra-index-url", "").split()),
        find_links=tuple(options.get("find-links", "").split()),
        no_index=options.get("no-index", "").lower() in ("1", "true", "yes", "on"),
        trusted_hosts=tuple(options.get("trusted-host", "").split()),
        certificates=options.get("cert"),
        timeout=float(options.get("timeout") or options.get("default-timeout") or 15),
    )


def _options_of_files(environment: Mapping[str, str]) -> dict[str, str]:
    parser = configparser.RawConfigParser()
    parser.read(_configuration_files(environment), encoding="utf-8")
    options: dict[str, str] = {}
    for section in ("global", "install"):
        if parser.has_section(section):
            options |= parser[section]
    return options


def _configuration_files(environment: Mapping[str, str]) -> list[Path]:
    """Pip's files, the strongest last: the machine's, the user's, the environment's, the named."""
    named = environment.get("PIP_CONFIG_FILE")
    if named == os.devnull:
        return []
    file_name = "pip.ini" if sys.platform == "win32" else "pip.conf"
    machine = platformdirs.site_config_dir("pip", appauthor=False, multipath=True)
    folders = [
        Path("/etc"),
        *map(Path, reversed(machine.split(os.pathsep))),
        Path.home() / ".pip",
        Path.home() / ".config" / "pip",
        platformdirs.user_config_path("pip", appauthor=False, roaming=True),
        Path(sys.prefix),
    ]
    return [folder / file_name for folder in folders] + ([Path(named)] if named else [])


def _options_of_environment(environment: Mapping[str, str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for variable, option in (
        ("UV_INDEX_URL", "index-url"),
        ("UV_DEFAULT_INDEX", "index-url"),
        ("UV_EXTRA_INDEX_URL", "extra-index-url"),
        ("UV_INDEX", "extra-index-url"),
        ("UV_FIND_LINKS", "find-links"),
    ):
        if environment.get(variable):
            options[option] = " ".join(map(_without_name, environment[variable].split()))
    for variable, value in environment.items():
        if variable.startswith("PIP_") and value:
            options[variable.removeprefix("PIP_").lower().replace("_", "-")] = value
    return options


def _without_name(location: str) -> str:
    """Uv lets an index be written ``name=url``."""
    name, equals, url = location.partition("=")
    return url if equals and "/" not in name else location
