"""Converted datasets on disk: one small file each, checked whenever it is read.

A matrix of zeros and ones is kept as bits, any other as float64, a sparse one as the three arrays
of its csr form, all of it deflated into an ``.npz``. The file remembers where its content came
from, so that changed sources are noticed. Its last bytes are the SHA-256 of all before them: damage
is noticed before anything is unpacked, because a zip's own checksums cover neither its directory
nor what a damaged size makes it skip. (Readers of ``.npz`` files ignore what follows the archive.)
"""

from __future__ import annotations

import hashlib
import io
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import platformdirs
import scipy.sparse as sp

from mlmlm.datasets._dataset import Dataset
from mlmlm.files import atomic_writer, sweep_temporary
from mlmlm.types import Matrix

CACHE_VARIABLE = "MLMLM_CACHE_DIR"
_MATRICES = ("X_train", "Y_train", "X_test", "Y_test")


@dataclass(frozen=True)
class Cached:
    """A dataset from the cache and the digest of the source it was made from."""

    dataset: Dataset
    source: str


def cache_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """The folder in use: the argument, else the environment's, else the user's cache folder."""
    chosen = folder or os.environ.get(CACHE_VARIABLE)
    return Path(chosen) if chosen else platformdirs.user_cache_path("mlmlm")


def fetch(name: str, folder: Path) -> Cached | None:
    """The cached dataset of that name; None where there is none, or where it is damaged."""
    path = _path(name, folder)
    try:
        return _unpack_file(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as fault:
        warnings.warn(f"{path} cannot be read ({fault.strerror}) and is not used.", stacklevel=4)
    # Whatever a damaged file makes the readers raise, the cure is the same: build it again.
    except Exception as fault:
        warnings.warn(
            f"{path} is damaged or of another version ({fault}) and is built again.", stacklevel=4
        )
    return None


def store(dataset: Dataset, source: str, folder: Path) -> None:
    """Write a dataset to the cache, in one step that cannot leave half a file behind."""
    content: dict[str, npt.NDArray[Any]] = {
        "name": np.array(dataset.name),
        "source": np.array(source),
        "fingerprint": np.array(dataset.fingerprint),
        "feature_names": np.array(dataset.feature_names),
        "label_names": np.array(dataset.label_names),
    }
    for key in _MATRICES:
        content |= _pack(key, getattr(dataset, key))
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **content)
    path = _path(dataset.name, folder)
    try:
        sweep_temporary(folder)
        with atomic_writer(path) as file:
            file.write(packed.getbuffer())
            file.write(hashlib.sha256(packed.getbuffer()).digest())
    except OSError as fault:
        warnings.warn(f"{path} cannot be written ({fault}); nothing is cached.", stacklevel=4)


def _path(name: str, folder: Path) -> Path:
    return folder / f"{name}.npz"


def _unpack_file(stored: bytes) -> Cached:
    size = len(stored) - hashlib.sha256().digest_size
    packed = memoryview(stored)[: max(size, 0)]
    if hashlib.sha256(packed).digest() != stored[len(packed) :]:
        raise ValueError("its checksum does not match its content")
    with np.load(io.BytesIO(packed), allow_pickle=False) as content:
        dataset = Dataset(
            name=str(content["name"]),
            feature_names=tuple(content["feature_names"].tolist()),
            label_names=tuple(content["label_names"].tolist()),
            **{key: _unpack(key, content) for key in _MATRICES},
        )
        if dataset.fingerprint != str(content["fingerprint"]):
            raise ValueError("its fingerprint does not match its content")
        return Cached(dataset, str(content["source"]))


def _pack(key: str, matrix: Matrix) -> dict[str, npt.NDArray[Any]]:
    shape = {f"{key}_shape": np.array(matrix.shape)}
    if sp.issparse(matrix):
        places = {f"{key}_indices": matrix.indices, f"{key}_indptr": matrix.indptr}
        return shape | places | {key: matrix.data}
    is_binary = ((matrix == 0) | (matrix == 1)).all()
    return shape | {key: np.packbits(matrix.astype(bool)) if is_binary else matrix}


def _unpack(key: str, content: Mapping[str, npt.NDArray[Any]]) -> Matrix:
    packed, (rows, columns) = content[key], content[f"{key}_shape"].tolist()
    if f"{key}_indices" in content:
        places = content[f"{key}_indices"], content[f"{key}_indptr"]
        matrix = sp.csr_array((packed, *places), shape=(rows, columns))
        matrix.check_format(full_check=True)  # wrong indices would end the process
        return matrix
    if packed.dtype != np.uint8:
        return packed.reshape(rows, columns)
    return np.unpackbits(packed)[: rows * columns].reshape(rows, columns)
