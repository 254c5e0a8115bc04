"""Training rows that are the chunks of Dask arrays, each worked on where it lies.

The methods are those of `mlmlm._training_rows.RowsInMemory`; a worker uses just that for its chunk.
Sums are added pairwise on the workers, and only the total comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeVar

import dask.array as da
import numpy as np
from dask.base import compute, get_scheduler
from dask.delayed import delayed
from numpy.typing import NDArray
from sklearn.utils.validation import check_array

from mlmlm._distinct import distinct_keys, distinct_rows
from mlmlm._label_matrix import check_label_matrix, check_labels
from mlmlm._label_vectors import LabelVectors
from mlmlm._target import Target, column_names
from mlmlm._tiles import Tick
from mlmlm._training_rows import Piece, RowsInMemory, Sums, is_dask
from mlmlm.types import Indices, Labels, Matrix

Result = TypeVar("Result")
_FLOATS = (np.float64, np.float32)


class RowsOnDask:
    """Rows of Dask arrays.

    Parameters
    ----------
    X : dask array of shape (N, M)
        Inputs. Its chunks of rows are the pieces; they should fit into a worker's memory a few
        times over.
    Y : dask array or array of shape (N, L), or of shape (N,)
        Binary label matrix, or the one column of it.
    estimator : object, optional
        In whose name is told what is wrong with them.

    Attributes
    ----------
    target : Target
        The form that the labels were given in.
    """

    indices = None  # of rows left out of these: there are none

    def __init__(self, X: Any, Y: Any, estimator: Any = None) -> None:
        if not is_dask(X):
            X = check_array(X, accept_sparse="csr", dtype=_FLOATS, estimator=estimator)
        X, names = _as_dask(X), column_names(Y)
        Y = _as_dask(Y if is_dask(Y) else check_labels(Y, estimator))
        is_vector = Y.ndim == 1
        Y = Y[:, np.newaxis] if is_vector else Y
        for name, array in (("X", X), ("Y", Y)):
            if array.ndim != 2:
                raise ValueError(f"{name} must have two dimensions, but it has {array.ndim}.")
        self._X = _with_sizes(X).rechunk({1: -1})
        self._Y = _with_sizes(Y).rechunk({1: -1})
        if len(self._X) != len(self._Y):
            raise ValueError(
                f"X and Y have inconsistent numbers of samples: {len(self._X)} and "
                f"{len(self._Y)}. Pass one row of Y for each row of X."
            )
        self._Y = self._Y.rechunk({0: self._X.chunks[0]})
        self.target = Target.of_columns(int(self._Y.shape[1]), names, is_vector)
        shape = self.n_features, self.target.n_labels
        sizes = self._X.chunks[0]
        self._chunks = [
            delayed(_checked)(x, y, first, shape)
            for x, y, first, size in zip(
                self._X.to_delayed().ravel(),
                self._Y.to_delayed().ravel(),
                accumulate(sizes, initial=0),
                sizes,
                strict=False,
            )
            if size
        ]
        if not self._chunks:
            raise ValueError("X and Y have 0 samples, but a minimum of 1 is required.")

    def __len__(self) -> int:
        return int(self._X.shape[0])

    @property
    def n_features(self) -> int:
        return int(self._X.shape[1])

    @property
    def width(self) -> int:
        """Values that a row takes in memory, at most."""
        return self.n_features

    def inputs(self, rows: Indices) -> Matrix:
        """The inputs of some rows, fetched."""
        order = np.argsort(rows)
        inputs = self._X[rows[order]].compute().astype(np.float64, copy=False)
        return inputs[np.argsort(order)]

    def subset(self, rows: Indices) -> RowsOnDask:
        """Some rows, counted anew."""
        return RowsOnDask(self._X[rows], self._Y[rows])

    def label_vectors(self, sparse_density: float) -> LabelVectors:
        """Their distinct label vectors."""
        found = self._each(_distinct_labels)
        vectors = np.concatenate([vectors for vectors, _ in found])
        counts = np.concatenate([counts for _, counts in found])
        distinct = distinct_rows(vectors)
        total = np.bincount(distinct.inverse, weights=counts).astype(np.intp)
        return LabelVectors(vectors[distinct.first], total, sparse_density)

    @cached_property
    def distinct_inputs(self) -> Indices:
        """For each distinct input, the first row that has it."""
        return distinct_keys(np.concatenate(self._each(RowsInMemory.digests))).first

    def map(self, function: Callable[[Piece], Result], size: int) -> Iterator[Result]:
        """Results for pieces of at most ``size`` rows, in their order."""
        for results in self._each(_mapped, _held(function), size):
            yield from results

    def sum(self, function: Callable[[Piece], Sums], size: int, tick: Tick) -> Sums:
        """The sums of the arrays that ``function`` gives for each piece, added up on the way."""
        held = _held(function)
        sums = [delayed(_summed)(chunk, held, size) for chunk in self._chunks]
        while len(sums) > 1:
            pairs = zip(sums[::2], sums[1::2], strict=False)
            sums = [delayed(_added)(*pair) for pair in pairs] + sums[len(sums) & ~1 :]
        (total,) = compute(sums[0])
        tick(len(self))
        return total

    def _each(self, function: Callable[..., Result], *arguments: Any) -> tuple[Result, ...]:
        return compute(*(delayed(function)(chunk, *arguments) for chunk in self._chunks))


def lazily(function: Callable[[Any], Any], X: Any, shape: tuple[int, ...], dtype: type) -> Any:
    """A Dask array of what ``function`` gives for the rows of each chunk, of the given shape."""
    X, held = _as_dask(X).rechunk({1: -1}), _held(function)
    parts = [
        da.from_delayed(delayed(_applied)(held, x, shape, dtype), (n_rows, *shape), dtype)
        for x, n_rows in zip(X.to_delayed().ravel(), X.chunks[0], strict=True)
    ]
    return da.concatenate(parts, allow_unknown_chunksizes=True)


def _as_dask(table: Any) -> Any:
    if hasattr(table, "to_dask_array"):  # a data frame
        return table.to_dask_array(lengths=True)
    if isinstance(table, da.Array):
        return table
    return da.from_delayed(_held(table), table.shape, table.dtype)


def _with_sizes(array: Any) -> Any:
    """Chunks whose sizes are not known are computed once to see."""
    return array.compute_chunk_sizes() if np.isnan(sum(array.shape)) else array


def _held(thing: Any) -> Any:
    """Something large, or a function that holds it: sent to the workers once, not in every task."""
    client = getattr(get_scheduler(), "__self__", None)
    if client is None:  # no cluster: Dask works in this process
        return delayed(thing, pure=False, traverse=False)
    return client.scatter([thing], hash=False, broadcast=True)[0]


# What workers do.


def _checked(x: Any, y: Any, first: int, shape: tuple[int, int]) -> RowsInMemory:
    X = check_array(x, accept_sparse="csr", dtype=_FLOATS, input_name="X")
    Y = check_label_matrix(y)
    if X.shape[0] != Y.shape[0]:
        raise ValueError(
            f"The chunks of row {first} have {X.shape[0]} rows of X and {Y.shape[0]} of Y; they "
            "are not of the sizes that they were said to be."
        )
    for name, table, width in (("X", X, shape[0]), ("Y", Y, shape[1])):
        if table.shape[1] != width:
            raise ValueError(
                f"{name} must have {width} columns in every chunk, but the one of row {first} has "
                f"{table.shape[1]}."
            )
    return RowsInMemory(X, Y, first)


def _distinct_labels(rows: RowsInMemory) -> tuple[Labels, Indices]:
    distinct = distinct_rows(rows.Y)
    return rows.Y[distinct.first], distinct.counts


def _mapped(rows: RowsInMemory, function: Callable[[Piece], Result], size: int) -> list[Result]:
    return list(rows.map(function, size))


def _summed(rows: RowsInMemory, function: Callable[[Piece], Sums], size: int) -> Sums:
    return rows.sum(function, size, lambda rows: None)


def _added(one: Sums, other: Sums) -> Sums:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _applied(
    function: Callable[[Any], Any], x: Any, shape: tuple[int, ...], dtype: type
) -> NDArray[Any]:
    return function(x) if x.shape[0] else np.empty((0, *shape), dtype)
