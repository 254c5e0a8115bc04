"""How the work of a distance regression is cut into pieces."""

from __future__ import annotations

from dataclasses import dataclass

from mlmlm._label_vectors import SPARSE_DENSITY
from mlmlm._tiles import TILE


@dataclass(frozen=True)
class WorkPlan:
    """Sizes of pieces, chosen for speed and memory; no figure depends on them but in rounding."""

    tile: int = TILE
    """Rows of a tile of the K x K matrices."""
    block_values: int = 1 << 24
    """Values of a block of rows to predict: large enough for BLAS, small for memory."""
    least_block_rows: int = 64
    product_rows: int = 512
    """Rows that a core multiplies by itself: enough for BLAS to be fast, whatever their width."""
    cached_values: int = 1 << 19
    """Values of a block of leave-one-out distances: a few of them fit into a core's cache."""
    sparse_density: float = SPARSE_DENSITY
    """Share of ones below which products with the label vectors are sparse."""

    def rows_of_width(self, width: int) -> int:
        """Rows of a block whose rows have so many values."""
        return max(self.least_block_rows, self.block_values // width)

    def cached_rows(self, width: int) -> int:
        """Rows of a block that a core works on by itself."""
        return max(self.least_block_rows, self.cached_values // width)
