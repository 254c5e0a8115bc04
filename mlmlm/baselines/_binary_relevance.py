"""Binary relevance: one classifier for each label."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import MetaEstimatorMixin

from mlmlm._constraints import CLASSIFIER, SEED
from mlmlm.baselines._delegation import ScoresOfEstimator
from mlmlm.baselines._multi_label import MultiLabelClassifier
from mlmlm.baselines._one_label import Constant, fit_one_label, score_one_label
from mlmlm.baselines._seeding import label_seeds, seeded
from mlmlm.types import Array, Integers


class BinaryRelevance(ScoresOfEstimator, MetaEstimatorMixin, MultiLabelClassifier):
    """A copy of a binary classifier for each label.

    Unlike scikit-learn's `OneVsRestClassifier` it cuts a label that has only one class in training
    no differently from the others, hands a seed on, and has the out-of-bag scores of its members.

    Parameters
    ----------
    estimator : object
        A binary classifier.
    random_state : int or None, default=None
        Seeds the copies, each in its own way; None leaves them as they are.

    Attributes
    ----------
    models_ : list
        The classifiers of the labels; a `Constant` for a label with one class.
    classes_ : array of shape (L,)
        Column indices of the labels.
    oob_decision_function_ : array of shape (n_samples, L)
        Out-of-bag probabilities of the training rows; only if the members have them.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [CLASSIFIER],
        "random_state": [SEED, None],
    }

    def __init__(self, estimator: Any, random_state: int | None = None) -> None:
        self.estimator = estimator
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Array | None = None) -> Self:
        """Fit a classifier for each column of the binary label matrix ``y``."""
        inputs, labels = self._check_training(X, y)
        seeds = label_seeds(self.random_state, labels.shape[1])
        self.models_ = [
            fit_one_label(seeded(self.estimator, seed), inputs, label, sample_weight)
            for label, seed in zip(labels.T, seeds, strict=True)
        ]
        self._keep_out_of_bag_scores(len(labels))
        return self

    def predict(self, X: Any) -> Integers:
        """Binary label matrix of shape (n_samples, n_labels): what the classifiers predict."""
        inputs = self._check_inputs(X)
        return np.column_stack([model.predict(inputs) for model in self.models_]).astype(np.int64)

    def _score(self, X: Any, method: str) -> Array:
        """Scores of the labels' classifiers; infinite decision values for a constant label."""
        inputs = self._check_inputs(X)
        return np.column_stack([score_one_label(model, inputs, method) for model in self.models_])

    def _keep_out_of_bag_scores(self, n_rows: int) -> None:
        columns = [_out_of_bag_scores(model, n_rows) for model in self.models_]
        known = [column for column in columns if column is not None]
        if len(known) == len(columns):
            self.oob_decision_function_ = np.column_stack(known)
        elif hasattr(self, "oob_decision_function_"):  # of an earlier fit
            del self.oob_decision_function_


def _out_of_bag_scores(model: Any, n_rows: int) -> Array | None:
    if isinstance(model, Constant):
        return np.full(n_rows, float(model.value))
    scores = getattr(model, "oob_decision_function_", None)
    return None if scores is None else scores[:, 1]
