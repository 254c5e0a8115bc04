"""Which inputs are reference points.

``references`` says how many, or which; ``selection`` how that many are found among the distinct
inputs:

- "random": all are as likely.
- "kmeans++": one after the other, each with a chance that grows with the square of its distance to
  those found before, so that they spread over the data (scikit-learn's `kmeans_plusplus`).
- "pivoted": randomly pivoted Cholesky of ``k(x, y) = |x - c| + |y - c| - |x - y|``, the positive
  definite kernel that belongs to Euclidean distances (c is the mean). An input is drawn with a
  chance that grows with what the references found before leave unexplained of its distances.

The last two look at a random sample of the inputs where there are many more than asked for.
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike
from sklearn.cluster import kmeans_plusplus

from mlmlm._distances import euclidean
from mlmlm._distinct import distinct_keys, row_digests
from mlmlm._label_vectors import LabelVectors
from mlmlm.types import Array, Indices, Matrix

References = int | float | ArrayLike | None
SELECTIONS = ("random", "kmeans++", "pivoted")

_LEAST_CANDIDATES = 10_000
_CANDIDATES_PER_REFERENCE = 5
_EXPLAINED = 1e-10  # share of the kernel's trace below which all that is left is rounding


def choose_references(rows: Any, references: References, selection: str, seed: int) -> Indices:
    """Row indices of the reference points.

    Parameters
    ----------
    rows : RowsInMemory or RowsOnDask
        The training rows.
    references : int, float or array-like
        How many of the distinct inputs, which share of them, or the indices of rows.
    selection : str
        How they are found.
    seed : int
        Of what is random.

    Raises
    ------
    ValueError
        If there are not so many distinct inputs, or the indices are wrong.
    """
    if not isinstance(references, Real):
        return _checked_indices(rows, np.asarray(references))
    first = rows.distinct_inputs
    count = _count(references, len(first))
    if count == len(first):
        return first
    generator = np.random.default_rng(seed)
    if selection == "random":
        return np.sort(generator.choice(first, count, replace=False))
    n_candidates = max(_LEAST_CANDIDATES, _CANDIDATES_PER_REFERENCE * count)
    if len(first) > n_candidates:
        first = np.sort(generator.choice(first, n_candidates, replace=False))
    candidates = rows.inputs(first)
    if selection == "kmeans++":
        _, chosen = kmeans_plusplus(candidates, count, random_state=seed)
    else:
        chosen = _pivots(candidates, count, generator)
    return np.sort(first[chosen])


def choose_label_vectors(labels: LabelVectors, count: float, seed: int) -> Indices:
    """Which of the distinct label vectors are kept, at random."""
    if isinstance(count, Integral) and int(count) > len(labels):
        raise ValueError(
            f"label_references={count} is more than the {len(labels)} distinct label vectors; ask "
            "for at most so many, or for all of them with label_references=None."
        )
    n_kept = int(count) if isinstance(count, Integral) else max(1, round(count * len(labels)))
    return np.sort(np.random.default_rng(seed).choice(len(labels), n_kept, replace=False))


def _count(references: Any, n_distinct: int) -> int:
    if not isinstance(references, Integral):
        return max(1, round(references * n_distinct))
    if int(references) > n_distinct:
        raise ValueError(
            f"references={references} is more than the {n_distinct} distinct inputs; ask for at "
            "most so many, or for all of them with references=None."
        )
    return int(references)


def _checked_indices(rows: Any, indices: Any) -> Indices:
    if indices.ndim != 1 or not len(indices) or indices.dtype.kind not in "iu":
        raise ValueError(
            "references must be a number, a share, or a list of row indices; got an array of "
            f"{indices.dtype} of shape {indices.shape}."
        )
    wrong = indices[(indices < 0) | (indices >= len(rows))]
    if len(wrong):
        raise ValueError(f"references has index {wrong[0]}, but the {len(rows)} rows count from 0.")
    equal = distinct_keys(row_digests(rows.inputs(indices)))
    if len(equal.first) < len(indices):
        twice = int(np.flatnonzero(equal.counts > 1)[0])
        one, other = indices[np.flatnonzero(equal.inverse == twice)[:2]]
        what = f"index {one} twice" if one == other else f"rows {one} and {other}, equal inputs"
        raise ValueError(f"references has {what}; reference points must be distinct.")
    return indices.astype(np.intp)


def _pivots(X: Matrix, count: int, generator: np.random.Generator) -> Indices:
    """Randomly pivoted Cholesky; where nothing is left to explain, the others at random."""
    mean = np.asarray(X.mean(axis=0)).reshape(1, -1)
    n_rows = X.shape[0]
    centre = sp.csr_array(mean) if sp.issparse(X) else mean
    radius = euclidean(X, centre)[:, 0]
    left: Array = 2 * radius
    least = _EXPLAINED * left.sum()
    factor = np.empty((n_rows, count))
    chosen = np.empty(count, dtype=np.intp)
    for k in range(count):
        total = left.sum()
        if total <= least:
            others = np.setdiff1d(np.arange(n_rows), chosen[:k])
            chosen[k:] = generator.choice(others, count - k, replace=False)
            break
        pivot = chosen[k] = generator.choice(n_rows, p=left / total)
        column = radius + radius[pivot] - euclidean(X, X[[pivot]])[:, 0]
        column -= factor[:, :k] @ factor[pivot, :k]
        column /= np.sqrt(column[pivot])
        factor[:, k] = column
        left = np.maximum(left - column**2, 0)
        left[chosen[: k + 1]] = 0
    return chosen
