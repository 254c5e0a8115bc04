"""The settings of an engine, checked before anything runs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from experiments.engines.estimates import GIGABYTE
from experiments.errors import UsageError, unknown

ENGINES = ("serial", "dask", "slurm")


@dataclass(frozen=True)
class EngineSettings:
    """The keys of ``conf/engine``; an engine has those that make sense for it."""

    name: str
    dry_run: bool = False
    workers: int | None = None
    threads: int | None = None
    memory_gb: float | None = None
    address: str | None = None
    partition: str | None = None
    minutes: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def memory(self) -> int | None:
        """In bytes."""
        return None if self.memory_gb is None else int(self.memory_gb * GIGABYTE)


def engine_settings(name: str, content: Mapping[str, Any]) -> EngineSettings:
    """Settings as a configuration has them, if they make sense."""
    if name not in ENGINES:
        raise UsageError(unknown("engine", name, ENGINES))
    for key, value in content.items():
        if key not in EngineSettings.__dataclass_fields__ or key == "name":
            raise UsageError(unknown("key of an engine", key, EngineSettings.__dataclass_fields__))
        wrong = _wrong(key, value)
        if wrong:
            raise UsageError(f"engine.{key} must be {wrong}, not {value!r}")
    return EngineSettings(name, **content)


def _wrong(key: str, value: Any) -> str | None:
    """What a value should be; None if it is so."""
    if key == "dry_run":
        return None if isinstance(value, bool) else "true or false"
    if key == "options":
        return None if isinstance(value, Mapping) else "a mapping of sbatch's options"
    if value is None and key != "minutes":
        return None
    if key == "minutes":  # in less submitit's own early signal would end a job
        return None if type(value) is int and value >= 5 else "a whole number, 5 at the least"
    if key in ("workers", "threads"):
        return None if type(value) is int and value > 0 else "a whole number above 0"
    if key == "memory_gb":
        is_number = type(value) in (int, float) and 0 < value < math.inf
        return None if is_number else "a number above 0"
    return None if isinstance(value, str) and value.strip() else "a name"
