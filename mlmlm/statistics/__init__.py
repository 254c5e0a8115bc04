"""Comparison of methods over datasets: numbers, of which tables, texts and pictures are made.

Everything takes a table, methods by datasets, or the values of two methods on the same datasets
in the same order, and says whether the lower is the better. The dataset is the unit: where a
method was run on several folds of a dataset, its mean over them is its one value there.

- `average_ranks` and `win_tie_loss` describe, whatever the number of datasets.
- `compare_ranks` asks whether the methods differ at all (Friedman, Iman-Davenport) and which pairs
  do (Nemenyi, critical distance, cliques).
- `wilcoxon`, `wilcoxon_against_control` and `wilcoxon_all_pairs` test pairs, with Holm's
  correction.
- `bayesian_signed_rank` gives the probabilities that a method is better, as good, or worse.
- `effect_sizes` says how large a difference is, with bootstrap intervals.
- `sensitivity` says how small a difference could have been found at all.
- `corrected_resampled_t_test` is for two methods on one dataset, resampled.

A test over datasets needs `LEAST_DATASETS` or more and raises ValueError with fewer. None of the
functions guesses what a missing value would have been: they raise ValueError and name it.
"""

from mlmlm.statistics._bayesian import BayesianSignedRank, bayesian_signed_rank
from mlmlm.statistics._effect_sizes import EffectSizes, Estimate, Interval, effect_sizes
from mlmlm.statistics._input import LEAST_DATASETS
from mlmlm.statistics._pairwise import (
    PairTest,
    PairTests,
    wilcoxon,
    wilcoxon_against_control,
    wilcoxon_all_pairs,
)
from mlmlm.statistics._power import Sensitivity, least_datasets, sensitivity
from mlmlm.statistics._ranks import (
    Friedman,
    RankComparison,
    Significance,
    average_ranks,
    cliques,
    compare_ranks,
    critical_distance,
    friedman_chi_square,
    iman_davenport,
    nemenyi_p_values,
    tie_factor,
)
from mlmlm.statistics._resampled import ResampledTTest, corrected_resampled_t_test
from mlmlm.statistics._wins import WinTieLoss, win_tie_loss

__all__ = [
    "LEAST_DATASETS",
    "BayesianSignedRank",
    "EffectSizes",
    "Estimate",
    "Friedman",
    "Interval",
    "PairTest",
    "PairTests",
    "RankComparison",
    "ResampledTTest",
    "Sensitivity",
    "Significance",
    "WinTieLoss",
    "average_ranks",
    "bayesian_signed_rank",
    "cliques",
    "compare_ranks",
    "corrected_resampled_t_test",
    "critical_distance",
    "effect_sizes",
    "friedman_chi_square",
    "iman_davenport",
    "least_datasets",
    "nemenyi_p_values",
    "sensitivity",
    "tie_factor",
    "wilcoxon",
    "wilcoxon_against_control",
    "wilcoxon_all_pairs",
    "win_tie_loss",
]
