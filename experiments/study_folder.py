"""A study's folder: the records of the runs that it asks for, and nothing else.

::

    results/<study>/study.json                        what the study is and which runs it has
                    records/<dataset>/<method>.json   the record of a run
                                      <method>.npz    its arrays, except those as large as the data
                    set_aside/...                     what an earlier form of the study had

The files of a stochastic method are ``<method>-seed<seed>``; where the study splits its datasets
anew, ``-cv<repeat>.<fold>`` or ``-holdout<repeat>`` follows. ``study.json`` names the study, its
``datasets``, its ``methods`` with their titles, its ``control``, how it splits the datasets
(``split``, null if it does not) and whether its figures are compared with the ``published`` ones;
under ``runs`` the records by their paths without ending, each with the digest of its arrays file
(null without one); under ``failed`` and ``skipped`` the runs that have no record, with the reason;
and a ``checksum`` of all that. A file that is not among the runs is no part of the study.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from experiments.record import CHECKSUM, Arrays, Record, RecordError, checksum, read_record
from experiments.splits import split_name
from experiments.store import compressed, slug, told, write_file

MANIFEST, RECORDS, SET_ASIDE = "study.json", "records", "set_aside"
LARGE = ("scores", "predictions")
Json = dict[str, Any]


@dataclass(frozen=True)
class Missing:
    """A run that has no record, and why."""

    dataset: str
    method: str
    reason: str
    split: str = ""


@dataclass(frozen=True)
class Manifest:
    """What ``study.json`` says; the fields are those of the file."""

    name: str
    datasets: Sequence[str]
    methods: dict[str, str]
    runs: dict[str, str | None]
    failed: Sequence[Missing] = ()
    skipped: Sequence[Missing] = ()
    control: str | None = None
    published: bool = False
    split: Json | None = None

    def to_json(self) -> str:
        content = {name: getattr(self, name) for name in self.__dataclass_fields__}
        plain = json.loads(json.dumps(content, default=vars))
        return json.dumps(plain | {CHECKSUM: checksum(plain)}, indent=1) + "\n"


class StudyFolder:
    """A folder such as ``results/paper``."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def manifest(self) -> Manifest | None:
        """What the folder holds; None where no study has been.

        Raises
        ------
        RecordError
            If the file is there and is no manifest.
        """
        path = self.path / MANIFEST
        try:
            content = json.loads(path.read_bytes())
            if content.pop(CHECKSUM) != checksum(content):
                raise RecordError(f"{path}: its checksum is not that of its content")
            for kind in ("failed", "skipped"):
                content[kind] = tuple(Missing(**each) for each in content[kind])
            return Manifest(**content)
        except FileNotFoundError:
            return None
        except RecordError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as fault:
            raise RecordError(f"{path}: not a study's list of runs ({fault!r})") from fault

    def write_manifest(self, manifest: Manifest) -> None:
        self._write_file(self.path / MANIFEST, manifest.to_json().encode())

    def write(self, record: Record, arrays: Arrays) -> tuple[str, str | None]:
        """Keep a record and the small ones of its arrays; gives its name and their digest."""
        name = record_name(record)
        path = self.path / RECORDS / name
        small = {key: array for key, array in arrays.items() if key not in LARGE}
        digest = None
        if small:
            content = compressed(small)
            digest = _digest(content)
            self._write_file(_file(path, "npz"), content)
        self.write_record(name, record)
        return name, digest

    def write_record(self, name: str, record: Record) -> None:
        """Keep a record under a name; its arrays stay as they are."""
        self._write_file(_file(self.path / RECORDS / name, "json"), record.to_json().encode())

    def has(self, name: str) -> bool:
        return _file(self.path / RECORDS / name, "json").is_file()

    def read(self, name: str) -> Record:
        """The record of one of the runs; a damaged one is told with its file."""
        path = _file(self.path / RECORDS / name, "json")
        try:
            return read_record(path.read_bytes())
        except OSError as error:
            raise RecordError(f"{path}: cannot be read ({error.strerror})") from error
        except RecordError as error:
            raise RecordError(f"{path}: {error}") from error

    def read_arrays(self, name: str, digest: str | None) -> Arrays:
        """The small arrays of one of the runs, by name; none if it has none."""
        if digest is None:
            return {}
        path = _file(self.path / RECORDS / name, "npz")
        try:
            content = path.read_bytes()
        except OSError as error:
            raise RecordError(f"{path}: cannot be read ({error.strerror})") from error
        if _digest(content) != digest:
            raise RecordError(f"{path}: not the arrays that {MANIFEST} lists: the file was changed")
        with np.load(path, allow_pickle=False) as stored:
            return dict(stored)

    def set_aside(self, runs: Sequence[str]) -> int:
        """Move every file of a record that is not among these runs out of the way; how many."""
        records = self.path / RECORDS
        kept = {_file(records / name, ending) for name in runs for ending in ("json", "npz")}
        # What has a dot is not yet a record: another study may be writing it.
        files = (path for path in sorted(records.glob("*/*")) if not path.name.startswith("."))
        others = [path for path in files if path not in kept]
        for path in others:
            place = self.path / SET_ASIDE / path.relative_to(records)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, _free(place))
        for folder in records.glob("*"):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        return sum(path.suffix == ".json" for path in others)

    def _write_file(self, path: Path, content: bytes) -> None:
        with told(path, "choose another place with output=..."):
            write_file(path, content)


def run_name(dataset: str, method: str, seed: int | None, split: str) -> str:
    """The path of a record among the others, without its ending; ``split`` is its short name."""
    of_seed, of_split = "" if seed is None else f"-seed{seed}", f"-{split}" if split else ""
    return f"{slug(dataset)}/{slug(method)}{of_seed}{of_split}"


def record_name(record: Record) -> str:
    """The path of a record among the others."""
    return run_name(record.dataset, record.method, record.seed, split_name(record.split))


def file_digest(folder: StudyFolder, name: str) -> str | None:
    """Digest of the arrays file of a run; None without one."""
    path = _file(folder.path / RECORDS / name, "npz")
    return _digest(path.read_bytes()) if path.exists() else None


def _file(path: Path, ending: str) -> Path:
    return path.with_name(f"{path.name}.{ending}")  # a name may have dots of its own


def _free(path: Path) -> Path:
    """The path, or one like it where something was set aside before."""
    number, place = 1, path
    while place.exists():
        number += 1
        place = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return place


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
