"""What a run costs its user: seconds to fit and to predict."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from experiments.analysis.titles import row_titles
from experiments.record import Record

_NOT_THE_USERS = ("metrics",)


def user_seconds(records: Sequence[Record]) -> pd.DataFrame:
    """Rows of our tables by datasets: seconds from features to labels, the mean over seeds.

    What several methods share is counted for each: a user of one alone has to wait for it.
    """
    titles = row_titles(records)
    rows = [
        {"method": titles[record.method], "dataset": record.dataset, "seconds": _seconds(record)}
        for record in records
    ]
    frame = pd.DataFrame(rows, columns=["method", "dataset", "seconds"])
    means = frame.groupby(["method", "dataset"], sort=False)["seconds"].mean().unstack()
    return means.reindex(index=frame["method"].unique(), columns=frame["dataset"].unique())


def _seconds(record: Record) -> float:
    return sum(each.seconds for each in record.phases if each.name not in _NOT_THE_USERS)
