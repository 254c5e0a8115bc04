"""The paper's values, as printed.

``results.csv`` holds the cells of its eight result tables, ``sources.csv`` whose values each
method's cells are, ``power_distance.csv`` the table of chosen powers and predicted distances,
``datasets.csv`` the table of characteristics.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pandas as pd

AUTHORS = "authors"
"""The source of the cells that the paper's authors computed with their own methods."""

_FOLDER = Path(__file__).parent


def results() -> pd.DataFrame:
    """Columns metric, method, dataset, value."""
    return _read("results.csv").copy()


def results_table(metric: str) -> pd.DataFrame:
    """The table of a metric: methods by datasets, in the paper's order."""
    rows = results().query("metric == @metric")
    table = rows.pivot(index="method", columns="dataset", values="value")
    return table.loc[rows["method"].unique(), rows["dataset"].unique()]


def sources() -> pd.DataFrame:
    """Indexed by method: source, what the paper says of it (in our words), and its place there.

    Two methods are named in the text but have no cell: see `methods_without_cells`.
    """
    return _read("sources.csv", "method").copy()


def own_methods() -> list[str]:
    """The distance-regression methods, whose cells are the authors' own, in the paper's order."""
    source = sources()["source"]
    return list(source.index[source == AUTHORS])


def methods_without_cells() -> list[str]:
    """Methods that the text names among those compared, but that no table has."""
    printed = set(results()["method"])
    return [method for method in sources().index if method not in printed]


def power_distance() -> pd.DataFrame:
    """Indexed by dataset: log2_power, distance_mean, distance_std."""
    return _read("power_distance.csv", "dataset").copy()


def datasets() -> pd.DataFrame:
    """Indexed by dataset: the characteristics of the data."""
    return _read("datasets.csv", "dataset").copy()


def title(dataset: str) -> str:
    """The paper's spelling of one of its datasets."""
    return dataset.capitalize()


@cache
def _read(name: str, index: str | None = None) -> pd.DataFrame:
    return pd.read_csv(_FOLDER / name, index_col=index)
