"""Risk-coverage curves: how wrong the rows are that are kept if the most uncertain are rejected.

Let ``r_1, ..., r_n`` be the risks (1 - accuracy, or ranking loss) of the rows from the most to the
least certain. Of the k most certain the mean risk is ``R_k = (r_1 + ... + r_k) / k``, and the curve
is ``R_k`` against the share ``k / n`` that is kept. The area under it is

    (R_1 + ... + R_n) / n = sum_i a_i r_i   with   a_i = (1/i + 1/(i + 1) + ... + 1/n) / n.

**Ties.** Rows of the same uncertainty are in no order. On average over all their orders each place
among them has their mean risk, and that is what they are given.

**What to compare it with.** If rows are rejected at random, each ``R_k`` has the expectation of a
mean of k rows drawn without replacement, the overall mean; so has the area. No order has a smaller
area than that of ascending risks, which makes every ``R_k`` as small as it can be: this is the
ideal, which needs to know the risks.

**Intervals.** The test rows are drawn again with replacement, `N_SAMPLES` times from a fixed seed,
and the area of each sample is computed. Rows that are drawn several times are tied with themselves.
All orders of a dataset have the same samples, so that differences between them are paired.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.analysis.numbers.arrays import Array

Counts: TypeAlias = NDArray[np.int32]

N_SAMPLES = 1000
SEED = 1
LEVEL = 0.95


@dataclass(frozen=True)
class RiskCoverage:
    """A risk-coverage curve, and the ideal one of the same risks."""

    curve: Array
    ideal: Array

    @property
    def coverage(self) -> Array:
        """The share of rows that is kept at each point."""
        return np.arange(1, len(self.curve) + 1) / len(self.curve)

    @property
    def random(self) -> float:
        """The expected area, and every expected point, of random rejection."""
        return float(self.curve[-1])

    @property
    def area(self) -> float:
        return float(self.curve.mean())

    @property
    def ideal_area(self) -> float:
        return float(self.ideal.mean())

    @property
    def ratio(self) -> float:
        """Area over that of random rejection; below 1 the uncertainty is of use."""
        return self.area / self.random if self.random else float("nan")


def risk_coverage(uncertainty: Array, risk: Array) -> RiskCoverage:
    """Curve of the rows whose risk is defined (not NaN); of one row at least it must be."""
    defined = ~np.isnan(risk)
    uncertainty, risk = uncertainty[defined], risk[defined]
    _, group, sizes = np.unique(uncertainty, return_inverse=True, return_counts=True)
    expected = np.repeat(np.bincount(group, weights=risk) / sizes, sizes)
    return RiskCoverage(_running_mean(expected), _running_mean(np.sort(risk)))


@lru_cache(maxsize=2)  # the orders of a dataset share them, and they are large
def samples_of(n_rows: int) -> Counts:
    """How often each row is in each sample, of shape (`N_SAMPLES`, n_rows)."""
    random = np.random.default_rng(SEED)
    drawn = (random.integers(n_rows, size=n_rows) for _ in range(N_SAMPLES))
    return np.array([np.bincount(rows, minlength=n_rows) for rows in drawn], dtype=np.int32)


def sampled_areas(uncertainty: Array, risk: Array, samples: Counts) -> Array:
    """The area of each sample; every risk must be defined."""
    order = np.argsort(uncertainty, kind="stable")
    ascending, risk = uncertainty[order], risk[order]
    starts = np.flatnonzero(np.r_[True, ascending[1:] != ascending[:-1]])  # of ties
    until = np.concatenate([[0.0], np.cumsum(_weights(len(risk)))])  # sums of the first a_i
    areas = np.empty(len(samples))
    for number, drawn in enumerate(samples):
        rows = drawn[order]
        counts = np.add.reduceat(rows, starts)
        totals = np.add.reduceat(rows * risk, starts)
        ends = np.cumsum(counts)
        some = counts > 0
        weight = (until[ends] - until[ends - counts])[some]
        areas[number] = weight @ (totals[some] / counts[some])
    return areas


def sampled_means(risk: Array, samples: Counts) -> Array:
    """The mean risk of each sample, the area of random rejection."""
    return samples @ risk / len(risk)


def interval(values: Array) -> tuple[float, float]:
    """The middle share `LEVEL` of sampled values."""
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def _weights(n: int) -> Array:
    """The ``a_i``, weights of the risks by their places in the order."""
    return np.cumsum(1 / np.arange(n, 0, -1.0))[::-1] / n


def _running_mean(values: Array) -> Array:
    return np.cumsum(values) / np.arange(1, len(values) + 1)
