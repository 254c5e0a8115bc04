"""Label products of the grid of P, dense over sparse: which the library should choose when."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from threadpoolctl import threadpool_limits

from mlmlm._inverse_distance import LabelWeights
from mlmlm._label_vectors import LabelVectors
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
        dense = _seconds(LabelVectors.of_rows(Y, sparse_density=0.0))
        sparse = _seconds(LabelVectors.of_rows(Y, sparse_density=1.1))
    labels = LabelVectors.of_rows(Y)
    density, chosen = float(labels.vectors.mean()), "sparse" if labels.is_sparse else "dense"
    yield Row(
        section=SECTION,
        dataset=name,
        what=f"{density:.1%} ones, {chosen} in use",
        value=dense / sparse,
        note=f"{format_seconds(dense)} over {format_seconds(sparse)} for {BLOCK_ROWS} rows",
        details={"dense_seconds": dense, "sparse_seconds": sparse, "density": density},
    )


def _seconds(labels: LabelVectors) -> float:
    weights = np.random.default_rng(0).random((len(labels), BLOCK_ROWS))
    product = LabelWeights(labels, exact_odds=False)
    return best_seconds(lambda: product.sums(weights))
