"""One multi-label dataset with its fixed split, checked and immutable."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mlmlm.types import Matrix

FloatMatrix = npt.NDArray[np.float64]
LabelMatrix = npt.NDArray[np.uint8]


class DatasetError(ValueError):
    """A dataset cannot be found or read; the message says where, what and what to do.

    The message is one line, whatever a name in it holds.
    """

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.splitlines()))


@dataclass(frozen=True, eq=False)
class Dataset:
    """A training and a test set over the same features and labels.

    The arrays are read-only; a writable array that is passed in is copied, so that nobody can
    change a dataset after its fingerprint was taken. Features may be sparse and stay so; labels
    are always dense.

    Parameters
    ----------
    name : str
        Name of the dataset.
    X_train, X_test : array or sparse array of shape (n_rows, n_features)
        Features, stored as C-ordered float64; every value is finite. Sparse ones, both or none,
        are stored as ``scipy.sparse.csr_array`` in one form: indices sorted, no zero kept.
    Y_train, Y_test : array of shape (n_rows, n_labels)
        Relevance of each label, 0 or 1, stored as C-ordered uint8.
    feature_names, label_names : sequence of str
        Names in column order.

    Attributes
    ----------
    fingerprint : str
        SHA-256 of the four arrays. It does not depend on the names nor on the source, so two
        datasets with one fingerprint hold the same numbers. Sparse features have another one
        than the same numbers kept dense: sums over them may round differently.

    Raises
    ------
    DatasetError
        If a set is empty, shapes disagree, a feature is not finite, a label is not binary, or
        features are sparse in one set only.
    """

    name: str
    X_train: Matrix = field(repr=False)
    Y_train: LabelMatrix = field(repr=False)
    X_test: Matrix = field(repr=False)
    Y_test: LabelMatrix = field(repr=False)
    feature_names: tuple[str, ...] = field(repr=False)
    label_names: tuple[str, ...] = field(repr=False)
    fingerprint: str = field(init=False)

    def __post_init__(self) -> None:
        for matrix in ("X_train", "X_test"):
            if sp.issparse(X := getattr(self, matrix)):
                _assign(self, matrix, _read_only_csr(X))
        _check(self)
        for matrix in ("X_train", "X_test"):
            if not sp.issparse(X := getattr(self, matrix)):
                _assign(self, matrix, _read_only(X, np.dtype("float64")))
        for matrix in ("Y_train", "Y_test"):
            _assign(self, matrix, _read_only(getattr(self, matrix), np.dtype("uint8")))
        for names in ("feature_names", "label_names"):
            _assign(self, names, tuple(getattr(self, names)))
        _assign(self, "fingerprint", _fingerprint(self))


def numbered_names(prefix: str, count: int) -> tuple[str, ...]:
    """Names for columns whose source gives none: ``prefix1``, ``prefix2``, ..."""
    return tuple(f"{prefix}{number}" for number in range(1, count + 1))


def _assign(dataset: Dataset, attribute: str, value: object) -> None:
    object.__setattr__(dataset, attribute, value)


def _read_only(array: npt.NDArray[Any], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    if array.dtype == dtype and array.flags.c_contiguous and not array.flags.writeable:
        return array
    copy = np.array(array, dtype=dtype, order="C")
    copy.setflags(write=False)
    return copy


def _read_only_csr(matrix: Matrix) -> Matrix:
    """A sparse matrix in the one form that equal numbers have, its buffers read-only."""
    if _is_kept_csr(matrix):
        return matrix
    csr = sp.csr_array(matrix, dtype=np.float64, copy=True)
    csr.sum_duplicates()
    csr.eliminate_zeros()
    # Many estimators take indices of 32 bits only, so that nothing else is used without need.
    index = np.int32 if max(csr.nnz, *csr.shape) <= np.iinfo(np.int32).max else np.int64
    csr.indices, csr.indptr = csr.indices.astype(index), csr.indptr.astype(index)
    for part in (csr.data, csr.indices, csr.indptr):
        part.setflags(write=False)
    return csr


def _is_kept_csr(matrix: Matrix) -> bool:
    """Whether it has that form: a dataset that is made from another shares its features."""
    return (
        isinstance(matrix, sp.csr_array)
        and matrix.dtype == np.float64
        and not any(part.flags.writeable for part in (matrix.data, matrix.indices, matrix.indptr))
        and bool(matrix.has_canonical_format and matrix.data.all())
    )


def _check(dataset: Dataset) -> None:
    if sp.issparse(dataset.X_train) != sp.issparse(dataset.X_test):
        raise DatasetError(
            f"{dataset.name}: features are sparse in one set and dense in the other; pass both in "
            "the same form."
        )
    widths = len(dataset.feature_names), len(dataset.label_names)
    for part, X, Y in (
        ("training", dataset.X_train, dataset.Y_train),
        ("test", dataset.X_test, dataset.Y_test),
    ):
        where = f"{dataset.name}, {part} set"
        if X.ndim != 2 or Y.ndim != 2 or X.shape[0] != Y.shape[0]:
            raise DatasetError(
                f"{where}: features of shape {X.shape} and labels of shape {Y.shape} "
                "are not two matrices with one row per instance."
            )
        if (X.shape[1], Y.shape[1]) != widths:
            raise DatasetError(
                f"{where}: {X.shape[1]} features and {Y.shape[1]} labels, but "
                f"{widths[0]} feature names and {widths[1]} label names; they must agree."
            )
        if 0 in X.shape or 0 in Y.shape:
            raise DatasetError(
                f"{where}: there must be at least one row, one feature and one label; "
                f"found {X.shape[0]} rows, {widths[0]} features, {widths[1]} labels."
            )
        if (cell := _first_not_finite(X)) is not None:
            row, column = cell
            raise DatasetError(
                f"{where}, row {row + 1}: feature {dataset.feature_names[column]!r} is "
                f"{X[row, column]}; replace or remove missing and infinite values."
            )
        if not ((Y == 0) | (Y == 1)).all():
            row, column = np.argwhere((Y != 0) & (Y != 1))[0]
            raise DatasetError(
                f"{where}, row {row + 1}: label {dataset.label_names[column]!r} is "
                f"{Y[row, column]}; a label must be 0 or 1."
            )


def _first_not_finite(X: Matrix) -> tuple[int, int] | None:
    """Row and column of the first value that is infinite or no number."""
    finite = np.isfinite(X.data if sp.issparse(X) else X)
    if finite.all():
        return None
    if sp.issparse(X):
        place, cells = np.argmin(finite), X.tocoo()
        return int(cells.row[place]), int(cells.col[place])
    row, column = np.argwhere(~finite)[0]
    return int(row), int(column)


def _fingerprint(dataset: Dataset) -> str:
    digest = hashlib.sha256()
    for X, Y in ((dataset.X_train, dataset.Y_train), (dataset.X_test, dataset.Y_test)):
        digest.update(np.array([*X.shape, *Y.shape], dtype="<i8").tobytes())
        for part in _parts(X):
            digest.update(part.data)
        digest.update(Y.data)
    return digest.hexdigest()


def _parts(X: Matrix) -> tuple[npt.NDArray[Any], ...]:
    """What a matrix consists of, the same bytes on every machine."""
    if sp.issparse(X):
        ends, columns = (np.ascontiguousarray(part, dtype="<i8") for part in (X.indptr, X.indices))
        return np.frombuffer(b"csr", dtype=np.uint8), ends, columns, X.data.astype("<f8")
    # Adding zero turns -0.0 into 0.0: equal numbers, equal bytes.
    return (np.ascontiguousarray(X + 0.0, dtype="<f8"),)
