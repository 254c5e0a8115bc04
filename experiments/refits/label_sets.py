"""Label sets that training does not have: how many are predicted, and how many are right.

An empty prediction is counted apart: it is no combination of labels, only the absence of a guess.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from experiments.record import Json
from experiments.refits.fitting import Fit, Labels
from mlmlm import BinaryRelevanceMLM, LocalizationMLM, MultiLabelMLM, NearestNeighborMLM
from mlmlm.metrics import accuracy

METHODS = {
    "ML-MLM": MultiLabelMLM(),
    "LLS-MLM": LocalizationMLM(),
    "BR-MLM": BinaryRelevanceMLM(),
    "NN-MLM": NearestNeighborMLM(),
}


def label_sets(fit: Fit) -> Json:
    """Counts of test rows whose true, and whose predicted, label set is new."""
    known = {row.tobytes() for row in fit.regression.label_vectors_.vectors}
    truth = fit.data.Y_test.astype(np.uint8)
    labels = {
        name: method.fit_from(fit.regression).predict(fit.predicted).astype(np.uint8)
        for name, method in METHODS.items()
    }
    return {
        "fingerprint": fit.data.fingerprint,
        "test_rows": len(truth),
        "new_in_test": int(_is_new(truth, known).sum()),
        "methods": {
            name: _counts(truth, each, labels["NN-MLM"], known) for name, each in labels.items()
        },
    }


def _counts(truth: Labels, labels: Labels, nearest: Labels, known: set[bytes]) -> Json:
    """Of a method: rows with a new label set, and how good these and the nearest known ones are."""
    empty = ~labels.any(axis=1)
    new = _is_new(labels, known) & ~empty
    right = (labels == truth).all(axis=1)
    return {
        "new": int(new.sum()),
        "new_and_right": int((new & right).sum()),
        "empty": int(empty.sum()),
        "right": int(right.sum()),
        "accuracy_of_new": float(accuracy(truth[new], labels[new])) if new.any() else None,
        "accuracy_of_nearest": float(accuracy(truth[new], nearest[new])) if new.any() else None,
    }


def _is_new(labels: Labels, known: set[bytes]) -> NDArray[np.bool_]:
    return np.array([row.tobytes() not in known for row in labels])
