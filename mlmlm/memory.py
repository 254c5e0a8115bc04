"""How much memory a fit will need, told before it begins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil

from mlmlm._chosen_inputs import PANEL
from mlmlm._tiles import TILE

_DOUBLE = 8


def fit_peak_bytes(n_references: int, n_label_vectors: int, n_labels: int, n_features: int) -> int:
    """Peak memory of fitting a distance regression, beyond its inputs.

    One K x K buffer; right-hand sides and coefficients, K x (U + L + 1) each; the references,
    K x M; and a few columns of tiles in work.
    """
    K, width = n_references, n_label_vectors + n_labels + 1
    return _DOUBLE * K * (K + 2 * width + n_features + 3 * min(K, TILE))


def chosen_fit_peak_bytes(
    n_references: int, n_label_vectors: int, n_labels: int, n_features: int, piece_rows: int
) -> int:
    """Peak memory of fitting a distance regression on chosen reference points, beyond its inputs.

    The sums, K x K and K x (U + L + 1), and what is added to some of their rows at a time; the
    references, K x M; and a few tables of a piece of rows: inputs, distances, and the label
    distances of its distinct label vectors, which are at most U.
    """
    K, width = n_references, n_label_vectors + n_labels + 1
    sums = (K + min(K, PANEL)) * (K + width)
    piece = piece_rows * (n_features + 2 * K)
    piece += 4 * min(piece_rows, n_label_vectors) * n_label_vectors
    return _DOUBLE * (sums + K * n_features + piece)


def scores_bytes(n_rows: int, n_labels: int) -> int:
    """Memory of the leave-one-out scores that choose a threshold."""
    return _DOUBLE * n_rows * n_labels


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


def check_memory(n_rows: int, n_references: int, n_label_vectors: int, needed: int) -> None:
    """Raise MemoryError at once where a fit would run out of memory later."""
    _check(
        f"Fitting {n_rows:,} rows ({n_references:,} reference points, {n_label_vectors:,} distinct "
        "label vectors)",
        needed,
        lambda available: (
            "Memory grows with the square of the reference points: choose fewer, "
            f"such as references={_advised_references(available)}"
        ),
    )


def check_choice_memory(n_rows: int, n_references: int, selection: str, needed: int) -> None:
    """Likewise where choosing the reference points would."""
    _check(
        f"Choosing {n_references:,} reference points of {n_rows:,} rows with {selection=}",
        needed,
        lambda available: (
            "Choose them with selection='random', which needs none, or fewer, such "
            f"as references={_advised_references(available)}"
        ),
    )


def check_scores_memory(n_rows: int, n_labels: int) -> None:
    """Likewise where the scores that choose a threshold would."""
    _check(
        f"Choosing the threshold by the scores of {n_rows:,} rows for {n_labels:,} labels",
        scores_bytes(n_rows, n_labels),
        lambda available: (
            f"A sample of the rows is as good: set tuning_rows={_advised_rows(available, n_labels)}"
        ),
    )


def _check(work: str, needed: int, advice: Callable[[int], str]) -> None:
    """``advice`` is made of the bytes that are available."""
    available = available_bytes()
    if needed > available:
        raise MemoryError(
            f"{work} needs about {needed / 1e9:.1f} GB, and {available / 1e9:.1f} GB is available. "
            f"{advice(available)}, or use a machine with more memory."
        )


def _advised_references(available: int) -> int:
    """A round number of reference points whose matrices take a small part of the memory."""
    return int(np.clip(10 ** int(np.log10(max(1, available) / _DOUBLE) / 2), 100, 5000))


def _advised_rows(available: int, n_labels: int) -> int:
    """A round number of rows whose scores take at most a part of the memory."""
    return 10 ** int(np.log10(max(100, available // scores_bytes(1, n_labels))))
