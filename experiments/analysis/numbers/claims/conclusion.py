"""Claims of the paper's section 6 Conclusion."""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim
from experiments.analysis.numbers.claims.rank_checks import rank_better, significant
from experiments.analysis.numbers.claims.vocabulary import ALL, CONCLUSION, ML

CLAIMS = (
    Claim(
        "conc-01",
        f"{CONCLUSION}, contribution",
        "Moreover, we showed that the proposed method outperforms the ML-kNN method",
        "ML-MLM outperforms ML-kNN.",
        rank_better(ALL, ML, than="ML-kNN"),
        reading="it has a better average rank on each metric",
        or_read_as={"it is significantly better on each metric": significant(ALL, ML, "ML-kNN")},
    ),
)
