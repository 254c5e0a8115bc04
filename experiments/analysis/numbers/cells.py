"""The values of a study beside the paper's, one for each method and dataset.

A deterministic method has one record on a dataset; a stochastic one has a record for each seed, and
its value is their mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from experiments.analysis.numbers.titles import dataset_title, row_titles
from experiments.comparison import record_cells
from experiments.published.printing import TOLERANCES
from experiments.record import Record

KEYS = ("table", "metric", "method", "published_as", "row", "dataset", "title", "published")


def mean_cells(records: Sequence[Record]) -> pd.DataFrame:
    """A row for each value.

    Columns table, metric, method, dataset, ours, published and agrees are as in
    `experiments.comparison`, published_as as in the record; ``row`` and ``title`` are what method
    and dataset are called in our tables, ``runs`` is the number of records.
    """
    cells = pd.DataFrame(_rows(records), columns=[*KEYS, "ours"])
    cells = cells.astype({"ours": float, "published": float})
    means = cells.groupby(list(KEYS), sort=False, dropna=False)["ours"].agg(["mean", "size"])
    means = means.reset_index().rename(columns={"mean": "ours", "size": "runs"})
    near = (means["ours"] - means["published"]).abs() <= means["table"].map(TOLERANCES)
    return means.assign(agrees=near.astype(object).where(means["published"].notna(), None))


def _rows(records: Sequence[Record]) -> Iterator[dict[str, Any]]:
    rows = row_titles(records)
    for record in records:
        called = {"row": rows[record.method], "title": dataset_title(record)}
        for cell in record_cells(record):
            yield cell._asdict() | called | {"published_as": record.published_as}
