"""The record of a run: one JSON file, and compressed arrays beside it.

``record.json``, schema 4:

=================  ================================================================================
key                value
=================  ================================================================================
``schema``         version of this layout
``dataset``        name of the dataset's configuration
``method``         name of the method's configuration
``published_as``   the method's row in the paper's tables, or null
``variant``        what is unlike in a variant of a published method, in words; else null
``seed``           the ``random_state`` of a stochastic method; else null
``split``          how training and test rows were put together and divided anew, see
                   `experiments.splits`; null where they are as the dataset has them
``identity``       12 hexadecimal digits, the last folder of the record's path: a hash of the next
                   two, of the data's fingerprint and of the split; see `experiments.identity`
``parameters``     the method's parameters, defaults included
``code``           digests of the ``modules`` and versions of the ``packages`` that computed
``unforeseen``     digests of modules that the run loaded though no import statement leads there
``accepted``       how a record of older code was found to hold for this identity, one entry each
                   time; see `experiments.accept`
``config``         configurations of ``dataset`` and ``method`` as given; paths cut to file names
``data``           ``fingerprint`` of the arrays, ``n_train``, ``n_test``, ``n_features``,
                   ``n_labels``, and under ``characteristics`` and ``audit`` the fields of these
                   classes of `mlmlm.datasets`
``chosen``         hyper-parameters that fitting chose: ``alpha``, ``power``, ``threshold``, ...;
                   under ``tuning``, of a tuned method, the fields of `experiments.search.Found`
``distance``       ``mean`` and ``std`` (sample) of the squared smallest predicted distance, or null
``metrics``        every metric the method allows, by name
``uncertainty``    for each category of `mlmlm.uncertainty` the number of test ``rows`` in it and,
                   if there are any, the metrics of these; null for a method without distances
``warnings``       what a reader should know, such as that no label was predicted at all
``phases``         in order: ``name``, ``seconds``, ``peak_mb`` (resident set of the process), and
                   whether the phase was ``shared`` with other methods of the dataset
``arrays_sha256``  of the file of the arrays
``provenance``     see `experiments.provenance`
``checksum``       of everything above
=================  ================================================================================

The arrays are ``predictions`` (test rows x labels, as bits: `unpack_arrays` restores them) and,
where the method has them, ``scores``, ``smallest_distances`` (signed, of the test rows),
``accuracy_per_row`` and ``ranking_loss_per_row`` (of the test rows; NaN without a relevant label),
``power_grid`` and ``loo_ranking_loss``.

A record of an older schema is brought up to date when it is read; one of a newer schema is refused,
and never overwritten. Numbers that are not finite are written as Python's ``json`` writes them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.errors import UsageError
from experiments.identity import Code, RunIdentity
from experiments.phases import Phase

SCHEMA = 4
CHECKSUM = "checksum"

Json = dict[str, Any]
Arrays = dict[str, NDArray[Any]]


def _from_schema_2(record: Json) -> Json:
    """Records did not say what code computed them, so they are of no run of today's code."""
    return record | {
        "schema": 3,
        "parameters": {},
        "code": {"modules": {}, "packages": {}},
        "unforeseen": {},
        "accepted": [],
        "warnings": [],
    }


# From a schema to the function that turns its records into those of the next schema.
UPGRADES: dict[int, Callable[[Json], Json]] = {
    1: lambda record: record | {"schema": 2, "variant": None, "seed": None, "uncertainty": None},
    2: _from_schema_2,
    3: lambda record: record | {"schema": 4, "split": None},
}
_FIRST_WITH_CHECKSUM = 3


class RecordError(UsageError):
    """A file is not a whole record."""


class NewerSchemaError(RecordError):
    """A file is a record of a layout that this program does not know yet."""


@dataclass(frozen=True)
class Record:
    """One run; the fields are those of the file, which the module documents."""

    dataset: str
    method: str
    published_as: str | None
    variant: str | None
    seed: int | None
    split: Json | None
    identity: str
    parameters: Json
    code: Code
    config: Json
    data: Json
    chosen: Json
    distance: dict[str, float] | None
    metrics: dict[str, float]
    uncertainty: dict[str, dict[str, float]] | None
    phases: tuple[Phase, ...]
    arrays_sha256: str
    provenance: Json
    unforeseen: dict[str, str] = field(default_factory=dict)
    accepted: tuple[Json, ...] = ()
    warnings: tuple[str, ...] = ()
    schema: int = SCHEMA

    @property
    def seconds(self) -> float:
        """The whole time, shared phases included."""
        return sum(phase.seconds for phase in self.phases)

    @property
    def peak_mb(self) -> float:
        return max(phase.peak_mb for phase in self.phases)

    @property
    def run_identity(self) -> RunIdentity:
        """All that the figures depended on when the run was made."""
        return RunIdentity(self.parameters, self.data["fingerprint"], self.code, self.split)

    def to_json(self) -> str:
        # What a reader must know first comes first, and what came of it last.
        content = {"schema": self.schema} | asdict(self)
        plain = json.loads(json.dumps(content, default=_json_value))
        return json.dumps(plain | {CHECKSUM: checksum(plain)}, indent=2) + "\n"


def read_record(text: str | bytes) -> Record:
    """Read a record of this or of an older schema."""
    try:
        content = json.loads(text)
        if content["schema"] > SCHEMA:
            raise NewerSchemaError(
                f"a record of schema {content['schema']}, but this program knows up to {SCHEMA}; "
                "use a newer version of it"
            )
        has_checksum = CHECKSUM in content or content["schema"] >= _FIRST_WITH_CHECKSUM
        if has_checksum and content.pop(CHECKSUM) != checksum(content):
            raise RecordError("its checksum is not that of its content: the file was changed")
        while content["schema"] < SCHEMA:
            content = UPGRADES[content["schema"]](content)
        content["code"] = Code(**content["code"])
        content["phases"] = tuple(Phase(**phase) for phase in content["phases"])
        content["accepted"], content["warnings"] = map(
            tuple, (content["accepted"], content["warnings"])
        )
        return Record(**{field.name: content[field.name] for field in fields(Record)})
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as fault:
        if isinstance(fault, RecordError):
            raise
        raise RecordError(f"not a whole record: {fault!r}") from fault


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


def _json_value(value: Any) -> Any:
    """What an estimator chose may be anything: a NumPy number, or another estimator."""
    return value.item() if isinstance(value, np.generic) else str(value)


def checksum(content: Json) -> str:
    """Of what a JSON file says, however it is laid out."""
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
