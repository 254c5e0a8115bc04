"""Scores that a wrapper has only if the estimator inside has them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from sklearn.utils.metaestimators import available_if

from mlmlm.types import Array


def _estimator_has(method: str) -> Callable[[Any], bool]:
    """Whether ``self.estimator`` has a method."""

    def check(wrapper: Any) -> bool:
        return hasattr(wrapper.estimator, method)

    return check


class ScoresOfEstimator:
    """``predict_proba`` and ``decision_function``, each where ``self.estimator`` has it."""

    @available_if(_estimator_has("predict_proba"))
    def predict_proba(self, X: Any) -> Array:
        """Probability of each label, of shape (n_samples, n_labels)."""
        return self._score(X, "predict_proba")

    @available_if(_estimator_has("decision_function"))
    def decision_function(self, X: Any) -> Array:
        """Decision value of each label, of shape (n_samples, n_labels)."""
        return self._score(X, "decision_function")

    @abstractmethod
    def _score(self, X: Any, method: str) -> Array:
        """Scores of shape (n_samples, n_labels), from that method of the fitted estimators."""
