r"""Bayesian signed-rank test with a region of practical equivalence.

The differences :math:`d_1, \ldots, d_n` of two methods are draws from an unknown distribution,
the prior of which is a Dirichlet process of strength :math:`s = 1/2` on the point :math:`d_0 = 0`.
Then a draw from the posterior is a distribution with mass :math:`w_i` on :math:`d_i`, where

.. math:: (w_0, w_1, \ldots, w_n) \sim \mathrm{Dirichlet}(s, 1, \ldots, 1)

[1]_. As Wilcoxon's test looks at the means of all pairs of differences (its statistic is the
number of those that are positive), this one asks on which side of the region
:math:`[-\rho, \rho]` the mean of two independent differences lies:

.. math:: \theta_{better} = \sum_{i,j} w_i w_j\, H(d_i + d_j - 2 \rho), \qquad
          \theta_{worse} = \sum_{i,j} w_i w_j\, H(-d_i - d_j - 2 \rho)

with :math:`H` 1 above, 0 below, and 1/2 at 0, and :math:`\theta_{equivalent}` the rest. The
posterior probability that the first method is practically better is the share of draws for which
:math:`\theta_{better}` is the largest of the three, and so on [2]_. Draws in which two are equally
large are shared between them. With :math:`\rho = 0` a zero counts half for either side, and nothing
is left for equivalence.

Draws are the rows of a matrix :math:`W`, and the sums those of :math:`(W H) \circ W`: a product of
matrices. (``baycomp``, by authors of [2]_, does the same in a loop over the draws, gives a tie to
the one that rounding favours, and needs matplotlib.)

References
----------
.. [1] A. Benavoli, F. Mangili, G. Corani, M. Zaffalon, F. Ruggeri, "A Bayesian Wilcoxon signed-rank
   test based on the Dirichlet process", ICML 2014.
.. [2] A. Benavoli, G. Corani, J. Demšar, M. Zaffalon, "Time for a Change: a Tutorial for Comparing
   Multiple Classifiers Through Bayesian Analysis", Journal of Machine Learning Research 18, 2017.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mlmlm.statistics._input import FloatArray, pair, without_noise

_PRIOR_STRENGTH = 0.5


@dataclass(frozen=True)
class BayesianSignedRank:
    """What is to be believed of two methods.

    Attributes
    ----------
    first, second : Hashable
        The methods.
    n_datasets : int
        Number of datasets.
    rope : float
        Differences up to this much are of no practical importance.
    better, equivalent, worse : float
        Probabilities, of sum 1, that the first method is practically better than the second, as
        good, and worse.
    """

    first: Hashable
    second: Hashable
    n_datasets: int
    rope: float
    better: float
    equivalent: float
    worse: float


def bayesian_signed_rank(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    lower_is_better: bool,
    rope: float,
    n_draws: int = 50_000,
    seed: int = 0,
) -> BayesianSignedRank:
    r"""Probabilities that a method is practically better than another, as good, and worse.

    Parameters
    ----------
    first, second : array-like of shape (n_datasets,)
        Values of the two methods on the same three datasets or more, in the same order, none
        missing. The name of a Series is the name of the method.
    lower_is_better : bool
        Whether smaller values are better.
    rope : float
        Half the width of the region of practical equivalence, in the unit of the values: what
        difference is too small to matter. 0.01 is usual for shares such as accuracy.
    n_draws : int, default=50000
        Number of draws from the posterior. The error of a probability :math:`p` is about
        :math:`\sqrt{p (1 - p) / n_{draws}}`, 0.002 at the most.
    seed : int, default=0
        The same seed gives the same draws, for any methods on as many datasets.

    Examples
    --------
    >>> first = [0.83, 0.71, 0.90, 0.66, 0.75]
    >>> second = [0.80, 0.66, 0.91, 0.60, 0.72]
    >>> bayesian_signed_rank(first, second, lower_is_better=False, rope=0.01).better > 0.9
    True
    """
    if not (np.isfinite(rope) and rope >= 0):
        raise ValueError(f"rope must be 0 or a positive number, for example 0.01, got {rope}")
    the_pair = pair(first, second, lower_is_better)
    weights = np.random.default_rng(seed).dirichlet(
        [_PRIOR_STRENGTH] + [1] * the_pair.n_datasets, n_draws
    )
    better, equivalent, worse = _shares(weights, the_pair.differences, rope)
    return BayesianSignedRank(
        the_pair.first, the_pair.second, the_pair.n_datasets, rope, better, equivalent, worse
    )


def _shares(weights: FloatArray, differences: FloatArray, rope: float) -> tuple[float, ...]:
    """Shares of the draws for which each of better, equivalent and worse is the largest."""
    points = np.concatenate([[0.0], differences])
    sums = points[:, None] + points
    largest = max(float(np.max(np.abs(sums))), rope)
    above, below = (
        np.heaviside(without_noise(side - 2 * rope, largest), 0.5) for side in (sums, -sums)
    )
    better, worse = (np.sum(weights @ side * weights, axis=1) for side in (above, below))
    thetas = np.column_stack([better, 1 - better - worse, worse])
    largest_ones = thetas == thetas.max(axis=1, keepdims=True)
    shares = largest_ones / largest_ones.sum(axis=1, keepdims=True)
    return tuple(float(share) for share in shares.mean(axis=0))
