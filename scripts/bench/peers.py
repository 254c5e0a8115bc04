"""Classifiers a user would pick instead, over ML-MLM: fit and predict on the same split.

Each has its usual settings and all cores. Labels are the peers' own: a score is cut at one half,
where there is no other rule, while ML-MLM chooses its threshold.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import joblib
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.kernel_ridge import KernelRidge
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from mlmlm import MultiLabelMLM
from mlmlm.metrics import accuracy, ranking_loss
from mlmlm.types import Array, Integers
from scripts.bench.report import Row, format_seconds
from scripts.bench.splits import Split, load_split
from scripts.bench.timing import best_seconds

SECTION = "peers over ML-MLM, time to fit and predict"

Predictor = Callable[[Split], tuple[Integers, Array]]


class Performance(NamedTuple):
    seconds: float
    accuracy: float
    ranking_loss: float


def ml_mlm(split: Split) -> tuple[Integers, Array]:
    model = MultiLabelMLM().fit(split.X_train, split.Y_train)
    return model.predict(split.X_test), model.predict_proba(split.X_test)


def random_forest(split: Split) -> tuple[Integers, Array]:
    model = RandomForestClassifier(n_estimators=100, random_state=0)
    return _from_probabilities(model, split)


def nearest_neighbours(split: Split) -> tuple[Integers, Array]:
    return _from_probabilities(KNeighborsClassifier(n_neighbors=10), split)


def kernel_ridge(split: Split) -> tuple[Integers, Array]:
    model = KernelRidge(kernel="rbf").fit(split.X_train, split.Y_train)
    scores = model.predict(split.X_test)
    return (scores > 0.5).astype(np.int64), scores


def linear_svm(split: Split) -> tuple[Integers, Array]:
    model = OneVsRestClassifier(LinearSVC(random_state=0)).fit(split.X_train, split.Y_train)
    return model.predict(split.X_test), model.decision_function(split.X_test)


PEERS: dict[str, Predictor] = {
    "random forest, 100 trees": random_forest,
    "kernel ridge, RBF": kernel_ridge,
    "10 nearest neighbours": nearest_neighbours,
    "linear SVM, one versus rest": linear_svm,
}


def compare_peers(name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """Each peer's time over that of ML-MLM, with how good both are."""
    split = load_split(name)
    tell("ML-MLM")
    ours = _perform(ml_mlm, split)
    for peer, predictor in PEERS.items():
        tell(peer)
        theirs = _perform(predictor, split)
        yield Row(
            section=SECTION,
            dataset=name,
            what=peer,
            value=theirs.seconds / ours.seconds,
            note=f"{format_seconds(theirs.seconds)} over {format_seconds(ours.seconds)}; "
            f"accuracy {theirs.accuracy:.3f} (ours {ours.accuracy:.3f}), "
            f"ranking loss {theirs.ranking_loss:.3f} (ours {ours.ranking_loss:.3f})",
            details={f"peer_{key}": value for key, value in theirs._asdict().items()}
            | {f"our_{key}": value for key, value in ours._asdict().items()},
        )


def _perform(predictor: Predictor, split: Split) -> Performance:
    predictions: list[tuple[Integers, Array]] = []
    with warnings.catch_warnings(), joblib.parallel_config(backend="threading", n_jobs=-1):
        # Labels that no training row has, and solvers that stop early, are the peers' own affair.
        warnings.simplefilter("ignore")
        seconds = best_seconds(lambda: predictions.append(predictor(split)))
    labels, scores = predictions[-1]
    return Performance(seconds, accuracy(split.Y_test, labels), ranking_loss(split.Y_test, scores))


def _from_probabilities(model: Any, split: Split) -> tuple[Integers, Array]:
    model.fit(split.X_train, split.Y_train)
    # One array per label; a label that is the same in all training rows has only one column.
    scores = np.stack(
        [
            probabilities @ classes
            for probabilities, classes in zip(
                model.predict_proba(split.X_test), model.classes_, strict=True
            )
        ],
        axis=1,
    )
    return model.predict(split.X_test).astype(np.int64), scores
