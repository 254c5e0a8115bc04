"""HOMER: a hierarchy of label clusters, with a binary classifier at each step down.

The labels are split into clusters of nearly equal size, these into clusters again, down to single
labels. A cluster's classifier says whether a row has at least one of its labels. Each is trained
only on rows that have a label of the cluster above, so problems get smaller, and less unbalanced,
with every step; and a row goes down only where it is accepted, so most are never asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.base import MetaEstimatorMixin
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils import check_random_state

from mlmlm._constraints import CLASSIFIER, Number
from mlmlm.baselines._delegation import ScoresOfEstimator
from mlmlm.baselines._multi_label import MultiLabelClassifier
from mlmlm.baselines._one_label import Constant, fit_one_label, score_one_label
from mlmlm.baselines._seeding import seeded
from mlmlm.types import Array, Indices, Integers, Matrix

# A score above this is an acceptance.
_CUTS = {"predict_proba": 0.5, "decision_function": 0.0, "predict": 0.5}
_MOST_ITERATIONS = 100


@dataclass(frozen=True)
class Cluster:
    """A cluster of labels.

    Attributes
    ----------
    labels : array of int
        Columns of its labels.
    model : object
        Classifier of the rows that have at least one of them; None at the root, where all go.
    parts : tuple of Cluster
        The clusters it is split into; none if it is a single label.
    """

    labels: Indices
    model: Any
    parts: tuple[Cluster, ...]

    def leaves(self) -> Iterator[Cluster]:
        """Its clusters that are not split further."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()


class HOMER(ScoresOfEstimator, MetaEstimatorMixin, MultiLabelClassifier):
    """Hierarchy of multi-label classifiers (Tsoumakas, Katakis and Vlahavas, 2008).

    The score of a label is that of the last classifier asked on the way down to it: its own, or
    the one that turned the row away. So labels of one rejected cluster tie.

    Parameters
    ----------
    estimator : object
        A binary classifier, of which every cluster has a copy.
    n_children : int, default=3
        Number of clusters that a cluster is split into. A cluster of no more labels than that is
        split into single ones.
    random_state : int, RandomState or None, default=None
        Seeds the clustering and the copies of the estimator.

    Attributes
    ----------
    hierarchy_ : Cluster
        The root of the hierarchy.
    classes_ : array of shape (L,)
        Column indices of the labels.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [CLASSIFIER],
        "n_children": [Number(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any,
        n_children: int = 3,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_children = n_children
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Split the labels and fit the classifiers.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Inputs.
        y : array-like or sparse matrix of shape (n_samples, n_labels)
            Binary label matrix.
        """
        inputs, labels = self._check_training(X, y)
        random = check_random_state(self.random_state)
        self.hierarchy_ = Cluster(
            self.classes_, None, self._fit_parts(inputs, labels, self.classes_, random)
        )
        return self

    def predict(self, X: Any) -> Integers:
        """Binary label matrix: the labels that a row gets down to."""
        has_values = hasattr(self.estimator, "decision_function")
        method = "decision_function" if has_values else "predict"
        return (self._score(X, method) > _CUTS[method]).astype(np.int64)

    def _fit_parts(
        self, inputs: Matrix, labels: Integers, columns: Indices, random: np.random.RandomState
    ) -> tuple[Cluster, ...]:
        """Split a cluster, given the rows that it is trained on."""
        parts = split_labels(labels[:, columns], columns, self.n_children, random)
        return tuple(self._fit_part(inputs, labels, part, random) for part in parts)

    def _fit_part(
        self, inputs: Matrix, labels: Integers, columns: Indices, random: np.random.RandomState
    ) -> Cluster:
        has_one = np.asarray(labels[:, columns].any(axis=1))
        model = self._fit_model(inputs, has_one.astype(np.int64), random)
        if len(columns) == 1:
            return Cluster(columns, model, ())
        return Cluster(
            columns, model, self._fit_parts(inputs[has_one], labels[has_one], columns, random)
        )

    def _fit_model(self, inputs: Matrix, target: Integers, random: np.random.RandomState) -> Any:
        seed = random.randint(2**31 - 1)
        if not target.any():  # which includes that there is no row
            return Constant(0)
        return fit_one_label(seeded(self.estimator, seed), inputs, target)

    def _score(self, X: Any, method: str) -> Array:
        """Scores from the last classifier asked; infinite decision values where it is constant."""
        inputs = self._check_inputs(X)
        scores = np.empty((inputs.shape[0], len(self.classes_)))
        _descend(self.hierarchy_, inputs, np.arange(len(scores)), scores, method)
        return scores


def _descend(cluster: Cluster, inputs: Matrix, rows: Indices, scores: Array, method: str) -> None:
    """Score the labels of a cluster for the rows that it has accepted."""
    for part in cluster.parts:
        values = score_one_label(part.model, inputs, method)
        scores[np.ix_(rows, part.labels)] = values[:, None]
        accepted = values > _CUTS[method]
        if accepted.any():
            _descend(part, inputs[accepted], rows[accepted], scores, method)


def split_labels(
    labels: Integers, columns: Indices, n_children: int, random: np.random.RandomState
) -> list[Indices]:
    """Split labels into clusters, by the rows that have them.

    Parameters
    ----------
    labels : array of shape (n_samples, n)
        Values of the labels to split.
    columns : array of shape (n,)
        What they are called.
    n_children : int
        Number of clusters; no more labels than that are split into single ones.
    random : RandomState
        Chooses the first centres.
    """
    if len(columns) <= n_children:
        return np.split(columns, len(columns))
    clusters = balanced_k_means(labels.T.astype(np.float64), n_children, random)
    return [columns[clusters == cluster] for cluster in range(n_children)]


def balanced_k_means(points: Array, n_children: int, random: np.random.RandomState) -> Indices:
    """The cluster of each point, by k-means whose clusters differ in size by one at the most.

    The number of places in each cluster is fixed, and points are assigned to places, all at once,
    so that the sum of squared distances to the centres is least. That sum falls with each new
    assignment and each new set of centres, as in k-means.
    """
    n_points = len(points)
    place = np.sort(np.arange(n_points) % n_children)  # the cluster that each place belongs to
    centres = points[random.choice(n_points, n_children, replace=False)]
    clusters = np.full(n_points, -1)
    for _ in range(_MOST_ITERATIONS):
        costs = euclidean_distances(points, centres, squared=True)
        before, clusters = clusters, place[linear_sum_assignment(costs[:, place])[1]]
        if np.array_equal(clusters, before):
            break
        centres = np.stack([points[clusters == each].mean(axis=0) for each in range(n_children)])
    return clusters
