"""What a fitted method says of the test rows, looked at before anything is computed from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from mlmlm import DistanceRegressionClassifier
from mlmlm.scores import has_scores, label_scores
from mlmlm.types import Array, Bools, Labels


@dataclass(frozen=True)
class Answer:
    """Predicted labels and, where the method has them, scores and smallest distances."""

    predictions: Labels
    scores: Array | None
    smallest_distances: Array | None

    def rows(self, chosen: Bools) -> Answer:
        """What it says of some of the rows."""
        parts = (self.predictions, self.scores, self.smallest_distances)
        return Answer(*(None if part is None else part[chosen] for part in parts))  # type: ignore[arg-type]

    @property
    def warnings(self) -> list[str]:
        """What is allowed, but hardly meant."""
        if not self.predictions.any():
            return ["it predicts no label for any test row"]
        if self.predictions.all():
            return ["it predicts every label for every test row"]
        return []


def ask(estimator: Any, inputs: Any, shape: tuple[int, int]) -> Answer:
    """What an estimator says of inputs, for as many rows and labels as ``shape`` has.

    Raises
    ------
    ValueError
        If its predictions are no label matrix, or its scores no matrix of numbers.
    """
    is_ours = isinstance(estimator, DistanceRegressionClassifier)
    distances = estimator.smallest_distance(inputs) if is_ours else None
    predictions = check_predictions(estimator.predict(inputs), shape)
    if not has_scores(estimator):
        return Answer(predictions, None, distances)
    # The original implementation has NaN where its weights overflow; only its emulation may.
    may_be_nan = is_ours and getattr(estimator, "overflow", None) == "published"
    scores = check_scores(label_scores(estimator, inputs, n_labels=shape[1]), shape, may_be_nan)
    return Answer(predictions, scores, distances)


def check_predictions(predictions: Any, shape: tuple[int, int]) -> Labels:
    """Predictions as a matrix of zeros and ones."""
    matrix = _matrix("predictions", predictions, shape)
    wrong = ~((matrix == 0) | (matrix == 1))
    if wrong.any():
        raise ValueError(
            f"its predictions must be 0 or 1, but {_first(matrix, wrong)}; "
            "is it a regressor, or are these scores?"
        )
    return matrix.astype(np.uint8)


def check_scores(scores: Any, shape: tuple[int, int], may_be_nan: bool = False) -> Array:
    """Scores as a matrix of numbers; infinite ones can be ranked, NaN cannot."""
    matrix = _matrix("scores", scores, shape).astype(np.float64)
    wrong = np.isnan(matrix)
    if wrong.any() and not may_be_nan:
        raise ValueError(f"its scores must be numbers, but {_first(matrix, wrong)}")
    return matrix


def _matrix(what: str, values: Any, shape: tuple[int, int]) -> NDArray[Any]:
    if np.ma.is_masked(values):
        raise ValueError(f"some of its {what} are masked")
    dense = values.toarray() if sp.issparse(values) else np.asarray(values)
    if dense.ndim == 1 and shape[1] == 1:  # scikit-learn's way with a single label
        dense = dense[:, np.newaxis]
    if dense.shape != shape:
        raise ValueError(f"its {what} have the shape {dense.shape}, not {shape}: rows by labels")
    if dense.dtype.kind not in "biuf":
        raise ValueError(f"its {what} are of type {dense.dtype}, not real numbers")
    return dense


def _first(matrix: NDArray[Any], wrong: Bools) -> str:
    row, label = np.argwhere(wrong)[0]
    return f"that of row {row + 1}, label {label + 1} is {matrix[row, label]:g}"
