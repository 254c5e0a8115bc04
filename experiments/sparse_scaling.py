"""Min-max scaling of sparse features: the numbers of `MinMaxScaler`, which takes dense ones only.

What a row leaves out is a 0 like any other. A column whose smallest training value is 0 keeps its
zeros; any other is shifted, so that its zeros become something else and it is stored in full.
"""

from __future__ import annotations

from typing import Self

import numpy as np
import scipy.sparse as sp
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.sparsefuncs import min_max_axis

from mlmlm.types import Matrix


class SparseMinMaxScaler:
    """Scales the columns of csr arrays to [0, 1] on the rows it is fitted to."""

    def fit(self, X: Matrix) -> Self:
        """Learn the scale and the shift of each column."""
        # A column's smallest and largest value are all that the dense scaler looks at.
        dense = MinMaxScaler().fit(np.stack(min_max_axis(X, axis=0)))
        self._scale, self._shift = dense.scale_, dense.min_
        return self

    def transform(self, X: Matrix) -> Matrix:
        """The columns times their scale, plus their shift, as the dense scaler computes them."""
        scaled = sp.csr_array((X.data * self._scale[X.indices], X.indices, X.indptr), X.shape)
        shifted = np.flatnonzero(self._shift)
        if not len(shifted):
            return scaled.copy()
        # The shift of every row, as a matrix of the same kind, indices of the same width.
        rows, index = X.shape[0], X.indices.dtype
        columns = np.tile(shifted.astype(index), rows)
        ends = np.arange(rows + 1, dtype=index) * len(shifted)
        return scaled + sp.csr_array((self._shift[columns], columns, ends), X.shape)
