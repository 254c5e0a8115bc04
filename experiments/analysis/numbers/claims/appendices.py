"""Claims of the paper's appendices B Evaluation metrics and C Power parameter effects."""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim, cannot_be_judged
from experiments.analysis.numbers.claims.refit_checks import (
    best_power_on_yeast,
    falls_before_the_best_power,
    rises_after_the_best_power,
)
from experiments.analysis.numbers.claims.run_checks import macro_f1_is_a_harmonic_mean
from experiments.analysis.numbers.claims.value_checks import coverage_counts_from_one
from experiments.analysis.numbers.claims.vocabulary import ON_METRICS, ON_POWERS

# Sentences that make several statements.
OPTIMAL_POWER = (
    "For a smaller P values, Ranking Loss decreases until it reaches the optimal value at P = 13."
)

CLAIMS = (
    Claim(
        "app-01",
        f"{ON_METRICS}, Coverage",
        "Another popular ranking-based metric, coverage, is defined as ... this metric represents "
        "steps required to capture all actual labels from the ranking.",
        "Coverage counts the labels down to the last relevant one from 1, as in its equation.",
        coverage_counts_from_one(),
        reading="in the tables it is then nowhere below the label cardinality",
        describes=True,
    ),
    Claim(
        "app-02",
        f"{ON_METRICS}, Macro F1",
        "other popular bipartition-based MLC metrics are Micro F1 and Macro F1 ... which are "
        "defined via the harmonic mean of the corresponding recall and precision",
        "Macro F1 is the harmonic mean of macro precision and macro recall.",
        macro_f1_is_a_harmonic_mean(),
        reading="ours computed so equals the printed value more often than the mean of F1",
        describes=True,
    ),
    Claim(
        "pow-01",
        f"{ON_POWERS}, Figure 5b",
        OPTIMAL_POWER,
        "On Yeast's test set Ranking Loss has its optimal value at P = 13.",
        best_power_on_yeast(13),
    ),
    Claim(
        "pow-02",
        f"{ON_POWERS}, Figure 5b",
        OPTIMAL_POWER,
        "For smaller P Ranking Loss decreases until it reaches the optimum.",
        falls_before_the_best_power(),
        reading="at whole P it never rises before its own smallest value",
    ),
    Claim(
        "pow-03",
        f"{ON_POWERS}, Figure 5b",
        "After this point, the Ranking Loss starts to slightly increase",
        "After the optimum Ranking Loss starts to increase slightly.",
        rises_after_the_best_power(at_most=0.1),
        reading="at P = 256 it is larger than its smallest value, by at most a tenth",
    ),
    Claim(
        "pow-04",
        f"{ON_POWERS}, Figure 5a",
        "In the illustration, the smallest predicted distance is near to √2 which corresponds to "
        "two label difference.",
        "The smallest of the eight distances shown is near sqrt(2), two labels' difference.",
        cannot_be_judged("the text does not say which eight distances were drawn"),
        describes=True,
    ),
)
