"""Claims of the paper's section 1 Introduction."""

from __future__ import annotations

from experiments.analysis.numbers.claims.claim import Claim
from experiments.analysis.numbers.claims.rank_checks import significant
from experiments.analysis.numbers.claims.vocabulary import ALL, DRB, INTRODUCTION

CLAIMS = (
    Claim(
        "intro-01",
        f"{INTRODUCTION}, evidence",
        "the distance regression-based methods clearly outperform multi-label kNN (ML-kNN)",
        "The distance-regression methods clearly outperform ML-kNN.",
        significant(ALL, DRB, "ML-kNN"),
        reading="each is significantly better on each metric",
    ),
)
