"""Many rows that are made, not loaded: a seeded mixture that resembles Mediamill.

Mediamill describes shots of video by 120 features in [0, 1] and 101 concepts, 4.4 of them a shot,
few frequent and most rare, in 6,555 combinations among 43,907 shots. Here are 100 features in
[0, 1] and 50 labels, about 3 a row. A row is of one of 60 kinds of scene, some much more frequent
than others. A kind has a place in the space of features, directions in which its rows spread, a
core of labels that all of them have, and a few optional labels: a row has such a label where it
lies far out in one of the directions. So labels occur together by kind, and features tell of them.
Labels are drawn with chances that fall like 1 / rank: a few are frequent, most are rare. Noise is
of two sorts: one optional label of ten is set by chance alone, and in one row of 125 any label is
wrong. The last is what makes new label vectors without end, as annotators do.

Measured, by ``python -m scripts.bench.made_data``:

========= =========== ======= ====================== =================================
rows      cardinality density distinct label vectors rows with the most frequent label,
                                                     the median one, the rarest
========= =========== ======= ====================== =================================
10,000    3.00        0.060   768                    41 %, 3.0 %, 0.46 %
100,000   2.99        0.060   1,414                  41 %, 2.9 %, 0.54 %
1,000,000 3.00        0.060   4,679                  41 %, 2.9 %, 0.55 %
========= =========== ======= ====================== =================================

(Mediamill has 2,547 distinct label vectors in 10,000 rows, and frequencies of 77 %, 0.7 % and
0.07 %.)

What classifiers reach on it says little of how good they are: the kinds have label vectors of
their own, which suits methods that combine known ones, and the noise of the features was chosen
with the results of ML-MLM and its rivals in view (at 0.2 instead of 0.15, 10,000 rows and 400
reference points, ML-MLM's ranking loss is 0.148 and that of logistic regression 0.119). It is here
for seconds and memory.

Rows are made in cells of `CELL` rows, each with a seed of its own. So any range of rows can be made
anywhere, in any order and in blocks of any size, and is the same; what is held beyond the rows
themselves is a few cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from mlmlm._distinct import distinct_rows
from mlmlm.types import Array, Indices, Labels

FEATURES, LABELS = 100, 50
CELL = 2000
SEED = 2024
TEST_START = 10**9
"""Rows from here on are left for tests, whatever the size of the training set."""

_KINDS = 60
_DIRECTIONS = 6  # in which the rows of a kind spread; the first ones have an optional label each
_OPTIONAL = 4
_WRONG_OPTIONAL = 0.1
_WRONG_ANY = 0.008
_NOISE = 0.15  # of each feature: kinds overlap, so that not every label can be told


@dataclass(frozen=True)
class _Mixture:
    """What all rows have in common."""

    shares: Array
    """How frequent each kind is."""
    places: Array
    """Of shape (kinds, features)."""
    spreads: Array
    """Of shape (kinds, directions, features)."""
    core: Labels
    """Labels that a kind always has, of shape (kinds, labels)."""
    optional: Indices
    """Labels that it may have, of shape (kinds, optional)."""
    thresholds: Array
    """How far out a row has them, of shape (kinds, optional)."""
    prior: Array
    """How likely each label is drawn."""


@cache
def _mixture() -> _Mixture:
    generator = np.random.default_rng(SEED)
    prior = _falling(LABELS, power=0.8)
    core = np.zeros((_KINDS, LABELS), dtype=np.uint8)
    optional = np.empty((_KINDS, _OPTIONAL), dtype=np.intp)
    for kind in range(_KINDS):
        n_core = generator.integers(1, 5)
        drawn = generator.choice(LABELS, n_core + _OPTIONAL, replace=False, p=prior)
        core[kind, drawn[:n_core]] = 1
        optional[kind] = drawn[n_core:]
    return _Mixture(
        shares=_falling(_KINDS, power=0.7),
        places=generator.beta(2, 3, FEATURES) + generator.normal(0, 0.05, (_KINDS, FEATURES)),
        spreads=generator.normal(0, 0.06, (_KINDS, _DIRECTIONS, FEATURES)),
        core=core,
        optional=optional,
        thresholds=generator.uniform(0.2, 1.6, (_KINDS, _OPTIONAL)),
        prior=prior,
    )


def make_rows(start: int, stop: int, dtype: type = np.float64) -> tuple[Array, Labels]:
    """Rows ``start`` to ``stop`` of the endless table: inputs and label matrix."""
    X: Array = np.empty((stop - start, FEATURES), dtype=dtype)
    Y = np.empty((stop - start, LABELS), dtype=np.uint8)
    for cell in range(start // CELL, -(-stop // CELL)):
        first = cell * CELL
        inside = slice(max(start, first), min(stop, first + CELL))
        inputs, labels = _make_cell(cell)
        here, there = _moved(inside, first), _moved(inside, start)
        X[there], Y[there] = inputs[here], labels[here]
    return X, Y


def _make_cell(cell: int) -> tuple[Array, Labels]:
    mixture, generator = _mixture(), np.random.default_rng((SEED, cell))
    kinds = generator.choice(_KINDS, CELL, p=mixture.shares)
    X = generator.normal(0, _NOISE, (CELL, FEATURES))
    far = generator.normal(size=(CELL, _DIRECTIONS))
    for kind in np.unique(kinds):
        rows = kinds == kind
        X[rows] += mixture.places[kind] + far[rows] @ mixture.spreads[kind]
    return np.clip(X, 0, 1), _labels(mixture, kinds, far, generator)


def _labels(
    mixture: _Mixture, kinds: Indices, far: Array, generator: np.random.Generator
) -> Labels:
    Y, rows = mixture.core[kinds], np.arange(len(kinds))
    has = far[:, :_OPTIONAL] > mixture.thresholds[kinds]
    by_chance = generator.random(has.shape) < _WRONG_OPTIONAL
    has[by_chance] = generator.random(np.count_nonzero(by_chance)) < has.mean()
    Y[rows[:, None], mixture.optional[kinds]] = has
    wrong = np.flatnonzero(generator.random(len(rows)) < _WRONG_ANY)
    Y[wrong, generator.choice(LABELS, len(wrong), p=mixture.prior)] ^= 1
    return Y


def _falling(size: int, power: float) -> Array:
    """Chances that fall with the rank."""
    weights = np.arange(1, size + 1) ** -power
    return weights / weights.sum()


def _moved(rows: slice, origin: int) -> slice:
    return slice(rows.start - origin, rows.stop - origin)


def main() -> None:
    """Print what the module's docstring says was measured."""
    for n_rows in (10_000, 100_000, 1_000_000):
        labels = [make_rows(i, i + CELL)[1] for i in range(0, n_rows, CELL)]
        Y = np.concatenate(labels)
        cardinality, frequencies = Y.sum() / n_rows, np.sort(Y.mean(axis=0))
        print(
            f"{n_rows:,} rows: cardinality {cardinality:.2f}, density {cardinality / LABELS:.3f}, "
            f"{len(distinct_rows(Y).first):,} distinct label vectors; the most frequent label in "
            f"{frequencies[-1]:.0%} of the rows, the median in {np.median(frequencies):.1%}, the "
            f"rarest in {frequencies[0]:.2%}"
        )


if __name__ == "__main__":
    main()
