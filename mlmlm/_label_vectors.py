"""The distinct label vectors of a training set and the distances between them."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from mlmlm._distinct import distinct_rows
from mlmlm.types import Array, Indices, Labels

# Share of ones in the label vectors below which products with them are faster sparse than
# dense; `make bench` shows both.
SPARSE_DENSITY = 0.12


class LabelVectors:
    """Distinct label vectors ``t_1 .. t_U`` with how often, and in which rows, they occur.

    Columns of the label distance matrix repeat wherever label vectors do, so U columns with
    counts stand for the N of the paper.

    Attributes
    ----------
    vectors : uint8 array of shape (U, L)
        In order of first appearance.
    counts : array of shape (U,)
        Number of training rows that have each.
    of_row : array of shape (N,)
        Which of the vectors each training row has.
    is_sparse : bool
        Whether products with the vectors are sparse: if the share of ones is below the
        ``sparse_density`` given.
    """

    def __init__(self, Y: Labels, sparse_density: float = SPARSE_DENSITY) -> None:
        distinct = distinct_rows(Y)
        self.vectors = np.ascontiguousarray(Y[distinct.first])
        self.counts = distinct.counts
        self.of_row = distinct.inverse
        self.cardinalities = self.vectors.sum(axis=1, dtype=np.intp)
        self.is_sparse = bool(self.vectors.mean() < sparse_density)
        floats = self.vectors.astype(np.float64)
        counted = np.ascontiguousarray(floats.T) * self.counts
        self._factor = sp.csr_array(floats) if self.is_sparse else floats
        self._counted = sp.csr_array(counted) if self.is_sparse else counted

    def __len__(self) -> int:
        return len(self.vectors)

    @property
    def n_labels(self) -> int:
        return int(self.vectors.shape[1])

    def distances(self, which: Indices) -> Array:
        """Euclidean distances from the given of the vectors (rows) to all of them (columns).

        Between binary vectors ``|s - t|^2 = |s| + |t| - 2 s.t``, exact in integers.
        """
        common = (self._factor @ self.vectors[which].T.astype(np.float64)).T
        squares = self.cardinalities[which][:, None] + self.cardinalities[None, :] - 2.0 * common
        return np.sqrt(squares, out=squares)

    def sums_by_label(self, values: Array) -> Array:
        """For each label, the sum of ``values`` over the training rows that have it.

        Parameters
        ----------
        values : array of shape (U, n)
            Values of the distinct label vectors, for n cases.

        Returns
        -------
        sums : array of shape (L, n)
        """
        return self._counted @ values
