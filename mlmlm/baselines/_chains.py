"""Classifier chains: each label's classifier also sees the labels before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import MetaEstimatorMixin

from mlmlm._constraints import CLASSIFIER, SEED, OneOf
from mlmlm.baselines._delegation import ScoresOfEstimator
from mlmlm.baselines._java_random import JavaRandom
from mlmlm.baselines._multi_label import MultiLabelClassifier
from mlmlm.baselines._one_label import fit_one_label, score_one_label
from mlmlm.baselines._seeding import given_or_drawn, label_seeds, seeded
from mlmlm.types import Array, Indices, Integers, Matrix


class LabelChain(ScoresOfEstimator, MetaEstimatorMixin, MultiLabelClassifier):
    """A chain of binary classifiers, whose inputs are the features and the labels before.

    Training uses the true labels, prediction the predicted ones. Unlike scikit-learn's
    `ClassifierChain` it bears labels that have only one class in training, and it puts the labels
    before the features, in their own order, as MEKA does: trees prefer the first of equally good
    inputs.

    Parameters
    ----------
    estimator : object
        A binary classifier. If it has a parameter ``n_label_inputs``, that is set to the number of
        labels among its inputs.
    order : "random", None or sequence of int, default=None
        The labels in the order of the chain; None is that of the columns. A random order is the
        one that MEKA draws with the seed ``random_state``.
    random_state : int or None, default=None
        Seeds a random order, and the copies of the estimator; None leaves the copies as they are.

    Attributes
    ----------
    order_ : array of shape (L,)
        The labels in the order of the chain.
    models_ : list
        Their classifiers, in that order; a `Constant` for a label with one class.
    classes_ : array of shape (L,)
        Column indices of the labels.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [CLASSIFIER],
        "order": [OneOf("random"), "array-like", None],
        "random_state": [SEED, None],
    }

    def __init__(
        self,
        estimator: Any,
        order: Literal["random"] | Sequence[int] | None = None,
        random_state: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.order = order
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Array | None = None) -> Self:
        """Fit a classifier for each column of the binary label matrix ``y``."""
        features, labels = self._check_training(X, y)
        self.order_ = self._choose_order(labels.shape[1])
        self.models_ = []
        seeds = label_seeds(self.random_state, len(self.order_))
        for place, (label, seed) in enumerate(zip(self.order_, seeds, strict=True)):
            model = seeded(self.estimator, seed)
            if "n_label_inputs" in model.get_params(deep=False):
                model.set_params(n_label_inputs=place)
            inputs = self._inputs(features, labels, place)
            self.models_.append(fit_one_label(model, inputs, labels[:, label], sample_weight))
        return self

    def predict(self, X: Any) -> Integers:
        """Binary label matrix of shape (n_samples, n_labels)."""
        return self._follow(X)[0]

    def _score(self, X: Any, method: str) -> Array:
        """Scores of each label given the labels predicted before it."""
        return self._follow(X, method)[1]

    def _follow(self, X: Any, method: str | None = None) -> tuple[Integers, Array]:
        """Predictions along the chain, and the scores that a method gives on the way."""
        features = self._check_inputs(X)
        labels = np.zeros((features.shape[0], len(self.order_)), dtype=np.int64)
        scores = np.zeros(labels.shape)
        for place, (label, model) in enumerate(zip(self.order_, self.models_, strict=True)):
            inputs = self._inputs(features, labels, place)
            labels[:, label] = model.predict(inputs)
            if method is not None:
                scores[:, label] = score_one_label(model, inputs, method)
        return labels, scores

    def _inputs(self, features: Matrix, labels: Integers, place: int) -> Matrix:
        before = labels[:, np.sort(self.order_[:place])]
        if sp.issparse(features):
            return sp.hstack([sp.csr_array(before), features], format="csr")
        return np.hstack([before, features])

    def _choose_order(self, n_labels: int) -> Indices:
        if self.order is None:
            return np.arange(n_labels)
        if isinstance(self.order, str):
            return np.array(JavaRandom(given_or_drawn(self.random_state)).shuffled(n_labels))
        order = np.asarray(self.order)
        if sorted(order.tolist()) != list(range(n_labels)):
            raise ValueError(
                f"order must name each of the {n_labels} columns, 0 to {n_labels - 1}, once, "
                f"got {order.tolist()}."
            )
        return order
