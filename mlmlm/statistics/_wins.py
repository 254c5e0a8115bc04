"""On how many datasets a method wins, ties and loses against another."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mlmlm.statistics._input import check_table


@dataclass(frozen=True, eq=False)
class WinTieLoss:
    """Counts of datasets, methods by methods.

    Attributes
    ----------
    wins : DataFrame
        On how many datasets the method of the row is better than the method of the column.
    ties : DataFrame
        On how many the two are equal; on the diagonal all of them.
    n_datasets : int
        Number of datasets.
    decimals : int or None
        How many decimals were compared; None for all.
    """

    wins: pd.DataFrame
    ties: pd.DataFrame
    n_datasets: int
    decimals: int | None

    @property
    def losses(self) -> pd.DataFrame:
        return self.wins.T

    def of(self, one: Hashable, other: Hashable) -> tuple[int, int, int]:
        """Wins, ties and losses of one method against another."""
        return (
            int(self.wins.loc[one, other]),
            int(self.ties.loc[one, other]),
            int(self.wins.loc[other, one]),
        )


def win_tie_loss(
    table: pd.DataFrame, lower_is_better: bool, decimals: int | None = None
) -> WinTieLoss:
    """Count wins, ties and losses of each method against each other.

    This describes and tests nothing, so one dataset is enough.

    Parameters
    ----------
    table : DataFrame of shape (n_methods, n_datasets)
        One measure of each method on each dataset, with no value missing.
    lower_is_better : bool
        Whether the smallest value of a dataset is the best.
    decimals : int, optional
        Values that print alike with so many decimals are ties. By default only equal values are.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"a": [0.9, 0.8], "b": [0.6, 0.6], "c": [0.4, 0.5]}, ["x", "y"])
    >>> win_tie_loss(table, lower_is_better=False).of("x", "y")
    (1, 1, 1)
    """
    check_table(table, least_datasets=1)
    values = table.to_numpy(dtype=np.float64)
    if decimals is not None:
        values = np.round(values, decimals)
    if lower_is_better:
        values = -values

    def count(holds: np.ndarray) -> pd.DataFrame:
        return pd.DataFrame(holds.sum(axis=2), table.index, table.index)

    rows, columns = values[:, None], values[None]
    return WinTieLoss(count(rows > columns), count(rows == columns), table.shape[1], decimals)
