"""What multi-label classifiers have in common, and the four distance-regression ones."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from mlmlm._distance_regression import DistanceRegression, PredictedDistances
from mlmlm._parallel import parallel_map, usable_threads
from mlmlm._reference_choice import References
from mlmlm._tiles import tile_slices
from mlmlm._training_rows import is_dask
from mlmlm.types import Array, Indices, Integers, Labels

_LEAST_ROWS = 64  # fewer are not worth a thread


class MultiLabelMixin(ClassifierMixin):
    """Tells scikit-learn that a classifier is for label matrices, and takes sparse inputs."""

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.target_tags.single_output = False
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        return tags


class DistanceRegressionClassifier(MultiLabelMixin, BaseEstimator):
    """A multi-label classifier that turns predicted distances into labels.

    Every method that takes inputs ``X`` also takes the `PredictedDistances` of a shared
    `DistanceRegression`, so that several classifiers can use one prediction.

    Parameters
    ----------
    ridge, references, selection, label_references, random_state
        Of the `DistanceRegression` that ``fit`` solves.

    Attributes
    ----------
    regression_ : DistanceRegression
        The fitted regression.
    classes_ : array of shape (L,)
        Column indices of the labels.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = DistanceRegression._parameter_constraints

    def __init__(
        self,
        ridge: float = 1.0,
        references: References = None,
        selection: Literal["random", "kmeans++", "pivoted"] = "random",
        label_references: int | float | None = None,
        random_state: int = 0,
    ) -> None:
        self.ridge = ridge
        self.references = references
        self.selection = selection
        self.label_references = label_references
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the distance regression, then what the method adds to it.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Inputs, scaled: distances are Euclidean. The paper uses
            `sklearn.preprocessing.MinMaxScaler`. With ``references`` chosen, Dask arrays too:
            the sums over rows are then made on the workers, and predictions are Dask arrays.
        y : array-like or sparse matrix of shape (n_samples, n_labels)
            Binary label matrix.
        """
        self._validate_params()
        shape = getattr(y, "shape", ())
        if [type(size) for size in shape] == [int, int]:  # not of lists, nor of all on Dask
            self._check_memory(*shape)
        return self.fit_from(self.regression().fit(X, y))

    def regression(self) -> DistanceRegression:
        """The regression that ``fit`` solves, not fitted; equal ones can be shared."""
        return DistanceRegression(
            self.ridge, self.references, self.selection, self.label_references, self.random_state
        )

    def fit_from(self, regression: DistanceRegression) -> Self:
        """Fit on a regression that is fitted already, sharing its cubic step.

        The classifier is then the same as one fitted on the regression's own data.
        """
        check_is_fitted(regression)
        self._validate_params()
        self.regression_ = regression
        self.n_features_in_ = regression.n_features_in_
        if hasattr(regression, "feature_names_in_"):
            self.feature_names_in_ = regression.feature_names_in_
        elif hasattr(self, "feature_names_in_"):  # of an earlier fit
            del self.feature_names_in_
        labels = regression.label_vectors_
        self.classes_ = np.arange(labels.n_labels)
        self._check_memory(labels.n_rows, labels.n_labels)
        self._fit_method(regression)
        return self

    def predict(self, X: Any) -> Integers:
        """Binary label matrix of shape (n_samples, n_labels)."""
        return self._gather(X, self._predict_integers, dtype=np.int64)

    def predict_distances(self, X: Any) -> Array:
        """Signed predicted distances to the distinct training label vectors.

        Returns
        -------
        distances : array of shape (n_samples, U)
            Columns in the order of ``regression_.label_vectors_.vectors``.
        """
        return self._gather(X, lambda predicted: predicted.to_label_vectors, per="label vector")

    def smallest_distance(self, X: Any) -> Array:
        """The smallest predicted distance of each row, an uncertainty of its prediction.

        See `mlmlm.uncertainty.uncertainty_categories`.
        """
        return self._gather(X, lambda predicted: predicted.to_label_vectors.min(axis=1), per="row")

    def _check_memory(self, n_rows: int, n_labels: int) -> None:
        """Raise MemoryError where what the method adds would not fit; most add next to nothing."""

    def _fit_method(self, regression: DistanceRegression) -> None:
        """Fit what the method adds to the regression; most add nothing."""

    @abstractmethod
    def _predict_labels(self, predicted: PredictedDistances) -> Labels:
        """Binary label matrix of a block of rows."""

    def _nearest_cardinality(self, predicted: PredictedDistances) -> Indices:
        """Number of labels that NN-MLM predicts, the count of local RCut."""
        return self.regression_.label_vectors_.cardinalities[predicted.nearest]

    def _predict_integers(self, predicted: PredictedDistances) -> Integers:
        return self._predict_labels(predicted).astype(np.int64)

    def _gather(
        self,
        X: Any,
        function: Callable[[PredictedDistances], Any],
        per: Literal["row", "label", "label vector"] = "label",
        dtype: type = np.float64,
    ) -> NDArray[Any]:
        """Apply ``function`` to blocks of rows, on all cores, and join the results.

        What it gives a value ``per``, and of which type, a Dask array must know beforehand.
        """
        check_is_fitted(self)
        if is_dask(X):
            from mlmlm._dask_rows import lazily

            validate_data(self, X, reset=False, skip_check_array=True)
            vectors = self.regression_.label_vectors_
            shape = {"row": (), "label": (vectors.n_labels,), "label vector": (len(vectors),)}[per]
            return lazily(lambda x: self._gather(x, function, per, dtype), X, shape, dtype)
        results: list[NDArray[Any]] = []
        for block in self._blocks(X):
            rows = max(_LEAST_ROWS, math.ceil(len(block) / usable_threads()))
            results.extend(
                parallel_map(function, map(block.__getitem__, tile_slices(len(block), rows)))
            )
        return np.concatenate(results)

    def _blocks(self, X: Any) -> Iterator[PredictedDistances]:
        if not isinstance(X, PredictedDistances):
            yield from self.regression_.predict_blocks(X)
            return
        n_vectors = len(self.regression_.label_vectors_)
        if X.to_label_vectors.shape[1] != n_vectors:
            raise ValueError(
                f"The predicted distances are to {X.to_label_vectors.shape[1]} label vectors, but "
                f"this classifier was fitted on {n_vectors}: they come from another regression."
            )
        yield from map(X.__getitem__, tile_slices(len(X), self.regression_.block_rows))
