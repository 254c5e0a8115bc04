"""What multi-label classifiers have in common, and the four distance-regression ones."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from mlmlm._distance_regression import DistanceRegression, PredictedDistances
from mlmlm._parallel import parallel_map, threads_for, usable_threads
from mlmlm._reference_choice import References
from mlmlm._target import Target
from mlmlm._tiles import tile_slices
from mlmlm._training_rows import is_dask
from mlmlm._whole_fit import all_or_nothing
from mlmlm.progress import narrated
from mlmlm.thresholds import rank_cut
from mlmlm.types import Array, Indices, Labels

_LEAST_ROWS = 64  # fewer are not worth a thread
_SCORE_METHODS = ("decision_function", "predict_proba")


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


class Prediction(NamedTuple):
    """All that a classifier says of some rows."""

    labels: NDArray[Any]
    """As ``predict`` gives them."""
    scores: Array | None
    """What labels are ranked by, as ``decision_function`` gives it; None if it ranks nothing."""
    probabilities: Array | None
    """As ``predict_proba`` gives them; None if it has none."""
    uncertainty: Array
    """As ``smallest_distance`` gives it."""


class DistanceRegressionClassifier(MultiLabelMixin, BaseEstimator):
    """A multi-label classifier that turns predicted distances into labels.

    Every method that takes inputs ``X`` also takes the `PredictedDistances` of a shared
    `DistanceRegression`, so that several classifiers can use one prediction.

    Work is done on all cores, small data on one. Within a search with ``n_jobs`` each worker keeps
    to its share of them, so nothing need be set; but every worker holds a model of its own.

    Parameters
    ----------
    ridge, references, selection, label_references, random_state
        Of the `DistanceRegression` that ``fit`` solves.
    verbose : bool, default=False
        Whether to say on standard error how far a fit or a prediction is, in the processes of
        ``n_jobs`` too.

    Attributes
    ----------
    regression_ : DistanceRegression
        The fitted regression.
    classes_ : array of shape (L, 2) or (2,)
        The classes 0 and 1 of each label or, where there is only one, its two classes.
    label_names_in_ : array of shape (L,)
        Columns of the data frame of labels, if it was one. Predictions are arrays, as those of
        other classifiers; ``pd.DataFrame(model.predict(X), X.index, model.label_names_in_)`` has
        the names.
    n_features_in_, feature_names_in_
        Number of features and, if the inputs were a data frame, its columns.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **DistanceRegression._parameter_constraints,
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        ridge: float = 1.0,
        references: References = None,
        selection: Literal["random", "kmeans++", "pivoted"] = "random",
        label_references: int | float | None = None,
        random_state: int = 0,
        verbose: bool = False,
    ) -> None:
        self.ridge = ridge
        self.references = references
        self.selection = selection
        self.label_references = label_references
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.single_output = True
        return tags

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the distance regression, then what the method adds to it.

        Interrupted or failed, it leaves the classifier as it was.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Inputs, scaled: distances are Euclidean. The paper uses
            `sklearn.preprocessing.MinMaxScaler`. With ``references`` chosen, Dask arrays too:
            the sums over rows are then made on the workers. Predictions of Dask arrays are Dask
            arrays; where a client is at work they hold on to what it has sent to its workers, and
            can be computed as long as it is there.
        y : array-like or sparse matrix of shape (n_samples, n_labels), or of shape (n_samples,)
            Binary label matrix. A single column, or a vector of two classes, is binary
            classification: ``classes_`` are then the two classes, and probabilities have a column
            for each.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts, in everything: a row of weight 2 is as two equal rows, one
            of weight 0 as none. So their scale matters: weights that add up to 1 make all rows
            together count as one, beside an unchanged ridge. Not for Dask arrays.
        """
        self._validate_params()
        shape: tuple[Any, ...] = getattr(y, "shape", ())
        if [type(size) for size in shape] == [int, int]:  # not of lists, nor of all on Dask
            n_rows, n_labels = shape
            on_dask = is_dask(X) or is_dask(y)
            self._check_memory(n_rows, n_labels, on_dask, sample_weight is not None)
        with self._narrated("fit"):
            return self.fit_from(self.regression().fit_for(self, X, y, sample_weight))

    def regression(self) -> DistanceRegression:
        """The regression that ``fit`` solves, not fitted; equal ones can be shared."""
        return DistanceRegression(
            self.ridge, self.references, self.selection, self.label_references, self.random_state
        )

    @all_or_nothing
    def fit_from(self, regression: DistanceRegression) -> Self:
        """Fit on a regression that is fitted already, sharing its cubic step.

        The classifier is then the same as one fitted on the regression's own data.
        """
        check_is_fitted(regression)
        self._validate_params()
        self.regression_ = regression
        self.n_features_in_ = regression.n_features_in_
        self.classes_ = regression.target_.classes
        names = {
            "feature_names_in_": getattr(regression, "feature_names_in_", None),
            "label_names_in_": regression.target_.names,
        }
        for attribute, value in names.items():
            if value is not None:
                setattr(self, attribute, value)
            elif hasattr(self, attribute):  # of an earlier fit
                delattr(self, attribute)
        n_rows, n_labels = regression.n_rows_, regression.target_.n_labels
        self._check_memory(n_rows, n_labels, regression.is_remote)
        with threads_for(regression.n_rows_ * self._width):
            self._fit_method(regression)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predicted labels, in the shape of those it was fitted on."""
        return self._target.predictions(self._gather(X, self._predict_labels, dtype=np.uint8))

    def predict_all(self, X: Any) -> Prediction:
        """Labels, scores, probabilities and uncertainty, by one prediction of distances."""
        form, n_labels = self._target, self._target.n_labels
        methods = [name for name in _SCORE_METHODS if hasattr(self, name)]
        table = self._gather(X, self._all_in_a_row, ((1 + len(methods)) * n_labels + 1,))
        columns = {
            name: table[:, i * n_labels : (i + 1) * n_labels]
            for i, name in enumerate(["predict", *methods])
        }
        scores, probabilities = map(columns.get, _SCORE_METHODS)
        return Prediction(
            form.predictions(columns["predict"]),
            None if scores is None else form.decisions(scores),
            None if probabilities is None else form.probabilities(probabilities),
            table[:, -1],
        )

    def predict_distances(self, X: Any) -> Array:
        """Signed predicted distances to the distinct training label vectors.

        Returns
        -------
        distances : array of shape (n_samples, U)
            Columns in the order of ``regression_.label_vectors_.vectors``.
        """
        check_is_fitted(self)
        n_vectors = len(self.regression_.label_vectors_)
        return self._gather(X, lambda predicted: predicted.to_label_vectors, (n_vectors,))

    def smallest_distance(self, X: Any) -> Array:
        """The smallest predicted distance of each row, an uncertainty of its prediction.

        See `mlmlm.uncertainty.uncertainty_categories`.
        """
        return self._gather(X, lambda predicted: predicted.to_label_vectors.min(axis=1), ())

    def _check_memory(
        self, n_rows: int, n_labels: int, is_remote: bool, is_weighted: bool = False
    ) -> None:
        """Raise MemoryError where what the method adds would not fit; most add next to nothing."""

    def _fit_method(self, regression: DistanceRegression) -> None:
        """Fit what the method adds to the regression; most add nothing."""

    # Of a block of rows:

    def _scores(self, predicted: PredictedDistances) -> Array | None:
        """What labels are ranked by, of shape (n, L); None if they are not."""
        return None

    @abstractmethod
    def _cut(self, scores: Any, predicted: PredictedDistances) -> Labels:
        """The binary label matrix that these scores give."""

    def _probabilities(self, scores: Any) -> Array | None:
        """Probabilities, of shape (n, L); None if there are none."""
        return None

    def _predict_labels(self, predicted: PredictedDistances) -> Labels:
        return self._cut(self._scores(predicted), predicted)

    def _all_in_a_row(self, predicted: PredictedDistances) -> Array:
        scores = self._scores(predicted)
        tables = self._cut(scores, predicted), scores, self._probabilities(scores)
        smallest = predicted.to_label_vectors.min(axis=1)
        return np.column_stack([*(table for table in tables if table is not None), smallest])

    # Of all rows:

    def _gather(
        self,
        X: Any,
        function: Callable[[PredictedDistances], Any],
        shape: tuple[int, ...] | None = None,
        dtype: type = np.float64,
    ) -> NDArray[Any]:
        """Apply ``function`` to blocks of rows, on all cores, and join the results.

        The shape of what it gives for a row (by default a value for each label), and its type, a
        Dask array must know beforehand.
        """
        shape = (self._target.n_labels,) if shape is None else shape
        if is_dask(X):
            from mlmlm._dask_rows import dask_array, lazily

            X = dask_array(X, "X")
            validate_data(self, X, reset=False, skip_check_array=True)
            return lazily(lambda x: self._gather(x, function, shape, dtype), X, shape, dtype)
        results: list[NDArray[Any]] = []
        with self._narrated("prediction"):
            for block in self._blocks(X):
                with threads_for(len(block) * self._width):
                    rows = max(_LEAST_ROWS, math.ceil(len(block) / usable_threads()))
                    parts = map(block.__getitem__, tile_slices(len(block), rows))
                    results.extend(parallel_map(function, parts))
        return np.concatenate(results)

    def _blocks(self, X: Any) -> Iterator[PredictedDistances]:
        regression = self.regression_
        if not isinstance(X, PredictedDistances):
            X = regression.check_inputs(X, self)
            with threads_for(X.shape[0] * self._width):
                yield from regression.blocks_of_checked(X)
            return
        n_vectors = len(regression.label_vectors_)
        if X.to_label_vectors.shape[1] != n_vectors:
            raise ValueError(
                f"The predicted distances are to {X.to_label_vectors.shape[1]} label vectors, but "
                f"this classifier was fitted on {n_vectors}: they come from another regression."
            )
        yield from map(X.__getitem__, tile_slices(len(X), regression.block_rows))

    @property
    def _target(self) -> Target:
        check_is_fitted(self)
        return self.regression_.target_

    @property
    def _width(self) -> int:
        """Of the widest table of the regression."""
        return max(self.regression_.n_references, len(self.regression_.label_vectors_))

    def _narrated(self, doing: str) -> AbstractContextManager[None]:
        return narrated(type(self).__name__, doing) if self.verbose else nullcontext()


class LabelRanker(DistanceRegressionClassifier):
    """One that ranks labels, and cuts the ranking by local RCut unless it says otherwise."""

    def decision_function(self, X: Any) -> Array:
        """What labels are ranked by, of shape (n_samples, n_labels); a vector for one label."""
        return self._target.decisions(self._gather(X, self._scores))

    def _cut(self, scores: Array, predicted: PredictedDistances) -> Labels:
        """As many labels as NN-MLM predicts."""
        counts: Indices = self.regression_.label_vectors_.cardinalities[predicted.nearest]
        return rank_cut(scores, counts)
