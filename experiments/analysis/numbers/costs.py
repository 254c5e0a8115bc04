"""What a method costs its user: seconds to fit and to predict, and memory.

What several methods share is counted for each of them, because a user of one alone has to wait for
it; computing the metrics is not counted. Of several runs on a dataset it is the mean, and over
datasets the sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from experiments.analysis.numbers.metrics import lower_is_better
from experiments.analysis.numbers.seconds import IN_ALL, PEAK, outer_seconds
from experiments.record import Record

FIT, PREDICTION = "fit", "prediction"
_OF_PREDICTION = ("predicted distances", "prediction")


def costs(records: Sequence[Record], methods: Mapping[str, str]) -> pd.DataFrame:
    """Seconds of fit and prediction and in all, and the largest memory, by method.

    A method that was not run on all datasets has no sums, which would look cheap; its memory is
    that of the datasets it was run on.
    """
    frame = _runs(records, methods)
    means = frame.groupby(["method", "dataset"], sort=False)[[FIT, PREDICTION]].mean()
    by_method = means.groupby("method", sort=False)
    whole = by_method.size() == frame["dataset"].nunique()
    table = by_method.sum().where(whole, axis=0)
    table[IN_ALL] = table.sum(axis=1, skipna=False)
    table[PEAK] = frame.groupby("method", sort=False)[PEAK].max()
    return table.reindex(list(methods.values())).rename_axis("method")


def user_seconds(record: Record) -> dict[str, float]:
    """Seconds from features to a fitted model, and from there to labels."""
    seconds = {FIT: 0.0, PREDICTION: 0.0}
    for shared in (True, False):
        for phase, taken in outer_seconds(record, shared).items():
            if phase != "metrics":
                seconds[PREDICTION if phase in _OF_PREDICTION else FIT] += taken
    return seconds


def seconds_by_dataset(records: Sequence[Record], methods: Mapping[str, str]) -> pd.DataFrame:
    """Methods by datasets: seconds of fit and prediction together."""
    frame = _runs(records, methods)
    frame[IN_ALL] = frame[FIT] + frame[PREDICTION]
    means = frame.groupby(["method", "dataset"], sort=False)[IN_ALL].mean().unstack()
    return means.reindex(index=frame["method"].unique(), columns=frame["dataset"].unique())


def pareto_front(seconds: pd.Series, values: pd.Series, metric: str) -> list[str]:
    """The methods that no other beats in both, the quickest first.

    Going from the quickest to the slowest, a method is on the front if it is better than all
    before it.
    """
    sense = -1 if lower_is_better(metric) else 1
    pairs = pd.DataFrame({"seconds": seconds, "value": sense * values}).dropna()
    pairs = pairs.sort_values(["seconds", "value"], ascending=[True, False], kind="stable")
    before = pairs["value"].cummax().shift(fill_value=float("-inf"))
    return [str(name) for name in pairs.index[pairs["value"] > before]]


def _runs(records: Sequence[Record], methods: Mapping[str, str]) -> pd.DataFrame:
    rows = [
        {"method": methods[record.method], "dataset": record.dataset, PEAK: record.peak_mb}
        | user_seconds(record)
        for record in records
    ]
    return pd.DataFrame(rows, columns=["method", "dataset", FIT, PREDICTION, PEAK])
