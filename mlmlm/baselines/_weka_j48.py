"""Weka's J48 decision tree: fitted by Weka itself, kept and used as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mlmlm._constraints import COUNT, Number
from mlmlm.baselines._java import weka_class
from mlmlm.types import Array, Indices, Integers

_LEAF = -1


@dataclass(frozen=True)
class Tree:
    """A binary tree, its nodes numbered from the root, 0."""

    feature: Indices
    """Column that a node looks at; `_LEAF` in a leaf."""
    split: Array
    """Values up to this go to the first child."""
    children: Indices
    """The two children of each node, of shape (n_nodes, 2)."""
    probability: Array
    """Probability of class 1 in a leaf."""

    def predict(self, X: Array) -> Array:
        """Probability of class 1 of each row: all rows go down one level at a time."""
        node = np.zeros(len(X), dtype=np.intp)
        rows = np.arange(len(X))
        while len(rows := rows[self.feature[node[rows]] != _LEAF]):
            here = node[rows]
            second = X[rows, self.feature[here]] > self.split[here]
            node[rows] = self.children[here, second.astype(np.intp)]
        return self.probability[node]


class WekaJ48(ClassifierMixin, BaseEstimator):
    """C4.5 decision tree of a binary class, by Weka's J48.

    Needs Java and the extra ``java``; a fitted tree needs neither, and pickles.

    Parameters
    ----------
    confidence : float, default=0.25
        Confidence of pruning; smaller prunes more.
    min_objects : int, default=2
        Least weight of a leaf.
    n_label_inputs : int, default=0
        The first so many columns hold labels, 0 or 1, which J48 treats as nominal. `LabelChain`
        sets this.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree.
    classes_ : array of shape (2,)
        The classes, 0 and 1.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "confidence": [Number(Real, 0, 0.5, closed="right")],
        "min_objects": [COUNT],
        "n_label_inputs": [Number(Integral, 0, None, closed="left")],
    }

    def __init__(
        self, confidence: float = 0.25, min_objects: int = 2, n_label_inputs: int = 0
    ) -> None:
        self.confidence = confidence
        self.min_objects = min_objects
        self.n_label_inputs = n_label_inputs

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Build the tree from rows of numbers, their classes 0 and 1, and their weights."""
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        if not np.isin(y, [0, 1]).all():
            raise ValueError("y must hold only the classes 0 and 1.")
        weights = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight)
        self.classes_ = np.array([0, 1])
        learner = weka_class("weka.classifiers.trees.J48")()
        learner.setConfidenceFactor(self.confidence)
        learner.setMinNumObj(self.min_objects)
        learner.buildClassifier(_instances(X, y, weights, self.n_label_inputs))
        self.tree_ = _copy_tree(learner, self.n_label_inputs)
        return self

    def predict(self, X: Any) -> Integers:
        """Class of each row; 0 where both are as likely."""
        return (self.predict_proba(X)[:, 1] > 0.5).astype(np.int64)

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes 0 and 1, of shape (n_samples, 2)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        ones = self.tree_.predict(X)
        return np.column_stack([1 - ones, ones])


def _instances(X: Array, y: NDArray[Any], weights: Array, n_label_inputs: int) -> Any:
    """Weka's form of a training set; the class comes last."""
    attribute, array_list = weka_class("weka.core.Attribute"), weka_class("java.util.ArrayList")
    dense_instance = weka_class("weka.core.DenseInstance")
    values = array_list(["0", "1"])
    attributes = array_list()
    for column in range(X.shape[1]):
        name = f"x{column}"
        nominal = column < n_label_inputs
        attributes.add(attribute(name, values) if nominal else attribute(name))
    attributes.add(attribute("y", values))
    instances = weka_class("weka.core.Instances")("training", attributes, len(X))
    instances.setClassIndex(X.shape[1])
    doubles = weka_class("double[]")
    for row, weight in zip(np.column_stack([X, y]), weights.tolist(), strict=True):
        instances.add(dense_instance(weight, doubles(row)))
    return instances


def _copy_tree(learner: Any, n_label_inputs: int) -> Tree:
    """The tree that a J48 has built, node by node.

    A child that no training row reached has nothing of its own to say: there Weka falls back to
    the classes of its parent.
    """
    feature: list[int] = []
    split: list[float] = []
    children: list[list[int]] = []
    probability: list[float] = []

    def add(node: Any, fallback: float) -> int:
        index, model, is_leaf = len(feature), node.getLocalModel(), node.isLeaf()
        rows = model.distribution()
        attribute = _LEAF if is_leaf else model.attIndex()
        feature.append(attribute)
        # The children of a label are those of its values, 0 and 1.
        split.append(model.splitPoint() if attribute >= n_label_inputs else 0.5)
        children.append([_LEAF, _LEAF])
        probability.append(rows.prob(1) if rows.total() > 0 else fallback)
        if not is_leaf:
            children[index] = [add(child, probability[index]) for child in node.getSons()]
        return index

    root = type(learner).class_.getDeclaredField("m_root")
    root.setAccessible(True)
    add(root.get(learner), 0.0)
    return Tree(*map(np.array, (feature, split, children, probability)))
