"""Datasets inside the source archive of an old release of scikit-multilearn.

The archive carries the fixed splits as bzip2-compressed pickles of plain NumPy arrays. A pickle
can run code when it is read, so only the three names such arrays need are admitted, and members
are read in place, never extracted.
"""

from __future__ import annotations

import bz2
import hashlib
import pickle
import tarfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
import numpy.typing as npt

from mlmlm.datasets._arff_file import number_nominal_values
from mlmlm.datasets._dataset import Dataset, DatasetError, numbered_names
from mlmlm.datasets._package_index import download_source_archive
from mlmlm.datasets._progress import watched

REQUIREMENT = "scikit-multilearn==0.0.1"
SHA256 = "ac30a342595481f46db77f5334c3a1e2d8261f4adbd104e3444f801c3c89b6a0"
_ROOT = "scikit-multilearn-0.0.1"

_ADMITTED = {
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
}
# What reading can raise, from the outermost container to the arrays inside.
_FAULTS_OF_DAMAGE = (
    *(OSError, EOFError, tarfile.TarError, zlib.error, pickle.UnpicklingError),
    *(ValueError, KeyError, TypeError, AttributeError, IndexError),
)


def archive_in(folder: Path, progress: bool) -> Path:
    """The archive in the cache folder, downloaded unless a sound copy is there."""
    path = folder / f"{_ROOT}.tar.gz"
    if not path.is_file() or _sha256(path) != SHA256:
        download_source_archive(REQUIREMENT, SHA256, path, progress)
    return path


def read_archive(archive: Path, name: str, stem: str, progress: bool) -> Dataset:
    """Read the dataset whose members are called ``stem``; its names are generated."""
    X_train, Y_train = _read_member(archive, f"{stem}-train", progress)
    X_test, Y_test = _read_member(archive, f"{stem}-test", progress)
    if X_train.dtype.kind == "U":
        X_train, X_test = _number_columns(X_train, X_test)
    return Dataset(
        name=name,
        X_train=X_train,
        Y_train=Y_train,
        X_test=X_test,
        Y_test=Y_test,
        feature_names=numbered_names("feature", X_train.shape[1]),
        label_names=numbered_names("label", Y_train.shape[1]),
    )


class _ArrayUnpickler(pickle.Unpickler):
    """Reads NumPy arrays and refuses everything else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ADMITTED:
            raise pickle.UnpicklingError(f"{module}.{name} is not admitted")
        return super().find_class(module, name)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_member(
    archive: Path, stem: str, progress: bool
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    member = f"{_ROOT}/skmultilearn/data/{stem}.dump.bz2"
    try:
        with tarfile.open(archive, "r:gz") as tar:
            packed = tar.extractfile(member)
            if packed is None:
                raise KeyError("it is not a file")
            size = tar.getmember(member).size
            with (
                watched(cast(BinaryIO, packed), size, f"Converting {stem}", progress) as seen,
                bz2.open(seen) as pickled,
            ):
                # Written by Python 2, whose byte strings latin-1 maps one to one.
                content = _ArrayUnpickler(pickled, encoding="latin1").load()
        return content["X"], content["y"]
    except _FAULTS_OF_DAMAGE as fault:
        raise DatasetError(
            f"{archive}, member {member}: cannot be read ({fault}); the archive is damaged, "
            "delete it so that it is downloaded again."
        ) from fault


def _number_columns(
    train: npt.NDArray[np.str_], test: npt.NDArray[np.str_]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Number nominal values as an ARFF header would have them numbered.

    The archive has no headers, so the values that occur stand for the declared ones. For Genbase,
    the one dataset concerned, both give the same numbers: each of its columns is either all the
    proteins, every one of which occurs, or NO and YES, and NO always occurs.
    """
    both = np.vstack([train, test])
    numbers = np.empty(both.shape)
    for column, values in enumerate(both.T):
        occurring, positions = np.unique(values, return_inverse=True)
        known = number_nominal_values(occurring.tolist())
        numbers[:, column] = np.array([known[value] for value in occurring.tolist()])[positions]
    return numbers[: len(train)], numbers[len(train) :]
