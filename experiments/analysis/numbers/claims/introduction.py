"""Claims of the paper's section 1 Introduction."""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim
from experiments.analysis.numbers.claims.rank_checks import (
    not_behind,
    not_behind_the_best,
    rank_better,
    significant,
)
from experiments.analysis.numbers.claims.refit_checks import (
    new_label_sets_are_better,
    predicts_new_label_sets,
)
from experiments.analysis.numbers.claims.vocabulary import (
    ALL,
    DISCUSSION,
    DRB,
    INTRODUCTION,
    ML,
    NN,
)

CLAIMS = (
    Claim(
        "intro-01",
        f"{INTRODUCTION}, evidence",
        "the distance regression-based methods clearly outperform multi-label kNN (ML-kNN)",
        "The distance-regression methods clearly outperform ML-kNN.",
        rank_better(ALL, DRB, "ML-kNN"),
        reading="each has a better average rank on each metric",
        or_read_as={"each is significantly better on each metric": significant(ALL, DRB, "ML-kNN")},
    ),
    Claim(
        "intro-02",
        f"{INTRODUCTION}, evidence",
        "ML-MLM and other distance regression-based methods are competitive with the "
        "state-of-the-art for small to moderate-sized MLC problems",
        "ML-MLM and the other distance-regression methods are competitive with the state of the "
        "art.",
        not_behind(ALL, DRB, "RF-PCT"),
        reading="on no metric is one significantly behind RF-PCT, which the text calls the state "
        "of the art",
        or_read_as={
            "on no metric is one significantly behind the best reference method": (
                not_behind_the_best(ALL, DRB, own=DRB)
            )
        },
    ),
    Claim(
        "intro-03",
        f"{INTRODUCTION}, contributions; {DISCUSSION}",
        "the proposed method can predict new combinations of labels, while NN-MLM is limited to "
        "the label sets seen in the training data.",
        "ML-MLM can predict label sets that training does not have, and NN-MLM cannot.",
        predicts_new_label_sets(ML, unlike=NN),
        reading="it does, on the datasets of up to 5,000 rows",
        or_read_as={
            "it does so to advantage: where it predicts a new label set, for 30 rows or more, "
            "that is more accurate than NN-MLM's": new_label_sets_are_better(ML)
        },
    ),
)
