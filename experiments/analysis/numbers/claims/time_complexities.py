"""Claims of the paper's section 4.4 Time complexities of distance regression based methods."""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim
from experiments.analysis.numbers.claims.cost_checks import (
    PREDICTION,
    PREDICTION_FORMULAS,
    TRAINING,
    TRAINING_FORMULAS,
    WITH_DISTANCES_OF_EACH_LABEL,
    decomposition_ignores_labels,
    decomposition_is_cubic,
    distances_dominate,
    distances_take_longer,
    fastest_in,
    formula_ignores_labels,
    highest_by_formula,
    label_models_fit_the_bound,
    least_squares_dominate,
    lighter_in_prediction,
    lowest_by_formula,
    one_decomposition_per_label,
    own_prediction_dominates,
    slowest_in,
    step_two_needs_only_relevant_labels,
    tuning_is_shorter,
)
from experiments.analysis.numbers.claims.rules import MANY_LABELS
from experiments.analysis.numbers.claims.vocabulary import (
    BR,
    CONCLUSION,
    DISCUSSION,
    DRB,
    LLS,
    ML,
    NN,
    ON_COSTS,
)

CLAIMS = (
    Claim(
        "cost-01",
        f"{ON_COSTS}, training; {CONCLUSION}",
        "Distance regression step with Moore-Penrose pseudoinverse has a O(NK^2) time complexity. "
        "... the time complexity for LLS-MLM, ML-MLM, and NN-MLM is O(N^3) for datasets that have "
        "N distinct input instances.",
        "The distance regression step takes O(N K^2), O(N^3) with distinct inputs.",
        decomposition_is_cubic(margin=0.3),
        reading="measured on the large datasets, the exponent is 3 within 0.3",
    ),
    Claim(
        "cost-02",
        f"{ON_COSTS}, training; {CONCLUSION}",
        "the proposed method's training time complexity is independent of the number of labels",
        "It does not depend on the number of labels.",
        formula_ignores_labels(TRAINING_FORMULAS, ML),
        reading="of the distance regression, by the formulas of the section",
        or_read_as={
            "of the distance regression: measured on the large datasets, seconds over K^3 vary by "
            "less than 1.5": decomposition_ignores_labels(factor=1.5),
            "of all its training: the choice of P and of the threshold, whose sums are over "
            "labels, nowhere takes longer than the distance regression": tuning_is_shorter(),
        },
    ),
    Claim(
        "cost-03",
        f"{ON_COSTS}, training",
        "training time complexity for BR-MLM is O(LN^3), since a distinct Moore-Penrose "
        "pseudoinverse is needed for each label.",
        "BR-MLM needs a distinct pseudoinverse for each label, which makes O(L N^3).",
        one_decomposition_per_label(BR),
        reading="measured on the large datasets, what it adds to the common distance regression "
        "takes longer than one decomposition",
    ),
    Claim(
        "cost-04",
        f"{ON_COSTS}, training",
        "Therefore, for the DBR methods, the BR-MLM method has the highest time complexity in "
        "training due to the L dependency.",
        "Of the distance-regression methods BR-MLM has the highest cost in training.",
        highest_by_formula(TRAINING_FORMULAS, BR),
        reading="by the formulas of the section, with a pseudoinverse for each label",
        or_read_as={
            "of what it needs, one decomposition for all labels: measured on the large datasets, "
            "beside the common distance regression": slowest_in(TRAINING, BR, DRB)
        },
    ),
    Claim(
        "cost-05",
        f"{ON_COSTS}, LLS prediction",
        "Therefore, for a large number of labels, this cost dominates the overall time complexity, "
        "and it has to be considered in MLC problems.",
        "For many labels LLS-MLM's least squares dominate the cost of its prediction.",
        least_squares_dominate(MANY_LABELS),
        reading="by the formulas of the section, a least-squares problem for each row, with 300 "
        "labels or more",
        or_read_as={
            "of what it needs, one factor for all rows: measured with 300 labels or more, against "
            "the prediction of distances": own_prediction_dominates(LLS, MANY_LABELS)
        },
    ),
    Claim(
        "cost-06",
        f"{ON_COSTS}, LLS prediction; {DISCUSSION}",
        "Thus, in the MLC context, ML-MLM has a lighter computational cost than LLS with respect "
        "to the number of labels.",
        "ML-MLM's prediction is lighter than LLS-MLM's with respect to the number of labels.",
        highest_by_formula({name: PREDICTION_FORMULAS[name] for name in (ML, LLS)}, LLS),
        reading="by the formulas of the section",
        or_read_as={
            "measured with 300 labels or more, beside the prediction of distances": (
                lighter_in_prediction(ML, LLS, MANY_LABELS)
            )
        },
    ),
    Claim(
        "cost-07",
        f"{ON_COSTS}, NN-MLM prediction",
        "For the DBR methods, NN-MLM is the fastest in prediction",
        "NN-MLM is the fastest in prediction.",
        lowest_by_formula(WITH_DISTANCES_OF_EACH_LABEL, NN),
        reading="by the formulas of the section, that of BR-MLM corrected to L N^2",
        or_read_as={
            "measured on the large datasets, beside the prediction of distances": fastest_in(
                PREDICTION, NN, DRB
            )
        },
    ),
    Claim(
        "cost-08",
        f"{ON_COSTS}, NN-MLM prediction",
        "However, due to the distance prediction step, the overall computational complexity is "
        "still O(N^2) for the NN-MLM.",
        "NN-MLM's cost of prediction is that of the distances.",
        distances_dominate(NN),
        reading="by the formulas of the section",
        or_read_as={
            "measured on the large datasets, they take longer than the rest of it": (
                distances_take_longer(NN)
            )
        },
    ),
    Claim(
        "cost-09",
        f"{ON_COSTS}, ML-MLM prediction",
        "Similar to NN-MLM, ML-MLM's prediction time complexity is driven by the distance "
        "prediction step.",
        "ML-MLM's cost of prediction is driven by the prediction of distances.",
        distances_dominate(ML),
        reading="by the formulas of the section",
        or_read_as={
            "measured on the large datasets, they take longer than the rest of it": (
                distances_take_longer(ML)
            )
        },
    ),
    Claim(
        "cost-10",
        f"{ON_COSTS}, ML-MLM prediction",
        "A naive implementation of step 2 ... requires O(KN) cost. However, similar to NN-MLM, "
        "this can be reduced to O(C_u L_u)",
        "Step 2 of Algorithm 2, O(K N), can be reduced to O(C_u L_u).",
        step_two_needs_only_relevant_labels(),
        reading="products of one row, counted from N, L_u and the cardinality of Table 1",
    ),
    Claim(
        "cost-11",
        f"{ON_COSTS}, BR-MLM prediction",
        "In addition to training, the BR-MLM method also has the highest computational cost for "
        "prediction.",
        "BR-MLM has the highest computational cost in prediction.",
        highest_by_formula(PREDICTION_FORMULAS, BR),
        reading="by the formulas of the section, its own L^2 N beside LLS-MLM's L^2 N + N^2",
        or_read_as={
            "with L N^2 for L models that predict distances": highest_by_formula(
                WITH_DISTANCES_OF_EACH_LABEL, BR
            ),
            "measured on the large datasets, beside the prediction of distances": slowest_in(
                PREDICTION, BR, DRB
            ),
        },
    ),
    Claim(
        "cost-12",
        f"{ON_COSTS}, BR-MLM prediction",
        "The time complexity for BR-MLM's prediction is O(L^2N) because distance predictions are "
        "estimated for each label separately with L models.",
        "BR-MLM's prediction is O(L^2 N), because L models predict distances separately.",
        label_models_fit_the_bound(),
        reading="L models at the O(N^2) that the section gives for a prediction of distances",
    ),
)
