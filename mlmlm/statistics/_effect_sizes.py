r"""How large the difference of two methods is, with bootstrap intervals.

Beside the mean and the median of the differences, in the unit of the measure, there is the
matched-pairs rank-biserial correlation [1]_, which has none: with the sums of ranks of Wilcoxon's
test,

.. math:: r = \frac{R^+ - R^-}{R^+ + R^-},

1 where the first method is better on all datasets, -1 where it is worse on all, 0 where the
evidence is even. The intervals are percentiles of the figures of datasets drawn with replacement
[2]_ by `scipy.stats.bootstrap`. Percentiles always exist; the bias-corrected and accelerated
interval does not where leaving out any one dataset changes nothing, which a median of tied
differences makes common.

References
----------
.. [1] D. S. Kerby, "The Simple Difference Formula: An Approach to Teaching Nonparametric
   Correlation", Comprehensive Psychology 3, 2014.
.. [2] B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from mlmlm.statistics._input import LEAST_DATASETS, FloatArray, pair
from mlmlm.statistics._pairwise import rank_sums


class Interval(NamedTuple):
    """From the one bound to the other."""

    low: float
    high: float


class Estimate(NamedTuple):
    """A figure and the interval it may lie in.

    ``interval`` is None where it cannot be told: with fewer than three datasets, or where every
    draw of datasets gives the same figure, such as a method that is always better (by the
    rank-biserial correlation) or always better by as much.
    """

    value: float
    interval: Interval | None


@dataclass(frozen=True)
class EffectSizes:
    """How large the difference of two methods is; positive where the first is better.

    Attributes
    ----------
    first, second : Hashable
        The methods.
    n_datasets : int
        Number of datasets.
    mean_difference, median_difference : Estimate
        In the unit of the measure.
    rank_biserial : Estimate
        Between -1 and 1.
    standard_deviation : float or None
        Of the differences; None with one dataset. `Sensitivity.standardized_difference` is in
        units of it.
    confidence : float
        Of the intervals.
    """

    first: Hashable
    second: Hashable
    n_datasets: int
    mean_difference: Estimate
    median_difference: Estimate
    rank_biserial: Estimate
    standard_deviation: float | None
    confidence: float


def effect_sizes(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    lower_is_better: bool,
    confidence: float = 0.95,
    n_resamples: int = 9999,
    seed: int = 0,
) -> EffectSizes:
    """Effect sizes of two methods.

    Parameters
    ----------
    first, second : array-like of shape (n_datasets,)
        Values of the two methods on the same datasets, one or more, in the same order, none
        missing. The name of a Series is the name of the method.
    lower_is_better : bool
        Whether smaller values are better.
    confidence : float, default=0.95
        Of the intervals.
    n_resamples : int, default=9999
        How often datasets are drawn.
    seed : int, default=0
        The same seed gives the same draws, for any methods on as many datasets.

    Examples
    --------
    >>> sizes = effect_sizes([3, 5, 6, 8, 1], [1, 2, 2, 3, 2], lower_is_better=False)
    >>> round(sizes.mean_difference.value, 3), round(sizes.rank_biserial.value, 3)
    (2.6, 0.867)
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, for example 0.95, got {confidence}")
    the_pair = pair(first, second, lower_is_better, least=1)
    differences = the_pair.differences

    def estimate(statistic: Callable[..., FloatArray]) -> Estimate:
        value = float(statistic(differences, axis=-1))
        if len(differences) < LEAST_DATASETS:
            return Estimate(value, None)
        drawn = stats.bootstrap(
            (differences,),
            statistic,
            n_resamples=n_resamples,
            confidence_level=confidence,
            method="percentile",
            rng=np.random.default_rng(seed),
        )
        if np.ptp(drawn.bootstrap_distribution) == 0:
            return Estimate(value, None)
        low, high = drawn.confidence_interval
        return Estimate(value, Interval(float(low), float(high)))

    return EffectSizes(
        first=the_pair.first,
        second=the_pair.second,
        n_datasets=the_pair.n_datasets,
        mean_difference=estimate(np.mean),
        median_difference=estimate(np.median),
        rank_biserial=estimate(_rank_biserial),
        standard_deviation=float(np.std(differences, ddof=1)) if len(differences) > 1 else None,
        confidence=confidence,
    )


def _rank_biserial(differences: FloatArray, axis: int) -> FloatArray:
    better, worse = rank_sums(np.moveaxis(differences, axis, -1))
    return (better - worse) / (better + worse)
