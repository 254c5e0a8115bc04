"""Claims of the paper's section 5 Discussion."""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim, cannot_be_judged
from experiments.analysis.numbers.claims.cost_checks import distances_take_longer
from experiments.analysis.numbers.claims.rank_checks import (
    best_among_on_most,
    best_mean_among,
    differs_only_on,
    no_row,
    not_significant,
    rank_better,
)
from experiments.analysis.numbers.claims.refit_checks import (
    local_rcut_beats_half,
    local_rcut_beats_half_on_most,
    solves_multilateration,
    solves_multilateration_as_often,
)
from experiments.analysis.numbers.claims.rules import NOT_MUCH
from experiments.analysis.numbers.claims.value_checks import close
from experiments.analysis.numbers.claims.vocabulary import (
    ALL,
    COVERAGE,
    DISCUSSION,
    DRB,
    LLS,
    LOSS,
    ML,
    NN,
    OTHER_DRB,
    SCORING,
    SETUP,
)
from experiments.analysis.numbers.metrics import BIPARTITION, RANKING

# Sentences that make several statements.
NEAREST_IS_CLOSE = (
    "based on highly similar classification results ... for the LLS-MLM and NN-MLM, this "
    "simple nearest neighbor based heuristic is very close to solving the multilateration "
    "problem similarly as the more complex LLS approach."
)
RANKING_IMPROVED = (
    "When comparing ML-MLM to LLS-MLM, ML-MLM improves the ranking performance for the metrics "
    "Ranking Loss and Coverate."
)

CLAIMS = (
    Claim(
        "disc-01",
        f"{DISCUSSION}, thresholding",
        "Note that this does not add complexity to the prediction if local RCut thresholds a DRB "
        "model with the same core distance regression model.",
        "Local RCut adds no complexity to the prediction of a method on the same regression.",
        distances_take_longer(NN, times=10),
        reading="measured on the large datasets, distances take ten times as long as the rest of "
        "NN-MLM, which it needs",
    ),
    Claim(
        "disc-02",
        f"{DISCUSSION}, thresholding; {SETUP}",
        "We observed that the local RCut thresholding outperforms the standard fixed 0.5 "
        "thresholding for the DRB methods.",
        "Local RCut outperforms a fixed threshold of 0.5 for the distance-regression methods.",
        local_rcut_beats_half(SCORING, BIPARTITION),
        reading="for each method with scores and each metric, in the mean of the datasets of up "
        "to 5,000 rows",
        or_read_as={
            "for each method on most metrics": local_rcut_beats_half_on_most(SCORING, BIPARTITION)
        },
    ),
    Claim(
        "disc-03",
        f"{DISCUSSION}, distance-regression methods",
        "The proposed method ML-MLM performed overall better than the other DRB methods in the "
        "comparison based on the average ranks.",
        "By average ranks ML-MLM is overall better than the other distance-regression methods.",
        best_among_on_most(ALL, ML, DRB),
        reading="the best of them on more than half the metrics",
        or_read_as={
            "the best mean of the average ranks, over the ranking metrics and over the "
            "bipartition metrics": best_mean_among((RANKING, BIPARTITION), ML, DRB)
        },
    ),
    Claim(
        "disc-04",
        f"{DISCUSSION}, distance-regression methods",
        "However, ML-MLM was statistically different from other DRB methods only regarding the "
        "Coverage metric.",
        "ML-MLM is statistically different from other distance-regression methods only in "
        "Coverage.",
        differs_only_on(COVERAGE, ALL, ML, OTHER_DRB),
    ),
    Claim(
        "disc-05",
        f"{DISCUSSION}, distance-regression methods",
        NEAREST_IS_CLOSE,
        "LLS-MLM and NN-MLM have highly similar classification results.",
        close(NOT_MUCH, BIPARTITION, LLS, NN),
        reading="no two values differ by more than 0.02",
    ),
    Claim(
        "disc-11",
        f"{DISCUSSION}, distance-regression methods",
        NEAREST_IS_CLOSE,
        "NN-MLM is very close to solving the multilateration problem, as LLS-MLM is.",
        solves_multilateration(NN, share=0.5),
        reading="its label set is the solution for most test rows, tried on the datasets of up to "
        "14 labels",
        or_read_as={
            "it is the solution as often as that of LLS-MLM, within 0.02": (
                solves_multilateration_as_often(NN, LLS, NOT_MUCH)
            )
        },
    ),
    Claim(
        "disc-06",
        f"{DISCUSSION}, distance-regression methods",
        "Based on plainly on these results, there seems to be no reason to use LLS-MLM instead of "
        "NN-MLM.",
        "By these results there is no reason to use LLS-MLM instead of NN-MLM.",
        not_significant(BIPARTITION, LLS, NN),
        reading="they do not differ significantly on any metric",
    ),
    Claim(
        "disc-07",
        f"{DISCUSSION}, distance-regression methods",
        "However, the main limitation of NN-MLM is that it is not able to provide the "
        "ranking/scoring of the predicted labels",
        "NN-MLM provides no ranking of the labels.",
        no_row(RANKING, NN),
        describes=True,
    ),
    Claim(
        "disc-08",
        f"{DISCUSSION}, value of ML-MLM",
        RANKING_IMPROVED,
        "ML-MLM improves the ranking performance of LLS-MLM in Ranking Loss.",
        rank_better(LOSS, ML, than=LLS),
        reading="a better average rank",
    ),
    Claim(
        "disc-09",
        f"{DISCUSSION}, value of ML-MLM",
        RANKING_IMPROVED,
        "ML-MLM improves the ranking performance of LLS-MLM in Coverage.",
        rank_better(COVERAGE, ML, than=LLS),
        reading="a better average rank",
    ),
    Claim(
        "disc-10",
        f"{DISCUSSION}, value of ML-MLM",
        "Moreover, the prediction phase time complexity of ML-MLM is linear with respect to the "
        "number of labels compared to the quadratic time complexity of LLS-MLM.",
        "ML-MLM's prediction is linear in the number of labels, LLS-MLM's quadratic.",
        cannot_be_judged("datasets differ in all sizes at once: exponents of L cannot be told"),
    ),
)
