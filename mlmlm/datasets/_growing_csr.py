"""A sparse matrix that grows by rows while a file is read, and is never dense on the way."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np
from scipy import sparse

from mlmlm.types import Matrix


class GrowingCsr:
    """Columns and values of the rows so far, in the arrays that the matrix is then made of."""

    def __init__(self) -> None:
        self._columns, self._values, self._ends = array("i"), array("d"), array("q", [0])

    def add(self, columns: Iterable[int], values: Iterable[float]) -> None:
        """Add a row."""
        self._columns.extend(columns)
        self._values.extend(values)
        self._ends.append(len(self._values))

    def matrix(self, n_columns: int) -> Matrix:
        """All rows; a ValueError if there are not as many columns, or not a value for each."""
        parts = tuple(np.asarray(part) for part in (self._values, self._columns, self._ends))
        matrix = sparse.csr_array(parts, shape=(len(self._ends) - 1, n_columns))
        matrix.check_format(full_check=True)
        return matrix
