"""The store of runs: the path of a record is its identity, and a record is whole or absent.

::

    results/runs/<dataset>/<method>/<identity>/record.json   written last: the run is complete
                                               arrays.npz
                                               failure.json  of the last attempt, if that failed

Every file is written under another name, flushed to the disk and renamed. While a run is computed
its process holds a lock, which the operating system takes back when the process ends, however it
ends.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout

from experiments.record import (
    Arrays,
    Record,
    RecordError,
    pack_arrays,
    read_record,
    unpack_arrays,
)
from mlmlm.files import atomic_writer

RECORD, ARRAYS, FAILURE = "record.json", "arrays.npz", "failure.json"
_LOCKS = ".locks"


@dataclass(frozen=True)
class RunKey:
    """What tells a run from every other."""

    dataset: str
    method: str
    identity: str

    @property
    def path(self) -> Path:
        return Path(slug(self.dataset), slug(self.method), self.identity)


class Store:
    """A folder of runs."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def folder(self, key: RunKey) -> Path:
        return self.root / key.path

    @contextmanager
    def lock(self, path: Path, when_busy: Callable[[], None] | None = None) -> Iterator[None]:
        """Keep other processes from computing what belongs at a path: a run, or a dataset's runs.

        Where another process is at it, ``when_busy`` is called, and then that one is waited for.
        """
        folder = self.root / _LOCKS
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / "-".join(path.parts))
        try:
            lock.acquire(blocking=False)
        except Timeout:
            if when_busy is not None:
                when_busy()
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def read(self, key: RunKey) -> Record | None:
        """The run's record, if the run is complete and whole."""
        folder = self.folder(key)
        try:
            record = read_record((folder / RECORD).read_bytes())
            arrays = (folder / ARRAYS).read_bytes()
        except (OSError, RecordError):
            return None
        whole = record.identity == key.identity and record.arrays_sha256 == _digest(arrays)
        return record if whole else None

    def read_arrays(self, key: RunKey) -> Arrays:
        with np.load(self.folder(key) / ARRAYS, allow_pickle=False) as stored:
            return unpack_arrays(stored)

    def write(self, key: RunKey, record: Record, arrays: bytes) -> None:
        """Keep a run; the record comes last, because its presence says that the run is complete."""
        folder = self.folder(key)
        self._sweep(folder)
        write_file(folder / ARRAYS, arrays)
        write_file(folder / RECORD, record.to_json().encode())
        (folder / FAILURE).unlink(missing_ok=True)

    def write_failure(self, path: Path, error: BaseException, provenance: dict[str, Any]) -> Path:
        """Keep what went wrong in a folder of the store; gives the file."""
        content = {
            "error": f"{type(error).__name__}: {error}",
            "traceback": "".join(traceback.format_exception(error)),
            "provenance": provenance,
        }
        file = self.root / path / FAILURE
        write_file(file, (json.dumps(content, indent=2) + "\n").encode())
        return file

    def _sweep(self, folder: Path) -> None:
        """Remove what a killed process left half-written; the lock says that nobody writes now."""
        for leftover in folder.glob(".*"):
            leftover.unlink(missing_ok=True)


def pack(arrays: Arrays) -> tuple[bytes, str]:
    """A run's arrays as the bytes of their file, and its digest."""
    content = compressed(pack_arrays(arrays))
    return content, _digest(content)


def compressed(arrays: Arrays) -> bytes:
    """Arrays as the bytes of a compressed file; the same bytes for the same arrays."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def write_file(path: Path, content: bytes) -> None:
    """Write a file so that it is never seen half-written."""
    with atomic_writer(path) as file:
        file.write(content)
        os.chmod(file.fileno(), 0o644)  # temporary files are for their owner alone


def slug(name: str) -> str:
    """A name as part of a path."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip(".") or "_"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
