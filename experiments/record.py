"""The record of a run: one JSON file, and compressed arrays beside it.

``record.json``, schema 2:

=================  ================================================================================
key                value
=================  ================================================================================
``schema``         version of this layout
``dataset``        name of the dataset's configuration
``method``         name of the method's configuration
``published_as``   the method's row in the paper's tables, or null
``variant``        what is unlike in a variant of a published method, in words; else null
``seed``           the ``random_state`` of a stochastic method; else null
``identity``       12 hexadecimal digits, the last folder of the record's path; see `identity_of`
``config``         resolved configurations of ``dataset`` and ``method``; paths cut to file names
``data``           ``fingerprint`` of the arrays, ``n_train``, ``n_test``, ``n_features``,
                   ``n_labels``, and under ``characteristics`` and ``audit`` the fields of these
                   classes of `mlmlm.datasets`
``code``           versions that are part of the identity
``chosen``         hyper-parameters that fitting chose: ``alpha``, ``power``, ``threshold``, ...
``distance``       ``mean`` and ``std`` (sample) of the squared smallest predicted distance, or null
``metrics``        every metric the method allows, by name
``uncertainty``    for each category of `mlmlm.uncertainty` the number of test ``rows`` in it and,
                   if there are any, the metrics of these; null for a method without distances
``phases``         in order: ``name``, ``seconds``, ``peak_mb`` (resident set of the process), and
                   whether the phase was ``shared`` with other methods of the dataset
``arrays_sha256``  of ``arrays.npz``
``provenance``     see `experiments.provenance`
=================  ================================================================================

``arrays.npz`` holds ``predictions`` (test rows x labels, as bits: `unpack_arrays` restores them)
and, where the method has them, ``scores``, ``smallest_distances`` (signed, of the test rows),
``accuracy_per_row`` and ``ranking_loss_per_row`` (of the test rows; NaN without a relevant label),
``power_grid`` and ``loo_ranking_loss``.

A record of an older schema is brought up to date when it is read. Numbers that are not finite are
written as Python's ``json`` writes them.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.phases import Phase

SCHEMA = 2
RESULTS_VERSION = 1
"""Raise this by one when a change of the code changes figures: every run is then a new one."""

Json = dict[str, Any]
Arrays = dict[str, NDArray[Any]]

# From a schema to the function that turns its records into those of the next schema.
UPGRADES: dict[int, Callable[[Json], Json]] = {
    1: lambda record: record | {"schema": 2, "variant": None, "seed": None, "uncertainty": None}
}


class RecordError(ValueError):
    """A file is not a whole record."""


@dataclass(frozen=True)
class Record:
    """One run; the fields are those of the file, which the module documents."""

    dataset: str
    method: str
    published_as: str | None
    variant: str | None
    seed: int | None
    identity: str
    config: Json
    data: Json
    code: Json
    chosen: Json
    distance: dict[str, float] | None
    metrics: dict[str, float]
    uncertainty: dict[str, dict[str, float]] | None
    phases: tuple[Phase, ...]
    arrays_sha256: str
    provenance: Json
    schema: int = SCHEMA

    @property
    def seconds(self) -> float:
        """The whole time, shared phases included."""
        return sum(phase.seconds for phase in self.phases)

    @property
    def peak_mb(self) -> float:
        return max(phase.peak_mb for phase in self.phases)

    def to_json(self) -> str:
        # What a reader must know first comes first.
        content = {"schema": self.schema} | asdict(self)
        return json.dumps(content, indent=2, default=_json_value) + "\n"


def read_record(text: str | bytes) -> Record:
    """Read a record of this or of an older schema."""
    try:
        content = json.loads(text)
        while content["schema"] < SCHEMA:
            content = UPGRADES[content["schema"]](content)
        if content["schema"] > SCHEMA:
            raise RecordError(
                f"a record of schema {content['schema']}, but this program knows up to {SCHEMA}; "
                "use a newer version of it"
            )
        content["phases"] = tuple(Phase(**phase) for phase in content["phases"])
        return Record(**{field.name: content[field.name] for field in fields(Record)})
    except (KeyError, TypeError, ValueError, UnicodeDecodeError) as fault:
        if isinstance(fault, RecordError):
            raise
        raise RecordError(f"not a whole record: {fault!r}") from fault


def identity_of(method_config: Json, fingerprint: str, code: Json) -> str:
    """Short hash of all that the figures of a run depend on.

    The row of the paper a method is compared with is not among it, nor is where the data came
    from: the fingerprint is of the numbers themselves.
    """
    names = ("published_as", "variant")
    config = {key: value for key, value in method_config.items() if key not in names}
    matters = {"method": config, "data": fingerprint, "code": code}
    canonical = json.dumps(matters, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def code_versions(method_config: Json) -> Json:
    """Versions that figures depend on: ours, and those of each class from elsewhere."""
    versions: Json = {"results": RESULTS_VERSION}
    for target in sorted(set(_targets(method_config))):
        package = target.partition(".")[0]
        if package != "mlmlm":
            versions[package] = _version(package, target)
    return versions


def without_folders(config: Any) -> Any:
    """A configuration in which absolute paths are cut to their last part; records are shared."""
    if isinstance(config, Mapping):
        return {key: without_folders(value) for key, value in config.items()}
    if isinstance(config, list):
        return [without_folders(value) for value in config]
    if isinstance(config, str) and Path(config).is_absolute():
        return Path(config).name
    return config


def pack_arrays(arrays: Arrays) -> Arrays:
    """Arrays as they are stored: predictions as bits."""
    predictions = arrays["predictions"]
    shape = np.array(predictions.shape)
    return arrays | {"predictions": np.packbits(predictions), "predictions_shape": shape}


def unpack_arrays(stored: Mapping[str, NDArray[Any]]) -> Arrays:
    """Undo `pack_arrays`."""
    arrays = dict(stored)
    rows, labels = arrays.pop("predictions_shape").tolist()
    bits = np.unpackbits(arrays["predictions"], count=rows * labels)
    return arrays | {"predictions": bits.reshape(rows, labels)}


def _targets(config: Any) -> Iterator[str]:
    """Every ``_target_`` of a configuration, at any depth."""
    if isinstance(config, Mapping):
        if "_target_" in config:
            yield str(config["_target_"])
        for value in config.values():
            yield from _targets(value)
    elif isinstance(config, list):
        for value in config:
            yield from _targets(value)


def _version(package: str, target: str) -> str:
    """Version of the distribution that has a package; of a loose file, its content."""
    for distribution in _distributions().get(package, ()):
        return importlib.metadata.version(distribution)
    try:
        module = importlib.import_module(target.rpartition(".")[0])
        return hashlib.sha256(inspect.getsource(module).encode()).hexdigest()[:12]
    except (ImportError, OSError, ValueError):
        return "unknown"


def _json_value(value: Any) -> Any:
    """What an estimator chose may be anything: a NumPy number, or another estimator."""
    return value.item() if isinstance(value, np.generic) else str(value)


@cache  # looking through all that is installed takes a while
def _distributions() -> Mapping[str, list[str]]:
    return importlib.metadata.packages_distributions()
