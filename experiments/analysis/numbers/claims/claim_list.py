"""The claims: each checkable sentence of the paper's experiments, discussion and conclusion.

A sentence that makes several statements is several claims. "Highest rank" in the text means the
best one. A "better rank" is a lower average rank.
"""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim, cannot_be_judged
from experiments.analysis.numbers.claims.rank_checks import (
    best_among_on_most,
    best_rank,
    better_than_the_mean_rank,
    differs_only_on,
    first_group,
    friedman_rejected,
    larger_critical_distance,
    larger_leads_on,
    largest_lead_on,
    methods_are,
    no_row,
    not_significant,
    not_significant_on,
    rank_better,
    references_are,
    rows_exist,
    same_interpretation,
    significant,
    significantly_better_on,
    strongest_on,
    worse_than_the_mean_rank,
    worst_ranks,
)
from experiments.analysis.numbers.claims.run_checks import (
    PREDICTION,
    TRAINING,
    accuracy_falls_by_category,
    best_power_on_yeast,
    decomposition_ignores_labels,
    decomposition_is_cubic,
    distances_take_longer,
    equals_nearest_with_local_rcut,
    falls_before_the_best_power,
    fastest_in,
    greedier,
    label_models_fit_the_bound,
    lighter_in_prediction,
    local_rcut_beats_half,
    local_rcut_predicts_fewer,
    macro_f1_is_a_harmonic_mean,
    mostly_extrapolates,
    nearest_has_the_weight,
    one_decomposition_per_label,
    own_prediction_dominates,
    rises_after_the_best_power,
    slowest_in,
    step_two_needs_only_relevant_labels,
    worse_with_distance,
)
from experiments.analysis.numbers.claims.value_checks import (
    among_largest,
    best_on,
    better_on,
    close,
    coverage_counts_from_one,
    falls_with_distance,
    falls_with_labels,
    figures_differ,
    gains_at_most,
    largest_distance,
    largest_power,
    lowest_novelty,
    nearly_perfect,
    no_novel_label_vectors,
    novelty_is,
    power_is,
    powers_spread,
    small_for_all_on_most,
    smallest_distance,
    smallest_power,
    wins_fall_with_novelty,
    wins_on,
)

ML, NN, LLS, BR = "ML-MLM", "NN-MLM", "LLS-MLM", "BR-MLM"
DRB = (ML, NN, LLS, BR)
SCORING = (ML, LLS, BR)
OTHER_DRB = (NN, LLS, BR)
ENSEMBLES = ("ECC-J48", "EBR-J48", "HOMER")

LOSS, COVERAGE, ONE_ERROR, PRECISION = RANKING = (
    "ranking_loss",
    "coverage",
    "one_error",
    "average_precision",
)
ACCURACY, HAMMING, MICRO, MACRO = BIPARTITION = (
    "accuracy",
    "hamming_loss",
    "micro_f1",
    "macro_f1",
)
ALL = RANKING + BIPARTITION

INTRODUCTION = "1 Introduction"
EXPERIMENTS = "4 Experiments and Results"
SETUP = "4.1 Experimental Setup"
ON_RANKING = "4.2.1 Ranking-based metrics"
ON_BIPARTITION = "4.2.2 Bipartition-based metrics"
ON_INTERPRETATION = "4.3 Assessing uncertainty and interpreting ML-MLM"
ON_COSTS = "4.4 Time complexities of distance regression based methods"
DISCUSSION = "5 Discussion"
CONCLUSION = "6 Conclusion"
ON_METRICS = "Appendix B Evaluation metrics"
ON_POWERS = "Appendix C Power parameter effects"

NOT_MUCH = 0.02
MANY_LABELS = 300


CLAIMS = (
    # Introduction and outline
    Claim(
        "intro-01",
        f"{INTRODUCTION}, evidence",
        "The distance-regression methods clearly outperform ML-kNN.",
        significant(ALL, DRB, "ML-kNN"),
        reading="each is significantly better on each metric",
    ),
    Claim(
        "set-01",
        f"{EXPERIMENTS}, outline",
        "The ranking-based comparison has three distance-regression and four reference methods.",
        references_are(4, RANKING, SCORING),
    ),
    Claim(
        "set-02",
        f"{EXPERIMENTS}, outline",
        "The bipartition-based comparison has four distance-regression and 13 reference methods.",
        references_are(13, BIPARTITION, DRB),
    ),
    Claim(
        "set-03",
        f"{SETUP}, thresholding",
        "With ML-MLM local RCut predicts fewer labels than the cardinality-based threshold.",
        local_rcut_predicts_fewer(),
        reading="in the mean of the five small datasets",
    ),
    # Ranking-based metrics
    Claim(
        "rank-01",
        f"{ON_RANKING}, overview",
        "The Friedman null hypothesis is rejected with a clear margin on all four metrics.",
        friedman_rejected(RANKING),
        reading="p < 0.001",
    ),
    Claim(
        "rl-01",
        f"{ON_RANKING}, Figure 2 Ranking Loss",
        "ML-MLM has the best average rank in Ranking Loss.",
        best_rank(LOSS, ML),
    ),
    Claim(
        "rl-02",
        f"{ON_RANKING}, Figure 2 Ranking Loss",
        "The difference of ML-MLM to ML-kNN in Ranking Loss is statistically significant.",
        significant(LOSS, ML, "ML-kNN"),
    ),
    Claim(
        "rl-03",
        f"{ON_RANKING}, Figure 2 Ranking Loss",
        "The difference of ML-MLM to HOMER in Ranking Loss is statistically significant.",
        significant(LOSS, ML, "HOMER"),
    ),
    Claim(
        "cov-01",
        f"{ON_RANKING}, Figure 2 Coverage",
        "ML-MLM has the best average rank in Coverage.",
        best_rank(COVERAGE, ML),
    ),
    Claim(
        "cov-02",
        f"{ON_RANKING}, Figure 2 Coverage",
        "The difference of ML-MLM to ML-kNN in Coverage is statistically significant.",
        significant(COVERAGE, ML, "ML-kNN"),
    ),
    Claim(
        "cov-03",
        f"{ON_RANKING}, Figure 2 Coverage",
        "The difference of ML-MLM to HOMER in Coverage is statistically significant.",
        significant(COVERAGE, ML, "HOMER"),
    ),
    Claim(
        "cov-04",
        f"{ON_RANKING}, Figure 2 Coverage",
        "The difference of ML-MLM to LLS-MLM in Coverage is statistically significant.",
        significant(COVERAGE, ML, LLS),
    ),
    Claim(
        "oe-01",
        f"{ON_RANKING}, Figure 2 One Error",
        "BR-MLM has the best average rank in One Error.",
        best_rank(ONE_ERROR, BR),
    ),
    Claim(
        "oe-02",
        f"{ON_RANKING}, Figure 2 One Error",
        "BR-MLM and ML-MLM are in the first group of One Error and do not differ significantly.",
        first_group(ONE_ERROR, BR, ML),
    ),
    Claim(
        "oe-03",
        f"{ON_RANKING}, Figure 2 One Error",
        "ML-MLM differs statistically from ML-kNN in One Error.",
        significant(ONE_ERROR, ML, "ML-kNN"),
    ),
    Claim(
        "oe-04",
        f"{ON_RANKING}, Figure 2 One Error",
        "ML-MLM differs statistically from HOMER in One Error.",
        significant(ONE_ERROR, ML, "HOMER"),
    ),
    Claim(
        "ap-01",
        f"{ON_RANKING}, Figure 2 Average Precision",
        "BR-MLM has the best average rank in Average Precision.",
        best_rank(PRECISION, BR),
    ),
    Claim(
        "ap-02",
        f"{ON_RANKING}, Figure 2 Average Precision",
        "BR-MLM and ML-MLM are in the first group of Average Precision and do not differ "
        "significantly.",
        first_group(PRECISION, BR, ML),
    ),
    Claim(
        "ap-03",
        f"{ON_RANKING}, Figure 2 Average Precision",
        "ML-MLM differs statistically from ML-kNN in Average Precision.",
        significant(PRECISION, ML, "ML-kNN"),
    ),
    Claim(
        "ap-04",
        f"{ON_RANKING}, Figure 2 Average Precision",
        "ML-MLM differs statistically from HOMER in Average Precision.",
        significant(PRECISION, ML, "HOMER"),
    ),
    Claim(
        "rank-02",
        f"{ON_RANKING}, Tables 3-6",
        "All distance-regression methods are nearly perfect on Tmc2007 in all ranking metrics.",
        nearly_perfect("tmc2007", SCORING),
        reading="within 0.005 of the best possible value, for coverage within 0.5 percent",
    ),
    Claim(
        "rank-03",
        f"{ON_RANKING}, Table 1",
        "Tmc2007 has L_n = 0: all label vectors of its test set are in its training set.",
        no_novel_label_vectors("tmc2007"),
    ),
    Claim(
        "rank-04",
        f"{ON_RANKING}, Table 1",
        "The lowest ratios L_n / N_ts are those of Tmc2007 (0), Scene (0.001), Emotions (0.020) "
        "and Yeast (0.041).",
        lowest_novelty({"tmc2007": 0, "scene": 0.001, "emotions": 0.020, "yeast": 0.041}),
    ),
    Claim(
        "rank-05",
        f"{ON_RANKING}, Tables 3-6",
        "On Tmc2007, Scene, Emotions and Yeast ML-MLM outperforms RF-PCT in all ranking metrics.",
        wins_on(("tmc2007", "scene", "emotions", "yeast"), RANKING, ML, "RF-PCT"),
    ),
    Claim(
        "rank-06",
        f"{ON_RANKING}, Tables 1 and 3-6",
        "The advantage over RF-PCT follows L_n / N_ts up to its upper end.",
        wins_fall_with_novelty(ML, "RF-PCT"),
        reading="the number of ranking metrics won falls with the ratio, Spearman's p < 0.05",
    ),
    Claim(
        "rank-07",
        f"{ON_RANKING}, Tables 3-6",
        "RF-PCT has better ranking performance than ML-MLM on Delicious.",
        wins_on(("delicious",), RANKING, "RF-PCT", ML),
        reading="in all four ranking metrics",
    ),
    Claim(
        "rank-08",
        f"{ON_RANKING}, Tables 3-6",
        "RF-PCT has better ranking performance than ML-MLM on Enron.",
        wins_on(("enron",), RANKING, "RF-PCT", ML),
        reading="in all four ranking metrics",
    ),
    Claim(
        "rank-09",
        f"{ON_RANKING}, Table 1",
        "L_n / N_ts is 0.972 for Delicious and 0.389 for Enron.",
        novelty_is({"delicious": 0.972, "enron": 0.389}),
    ),
    Claim(
        "rank-10",
        f"{ON_RANKING}, Figure 2",
        "Among the ranking metrics ML-MLM is strongest in Coverage.",
        strongest_on(COVERAGE, RANKING, ML),
        reading="its average rank is best there",
    ),
    Claim(
        "rank-11",
        f"{ON_RANKING}, Figure 2",
        "The difference of the average ranks of ML-MLM and RF-PCT is largest for Coverage.",
        largest_lead_on(COVERAGE, RANKING, ML, "RF-PCT"),
    ),
    Claim(
        "rank-12",
        f"{ON_RANKING}, summary; {CONCLUSION}",
        "On the ranking metrics ML-MLM and RF-PCT do not differ significantly.",
        not_significant(RANKING, ML, "RF-PCT"),
    ),
    Claim(
        "rank-13",
        f"{ON_RANKING}, summary",
        "ML-MLM has a better average rank than RF-PCT on each of the ranking metrics.",
        rank_better(RANKING, ML, "RF-PCT"),
    ),
    # Bipartition-based metrics
    Claim(
        "bip-01",
        f"{ON_BIPARTITION}, overview",
        "The Friedman null hypothesis is rejected with a clear margin on all four metrics.",
        friedman_rejected(BIPARTITION),
        reading="p < 0.001",
    ),
    Claim(
        "bip-02",
        f"{ON_BIPARTITION}, overview",
        "NN-MLM, BR-J48, CC-J48, BR-Ada, BR-RF, Rakel-SVC, Rakel-SGDC, ML-kNN(d), ECC-J48, "
        "EBR-J48 and BPNN are included in this comparison.",
        rows_exist(
            BIPARTITION,
            NN,
            "BR-J48",
            "CC-J48",
            "BR-Ada",
            "BR-RF",
            "Rakel-SVC",
            "Rakel-SGDC",
            "ML-kNN(d)",
            "ECC-J48",
            "EBR-J48",
            "BPNN",
        ),
    ),
    Claim(
        "bip-03",
        f"{ON_BIPARTITION}, overview",
        "There are 17 methods in total.",
        methods_are(17, BIPARTITION),
    ),
    Claim(
        "bip-04",
        f"{ON_BIPARTITION}, overview",
        "There are eight methods in the ranking-based comparison.",
        methods_are(8, RANKING),
    ),
    Claim(
        "bip-05",
        f"{ON_BIPARTITION}, overview",
        "The critical distance is larger than in the ranking-based comparison.",
        larger_critical_distance(BIPARTITION, than=RANKING),
    ),
    Claim(
        "acc-01",
        f"{ON_BIPARTITION}, Figure 3 Accuracy",
        "ML-MLM has the best average rank in Accuracy.",
        best_rank(ACCURACY, ML),
    ),
    Claim(
        "acc-02",
        f"{ON_BIPARTITION}, Figure 3 Accuracy",
        "The difference of ML-MLM to RF-PCT in Accuracy is statistically significant.",
        significant(ACCURACY, ML, "RF-PCT"),
    ),
    Claim(
        "mic-01",
        f"{ON_BIPARTITION}, Figure 3 Micro F1",
        "ML-MLM has the best average rank in Micro F1.",
        best_rank(MICRO, ML),
    ),
    Claim(
        "mic-02",
        f"{ON_BIPARTITION}, Figure 3 Micro F1",
        "The difference of ML-MLM to RF-PCT in Micro F1 is statistically significant.",
        significant(MICRO, ML, "RF-PCT"),
    ),
    Claim(
        "mac-01",
        f"{ON_BIPARTITION}, Figure 3 Macro F1",
        "ML-MLM has the best average rank in Macro F1.",
        best_rank(MACRO, ML),
    ),
    Claim(
        "mac-02",
        f"{ON_BIPARTITION}, Figure 3 Macro F1",
        "The difference of ML-MLM to RF-PCT in Macro F1 is statistically significant.",
        significant(MACRO, ML, "RF-PCT"),
    ),
    Claim(
        "hl-01",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "BR-MLM has the best performance in Hamming Loss.",
        best_rank(HAMMING, BR),
        reading="the best average rank",
    ),
    Claim(
        "hl-02",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "BR-MLM differs significantly from ML-kNN(d) in Hamming Loss.",
        significant(HAMMING, BR, "ML-kNN(d)"),
    ),
    Claim(
        "hl-03",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "BR-MLM differs significantly from EBR-J48 in Hamming Loss.",
        significant(HAMMING, BR, "EBR-J48"),
    ),
    Claim(
        "hl-04",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "BR-MLM differs significantly from Rakel-SGDC in Hamming Loss.",
        significant(HAMMING, BR, "Rakel-SGDC"),
    ),
    Claim(
        "hl-05",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "BR-MLM differs significantly from ECC-J48 in Hamming Loss.",
        significant(HAMMING, BR, "ECC-J48"),
    ),
    Claim(
        "hl-06",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "BR-MLM differs significantly from BPNN in Hamming Loss.",
        significant(HAMMING, BR, "BPNN"),
    ),
    Claim(
        "hl-07",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "ML-MLM has a worse average rank in Hamming Loss than BR-MLM and RF-PCT.",
        rank_better(HAMMING, (BR, "RF-PCT"), than=ML),
    ),
    Claim(
        "hl-08",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "In Hamming Loss ML-MLM does not differ significantly from BR-MLM and RF-PCT.",
        not_significant(HAMMING, ML, (BR, "RF-PCT")),
    ),
    Claim(
        "bip-06",
        f"{ON_BIPARTITION}, Figure 3",
        "The distance-regression methods do not differ significantly from one another.",
        not_significant(BIPARTITION, DRB, DRB),
        reading="on all four metrics",
    ),
    Claim(
        "bip-07",
        f"{ON_BIPARTITION}, Figure 3",
        "ECC-J48, an ensemble, has a worse rank than the vanilla CC.",
        rank_better(BIPARTITION, "CC-SVM", than="ECC-J48"),
        reading="than CC-SVM, the only CC of the tables, on all four metrics",
    ),
    Claim(
        "acc-03",
        f"{ON_BIPARTITION}, Figure 3 Accuracy",
        "ECC-J48, EBR-J48 and HOMER have worse ranks than the distance-regression methods in "
        "Accuracy.",
        rank_better(ACCURACY, DRB, than=ENSEMBLES),
    ),
    Claim(
        "mic-03",
        f"{ON_BIPARTITION}, Figure 3 Micro F1",
        "ECC-J48, EBR-J48 and HOMER have worse ranks than the distance-regression methods in "
        "Micro F1.",
        rank_better(MICRO, DRB, than=ENSEMBLES),
    ),
    Claim(
        "mac-03",
        f"{ON_BIPARTITION}, Figure 3 Macro F1",
        "ECC-J48, EBR-J48 and HOMER have worse ranks than the distance-regression methods in "
        "Macro F1.",
        rank_better(MACRO, DRB, than=ENSEMBLES),
    ),
    Claim(
        "bip-08",
        f"{ON_BIPARTITION}, Figure 3",
        "In Accuracy, Micro F1 and Macro F1 ECC-J48, EBR-J48 and HOMER are statistically in the "
        "same group as the distance-regression methods.",
        not_significant((ACCURACY, MICRO, MACRO), DRB, ENSEMBLES),
        reading="no pair differs significantly",
    ),
    Claim(
        "bip-09",
        f"{ON_BIPARTITION}, Figure 3",
        "ML-kNN and BPNN perform the worst in the bipartition-based comparison.",
        worst_ranks(BIPARTITION, "ML-kNN", "BPNN"),
        reading="they have the two worst average ranks on each metric",
    ),
    Claim(
        "bip-10",
        f"{ON_BIPARTITION}, Figure 3",
        "The off-the-shelf BPNN is not well suited for small to moderate-scale datasets.",
        worse_than_the_mean_rank(BIPARTITION, "BPNN"),
        reading="the mean of its average ranks is worse than the middle rank",
    ),
    Claim(
        "bip-11",
        f"{ON_BIPARTITION}, Figure 3",
        "The statistical interpretation between ML-MLM and each of ECC-J48, EBR-J48 and HOMER is "
        "the same in Accuracy, Micro F1 and Macro F1.",
        same_interpretation((ACCURACY, MICRO, MACRO), ML, ENSEMBLES),
    ),
    Claim(
        "acc-04",
        f"{ON_BIPARTITION}, Figure 3",
        "The average rank differences of ML-MLM to ECC-J48, EBR-J48 and HOMER are larger in "
        "Accuracy than in Micro F1 and Macro F1.",
        larger_leads_on(ACCURACY, (MICRO, MACRO), ML, ENSEMBLES),
    ),
    Claim(
        "acc-05",
        f"{ON_BIPARTITION}, Table 7",
        "ML-MLM has the highest Accuracy on five of ten datasets.",
        best_on(5, ACCURACY, ML),
    ),
    Claim(
        "mic-04",
        f"{ON_BIPARTITION}, Table 9",
        "ML-MLM has the highest Micro F1 on six of ten datasets.",
        best_on(6, MICRO, ML),
    ),
    Claim(
        "bip-12",
        f"{ON_BIPARTITION}, Tables 9 and 10",
        "The labels that ML-MLM predicts are accurate and well balanced for all labels.",
        cannot_be_judged("no table has figures of single labels"),
    ),
    Claim(
        "hl-09",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "In Hamming Loss ML-MLM's average rank is worse than those of the other "
        "distance-regression methods.",
        rank_better(HAMMING, OTHER_DRB, than=ML),
    ),
    Claim(
        "hl-10",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "In Hamming Loss ML-MLM's average rank is worse than those of BR-RF, BR-SVM and RF-PCT.",
        rank_better(HAMMING, ("BR-RF", "BR-SVM", "RF-PCT"), than=ML),
    ),
    Claim(
        "hl-11",
        f"{ON_BIPARTITION}, Tables 7 and 8",
        "ML-MLM chooses labels more greedily than the other methods, with more false positives.",
        greedier(ML, OTHER_DRB),
        reading="more labels and more false positives than each other distance-regression method "
        "on more than half the datasets",
    ),
    Claim(
        "hl-12",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "In Hamming Loss ML-MLM does not differ significantly from the methods ahead of it.",
        not_significant(HAMMING, ML, (*OTHER_DRB, "BR-RF", "BR-SVM", "RF-PCT")),
        reading="the six methods that the text names",
    ),
    Claim(
        "hl-13",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "In Hamming Loss ML-MLM's average rank is better than that of Rakel-SVC.",
        rank_better(HAMMING, ML, than="Rakel-SVC"),
    ),
    Claim(
        "hl-14",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "In Hamming Loss ML-MLM's average rank is better than those of ML-kNN and HOMER.",
        rank_better(HAMMING, ML, than=("ML-kNN", "HOMER")),
    ),
    Claim(
        "hl-15",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        "In Hamming Loss ML-MLM's average rank is better than those of ML-kNN(d), EBR-J48, "
        "Rakel-SGDC, ECC-J48 and BPNN.",
        rank_better(HAMMING, ML, than=("ML-kNN(d)", "EBR-J48", "Rakel-SGDC", "ECC-J48", "BPNN")),
    ),
    Claim(
        "hl-16",
        f"{ON_BIPARTITION}, Table 8",
        "The values of Hamming Loss are small for all methods on many of the datasets.",
        small_for_all_on_most(HAMMING, limit=0.1),
        reading="at most 0.1 on more than half of them",
    ),
    Claim(
        "hl-17",
        f"{ON_BIPARTITION}, Tables 1 and 8",
        "They are small mostly due to the normalization with the number of labels.",
        falls_with_labels(HAMMING),
        reading="the methods' median falls with the number of labels, Spearman's p < 0.05",
    ),
    Claim(
        "bip-13",
        f"{ON_BIPARTITION}, summary; {CONCLUSION}",
        "ML-MLM is statistically better than RF-PCT on three of the four metrics.",
        significantly_better_on(3, BIPARTITION, ML, "RF-PCT"),
    ),
    Claim(
        "hl-18",
        f"{ON_BIPARTITION}, summary",
        "ML-MLM and RF-PCT are statistically equal in Hamming Loss.",
        not_significant(HAMMING, ML, "RF-PCT"),
    ),
    Claim(
        "bip-14",
        f"{ON_BIPARTITION}, summary",
        "ML-MLM has a better rank than ECC-J48, EBR-J48 and HOMER on all four metrics.",
        rank_better(BIPARTITION, ML, than=ENSEMBLES),
    ),
    Claim(
        "bip-15",
        f"{ON_BIPARTITION}, summary",
        "ML-MLM does not differ significantly from ECC-J48, EBR-J48 and HOMER.",
        not_significant(BIPARTITION, ML, ENSEMBLES),
    ),
    Claim(
        "bip-16",
        f"{ON_BIPARTITION}, summary; {DISCUSSION}",
        "All distance-regression methods perform well in the bipartition-based comparison.",
        better_than_the_mean_rank(BIPARTITION, DRB),
        reading="the mean of each one's average ranks is better than the middle rank",
    ),
    Claim(
        "bip-17",
        f"{ON_BIPARTITION}, summary",
        "NN-MLM is statistically equal to RF-PCT on three metrics.",
        not_significant_on(3, BIPARTITION, NN, "RF-PCT"),
    ),
    Claim(
        "bip-18",
        f"{ON_BIPARTITION}, summary",
        "NN-MLM is statistically better than RF-PCT on one metric.",
        significantly_better_on(1, BIPARTITION, NN, "RF-PCT"),
    ),
    # Uncertainty and interpretation
    Claim(
        "int-01",
        f"{ON_INTERPRETATION}, Table 2",
        "The selected power parameters vary significantly between the datasets.",
        powers_spread(10),
        reading="the largest is at least ten times the smallest",
    ),
    Claim(
        "int-02",
        f"{ON_INTERPRETATION}, Table 2",
        "The smallest power is that of Scene.",
        smallest_power("scene"),
    ),
    Claim(
        "int-03",
        f"{ON_INTERPRETATION}, Table 2",
        "On Scene P = 4.",
        power_is("scene", 2.0),
    ),
    Claim(
        "int-04",
        f"{ON_INTERPRETATION}, Table 2",
        "The largest power is that of Medical.",
        largest_power("medical"),
    ),
    Claim(
        "int-05",
        f"{ON_INTERPRETATION}, Table 2",
        "On Medical P is about 222.9.",
        power_is("medical", 7.8),
    ),
    Claim(
        "int-06",
        f"{ON_INTERPRETATION}, power parameter",
        "On Medical almost all the weight is given to the predicted nearest neighbor.",
        nearest_has_the_weight(0.99, "medical"),
        reading="99 percent or more, in the mean of the test rows",
    ),
    Claim(
        "int-07",
        f"{ON_INTERPRETATION}, power parameter",
        "With local RCut ML-MLM has exactly NN-MLM's bipartition results on Medical.",
        equals_nearest_with_local_rcut("medical", BIPARTITION),
    ),
    Claim(
        "int-08",
        f"{ON_INTERPRETATION}, Tables 7-10",
        "With its own thresholding ML-MLM's results on Medical differ from NN-MLM's.",
        figures_differ("medical", BIPARTITION, ML, NN),
        reading="on each of the four metrics",
    ),
    Claim(
        "int-09",
        f"{ON_INTERPRETATION}, Tables 7-10",
        "On Medical NN-MLM is better than ML-MLM on three of four metrics.",
        better_on(3, "medical", BIPARTITION, NN, ML),
    ),
    Claim(
        "int-10",
        f"{ON_INTERPRETATION}, Table 2",
        "On Bibtex P = 128.",
        power_is("bibtex", 7.0),
    ),
    Claim(
        "int-11",
        f"{ON_INTERPRETATION}, Table 2",
        "On Tmc2007 P = 59.7.",
        power_is("tmc2007", 5.9),
    ),
    Claim(
        "int-12",
        f"{ON_INTERPRETATION}, Table 2",
        "Bibtex and Tmc2007 have large powers.",
        among_largest("power", 3, "bibtex", "tmc2007"),
        reading="with that of Medical the three largest",
    ),
    Claim(
        "int-13",
        f"{ON_INTERPRETATION}, power parameter",
        "On Tmc2007 ML-MLM does not benefit much from reference points other than the nearest.",
        gains_at_most(NOT_MUCH, "tmc2007", BIPARTITION, ML, over=NN),
        reading="it gains at most 0.02 over NN-MLM on each bipartition metric, each method with "
        "its own thresholding",
    ),
    Claim(
        "int-14",
        f"{ON_INTERPRETATION}, power parameter",
        "On Tmc2007 the nearest neighbor is informative enough for a nearly optimal prediction.",
        nearly_perfect("tmc2007", SCORING),
        reading="ranking metrics within 0.005 of the best possible value, coverage 0.5 percent",
    ),
    Claim(
        "int-15",
        f"{ON_INTERPRETATION}, Table 2",
        "The predicted distances of Bibtex are large.",
        among_largest("distance", 5, "bibtex"),
        reading="among the five largest means",
    ),
    Claim(
        "int-16",
        f"{ON_INTERPRETATION}, power parameter",
        "On Bibtex ML-MLM is mostly extrapolating.",
        mostly_extrapolates("bibtex"),
        reading="more than half the test rows are in the text's highest category of distance",
    ),
    Claim(
        "int-17",
        f"{ON_INTERPRETATION}, power parameter",
        "On Bibtex ML-MLM does not benefit much from combining several reference points.",
        gains_at_most(NOT_MUCH, "bibtex", BIPARTITION, ML, over=NN),
        reading="it gains at most 0.02 over NN-MLM on each bipartition metric, each method with "
        "its own thresholding",
    ),
    Claim(
        "int-18",
        f"{ON_INTERPRETATION}, uncertainty",
        "A row's predicted distance tells how reliable its classification is.",
        worse_with_distance("accuracy_per_row", grows=False),
        reading="accuracy correlates negatively with it on every dataset",
    ),
    Claim(
        "int-19",
        f"{ON_INTERPRETATION}, uncertainty",
        "A row's predicted distance tells how reliable its ranking is.",
        worse_with_distance("ranking_loss_per_row", grows=True),
        reading="ranking loss correlates positively with it on every dataset",
    ),
    Claim(
        "int-20",
        f"{ON_INTERPRETATION}, uncertainty",
        "Predictions can be categorized by distance into low, medium and high uncertainty.",
        accuracy_falls_by_category(),
        reading="accuracy falls from category to category on every dataset, where both have 30 "
        "rows or more",
    ),
    Claim(
        "int-21",
        f"{ON_INTERPRETATION}, uncertainty",
        "The mean squared distance characterizes the difficulty of a dataset.",
        falls_with_distance(ACCURACY, ML),
        reading="ML-MLM's accuracy falls with it, Spearman's p < 0.05",
    ),
    Claim(
        "int-22",
        f"{ON_INTERPRETATION}, Figure 4",
        "The interpolation ability is strongest for Tmc2007.",
        smallest_distance("tmc2007"),
        reading="the smallest mean squared distance",
    ),
    Claim(
        "int-23",
        f"{ON_INTERPRETATION}, Figure 4",
        "The interpolation ability is worst for Delicious.",
        largest_distance("delicious"),
        reading="the largest mean squared distance",
    ),
    # Time complexities
    Claim(
        "cost-01",
        f"{ON_COSTS}, training",
        "The distance regression step takes O(N K^2), O(N^3) with distinct inputs.",
        decomposition_is_cubic(margin=0.3),
        reading="measured on the large datasets, the exponent is 3 within 0.3",
    ),
    Claim(
        "cost-02",
        f"{ON_COSTS}, training; {CONCLUSION}",
        "It does not depend on the number of labels.",
        decomposition_ignores_labels(factor=1.5),
        reading="measured on the large datasets, seconds over K^3 vary by less than 1.5",
    ),
    Claim(
        "cost-03",
        f"{ON_COSTS}, training",
        "BR-MLM needs a distinct pseudoinverse for each label, which makes O(L N^3).",
        one_decomposition_per_label(BR),
        reading="measured on the large datasets, what it adds to the common distance regression "
        "takes longer than one decomposition",
    ),
    Claim(
        "cost-04",
        f"{ON_COSTS}, training",
        "Of the distance-regression methods BR-MLM has the highest cost in training.",
        slowest_in(TRAINING, BR, DRB),
        reading="measured on the large datasets, beside the common distance regression",
    ),
    Claim(
        "cost-05",
        f"{ON_COSTS}, LLS prediction",
        "For many labels LLS-MLM's least squares dominate the cost of its prediction.",
        own_prediction_dominates(LLS, MANY_LABELS),
        reading="measured with 300 labels or more, against the prediction of distances",
    ),
    Claim(
        "cost-06",
        f"{ON_COSTS}, LLS prediction; {DISCUSSION}",
        "ML-MLM's prediction is lighter than LLS-MLM's with respect to the number of labels.",
        lighter_in_prediction(ML, LLS, MANY_LABELS),
        reading="measured with 300 labels or more, beside the prediction of distances",
    ),
    Claim(
        "cost-07",
        f"{ON_COSTS}, NN-MLM prediction",
        "NN-MLM is the fastest in prediction.",
        fastest_in(PREDICTION, NN, DRB),
        reading="measured on the large datasets, beside the prediction of distances",
    ),
    Claim(
        "cost-08",
        f"{ON_COSTS}, NN-MLM prediction",
        "NN-MLM's cost of prediction is that of the distances.",
        distances_take_longer(NN),
        reading="measured on the large datasets, they take longer than the rest of it",
    ),
    Claim(
        "cost-09",
        f"{ON_COSTS}, ML-MLM prediction",
        "ML-MLM's cost of prediction is driven by the prediction of distances.",
        distances_take_longer(ML),
        reading="measured on the large datasets, they take longer than the rest of it",
    ),
    Claim(
        "cost-10",
        f"{ON_COSTS}, ML-MLM prediction",
        "Step 2 of Algorithm 2, O(K N), can be reduced to O(C_u L_u).",
        step_two_needs_only_relevant_labels(),
        reading="products of one row, counted from N, L_u and the cardinality of Table 1",
    ),
    Claim(
        "cost-11",
        f"{ON_COSTS}, BR-MLM prediction",
        "BR-MLM has the highest computational cost in prediction.",
        slowest_in(PREDICTION, BR, DRB),
        reading="measured on the large datasets, beside the prediction of distances",
    ),
    Claim(
        "cost-12",
        f"{ON_COSTS}, BR-MLM prediction",
        "BR-MLM's prediction is O(L^2 N), because L models predict distances separately.",
        label_models_fit_the_bound(),
        reading="L models at the O(N^2) that the section gives for a prediction of distances",
    ),
    # Discussion
    Claim(
        "disc-01",
        f"{DISCUSSION}, thresholding",
        "Local RCut adds no complexity to the prediction of a method on the same regression.",
        distances_take_longer(NN, times=10),
        reading="measured on the large datasets, distances take ten times as long as the rest of "
        "NN-MLM, which it needs",
    ),
    Claim(
        "disc-02",
        f"{DISCUSSION}, thresholding; {SETUP}",
        "Local RCut outperforms a fixed threshold of 0.5 for the distance-regression methods.",
        local_rcut_beats_half(SCORING, BIPARTITION),
        reading="for each method with scores and each metric, in the mean of the five small "
        "datasets",
    ),
    Claim(
        "disc-03",
        f"{DISCUSSION}, distance-regression methods",
        "By average ranks ML-MLM is overall better than the other distance-regression methods.",
        best_among_on_most(ALL, ML, DRB),
        reading="the best of them on more than half the metrics",
    ),
    Claim(
        "disc-04",
        f"{DISCUSSION}, distance-regression methods",
        "ML-MLM is statistically different from other distance-regression methods only in "
        "Coverage.",
        differs_only_on(COVERAGE, ALL, ML, OTHER_DRB),
    ),
    Claim(
        "disc-05",
        f"{DISCUSSION}, distance-regression methods",
        "LLS-MLM and NN-MLM have highly similar classification results.",
        close(NOT_MUCH, BIPARTITION, LLS, NN),
        reading="no two figures differ by more than 0.02",
    ),
    Claim(
        "disc-06",
        f"{DISCUSSION}, distance-regression methods",
        "By these results there is no reason to use LLS-MLM instead of NN-MLM.",
        not_significant(BIPARTITION, LLS, NN),
        reading="they do not differ significantly on any metric",
    ),
    Claim(
        "disc-07",
        f"{DISCUSSION}, distance-regression methods",
        "NN-MLM provides no ranking of the labels.",
        no_row(RANKING, NN),
    ),
    Claim(
        "disc-08",
        f"{DISCUSSION}, value of ML-MLM",
        "ML-MLM improves the ranking performance of LLS-MLM in Ranking Loss.",
        rank_better(LOSS, ML, than=LLS),
        reading="a better average rank",
    ),
    Claim(
        "disc-09",
        f"{DISCUSSION}, value of ML-MLM",
        "ML-MLM improves the ranking performance of LLS-MLM in Coverage.",
        rank_better(COVERAGE, ML, than=LLS),
        reading="a better average rank",
    ),
    Claim(
        "disc-10",
        f"{DISCUSSION}, value of ML-MLM",
        "ML-MLM's prediction is linear in the number of labels, LLS-MLM's quadratic.",
        cannot_be_judged("datasets differ in all sizes at once: exponents of L cannot be told"),
    ),
    # Conclusion
    Claim(
        "conc-01",
        f"{CONCLUSION}, contribution",
        "ML-MLM outperforms ML-kNN.",
        rank_better(ALL, ML, than="ML-kNN"),
        reading="a better average rank on all eight metrics",
    ),
    # Appendices
    Claim(
        "app-01",
        f"{ON_METRICS}, Coverage",
        "Coverage counts the labels down to the last relevant one from 1, as in its equation.",
        coverage_counts_from_one(),
        reading="in the tables it is then nowhere below the label cardinality",
    ),
    Claim(
        "app-02",
        f"{ON_METRICS}, Macro F1",
        "Macro F1 is the harmonic mean of macro precision and macro recall.",
        macro_f1_is_a_harmonic_mean(),
        reading="ours computed so equals the printed figure more often than the mean of F1",
    ),
    Claim(
        "pow-01",
        f"{ON_POWERS}, Figure 5b",
        "On Yeast's test set Ranking Loss has its optimal value at P = 13.",
        best_power_on_yeast(13),
    ),
    Claim(
        "pow-02",
        f"{ON_POWERS}, Figure 5b",
        "For smaller P Ranking Loss decreases until it reaches the optimum.",
        falls_before_the_best_power(),
        reading="at whole P it never rises before its own smallest value",
    ),
    Claim(
        "pow-03",
        f"{ON_POWERS}, Figure 5b",
        "After the optimum Ranking Loss starts to increase slightly.",
        rises_after_the_best_power(at_most=0.1),
        reading="at P = 256 it is larger than its smallest value, by at most a tenth",
    ),
    Claim(
        "pow-04",
        f"{ON_POWERS}, Figure 5a",
        "The smallest of the eight distances shown is near sqrt(2), two labels' difference.",
        cannot_be_judged("the text does not say which eight distances were drawn"),
    ),
)
"""In the order of the text."""
