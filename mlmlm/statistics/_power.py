r"""The smallest difference that the tests could have found with so many datasets.

*By ranks*, it is Nemenyi's critical distance.

*By Wilcoxon's test*, nothing can be found if there are too few datasets: if a method wins on all
:math:`n`, the two-sided p-value is :math:`2 / 2^n`, and Holm's correction multiplies the smallest
of :math:`m` p-values by :math:`m`. So :math:`2 m / 2^n \le \alpha` is needed.

With more, let the differences be normal with mean :math:`\delta` and standard deviation 1. The test
rejects if :math:`R^+ \ge c`, where :math:`c` is the smallest number with
:math:`2 P(R^+ \ge c) \le \alpha / m` under the null hypothesis. By Tukey's identity :math:`R^+` is
the number of positive ones among the :math:`n (n + 1) / 2` means of two differences, each also with
itself. A shift by :math:`\delta` shifts those means by as much, so with :math:`A_{(c)}` the
:math:`c`-th largest of them for standard normal differences the test rejects exactly if
:math:`\delta > -A_{(c)}`: the difference found with power :math:`1 - \beta` is the
:math:`1 - \beta` quantile of :math:`-A_{(c)}`, which is simulated. The power of the t-test, as
``statsmodels.stats.power`` has it, is nearly the same for many datasets; for few it promises what a
test on ranks cannot keep, such as significance on five datasets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlmlm.statistics._input import check_alpha, check_datasets
from mlmlm.statistics._pairwise import sign_flip_distribution
from mlmlm.statistics._ranks import critical_distance

_CELLS_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class Sensitivity:
    """What the tests of some methods on some datasets could have found.

    Attributes
    ----------
    n_methods, n_datasets : int
        Numbers of them.
    n_comparisons : int
        How many pairs are tested together.
    alpha : float
        Level of significance.
    power : float
        With which probability a difference is to be found.
    critical_distance : float
        The smallest significant difference of average ranks, by Nemenyi's test.
    smallest_p_value : float
        Wilcoxon's, of a method that is better on all datasets.
    smallest_adjusted_p_value : float
        The same by Holm's correction, if it is the smallest of all.
    least_datasets : int
        With fewer datasets no pair can be significant by Wilcoxon's test and Holm's correction.
    standardized_difference : float or None
        The smallest true mean difference, in standard deviations of the differences, that
        Wilcoxon's test finds with this power as the first of Holm's; None if it can find nothing.
    """

    n_methods: int
    n_datasets: int
    n_comparisons: int
    alpha: float
    power: float
    critical_distance: float
    smallest_p_value: float
    smallest_adjusted_p_value: float
    least_datasets: int
    standardized_difference: float | None


def sensitivity(
    n_methods: int,
    n_datasets: int,
    against_control: bool,
    alpha: float = 0.05,
    power: float = 0.8,
    n_draws: int = 10_000,
    seed: int = 0,
) -> Sensitivity:
    """The smallest difference that could have been found.

    Parameters
    ----------
    n_methods : int
        Number of methods, two or more.
    n_datasets : int
        Number of datasets, three or more.
    against_control : bool
        Whether one method is tested against the others, or all pairs are.
    alpha : float, default=0.05
        Level of significance.
    power : float, default=0.8
        With which probability a difference is to be found.
    n_draws : int, default=10000
        How many studies are simulated.
    seed : int, default=0
        Of the simulation.

    Examples
    --------
    >>> few = sensitivity(n_methods=8, n_datasets=6, against_control=True)
    >>> few.smallest_adjusted_p_value, few.least_datasets, few.standardized_difference
    (0.21875, 9, None)
    """
    if not 0 < power < 1:
        raise ValueError(f"power must be between 0 and 1, for example 0.8, got {power}")
    check_datasets(n_datasets)
    distance = critical_distance(n_methods, n_datasets, alpha)
    n_comparisons = n_methods - 1 if against_control else n_methods * (n_methods - 1) // 2
    smallest = _smallest_p_value(n_datasets)
    return Sensitivity(
        n_methods=n_methods,
        n_datasets=n_datasets,
        n_comparisons=n_comparisons,
        alpha=alpha,
        power=power,
        critical_distance=distance,
        smallest_p_value=smallest,
        smallest_adjusted_p_value=min(1.0, n_comparisons * smallest),
        least_datasets=least_datasets(n_comparisons, alpha),
        standardized_difference=_standardized_difference(
            n_datasets, alpha / n_comparisons, power, n_draws, np.random.default_rng(seed)
        ),
    )


def least_datasets(n_comparisons: int, alpha: float = 0.05) -> int:
    """The number of datasets below which Wilcoxon's test with Holm's correction finds nothing.

    >>> least_datasets(n_comparisons=1), least_datasets(n_comparisons=16)
    (6, 10)
    """
    check_alpha(alpha)
    if n_comparisons < 1:
        raise ValueError(f"n_comparisons must be 1 or more, got {n_comparisons}")
    n_datasets = 1
    while n_comparisons * _smallest_p_value(n_datasets) > alpha:
        n_datasets += 1
    return n_datasets


def _smallest_p_value(n_datasets: int) -> float:
    return float(2.0 ** (1 - n_datasets))


def _standardized_difference(
    n_datasets: int, alpha: float, power: float, n_draws: int, rng: np.random.Generator
) -> float | None:
    tails = np.cumsum(sign_flip_distribution(np.arange(1, n_datasets + 1)))
    # By symmetry R+ is as often t below its largest value as it is t: this many t are rejected.
    rejected = int(np.sum(2 * tails <= alpha))
    if rejected == 0:
        return None
    n_means = n_datasets * (n_datasets + 1) // 2
    rows, columns = np.triu_indices(n_datasets)
    needed = []
    at_once = max(1, _CELLS_AT_ONCE // n_means)
    for start in range(0, n_draws, at_once):
        draws = rng.standard_normal((min(at_once, n_draws - start), n_datasets))
        means = (draws[:, rows] + draws[:, columns]) / 2
        # All but rejected - 1 of the means must be positive; in rising order that is this one.
        needed.append(-np.partition(means, rejected - 1, axis=1)[:, rejected - 1])
    return float(np.quantile(np.concatenate(needed), power))
