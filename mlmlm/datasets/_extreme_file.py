"""The text format of the Extreme Classification Repository, as two matrices.

The first line has the numbers of rows, features and labels. Every other line is a row: its labels
with commas between them, then its features as ``column:value``, all counted from 0. A row without
labels begins with a space.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from mlmlm.datasets._dataset import LabelMatrix
from mlmlm.datasets._growing_csr import GrowingCsr
from mlmlm.types import Matrix


def read_extreme(lines: Iterable[str]) -> tuple[Matrix, LabelMatrix]:
    """Features, sparse, and labels, dense; a ValueError if the text is something else."""
    rows = iter(lines)
    n_rows, n_features, n_labels = map(int, next(rows, "").split())
    features, labels = GrowingCsr(), GrowingCsr()
    for line in rows:
        listed, _, cells = line.rstrip("\r\n").partition(" ")
        words = cells.replace(":", " ").split()
        features.add(_each_once(words[::2]), map(float, words[1::2]))
        relevant = _each_once(listed.split(",")) if listed else []
        labels.add(relevant, [1.0] * len(relevant))
    X, Y = features.matrix(n_features), labels.matrix(n_labels)
    if X.shape[0] != n_rows:
        raise ValueError(f"{X.shape[0]} rows, not {n_rows} as the first line says")
    return X, Y.astype(np.uint8).toarray()


def _each_once(listed: Sequence[str]) -> list[int]:
    """Columns of a row."""
    columns = [int(column) for column in listed]
    if len(set(columns)) < len(columns):
        raise ValueError(f"a row has a column more than once: {' '.join(listed)}")
    return columns
