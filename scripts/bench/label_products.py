"""Label products of the grid of P, dense over sparse: which the library should choose when."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from mlmlm._inverse_distance import LabelWeights
from mlmlm._label_vectors import SPARSE_DENSITY, LabelVectors
from scripts.bench.report import Row, format_seconds
from scripts.bench.splits import load_split
from scripts.bench.timing import best_seconds

SECTION = "label products: dense over sparse, time"
BLOCK_ROWS = 256


def dense_over_sparse(name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """Both ways to sum weights by label, on one block of rows and one thread, as in tuning."""
    tell("label products")
    Y = load_split(name).Y_train
    with threadpool_limits(1, user_api="blas"):
        dense, sparse = _seconds(Y, below_density=0.0), _seconds(Y, below_density=1.1)
    density = float(LabelVectors(Y).vectors.mean())
    chosen = "sparse" if density < SPARSE_DENSITY else "dense"
    yield Row(
        section=SECTION,
        dataset=name,
        what=f"{density:.1%} ones, {chosen} in use",
        value=dense / sparse,
        note=f"{format_seconds(dense)} over {format_seconds(sparse)} for {BLOCK_ROWS} rows",
        details={"dense_seconds": dense, "sparse_seconds": sparse, "density": density},
    )


def _seconds(Y: NDArray[np.uint8], below_density: float) -> float:
    with patch("mlmlm._label_vectors.SPARSE_DENSITY", below_density):
        labels = LabelVectors(Y)
    weights = np.random.default_rng(0).random((len(labels), BLOCK_ROWS))
    product = LabelWeights(labels, exact_odds=False)
    return best_seconds(lambda: product.sums(weights))
