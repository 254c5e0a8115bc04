"""Iterative stratification: parts of the rows in which every label is about equally frequent.

A random split leaves rare labels out of some parts. Sechidis, Tsoumakas and Vlahavas [1]_ deal out
the rows label by label, always the label with the fewest rows that are not dealt out yet, because
it has the fewest chances left. A row of that label goes to the part that lacks the label most; of
parts that lack it equally, to the one with the most room; of those again, to one at random. Rows
without a label come last and go where there is the most room.

How much a part lacks a label is what it should have less what it has: of :math:`n_l` rows with
label :math:`l` among :math:`n` a part of :math:`s` rows should have :math:`n_l s / n`. It is
computed :math:`n` times as large, in whole numbers, so that ties are ties.

Two rules are ours. A part that is full takes no more rows, so that the sizes of the parts are those
asked for and not about those. And of labels with equally few rows left one is taken at random, by
an order of the labels that is drawn once.

Only single labels are counted, not pairs of them. Rows with the same features are dealt out like
any others, so twins can be in different parts; `audit` counts them.

References
----------
.. [1] K. Sechidis, G. Tsoumakas, I. Vlahavas, "On the Stratification of Multi-label Data", ECML
   PKDD 2011, pp. 145-158.
"""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from mlmlm.datasets._dataset import DatasetError

Rows = npt.NDArray[np.intp]
Seed = int | Sequence[int]


def stratified_folds(Y: Any, n_folds: int, seed: Seed) -> Rows:
    """The fold of each row, for cross-validation.

    Parameters
    ----------
    Y : array or sparse array of shape (n_rows, n_labels)
        Relevance of each label, 0 or 1.
    n_folds : int
        Number of folds, from 2 to the number of rows.
    seed : int or sequence of int
        Not negative; the same seed gives the same folds.

    Returns
    -------
    array of shape (n_rows,)
        Numbers from 0. The sizes of the folds differ by one at the most, the larger ones first.

    Raises
    ------
    DatasetError
        If there are fewer rows than folds, or a value makes no sense.

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[1, 0]] * 3 + [[0, 1]] * 3)
    >>> folds = stratified_folds(Y, 3, seed=0)
    >>> sorted(folds[:3].tolist()), sorted(folds[3:].tolist())
    ([0, 1, 2], [0, 1, 2])
    """
    n_rows = Y.shape[0]
    if not _is_number(n_folds, numbers.Integral) or n_folds < 2:
        raise DatasetError(f"the number of folds must be a whole number from 2, not {n_folds!r}.")
    if n_folds > n_rows:
        raise DatasetError(
            f"{n_rows} rows cannot be split into {n_folds} folds; choose {max(n_rows, 2)} or fewer."
        )
    larger = n_rows % n_folds
    sizes = [n_rows // n_folds + (fold < larger) for fold in range(n_folds)]
    return _deal_out(Y, sizes, seed)


def stratified_holdout(Y: Any, test_size: float, seed: Seed) -> tuple[Rows, Rows]:
    """Training and test rows, each in ascending order.

    Parameters
    ----------
    Y : array or sparse array of shape (n_rows, n_labels)
        Relevance of each label, 0 or 1.
    test_size : float
        Share of the rows that are test rows, between 0 and 1. Their number is rounded, but there
        is at least one row of each kind.
    seed : int or sequence of int
        Not negative; the same seed gives the same rows.

    Raises
    ------
    DatasetError
        If there are fewer than two rows, or a value makes no sense.
    """
    n_rows = Y.shape[0]
    if not _is_number(test_size, numbers.Real) or not 0 < test_size < 1:
        raise DatasetError(f"test_size must be a number between 0 and 1, not {test_size!r}.")
    if n_rows < 2:
        raise DatasetError(f"{n_rows} row cannot be split into training and test rows; add rows.")
    n_test = min(max(round(n_rows * test_size), 1), n_rows - 1)
    part = _deal_out(Y, [n_rows - n_test, n_test], seed)
    return np.flatnonzero(part == 0), np.flatnonzero(part == 1)


def random_holdout(n_rows: int, n_train: int, seed: int) -> tuple[Rows, Rows]:
    """Training and test rows, each in ascending order, drawn without a look at the labels.

    The training rows are the first of a permutation by NumPy's default generator.

    Raises
    ------
    DatasetError
        If no row is left for the test.
    """
    if n_rows <= n_train:
        raise DatasetError(
            f"{n_rows} rows cannot be split into {n_train} training rows and a test row or more; "
            "the file is cut short or another one, fetch it again."
        )
    order = np.random.default_rng(seed).permutation(n_rows)
    return np.sort(order[:n_train]), np.sort(order[n_train:])


def check_test_rows(train: object, test: object, test_size: object) -> None:
    """Refuse both or none of the two ways to say which rows are test rows."""
    if (test is None) == (test_size is None):
        raise DatasetError(
            f"{train}: pass either test, a file of test rows, or test_size, the share of the rows "
            "to set apart."
        )


def _deal_out(Y: Any, sizes: Sequence[int], seed: Seed) -> Rows:
    """The part of each row, where the parts have these sizes."""
    rng = _generator(seed)
    n_rows, n_parts = Y.shape[0], len(sizes)
    by_row, by_label = _both_ways(Y)
    n_left = [len(rows) for rows in by_label]
    # Plain lists: the steps depend on each other and are too small for arrays.
    lacks = [[n_with * size for size in sizes] for n_with in n_left]
    room, open_parts = list(sizes), list(range(n_parts))
    places = rng.permutation(n_rows)
    order_of_labels = rng.permutation(len(n_left)).tolist()
    chance = rng.random((n_rows, n_parts)).tolist()
    part_of = [-1] * n_rows

    def assign(row: int, part: int) -> None:
        part_of[row] = part
        room[part] -= 1
        if not room[part]:
            open_parts.remove(part)
        for label in by_row[row]:
            lacks[label][part] -= n_rows
            n_left[label] -= 1

    while waiting := [label for label in order_of_labels if n_left[label]]:
        rarest = min(waiting, key=n_left.__getitem__)
        lack = lacks[rarest]
        rows = by_label[rarest]
        for row in rows[np.argsort(places[rows])].tolist():
            if part_of[row] < 0:
                drawn = chance[row]
                assign(row, max(open_parts, key=lambda p: (lack[p], room[p], drawn[p])))
    for row in np.argsort(places).tolist():
        if part_of[row] < 0:
            drawn = chance[row]
            assign(row, max(open_parts, key=lambda p: (room[p], drawn[p])))
    return np.array(part_of, dtype=np.intp)


def _both_ways(Y: Any) -> tuple[list[list[int]], list[Rows]]:
    """The labels of each row, and the rows of each label."""
    by_row, by_label = sparse.csr_array(Y), sparse.csc_array(Y)
    for matrix in (by_row, by_label):
        matrix.eliminate_zeros()
    labels = np.split(by_row.indices, by_row.indptr[1:-1])
    rows = np.split(by_label.indices, by_label.indptr[1:-1])
    return [each.tolist() for each in labels], rows


def _generator(seed: Seed) -> np.random.Generator:
    seeds = seed if isinstance(seed, Sequence) else [seed]
    if not all(_is_number(each, numbers.Integral) and each >= 0 for each in seeds):
        raise DatasetError(
            f"seed must be a whole number from 0, not {seed!r}: without one, every run would split "
            "the rows anew."
        )
    return np.random.default_rng(seed)


def _is_number(value: object, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)
