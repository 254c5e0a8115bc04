"""ML-kNN of scikit-multilearn-ng over ours: fit and predict on the same split.

Ours counts a training row as its own neighbour here, as theirs does, so both compute the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import joblib
import numpy as np
from skmultilearn.adapt import MLkNN as TheirMLkNN

from mlmlm.baselines import MLkNN
from mlmlm.types import Integers
from scripts.bench.report import Bar, Row, format_seconds
from scripts.bench.splits import Split, load_split
from scripts.bench.timing import best_seconds

SECTION = "scikit-multilearn-ng over ours, time to fit and predict"
WHAT = "ML-kNN, 10 neighbours"
NEIGHBOURS = 10
BARS = {"yeast": Bar(at_least=10)}


def theirs(split: Split) -> Integers:
    model = TheirMLkNN(k=NEIGHBOURS).fit(split.X_train, split.Y_train.astype(np.int64))
    return model.predict(split.X_test).toarray()


def ours(split: Split) -> Integers:
    model = MLkNN(n_neighbors=NEIGHBOURS, count_self=True)
    return model.fit(split.X_train, split.Y_train).predict(split.X_test)


def compare_ml_knn(name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """Their time over ours, and in how many labels the two differ."""
    split = load_split(name)
    tell("our ML-kNN")
    our_seconds, our_labels = _perform(ours, split)
    tell("scikit-multilearn-ng's ML-kNN")
    with joblib.parallel_config(backend="threading", n_jobs=-1):
        their_seconds, their_labels = _perform(theirs, split)
    different = np.count_nonzero(our_labels != their_labels)
    yield Row(
        section=SECTION,
        dataset=name,
        what=WHAT,
        value=their_seconds / our_seconds,
        bar=BARS.get(name),
        note=f"{format_seconds(their_seconds)} over {format_seconds(our_seconds)}; "
        f"{different} of {our_labels.size:,} labels differ",
        details={"their_seconds": their_seconds, "our_seconds": our_seconds},
    )


def _perform(method: Callable[[Split], Integers], split: Split) -> tuple[float, Integers]:
    predictions: list[Integers] = []
    seconds = best_seconds(lambda: predictions.append(method(split)))
    return seconds, predictions[-1]
