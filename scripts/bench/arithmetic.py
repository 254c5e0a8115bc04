"""Floating point operations of the algebra, for shares of the machine's rate of products.

Lower-order work (square roots, exponentials, sorting) is left out: what it costs shows as a share
below one.
"""

from __future__ import annotations

from mlmlm._ml_mlm import PAPER_GRID
from mlmlm.progress import PhaseName
from scripts.bench.ours import Sizes

CUBIC_PHASES = (PhaseName.GRAM, PhaseName.CHOLESKY, PhaseName.LEVERAGE)


def cubic_flops(references: int) -> float:
    """Gram matrix K^3 (one half of it), Cholesky factor K^3 / 3, inverse's diagonal K^3 / 3."""
    return 5 / 3 * float(references) ** 3


def four_methods_flops(sizes: Sizes) -> float:
    """All products of a run of the four methods.

    - distances between the references: K^2 M, one half of a product;
    - the cubic phases;
    - solving, and coefficients: 2 K^2 (U + L + 1) each;
    - prediction: 2 (U + L + 1 + M) K for each test row;
    - the grid of P: for each training row and power a product with the label vectors, 2 for each
      of their ones where it is sparse, else 2 for each value of them and of their complements.
    """
    K, width = float(sizes.references), sizes.label_vectors + sizes.labels + 1
    values = sizes.ones if sizes.sparse_products else 2 * sizes.label_vectors * sizes.labels
    return (
        K**2 * sizes.features
        + cubic_flops(sizes.references)
        + 4 * K**2 * width
        + 2 * sizes.test_rows * K * (width + sizes.features)
        + 2.0 * len(PAPER_GRID) * sizes.rows * values
    )
