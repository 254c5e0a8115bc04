"""The dataset object: its checks, its fingerprint, its figures and its audit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from mlmlm.datasets import Dataset, DatasetError, audit, characteristics


def make(**changes: Any) -> Dataset:
    parts: dict[str, Any] = {
        "name": "toy",
        "X_train": np.array([[0.0, 5.0], [1.0, 5.0], [1.0, 5.0]]),
        "Y_train": np.array([[1, 0, 0], [0, 0, 0], [1, 1, 0]]),
        "X_test": np.array([[1.0, 5.0], [2.0, 5.0], [-0.0, 5.0]]),
        "Y_test": np.array([[1, 1, 0], [0, 0, 1], [1, 1, 0]]),
        "feature_names": ("a", "b"),
        "label_names": ("p", "q", "r"),
    }
    return Dataset(**(parts | changes))


def test_characteristics_of_a_toy() -> None:
    figures = characteristics(make())
    assert (figures.n_train, figures.n_test, figures.n_features, figures.n_labels) == (3, 3, 2, 3)
    assert figures.novel_labels == 1
    assert figures.cardinality == pytest.approx(8 / 6)
    assert figures.density == pytest.approx(8 / 18)
    assert figures.unique_label_vectors == 4
    assert figures.novel_label_vectors == 1


def test_audit_of_a_toy() -> None:
    counts = audit(make())
    assert counts.duplicate_training_rows == 1
    assert counts.test_rows_with_twin == 2
    assert counts.test_rows_with_twin_and_labels == 1
    assert counts.constant_features == 1
    assert counts.unlabelled_training_rows == 1
    assert counts.unlabelled_test_rows == 0
    assert counts.labels_without_training_positive == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"X_test": np.full((3, 2), np.nan)}, "test set, row 1: feature 'a' is nan"),
        ({"X_train": np.full((3, 2), np.inf)}, "training set, row 1: feature 'a' is inf"),
        ({"Y_train": np.full((3, 3), 2)}, "label 'p' is 2"),
        ({"X_train": np.zeros((0, 2)), "Y_train": np.zeros((0, 3))}, "at least one row"),
        ({"X_train": np.zeros((2, 2))}, "one row per instance"),
        ({"X_test": np.zeros((3, 4))}, "4 features"),
        ({"label_names": ("p",)}, "1 label names"),
    ],
)
def test_bad_arrays(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(DatasetError, match=words):
        make(**changes)


def test_later_changes_to_the_given_arrays_do_not_reach_the_dataset() -> None:
    X = np.zeros((3, 2))
    dataset = make(X_train=X)
    X[0, 0] = 9
    assert dataset.X_train[0, 0] == 0


matrices = npst.arrays(np.float64, (3, 2), elements=st.floats(-1e6, 1e6))


@given(X=matrices)
def test_fingerprint_ignores_names_order_in_memory_and_the_sign_of_zero(X: np.ndarray) -> None:
    original = make(X_train=X).fingerprint
    assert make(X_train=np.asfortranarray(X)).fingerprint == original
    assert make(X_train=np.where(X == 0, -0.0, X)).fingerprint == original
    assert make(X_train=X, name="other", feature_names=("c", "d")).fingerprint == original


@given(X=matrices, row=st.integers(0, 2), column=st.integers(0, 1))
def test_fingerprint_sees_the_last_bit(X: np.ndarray, row: int, column: int) -> None:
    changed = X.copy()
    changed[row, column] = np.nextafter(X[row, column], np.inf)
    assert make(X_train=X).fingerprint != make(X_train=changed).fingerprint


def test_fingerprint_tells_training_from_test() -> None:
    X, other = np.zeros((3, 2)), np.ones((3, 2))
    assert make(X_train=X, X_test=other).fingerprint != make(X_train=other, X_test=X).fingerprint
