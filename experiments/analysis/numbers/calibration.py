"""Is the predicted squared distance the number of labels that are wrong?

Between two label vectors the squared distance is the number of labels in which they differ. So the
square of a row's smallest predicted distance is the prediction of how many labels are wrong in the
nearest label vector, which is what NN-MLM predicts; ML-MLM's prediction is made from it and others.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from experiments.analysis.numbers.arrays import Array
from experiments.analysis.numbers.ml_mlm_runs import MlMlmRun
from experiments.analysis.numbers.row_facts import RowFacts

NEAREST, ML_MLM = "nearest label vector", "ML-MLM"
WRONG = {NEAREST: "nearest_wrong", ML_MLM: "wrong_labels"}
"""Whose wrong labels, and the array that counts them."""
N_BINS = 10


def calibration(runs: Mapping[str, MlMlmRun], facts: Mapping[str, RowFacts]) -> pd.DataFrame:
    """Bins of test rows by predicted squared distance, each of about a tenth of them.

    Columns are ``dataset``, ``of`` (whose labels), ``bin``, ``rows``, the mean ``predicted``
    squared distance, the mean number of ``wrong`` labels and its standard ``error``.
    """
    frames = [
        _bins(_squares(run), facts[name].arrays[array]).assign(dataset=name, of=of)
        for name, run in runs.items()
        if name in facts
        for of, array in WRONG.items()
    ]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def calibration_summary(
    runs: Mapping[str, MlMlmRun], facts: Mapping[str, RowFacts]
) -> pd.DataFrame:
    """By dataset the means of predicted squares and wrong labels, and how they go together.

    The correlation is Spearman's, of ranks.
    """
    rows = {}
    for name, run in runs.items():
        if name not in facts:
            continue
        squares = _squares(run)
        rows[name] = {"rows": len(squares), "predicted": squares.mean()}
        for of, array in WRONG.items():
            wrong = facts[name].arrays[array]
            rows[name] |= {
                f"wrong, {of}": float(wrong.mean()),
                f"rank correlation, {of}": float(spearmanr(squares, wrong).statistic),
            }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("dataset")


def _squares(run: MlMlmRun) -> Array:
    return np.asarray(run.arrays["smallest_distances"]) ** 2


def _bins(squares: Array, wrong: Array) -> pd.DataFrame:
    order = np.argsort(squares, kind="stable")
    rows = [
        {
            "bin": number,
            "rows": len(part),
            "predicted": squares[part].mean(),
            "wrong": wrong[part].mean(),
            "error": wrong[part].std(ddof=1) / np.sqrt(len(part)) if len(part) > 1 else np.nan,
        }
        for number, part in enumerate(np.array_split(order, N_BINS), start=1)
        if len(part)
    ]
    return pd.DataFrame(rows)
