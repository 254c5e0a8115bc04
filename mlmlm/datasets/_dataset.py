"""One multi-label dataset with its fixed split, checked and immutable."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

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
    change a dataset after its fingerprint was taken.

    Parameters
    ----------
    name : str
        Name of the dataset.
    X_train, X_test : array of shape (n_rows, n_features)
        Features, stored as C-ordered float64; every value is finite.
    Y_train, Y_test : array of shape (n_rows, n_labels)
        Relevance of each label, 0 or 1, stored as C-ordered uint8.
    feature_names, label_names : sequence of str
        Names in column order.

    Attributes
    ----------
    fingerprint : str
        SHA-256 of the four arrays. It does not depend on the names nor on the source, so two
        datasets with one fingerprint hold the same numbers.

    Raises
    ------
    DatasetError
        If a set is empty, shapes disagree, a feature is not finite or a label is not binary.
    """

    name: str
    X_train: FloatMatrix = field(repr=False)
    Y_train: LabelMatrix = field(repr=False)
    X_test: FloatMatrix = field(repr=False)
    Y_test: LabelMatrix = field(repr=False)
    feature_names: tuple[str, ...] = field(repr=False)
    label_names: tuple[str, ...] = field(repr=False)
    fingerprint: str = field(init=False)

    def __post_init__(self) -> None:
        _check(self)
        for matrix in ("X_train", "X_test"):
            _assign(self, matrix, _read_only(getattr(self, matrix), np.dtype("float64")))
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


def _check(dataset: Dataset) -> None:
    widths = len(dataset.feature_names), len(dataset.label_names)
    for part, X, Y in (
        ("training", dataset.X_train, dataset.Y_train),
        ("test", dataset.X_test, dataset.Y_test),
    ):
        where = f"{dataset.name}, {part} set"
        if X.ndim != 2 or Y.ndim != 2 or len(X) != len(Y):
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
                f"found {len(X)} rows, {widths[0]} features, {widths[1]} labels."
            )
        if not np.isfinite(X).all():
            row, column = np.argwhere(~np.isfinite(X))[0]
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


def _fingerprint(dataset: Dataset) -> str:
    digest = hashlib.sha256()
    for X, Y in ((dataset.X_train, dataset.Y_train), (dataset.X_test, dataset.Y_test)):
        digest.update(np.array([*X.shape, *Y.shape], dtype="<i8").tobytes())
        # Adding zero turns -0.0 into 0.0: equal numbers, equal bytes.
        digest.update(np.ascontiguousarray(X + 0.0, dtype="<f8").data)
        digest.update(Y.data)
    return digest.hexdigest()
