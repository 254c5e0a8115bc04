"""Comparison of several methods over several datasets: Friedman, Iman-Davenport, Nemenyi.

On each dataset the methods are ranked, the best gets 1 and ties share their mean rank; the tests
ask whether the average ranks differ by more than chance. `compare_ranks` gives one
`RankComparison`, from which diagrams, texts and tables are made.

References
----------
.. [1] J. Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets", Journal of
   Machine Learning Research 7, 2006, pp. 1-30.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from mlmlm.statistics._input import check_alpha, check_table


class Significance(NamedTuple):
    """A statistic and the probability of one at least as large if no method differs."""

    statistic: float
    p_value: float


@dataclass(frozen=True)
class Friedman:
    """The Friedman test in its four forms.

    Attributes
    ----------
    chi_square, f : Significance
        Friedman's chi-square and Iman and Davenport's F as in [1]_, which leave ties aside.
    chi_square_ties, f_ties : Significance
        The same, corrected for ties.
    """

    chi_square: Significance
    chi_square_ties: Significance
    f: Significance
    f_ties: Significance


@dataclass(frozen=True, eq=False)
class RankComparison:
    """All that ranks say of some methods on some datasets.

    Attributes
    ----------
    average_ranks : Series
        By method, the best first.
    n_datasets : int
        Number of datasets the methods were ranked on.
    alpha : float
        Level of significance.
    friedman : Friedman
        Whether the methods differ at all.
    critical_distance : float
        Two methods differ significantly if their average ranks do by at least this much.
    p_values : DataFrame
        Nemenyi's, methods by methods, in the order of ``average_ranks``.
    cliques : tuple of tuples
        Maximal groups of methods that do not differ significantly; see `cliques`.
    """

    average_ranks: pd.Series
    n_datasets: int
    alpha: float
    friedman: Friedman
    critical_distance: float
    p_values: pd.DataFrame
    cliques: tuple[tuple[Hashable, ...], ...]

    @property
    def n_methods(self) -> int:
        return len(self.average_ranks)

    @property
    def rejected(self) -> bool:
        """Whether the Friedman test (with ties) lets the pairs be looked at."""
        return self.friedman.chi_square_ties.p_value <= self.alpha

    def differ(self, one: Hashable, other: Hashable) -> bool:
        """Whether two methods differ significantly, in whichever direction."""
        distance = abs(self.average_ranks[one] - self.average_ranks[other])
        return bool(distance >= self.critical_distance)


def compare_ranks(
    table: pd.DataFrame, lower_is_better: bool, alpha: float = 0.05
) -> RankComparison:
    """Compare methods over datasets by their ranks.

    With two methods a rank says no more than who won, and the Friedman test is a sign test: of
    two methods `wilcoxon` tells more.

    Parameters
    ----------
    table : DataFrame of shape (n_methods, n_datasets)
        One measure of each method on each of three datasets or more, with no value missing.
    lower_is_better : bool
        Whether the smallest value of a dataset is the best.
    alpha : float, default=0.05
        Level of significance.

    Returns
    -------
    RankComparison

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame(
    ...     {"a": [0.9, 0.8, 0.7], "b": [0.8, 0.6, 0.6], "c": [0.7, 0.5, 0.4]}, ["x", "y", "z"]
    ... )
    >>> compare_ranks(table, lower_is_better=False).average_ranks.round(2).to_dict()
    {'x': 1.0, 'y': 2.17, 'z': 2.83}
    """
    check_table(table)
    ranks = _ranks(table, lower_is_better)
    means = ranks.mean(axis=1).sort_values(kind="stable")
    n_methods, n_datasets = ranks.shape
    distance = critical_distance(n_methods, n_datasets, alpha)
    return RankComparison(
        average_ranks=means,
        n_datasets=n_datasets,
        alpha=alpha,
        friedman=_friedman(ranks),
        critical_distance=distance,
        p_values=nemenyi_p_values(means, n_datasets),
        cliques=cliques(means, distance),
    )


def average_ranks(table: pd.DataFrame, lower_is_better: bool) -> pd.Series:
    """Mean over the datasets of each method's rank; 1 is the best, ties share their mean rank.

    This describes and tests nothing, so one dataset is enough.

    Parameters
    ----------
    table : DataFrame of shape (n_methods, n_datasets)
        One measure of each method on each dataset, with no value missing.
    lower_is_better : bool
        Whether the smallest value of a dataset is the best.

    Returns
    -------
    Series
        By method, in the order of the table.
    """
    check_table(table, least_datasets=1)
    return _ranks(table, lower_is_better).mean(axis=1)


def tie_factor(ranks: pd.DataFrame) -> float:
    r"""What ties leave of the variance of the ranks: 1 without ties, 0 if all is tied.

    With :math:`t` the sizes of the groups of tied methods, over all of the :math:`N` datasets,

    .. math:: 1 - \frac{\sum_t (t^3 - t)}{N k (k^2 - 1)}.

    Parameters
    ----------
    ranks : DataFrame of shape (n_methods, n_datasets)
        Rank of each method on each dataset, or any values with the same ties.
    """
    k, N = ranks.shape
    sizes = np.concatenate([np.unique(ranks[name], return_counts=True)[1] for name in ranks])
    return float(1 - np.sum(sizes**3 - sizes) / (N * k * (k**2 - 1)))


def friedman_chi_square(
    average_ranks: pd.Series, n_datasets: int, factor: float = 1.0
) -> Significance:
    r"""Friedman's test that all methods are equivalent.

    With the average ranks :math:`R_j` of :math:`k` methods on :math:`N` datasets,

    .. math:: \chi_F^2 = \frac{12 N}{k (k + 1)} \left(\sum_j R_j^2 - \frac{k (k+1)^2}{4}\right)

    follows the chi-square distribution with :math:`k - 1` degrees of freedom [1]_.

    Parameters
    ----------
    average_ranks : Series
        By method.
    n_datasets : int
        Number of datasets.
    factor : float, default=1
        The `tie_factor`, which the statistic is divided by to correct it for ties.

    References
    ----------
    .. [1] Demšar 2006, section 3.2.2.
    """
    k = len(average_ranks)
    # About the mean rank, which is the printed formula without its cancellation.
    spread = float(np.sum((np.asarray(average_ranks) - (k + 1) / 2) ** 2))
    # Where all is tied there is no spread and no factor either: nothing differs.
    statistic = 12 * n_datasets / (k * (k + 1)) * spread / factor if spread else 0.0
    return Significance(statistic, float(stats.chi2.sf(statistic, k - 1)))


def iman_davenport(chi_square: float, n_methods: int, n_datasets: int) -> Significance:
    r"""Iman and Davenport's F, because Friedman's chi-square is too conservative.

    .. math:: F_F = \frac{(N - 1) \chi_F^2}{N (k - 1) - \chi_F^2}

    follows the F distribution with :math:`k - 1` and :math:`(k - 1)(N - 1)` degrees of freedom
    [1]_. It is infinite where all datasets agree on the ranks.

    References
    ----------
    .. [1] Demšar 2006, section 3.2.2.
    """
    k, N = n_methods, n_datasets
    rest = N * (k - 1) - chi_square
    # What rounding leaves of a zero is a zero.
    agreed = rest <= 1e-9 * N * (k - 1)
    statistic = np.inf if agreed else (N - 1) * chi_square / rest
    return Significance(float(statistic), float(stats.f.sf(statistic, k - 1, (k - 1) * (N - 1))))


def critical_distance(n_methods: int, n_datasets: int, alpha: float = 0.05) -> float:
    r"""Difference of two average ranks from which on it is significant, by Nemenyi's test.

    .. math:: CD = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}}

    where :math:`q_\alpha` is the quantile of the studentized range for :math:`k` groups and
    infinite degrees of freedom, divided by :math:`\sqrt 2` [1]_.

    References
    ----------
    .. [1] Demšar 2006, section 3.2.2 and Table 5(a).
    """
    _check_counts(n_methods, n_datasets)
    check_alpha(alpha)
    quantile = stats.studentized_range.ppf(1 - alpha, n_methods, np.inf)
    return float(quantile / np.sqrt(2) * _standard_error(n_methods, n_datasets))


def nemenyi_p_values(average_ranks: pd.Series, n_datasets: int) -> pd.DataFrame:
    r"""Nemenyi's p-value of each pair of methods.

    The probability that the studentized range for :math:`k` groups and infinite degrees of freedom
    exceeds

    .. math:: \sqrt 2\, |R_i - R_j| \Big/ \sqrt{\frac{k (k + 1)}{6 N}}

    and so at most :math:`\alpha` where the ranks differ by the `critical_distance` or more.

    Parameters
    ----------
    average_ranks : Series
        By method.
    n_datasets : int
        Number of datasets.

    Returns
    -------
    DataFrame
        Methods by methods, in the order of ``average_ranks``; 1 on the diagonal.
    """
    k = len(average_ranks)
    ranks = np.asarray(average_ranks, dtype=np.float64)
    rows, columns = np.triu_indices(k, 1)
    distances = np.abs(ranks[rows] - ranks[columns])
    ranges = np.sqrt(2) * distances / _standard_error(k, n_datasets)
    table = np.ones((k, k))
    # The integrals are numerical, and may miss the ends of [0, 1] by the last digits.
    table[rows, columns] = np.clip(stats.studentized_range.sf(ranges, k, np.inf), 0, 1)
    table[columns, rows] = table[rows, columns]
    return pd.DataFrame(table, average_ranks.index, average_ranks.index)


def cliques(average_ranks: pd.Series, critical_distance: float) -> tuple[tuple[Hashable, ...], ...]:
    """Maximal groups of methods no two of which differ significantly.

    In order of rank a group is a run of neighbours, because whoever is between two methods is
    nearer to both than they are to each other. So there is at most one maximal group for each
    method that begins one: as far as the critical distance reaches, if that is farther than the
    group before it did.

    Parameters
    ----------
    average_ranks : Series
        By method.
    critical_distance : float
        Methods differ significantly if their ranks do by at least this much.

    Returns
    -------
    tuple of tuples of methods
        Groups and the methods in them from the best rank on. Every method is in one at least; a
        method that differs from all others is a group of its own.
    """
    ordered = average_ranks.sort_values(kind="stable")
    ranks = ordered.to_numpy()
    groups: list[tuple[Hashable, ...]] = []
    reached = 0
    for first, rank in enumerate(ranks):
        end = first + int(np.sum(ranks[first:] - rank < critical_distance))
        if end > reached:
            groups.append(tuple(ordered.index[first:end]))
            reached = end
    return tuple(groups)


def _ranks(table: pd.DataFrame, lower_is_better: bool) -> pd.DataFrame:
    return table.rank(axis=0, method="average", ascending=lower_is_better)


def _friedman(ranks: pd.DataFrame) -> Friedman:
    k, N = ranks.shape
    means = ranks.mean(axis=1)
    plain = friedman_chi_square(means, N)
    ties = friedman_chi_square(means, N, tie_factor(ranks))
    return Friedman(
        chi_square=plain,
        chi_square_ties=ties,
        f=iman_davenport(plain.statistic, k, N),
        f_ties=iman_davenport(ties.statistic, k, N),
    )


def _standard_error(n_methods: int, n_datasets: int) -> float:
    """Of the difference of two average ranks."""
    return float(np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))


def _check_counts(n_methods: int, n_datasets: int) -> None:
    if n_methods < 2 or n_datasets < 1:
        raise ValueError(
            f"ranks need 2 or more methods and a dataset, got {n_methods} and {n_datasets}"
        )
