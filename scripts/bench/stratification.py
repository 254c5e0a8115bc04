"""Iterative stratification of a dataset into ten folds: our seconds, and theirs over ours.

scikit-multilearn-ng is measured on a piece of the rows, to save time, with ours on the same piece
beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from skmultilearn.model_selection import IterativeStratification

from mlmlm.datasets import stratified_folds
from mlmlm.types import Labels
from scripts.bench.report import Bar, Row, format_seconds
from scripts.bench.splits import load_split
from scripts.bench.timing import best_seconds

SECTION = "iterative stratification into ten folds"
FOLDS = 10
PIECE = 4000
BARS = {"mediamill": Bar(at_most=10)}


def theirs(Y: Labels) -> None:
    splitter = IterativeStratification(n_splits=FOLDS, order=1)
    for _ in splitter.split(np.zeros((len(Y), 1)), Y):
        pass


def ours(Y: Labels) -> None:
    stratified_folds(Y, FOLDS, seed=0)


def stratification(name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """Our seconds for all rows, and how many times as long theirs takes for a piece of them."""
    split = load_split(name)
    Y = np.concatenate([split.Y_train, split.Y_test])
    tell("our stratification")
    seconds = best_seconds(lambda: ours(Y))
    yield Row(
        section=SECTION,
        dataset=name,
        what="seconds, all rows",
        value=seconds,
        bar=BARS.get(name),
        note=f"{len(Y):,} rows, {Y.shape[1]} labels",
        details={"our_seconds": seconds},
    )
    piece = Y[np.random.default_rng(0).permutation(len(Y))[:PIECE]]
    tell("scikit-multilearn-ng's stratification")
    their_seconds = best_seconds(lambda: theirs(piece))
    our_seconds = best_seconds(lambda: ours(piece))
    yield Row(
        section=SECTION,
        dataset=name,
        what="scikit-multilearn-ng over ours",
        value=their_seconds / our_seconds,
        note=f"{len(piece):,} rows: {format_seconds(their_seconds)} over "
        f"{format_seconds(our_seconds)}",
        details={"their_seconds": their_seconds, "our_seconds": our_seconds},
    )
