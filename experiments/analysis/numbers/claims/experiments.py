"""Claims of the paper's section 4 Experiments and Results, and 4.1 Experimental Setup."""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim
from experiments.analysis.numbers.claims.cost_checks import scores_of_all_rows_cost
from experiments.analysis.numbers.claims.rank_checks import references_are
from experiments.analysis.numbers.claims.refit_checks import (
    local_rcut_predicts_fewer,
    local_rcut_predicts_fewer_on_each,
    threshold_takes,
)
from experiments.analysis.numbers.claims.rules import MANY_LABELS
from experiments.analysis.numbers.claims.vocabulary import (
    BR,
    DRB,
    EXPERIMENTS,
    LLS,
    SCORING,
    SETUP,
)
from experiments.analysis.numbers.metrics import BIPARTITION, RANKING

CLAIMS = (
    Claim(
        "set-01",
        f"{EXPERIMENTS}, outline",
        "For the ranking-based comparison, we compare three DRB methods and four reference "
        "methods.",
        "The ranking-based comparison has three distance-regression and four reference methods.",
        references_are(4, RANKING, SCORING),
        describes=True,
    ),
    Claim(
        "set-02",
        f"{EXPERIMENTS}, outline",
        "For the bipartition-based comparison, we compare all four DRB methods and 13 reference "
        "methods.",
        "The bipartition-based comparison has four distance-regression and 13 reference methods.",
        references_are(13, BIPARTITION, DRB),
        describes=True,
    ),
    Claim(
        "set-03",
        f"{SETUP}, thresholding",
        "We experimentally compared the label-cardinalities for the predicted set of labels "
        "between the cardinality-based and local RCut thresholding approaches with ML-MLM and "
        "observed that the average predicted cardinality of the label was lower for the local RCut "
        "thresholding.",
        "With ML-MLM local RCut predicts fewer labels than the cardinality-based threshold.",
        local_rcut_predicts_fewer(),
        reading="in the mean of the datasets of up to 5,000 rows",
        or_read_as={"on each of them": local_rcut_predicts_fewer_on_each()},
    ),
    Claim(
        "set-04",
        f"{SETUP}, thresholding",
        "For the BR-MLM and LLS-MLM methods, we omitted the label cardinality-based thresholding, "
        "since it would increase the training complexity significantly for these methods.",
        "The cardinality-based threshold would make BR-MLM's training significantly costlier.",
        scores_of_all_rows_cost(BR, 0.5, MANY_LABELS),
        reading="by the text's formulas a score of each training row adds half of the training or "
        "more, with 300 labels or more",
        or_read_as={
            "measured on the datasets of up to 5,000 rows, with closed-form leave-one-out scores, "
            "it adds half of the training seconds or more in most cases": threshold_takes(
                (BR,), share=0.5
            )
        },
    ),
    Claim(
        "set-05",
        f"{SETUP}, thresholding",
        "For the BR-MLM and LLS-MLM methods, we omitted the label cardinality-based thresholding, "
        "since it would increase the training complexity significantly for these methods.",
        "The cardinality-based threshold would make LLS-MLM's training significantly costlier.",
        scores_of_all_rows_cost(LLS, 0.5, MANY_LABELS),
        reading="by the text's formulas a score of each training row adds half of the training or "
        "more, with 300 labels or more",
        or_read_as={
            "measured on the datasets of up to 5,000 rows, with closed-form leave-one-out scores, "
            "it adds half of the training seconds or more in most cases": threshold_takes(
                (LLS,), share=0.5
            )
        },
    ),
)
