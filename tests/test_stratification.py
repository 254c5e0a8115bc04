"""Iterative stratification: a plain oracle, properties, and what it is for."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy import sparse

from mlmlm.datasets import DatasetError, stratified_folds, stratified_holdout
from mlmlm.datasets._stratification import _deal_out

LABELS = npst.arrays(
    np.uint8, st.tuples(st.integers(2, 40), st.integers(1, 6)), elements=st.integers(0, 1)
)
SEEDS = st.integers(0, 2**63)


def oracle(Y: np.ndarray, sizes: list[int], seed: int) -> list[int]:
    """The algorithm as the module tells it, with fractions and no shortcut."""
    n_rows, n_labels = Y.shape
    rng = np.random.default_rng(seed)
    order = list(rng.permutation(n_rows))
    label_order = list(rng.permutation(n_labels))
    chance = rng.random((n_rows, len(sizes)))
    part: dict[int, int] = {}

    def count(p: int, label: int) -> int:
        return sum(int(Y[row, label]) for row in part if part[row] == p)

    def room(p: int) -> int:
        return sizes[p] - sum(each == p for each in part.values())

    def left(label: int) -> int:
        return sum(int(Y[row, label]) for row in range(n_rows) if row not in part)

    def lack(p: int, label: int) -> int:  # n_rows times as much, so that it is whole
        return int(Y[:, label].sum()) * sizes[p] - n_rows * count(p, label)

    while any(left(label) for label in range(n_labels)):
        least = min(left(label) for label in range(n_labels) if left(label))
        label = next(each for each in label_order if left(each) == least)
        for row in sorted(np.flatnonzero(Y[:, label]), key=lambda row: order[row]):
            if row not in part:
                free = [p for p in range(len(sizes)) if room(p)]
                part[row] = max(free, key=lambda p: (lack(p, label), room(p), chance[row, p]))
    for row in sorted(range(n_rows), key=lambda row: order[row]):
        if row not in part:
            free = [p for p in range(len(sizes)) if room(p)]
            part[row] = max(free, key=lambda p: (room(p), chance[row, p]))
    return [part[row] for row in range(n_rows)]


@settings(max_examples=40, deadline=None)
@given(Y=LABELS, seed=SEEDS, data=st.data())
def test_rows_are_dealt_out_as_the_algorithm_says(Y, seed, data):
    cuts = sorted(data.draw(st.lists(st.integers(1, len(Y) - 1), min_size=1, max_size=3)))
    sizes = [size for size in np.diff([0, *cuts, len(Y)]).tolist() if size]
    assert _deal_out(Y, sizes, seed).tolist() == oracle(Y, sizes, seed)


@settings(deadline=None)
@given(Y=LABELS, seed=SEEDS, data=st.data())
def test_folds_are_of_equal_size_and_depend_on_the_seed_alone(Y, seed, data):
    n_folds = data.draw(st.integers(2, len(Y)))
    folds = stratified_folds(Y, n_folds, seed)
    sizes = np.bincount(folds, minlength=n_folds)
    assert sizes.sum() == len(Y)
    assert len(sizes) == n_folds
    assert sizes.max() - sizes.min() <= 1
    random.seed(1)
    np.random.seed(1)
    np.testing.assert_array_equal(stratified_folds(Y.copy(), n_folds, seed), folds)
    np.testing.assert_array_equal(stratified_folds(sparse.coo_array(Y), n_folds, seed), folds)


@settings(deadline=None)
@given(Y=LABELS, seed=SEEDS, test_size=st.floats(0.001, 0.999))
def test_a_holdout_has_every_row_once_and_the_share_that_was_asked_for(Y, seed, test_size):
    train, test = stratified_holdout(Y, test_size, seed)
    assert sorted([*train, *test]) == list(range(len(Y)))
    assert list(train) == sorted(train)
    assert list(test) == sorted(test)
    assert len(test) == np.clip(round(test_size * len(Y)), 1, len(Y) - 1)


def test_labels_are_nearer_to_their_shares_than_at_random():
    rng = np.random.default_rng(0)
    Y = (rng.random((600, 20)) < np.geomspace(0.01, 0.5, 20)).astype(np.uint8)
    target = Y.sum(axis=0) / 10

    def off(folds: np.ndarray) -> float:
        counts = np.array([Y[folds == fold].sum(axis=0) for fold in range(10)])
        return float(np.abs(counts - target).mean())

    ours = [off(stratified_folds(Y, 10, seed)) for seed in range(10)]
    plain = [off(np.random.default_rng(seed).permutation(600) % 10) for seed in range(10)]
    assert max(ours) < min(plain) / 2


def test_rare_labels_are_in_as_many_folds_as_they_have_rows():
    Y = np.zeros((100, 3), dtype=np.uint8)
    Y[:1, 0] = Y[10:14, 1] = Y[50:60, 2] = 1
    for seed in range(20):
        folds = stratified_folds(Y, 10, seed)
        assert [len(set(folds[Y[:, label] == 1])) for label in range(3)] == [1, 4, 10]
    places = {int(stratified_folds(Y, 10, seed)[0]) for seed in range(50)}
    assert len(places) > 5  # a single positive is not always in the first fold


def test_a_seed_of_several_numbers():
    Y = np.eye(40, 4, dtype=np.uint8)
    one, other = (stratified_folds(Y, 4, (0, repeat)).tolist() for repeat in (0, 1))
    assert one != other
    assert one == stratified_folds(Y, 4, (0, 0)).tolist()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda Y: stratified_folds(Y, 1, 0), "from 2, not 1"),
        (lambda Y: stratified_folds(Y, 2.0, 0), "from 2, not 2.0"),
        (lambda Y: stratified_folds(Y, True, 0), "not True"),
        (lambda Y: stratified_folds(Y, 6, 0), "5 rows cannot be split into 6 folds"),
        (lambda Y: stratified_folds(Y, 2, -1), "seed must be a whole number from 0"),
        (lambda Y: stratified_folds(Y, 2, (0, None)), "seed must be"),
        (lambda Y: stratified_holdout(Y, 1.0, 0), "between 0 and 1"),
        (lambda Y: stratified_holdout(Y[:1], 0.5, 0), "1 row cannot be split"),
    ],
)
def test_what_cannot_be_done_is_told(call, words):
    with pytest.raises(DatasetError, match=words):
        call(np.ones((5, 2), dtype=np.uint8))
