"""Which values agree with the paper's, and how many of its cells come out."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from experiments import published
from experiments.analysis.numbers.metrics import PAPER_METRICS, metric_title
from experiments.analysis.numbers.titles import paper_datasets


def agreement(
    ours: pd.DataFrame, printed: pd.DataFrame, tolerance: float | Sequence[float]
) -> pd.DataFrame:
    """Whether values are within a tolerance, one for all or by column; None without both."""
    agrees = (ours - printed).abs().le(tolerance).astype(object)
    return agrees.where(ours.notna() & printed.notna(), None)


def countable_cells(cells: pd.DataFrame) -> pd.DataFrame:
    """The published cells of the paper's own methods, and all others that the study has.

    Columns dataset, method, metric (as in our tables) and agrees, which is missing where the study
    lacks the cell. ``cells`` are `mean_cells` of a study.
    """
    names = {"title": "dataset", "row": "method"}
    results = cells[(cells["table"] == "results") & cells["published"].notna()]
    ours = results.drop(columns=["dataset", "method"]).rename(columns=names)
    printed = published.results().query("method in @published.own_methods()")
    expected = printed.assign(dataset=printed["dataset"].map(published.title), agrees=None)
    keys = ["published_as", "dataset", "metric"]
    present = pd.MultiIndex.from_frame(ours[keys])
    wanted = pd.MultiIndex.from_frame(expected.assign(published_as=expected["method"])[keys])
    columns = ["dataset", "method", "metric", "agrees"]
    absent = expected.loc[~wanted.isin(present), columns]
    both = pd.concat([ours[columns], absent], ignore_index=True)
    return both.assign(metric=both["metric"].map(metric_title))


def agreement_counts(counted: pd.DataFrame, by: str) -> pd.DataFrame:
    """By dataset, method or metric, and in all; ``counted`` are `countable_cells`."""
    marks = pd.DataFrame(
        {
            "agree": counted["agrees"].eq(True),
            "differ": counted["agrees"].eq(False),
            "missing": counted["agrees"].isna(),
        }
    )
    order = {
        "dataset": paper_datasets(),
        "method": published.own_methods(),
        "metric": [metric_title(metric) for metric in PAPER_METRICS],
    }
    counts = marks.groupby(counted[by], sort=False).sum()
    counts = counts.reindex(dict.fromkeys([*order[by], *counts.index])).rename_axis(by)
    counts.loc["in all"] = counts.sum()
    return counts.assign(**{"published cells": counts.sum(axis=1)})
