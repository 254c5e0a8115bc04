"""Claims of the paper's section 4.2.1 Ranking-based metrics."""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim
from experiments.analysis.numbers.claims.rank_checks import (
    best_rank,
    first_group,
    friedman_rejected,
    largest_lead_on,
    not_significant,
    rank_better,
    significant,
    strongest_on,
)
from experiments.analysis.numbers.claims.value_checks import (
    lowest_novelty,
    nearly_perfect,
    no_novel_label_vectors,
    novelty_is,
    wins_fall_with_novelty,
    wins_on,
    wins_on_most,
)
from experiments.analysis.numbers.claims.vocabulary import (
    BR,
    CONCLUSION,
    COVERAGE,
    LLS,
    LOSS,
    ML,
    ON_RANKING,
    ONE_ERROR,
    PRECISION,
    SCORING,
)
from experiments.analysis.numbers.metrics import RANKING

# Sentences that make several statements.
HIGHEST_RANKS = (
    "ML-MLM have the highest average ranks for the Ranking Loss and Coverage metrics and the "
    "differences to ML-kNN and HOMER are statistically significant."
)
BR_HIGHEST = "For One Error and Average Precision, BR-MLM has the highest rank."
FIRST_GROUP = (
    "For these metrics, BR-MLM and ML-MLM are both in the first group, thus having no "
    "statistically significant differences."
)
DIFFERS_FROM_TWO = (
    "Also, for these two ranking-based metrics, ML-MLM differs statistically from the ML-kNN and "
    "HOMER."
)
RF_PCT_BETTER = (
    "For example, RF-PCT has better ranking performance than ML-MLM for the Delicious (0.972) and "
    "Enron (0.389) datasets."
)

CLAIMS = (
    Claim(
        "rank-01",
        f"{ON_RANKING}, overview",
        "For all four ranking-based metrics, the Friedman null hypothesis was rejected with a "
        "clear margin.",
        "The Friedman null hypothesis is rejected with a clear margin on all four metrics.",
        friedman_rejected(RANKING),
        reading="p < 0.001",
    ),
    Claim(
        "rl-01",
        f"{ON_RANKING}, Figure 2 Ranking Loss",
        HIGHEST_RANKS,
        "ML-MLM has the best average rank in Ranking Loss.",
        best_rank(LOSS, ML),
    ),
    Claim(
        "rl-02",
        f"{ON_RANKING}, Figure 2 Ranking Loss",
        HIGHEST_RANKS,
        "The difference of ML-MLM to ML-kNN in Ranking Loss is statistically significant.",
        significant(LOSS, ML, "ML-kNN"),
    ),
    Claim(
        "rl-03",
        f"{ON_RANKING}, Figure 2 Ranking Loss",
        HIGHEST_RANKS,
        "The difference of ML-MLM to HOMER in Ranking Loss is statistically significant.",
        significant(LOSS, ML, "HOMER"),
    ),
    Claim(
        "cov-01",
        f"{ON_RANKING}, Figure 2 Coverage",
        HIGHEST_RANKS,
        "ML-MLM has the best average rank in Coverage.",
        best_rank(COVERAGE, ML),
    ),
    Claim(
        "cov-02",
        f"{ON_RANKING}, Figure 2 Coverage",
        HIGHEST_RANKS,
        "The difference of ML-MLM to ML-kNN in Coverage is statistically significant.",
        significant(COVERAGE, ML, "ML-kNN"),
    ),
    Claim(
        "cov-03",
        f"{ON_RANKING}, Figure 2 Coverage",
        HIGHEST_RANKS,
        "The difference of ML-MLM to HOMER in Coverage is statistically significant.",
        significant(COVERAGE, ML, "HOMER"),
    ),
    Claim(
        "cov-04",
        f"{ON_RANKING}, Figure 2 Coverage",
        "In addition, there is a statistically significant difference between ML-MLM and LLS-MLM "
        "with respect to Coverage.",
        "The difference of ML-MLM to LLS-MLM in Coverage is statistically significant.",
        significant(COVERAGE, ML, LLS),
    ),
    Claim(
        "oe-01",
        f"{ON_RANKING}, Figure 2 One Error",
        BR_HIGHEST,
        "BR-MLM has the best average rank in One Error.",
        best_rank(ONE_ERROR, BR),
    ),
    Claim(
        "oe-02",
        f"{ON_RANKING}, Figure 2 One Error",
        FIRST_GROUP,
        "BR-MLM and ML-MLM are in the first group of One Error and do not differ significantly.",
        first_group(ONE_ERROR, BR, ML),
    ),
    Claim(
        "oe-03",
        f"{ON_RANKING}, Figure 2 One Error",
        DIFFERS_FROM_TWO,
        "ML-MLM differs statistically from ML-kNN in One Error.",
        significant(ONE_ERROR, ML, "ML-kNN"),
    ),
    Claim(
        "oe-04",
        f"{ON_RANKING}, Figure 2 One Error",
        DIFFERS_FROM_TWO,
        "ML-MLM differs statistically from HOMER in One Error.",
        significant(ONE_ERROR, ML, "HOMER"),
    ),
    Claim(
        "ap-01",
        f"{ON_RANKING}, Figure 2 Average Precision",
        BR_HIGHEST,
        "BR-MLM has the best average rank in Average Precision.",
        best_rank(PRECISION, BR),
    ),
    Claim(
        "ap-02",
        f"{ON_RANKING}, Figure 2 Average Precision",
        FIRST_GROUP,
        "BR-MLM and ML-MLM are in the first group of Average Precision and do not differ "
        "significantly.",
        first_group(PRECISION, BR, ML),
    ),
    Claim(
        "ap-03",
        f"{ON_RANKING}, Figure 2 Average Precision",
        DIFFERS_FROM_TWO,
        "ML-MLM differs statistically from ML-kNN in Average Precision.",
        significant(PRECISION, ML, "ML-kNN"),
    ),
    Claim(
        "ap-04",
        f"{ON_RANKING}, Figure 2 Average Precision",
        DIFFERS_FROM_TWO,
        "ML-MLM differs statistically from HOMER in Average Precision.",
        significant(PRECISION, ML, "HOMER"),
    ),
    Claim(
        "rank-02",
        f"{ON_RANKING}, Tables 3-6",
        "All DRB methods have nearly perfect scores for all ranking-based metrics for the Tmc2007 "
        "dataset.",
        "All distance-regression methods are nearly perfect on Tmc2007 in all ranking metrics.",
        nearly_perfect("tmc2007", SCORING),
        reading="within 0.005 of the best possible value, for coverage within 0.5 percent",
    ),
    Claim(
        "rank-03",
        f"{ON_RANKING}, Table 1",
        "this dataset has L_n = 0, which means that all the label vectors in the test set were "
        "presented in the training set.",
        "Tmc2007 has L_n = 0: all label vectors of its test set are in its training set.",
        no_novel_label_vectors("tmc2007"),
        describes=True,
    ),
    Claim(
        "rank-04",
        f"{ON_RANKING}, Table 1",
        "Furthermore, consider the top four datasets with the lowest ratio L_n/N_ts: Tmc2007 (0), "
        "Scene (0.001), Emotions (0.020), and Yeast (0.041).",
        "The lowest ratios L_n / N_ts are those of Tmc2007 (0), Scene (0.001), Emotions (0.020) "
        "and Yeast (0.041).",
        lowest_novelty({"tmc2007": 0, "scene": 0.001, "emotions": 0.020, "yeast": 0.041}),
        describes=True,
    ),
    Claim(
        "rank-05",
        f"{ON_RANKING}, Tables 3-6",
        "For these datasets, ML-MLM outperforms the state-of-the-art RF-PCT method for all "
        "ranking-based metrics.",
        "On Tmc2007, Scene, Emotions and Yeast ML-MLM outperforms RF-PCT in all ranking metrics.",
        wins_on(("tmc2007", "scene", "emotions", "yeast"), RANKING, ML, "RF-PCT"),
    ),
    Claim(
        "rank-06",
        f"{ON_RANKING}, Tables 1 and 3-6",
        "This trend can also be observed at the upper end of the L_n/N_ts ratios.",
        "The advantage over RF-PCT follows L_n / N_ts up to its upper end.",
        wins_fall_with_novelty(ML, "RF-PCT"),
        reading="the number of ranking metrics won falls with the ratio, Spearman's one-sided "
        "p < 0.05",
    ),
    Claim(
        "rank-07",
        f"{ON_RANKING}, Tables 3-6",
        RF_PCT_BETTER,
        "RF-PCT has better ranking performance than ML-MLM on Delicious.",
        wins_on(("delicious",), RANKING, "RF-PCT", ML),
        reading="in all four ranking metrics",
        or_read_as={"in most of them": wins_on_most(("delicious",), RANKING, "RF-PCT", ML)},
    ),
    Claim(
        "rank-08",
        f"{ON_RANKING}, Tables 3-6",
        RF_PCT_BETTER,
        "RF-PCT has better ranking performance than ML-MLM on Enron.",
        wins_on(("enron",), RANKING, "RF-PCT", ML),
        reading="in all four ranking metrics",
        or_read_as={"in most of them": wins_on_most(("enron",), RANKING, "RF-PCT", ML)},
    ),
    Claim(
        "rank-09",
        f"{ON_RANKING}, Table 1",
        RF_PCT_BETTER,
        "L_n / N_ts is 0.972 for Delicious and 0.389 for Enron.",
        novelty_is({"delicious": 0.972, "enron": 0.389}),
        describes=True,
    ),
    Claim(
        "rank-10",
        f"{ON_RANKING}, Figure 2",
        "According to the results, ML-MLM's performance is the strongest for Coverage.",
        "Among the ranking metrics ML-MLM is strongest in Coverage.",
        strongest_on(COVERAGE, RANKING, ML),
        reading="its average rank is best there",
    ),
    Claim(
        "rank-11",
        f"{ON_RANKING}, Figure 2",
        "Based on solely the average ranks, an average rank difference between ML-MLM and RF-PCT "
        "is largest for Coverage.",
        "The difference of the average ranks of ML-MLM and RF-PCT is largest for Coverage.",
        largest_lead_on(COVERAGE, RANKING, ML, "RF-PCT"),
    ),
    Claim(
        "rank-12",
        f"{ON_RANKING}, summary; {CONCLUSION}",
        "In summary, for the ranking-based metrics, there are no statistically significant "
        "differences between ML-MLM and RF-PCT.",
        "On the ranking metrics ML-MLM and RF-PCT do not differ significantly.",
        not_significant(RANKING, ML, "RF-PCT"),
    ),
    Claim(
        "rank-13",
        f"{ON_RANKING}, summary",
        "However, ML-MLM has a better average rank than RF-PCT for each of the metrics.",
        "ML-MLM has a better average rank than RF-PCT on each of the ranking metrics.",
        rank_better(RANKING, ML, "RF-PCT"),
    ),
)
