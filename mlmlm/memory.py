"""How much memory a fit will need, told before it begins."""

from __future__ import annotations

from pathlib import Path

import psutil

from mlmlm._tiles import TILE

_DOUBLE = 8


def fit_peak_bytes(n_references: int, n_label_vectors: int, n_labels: int, n_features: int) -> int:
    """Peak memory of fitting a distance regression, beyond its inputs.

    One K x K buffer; right-hand sides and coefficients, K x (U + L + 1) each; the references,
    K x M; and a few columns of tiles in work.
    """
    K, width = n_references, n_label_vectors + n_labels + 1
    return _DOUBLE * K * (K + 2 * width + n_features + 3 * min(K, TILE))


def available_bytes(group: Path = Path("/sys/fs/cgroup")) -> int:
    """Memory that can be had now without swapping, within the limit of this process's group.

    ``group`` is the folder of the control group (version 2), by which containers and batch systems
    limit a process.
    """
    available = int(psutil.virtual_memory().available)
    try:
        limit = int((group / "memory.max").read_text())
        used = int((group / "memory.current").read_text())
    except (OSError, ValueError):  # no group, or no limit ("max")
        return available
    return min(available, limit - used)


def check_fit_fits(
    n_rows: int, n_references: int, n_label_vectors: int, n_labels: int, n_features: int
) -> None:
    """Raise MemoryError at once where a fit would run out of memory later."""
    needed = fit_peak_bytes(n_references, n_label_vectors, n_labels, n_features)
    available = available_bytes()
    if needed > available:
        raise MemoryError(
            f"Fitting {n_rows:,} rows ({n_references:,} distinct inputs, {n_label_vectors:,} "
            f"distinct label vectors) needs about {needed / 1e9:.1f} GB, and {available / 1e9:.1f} "
            "GB is available. Memory grows with the square of the distinct inputs: fit on a sample "
            "of the rows, or on a machine with more memory."
        )
