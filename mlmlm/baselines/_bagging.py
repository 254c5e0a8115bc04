"""Bagged ensembles of multi-label classifiers."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import MetaEstimatorMixin

from mlmlm._constraints import CLASSIFIER, COUNT, SEED, OneOf
from mlmlm.baselines._java_random import JavaRandom
from mlmlm.baselines._multi_label import MultiLabelClassifier
from mlmlm.baselines._seeding import given_or_drawn, seeded
from mlmlm.scores import label_scores
from mlmlm.types import Array, Integers, Matrix


class BaggedEnsemble(MetaEstimatorMixin, MultiLabelClassifier):
    """Copies of a multi-label classifier, each fitted on a bootstrap sample.

    scikit-learn's `BaggingClassifier` takes one label. The samples are those that MEKA draws with
    the same seed: member i has the seed ``random_state + i``, and a row that is drawn several times
    comes once, with that weight.

    Parameters
    ----------
    estimator : object
        A multi-label classifier that takes sample weights, `BinaryRelevance` or `LabelChain` of
        trees for example.
    n_estimators : int, default=10
        Number of members.
    voting : {"soft", "hard"}, default="soft"
        Scores are the mean of the members' probabilities, or of their predictions. MEKA's binary
        relevance votes with probabilities, its chains with predictions.
    random_state : int or None, default=None
        Seeds the samples and the members; None draws a seed.

    Attributes
    ----------
    members_ : list
        The fitted classifiers.
    oob_decision_function_ : array of shape (n_samples, L)
        Scores of the training rows by the members that have not seen them; NaN for a row that all
        have seen.
    classes_ : array of shape (L,)
        Column indices of the labels.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [CLASSIFIER],
        "n_estimators": [COUNT],
        "voting": [OneOf("soft", "hard")],
        "random_state": [SEED, None],
    }

    def __init__(
        self,
        estimator: Any,
        n_estimators: int = 10,
        voting: Literal["soft", "hard"] = "soft",
        random_state: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.voting = voting
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the members, and score for each the rows that it has not seen."""
        inputs, labels = self._check_training(X, y)
        self.members_ = []
        votes, n_votes = np.zeros(labels.shape), np.zeros((len(labels), 1))
        first = given_or_drawn(self.random_state)
        for member_seed in range(first, first + self.n_estimators):
            times_drawn = bootstrap_counts(len(labels), member_seed)
            seen, unseen = np.flatnonzero(times_drawn), np.flatnonzero(times_drawn == 0)
            member = seeded(self.estimator, member_seed)
            member.fit(inputs[seen], labels[seen], sample_weight=times_drawn[seen])
            self.members_.append(member)
            if len(unseen):
                votes[unseen] += self._vote(member, inputs[unseen])
                n_votes[unseen] += 1
        with np.errstate(invalid="ignore"):
            self.oob_decision_function_ = votes / n_votes
        return self

    def predict(self, X: Any) -> Integers:
        """Binary label matrix: the labels that score more than a half."""
        return (self.predict_proba(X) > 0.5).astype(np.int64)

    def predict_proba(self, X: Any) -> Array:
        """Mean of the members' votes, of shape (n_samples, n_labels)."""
        inputs = self._check_inputs(X)
        total = np.sum([self._vote(member, inputs) for member in self.members_], axis=0)
        return total / len(self.members_)

    def _vote(self, member: Any, X: Matrix) -> Array:
        if self.voting == "soft":
            return label_scores(member, X, "predict_proba")
        return np.asarray(member.predict(X), dtype=np.float64)

    def _validate_params(self) -> None:
        super()._validate_params()
        if self.voting == "soft" and not hasattr(self.estimator, "predict_proba"):
            raise ValueError(
                f"voting='soft' needs probabilities, which {type(self.estimator).__name__} has not "
                "with this base estimator; choose voting='hard'."
            )


def bootstrap_counts(n_rows: int, seed: int) -> Array:
    """How often each row is drawn into a bootstrap sample, with Java's generator."""
    generator = JavaRandom(seed)
    drawn = [generator.below(n_rows) for _ in range(n_rows)]
    return np.bincount(drawn, minlength=n_rows).astype(np.float64)
