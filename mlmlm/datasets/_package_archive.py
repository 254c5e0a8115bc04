"""Datasets inside the source archive of an old release of scikit-multilearn.

The archive carries the fixed splits as bzip2-compressed pickles of plain NumPy arrays. A pickle
can run code when it is read, so only the three names such arrays need are admitted, and members
are read in place, never extracted. The archive's checksum is known, and each dataset's fingerprint.
"""

from __future__ import annotations

import bz2
import contextlib
import hashlib
import io
import pickle
import re
import tarfile
import warnings
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, cast

import numpy as np
import numpy.typing as npt

from mlmlm.datasets._arff_file import number_nominal_values
from mlmlm.datasets._dataset import Dataset, DatasetError, numbered_names
from mlmlm.datasets._package_index import download_source_archive
from mlmlm.datasets._progress import watched
from mlmlm.files import atomic_writer, sweep_temporary

REQUIREMENT = "scikit-multilearn==0.0.1"
SHA256 = "ac30a342595481f46db77f5334c3a1e2d8261f4adbd104e3444f801c3c89b6a0"
_ROOT = "scikit-multilearn-0.0.1"
_REMEDY = "the archive is damaged, delete it from the cache so that it is downloaded again."


def fetch_archive(folder: Path, progress: bool) -> bytes:
    """The archive from the cache folder, or downloaded and kept there if no sound copy is."""
    path = folder / f"{_ROOT}.tar.gz"
    with contextlib.suppress(OSError):
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() == SHA256:
            return content
    content = download_source_archive(REQUIREMENT, SHA256, progress)
    try:
        sweep_temporary(folder)
        with atomic_writer(path) as file:
            file.write(content)
    except OSError as fault:
        warnings.warn(f"{path} cannot be written ({fault}); it is not kept.", stacklevel=4)
    return content


def read_archive(archive: bytes, name: str, stem: str, fingerprint: str, progress: bool) -> Dataset:
    """Read the dataset whose members are called ``stem``; its names are generated."""
    try:
        dataset = _read(archive, name, stem, progress)
    # From the outermost container to the arrays inside, damage makes the readers raise anything.
    except Exception as fault:
        raise DatasetError(
            f"{_ROOT}.tar.gz, members {stem}: cannot be read ({fault or type(fault).__name__}); "
            f"{_REMEDY}"
        ) from fault
    if dataset.fingerprint != fingerprint:
        raise DatasetError(
            f"{_ROOT}.tar.gz, members {stem}: the arrays have fingerprint {dataset.fingerprint}, "
            f"not {fingerprint}; {_REMEDY}"
        )
    return dataset


class _PickledKind:
    """What a pickle says of the type of an array's numbers."""

    def __init__(self, kind: str, *_: object) -> None:
        if not re.fullmatch(r"f8|i8|U[0-9]{1,4}", kind):
            raise pickle.UnpicklingError(f"arrays of {kind} are not admitted")
        self.kind = kind

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.order = {"<": "<", ">": ">"}[state[1]]


class _PickledArray:
    """What a pickle says of an array."""

    def __init__(self, *_: object) -> None:
        pass

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, shape, kind, is_fortran, content = state
        dtype = np.dtype(kind.order + kind.kind)
        flat = np.frombuffer(content.encode("latin1"), dtype=dtype)
        self.array = flat.reshape(shape, order="F" if is_fortran else "C")


class _ArrayUnpickler(pickle._Unpickler):
    """Reads dictionaries of plain NumPy arrays as Python 2 wrote them, and refuses all else.

    It is the unpickler in Python, as fast on so few opcodes, because its opcodes can be narrowed
    to those that occur, and because its memo is no list: the one in C makes room for any index it
    reads. The arrays are made here: NumPy's own way of unpickling trusts a shape before the
    content is there, and takes flags of a type that later end the process.
    """

    dispatch: ClassVar = {code: pickle._Unpickler.dispatch[code] for code in b"(.INRSbcdgpst"}

    def find_class(self, module: str, name: str) -> Any:
        match module, name:
            case "numpy.core.multiarray", "_reconstruct":
                return _PickledArray
            case "numpy", "ndarray":
                return None  # the first argument of _reconstruct, which needs none
            case "numpy", "dtype":
                return _PickledKind
        raise pickle.UnpicklingError(f"{module}.{name} is not admitted")


def _read(archive: bytes, name: str, stem: str, progress: bool) -> Dataset:
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


def _read_member(
    archive: bytes, stem: str, progress: bool
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        member = tar.getmember(f"{_ROOT}/skmultilearn/data/{stem}.dump.bz2")
        packed = tar.extractfile(member)
        if packed is None:
            raise KeyError(f"{member.name} is not a file")
        with (
            watched(cast(BinaryIO, packed), member.size, f"Converting {stem}", progress) as seen,
            bz2.open(seen) as pickled,
        ):
            # Python 2's byte strings: latin-1 maps them one to one.
            content = _ArrayUnpickler(pickled, encoding="latin1").load()
    return content["X"].array, content["y"].array


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
