"""Claims of the paper's abstract."""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim
from experiments.analysis.numbers.claims.rank_checks import (
    best_rank,
    not_behind,
    not_behind_the_best,
)
from experiments.analysis.numbers.claims.refit_checks import (
    exact_arithmetic_chooses_the_same,
    rounding_changes_nothing,
)
from experiments.analysis.numbers.claims.vocabulary import (
    ABSTRACT,
    ALL,
    CONCLUSION,
    DRB,
    INTRODUCTION,
    ML,
    SETUP,
)

CLAIMS = (
    Claim(
        "abs-01",
        f"{ABSTRACT}, performance; {CONCLUSION}",
        "it achieves state-of-the-art performance for small to moderate-sized multi-label "
        "learning problems",
        "ML-MLM achieves state-of-the-art performance.",
        not_behind(ALL, ML, "RF-PCT"),
        reading="on no metric significantly behind RF-PCT, which the text calls the state of the "
        "art",
        or_read_as={
            "on no metric significantly behind the best reference method": not_behind_the_best(
                ALL, ML, own=DRB
            ),
            "the best average rank on every metric": best_rank(ALL, ML),
        },
    ),
    Claim(
        "abs-02",
        f"{ABSTRACT}, determinism; {INTRODUCTION}; {SETUP}",
        "In addition to its simplicity, the proposed method is fully deterministic",
        "ML-MLM is fully deterministic.",
        rounding_changes_nothing(),
        reading="nothing in it is random: our implementation chooses the same P and predicts the "
        "same labels with any number of threads and any order of the features",
        or_read_as={
            "its choice does not hang on rounding: scores, many of which round to 1 and tie, "
            "choose the P that log-odds choose, which do not": exact_arithmetic_chooses_the_same()
        },
    ),
)
