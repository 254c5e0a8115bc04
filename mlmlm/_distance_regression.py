"""Distance regression: the linear map from input distances to label distances.

Notation of the paper: ``D_x`` (N x K) holds the distances from the N training inputs to the K
reference points, ``D_y`` (N x N) those between the training label vectors; the model is
``B = U^-1 D_x' D_y`` with ``U = D_x' D_x + alpha I``, and a new input with distances ``d`` to the
reference points is predicted to lie at ``d B`` from the training label vectors.

Columns of ``D_y`` repeat where label vectors do, so it is the distances to the distinct ones that
are regressed. `mlmlm._every_input` solves the regression with every distinct input as a reference
point, as the paper has it, `mlmlm._chosen_inputs` that with fewer.

**Labels one at a time.** Binary relevance needs the distances of one label to 0 and to 1, which
are ``y`` and ``1 - y`` in training. Regression is linear in its targets, so the second follows
from the first and the response to a column of ones: L + 1 more right-hand sides on the same
factor serve all L labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from mlmlm._chosen_inputs import ChosenInputs
from mlmlm._constraints import COUNT, RIDGE, SEED, SHARE, OneOf
from mlmlm._distinct import distinct_rows
from mlmlm._every_input import EveryInput
from mlmlm._label_vectors import LabelVectors
from mlmlm._leave_one_out import LeaveOneOut
from mlmlm._parallel import threads_for
from mlmlm._reference_choice import (
    SELECTIONS,
    References,
    choose_label_vectors,
    choose_references,
)
from mlmlm._reference_points import ReferencePoints
from mlmlm._target import Target, read_target
from mlmlm._tiles import tile_slices
from mlmlm._training_rows import RowsInMemory, is_dask
from mlmlm._whole_fit import all_or_nothing
from mlmlm._work_plan import WorkPlan
from mlmlm.memory import check_memory, chosen_fit_peak_bytes, fit_peak_bytes
from mlmlm.progress import PhaseName, phase
from mlmlm.types import Array, Indices

FLOATS = (np.float64, np.float32)


@contextmanager
def _told_in_words() -> Iterator[None]:
    """What rounding leaves nothing of is told as a fault of the inputs, which it is."""
    try:
        yield
    except np.linalg.LinAlgError:
        raise ValueError(
            "The regression cannot be solved in double precision: some reference points nearly "
            "coincide beside the largest distances. Scale the features, choose other references, "
            "or set a larger ridge."
        ) from None


@dataclass(frozen=True)
class PredictedDistances:
    """What distance regression says of some inputs; every method starts from it.

    Attributes
    ----------
    to_label_vectors : array of shape (n, U)
        Signed predicted distances to the distinct training label vectors.
    to_zero, to_one : arrays of shape (n, L)
        Predicted distances of each single label to 0 and to 1.
    """

    to_label_vectors: Array
    to_zero: Array
    to_one: Array

    def __len__(self) -> int:
        return len(self.to_label_vectors)

    def __getitem__(self, rows: slice) -> PredictedDistances:
        return PredictedDistances(
            self.to_label_vectors[rows], self.to_zero[rows], self.to_one[rows]
        )

    @property
    def nearest(self) -> Indices:
        """Index of the label vector of the smallest predicted distance (the first of several)."""
        return np.argmin(self.to_label_vectors, axis=1)


class DistanceRegression(BaseEstimator):
    """Linear regression from input distances to label distances.

    The ridge ``alpha`` is the 0.001 quantile of the distances between the reference points, 1 if
    there is but one (and never less than 1e-8 of the largest). Nothing need be chosen: by
    default every distinct input is a reference point, which takes K^3 time and K^2 memory for K of
    them. With fewer it is N K^2 time and K^2 + K U memory, U being the number of distinct label
    vectors.

    Parameters
    ----------
    ridge : float, default=1.0
        How many times that quantile ``alpha`` is; 1 is the paper's.
    references : int, float, array-like or None, default=None
        Reference points: how many of the distinct inputs, a share of them in (0, 1), or the
        indices of rows, whose inputs must be distinct. None is all distinct inputs.
    selection : {"random", "kmeans++", "pivoted"}, default="random"
        How that many are found; see `mlmlm._reference_choice`.
    label_references : int, float or None, default=None
        How many of the distinct label vectors distances are regressed to, or which share of them,
        chosen at random; None is all. It is the way to go on where label vectors are too many
        for memory or time. A label vector that is not chosen is never voted for, and a label that
        is in no chosen one is never predicted. Half of the label vectors take ML-MLM's accuracy
        from 0.473 to 0.429 on Enron and from 0.568 to 0.538 on Yeast, a fifth of them to 0.415 and
        0.503 (``python -m experiments.run dataset=enron method.label_references=0.5``).
    random_state : int, default=0
        Seed of what is chosen at random.

    Attributes
    ----------
    references_ : array or sparse array of shape (K, M)
        Reference points, in the order of the training rows, or of the indices given.
    label_vectors_ : LabelVectors
        Distinct training label vectors, or those chosen of them.
    target_ : Target
        The form that the labels were given in.
    n_rows_ : int
        Number of training rows, without those of weight 0.
    alpha_ : float
        Ridge.
    coef_ : array of shape (K, U)
        Coefficients for the distances to the distinct label vectors.
    label_coef_ : array of shape (K, L + 1)
        Coefficients for each label's value and, last, for the constant one.
    leverage_ : array of shape (N,)
        Diagonal of the hat matrix for a unit of weight, by training row. It is not pickled, nor is
        anything else that only fitting a classifier on the regression needs.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "ridge": [RIDGE],
        "references": [COUNT, SHARE, "array-like", None],
        "selection": [OneOf(*SELECTIONS)],
        "label_references": [COUNT, SHARE, None],
        "random_state": [SEED],
    }
    _plan = WorkPlan()

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

    def fit(self, X: Any, Y: Any, sample_weight: Any = None) -> Self:
        """Solve the regression; interrupted, it leaves what was fitted before.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (N, M)
            Inputs. Distances are Euclidean, so their scale matters; the paper scales each
            feature to [0, 1]. With chosen reference points it may be a memory map of float64 or
            float32, which is read in pieces, or a Dask array, whose chunks are worked on where
            they lie. Both are read several times over: persist a Dask array if you can.
        Y : array-like or sparse matrix of shape (N, L), or of shape (N,)
            Binary label matrix, or a vector of two classes.
        sample_weight : array-like of shape (N,), optional
            How often each row counts, not for Dask arrays. A row of weight 2 is as two equal rows,
            one of weight 0 as none; the scale of weights matters, since ``alpha`` does not
            depend on them.
        """
        return self.fit_for(None, X, Y, sample_weight)

    @all_or_nothing
    def fit_for(self, estimator: Any, X: Any, Y: Any, sample_weight: Any = None) -> Self:
        """Fit on behalf of an estimator, in whose name is told what is wrong with the data."""
        self._validate_params()
        read = self._rows_on_dask if is_dask(X) or is_dask(Y) else self._rows
        rows, self.target_ = read(self if estimator is None else estimator, X, Y, sample_weight)
        # All rows are looked at here, so this is where wrong ones are found.
        labels = self._label_references(rows.label_vectors(self._plan.sparse_density))
        every_input = self.references is None
        if not every_input:
            with phase(PhaseName.CHOICE, 1):
                chosen = choose_references(rows, self.references, self.selection, self.random_state)
            every_input = isinstance(rows, RowsInMemory) and len(chosen) == rows.n_distinct
        n_points = len(rows) if every_input else len(chosen)
        with threads_for(len(rows) * max(n_points, len(labels))), _told_in_words():
            solution: EveryInput | ChosenInputs = (
                self._on_every_input(rows, labels)
                if every_input
                else self._on_chosen_inputs(rows, labels, chosen)
            )
        self._solution: EveryInput | ChosenInputs | None = solution
        self.n_rows_, self._is_remote = len(rows), rows.is_remote
        self.label_vectors_ = labels
        self.alpha_ = solution.alpha
        self.coef_, self.label_coef_ = np.split(solution.coef, [len(labels)], axis=1)
        return self

    def predict(self, X: Any) -> PredictedDistances:
        """Predicted distances of each row of ``X``, all at once."""
        blocks = list(self.predict_blocks(X))
        return PredictedDistances(
            np.concatenate([block.to_label_vectors for block in blocks]),
            np.concatenate([block.to_zero for block in blocks]),
            np.concatenate([block.to_one for block in blocks]),
        )

    def predict_blocks(self, X: Any) -> Iterator[PredictedDistances]:
        """Predicted distances in blocks of rows, so that memory does not grow with ``X``."""
        check_is_fitted(self)
        yield from self.blocks_of_checked(self.check_inputs(X, self))

    @staticmethod
    def check_inputs(X: Any, estimator: Any) -> Any:
        """Inputs to predict for a fitted estimator, in whose name is told what is wrong."""
        return validate_data(estimator, X, accept_sparse="csr", dtype=FLOATS, reset=False)

    def blocks_of_checked(self, X: Any) -> Iterator[PredictedDistances]:
        """`predict_blocks` of inputs that were checked before."""
        n_labels, size = self.label_vectors_.n_labels, self.block_rows
        if X.dtype != np.float64:  # a block is turned into it
            size = min(size, self._plan.rows_of_width(X.shape[1]))
        with phase(PhaseName.PREDICTED_DISTANCES, X.shape[0]) as tick:
            for rows in tile_slices(X.shape[0], size):
                inputs = self._points.distances_from(X[rows].astype(np.float64, copy=False))
                responses = inputs @ self.label_coef_
                to_zero = responses[:, :n_labels]
                yield PredictedDistances(
                    inputs @ self.coef_, to_zero, responses[:, n_labels:] - to_zero
                )
                tick(len(inputs))

    def leave_one_out(self, rows: Indices | None = None) -> LeaveOneOut:
        """What would be predicted of training rows, had each been left out.

        Parameters
        ----------
        rows : array of int, optional
            Which of them; by default all.

        Returns
        -------
        LeaveOneOut
            Its ``map(function)`` gives the results of ``function`` for blocks of these rows, each
            with its ``rows``, true ``labels`` and signed ``distances`` to the label vectors.
        """
        return self._trained.leave_one_out(rows)

    @property
    def leverage_(self) -> Array:
        return self._trained.leverage

    @property
    def references_(self) -> Any:
        return self._points.points

    @property
    def is_remote(self) -> bool:
        """Whether it was fitted on rows that are on Dask's workers."""
        return self._is_remote

    @property
    def n_references(self) -> int:
        return len(self._points)

    @property
    def block_rows(self) -> int:
        """Rows to work on at a time."""
        return self._plan.rows_of_width(max(self.n_references, len(self.label_vectors_)))

    @property
    def _trained(self) -> EveryInput | ChosenInputs:
        check_is_fitted(self)
        if self._solution is None:
            raise ValueError(
                "This regression was pickled or copied, so it has what prediction needs but not "
                "its training rows; fit it again to fit a classifier on it."
            )
        return self._solution

    def __getstate__(self) -> Any:
        state = super().__getstate__()
        return {**state, "_solution": None} if "_solution" in state else state

    def _rows(self, who: Any, X: Any, Y: Any, weights: Any) -> tuple[RowsInMemory, Target]:
        labels, target = read_target(Y, who)
        X = validate_data(who, X, accept_sparse="csr", dtype=FLOATS)
        if X.shape[0] != len(labels):
            raise ValueError(
                f"X and Y have inconsistent numbers of samples: {X.shape[0]} and {len(labels)}. "
                "Pass one row of Y for each row of X."
            )
        self._take_features(who.n_features_in_, getattr(who, "feature_names_in_", None))
        if weights is None:
            return RowsInMemory(X, labels), target
        weights = _check_sample_weight(weights, X, dtype=np.float64, ensure_non_negative=True)
        some = np.flatnonzero(weights)
        if len(some) == len(weights):
            return RowsInMemory(X, labels, weights=weights), target
        return RowsInMemory(X[some], labels[some], weights=weights[some], indices=some), target

    def _rows_on_dask(self, who: Any, X: Any, Y: Any, weights: Any) -> tuple[Any, Target]:
        from mlmlm._dask_rows import RowsOnDask

        if self.references is None:
            raise ValueError(
                "Dask arrays need reference points chosen, such as references=1000: with every "
                "input as one the fit needs all inputs in one place."
            )
        if weights is not None:
            raise ValueError("Rows of Dask arrays have no sample_weight; repeat rows instead.")
        rows = RowsOnDask.of_arrays(X, Y, who)
        self._take_features(rows.n_features, None)
        return rows, rows.target

    def _take_features(self, number: int, names: NDArray[Any] | None) -> None:
        self.n_features_in_ = number
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):  # of an earlier fit
            del self.feature_names_in_

    def _label_references(self, labels: LabelVectors) -> LabelVectors:
        if self.label_references is None:
            return labels
        which = choose_label_vectors(labels, self.label_references, self.random_state)
        return labels.subset(which, self._plan.sparse_density)

    def _on_every_input(self, rows: RowsInMemory, labels: LabelVectors) -> EveryInput:
        X, Y = rows.X.astype(np.float64, copy=False), rows.Y
        distinct = distinct_rows(X)
        needed = fit_peak_bytes(len(distinct.first), len(labels), labels.n_labels, X.shape[1])
        self._check_memory(rows, len(distinct.first), labels, needed)
        self._points = ReferencePoints(X[distinct.first], self._plan.tile)
        return EveryInput(self._points, distinct, Y, rows.weights, labels, self.ridge, self._plan)

    def _on_chosen_inputs(self, rows: Any, labels: LabelVectors, chosen: Indices) -> ChosenInputs:
        needed = self._chosen_bytes(rows, labels.n_labels, len(chosen), len(labels))
        self._check_memory(rows, len(chosen), labels, needed)
        self._points = ReferencePoints(rows.inputs(chosen), self._plan.tile)
        return ChosenInputs(rows, self._points, labels, self.ridge, self._plan)

    def _check_memory(self, rows: Any, n_points: int, labels: LabelVectors, needed: int) -> None:
        needed_with = partial(self._chosen_bytes, rows, labels.n_labels)
        check_memory(len(rows), n_points, len(labels), needed, needed_with)

    def _chosen_bytes(self, rows: Any, n_labels: int, n_points: int, n_vectors: int) -> int:
        """Memory of a fit on so many chosen reference points, for so many label vectors."""
        width = max(n_points, n_vectors, rows.width)
        piece_rows = min(len(rows), self._plan.rows_of_width(width))
        return chosen_fit_peak_bytes(n_points, n_vectors, n_labels, rows.width, piece_rows)
