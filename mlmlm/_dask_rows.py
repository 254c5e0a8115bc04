"""Training rows that are the chunks of Dask arrays, each worked on where it lies.

The methods are those of `mlmlm._training_rows.RowsInMemory`; a worker uses just that for its chunk.
Sums are added pairwise on the workers, and only the total comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeVar

import dask.array as da
import numpy as np
import scipy.sparse as sp
from dask.base import compute, get_scheduler
from dask.delayed import delayed
from numpy.typing import NDArray
from sklearn.utils.validation import check_array

from mlmlm._distinct import distinct_keys, distinct_rows
from mlmlm._label_matrix import check_label_matrix, check_labels
from mlmlm._label_vectors import LabelVectors
from mlmlm._target import Target, read_target, two_classes
from mlmlm._tiles import Tick
from mlmlm._training_rows import Piece, RowsInMemory, Sums, is_dask
from mlmlm.types import Indices, Labels, Matrix

Result = TypeVar("Result")
_FLOATS = (np.float64, np.float32)


class RowsOnDask:
    """Rows in chunks, each a `RowsInMemory` that a worker makes when it is needed.

    Parameters
    ----------
    chunks : list of delayed RowsInMemory
        They count their rows on from one to the next.
    sizes : list of int
        Rows of each.
    n_features : int
        Columns of the inputs.
    target : Target
        The form that the labels were given in.
    source : object
        What the chunks are made of: workers let go of what nobody holds.
    """

    is_remote = True
    indices = None  # of rows left out of these: there are none

    def __init__(
        self,
        chunks: list[Any],
        sizes: Sequence[int],
        n_features: int,
        target: Target,
        source: Any,
    ) -> None:
        self._chunks, self._ends = chunks, np.cumsum(sizes)
        self.n_features, self.target, self._source = n_features, target, source

    @classmethod
    def of_arrays(cls, X: Any, Y: Any, estimator: Any = None) -> RowsOnDask:
        """Rows of Dask arrays.

        Parameters
        ----------
        X : dask array of shape (N, M)
            Inputs. Its chunks of rows should fit into a worker's memory a few times over.
        Y : dask array or array of shape (N, L), or of shape (N,)
            Binary label matrix, or the one column of it.
        estimator : object, optional
            In whose name is told what is wrong with them.
        """
        only_y = not is_dask(X)
        if only_y:
            X = _sent(check_array(X, accept_sparse="csr", dtype=_FLOATS, estimator=estimator))
        X, (Y, target) = dask_array(X, "X"), _labels(Y, estimator)
        X, Y = _with_sizes(X).rechunk({1: -1}), _with_sizes(Y).rechunk({1: -1})
        if len(X) != len(Y):
            raise ValueError(
                f"X and Y have inconsistent numbers of samples: {len(X)} and {len(Y)}. Pass one "
                "row of Y for each row of X."
            )
        if not len(X):
            raise ValueError("X and Y have 0 samples, but a minimum of 1 is required.")
        X, Y = (X.rechunk({0: Y.chunks[0]}), Y) if only_y else (X, Y.rechunk({0: X.chunks[0]}))
        shape, sizes = (int(X.shape[1]), int(Y.shape[1])), X.chunks[0]
        pairs = zip(X.to_delayed().ravel(), Y.to_delayed().ravel(), strict=True)
        chunks = [
            delayed(_checked)(x, y, start, shape)
            for (x, y), start, size in zip(pairs, _starts(sizes), sizes, strict=True)
            if size
        ]
        return cls(chunks, [size for size in sizes if size], shape[0], target, (X, Y))

    def __len__(self) -> int:
        return int(self._ends[-1])

    @property
    def width(self) -> int:
        """Values that a row takes in memory, at most."""
        return self.n_features

    def inputs(self, rows: Indices) -> Matrix:
        """The inputs of some rows, fetched."""
        order = np.argsort(rows)
        taken = [
            delayed(RowsInMemory.inputs)(chunk, some) for chunk, some in self._by_chunk(rows[order])
        ]
        parts = compute(*taken)
        stack = sp.vstack if sp.issparse(parts[0]) else np.concatenate
        return stack(parts)[np.argsort(order)]

    def subset(self, rows: Indices) -> RowsOnDask:
        """Some rows, in increasing order and counted anew; each stays where its chunk is.

        (Indexed by rows a Dask array may come out in one chunk, which only one worker works on.)
        """
        parts = list(self._by_chunk(rows))
        sizes = [len(some) for _, some in parts]
        chunks = [
            delayed(_taken)(chunk, some, start)
            for (chunk, some), start in zip(parts, _starts(sizes), strict=True)
        ]
        return RowsOnDask(chunks, sizes, self.n_features, self.target, self._source)

    def _by_chunk(self, rows: Indices) -> Iterator[tuple[Any, Indices]]:
        """The chunks that have some of the rows, which increase, and which of theirs they are."""
        parts = np.split(rows, np.searchsorted(rows, self._ends[:-1]))
        starts = [0, *self._ends[:-1]]
        for chunk, start, some in zip(self._chunks, starts, parts, strict=True):
            if len(some):
                yield chunk, some - start

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

    def sum(
        self,
        start: Callable[[], Sums],
        add: Callable[[Sums, Piece], None],
        size: int,
        tick: Tick,
    ) -> Sums:
        """The arrays that ``start`` makes, to which ``add`` has added each piece's part."""
        held = _held(add)
        sums = [delayed(_summed)(chunk, start, held, size) for chunk in self._chunks]
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
    X, held = X.rechunk({1: -1}), _held(function)
    parts = [
        da.from_delayed(delayed(_applied)(held, x, shape, dtype), (n_rows, *shape), dtype)
        for x, n_rows in zip(X.to_delayed().ravel(), X.chunks[0], strict=True)
    ]
    return da.concatenate(parts, allow_unknown_chunksizes=True)


def dask_array(table: Any, name: str) -> Any:
    """What Dask gave, if it is an array of two dimensions."""
    if not isinstance(table, da.Array):
        raise ValueError(
            f"{name} must be a Dask array, not a {type(table).__name__} of Dask; of a data frame "
            "pass frame.to_dask_array(lengths=True), its columns in one order always."
        )
    if table.ndim != 2:
        raise ValueError(f"{name} must have two dimensions, but it has {table.ndim}.")
    return table


def _labels(Y: Any, estimator: Any) -> tuple[Any, Target]:
    """Labels as a Dask array of zeros and ones with a column for each, and the form they had."""
    if not is_dask(Y):
        matrix, target = read_target(Y, estimator)
        return _sent(matrix), target
    is_vector = getattr(Y, "ndim", 0) == 1
    Y = dask_array(Y[:, np.newaxis] if is_vector else Y, "Y")
    if Y.shape[1] > 1:
        return Y, Target.of_columns(int(Y.shape[1]))
    if Y.shape[1] < 1:
        raise ValueError("Y has 0 columns, but a label at least is required.")
    Y = _with_sizes(Y)
    found = compute(*(delayed(_values)(y) for y in Y.to_delayed().ravel()))
    classes = two_classes(np.concatenate(found), is_vector)
    return Y.map_blocks(_is_second, classes, dtype=np.uint8), Target(1, classes, is_vector)


def _sent(table: Any) -> Any:
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


def _starts(sizes: Sequence[int]) -> list[int]:
    return [0, *accumulate(sizes[:-1])]


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


def _values(column: Any) -> NDArray[Any]:
    """The different values of a column of labels."""
    return np.unique(_dense(check_labels(column))) if column.shape[0] else np.empty(0, column.dtype)


def _is_second(column: Any, classes: NDArray[Any]) -> Labels:
    return (_dense(column) == classes[1]).astype(np.uint8)


def _dense(table: Any) -> NDArray[Any]:
    return table.toarray() if sp.issparse(table) else table


def _taken(rows: RowsInMemory, which: Indices, first: int) -> RowsInMemory:
    return RowsInMemory(rows.X[which], rows.Y[which], first)


def _distinct_labels(rows: RowsInMemory) -> tuple[Labels, Indices]:
    distinct = distinct_rows(rows.Y)
    return rows.Y[distinct.first], distinct.counts


def _mapped(rows: RowsInMemory, function: Callable[[Piece], Result], size: int) -> list[Result]:
    return list(rows.map(function, size))


def _summed(
    rows: RowsInMemory,
    start: Callable[[], Sums],
    add: Callable[[Sums, Piece], None],
    size: int,
) -> Sums:
    return rows.sum(start, add, size, lambda rows: None)


def _added(one: Sums, other: Sums) -> Sums:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _applied(
    function: Callable[[Any], Any], x: Any, shape: tuple[int, ...], dtype: type
) -> NDArray[Any]:
    return function(x) if x.shape[0] else np.empty((0, *shape), dtype)
