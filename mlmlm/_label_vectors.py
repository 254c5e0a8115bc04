"""The distinct label vectors of a training set and the distances between them."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from mlmlm._distinct import distinct_rows
from mlmlm.types import Array, Indices, Labels

# Share of ones in the label vectors below which products with them are faster sparse than
# dense; `make bench` shows both.
SPARSE_DENSITY = 0.12


class LabelVectors:
    """Distinct label vectors ``t_1 .. t_U`` with how often, and in which rows, they occur.

    Columns of the label distance matrix repeat wherever label vectors do, so U columns with
    counts stand for the N of the paper.

    Parameters
    ----------
    vectors : uint8 array of shape (U, L)
        In order of first appearance.
    counts : array of shape (U,)
        Number of training rows that have each, or the sum of their weights.
    sparse_density : float
        Share of ones below which products with the vectors are sparse.
    of_row : array of shape (N,), optional
        Which of the vectors each training row has.

    Attributes
    ----------
    vectors, counts, of_row
        As given.
    cardinalities : array of shape (U,)
        Number of labels of each vector.
    positives : array of shape (L,)
        Number of training rows that have each label, or the sum of their weights.
    total : float
        Number of training rows, or the sum of their weights.
    is_sparse : bool
        Whether products with the vectors are sparse.
    """

    def __init__(
        self,
        vectors: Labels,
        counts: NDArray[Any],
        sparse_density: float = SPARSE_DENSITY,
        of_row: Indices | None = None,
    ) -> None:
        self.vectors = np.ascontiguousarray(vectors)
        self.counts = counts
        self.of_row = of_row
        self.cardinalities = self.vectors.sum(axis=1, dtype=np.intp)
        self.positives = np.einsum("u,ul->l", self.counts, self.vectors)  # casts piece by piece
        self.total = float(self.counts.sum())
        self.is_sparse = bool(self.vectors.mean() < sparse_density)
        self._make_factors()

    def _make_factors(self) -> None:
        """Label vectors to multiply by, and those times their counts, transposed."""
        if self.is_sparse:  # with very many labels dense ones would take more than all else
            self._factor = sp.csr_array(self.vectors).astype(np.float64)
            self._counted = self._factor.T.tocsr()
            self._counted.data = self._counted.data * self.counts[self._counted.indices]
        else:
            self._factor = self.vectors.astype(np.float64)
            self._counted = np.ascontiguousarray(self._factor.T) * self.counts

    @classmethod
    def of_rows(
        cls, Y: Labels, sparse_density: float = SPARSE_DENSITY, weights: Array | None = None
    ) -> LabelVectors:
        """Those of a label matrix, whose rows may have weights."""
        distinct = distinct_rows(Y)
        return cls(Y[distinct.first], distinct.weighed(weights), sparse_density, distinct.inverse)

    def subset(self, which: Indices, sparse_density: float = SPARSE_DENSITY) -> LabelVectors:
        """Some of the vectors with their counts; what is counted over all rows stays."""
        some = LabelVectors(self.vectors[which], self.counts[which], sparse_density)
        some.positives, some.total = self.positives, self.total
        return some

    def __getstate__(self) -> dict[str, Any]:
        """Neither what is known of single rows is pickled, nor what the vectors tell."""
        return vars(self) | {"of_row": None, "_factor": None, "_counted": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._make_factors()

    def __len__(self) -> int:
        return len(self.vectors)

    @property
    def n_labels(self) -> int:
        return int(self.vectors.shape[1])

    def distances(self, others: Labels) -> Array:
        """Euclidean distances from other label vectors (rows) to these (columns).

        Between binary vectors ``|s - t|^2 = |s| + |t| - 2 s.t``, exact in integers.
        """
        common = (self._factor @ others.T.astype(np.float64)).T
        cardinalities = others.sum(axis=1, dtype=np.intp)
        squares = cardinalities[:, None] + self.cardinalities[None, :] - 2.0 * common
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
