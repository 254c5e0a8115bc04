"""What the statistics accept: tables of methods by datasets, and pairs of methods."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

FloatArray = npt.NDArray[np.float64]

LEAST_DATASETS = 3
"""With fewer datasets there is nothing to test: even if a method wins them all, that happens by
chance in one of two (one dataset) or one of four cases."""

_DIGITS = 12
"""Differences are told apart by this many significant digits of the values they are taken of."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two methods and by how much the first is better on each dataset."""

    first: Hashable
    second: Hashable
    differences: FloatArray

    @property
    def n_datasets(self) -> int:
        return len(self.differences)


def pair(
    first: npt.ArrayLike, second: npt.ArrayLike, lower_is_better: bool, least: int = LEAST_DATASETS
) -> Pair:
    """Check the values of two methods and take their differences.

    Series give the names of the methods, and their indices must agree.
    """
    values = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if values[0].ndim != 1 or values[0].shape != values[1].shape:
        raise ValueError(
            "the methods must have one value each on the same datasets, got shapes "
            f"{values[0].shape} and {values[1].shape}"
        )
    names = [one.index for one in (first, second) if isinstance(one, pd.Series)]
    if len(names) == 2 and not names[0].equals(names[1]):
        raise ValueError(
            "the values must be of the same datasets in the same order; reindex one of them"
        )
    missing = np.flatnonzero(~np.isfinite(values).all(axis=0))
    if missing.size:
        where = ", ".join(str(names[0][place] if names else place) for place in missing)
        raise ValueError(f"values are missing or infinite at {where}; add them, or leave those out")
    check_datasets(len(values[0]), least)
    better, worse = values[::-1] if lower_is_better else values
    largest = float(np.max(np.abs(values)))
    return Pair(
        _name(first, "first"), _name(second, "second"), without_noise(better - worse, largest)
    )


def without_noise(differences: FloatArray, largest: float) -> FloatArray:
    """Round away what the arithmetic of the machine leaves, for ties to be ties.

    0.8 - 0.7 is not 0.6 - 0.5 by 1e-16, and a rank would hang on it.
    """
    if largest == 0:
        return differences
    # NumPy's rounding multiplies by a power of ten, which must be finite.
    decimals = min(_DIGITS - int(np.ceil(np.log10(largest))), 300)
    return np.round(differences, decimals)


def check_datasets(n_datasets: int, least: int = LEAST_DATASETS) -> None:
    if n_datasets < least:
        raise ValueError(f"{least} or more datasets are needed to tell, got {n_datasets}")


def check_table(table: pd.DataFrame, least_datasets: int = LEAST_DATASETS) -> None:
    n_methods, n_datasets = table.shape
    if n_methods < 2 or n_datasets < least_datasets:
        raise ValueError(
            f"a comparison needs 2 or more methods and {least_datasets} or more datasets, got "
            f"{n_methods} and {n_datasets}; the table has a row for each method and a column for "
            "each dataset"
        )
    if not (table.index.is_unique and table.columns.is_unique):
        raise ValueError("methods and datasets must each have a name of their own; rename them")
    if not all(pd.api.types.is_numeric_dtype(kind) for kind in table.dtypes):
        raise ValueError("the table must be of numbers; convert it with table.astype(float)")
    missing = [
        f"{method} on {name}" for name in table for method in table.index[table[name].isna()]
    ]
    if missing:
        shown = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
        raise ValueError(
            f"values are missing: {shown}; add them, or drop those methods or datasets"
        )


def check_alpha(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be between 0 and 1, for example 0.05, got {alpha}")


def _name(values: npt.ArrayLike, otherwise: str) -> Hashable:
    name = getattr(values, "name", None)
    return otherwise if name is None else name
