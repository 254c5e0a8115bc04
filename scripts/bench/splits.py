"""The data of the benchmark: scaled splits of the catalogue's datasets, and those made up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.preprocessing import MinMaxScaler

from mlmlm.datasets import load_dataset
from mlmlm.types import Array, Labels
from scripts.bench.made_data import TEST_START, make_rows

SYNTHETIC = "synthetic-"
MADE = "made-"


@dataclass(frozen=True)
class Split:
    """A training and a test set, features scaled to [0, 1] on the training set."""

    name: str
    X_train: Array
    Y_train: Labels
    X_test: Array
    Y_test: Labels


def load_split(name: str, rows: int | None = None) -> Split:
    """A dataset by name, with only a random sample of ``rows`` training rows if given.

    ``synthetic-500`` is made up: 500 training rows, and half as many test rows. So is
    ``made-500-100``, by `scripts.bench.made_data`: 500 training rows and 100 test rows.
    """
    if name.startswith(MADE):
        n_train, n_test = map(int, name.removeprefix(MADE).split("-"))
        # In [0, 1] already, and too large to be copied.
        return Split(name, *make_rows(0, n_train), *make_rows(TEST_START, TEST_START + n_test))
    if name.startswith(SYNTHETIC):
        X, Y, n = _make_up(int(name.removeprefix(SYNTHETIC)))
        X_train, Y_train, X_test, Y_test = X[:n], Y[:n], X[n:], Y[n:]
    else:
        data = load_dataset(name)
        X_train, Y_train, X_test, Y_test = data.X_train, data.Y_train, data.X_test, data.Y_test
    if rows is not None:
        # In their own order: labels that tie are ordered by the rows' first appearance.
        sample = np.sort(np.random.default_rng(0).permutation(len(X_train))[:rows])
        X_train, Y_train = X_train[sample], Y_train[sample]
    scaler = MinMaxScaler().fit(X_train)
    return Split(name, scaler.transform(X_train), Y_train, scaler.transform(X_test), Y_test)


def _make_up(n_rows: int) -> tuple[Array, Labels, int]:
    """Inputs in the unit cube, and labels that are noisy functions of them."""
    rng = np.random.default_rng(0)
    X = rng.random((n_rows + n_rows // 2, 8))
    noisy = X @ rng.normal(size=(8, 6))
    noisy += 0.3 * rng.normal(size=noisy.shape)
    Y = (noisy > np.quantile(noisy, 0.65, axis=0)).astype(np.uint8)
    return X, Y, n_rows
