"""How labels were given, which is how predictions are given back.

Three forms: a matrix with a column for each of several labels; a matrix of one column; a vector.
The last two are binary classification, and a classifier then does as scikit-learn's others do: its
``classes_`` are the two classes, probabilities have a column for each of them, and the decision
function is a vector of values for the second. Predictions have the shape of what was given.

With several labels ``classes_`` has a row for each with its classes 0 and 1. (Were it the indices
of the columns, scikit-learn's scorers would take two labels for two classes, and look at the
probabilities of the second only.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target

from mlmlm._label_matrix import DEGREES, check_label_matrix, check_labels, is_binary
from mlmlm.types import Labels

_ADVICE = {
    "multiclass": "For a label for each class pass "
    "sklearn.preprocessing.label_binarize(y, classes=np.unique(y)).",
    "continuous": DEGREES.format("y"),
}
_MIXED = "Classes must be all numbers or all words, and none may be missing."


@dataclass(frozen=True)
class Target:
    """The form of labels.

    Attributes
    ----------
    n_labels : int
        Number of columns of the label matrix.
    classes : array of shape (2,) or (L, 2)
        The two classes, of each label where there are several.
    is_vector : bool
        Whether the labels were a vector.
    names : array of str or None
        Names of the columns, of a data frame.
    """

    n_labels: int
    classes: NDArray[Any]
    is_vector: bool = False
    names: NDArray[Any] | None = None

    @classmethod
    def of_columns(
        cls, n_labels: int, names: NDArray[Any] | None = None, is_vector: bool = False
    ) -> Target:
        """That of a matrix of zeros and ones."""
        classes = np.tile([0, 1], (n_labels, 1))
        return cls(n_labels, classes if n_labels > 1 else classes[0], is_vector, names)

    # What classifiers compute of (n, L) labels, as arrays of NumPy or of Dask.

    def predictions(self, labels: Any) -> Any:
        if self.n_labels > 1:
            return labels.astype(np.int64)
        column = labels[:, 0] if self.is_vector else labels
        return np.where(column == 1, self.classes[1], self.classes[0]).astype(self.classes.dtype)

    def decisions(self, scores: Any) -> Any:
        return scores if self.n_labels > 1 else scores[:, 0]

    def probabilities(self, scores: Any) -> Any:
        return scores if self.n_labels > 1 else np.concatenate([1 - scores, scores], axis=1)


def read_target(y: Any, estimator: Any) -> tuple[Labels, Target]:
    """Labels as a matrix of zeros and ones, and the form they had.

    Raises
    ------
    ValueError
        If there is no such matrix; it says what these labels need.
    """
    labels = check_labels(y, estimator)
    if labels.ndim == 1 or (labels.ndim == 2 and labels.shape[1] == 1):
        column = (labels.toarray() if sp.issparse(labels) else labels).ravel()
        classes = two_classes(column, is_vector=labels.ndim == 1)
        binary = (column == classes[1]).astype(np.uint8)[:, np.newaxis]
        return binary, Target(1, classes, labels.ndim == 1, column_names(y))
    matrix = check_label_matrix(labels, estimator)
    return matrix, Target.of_columns(matrix.shape[1], column_names(y))


def column_names(table: Any) -> NDArray[Any] | None:
    """Names of the columns of a data frame, if all are words."""
    names = list(getattr(table, "columns", ()))
    return np.array(names, dtype=object) if names and set(map(type, names)) == {str} else None


def two_classes(column: NDArray[Any], is_vector: bool) -> NDArray[Any]:
    """The two classes of a single label, by its values."""
    if is_binary(column):
        keeps_type = is_vector and column.dtype != object
        return np.array([0, 1], dtype=column.dtype if keeps_type else np.int64)
    kind = _kind(column)
    if kind != "binary":
        raise ValueError(
            "Unknown label type: Only binary classification is supported for a vector of "
            f"classes. The type of the target is {kind}. {_ADVICE.get(kind, _MIXED)}"
        )
    classes = np.unique(column)
    if len(classes) < 2:
        raise ValueError(
            f"y has one class only, {classes.tolist()[0]!r}, and nothing says what the other is; "
            "pass zeros and ones, or rows of both classes."
        )
    return classes


def _kind(column: NDArray[Any]) -> str:
    try:
        return str(type_of_target(column, input_name="y"))
    except TypeError:  # such as words and None, which cannot be sorted
        return "unknown"
