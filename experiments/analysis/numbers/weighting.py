"""What inverse distance weighting buys over the nearest label vector, at equal thresholds.

ML-MLM differs from NN-MLM in two ways: it weighs all label vectors, and it cuts their mean at a
threshold. The study ``local_rcut`` gives it NN-MLM's number of labels in each row instead, so that
only the weighting is left; ``one_footing`` gives all that have scores the threshold.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from experiments.analysis.numbers.metrics import lower_is_better
from experiments.analysis.numbers.results import StudyResults
from mlmlm.statistics import LEAST_DATASETS, wilcoxon

STUDY = "local_rcut"
NEAREST, WEIGHTED = "NN-MLM", "ML-MLM, local RCut"
_COLUMNS = {
    NEAREST: (STUDY, "nn_mlm"),
    WEIGHTED: (STUDY, "ml_mlm_local_rcut"),
    "BR-MLM, local RCut": (STUDY, "br_mlm"),
    "LLS-MLM, local RCut": (STUDY, "lls_mlm"),
    "ML-MLM, cardinality": ("one_footing", "ml_mlm"),
    "BR-MLM, cardinality": ("one_footing", "br_mlm"),
    "LLS-MLM, cardinality": ("one_footing", "lls_mlm"),
}


@dataclass(frozen=True)
class Weighting:
    """On how many datasets the weighting is better and worse, and how likely that is by chance."""

    datasets: int
    better: int
    worse: int
    p_value: float


def by_rule(results: StudyResults, metric: str) -> pd.DataFrame:
    """Datasets by methods and rules, of the datasets that `STUDY` has."""
    study = results.beside(STUDY)
    columns = {}
    for title, (name, method) in _COLUMNS.items():
        found = [each for each in results.beside(name).records if each.method == method]
        columns[title] = {each.dataset: each.metrics[metric] for each in found}
    table = pd.DataFrame(columns).reindex(study.datasets).dropna(axis=1, how="all")
    return table.rename(index=study.dataset_titles).rename_axis("dataset")


def weighting(table: pd.DataFrame, metric: str) -> Weighting | None:
    """ML-MLM against NN-MLM with as many labels in each row; None on too few datasets."""
    if not {NEAREST, WEIGHTED} <= set(table):
        return None
    pairs = table[[WEIGHTED, NEAREST]].dropna()
    if len(pairs) < LEAST_DATASETS:
        return None
    lower = lower_is_better(metric)
    gained = (pairs[WEIGHTED] - pairs[NEAREST]) * (-1 if lower else 1)
    test = wilcoxon(pairs[WEIGHTED], pairs[NEAREST], lower)
    return Weighting(len(pairs), int((gained > 0).sum()), int((gained < 0).sum()), test.p_value)
