"""A user's own dataset in CSV files: some columns are labels, all others are features.

The test rows are a file of their own, or a part of the one file, chosen so that labels and pairs of
labels occur in both parts as often as in the whole (iterative stratification, by
scikit-multilearn-ng).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from mlmlm._global_seed import global_seed
from mlmlm.datasets._dataset import Dataset, DatasetError, FloatMatrix, LabelMatrix
from mlmlm.names import did_you_mean

_PathLike = str | os.PathLike[str]
_Rows = npt.NDArray[np.intp]


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
        The training rows or, with ``test_size``, all rows.
    labels : sequence of str
        Columns that are labels, 0 or 1; every other column is a feature, a number.
    test : path, optional
        The test rows, with the same columns in any order.
    test_size : float, optional
        Share of the rows to set apart as test rows, between 0 and 1, instead of ``test``.
    seed : int, default=0
        Seed of that split: the same seed gives the same split.
    separator : str, default=","
        What separates the columns.
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
    if (test is None) == (test_size is None):
        raise DatasetError(
            f"{train}: pass either test, a file of test rows, or test_size, the share of the rows "
            "to set apart."
        )
    train_path = Path(train)
    table = _read(train_path, separator)
    _check_labels(train_path, table, labels)
    features = [column for column in table if column not in set(labels)]
    X, Y = _split_columns(train_path, table, features, labels)
    if test is not None:
        X_test, Y_test = _read_test(Path(test), separator, features, labels)
    else:
        assert test_size is not None
        rows, test_rows = stratified_rows(Y, test_size, seed)
        X, X_test, Y, Y_test = X[rows], X[test_rows], Y[rows], Y[test_rows]
    return Dataset(
        name=name or train_path.stem,
        X_train=X,
        Y_train=Y,
        X_test=X_test,
        Y_test=Y_test,
        feature_names=tuple(features),
        label_names=tuple(labels),
    )


def stratified_rows(Y: LabelMatrix, test_size: float, seed: int) -> tuple[_Rows, _Rows]:
    """Training and test rows, each in the order of the file, by iterative stratification.

    scikit-multilearn-ng stratifies well, but with a seed of its own it shuffles the rows and then
    gives positions in the shuffled order as if they were rows. So the rows are shuffled here, and
    its ties are broken by NumPy's global generator, which is seeded meanwhile.
    """
    if not 0 < test_size < 1:
        raise DatasetError(f"test_size must be between 0 and 1, not {test_size}.")
    try:
        from skmultilearn.model_selection import IterativeStratification
    except ImportError as fault:
        raise DatasetError(
            "A stratified split needs scikit-multilearn-ng: pip install scikit-multilearn-ng"
        ) from fault
    order = np.random.default_rng(seed).permutation(len(Y))
    with global_seed(seed):
        stratifier = IterativeStratification(
            n_splits=2, order=2, sample_distribution_per_fold=[test_size, 1 - test_size]
        )
        train, test = next(stratifier.split(np.zeros((len(Y), 1)), Y[order]))
    return np.sort(order[train]), np.sort(order[test])


def _read(path: Path, separator: str) -> pd.DataFrame:
    try:
        table = pd.read_csv(path, sep=separator, skipinitialspace=True)
    except OSError as fault:
        raise DatasetError(f"{path}: cannot be read ({fault.strerror}).") from fault
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as fault:
        raise DatasetError(f"{path}: not a CSV file with a header ({fault}).") from fault
    return table.rename(columns=str)


def _check_labels(path: Path, table: pd.DataFrame, labels: Sequence[str]) -> None:
    if not labels:
        raise DatasetError(f"{path}: name at least one label column.")
    for label in labels:
        if label not in table:
            columns = list(table)
            near = did_you_mean(label, columns, otherwise=columns[-5:])
            raise DatasetError(f"{path}: there is no column {label!r}. {near}")


def _read_test(
    path: Path, separator: str, features: Sequence[str], labels: Sequence[str]
) -> tuple[FloatMatrix, LabelMatrix]:
    table = _read(path, separator)
    if set(table) != {*features, *labels}:
        odd = sorted(set(table) ^ {*features, *labels})
        raise DatasetError(f"{path}: columns differ from those of the training file: {odd[:5]}.")
    return _split_columns(path, table, features, labels)


def _split_columns(
    path: Path, table: pd.DataFrame, features: Sequence[str], labels: Sequence[str]
) -> tuple[FloatMatrix, LabelMatrix]:
    numbers = table.apply(pd.to_numeric, errors="coerce")
    wrong = numbers.isna().to_numpy()
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise DatasetError(
            f"{path}, row {row + 1}: {table.columns[column]!r} is {table.iat[row, column]!r}, "
            "not a number; replace missing values and encode categories as numbers."
        )
    relevance = numbers[list(labels)].to_numpy(dtype=np.float64)
    if not np.isin(relevance, (0, 1)).all():
        row, column = np.argwhere(~np.isin(relevance, (0, 1)))[0]
        raise DatasetError(
            f"{path}, row {row + 1}: label {labels[column]!r} is {relevance[row, column]:g}; "
            "a label must be 0 or 1."
        )
    return numbers[list(features)].to_numpy(dtype=np.float64), relevance.astype(np.uint8)
