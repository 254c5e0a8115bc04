"""Records, their arrays and a study's list of runs: each is read as it was written, or refused."""

from __future__ import annotations

import dataclasses
import json
import math
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from experiments.errors import UsageError
from experiments.record import Arrays, Record, RecordError, read_record
from experiments.store import ARRAYS, RECORD, RunKey, Store, StoreError, compressed, pack
from experiments.study_folder import MANIFEST, Manifest, Missing, StudyFolder, file_digest
from tests.fuzz.judgement import Target, WrongContentError

_FIXTURE = Path(__file__).parents[2] / "data" / "record_schema1.json"
_TOKENS = (
    *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\u0000", b"\n", b"\xff", b"[" * 5000),
    *(b"null", b"true", b"NaN", b"Infinity", b"-0.0", b"1.0", b"{}", b"[]", b'""'),
    *(b'"schema": 1', b'"schema": 2', b'"schema": 4', b'"schema": null', b'"checksum": null'),
    *(b"schema", b"checksum", b"identity", b"phases", b"code", b"runs", b"failed"),
)


def _arrays() -> Arrays:
    rng = np.random.default_rng(3)
    predictions = rng.integers(0, 2, (5, 3), dtype=np.uint8)
    return {"predictions": predictions, "scores": rng.random((5, 3)), "power_grid": np.arange(4.0)}


_ARRAYS = _arrays()
_PACKED, _DIGEST = pack(_ARRAYS)
_SMALL = compressed({"power_grid": _ARRAYS["power_grid"]})


def _records() -> tuple[Record, ...]:
    plain = dataclasses.replace(read_record(_FIXTURE.read_bytes()), arrays_sha256=_DIGEST)
    rich = dataclasses.replace(
        plain,
        seed=7,
        variant='a word, é \u2028 "quoted"',
        metrics=plain.metrics | {"macro_f1": math.nan, "coverage": math.inf, "zero": -0.0},
        accepted=({"identity": "05b3c8fbae9e", "compared": {"emotions/ml_mlm": 0.0}},),
        warnings=("no label was predicted at all",),
    )
    return plain, rich


_RECORDS = _records()
_TEXTS = tuple(record.to_json() for record in _RECORDS)
_KEY = RunKey(_RECORDS[0].dataset, _RECORDS[0].method, _RECORDS[0].identity)


def _load_record(content: bytes, folder: Path) -> None:
    _same_record(read_record(content))


def _same_record(record: Record) -> None:
    if _canonical(record) not in map(_canonical, _RECORDS):
        raise WrongContentError(f"a changed file passes for sound: {record}")


def _canonical(record: Record) -> str:
    """As text, since a NaN is not equal to itself; the order of keys has no meaning."""
    return json.dumps(json.loads(record.to_json()), sort_keys=True)


class _RefusedError(Exception):
    """What was there does not count."""


def _load_run(content: bytes, folder: Path) -> None:
    """A run in the store: it is reused as it was, computed again, or refused and left alone."""
    store = Store(folder)
    path = store.folder(_KEY) / RECORD
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    path.with_name(ARRAYS.replace("*", "")).write_bytes(_PACKED)
    try:
        found = store.read(_KEY)
    except UsageError:
        _must_refuse(lambda: store.write(_KEY, _RECORDS[0], _PACKED))
        if path.read_bytes() != content:
            raise WrongContentError("what cannot be understood was overwritten") from None
        raise
    if found is not None:
        _same_record(found)
        return
    if zlib.crc32(content) % 16 == 0:  # flushing to the disk takes long
        store.write(_KEY, _RECORDS[0], _PACKED)
        if store.read(_KEY) != _RECORDS[0]:
            raise WrongContentError("a damaged run cannot be replaced")
    raise _RefusedError("the run is computed again")


def _must_refuse(action: Callable[[], None]) -> None:
    try:
        action()
    except UsageError:
        return
    raise WrongContentError("the store writes where it does not understand what is there")


def _load_arrays(content: bytes, folder: Path) -> None:
    store = Store(folder)
    place = store.folder(_KEY)
    place.mkdir(parents=True)
    (place / RECORD).write_text(_TEXTS[0])
    (place / ARRAYS.replace("*", "")).write_bytes(content)
    arrays = store.read_arrays(_KEY)
    if store.read(_KEY) != _RECORDS[0] or arrays.keys() != _ARRAYS.keys():
        raise WrongContentError(f"arrays {[*arrays]} of {store.read(_KEY)}")
    for name, array in arrays.items():
        if not np.array_equal(array, _ARRAYS[name]):
            raise WrongContentError(f"{name}: {array}")


def _load_small_arrays(content: bytes, folder: Path) -> None:
    """The arrays in a study's folder, by the digest in its list."""
    study, name = StudyFolder(folder), "emotions/ml_mlm"
    path = folder / "records" / f"{name}.npz"
    path.parent.mkdir(parents=True)
    path.write_bytes(_SMALL)
    digest = file_digest(study, name)
    path.write_bytes(content)
    arrays = study.read_arrays(name, digest)
    if not np.array_equal(arrays["power_grid"], _ARRAYS["power_grid"]):
        raise WrongContentError(f"{arrays}")


def _manifests() -> tuple[Manifest, ...]:
    runs = {"emotions/ml_mlm": _DIGEST, "emotions/forest-seed1": None}
    plain = Manifest("smoke", ["emotions"], {"ml_mlm": "ML-MLM"}, {"emotions/ml_mlm": None})
    rich = Manifest(
        "mine é",
        ["emotions", "my%20data"],
        {"ml_mlm": "ML-MLM", "forest": "Forest"},
        runs,
        failed=(Missing("my data", "forest seed 1", "out of luck"),),
        skipped=(Missing("emotions", "lightgbm", "it needs the extra 'modern'"),),
        control="ml_mlm",
        published=True,
    )
    return plain, rich


_MANIFESTS = _manifests()


def _load_manifest(content: bytes, folder: Path) -> None:
    (folder / MANIFEST).write_bytes(content)
    manifest = StudyFolder(folder).manifest()
    if manifest not in _MANIFESTS:
        raise WrongContentError(f"a changed file passes for sound: {manifest}")


_SAMPLES = tuple(text.encode() for text in _TEXTS)
_LISTS = tuple(manifest.to_json().encode() for manifest in _MANIFESTS)
_ZIP = (b"PK\1\2", b"PK\3\4", b"PK\5\6", b"\x93NUMPY", b"scores.npy", b"\0\0\0\0", b"\xff" * 4)
TARGETS = (
    Target("record", _SAMPLES, _TOKENS, _load_record, (RecordError,), share=3),
    Target("run", _SAMPLES, _TOKENS, _load_run, (UsageError, _RefusedError), share=2),
    Target("arrays", (_PACKED,), _ZIP, _load_arrays, (StoreError,)),
    Target("small_arrays", (_SMALL,), _ZIP, _load_small_arrays, (RecordError,)),
    Target("manifest", _LISTS, _TOKENS, _load_manifest, (RecordError,), share=3),
)
