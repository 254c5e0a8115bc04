"""Inverse distance weighting of label vectors: predicted distances in, label scores out.

A label vector at distance ``d`` weighs ``|d|^-P``. Divided by the row's largest weight, that of
the smallest distance ``d_0``, the weight is ``exp(-P log(|d| / d_0))``: at most 1, so nothing
overflows, and the common factor leaves the scores alone. For a label let ``a`` be the weight of
the training rows that have it and ``b`` that of the others; its score is ``a / (a + b)``, the
weighted mean of Eq. 4 of the paper.

Written so, with ``b`` a sum of its own, a score is exactly 1 when ``b`` is below the last bit of
``a``. Divided by the total weight instead, it would be 1 give or take that bit, and the order of
such labels, and with it the chosen power, would hang on the order in which BLAS adds.

A distance of exactly 0 takes all the weight, the limit of small distances. (Eq. 4 gives it the
weight 1; only a prediction that hits a label vector to the last bit can tell the two apart.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from mlmlm._label_vectors import LabelVectors
from mlmlm.types import Array, Bools


class LogRatios:
    """``log(|d| / d_0)`` of a block of rows, from which the weights at any power follow.

    Stored with the label vectors along the first axis, the layout in which both the sparse and
    the dense label products read memory in order.
    """

    def __init__(self, distances: Array) -> None:
        values = np.abs(distances.T, order="C")
        self.smallest = values.min(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            values /= self.smallest
            values[:, self.smallest == 0] = np.where(
                np.isnan(values[:, self.smallest == 0]), 1.0, np.inf
            )
            self.values = np.log(values, out=values)

    def weights(self, power: float) -> Array:
        """Weights relative to the largest of each row."""
        exponents = self.values * -power
        return np.exp(exponents, out=exponents)

    def weights_along(self, powers: Array) -> Iterator[Array]:
        """Weights at powers each twice the one before: one exponential, then squares.

        The array given is overwritten by the next.
        """
        weights = self.weights(powers[0])
        yield weights
        for _ in powers[1:]:
            np.multiply(weights, weights, out=weights)
            yield weights

    def overflows(self, power: float) -> Bools:
        """Rows in which ``|d|^-P`` itself, not relative to anything, is infinite."""
        with np.errstate(over="ignore", divide="ignore"):
            return np.isinf(self.smallest**-power) & (self.smallest > 0)


def doubling_chains(powers: Array) -> list[list[int]]:
    """Partition the indices of ``powers`` into chains in which each power is twice the last."""
    chains: list[list[int]] = []
    for index in np.argsort(powers, kind="stable"):
        for chain in chains:
            if math.isclose(powers[index], 2 * powers[chain[-1]], rel_tol=1e-12):
                chain.append(int(index))
                break
        else:
            chains.append([int(index)])
    return chains


class LabelWeights:
    """Sums of weights over the training rows that have a label, and over those that do not.

    Parameters
    ----------
    labels : LabelVectors
        The training label vectors with their counts.
    exact_odds : bool
        Whether ``b`` must be accurate relative to itself however small it is, as log-odds need.
    """

    def __init__(self, labels: LabelVectors, exact_odds: bool) -> None:
        self._labels, self._exact_odds = labels, exact_odds
        self._counts = labels.counts.astype(np.float64)
        # Sparse sums are exact for whole counts, not for weights.
        are_whole = bool((self._counts % 1 == 0).all())
        self._is_sparse = labels.is_sparse and are_whole and not exact_odds
        if self._is_sparse:
            # Multiples of 1 / grid add up exactly: see `_split_sums`.
            self._grid = 2.0 ** (52 - np.ceil(np.log2(self._counts.sum())))
        else:
            having = labels.vectors.T.astype(np.float64)
            self._both = np.concatenate([having, 1 - having]) * self._counts

    def __reduce__(self) -> Any:  # pickled as what it is made of
        return LabelWeights, (self._labels, self._exact_odds)

    def sums(self, weights: Array) -> tuple[Array, Array]:
        """``a`` and ``b``, of shape (L, n), for weights of shape (U, n)."""
        if self._is_sparse:
            return self._sparse_sums(weights)
        both = self._both @ weights
        half = len(both) // 2
        return both[:half], both[half:]

    def _sparse_sums(self, weights: Array) -> tuple[Array, Array]:
        """Few labels per vector: ``a`` is a sparse product, and ``b`` what is left of the total.

        The difference is good where ``b`` is a fair share of the total; in a row where some label
        takes nearly all of it, it is all rounding, and the sums are made again in two parts.
        """
        a, total = self._labels.sums_by_label(weights), self._counts @ weights
        b = total - a
        saturated = np.flatnonzero(b.min(axis=0) < 2.0**-20 * total)
        if len(saturated):
            a[:, saturated], b[:, saturated] = self._split_sums(np.take(weights, saturated, axis=1))
        return a, b

    def _split_sums(self, weights: Array) -> tuple[Array, Array]:
        """Sums in which ``b = total - a`` does not cancel.

        Each weight is split into a multiple of 2^-q and a rest below it. With q = 52 - log2(N)
        all sums of the multiples fit into the 53 bits of a double, so their difference is exact;
        the rests are so small that the rounding of theirs is far below the last bit of ``a``.
        """
        n = weights.shape[1]
        parts = np.empty((len(weights), 2 * n))
        coarse, fine = parts[:, :n], parts[:, n:]
        np.floor(weights * self._grid, out=coarse)
        coarse /= self._grid
        np.subtract(weights, coarse, out=fine)
        a = self._labels.sums_by_label(parts)
        b = self._counts @ parts - a
        return a[:, :n] + a[:, n:], b[:, :n] + np.maximum(b[:, n:], 0)
