"""Threshold rules around any multi-label classifier that has scores."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import MetaEstimatorMixin
from sklearn.model_selection import KFold
from sklearn.utils import _safe_indexing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from mlmlm._calibration import Sigmoids
from mlmlm._constraints import CLASSIFIER, SEED, Number, OneOf
from mlmlm._label_matrix import check_label_matrix
from mlmlm.baselines._delegation import ScoresOfEstimator
from mlmlm.baselines._multi_label import MultiLabelClassifier
from mlmlm.baselines._seeding import seeded
from mlmlm.scores import has_scores, label_scores, out_of_bag_scores, score_method
from mlmlm.thresholds import cardinality_threshold, transductive_cut
from mlmlm.types import Array, Integers

ENOUGH_MEMBERS = 50


class Thresholded(ScoresOfEstimator, MetaEstimatorMixin, MultiLabelClassifier):
    """A multi-label classifier's scores, cut by a rule of choice.

    Unless they are calibrated, scores are passed through unchanged; only what is predicted from
    them changes.

    Parameters
    ----------
    estimator : object
        A multi-label classifier with ``predict_proba`` or ``decision_function``.
    rule : {"fixed", "cardinality", "transductive"}, default="cardinality"
        "fixed": probabilities above 0.5. "cardinality": one threshold, at which the training rows,
        scored by models that have not seen them, have as many labels as they really have.
        "transductive": the rows being predicted get about as many labels as those of training
        (`mlmlm.thresholds.transductive_cut`), so that a prediction depends on the rows beside it:
        only to reproduce figures that were published so.
    scores : {"auto", "oob", "cv"}, default="auto"
        Where the rule "cardinality" has its scores from: the estimator's out-of-bag scores
        ``oob_decision_function_``, or K-fold cross-validation. "auto" takes the first where the
        fitted estimator has them from 50 members or more, else the second: of few members only a
        third scores a row, and such scores are spread more widely than those of all.
    calibration : {"none", "sigmoid"}, default="none"
        "sigmoid" turns the decision values of an estimator without probabilities into such, each
        label's by a sigmoid of its own, fitted to out-of-sample decision values (Platt, 2000). The
        margins of one label's machine are not in the units of another's; only then can one
        threshold cut all of them, and one ranking order them, as it does probabilities.
    cv : int, default=5
        Number of folds. They are shuffled, and depend on ``random_state`` and the number of rows
        alone.
    random_state : int or None, default=None
        Seeds the estimator and the folds; None leaves the estimator as it is, and the folds are
        those of seed 0.

    Attributes
    ----------
    estimator_ : object
        The estimator, fitted on all training rows.
    threshold_ : float or None
        Labels that score more are predicted; None with the transductive rule.
    sigmoids_ : Sigmoids
        From decision values to probabilities; only if they are calibrated.
    cardinality_ : float
        Mean number of labels of the training rows.
    classes_ : array of shape (L,)
        Column indices of the labels.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> model = Thresholded(KNeighborsClassifier(), rule="cardinality", cv=3)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [CLASSIFIER],
        "rule": [OneOf("fixed", "cardinality", "transductive")],
        "scores": [OneOf("auto", "oob", "cv")],
        "calibration": [OneOf("none", "sigmoid")],
        "cv": [Number(Integral, 2, None, closed="left")],
        "random_state": [SEED, None],
    }

    def __init__(
        self,
        estimator: Any,
        rule: Literal["fixed", "cardinality", "transductive"] = "cardinality",
        scores: Literal["auto", "oob", "cv"] = "auto",
        cv: int = 5,
        random_state: int | None = None,
        calibration: Literal["none", "sigmoid"] = "none",
    ) -> None:
        self.estimator = estimator
        self.rule = rule
        self.scores = scores
        self.calibration = calibration
        self.cv = cv
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the estimator, then choose the threshold."""
        self._validate_params()
        labels = check_label_matrix(y).astype(np.int64)
        self.classes_ = np.arange(labels.shape[1])
        self.cardinality_ = float(labels.sum() / len(labels))
        self.estimator_ = seeded(self.estimator, self.random_state).fit(X, labels)
        self._fit_cut(X, labels)
        return self

    def predict(self, X: Any) -> Integers:
        """Binary label matrix of shape (n_samples, n_labels)."""
        scores = self._score(X, score_method(self))
        if self.threshold_ is None:
            return transductive_cut(scores, self.cardinality_).astype(np.int64)
        return (scores > self.threshold_).astype(np.int64)

    @available_if(lambda self: self._calibrates or hasattr(self.estimator, "predict_proba"))
    def predict_proba(self, X: Any) -> Array:
        """Probability of each label, of shape (n_samples, n_labels)."""
        return self._score(X, "predict_proba")

    @property
    def _calibrates(self) -> bool:
        return self.calibration == "sigmoid"

    def _score(self, X: Any, method: str | None) -> Array:
        check_is_fitted(self)
        if self._calibrates and method == "predict_proba":
            return self.sigmoids_(label_scores(self.estimator_, X))
        return label_scores(self.estimator_, X, method)

    def _validate_params(self) -> None:
        super()._validate_params()
        name = type(self.estimator).__name__
        if not has_scores(self.estimator):
            raise ValueError(f"{name} has no scores, so there is nothing to cut by a threshold.")
        if self._calibrates and hasattr(self.estimator, "predict_proba"):
            raise ValueError(
                f"{name} has probabilities; calibration='sigmoid' is for decision values."
            )
        if self.rule == "fixed" and score_method(self) != "predict_proba":
            raise ValueError(
                f"rule 'fixed' cuts probabilities, and {name} ranks by a decision function; "
                "choose rule 'cardinality', or calibration='sigmoid'."
            )

    def _fit_cut(self, X: Any, labels: Integers) -> None:
        """Choose sigmoids and threshold, as far as they are asked for."""
        fixed = {"transductive": None, "fixed": 0.5}
        if self.rule in fixed:
            self.threshold_ = fixed[self.rule]
            if not self._calibrates:
                return
        scores = self._out_of_sample_scores(X, labels)
        # A row that every member of an ensemble has seen has no out-of-bag score.
        known = ~np.isnan(scores).any(axis=1)
        scores, labels = scores[known], labels[known]
        if self._calibrates:
            self.sigmoids_ = Sigmoids(scores, labels)
            scores = self.sigmoids_(scores)
        if self.rule == "cardinality":
            self.threshold_ = cardinality_threshold(scores, int(labels.sum()))

    def _out_of_sample_scores(self, X: Any, labels: Integers) -> Array:
        members = getattr(self.estimator_, "n_estimators", ENOUGH_MEMBERS)
        use_cv = self.scores == "cv" or (self.scores == "auto" and members < ENOUGH_MEMBERS)
        out_of_bag = None if use_cv else out_of_bag_scores(self.estimator_)
        if out_of_bag is not None:
            return out_of_bag
        if self.scores == "oob":
            raise ValueError(
                f"{type(self.estimator).__name__} has no out-of-bag scores; give it "
                "oob_score=True if it can have them, or choose scores='cv'."
            )
        return self._cross_validated_scores(X, labels)

    def _cross_validated_scores(self, X: Any, labels: Integers) -> Array:
        folds = KFold(self.cv, shuffle=True, random_state=self.random_state or 0)
        scores = np.empty(labels.shape)
        for others, rows in folds.split(labels):
            model = seeded(self.estimator, self.random_state)
            model.fit(_safe_indexing(X, others), labels[others])
            scores[rows] = label_scores(model, _safe_indexing(X, rows))
        return scores
