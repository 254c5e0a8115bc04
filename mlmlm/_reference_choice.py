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
from mlmlm._parallel import one_blas_thread
from mlmlm.memory import check_choice_memory
from mlmlm.types import Array, Indices, Matrix

References = int | float | ArrayLike | None
SELECTIONS = ("random", "kmeans++", "pivoted")

_LEAST_CANDIDATES = 10_000
_CANDIDATES_PER_REFERENCE = 5
_EXPLAINED = 1e-10  # share of its kernel below which all that is left of an input is rounding
_PROPOSALS = 100
# What else is drawn under a seed has a sequence of its own. Tuning rows from the same one would for
# the most part be the reference points, whose leave-one-out distances are not like those of others.
_LABEL_VECTORS, _TUNING_ROWS = 1, 2


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
    MemoryError
        If looking at the candidates takes more memory than there is.
    """
    if not isinstance(references, Real):
        return _checked_indices(rows, references)
    first = rows.distinct_inputs
    count = _count(references, len(first), len(rows))
    if count == len(first):
        return first
    generator = np.random.default_rng(seed)
    if selection == "random":
        return np.sort(generator.choice(first, count, replace=False))
    check_choice_memory(
        len(rows),
        count,
        selection,
        lambda k: choice_peak_bytes(selection, k, len(first), rows.n_features, rows.width),
    )
    n_candidates = _n_candidates(count, len(first))
    if len(first) > n_candidates:
        first = np.sort(generator.choice(first, n_candidates, replace=False))
    candidates = rows.inputs(first)
    if selection == "kmeans++":
        with one_blas_thread:  # its products are so small that several lose most of the time
            _, found = kmeans_plusplus(candidates, count, random_state=seed)
    else:
        found = _pivots(candidates, count, generator)
    chosen = np.unique(found)
    # Among inputs that nearly coincide both may find no more: the others are as good.
    others = np.setdiff1d(np.arange(len(first)), chosen)
    more = generator.choice(others, count - len(chosen), replace=False)
    return np.sort(first[np.concatenate([chosen, more])])


def choice_peak_bytes(
    selection: str, n_references: int, n_distinct: int, n_features: int, width: int
) -> int:
    """Peak memory of the choice, beyond the inputs, of which each takes ``width`` values.

    The candidates; for "kmeans++" those chosen, dense; for "pivoted" a factor with a column for
    each of them, and four tables of a block of proposals.
    """
    if selection == "random":
        return 0
    n_candidates = _n_candidates(n_references, n_distinct)
    pivoted = n_candidates * (n_references + 4 * _PROPOSALS)
    beside = pivoted if selection == "pivoted" else n_references * n_features
    return 8 * (n_candidates * width + beside)


def choose_label_vectors(labels: LabelVectors, count: float, seed: int) -> Indices:
    """Which of the distinct label vectors are kept, at random."""
    if isinstance(count, Integral) and int(count) > len(labels):
        raise ValueError(
            f"label_references={count} is more than the {len(labels)} distinct label vectors; ask "
            "for at most so many, or for all of them with label_references=None."
        )
    n_kept = int(count) if isinstance(count, Integral) else max(1, round(count * len(labels)))
    return _some(len(labels), n_kept, seed, _LABEL_VECTORS)


def choose_tuning_rows(n_rows: int, count: int, seed: int) -> Indices:
    """Which training rows choose what a method tunes, at random."""
    return _some(n_rows, count, seed, _TUNING_ROWS)


def _some(n_all: int, count: int, seed: int, what: int) -> Indices:
    return np.sort(np.random.default_rng((seed, what)).choice(n_all, count, replace=False))


def _n_candidates(n_references: int, n_distinct: int) -> int:
    """How many of the distinct inputs are looked at."""
    return min(n_distinct, max(_LEAST_CANDIDATES, _CANDIDATES_PER_REFERENCE * n_references))


def _count(references: Any, n_distinct: int, n_rows: int) -> int:
    if not isinstance(references, Integral):
        return max(1, round(references * n_distinct))
    if int(references) > n_distinct:
        raise ValueError(
            f"references={references} is more than the {n_distinct} distinct inputs of {n_rows} "
            "samples; ask for at most so many, or for all of them with references=None."
        )
    return int(references)


def _checked_indices(rows: Any, references: Any) -> Indices:
    try:
        indices = np.asarray(references)
    except ValueError:  # lists of different lengths
        indices = np.asarray(references, dtype=object)
    if indices.ndim != 1 or not len(indices) or indices.dtype.kind not in "iu":
        raise ValueError(
            "references must be a number, a share, or a list of row indices; got an array of "
            f"{indices.dtype} of shape {indices.shape}."
        )
    places = _places(rows, indices)
    equal = distinct_keys(row_digests(rows.inputs(places)))
    if len(equal.first) < len(indices):
        twice = int(np.flatnonzero(equal.counts > 1)[0])
        one, other = indices[np.flatnonzero(equal.inverse == twice)[:2]]
        what = f"index {one} twice" if one == other else f"rows {one} and {other}, equal inputs"
        raise ValueError(f"references has {what}; reference points must be distinct.")
    return places


def _places(rows: Any, indices: Indices) -> Indices:
    """Where rows of some indices are: there too where rows that do not count were left out."""
    if rows.indices is None:
        wrong = indices[(indices < 0) | (indices >= len(rows))]
        why = f"the {len(rows)} rows count from 0"
    else:
        wrong = indices[~np.isin(indices, rows.indices)]
        why = f"no such row is among the {len(rows)} whose weight is not 0"
    if len(wrong):
        raise ValueError(f"references has index {wrong[0]}, but {why}.")
    return indices.astype(np.intp) if rows.indices is None else rows.indices.searchsorted(indices)


def _pivots(X: Matrix, count: int, generator: np.random.Generator) -> list[int]:
    """Randomly pivoted Cholesky, many pivots at a time (Epperly, Tropp and Webber, 2024).

    Pivots are proposed by the block, with chances in proportion to what was left unexplained
    before it. Within the block a proposal is accepted with the chance (what is left of it now) /
    (what was left of it then), so that those accepted are distributed as if each had been drawn
    after the one before; and the long columns of the factor follow at once, by matrix products.

    There are fewer than ``count`` where nothing is left but rounding.
    """
    mean = np.asarray(X.mean(axis=0)).reshape(1, -1)
    radius = euclidean(X, sp.csr_array(mean) if sp.issparse(X) else mean)[:, 0]
    factor = np.empty((X.shape[0], count))
    chosen: list[int] = []
    left = whole = 2 * radius
    while len(chosen) < count and left.any():
        before = factor[:, : len(chosen)]
        proposed = generator.choice(len(left), _PROPOSALS, p=left / left.sum())

        def unexplained(rows: Any, pivots: Indices, before: Array = before) -> Array:
            kernel = radius[rows, None] + radius[pivots] - euclidean(X[rows], X[pivots])
            return kernel - before[rows] @ before[pivots].T

        accepted, lower = _accepted(
            unexplained(proposed, proposed), left[proposed], generator, count - len(chosen)
        )
        pivots = proposed[accepted]
        columns = np.linalg.solve(lower, unexplained(slice(None), pivots).T).T
        factor[:, len(chosen) : len(chosen) + len(pivots)] = columns
        chosen.extend(pivots.tolist())
        left = left - np.einsum("ij,ij->i", columns, columns)
        left[left < _EXPLAINED * whole] = 0
        left[chosen] = 0
    return chosen


def _accepted(
    block: Array, then: Array, generator: np.random.Generator, most: int
) -> tuple[list[int], Array]:
    """Which proposals are accepted, the first always, and the Cholesky factor of these."""
    accepted: list[int] = []
    columns = np.zeros_like(block)
    for k, chance in enumerate(generator.random(len(block))):
        now = block[k, k]
        if len(accepted) < most and (k == 0 or now > max(chance, _EXPLAINED) * then[k]):
            columns[:, len(accepted)] = column = block[:, k] / np.sqrt(now)
            block -= np.outer(column, column)
            accepted.append(k)
    return accepted, columns[accepted, : len(accepted)]
