"""A user's own dataset in CSV files: some columns are labels, all others are features.

A file is read as it stands or refused. A reader that guesses, as pandas does, renames a repeated
label so that its copy becomes a feature, and takes the first column for an index where rows are
longer than the header.

The test rows are a file of their own, or a part of the one file, chosen so that labels
occur in both parts about as often as in the whole; see `stratified_holdout`.
"""

from __future__ import annotations

import csv
import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mlmlm.datasets._dataset import Dataset, DatasetError, FloatMatrix, LabelMatrix
from mlmlm.datasets._stratification import check_test_rows, stratified_holdout
from mlmlm.datasets._text_file import as_number, open_text
from mlmlm.names import did_you_mean

_PathLike = str | os.PathLike[str]
_NEVER_SEPARATORS = '"\r\n+-._'  # and letters and digits: parts of numbers, or of the format


def load_csv(
    train: _PathLike,
    labels: Sequence[str],
    *,
    test: _PathLike | None = None,
    test_size: float | None = None,
    seed: int = 0,
    separator: str = ",",
    name: str | None = None,
) -> Dataset:
    """Load a dataset from CSV files with a header.

    Parameters
    ----------
    train : path
        The training rows or, with ``test_size``, all rows; gzipped if it ends in ``.gz``,
        compressed with bzip2 if it ends in ``.bz2``.
    labels : sequence of str
        Columns that are labels, 0 or 1 (or False or True); every other column is a feature, a
        number.
    test : path, optional
        The test rows, with the same columns in any order.
    test_size : float, optional
        Share of the rows to set apart as test rows, between 0 and 1, instead of ``test``.
    seed : int, default=0
        Seed of that split: the same seed gives the same split.
    separator : str, default=","
        The character that separates the columns.
    name : str, optional
        Name of the dataset; by default the training file's stem.

    Returns
    -------
    Dataset
        The dataset, labels in the order of ``labels``, features in that of the file.

    Raises
    ------
    DatasetError
        If a file is missing or wrong, or if not exactly one of ``test`` and ``test_size`` is given.
    """
    check_test_rows(train, test, test_size)
    train_path = Path(train)
    names = _label_names(train_path, labels)
    table = _read(train_path, separator, lambda columns: _check_labels(train_path, columns, names))
    features = [column for column in table.columns if column not in names]
    X, Y = _split_columns(table, features, names)
    if test is not None:
        test_path = Path(test)
        test_table = _read(
            test_path, separator, lambda columns: _check_same(test_path, columns, table.columns)
        )
        X_test, Y_test = _split_columns(test_table, features, names)
    else:
        assert test_size is not None
        rows, test_rows = stratified_holdout(Y, test_size, seed)
        X, X_test, Y, Y_test = X[rows], X[test_rows], Y[rows], Y[test_rows]
    return Dataset(
        name=name or train_path.stem,
        X_train=X,
        Y_train=Y,
        X_test=X_test,
        Y_test=Y_test,
        feature_names=tuple(features),
        label_names=tuple(names),
    )


@dataclass(frozen=True)
class _Table:
    path: Path
    columns: list[str]
    values: FloatMatrix


def _label_names(path: Path, labels: Iterable[str]) -> list[str]:
    if isinstance(labels, str | Mapping) or not isinstance(labels, Iterable):
        raise DatasetError(
            f"{path}: labels must be a list of column names, such as [{labels}], not {labels!r}."
        )
    names = list(labels)
    if not names:
        raise DatasetError(f"{path}: name at least one label column.")
    for name in names:
        if not isinstance(name, str):
            raise DatasetError(
                f"{path}: label {name!r} is not text; put quotes around it in the list of labels."
            )
    for name, times in Counter(names).items():
        if times > 1:
            raise DatasetError(f"{path}: label {name!r} is listed {times} times; list it once.")
    return names


def _read(path: Path, separator: str, check_columns: Callable[[list[str]], None]) -> _Table:
    if (
        not isinstance(separator, str)
        or len(separator) != 1
        or separator.isalnum()
        or separator in _NEVER_SEPARATORS
    ):
        raise DatasetError(
            f"{path}: the separator must be one character that is no part of a number, not "
            f'{separator!r}; in YAML a tab is "\\t", with double quotes.'
        )
    with open_text(path, progress=False) as text:
        lines = (line if line.strip(" \r\n") else "\n" for line in text)
        rows = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
        try:
            return _read_rows(path, rows, check_columns)
        except csv.Error as fault:
            raise DatasetError(
                f"{path}, line {rows.line_num}: not a CSV file with a header ({fault})."
            ) from fault


def _read_rows(
    path: Path, rows: Iterator[list[str]], check_columns: Callable[[list[str]], None]
) -> _Table:
    rows = filter(None, rows)  # blank lines
    columns = [name.strip() for name in next(rows, [])]
    _check_header(path, columns)
    check_columns(columns)
    values, count = array("d"), 0
    for count, row in enumerate(rows, start=1):
        if len(row) != len(columns):
            end = ", the last one empty" if len(row) > len(columns) and not row[-1] else ""
            raise DatasetError(
                f"{path}, row {count}: {len(row)} values{end}, but the header has {len(columns)} "
                "names; correct the row."
            )
        values.extend(_plain_numbers(row) or _numbers(f"{path}, row {count}", columns, row))
    if not count:
        raise DatasetError(f"{path}: no rows below the header; the file is empty or cut short.")
    matrix = np.frombuffer(values, dtype=np.float64).reshape(count, len(columns))
    return _Table(path, columns, matrix)


def _check_header(path: Path, columns: Sequence[str]) -> None:
    if not columns:
        raise DatasetError(f"{path}: not a CSV file with a header (it is empty).")
    for position, name in enumerate(columns, start=1):
        if not name:
            raise DatasetError(
                f"{path}: column {position} of the header has no name; name it or remove it "
                "(DataFrame.to_csv writes such a column unless it is told index=False)."
            )
    for name, times in Counter(columns).items():
        if times > 1:
            raise DatasetError(
                f"{path}: {times} columns are called {name!r}; remove or rename all but one."
            )


def _plain_numbers(row: list[str]) -> list[float] | None:
    """The numbers of a row, the common case made fast; None if one needs a closer look."""
    text = "".join(row)
    if "_" in text or not text.isascii():
        return None
    try:
        return [float(value) for value in row]
    except ValueError:
        return None


def _numbers(where: str, columns: Sequence[str], row: list[str]) -> Iterator[float]:
    for column, value in zip(columns, row, strict=True):
        truth = value.strip().lower()
        try:
            yield float(truth == "true") if truth in ("true", "false") else as_number(value)
        except ValueError:
            raise DatasetError(
                f"{where}: {column!r} is {value!r}, not a number; replace missing values, encode "
                "categories as numbers, and write a decimal point, not a comma."
            ) from None


def _check_labels(path: Path, columns: Sequence[str], labels: Sequence[str]) -> None:
    for label in labels:
        if label not in columns:
            near = did_you_mean(label, columns, otherwise=columns[-5:])
            raise DatasetError(f"{path}: there is no column {label!r}. {near}")
    if len(labels) == len(columns):
        raise DatasetError(f"{path}: every column is a label; there must be a feature.")


def _check_same(path: Path, columns: Sequence[str], expected: Sequence[str]) -> None:
    odd = sorted({*columns} ^ {*expected})
    if odd:
        raise DatasetError(f"{path}: columns differ from those of the training file: {odd[:5]}.")


def _split_columns(
    table: _Table, features: Sequence[str], labels: Sequence[str]
) -> tuple[FloatMatrix, LabelMatrix]:
    positions = {column: position for position, column in enumerate(table.columns)}
    X = table.values[:, [positions[feature] for feature in features]]
    Y = table.values[:, [positions[label] for label in labels]]
    if not np.isfinite(X).all():
        row, column = np.argwhere(~np.isfinite(X))[0]
        raise DatasetError(
            f"{table.path}, row {row + 1}: {features[column]!r} is {X[row, column]:g}; "
            "replace or remove missing and infinite values."
        )
    if not np.isin(Y, (0, 1)).all():
        row, column = np.argwhere(~np.isin(Y, (0, 1)))[0]
        raise DatasetError(
            f"{table.path}, row {row + 1}: label {labels[column]!r} is {Y[row, column]:g}; "
            "a label must be 0 or 1."
        )
    return X, Y.astype(np.uint8)
