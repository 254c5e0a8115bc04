"""How much memory a fit will need, told before it begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import psutil

from mlmlm._chosen_inputs import PANEL
from mlmlm._tiles import TILE

_DOUBLE = 8
# Reference points and label vectors to advise.
_ROUND = (50_000, 20_000, 10_000, 5000, 2000, 1000, 500, 200, 100)
_ADVISED_REFERENCES = 5000  # at the most: with more a fit is long
# Tables of N x L numbers at a time: the scores that choose a threshold, what calibration makes of
# them, what is sorted where rows have weights.
PLAIN_TABLES, CALIBRATION_TABLES, WEIGHTED_TABLES = 1.2, 3.2, 7.2


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


def scores_bytes(n_rows: int, n_labels: int, n_tables: float = PLAIN_TABLES) -> int:
    """Peak memory of what the leave-one-out scores choose, the threshold and the calibration."""
    return int(_DOUBLE * n_rows * n_labels * n_tables)


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


def check_memory(
    n_rows: int,
    n_references: int,
    n_label_vectors: int,
    needed: int,
    needed_with: Callable[[int, int], int],
) -> None:
    """Raise MemoryError at once where a fit would run out of memory later.

    ``needed_with`` tells what other numbers of reference points and label vectors would take.
    """

    def advice(available: int) -> str:
        for settings in _fewer(n_references, n_label_vectors):
            if needed_with(*settings) <= available:
                return f"Choose fewer, such as {_in_words(settings, n_label_vectors)}, or use"
        return "Use"

    _check(
        f"Fitting {n_rows:,} rows ({n_references:,} reference points, {n_label_vectors:,} distinct "
        "label vectors)",
        needed,
        advice,
    )


def check_choice_memory(
    n_rows: int, n_references: int, selection: str, needed_with: Callable[[int], int]
) -> None:
    """Likewise where choosing the reference points would.

    ``needed_with`` tells what a number of them takes.
    """

    def advice(available: int) -> str:
        random = "Choose them with selection='random', which needs none"
        fewer = (count for count in _ROUND if count < n_references)
        fits = next((count for count in fewer if needed_with(count) <= available), None)
        return f"{random}, or use" if fits is None else f"{random}, or references={fits}, or use"

    _check(
        f"Choosing {n_references:,} reference points of {n_rows:,} rows with {selection=}",
        needed_with(n_references),
        advice,
    )


def check_scores_memory(n_rows: int, n_labels: int, n_tables: float) -> None:
    """Likewise where the scores that choose a threshold, in so many tables, would."""

    def advice(available: int) -> str:
        rows = available // scores_bytes(1, n_labels, n_tables)
        if rows < 1:
            return "Use"
        sample = 10 ** int(np.log10(rows))
        return f"Choose it by a sample of the rows, such as tuning_rows={sample}, or use"

    _check(
        f"Choosing the threshold by the scores of {n_rows:,} rows for {n_labels:,} labels",
        scores_bytes(n_rows, n_labels, n_tables),
        advice,
    )


def _check(work: str, needed: int, advice: Callable[[int], str]) -> None:
    """``advice`` is made of the bytes that are available."""
    available = available_bytes()
    if needed > available:
        raise MemoryError(
            f"{work} needs about {needed / 1e9:.1f} GB, and {available / 1e9:.1f} GB is available. "
            f"{advice(available)} a machine with more memory."
        )


def _fewer(n_references: int, n_label_vectors: int) -> Iterator[tuple[int, int]]:
    """Settings to advise: fewer reference points first, then fewer label vectors too."""
    references = [count for count in _ROUND if count < n_references]
    references = [count for count in references if count <= _ADVISED_REFERENCES]
    yield from ((count, n_label_vectors) for count in references)
    for vectors in _ROUND:
        if vectors < n_label_vectors:
            yield from ((count, vectors) for count in (n_references, *references))


def _in_words(settings: tuple[int, int], n_label_vectors: int) -> str:
    references, vectors = settings
    told = f"references={references}"
    return told if vectors == n_label_vectors else f"{told}, label_references={vectors}"
