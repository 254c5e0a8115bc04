r"""Corrected resampled t-test of two methods on one dataset.

Where a dataset is split :math:`J` times into a training and a test part, the differences
:math:`d_j` of two methods are not independent, because the training parts overlap, and the plain
t-test takes too much for significant. Nadeau and Bengio [1]_ correct the variance of the mean:

.. math:: t = \frac{\bar d}{\sqrt{\left(\frac 1 J + \frac{n_{test}}{n_{train}}\right) s^2}}

with :math:`s^2` the sample variance of the differences follows about Student's t distribution with
:math:`J - 1` degrees of freedom. For :math:`k`-fold cross-validation, repeated or not,
:math:`n_{test} / n_{train} = 1 / (k - 1)`.

It is a test for one dataset. Over several datasets the unit is the dataset, with the mean over its
splits as its value; splits of different datasets do not add up to more evidence about others.

References
----------
.. [1] C. Nadeau, Y. Bengio, "Inference for the Generalization Error", Machine Learning 52, 2003,
   pp. 239-281.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from mlmlm.statistics._effect_sizes import Estimate, Interval
from mlmlm.statistics._input import pair


@dataclass(frozen=True)
class ResampledTTest:
    """The corrected resampled t-test of two methods; positive where the first is better.

    Attributes
    ----------
    first, second : Hashable
        The methods.
    n_splits : int
        Number of splits.
    mean_difference : Estimate
        In the unit of the measure. Its interval is None where there is no test.
    statistic, p_value : float or None
        Student's t and its two-sided p-value. None where the methods differ by the same on all
        splits, which says nothing of how much they vary.
    confidence : float
        Of the interval.
    """

    first: Hashable
    second: Hashable
    n_splits: int
    mean_difference: Estimate
    statistic: float | None
    p_value: float | None
    confidence: float


def corrected_resampled_t_test(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    lower_is_better: bool,
    test_to_train: float,
    confidence: float = 0.95,
) -> ResampledTTest:
    """Nadeau and Bengio's t-test of two methods on splits of one dataset.

    Parameters
    ----------
    first, second : array-like of shape (n_splits,)
        Values of the two methods on the same two splits or more, in the same order, none missing.
        The name of a Series is the name of the method.
    lower_is_better : bool
        Whether smaller values are better.
    test_to_train : float
        How many test rows there are for each training row: 1/9 in ten-fold cross-validation.
    confidence : float, default=0.95
        Of the interval of the mean difference.

    Examples
    --------
    >>> first, second = [0.81, 0.84, 0.79, 0.83, 0.80], [0.78, 0.80, 0.78, 0.79, 0.79]
    >>> test = corrected_resampled_t_test(first, second, False, test_to_train=1 / 4)
    >>> round(test.statistic, 3), round(test.p_value, 3)
    (2.556, 0.063)
    """
    if not (np.isfinite(test_to_train) and test_to_train > 0):
        raise ValueError(
            "test_to_train must be the positive ratio of test to training rows, for example 1/9 "
            f"in ten-fold cross-validation, got {test_to_train}"
        )
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, for example 0.95, got {confidence}")
    the_pair = pair(first, second, lower_is_better, least=2)
    differences = the_pair.differences
    n_splits = len(differences)
    mean = float(np.mean(differences))
    interval = statistic = p_value = None
    if np.ptp(differences) > 0:
        variance = np.var(differences, ddof=1) * (1 / n_splits + test_to_train)
        student = stats.t(df=n_splits - 1)
        error = float(np.sqrt(variance))
        statistic = mean / error
        p_value = float(2 * student.sf(abs(statistic)))
        half = float(student.ppf((1 + confidence) / 2)) * error
        interval = Interval(mean - half, mean + half)
    return ResampledTTest(
        first=the_pair.first,
        second=the_pair.second,
        n_splits=n_splits,
        mean_difference=Estimate(mean, interval),
        statistic=statistic,
        p_value=p_value,
        confidence=confidence,
    )
