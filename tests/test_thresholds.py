"""Threshold rules against brute force."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mlmlm.thresholds import cardinality_threshold, rank_cut, transductive_cut

# Few distinct values, so that ties are common.
tables = st.tuples(st.integers(1, 6), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-4, 8).map(lambda n: n / 8))
)

# Infinities, neighbours among the numbers, and the largest of all.
any_numbers = arrays(np.float64, (3, 4), elements=st.floats(allow_nan=False))


def votes_of(table):
    """Scores as an ensemble's, from 0 to 1."""
    return np.abs(table)


@given(st.one_of(tables, any_numbers), st.data())
def test_cardinality_threshold_leaves_as_many_above_as_ties_allow(scores, data):
    n_relevant = data.draw(st.integers(0, scores.size))
    threshold = cardinality_threshold(scores, n_relevant)
    possible = {int((scores > value).sum()) for value in [-np.inf, *scores.ravel()]}
    nearest = min(possible, key=lambda number: (abs(number - n_relevant), number))
    assert (scores > threshold).sum() == nearest


@given(st.one_of(tables, any_numbers), st.data())
def test_cardinality_threshold_overwrites_only_where_it_is_told_to(scores, data):
    n_relevant = data.draw(st.integers(0, scores.size))
    given = scores.copy()
    threshold = cardinality_threshold(scores, n_relevant)
    np.testing.assert_array_equal(scores, given)
    assert cardinality_threshold(scores, n_relevant, overwrite=True) == threshold
    np.testing.assert_array_equal(np.sort(scores, axis=None), np.sort(given, axis=None))


@given(tables)
def test_cardinality_threshold_lies_midway_between_the_scores_it_parts(scores):
    values = np.unique(scores)
    for below, above in pairwise(values):
        threshold = cardinality_threshold(scores, int((scores >= above).sum()))
        assert threshold == (below + above) / 2


def test_scores_that_tie_at_the_cut_do_not_end_in_no_labels():
    """Pure leaves of trees: more certain votes than there are labels."""
    scores = np.array([1.0] * 11 + [0.0] * 89)
    threshold = cardinality_threshold(scores, 10)
    assert (scores > threshold).sum() == 11


def test_infinite_scores_that_tie_at_the_cut():
    scores = np.array([np.inf, np.inf, np.inf, 2.0, 1.0, -np.inf])
    assert (scores > cardinality_threshold(scores, 2)).sum() == 3
    assert (scores > cardinality_threshold(scores, 5)).sum() == 5


@given(tables, st.data())
def test_rank_cut_takes_the_highest_scores_and_the_first_of_equal_ones(scores, data):
    n_rows, n_labels = scores.shape
    counts = data.draw(arrays(np.intp, n_rows, elements=st.integers(0, n_labels)))
    predicted = rank_cut(scores, counts)
    for row, count, chosen in zip(scores.tolist(), counts, predicted, strict=True):
        by_rank = sorted(range(n_labels), key=lambda label, row=row: (-row[label], label))
        assert set(np.flatnonzero(chosen)) == set(by_rank[:count])


@given(tables, st.floats(0, 1))
def test_transductive_cut_is_that_of_its_definition(table, share):
    scores = votes_of(table)
    cardinality = share * scores.shape[1]
    n_wanted = math.floor(cardinality * len(scores) + 0.5)
    ascending = sorted(scores.ravel().tolist())
    predicted = transductive_cut(scores, cardinality)
    if n_wanted == 0:
        assert not predicted.any()
        return
    nth = ascending[-n_wanted]
    one_above = ascending[-max(n_wanted - 1, 1)]
    expected = scores >= max((nth + one_above) / 2, 1e-5)
    np.testing.assert_array_equal(predicted, expected)


@given(st.permutations(range(12)), st.integers(2, 12))
def test_transductive_cut_of_different_scores_predicts_one_label_less(order, n_wanted):
    scores = (1 + np.array(order, dtype=float).reshape(4, 3)) / 12
    predicted = transductive_cut(scores, n_wanted / 4)
    assert predicted.sum() == n_wanted - 1
    assert scores[predicted == 1].min() > scores[predicted == 0].max()


def test_transductive_cut_depends_on_the_rows_beside():
    scores = np.array([[0.9, 0.2], [0.8, 0.7]])
    assert transductive_cut(scores[:1], 1.0).tolist() == [[1, 0]]
    beside = transductive_cut(scores, 1.5)
    assert beside.tolist() == [[1, 0], [1, 0]]


def test_transductive_cut_predicts_no_label_without_a_vote():
    scores = np.array([[0.0, 0.0, 0.4], [0.0, 0.0, 0.0]])
    assert transductive_cut(scores, 2.0).tolist() == [[0, 0, 1], [0, 0, 0]]


@pytest.mark.parametrize("cardinality", [0.5, 1.0])
def test_transductive_cut_of_equal_scores_takes_all(cardinality):
    assert transductive_cut(np.full((2, 2), 0.3), cardinality).all()
