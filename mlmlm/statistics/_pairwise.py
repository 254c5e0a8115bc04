r"""Wilcoxon's signed-rank test of pairs of methods, exact, with Holm's correction.

The differences :math:`d_i` of two methods on :math:`n` datasets are ranked by their absolute value,
ties share their mean rank, and

.. math:: R^+ = \sum_{d_i > 0} r_i + \frac 1 2 \sum_{d_i = 0} r_i, \qquad
          R^- = \sum_{d_i < 0} r_i + \frac 1 2 \sum_{d_i = 0} r_i,

which is Demšar's treatment of zeros [1]_ (``zero_method="zsplit"`` in SciPy), save that of an odd
number of zeros none is left out. If the methods do not differ, each :math:`d_i` that is not 0 is as
likely to have the one sign as the other; the ranks stay. So the distribution of the sum of the
positive ranks is that of :math:`\sum_i b_i r_i` over the :math:`d_i \ne 0` with fair coins
:math:`b_i`, the coefficients of :math:`\prod_i (1 + x^{r_i}) / 2`. Doubled, mean ranks are whole
numbers, and multiplying out the product takes :math:`O(n^3)` steps instead of :math:`2^n` (the
shift algorithm [2]_). The p-value is exact whatever the ties; SciPy's is for :math:`n \le 13` or
without ties, and an approximation for the rest.

References
----------
.. [1] J. Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets", Journal of
   Machine Learning Research 7, 2006, section 3.1.3.
.. [2] B. Streitberg, J. Röhmel, "Exact Distributions for Permutation and Rank Tests", Statistical
   Software Newsletter 12, 1986, pp. 10-17.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import asdict, dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats
from statsmodels.stats.multitest import multipletests

from mlmlm.statistics._input import FloatArray, check_alpha, check_table, pair


@dataclass(frozen=True)
class PairTest:
    """Wilcoxon's signed-rank test of two methods.

    Attributes
    ----------
    first, second : Hashable
        The methods.
    n_datasets : int
        Number of datasets.
    n_ties : int
        On how many of them the two are equal.
    rank_sum_better, rank_sum_worse : float
        Sums of the ranks of the datasets where the first is better and where it is worse.
    p_value : float
        Two-sided and exact: the probability of sums at least so unequal if neither is better. It
        is 1 where the two are equal on all datasets.
    adjusted_p_value : float
        The same by Holm's correction for all the tests that were made together.
    """

    first: Hashable
    second: Hashable
    n_datasets: int
    n_ties: int
    rank_sum_better: float
    rank_sum_worse: float
    p_value: float
    adjusted_p_value: float

    @property
    def better(self) -> Hashable | None:
        """The method with the larger sum of ranks, significantly or not; None if they are equal."""
        if self.rank_sum_better == self.rank_sum_worse:
            return None
        return self.first if self.rank_sum_better > self.rank_sum_worse else self.second


@dataclass(frozen=True)
class PairTests:
    """Tests of several pairs of methods, made together.

    Attributes
    ----------
    tests : tuple of PairTest
        One for each pair.
    control : Hashable or None
        The first method of all pairs; None where all pairs were tested.
    alpha : float
        Level of significance, of the tests together.
    """

    tests: tuple[PairTest, ...]
    control: Hashable | None
    alpha: float

    @property
    def significant(self) -> tuple[PairTest, ...]:
        """The pairs that differ."""
        return tuple(test for test in self.tests if test.adjusted_p_value <= self.alpha)

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each test with its fields as columns."""
        return pd.DataFrame([asdict(test) for test in self.tests])


def wilcoxon(first: npt.ArrayLike, second: npt.ArrayLike, lower_is_better: bool) -> PairTest:
    """Wilcoxon's signed-rank test of two methods.

    Parameters
    ----------
    first, second : array-like of shape (n_datasets,)
        Values of the two methods on the same three datasets or more, in the same order, none
        missing. The name of a Series is the name of the method.
    lower_is_better : bool
        Whether smaller values are better.

    Examples
    --------
    >>> wilcoxon([3, 5, 6, 8, 9], [1, 2, 2, 3, 3], lower_is_better=False).p_value
    0.0625
    """
    the_pair = pair(first, second, lower_is_better)
    differences = the_pair.differences
    better, worse = rank_sums(differences)
    p_value = _exact_p_value(differences)
    return PairTest(
        first=the_pair.first,
        second=the_pair.second,
        n_datasets=the_pair.n_datasets,
        n_ties=int(np.sum(differences == 0)),
        rank_sum_better=float(better),
        rank_sum_worse=float(worse),
        p_value=p_value,
        adjusted_p_value=p_value,
    )


def wilcoxon_against_control(
    table: pd.DataFrame, control: Hashable, lower_is_better: bool, alpha: float = 0.05
) -> PairTests:
    """Wilcoxon's test of a control method against each other, by Holm's correction for them all.

    Parameters
    ----------
    table : DataFrame of shape (n_methods, n_datasets)
        One measure of each method on each of three datasets or more, with no value missing.
    control : Hashable
        The method, a row of the table, that is the first of all pairs.
    lower_is_better : bool
        Whether the smallest value of a dataset is the best.
    alpha : float, default=0.05
        Level of significance.
    """
    if control not in table.index:
        raise ValueError(
            f"the control method {control!r} is not in the table; it has {list(table.index)}"
        )
    pairs = [(control, other) for other in table.index if other != control]
    return _together(table, pairs, control, lower_is_better, alpha)


def wilcoxon_all_pairs(
    table: pd.DataFrame, lower_is_better: bool, alpha: float = 0.05
) -> PairTests:
    """Wilcoxon's test of each two methods, by Holm's correction for all pairs.

    Parameters
    ----------
    table : DataFrame of shape (n_methods, n_datasets)
        One measure of each method on each of three datasets or more, with no value missing.
    lower_is_better : bool
        Whether the smallest value of a dataset is the best.
    alpha : float, default=0.05
        Level of significance.
    """
    return _together(table, combinations(table.index, 2), None, lower_is_better, alpha)


def rank_sums(differences: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sums of ranks of the positive and of the negative differences, along the last axis."""
    ranks = stats.rankdata(np.abs(differences), axis=-1)
    signed = np.sum(ranks * np.sign(differences), axis=-1)
    total = np.sum(ranks, axis=-1)
    return (total + signed) / 2, (total - signed) / 2


def sign_flip_distribution(ranks: npt.NDArray[np.int64]) -> FloatArray:
    """Probability of each sum of ranks, from 0 on, if each counts or not by a fair coin."""
    probabilities = np.zeros(int(ranks.sum()) + 1)
    probabilities[0] = 1
    for rank in ranks:
        shifted = np.roll(probabilities, rank)  # what comes round at the end is still 0
        probabilities = (probabilities + shifted) / 2
    return probabilities


def _exact_p_value(differences: FloatArray) -> float:
    doubled = np.rint(2 * stats.rankdata(np.abs(differences))).astype(np.int64)
    better, worse = doubled[differences > 0].sum(), doubled[differences < 0].sum()
    probabilities = sign_flip_distribution(doubled[differences != 0])
    # The distribution is symmetric: one tail is the other.
    return float(min(1.0, 2 * probabilities[: min(better, worse) + 1].sum()))


def _together(
    table: pd.DataFrame,
    pairs: Iterable[tuple[Hashable, Hashable]],
    control: Hashable | None,
    lower_is_better: bool,
    alpha: float,
) -> PairTests:
    check_table(table)
    check_alpha(alpha)
    tests = [wilcoxon(table.loc[one], table.loc[other], lower_is_better) for one, other in pairs]
    adjusted = multipletests([test.p_value for test in tests], method="holm")[1]
    corrected = (
        replace(test, adjusted_p_value=float(p_value))
        for test, p_value in zip(tests, adjusted, strict=True)
    )
    return PairTests(tuple(corrected), control, alpha)
