"""RAkEL: small random sets of labels, each learned as one label with many classes.

The implementation is that of scikit-multilearn-ng. Wrapped here are its traps: it draws from the
global random generators, it draws one overlapping labelset too many, it draws for ever where the
labelsets cannot cover the labels, and it hands labelsets that have one value only to classifiers
that refuse them.
"""

from __future__ import annotations

from math import comb, perm
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import check_random_state

from mlmlm._constraints import CLASSIFIER, COUNT
from mlmlm._global_seed import global_seed
from mlmlm.baselines._multi_label import MultiLabelClassifier
from mlmlm.baselines._seeding import seeded
from mlmlm.types import Integers

# Overlapping labelsets are drawn anew until they cover the labels; this is often enough.
_LEAST_CHANCE = 1e-3


class RAkEL(MetaEstimatorMixin, MultiLabelClassifier):
    """Random k-labelsets (Tsoumakas, Katakis and Vlahavas, 2011).

    For each labelset a copy of the estimator learns which combination of its labels a row has.
    There are predictions only, no scores to rank labels by.

    Parameters
    ----------
    estimator : object
        A classifier of several classes.
    labelset_size : int, default=3
        Labels in a labelset; fewer than there are labels.
    n_labelsets : int or None, default=None
        None splits the labels into disjoint labelsets, of which the last may be smaller (RAkELd).
        A number draws that many labelsets that overlap, whose members vote (RAkELo).
    random_state : int, RandomState or None, default=None
        Seeds the labelsets and the copies of the estimator.

    Attributes
    ----------
    labelsets_ : list of list of int
        The labelsets, by columns of the labels.
    classes_ : array of shape (L,)
        Column indices of the labels.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [CLASSIFIER],
        "labelset_size": [COUNT],
        "n_labelsets": [COUNT, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any,
        labelset_size: int = 3,
        n_labelsets: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.labelset_size = labelset_size
        self.n_labelsets = n_labelsets
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Draw labelsets and fit a classifier for each.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Inputs; a sparse one is made dense for the estimator.
        y : array-like or sparse matrix of shape (n_samples, n_labels)
            Binary label matrix.
        """
        inputs, labels = self._check_training(X, y)
        self._check_labelsets(labels.shape[1])
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        model = self._make_model(ClassifierOrConstant(seeded(self.estimator, seed)))
        with global_seed(seed):
            # What it returns, not the model itself, knows its labelsets in both variants.
            self._model = model.fit(sp.csr_matrix(inputs), sp.lil_matrix(labels))
        self.labelsets_ = [[int(label) for label in each] for each in self._model.partition_]
        return self

    def predict(self, X: Any) -> Integers:
        """Binary label matrix: what the labelsets' classifiers say, or the majority of them."""
        inputs = self._check_inputs(X)
        return self._model.predict(sp.csr_matrix(inputs)).toarray().astype(np.int64)

    def _make_model(self, base: Any) -> Any:
        try:
            from skmultilearn.ensemble import RakelD, RakelO
        except ImportError as error:
            raise ImportError(
                f"RAkEL needs the package scikit-multilearn-ng ({error}): install mlmlm with the "
                "extra 'experiments'."
            ) from error
        if self.n_labelsets is None:
            return RakelD(base, labelset_size=self.labelset_size)
        # It draws one more than it is asked for.
        return RakelO(base, model_count=self.n_labelsets - 1, labelset_size=self.labelset_size)

    def _check_labelsets(self, n_labels: int) -> None:
        """Refuse labelsets that cannot be drawn; the package would draw for ever."""
        size, n_sets = self.labelset_size, self.n_labelsets
        if size >= n_labels:
            raise ValueError(
                f"labelset_size={size} needs more than {size} labels, and there are {n_labels}; "
                "take smaller labelsets, or another method."
            )
        if n_sets is None:
            return
        if n_sets > comb(n_labels, size):
            raise ValueError(
                f"n_labelsets={n_sets} is more than the {comb(n_labels, size)} labelsets of {size} "
                f"out of {n_labels} labels; take fewer."
            )
        if coverage_chance(n_labels, size, n_sets) < _LEAST_CHANCE:
            raise ValueError(
                f"n_labelsets={n_sets} random labelsets of {size} hardly ever cover {n_labels} "
                "labels; take more, or none (None, null) for disjoint ones."
            )


class ClassifierOrConstant(ClassifierMixin, BaseEstimator):
    """A classifier, or, where training has a single class, the constant that says so."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the estimator, in place, if there is something to learn."""
        self.classes_ = np.unique(y)
        if len(self.classes_) > 1:
            self.estimator.fit(X, y)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row."""
        if len(self.classes_) == 1:
            return np.repeat(self.classes_, X.shape[0])
        return self.estimator.predict(X)


def coverage_chance(n_labels: int, size: int, n_sets: int) -> float:
    """Probability that random labelsets contain every label.

    The package draws sequences of labels, no sequence twice. By inclusion and exclusion over the
    labels that all of them miss; the terms are huge and of both signs, so they are summed as
    integers.
    """
    covering = sum(
        (-1) ** missed * comb(n_labels, missed) * comb(perm(n_labels - missed, size), n_sets)
        for missed in range(n_labels - size + 1)
    )
    return covering / comb(perm(n_labels, size), n_sets)
