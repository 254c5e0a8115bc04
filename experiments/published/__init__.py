"""The paper's figures, as printed.

``results.csv`` holds the cells of its eight result tables, ``power_distance.csv`` the table of
chosen powers and predicted distances, ``datasets.csv`` the table of characteristics.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

_FOLDER = Path(__file__).parent


def results() -> pd.DataFrame:
    """Columns metric, method, dataset, value."""
    return pd.read_csv(_FOLDER / "results.csv")


def power_distance() -> pd.DataFrame:
    """Indexed by dataset: log2_power, distance_mean, distance_std."""
    return pd.read_csv(_FOLDER / "power_distance.csv", index_col="dataset")


def datasets() -> pd.DataFrame:
    """Indexed by dataset: the characteristics of the data."""
    return pd.read_csv(_FOLDER / "datasets.csv", index_col="dataset")
