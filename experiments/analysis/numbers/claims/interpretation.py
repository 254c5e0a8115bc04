"""Claims of the paper's section 4.3 Assessing uncertainty and interpreting ML-MLM."""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim
from experiments.analysis.numbers.claims.refit_checks import (
    equals_nearest_with_local_rcut,
    far_from_the_inputs,
    gains_at_most_with_local_rcut,
    nearest_has_the_weight,
)
from experiments.analysis.numbers.claims.rules import NOT_MUCH
from experiments.analysis.numbers.claims.run_checks import (
    accuracy_falls_by_category,
    accuracy_rises_by_chance_only,
    mostly_extrapolates,
    worse_with_distance,
)
from experiments.analysis.numbers.claims.value_checks import (
    among_largest,
    better_on,
    falls_with_distance,
    gains_at_most,
    largest_distance,
    largest_power,
    nearly_perfect,
    power_is,
    powers_spread,
    smallest_distance,
    smallest_power,
    values_differ,
)
from experiments.analysis.numbers.claims.vocabulary import (
    ABSTRACT,
    ACCURACY,
    INTRODUCTION,
    ML,
    NN,
    ON_INTERPRETATION,
    SCORING,
)
from experiments.analysis.numbers.metrics import BIPARTITION

# Sentences that make several statements.
SMALLEST_AND_LARGEST = (
    "The smallest value was set for the Scene dataset (P = 4), while the largest value was set for "
    "the Medical dataset (P ≈ 222.9)."
)
LARGE_POWERS = (
    "ML-MLM may select large power parameter values for highly different types of datasets, such "
    "as Bibtex (P = 128) and Tmc2007 (P = 59.7)."
)
NEAREST_ON_TMC2007 = (
    "we can interpret for Tmc2007 that ML-MLM does not benefit much from increasing the "
    "contribution of other reference points in the convex combination, since the nearest predicted "
    "neighbor already contains a significant amount of information for a nearly optimal "
    "prediction."
)
EXTRAPOLATION_ON_BIBTEX = (
    "Since both the predicted distances and the power parameter are large for Bibtex, ML-MLM is "
    "mostly extrapolating and does not benefit much from combining label information from multiple "
    "reference points."
)
UNCERTAINTY = (
    "For a given instance, the predicted distance can be used directly as an uncertainty estimate "
    "of how reliable the ranking or classification is."
)
INTERPOLATION = (
    "Distance regression model's overall interpolation ability is strongest for Tmc2007 and worst "
    "for Delicious."
)

CLAIMS = (
    Claim(
        "int-01",
        f"{ON_INTERPRETATION}, Table 2",
        "we can see that the selected power parameter values vary significantly between the "
        "datasets.",
        "The selected power parameters vary significantly between the datasets.",
        powers_spread(10),
        reading="the largest is at least ten times the smallest",
    ),
    Claim(
        "int-02",
        f"{ON_INTERPRETATION}, Table 2",
        SMALLEST_AND_LARGEST,
        "The smallest power is that of Scene.",
        smallest_power("scene"),
        describes=True,
    ),
    Claim(
        "int-03",
        f"{ON_INTERPRETATION}, Table 2",
        SMALLEST_AND_LARGEST,
        "On Scene P = 4.",
        power_is("scene", 2.0),
        describes=True,
    ),
    Claim(
        "int-04",
        f"{ON_INTERPRETATION}, Table 2",
        SMALLEST_AND_LARGEST,
        "The largest power is that of Medical.",
        largest_power("medical"),
        describes=True,
    ),
    Claim(
        "int-05",
        f"{ON_INTERPRETATION}, Table 2",
        SMALLEST_AND_LARGEST,
        "On Medical P is about 222.9.",
        power_is("medical", 7.8),
        describes=True,
    ),
    Claim(
        "int-06",
        f"{ON_INTERPRETATION}, power parameter",
        "In the latter, ML-MLM is predicting the set of labels highly similar to NN-MLM, since "
        "almost all the weight is given to the predicted nearest neighbor.",
        "On Medical almost all the weight is given to the predicted nearest neighbor.",
        nearest_has_the_weight(0.99, "medical"),
        reading="99 percent or more, in the mean of the test rows",
    ),
    Claim(
        "int-07",
        f"{ON_INTERPRETATION}, power parameter",
        "We verified this for Medical by comparing bipartition-based metric results between NN-MLM "
        "and ML-MLM with the local RCut thresholding. The results for this comparison were "
        "identical.",
        "With local RCut ML-MLM has exactly NN-MLM's bipartition results on Medical.",
        equals_nearest_with_local_rcut("medical", BIPARTITION),
    ),
    Claim(
        "int-08",
        f"{ON_INTERPRETATION}, Tables 7-10",
        "The results regarding Medical and the ML-MLM and NN-MLM methods ... are different due to "
        "ML-MLM's using the cardinality-based thresholding",
        "With its own thresholding ML-MLM's results on Medical differ from NN-MLM's.",
        values_differ("medical", BIPARTITION, ML, NN),
        reading="on each of the four metrics",
    ),
    Claim(
        "int-09",
        f"{ON_INTERPRETATION}, Tables 7-10",
        "For the Medical dataset, NN-MLM gives better results for three out of four metrics",
        "On Medical NN-MLM is better than ML-MLM on three of four metrics.",
        better_on(3, "medical", BIPARTITION, NN, ML),
    ),
    Claim(
        "int-10",
        f"{ON_INTERPRETATION}, Table 2",
        LARGE_POWERS,
        "On Bibtex P = 128.",
        power_is("bibtex", 7.0),
        describes=True,
    ),
    Claim(
        "int-11",
        f"{ON_INTERPRETATION}, Table 2",
        LARGE_POWERS,
        "On Tmc2007 P = 59.7.",
        power_is("tmc2007", 5.9),
        describes=True,
    ),
    Claim(
        "int-12",
        f"{ON_INTERPRETATION}, Table 2",
        LARGE_POWERS,
        "Bibtex and Tmc2007 have large powers.",
        among_largest("power", 3, "bibtex", "tmc2007"),
        reading="with that of Medical the three largest",
        describes=True,
    ),
    Claim(
        "int-13",
        f"{ON_INTERPRETATION}, power parameter",
        NEAREST_ON_TMC2007,
        "On Tmc2007 ML-MLM does not benefit much from reference points other than the nearest.",
        gains_at_most(NOT_MUCH, "tmc2007", BIPARTITION, ML, over=NN),
        reading="it gains at most 0.02 over NN-MLM on each bipartition metric, each method with "
        "its own thresholding",
        or_read_as={
            "the same with local RCut for both, which leaves only the combining": (
                gains_at_most_with_local_rcut(NOT_MUCH, "tmc2007", BIPARTITION)
            )
        },
    ),
    Claim(
        "int-14",
        f"{ON_INTERPRETATION}, power parameter",
        NEAREST_ON_TMC2007,
        "On Tmc2007 the nearest neighbor is informative enough for a nearly optimal prediction.",
        nearly_perfect("tmc2007", SCORING),
        reading="ranking metrics within 0.005 of the best possible value, coverage 0.5 percent",
    ),
    Claim(
        "int-15",
        f"{ON_INTERPRETATION}, Table 2",
        EXTRAPOLATION_ON_BIBTEX,
        "The predicted distances of Bibtex are large.",
        among_largest("distance", 5, "bibtex"),
        reading="among the five largest means",
        describes=True,
    ),
    Claim(
        "int-16",
        f"{ON_INTERPRETATION}, power parameter",
        EXTRAPOLATION_ON_BIBTEX,
        "On Bibtex ML-MLM is mostly extrapolating.",
        mostly_extrapolates("bibtex"),
        reading="more than half the test rows are in the text's highest category of distance",
    ),
    Claim(
        "int-17",
        f"{ON_INTERPRETATION}, power parameter",
        EXTRAPOLATION_ON_BIBTEX,
        "On Bibtex ML-MLM does not benefit much from combining several reference points.",
        gains_at_most(NOT_MUCH, "bibtex", BIPARTITION, ML, over=NN),
        reading="it gains at most 0.02 over NN-MLM on each bipartition metric, each method with "
        "its own thresholding",
        or_read_as={
            "the same with local RCut for both, which leaves only the combining": (
                gains_at_most_with_local_rcut(NOT_MUCH, "bibtex", BIPARTITION)
            )
        },
    ),
    Claim(
        "int-18",
        f"{ON_INTERPRETATION}, uncertainty; {ABSTRACT}; {INTRODUCTION}",
        UNCERTAINTY,
        "A row's predicted distance tells how reliable its classification is.",
        worse_with_distance("accuracy_per_row", grows=False),
        reading="accuracy correlates negatively with it on every dataset, Spearman's one-sided "
        "p < 0.05",
    ),
    Claim(
        "int-19",
        f"{ON_INTERPRETATION}, uncertainty; {ABSTRACT}; {INTRODUCTION}",
        UNCERTAINTY,
        "A row's predicted distance tells how reliable its ranking is.",
        worse_with_distance("ranking_loss_per_row", grows=True),
        reading="ranking loss correlates positively with it on every dataset, Spearman's one-sided "
        "p < 0.05",
    ),
    Claim(
        "int-20",
        f"{ON_INTERPRETATION}, uncertainty",
        "In this way, the predictions could be straightforwardly categorized in different "
        "uncertainty categories (e.g., low: distance < 1, medium: 1 < distance < √2, high: "
        "distance >√2) based on the predicted distance(s).",
        "Predictions can be categorized by distance into low, medium and high uncertainty.",
        accuracy_falls_by_category(),
        reading="accuracy falls from category to category on every dataset, where both have 30 "
        "rows or more",
        or_read_as={
            "it nowhere rises by more than chance, by Welch's one-sided tests with Holm's "
            "correction": (accuracy_rises_by_chance_only())
        },
    ),
    Claim(
        "int-21",
        f"{ON_INTERPRETATION}, uncertainty",
        "Moreover, for a given dataset, we could use the squared predicted distance to "
        "characterize the difficulty of the ML problem in an intuitive way.",
        "The mean squared distance characterizes the difficulty of a dataset.",
        falls_with_distance(ACCURACY, ML),
        reading="ML-MLM's accuracy falls with it, Spearman's one-sided p < 0.05",
    ),
    Claim(
        "int-22",
        f"{ON_INTERPRETATION}, Figure 4",
        INTERPOLATION,
        "The interpolation ability is strongest for Tmc2007.",
        smallest_distance("tmc2007"),
        reading="the smallest mean squared distance",
        describes=True,
    ),
    Claim(
        "int-23",
        f"{ON_INTERPRETATION}, Figure 4",
        INTERPOLATION,
        "The interpolation ability is worst for Delicious.",
        largest_distance("delicious"),
        reading="the largest mean squared distance",
        describes=True,
    ),
    Claim(
        "int-24",
        f"{ON_INTERPRETATION}, uncertainty",
        "Higher distances reflect that the instance is probably far away from the data and the "
        "model is extrapolating.",
        "A large predicted distance means that a row is far from the data.",
        far_from_the_inputs(at_least=0.0),
        reading="it correlates positively with the distance to the nearest training input on "
        "every dataset, Spearman's one-sided p < 0.05",
        or_read_as={
            "so strongly that one stands for the other: by 0.5 or more on every dataset": (
                far_from_the_inputs(at_least=0.5)
            )
        },
    ),
)
