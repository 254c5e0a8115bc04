"""Claims of the paper's section 4.2.2 Bipartition-based metrics."""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim
from experiments.analysis.numbers.claims.rank_checks import (
    best_rank,
    better_than_the_mean_rank,
    friedman_rejected,
    larger_critical_distance,
    larger_leads_on,
    larger_mean_lead_on,
    methods_are,
    not_significant,
    not_significant_on,
    rank_better,
    rows_exist,
    same_interpretation,
    significant,
    significantly_better_on,
    worse_than_the_mean_rank,
    worst_in_the_mean,
    worst_ranks,
)
from experiments.analysis.numbers.claims.rules import BALANCED
from experiments.analysis.numbers.claims.run_checks import greedier
from experiments.analysis.numbers.claims.value_checks import (
    best_on,
    falls_with_labels,
    macro_f1_keeps_up,
    small_for_all_on_most,
)
from experiments.analysis.numbers.claims.vocabulary import (
    ACCURACY,
    BR,
    CONCLUSION,
    DISCUSSION,
    DRB,
    ENSEMBLES,
    HAMMING,
    MACRO,
    MICRO,
    ML,
    NN,
    ON_BIPARTITION,
    OTHER_DRB,
)
from experiments.analysis.numbers.metrics import BIPARTITION, RANKING

# Sentences that make several statements.
METHODS_INCLUDED = (
    "we have now included NN-MLM, BR-J48, CC-J48, BR-Ada, BR-RF, Rakel-SCV, Rakel-SGDC, ML-kNN "
    "(d), ECC-J48, EBR-J48 and BP-NN in this comparison, so we have 17 methods in total, compared "
    "to eight in the previous one."
)
BEST_RANKS = "ML-MLM has the best average rank for the metrics Accuracy, Micro F1, and Macro F1."
RF_PCT_SIGNIFICANT = (
    "Moreover, a ranking difference between ML-MLM and RF-PCT is statistically significant for "
    "these three metrics."
)
HAMMING_BEST = (
    "For Hamming Loss, BR-MLM has the best performance and is statistically significant with "
    "respect to ML-kNN(d), EBR-J48, Rakel-SGDC, ECC-J48, and BPNN."
)
HAMMING_WORSE = (
    "Although ML-MLM has a worse average rank for Hamming Loss than BR-MLM and RF-PCT, this "
    "difference is not statistically significant."
)
ENSEMBLES_WORSE = (
    "Moreover, the ensemble-based methods gropu, ECC-J48, EBR-J48, and HOMER, have slightly worse "
    "ranks than the DBR-based methods for the metrics Accuracy, Micro F1, and Macro F1."
)
HIGHEST_VALUES = (
    "ML-MLM have the highest Accuracy value for five out of ten datasets and the highest Micro F1 "
    "value for six out of ten datasets."
)
HAMMING_DRAWBACK = (
    "A minor drawback of ML-MLM is the performance compared to Hamming Loss, for which the average "
    "rank is worse compared to all the other DRB methods, BR-RF, BR-SVM, and RF-PCT."
)
HAMMING_TRADE_OFF = (
    "However, since the average rank is not statistically different from the higher performing "
    "methods and is better compared to Rakel-SVC, ML-kNN, HOMER, ML-kNN(d), EBR-J48, Rakel-SGDC, "
    "ECC-J48, and BPNN, we argue that this trade-off is reasonable."
)
BETTER_THAN_RF_PCT = (
    "In general, the results show that ML-MLM is statistically better than the state-of-the-art "
    "RF-PCT method for three out of four bipartition-based metrics and it is statistically equal "
    "for the Hamming Loss."
)
BETTER_THAN_ENSEMBLES = (
    "Moreover, ML-MLM has a better rank than the ensemble methods (ECC-J48, EBR-J48 and HOMER), "
    "for all bipartition-based metrics, but this difference was not identified as statistically "
    "significant."
)
ALL_PERFORM_WELL = (
    "All DRB methods perform well in the comparison, and also the simplest method (NN-MLM), which "
    "is statistically equal in three metrics and better in one metric than RF-PCT."
)

CLAIMS = (
    Claim(
        "bip-01",
        f"{ON_BIPARTITION}, overview",
        "The Friedman null hypothesis tests were also rejected with clear margins for all the "
        "bipartition-based results.",
        "The Friedman null hypothesis is rejected with a clear margin on all four metrics.",
        friedman_rejected(BIPARTITION),
        reading="p < 0.001",
    ),
    Claim(
        "bip-02",
        f"{ON_BIPARTITION}, overview",
        METHODS_INCLUDED,
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
        describes=True,
    ),
    Claim(
        "bip-03",
        f"{ON_BIPARTITION}, overview",
        METHODS_INCLUDED,
        "There are 17 methods in total.",
        methods_are(17, BIPARTITION),
        describes=True,
    ),
    Claim(
        "bip-04",
        f"{ON_BIPARTITION}, overview",
        METHODS_INCLUDED,
        "There are eight methods in the ranking-based comparison.",
        methods_are(8, RANKING),
        describes=True,
    ),
    Claim(
        "bip-05",
        f"{ON_BIPARTITION}, overview",
        "The critical distance is therefore larger in statistical testing with respect to this "
        "section.",
        "The critical distance is larger than in the ranking-based comparison.",
        larger_critical_distance(BIPARTITION, than=RANKING),
        describes=True,
    ),
    Claim(
        "acc-01",
        f"{ON_BIPARTITION}, Figure 3 Accuracy",
        BEST_RANKS,
        "ML-MLM has the best average rank in Accuracy.",
        best_rank(ACCURACY, ML),
    ),
    Claim(
        "acc-02",
        f"{ON_BIPARTITION}, Figure 3 Accuracy",
        RF_PCT_SIGNIFICANT,
        "The difference of ML-MLM to RF-PCT in Accuracy is statistically significant.",
        significant(ACCURACY, ML, "RF-PCT"),
    ),
    Claim(
        "mic-01",
        f"{ON_BIPARTITION}, Figure 3 Micro F1",
        BEST_RANKS,
        "ML-MLM has the best average rank in Micro F1.",
        best_rank(MICRO, ML),
    ),
    Claim(
        "mic-02",
        f"{ON_BIPARTITION}, Figure 3 Micro F1",
        RF_PCT_SIGNIFICANT,
        "The difference of ML-MLM to RF-PCT in Micro F1 is statistically significant.",
        significant(MICRO, ML, "RF-PCT"),
    ),
    Claim(
        "mac-01",
        f"{ON_BIPARTITION}, Figure 3 Macro F1",
        BEST_RANKS,
        "ML-MLM has the best average rank in Macro F1.",
        best_rank(MACRO, ML),
    ),
    Claim(
        "mac-02",
        f"{ON_BIPARTITION}, Figure 3 Macro F1",
        RF_PCT_SIGNIFICANT,
        "The difference of ML-MLM to RF-PCT in Macro F1 is statistically significant.",
        significant(MACRO, ML, "RF-PCT"),
    ),
    Claim(
        "hl-01",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_BEST,
        "BR-MLM has the best performance in Hamming Loss.",
        best_rank(HAMMING, BR),
        reading="the best average rank",
    ),
    Claim(
        "hl-02",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_BEST,
        "BR-MLM differs significantly from ML-kNN(d) in Hamming Loss.",
        significant(HAMMING, BR, "ML-kNN(d)"),
    ),
    Claim(
        "hl-03",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_BEST,
        "BR-MLM differs significantly from EBR-J48 in Hamming Loss.",
        significant(HAMMING, BR, "EBR-J48"),
    ),
    Claim(
        "hl-04",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_BEST,
        "BR-MLM differs significantly from Rakel-SGDC in Hamming Loss.",
        significant(HAMMING, BR, "Rakel-SGDC"),
    ),
    Claim(
        "hl-05",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_BEST,
        "BR-MLM differs significantly from ECC-J48 in Hamming Loss.",
        significant(HAMMING, BR, "ECC-J48"),
    ),
    Claim(
        "hl-06",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_BEST,
        "BR-MLM differs significantly from BPNN in Hamming Loss.",
        significant(HAMMING, BR, "BPNN"),
    ),
    Claim(
        "hl-07",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_WORSE,
        "ML-MLM has a worse average rank in Hamming Loss than BR-MLM and RF-PCT.",
        rank_better(HAMMING, (BR, "RF-PCT"), than=ML),
    ),
    Claim(
        "hl-08",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_WORSE,
        "In Hamming Loss ML-MLM does not differ significantly from BR-MLM and RF-PCT.",
        not_significant(HAMMING, ML, (BR, "RF-PCT")),
    ),
    Claim(
        "bip-06",
        f"{ON_BIPARTITION}, Figure 3",
        "Note that there are no statistically significant differences between the DRB methods.",
        "The distance-regression methods do not differ significantly from one another.",
        not_significant(BIPARTITION, DRB, DRB),
        reading="on all four metrics",
    ),
    Claim(
        "bip-07",
        f"{ON_BIPARTITION}, Figure 3",
        "The ensemble-based construction of the CC (ECC-J48) has a worse rank than the vanilla CC.",
        "ECC-J48, an ensemble, has a worse rank than the vanilla CC.",
        rank_better(HAMMING, "CC-SVM", than="ECC-J48"),
        reading="than CC-SVM, the only CC of the tables, in Hamming Loss, of which the sentences "
        "before it speak",
        or_read_as={"on all four metrics": rank_better(BIPARTITION, "CC-SVM", than="ECC-J48")},
        describes=True,
    ),
    Claim(
        "acc-03",
        f"{ON_BIPARTITION}, Figure 3 Accuracy",
        ENSEMBLES_WORSE,
        "ECC-J48, EBR-J48 and HOMER have worse ranks than the distance-regression methods in "
        "Accuracy.",
        rank_better(ACCURACY, DRB, than=ENSEMBLES),
    ),
    Claim(
        "mic-03",
        f"{ON_BIPARTITION}, Figure 3 Micro F1",
        ENSEMBLES_WORSE,
        "ECC-J48, EBR-J48 and HOMER have worse ranks than the distance-regression methods in "
        "Micro F1.",
        rank_better(MICRO, DRB, than=ENSEMBLES),
    ),
    Claim(
        "mac-03",
        f"{ON_BIPARTITION}, Figure 3 Macro F1",
        ENSEMBLES_WORSE,
        "ECC-J48, EBR-J48 and HOMER have worse ranks than the distance-regression methods in "
        "Macro F1.",
        rank_better(MACRO, DRB, than=ENSEMBLES),
    ),
    Claim(
        "bip-08",
        f"{ON_BIPARTITION}, Figure 3",
        "Note that the ensemble methods are statistically in the same group as the DBR-based "
        "methods with these metrics.",
        "In Accuracy, Micro F1 and Macro F1 ECC-J48, EBR-J48 and HOMER are statistically in the "
        "same group as the distance-regression methods.",
        not_significant((ACCURACY, MICRO, MACRO), DRB, ENSEMBLES),
        reading="no pair differs significantly",
    ),
    Claim(
        "bip-09",
        f"{ON_BIPARTITION}, Figure 3",
        "ML-kNN and BPNN are the methods that perform the worst in the bipartition-based "
        "comparison.",
        "ML-kNN and BPNN perform the worst in the bipartition-based comparison.",
        worst_ranks(BIPARTITION, "ML-kNN", "BPNN"),
        reading="they have the two worst average ranks on each metric",
        or_read_as={
            "they have the two worst means of the average ranks over the four metrics": (
                worst_in_the_mean(BIPARTITION, "ML-kNN", "BPNN")
            )
        },
        describes=True,
    ),
    Claim(
        "bip-10",
        f"{ON_BIPARTITION}, Figure 3",
        "Consequently, the off-the-shelf implementation of BPNN is not well suited for small- to "
        "moderate-scale datasets.",
        "The off-the-shelf BPNN is not well suited for small to moderate-scale datasets.",
        worse_than_the_mean_rank(BIPARTITION, "BPNN"),
        reading="the mean of its average ranks is worse than the middle rank",
        describes=True,
    ),
    Claim(
        "bip-11",
        f"{ON_BIPARTITION}, Figure 3",
        "A statistical interpretation between ML-MLM and a group of methods ECC-J48, EBR-J48, and "
        "HOMER is the same for Accuracy, Macro, and Micro.",
        "The statistical interpretation between ML-MLM and each of ECC-J48, EBR-J48 and HOMER is "
        "the same in Accuracy, Micro F1 and Macro F1.",
        same_interpretation((ACCURACY, MICRO, MACRO), ML, ENSEMBLES),
    ),
    Claim(
        "acc-04",
        f"{ON_BIPARTITION}, Figure 3",
        "However, if we solely inspect the average rank differences between this group and ML-MLM, "
        "regarding Accuracy these differences are larger.",
        "The average rank differences of ML-MLM to ECC-J48, EBR-J48 and HOMER are larger in "
        "Accuracy than in Micro F1 and Macro F1.",
        larger_leads_on(ACCURACY, (MICRO, MACRO), ML, ENSEMBLES),
        reading="to each of the three",
        or_read_as={
            "in the mean of the three": larger_mean_lead_on(ACCURACY, (MICRO, MACRO), ML, ENSEMBLES)
        },
    ),
    Claim(
        "acc-05",
        f"{ON_BIPARTITION}, Table 7",
        HIGHEST_VALUES,
        "ML-MLM has the highest Accuracy on five of ten datasets.",
        best_on(5, ACCURACY, ML),
    ),
    Claim(
        "mic-04",
        f"{ON_BIPARTITION}, Table 9",
        HIGHEST_VALUES,
        "ML-MLM has the highest Micro F1 on six of ten datasets.",
        best_on(6, MICRO, ML),
    ),
    Claim(
        "bip-12",
        f"{ON_BIPARTITION}, Tables 9 and 10",
        "Moreover, the results for the label-wise bipartition-based metrics, Micro F1 and Macro "
        "F1, show that the predicted set of labels outputted by ML-MLM is accurate and well "
        "balanced for all labels.",
        "The labels that ML-MLM predicts are accurate and well balanced for all labels.",
        macro_f1_keeps_up(BALANCED, ML),
        reading="in themselves: macro F1, in which each label counts the same, is half of micro "
        "F1 or more on every dataset",
        or_read_as={
            "beside the other methods: the best average rank in both": best_rank((MICRO, MACRO), ML)
        },
    ),
    Claim(
        "hl-09",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_DRAWBACK,
        "In Hamming Loss ML-MLM's average rank is worse than those of the other "
        "distance-regression methods.",
        rank_better(HAMMING, OTHER_DRB, than=ML),
    ),
    Claim(
        "hl-10",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_DRAWBACK,
        "In Hamming Loss ML-MLM's average rank is worse than those of BR-RF, BR-SVM and RF-PCT.",
        rank_better(HAMMING, ("BR-RF", "BR-SVM", "RF-PCT"), than=ML),
    ),
    Claim(
        "hl-11",
        f"{ON_BIPARTITION}, Tables 7 and 8",
        "Since ML-MLM performs better in Accuracy and worse in Hamming Loss, it could be greedier "
        "than the other methods when choosing the labels, increasing the number of false "
        "positives.",
        "ML-MLM chooses labels more greedily than the other methods, with more false positives.",
        greedier(ML, OTHER_DRB),
        reading="more labels and more false positives than each other distance-regression method "
        "on more than half the datasets",
    ),
    Claim(
        "hl-12",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_TRADE_OFF,
        "In Hamming Loss ML-MLM does not differ significantly from the methods ahead of it.",
        not_significant(HAMMING, ML, (*OTHER_DRB, "BR-RF", "BR-SVM", "RF-PCT")),
        reading="the six methods that the text names",
    ),
    Claim(
        "hl-13",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_TRADE_OFF,
        "In Hamming Loss ML-MLM's average rank is better than that of Rakel-SVC.",
        rank_better(HAMMING, ML, than="Rakel-SVC"),
    ),
    Claim(
        "hl-14",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_TRADE_OFF,
        "In Hamming Loss ML-MLM's average rank is better than those of ML-kNN and HOMER.",
        rank_better(HAMMING, ML, than=("ML-kNN", "HOMER")),
    ),
    Claim(
        "hl-15",
        f"{ON_BIPARTITION}, Figure 3 Hamming Loss",
        HAMMING_TRADE_OFF,
        "In Hamming Loss ML-MLM's average rank is better than those of ML-kNN(d), EBR-J48, "
        "Rakel-SGDC, ECC-J48 and BPNN.",
        rank_better(HAMMING, ML, than=("ML-kNN(d)", "EBR-J48", "Rakel-SGDC", "ECC-J48", "BPNN")),
    ),
    Claim(
        "hl-16",
        f"{ON_BIPARTITION}, Table 8",
        "Note that even the Hamming Loss's absolute values are small for all the experimented "
        "methods in many of the datasets.",
        "The values of Hamming Loss are small for all methods on many of the datasets.",
        small_for_all_on_most(HAMMING, limit=0.1),
        reading="at most 0.1 on more than half of them",
        describes=True,
    ),
    Claim(
        "hl-17",
        f"{ON_BIPARTITION}, Tables 1 and 8",
        "This is mostly due to the normalization with the number of all possible labels.",
        "They are small mostly due to the normalization with the number of labels.",
        falls_with_labels(HAMMING),
        reading="the methods' median falls with the number of labels, Spearman's one-sided "
        "p < 0.05",
        describes=True,
    ),
    Claim(
        "bip-13",
        f"{ON_BIPARTITION}, summary; {CONCLUSION}",
        BETTER_THAN_RF_PCT,
        "ML-MLM is statistically better than RF-PCT on three of the four metrics.",
        significantly_better_on(3, BIPARTITION, ML, "RF-PCT"),
    ),
    Claim(
        "hl-18",
        f"{ON_BIPARTITION}, summary",
        BETTER_THAN_RF_PCT,
        "ML-MLM and RF-PCT are statistically equal in Hamming Loss.",
        not_significant(HAMMING, ML, "RF-PCT"),
    ),
    Claim(
        "bip-14",
        f"{ON_BIPARTITION}, summary",
        BETTER_THAN_ENSEMBLES,
        "ML-MLM has a better rank than ECC-J48, EBR-J48 and HOMER on all four metrics.",
        rank_better(BIPARTITION, ML, than=ENSEMBLES),
    ),
    Claim(
        "bip-15",
        f"{ON_BIPARTITION}, summary",
        BETTER_THAN_ENSEMBLES,
        "ML-MLM does not differ significantly from ECC-J48, EBR-J48 and HOMER.",
        not_significant(BIPARTITION, ML, ENSEMBLES),
    ),
    Claim(
        "bip-16",
        f"{ON_BIPARTITION}, summary; {DISCUSSION}",
        ALL_PERFORM_WELL,
        "All distance-regression methods perform well in the bipartition-based comparison.",
        better_than_the_mean_rank(BIPARTITION, DRB),
        reading="the mean of each one's average ranks is better than the middle rank",
    ),
    Claim(
        "bip-17",
        f"{ON_BIPARTITION}, summary",
        ALL_PERFORM_WELL,
        "NN-MLM is statistically equal to RF-PCT on three metrics.",
        not_significant_on(3, BIPARTITION, NN, "RF-PCT"),
    ),
    Claim(
        "bip-18",
        f"{ON_BIPARTITION}, summary",
        ALL_PERFORM_WELL,
        "NN-MLM is statistically better than RF-PCT on one metric.",
        significantly_better_on(1, BIPARTITION, NN, "RF-PCT"),
    ),
)
