"""Sparse features stay sparse, in one form, and hold the numbers that dense ones would."""

from __future__ import annotations

import dataclasses
import hashlib
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from sklearn.preprocessing import MinMaxScaler

from experiments.compute import scale
from experiments.splits import Split
from mlmlm.datasets import Dataset, DatasetError, audit, characteristics, in_xml_order
from mlmlm.datasets import _cache as cache

X_TRAIN = np.array([[0.0, 5.0, 0.0], [1.0, 5.0, 0.0], [1.0, 5.0, 0.0]])
X_TEST = np.array([[1.0, 5.0, 0.0], [2.0, 0.0, 7.0], [-0.0, 5.0, 0.0]])


def make(kind: Any = sp.csr_array, **changes: Any) -> Dataset:
    parts: dict[str, Any] = {
        "name": "toy",
        "X_train": kind(X_TRAIN),
        "Y_train": np.array([[1, 0], [0, 0], [1, 1]]),
        "X_test": kind(X_TEST),
        "Y_test": np.array([[1, 1], [0, 0], [1, 1]]),
        "feature_names": ("a", "b", "c"),
        "label_names": ("p", "q"),
    }
    return Dataset(**(parts | changes))


def zeros_kept() -> sp.csr_array:
    """The training rows with stored zeros, unsorted columns and a cell in two parts."""
    data, columns = [5.0, 0.0, 2.0, 3.0, 1.0, 0.0, 5.0, 1.0], [1, 2, 1, 1, 0, 2, 1, 0]
    return sp.csr_array((data, columns, [0, 2, 5, 8]), shape=(3, 3))


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csc_array, sp.coo_array, sp.lil_array])
def test_any_sparse_format_becomes_the_one_form(kind: Any) -> None:
    dataset = make(kind)
    assert isinstance(dataset.X_train, sp.csr_array)
    assert dataset.X_train.indices.dtype == np.int32
    assert dataset.fingerprint == make().fingerprint
    np.testing.assert_array_equal(dataset.X_test.toarray(), X_TEST)


def test_fingerprint_does_not_depend_on_how_it_was_stored() -> None:
    wide = sp.csr_array(X_TRAIN)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for X in (zeros_kept(), wide):
        dataset = make(X_train=X)
        assert dataset.fingerprint == make().fingerprint
        assert dataset.X_train.has_canonical_format
        assert dataset.X_train.data.all()


def test_fingerprint_sees_numbers_places_and_form() -> None:
    original = make().fingerprint
    changed = X_TRAIN.copy()
    changed[0, 1] = np.nextafter(5.0, 6.0)
    assert make(X_train=sp.csr_array(changed)).fingerprint != original
    assert make(X_train=sp.csr_array(X_TRAIN[:, [1, 0, 2]])).fingerprint != original
    assert make(np.array).fingerprint != original


def test_later_changes_to_the_given_matrix_do_not_reach_the_dataset() -> None:
    X = sp.csr_array(X_TRAIN)
    dataset = make(X_train=X)
    X.data[:] = 9
    np.testing.assert_array_equal(dataset.X_train.toarray(), X_TRAIN)
    with pytest.raises(ValueError, match="read-only"):
        dataset.X_train.data[0] = 1
    assert dataclasses.replace(dataset, name="other").X_train is dataset.X_train


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"X_train": X_TRAIN}, "sparse in one set and dense in the other"),
        ({"X_test": sp.csr_array(np.full((3, 3), np.nan))}, "test set, row 1: feature 'a' is nan"),
        ({"X_test": sp.csr_array([[1, 2, 3], [0, 0, -np.inf], [0, 0, 0]])}, "row 2: feature 'c'"),
        ({"X_train": sp.csr_array((2, 3))}, "one row per instance"),
        ({"X_test": sp.csr_array((3, 4))}, "4 features"),
    ],
)
def test_bad_matrices(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(DatasetError, match=words):
        make(**changes)


def test_audit_and_characteristics_are_those_of_the_dense_numbers() -> None:
    for dataset in (make(), make(X_train=zeros_kept())):
        assert audit(dataset) == audit(make(np.array))
        assert characteristics(dataset) == characteristics(make(np.array))


def test_the_order_of_labels_in_an_xml_file_is_not_known() -> None:
    with pytest.raises(DatasetError, match="is not known"):
        in_xml_order(make())


# The cache


def test_cache_keeps_it_sparse(tmp_path: Path) -> None:
    dataset = make()
    cache.store(dataset, "source", tmp_path)
    cached = cache.fetch("toy", tmp_path)
    assert cached is not None
    assert cached.dataset.fingerprint == dataset.fingerprint
    assert sp.issparse(cached.dataset.X_train)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("X_train", np.ones(5)),
        ("X_train", np.ones(4)),
        ("X_train_indices", np.array([1, 0, 1, 0, 99], dtype=np.int32)),
        ("X_train_indices", np.array([1, 0, 1, 0, -1], dtype=np.int32)),
        ("X_train_indptr", np.array([0, 2**30, 3, 5], dtype=np.int32)),
        ("X_train_indptr", np.array([0, 5], dtype=np.int32)),
        ("X_train_shape", np.array([3, 1])),
    ],
)
def test_cache_of_wrong_content_with_a_right_checksum(
    tmp_path: Path, part: str, value: np.ndarray
) -> None:
    cache.store(make(), "source", tmp_path)
    path = tmp_path / "toy.npz"
    with np.load(path) as content:
        parts = dict(content)
    np.savez_compressed(path, **(parts | {part: value}))
    content = path.read_bytes()
    path.write_bytes(content + hashlib.sha256(content).digest())
    with pytest.warns(UserWarning, match="damaged"):
        assert cache.fetch("toy", tmp_path) is None


# The harness


@pytest.mark.parametrize(
    "split",
    [
        Split("cross_validation", seed=0, repeat=1, folds=3, fold=2),
        Split("holdout", seed=0, repeat=0, test_size=0.4),
    ],
)
def test_splits_keep_it_sparse(split: Split) -> None:
    ours, dense = split.of(make()), split.of(make(np.array))
    for part in ("X_train", "X_test"):
        np.testing.assert_array_equal(getattr(ours, part).toarray(), getattr(dense, part))
    np.testing.assert_array_equal(ours.Y_test, dense.Y_test)


numbers = st.one_of(st.just(0.0), st.floats(-1e6, 1e6), st.sampled_from([1.0, 3.0, 1e-20]))


@given(
    train=npst.arrays(np.float64, (3, 3), elements=numbers),
    test=npst.arrays(np.float64, (3, 3), elements=numbers),
)
def test_scaling_gives_the_dense_numbers_to_the_last_bit(
    train: np.ndarray, test: np.ndarray
) -> None:
    features = scale(make(X_train=sp.csr_array(train), X_test=sp.csr_array(test)), "minmax")
    scaler = MinMaxScaler().fit(train)
    for ours, dense in ((features.train, train), (features.test, test)):
        assert isinstance(ours, sp.csr_array)
        assert ours.indices.dtype == np.int32
        np.testing.assert_array_equal(ours.toarray(), scaler.transform(dense))


def test_scaling_keeps_zeros_unless_a_column_must_be_shifted() -> None:
    features = scale(make(), "minmax")
    assert features.train.nnz == 2  # the constant column becomes 0 throughout
    np.testing.assert_array_equal(features.test.toarray(), [[1, 0, 0], [2, -5, 7], [0, 0, 0]])


@pytest.mark.parametrize("scaling", ["minmax", "none"])
def test_estimators_may_write_into_the_features(scaling: str) -> None:
    dataset = make()
    features = scale(dataset, scaling)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for X in (features.train, features.test):
            for part in (X.data, X.indices, X.indptr):
                part[:] = 0
    np.testing.assert_array_equal(dataset.X_train.toarray(), X_TRAIN)
