"""Claims of the paper's section 4 Experiments and Results, and 4.1 Experimental Setup."""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim
from experiments.analysis.numbers.claims.rank_checks import references_are
from experiments.analysis.numbers.claims.run_checks import local_rcut_predicts_fewer
from experiments.analysis.numbers.claims.vocabulary import DRB, EXPERIMENTS, SCORING, SETUP
from experiments.analysis.numbers.metrics import BIPARTITION, RANKING

CLAIMS = (
    Claim(
        "set-01",
        f"{EXPERIMENTS}, outline",
        "For the ranking-based comparison, we compare three DRB methods and four reference "
        "methods.",
        "The ranking-based comparison has three distance-regression and four reference methods.",
        references_are(4, RANKING, SCORING),
    ),
    Claim(
        "set-02",
        f"{EXPERIMENTS}, outline",
        "For the bipartition-based comparison, we compare all four DRB methods and 13 reference "
        "methods.",
        "The bipartition-based comparison has four distance-regression and 13 reference methods.",
        references_are(13, BIPARTITION, DRB),
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
        reading="in the mean of the five small datasets",
    ),
)
