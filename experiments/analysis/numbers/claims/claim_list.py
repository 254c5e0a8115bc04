"""All claims, in the order of the text.

There is a module for each section of the paper. A sentence that makes several statements is
several claims. "Highest rank" in the text means the best one; a "better rank" is a lower average
rank.
"""

from __future__ import annotations

from experiments.analysis.numbers.claims import (
    abstract,
    appendices,
    bipartition_metrics,
    conclusion,
    discussion,
    experiments,
    interpretation,
    introduction,
    ranking_metrics,
    theory,
    time_complexities,
)

CLAIMS = (
    *abstract.CLAIMS,
    *introduction.CLAIMS,
    *theory.CLAIMS,
    *experiments.CLAIMS,
    *ranking_metrics.CLAIMS,
    *bipartition_metrics.CLAIMS,
    *interpretation.CLAIMS,
    *time_complexities.CLAIMS,
    *discussion.CLAIMS,
    *conclusion.CLAIMS,
    *appendices.CLAIMS,
)
