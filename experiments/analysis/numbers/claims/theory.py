"""Claims of the paper's section 3 Multi-label minimal learning machine."""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim
from experiments.analysis.numbers.claims.proof_checks import (
    exact_distances_are_solved,
    nearest_need_not_solve,
)
from experiments.analysis.numbers.claims.refit_checks import (
    closed_form_chooses_as_refits,
    closed_form_does_as_well,
    closed_form_is_exact,
)
from experiments.analysis.numbers.claims.rules import NOT_MUCH
from experiments.analysis.numbers.claims.vocabulary import (
    ABSTRACT,
    FORMULATION,
    INTRODUCTION,
    SELECTION,
)

CLAIMS = (
    Claim(
        "prop-01",
        f"{FORMULATION}, Proposition 1",
        "NN-MLM does not always yield optimal solutions to the optimization problem",
        "For arbitrary distances NN-MLM need not solve the multilateration problem.",
        nearest_need_not_solve(),
        reading="the numbers of the proof, computed",
    ),
    Claim(
        "prop-02",
        f"{FORMULATION}, Proposition 1",
        "then NN-MLM returns an optimal solution to the minimization",
        "For exact distances to all label sets NN-MLM solves it.",
        exact_distances_are_solved(up_to=6),
        reading="tried for all label sets of up to six labels",
    ),
    Claim(
        "sel-01",
        f"{SELECTION}, leave-one-out; {ABSTRACT}; {INTRODUCTION}",
        "we can leverage the prediction sum of squares (PRESS) statistic to compute the LOO error "
        "in a closed form. As a result, we only need to run the MLM's training algorithm once.",
        "A closed form gives the leave-one-out error.",
        closed_form_is_exact(within=1e-6),
        reading="the row's equation is left out, while x_i and y_i stay references: distances "
        "equal those of a solution without it, Emotions and Medical",
        or_read_as={
            "the row is left out altogether, as by a fit to the other rows: the same P is "
            "chosen": closed_form_chooses_as_refits(),
        },
    ),
    Claim(
        "sel-02",
        f"{SELECTION}, leave-one-out; {ABSTRACT}; {INTRODUCTION}",
        "the LOOCV Ranking Loss (LRL) statistic for ML-MLM ... In the ML-MLM training, the "
        "least-squares problem has to be solved only once for tuning the hyper-parameter.",
        "That closed form can select the hyper-parameter in the place of cross-validation.",
        closed_form_does_as_well(NOT_MUCH),
        reading="its P and threshold are within 0.02 of those of refits without each row, in the "
        "test sets' ranking loss and accuracy, Emotions and Medical",
    ),
)
