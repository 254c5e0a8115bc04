"""The store of runs: the path of a record is its identity, and a record is whole or absent.

::

    results/runs/<dataset>/<method>/<identity>/record.json          its presence: it is complete
                                               arrays-<digest>.npz  written before the record
                                               failure.json         of an attempt that failed

Every file is written under another name, flushed to the disk and renamed. A record tells its arrays
by their digest, so that a run that is computed again has both its older and its newer arrays until
the record is replaced: it is complete at every moment. While a run is computed its process holds a
lock, which the operating system takes back when the process ends, however it ends. Names are
written so that different ones have different paths.
"""

from __future__ import annotations

import errno
import glob
import hashlib
import io
import json
import os
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from filelock import FileLock, Timeout

from experiments.errors import UsageError
from experiments.identity import RunIdentity, changed_modules, describe_changes, describe_code
from experiments.record import (
    Arrays,
    NewerSchemaError,
    Record,
    RecordError,
    pack_arrays,
    read_record,
    unpack_arrays,
)
from mlmlm.files import atomic_writer

RECORD, ARRAYS, FAILURE = "record.json", "arrays*.npz", "failure.json"
_LOCKS = ".locks"
_READ_ONLY = (errno.EACCES, errno.EPERM, errno.EROFS)
_ELSEWHERE = "choose another store with results=..."


class StoreError(UsageError):
    """The store cannot be used: the disk is full, or files cannot be written or locked."""


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
        path = self.root / _LOCKS / ",".join(path.parts)
        # A soft lock is a file, and would outlive a process that is killed.
        lock = FileLock(path, fallback_to_soft=False)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire(blocking=False)
        except Timeout:
            if when_busy is not None:
                when_busy()
            lock.acquire()
        except OSError as error:
            if error.errno not in _READ_ONLY:
                raise StoreError(f"{path}: cannot be locked ({error}); {_ELSEWHERE}") from error
            # What nobody can write needs no lock, and can still be read.
        try:
            yield
        finally:
            lock.release()

    def read(self, key: RunKey) -> Record | None:
        """The run's record, if the run is complete, whole, and of the code that is here now."""
        record, _ = self._read_whole(self.folder(key)) or (None, None)
        if record is None or record.identity != key.identity:
            return None
        return None if changed_modules(record.unforeseen) else record

    def read_arrays(self, key: RunKey) -> Arrays:
        """The arrays of a run that is complete and whole."""
        whole = self._read_whole(self.folder(key))
        if whole is None:
            raise StoreError(f"{self.folder(key)}: the run is not whole any more")
        with np.load(io.BytesIO(whole[1]), allow_pickle=False) as stored:
            return unpack_arrays(stored)

    def why_not(self, key: RunKey, identity: RunIdentity) -> str | None:
        """Why what the store has of a method on a dataset is not this run; None if it has nothing.

        Of several records the one that differs least is told of. Other seeds and splits are other
        runs of the same method, not older ones of this.
        """
        seed = identity.parameters.get("random_state")
        reasons = [
            describe_changes(record.run_identity, identity)
            for record in self._others(key)
            if record.split == identity.split and record.seed in (None, seed)
        ]
        same, _ = self._read_whole(self.folder(key)) or (None, None)
        if same is not None and (modules := changed_modules(same.unforeseen)):
            reasons.append(describe_code(modules))
        return min(reasons, key=len, default=None)

    def _others(self, key: RunKey) -> Iterator[Record]:
        """The records of other runs of a method on a dataset, as far as they can be read."""
        for folder in self.folder(key).parent.glob("*"):
            if folder.name != key.identity:
                with suppress(UsageError):
                    if (whole := self._read_whole(folder)) is not None:
                        yield whole[0]

    def records_of(self, methods: Iterable[str]) -> Iterator[Record]:
        """All records of methods, of whatever code, as far as they can be read."""
        for method in methods:
            for path in self.root.glob(f"*/{glob.escape(slug(method))}/*/{RECORD}"):
                with suppress(OSError, UsageError):
                    yield read_record(path.read_bytes())

    def _read_whole(self, folder: Path) -> tuple[Record, bytes] | None:
        """The record in a folder and its arrays, if both are whole."""
        path = folder / RECORD
        try:
            record = read_record(path.read_bytes())
            arrays = _content_with_digest(folder.glob(ARRAYS), record.arrays_sha256)
        except NewerSchemaError as error:
            raise UsageError(f"{path}: {error}") from error
        except (OSError, RecordError):
            return None
        return None if arrays is None else (record, arrays)

    def prepare(self, key: RunKey) -> None:
        """Make the folder of a run: where nothing can be written, nothing need be computed."""
        with told(self.folder(key), _ELSEWHERE):
            self.folder(key).mkdir(parents=True, exist_ok=True)

    def write(self, key: RunKey, record: Record, arrays: bytes) -> None:
        """Keep a run; the record comes last, because its presence says that the run is complete."""
        folder = self.folder(key)
        self._read_whole(folder)  # it refuses to be overwritten by an older program
        with told(folder, _ELSEWHERE):
            new = folder / ARRAYS.replace("*", f"-{record.arrays_sha256[:12]}")
            write_file(new, arrays)
            write_file(folder / RECORD, record.to_json().encode())
            for other in set(folder.glob(ARRAYS)) - {new}:
                other.unlink(missing_ok=True)
            for place in (folder, folder.parent):
                (place / FAILURE).unlink(missing_ok=True)

    def write_failure(self, path: Path, error: BaseException, provenance: dict[str, Any]) -> Path:
        """Keep what went wrong in a folder of the store; gives the file."""
        content = {
            "error": " ".join(f"{type(error).__name__}: {error}".split()),
            "traceback": "".join(traceback.format_exception(error)),
            "provenance": provenance,
        }
        file = self.root / path / FAILURE
        with told(file, _ELSEWHERE):
            write_file(file, (json.dumps(content, indent=2) + "\n").encode())
        return file


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


@contextmanager
def told(path: Path, advice: str) -> Iterator[None]:
    """Say what the operating system says, where, and what to do."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise StoreError(f"{path}: cannot be written ({reason}); {advice}") from error


def slug(name: str) -> str:
    """A name as part of a path; two names never have the same one."""
    quoted = quote(name, safe="")
    return "%2E" + quoted[1:] if quoted.startswith(".") else quoted or "%"


def _content_with_digest(paths: Iterable[Path], digest: str) -> bytes | None:
    contents = (path.read_bytes() for path in paths)
    return next((content for content in contents if _digest(content) == digest), None)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
