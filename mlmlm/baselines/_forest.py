"""A random forest of multi-label trees."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from mlmlm.baselines._multi_label import MultiLabelClassifier
from mlmlm.scores import label_scores
from mlmlm.types import Array, Integers


class MultiLabelForest(MultiLabelClassifier):
    """Random forest whose trees predict all labels at once, as that of predictive clustering trees.

    A predictive clustering tree splits where the variance of the labels, summed over them, falls
    the most; the Gini impurity of a binary label is twice its variance, so scikit-learn's
    multi-output forest grows the same kind of tree. It refuses out-of-bag scores where a label has
    only one class in training, so such labels are kept from it.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    max_features : float, default=0.1
        Share of the features that each split chooses from.
    min_samples_leaf : int, default=2
        Least number of rows of a leaf.
    n_jobs : int or None, default=None
        Number of jobs.
    random_state : int or None, default=None
        Seeds samples and splits.

    Attributes
    ----------
    forest_ : RandomForestClassifier
        The forest of the labels that vary.
    oob_decision_function_ : array of shape (n_samples, L)
        Out-of-bag scores of the training rows.
    classes_ : array of shape (L,)
        Column indices of the labels.
    """

    # All are handed on.
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        name: RandomForestClassifier._parameter_constraints[name]
        for name in ("n_estimators", "max_features", "min_samples_leaf", "n_jobs", "random_state")
    }

    def __init__(
        self,
        n_estimators: int = 100,
        max_features: float = 0.1,
        min_samples_leaf: int = 2,
        n_jobs: int | None = None,
        random_state: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.min_samples_leaf = min_samples_leaf
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the forest on the labels that have both classes in the label matrix ``y``."""
        inputs, labels = self._check_training(X, y)
        self._constants = labels[0].astype(np.float64)
        self._varying = np.flatnonzero(labels.min(axis=0) < labels.max(axis=0))
        if len(self._varying) == 0:
            raise ValueError("y has no label that is relevant in some rows and not in others.")
        targets = labels[:, self._varying]
        if len(self._varying) == 1:  # twice the same label makes the same trees, in the same form
            targets = np.hstack([targets, targets])
        self.forest_ = RandomForestClassifier(oob_score=True, **self.get_params())
        self.forest_.fit(inputs, targets)
        self.oob_decision_function_ = self._with_constants(
            self.forest_.oob_decision_function_[:, 1]
        )
        return self

    def predict(self, X: Any) -> Integers:
        """Binary label matrix: the labels that score more than a half."""
        return (self.predict_proba(X) > 0.5).astype(np.int64)

    def predict_proba(self, X: Any) -> Array:
        """Mean over the trees of the share of relevance in a row's leaf."""
        return self._with_constants(label_scores(self.forest_, self._check_inputs(X)))

    def _with_constants(self, scores: Array) -> Array:
        """Scores of all labels, from those of the labels that vary."""
        completed = np.tile(self._constants, (len(scores), 1))
        completed[:, self._varying] = scores[:, : len(self._varying)]
        return completed
