"""Converted datasets on disk: one small file each, checked whenever it is read.

A matrix of zeros and ones is kept as bits, any other as float64, all of it deflated. The file
remembers where its content came from, so that changed sources are noticed, and the dataset's
fingerprint, so that damage is.
"""

from __future__ import annotations

import os
import warnings
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import platformdirs

from mlmlm.datasets._dataset import Dataset
from mlmlm.files import atomic_writer

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
    if not path.is_file():
        return None
    try:
        return _read(path)
    # Whatever a damaged file makes the readers raise, the cure is the same: build it again.
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as fault:
        warnings.warn(f"{path} is damaged ({fault}) and is built again.", stacklevel=4)
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
        matrix = getattr(dataset, key)
        content[f"{key}_shape"] = np.array(matrix.shape)
        content[key] = _pack(matrix)
    path = _path(dataset.name, folder)
    try:
        with atomic_writer(path) as file:
            np.savez_compressed(file, allow_pickle=False, **content)
    except OSError as fault:
        warnings.warn(f"{path} cannot be written ({fault}); nothing is cached.", stacklevel=4)


def _path(name: str, folder: Path) -> Path:
    return folder / f"{name}.npz"


def _read(path: Path) -> Cached:
    with np.load(path, allow_pickle=False) as content:
        dataset = Dataset(
            name=str(content["name"]),
            feature_names=tuple(content["feature_names"].tolist()),
            label_names=tuple(content["label_names"].tolist()),
            **{key: _unpack(content[key], content[f"{key}_shape"]) for key in _MATRICES},
        )
        if dataset.fingerprint != str(content["fingerprint"]):
            raise ValueError("its fingerprint does not match its content")
        return Cached(dataset, str(content["source"]))


def _pack(matrix: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if ((matrix == 0) | (matrix == 1)).all():
        return np.packbits(matrix.astype(bool))
    return matrix


def _unpack(packed: npt.NDArray[Any], shape: npt.NDArray[Any]) -> npt.NDArray[Any]:
    rows, columns = shape.tolist()
    if packed.dtype != np.uint8:
        return packed.reshape(rows, columns)
    return np.unpackbits(packed, count=rows * columns).reshape(rows, columns)
