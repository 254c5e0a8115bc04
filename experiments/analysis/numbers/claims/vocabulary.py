"""Methods, metrics and places that the claims are about."""

from __future__ import annotations

from experiments.analysis.numbers.metrics import BIPARTITION, PAPER_METRICS, RANKING

ML, NN, LLS, BR = "ML-MLM", "NN-MLM", "LLS-MLM", "BR-MLM"
DRB = (ML, NN, LLS, BR)
SCORING = (ML, LLS, BR)
OTHER_DRB = (NN, LLS, BR)
ENSEMBLES = ("ECC-J48", "EBR-J48", "HOMER")

LOSS, COVERAGE, ONE_ERROR, PRECISION = RANKING
ACCURACY, HAMMING, MICRO, MACRO = BIPARTITION
ALL = PAPER_METRICS

ABSTRACT = "Abstract"
INTRODUCTION = "1 Introduction"
FORMULATION = "3.1 Basic formulation with an approximation result"
SELECTION = "3.3 Model selection"
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
