"""What a dataset holds, and what is odd about it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import scipy.sparse as sp
from sklearn.utils.sparsefuncs import min_max_axis

from mlmlm._distinct import row_keys
from mlmlm.datasets._dataset import Dataset
from mlmlm.types import Matrix


@dataclass(frozen=True)
class Characteristics:
    """One row of the paper's data table.

    Attributes
    ----------
    dataset : str
        Name of the dataset.
    n_train, n_test, n_features, n_labels : int
        Sizes (N, N_ts, M, L).
    novel_labels : int
        Labels relevant in the test set and never in the training set (Q).
    cardinality, density : float
        Mean number of relevant labels per row of the union of both sets, and its share of all
        labels (Card, Dens).
    unique_label_vectors : int
        Distinct label vectors in the union (L_u).
    novel_label_vectors : int
        Test rows whose label vector no training row has (L_n).
    """

    dataset: str
    n_train: int
    n_test: int
    n_features: int
    n_labels: int
    novel_labels: int
    cardinality: float
    density: float
    unique_label_vectors: int
    novel_label_vectors: int


@dataclass(frozen=True)
class Audit:
    """What to know of a dataset before believing a figure on it.

    Attributes
    ----------
    dataset : str
        Name of the dataset.
    duplicate_training_rows : int
        Training rows less the distinct ones, by features.
    test_rows_with_twin : int
        Test rows whose features some training row has too.
    test_rows_with_twin_and_labels : int
        Test rows whose features and labels some training row has together.
    constant_features : int
        Features with one value in the whole training set.
    unlabelled_training_rows, unlabelled_test_rows : int
        Rows without a relevant label.
    labels_without_training_positive : int
        Labels that no training row has.
    """

    dataset: str
    duplicate_training_rows: int
    test_rows_with_twin: int
    test_rows_with_twin_and_labels: int
    constant_features: int
    unlabelled_training_rows: int
    unlabelled_test_rows: int
    labels_without_training_positive: int


def characteristics(dataset: Dataset) -> Characteristics:
    """Compute the dataset's row of the paper's data table.

    Parameters
    ----------
    dataset : Dataset
        Any dataset.

    Returns
    -------
    Characteristics
        The figures, unrounded.
    """
    train, test = dataset.Y_train, dataset.Y_test
    train_vectors, test_vectors = _row_keys(train), _row_keys(test)
    known = set(train_vectors)
    n_rows, n_labels = len(train) + len(test), train.shape[1]
    n_relevant = int(train.sum(dtype=np.int64) + test.sum(dtype=np.int64))
    return Characteristics(
        dataset=dataset.name,
        n_train=len(train),
        n_test=len(test),
        n_features=dataset.X_train.shape[1],
        n_labels=n_labels,
        novel_labels=int((test.any(axis=0) & ~train.any(axis=0)).sum()),
        cardinality=n_relevant / n_rows,
        density=n_relevant / (n_rows * n_labels),
        unique_label_vectors=len(known.union(test_vectors)),
        novel_label_vectors=sum(vector not in known for vector in test_vectors),
    )


def audit(dataset: Dataset) -> Audit:
    """Count duplicates, leaks and empty rows, labels and features.

    Parameters
    ----------
    dataset : Dataset
        Any dataset.

    Returns
    -------
    Audit
        The counts.
    """
    train_rows, test_rows = _row_keys(dataset.X_train), _row_keys(dataset.X_test)
    train_pairs = set(zip(train_rows, _row_keys(dataset.Y_train), strict=True))
    test_pairs = zip(test_rows, _row_keys(dataset.Y_test), strict=True)
    known = set(train_rows)
    return Audit(
        dataset=dataset.name,
        duplicate_training_rows=len(train_rows) - len(known),
        test_rows_with_twin=sum(row in known for row in test_rows),
        test_rows_with_twin_and_labels=sum(pair in train_pairs for pair in test_pairs),
        constant_features=_count_constant(dataset.X_train),
        unlabelled_training_rows=int((~dataset.Y_train.any(axis=1)).sum()),
        unlabelled_test_rows=int((~dataset.Y_test.any(axis=1)).sum()),
        labels_without_training_positive=int((~dataset.Y_train.any(axis=0)).sum()),
    )


def _count_constant(X: Matrix) -> int:
    """Columns with one value; what a sparse one leaves out counts as the value 0."""
    if sp.issparse(X):
        least, most = min_max_axis(X, axis=0)
        return int((least == most).sum())
    return int((X[0] == X).all(axis=0).sum())


def _row_keys(matrix: Matrix) -> list[bytes]:
    """A short key per row, equal for equal rows."""
    return [blake2b(key, digest_size=16).digest() for key in row_keys(matrix)]
