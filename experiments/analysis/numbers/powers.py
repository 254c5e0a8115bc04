"""The power P that ML-MLM chooses: its leave-one-out curves, and both ways to rank labels."""

from __future__ import annotations

import math

import pandas as pd

from experiments import published
from experiments.analysis.numbers.ml_mlm_runs import ml_mlm_runs
from experiments.analysis.numbers.results import StudyResults

LOG_ODDS = "log-odds ranking"


def loo_curves(results: StudyResults) -> dict[str, pd.Series]:
    """By title of the dataset, the leave-one-out ranking loss indexed by P."""
    return {
        title: pd.Series(run.arrays["loo_ranking_loss"], run.arrays["power_grid"])
        for title, run in ml_mlm_runs(results).items()
        if "loo_ranking_loss" in run.arrays
    }


def chosen_powers(results: StudyResults) -> pd.DataFrame | None:
    """log2 P as chosen by scores and by log-odds, and the published; None without log-odds."""
    by_log_odds = {each.dataset: each for each in results.variants if each.variant == LOG_ODDS}
    runs = ml_mlm_runs(results)
    rows = {
        title: {
            "by score": math.log2(run.record.chosen["power"]),
            "by log-odds": math.log2(by_log_odds[run.record.dataset].chosen["power"]),
            "published": published_powers().get(title),
        }
        for title, run in runs.items()
        if run.record.dataset in by_log_odds
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("dataset") if rows else None


def published_powers() -> dict[str, float]:
    """log2 P by title of the dataset."""
    exponents = published.power_distance()["log2_power"]
    return {published.title(name): float(value) for name, value in exponents.items()}
