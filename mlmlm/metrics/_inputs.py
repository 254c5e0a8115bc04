"""What the metrics accept: tables of numbers, checked and turned into arrays."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mlmlm.types import Bools, Matrix

Definition: TypeAlias = Literal["table", "text"]


def as_table(values: Matrix, name: str) -> NDArray[Any]:
    """Return `values` as a non-empty 2-D numeric array."""
    try:
        array = np.asarray(values.toarray() if sparse.issparse(values) else values)
        if array.dtype == object:  # a data frame with columns of several types
            array = array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be a rectangular table of numbers: {error}") from error
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be a table of real numbers, got dtype {array.dtype}")
    if array.ndim != 2:
        raise ValueError(
            f"{name} must be 2-D, (rows, labels), got shape {array.shape}; "
            "reshape a single label to (-1, 1) and a single row to (1, -1)"
        )
    if array.size == 0:
        raise ValueError(f"{name} is empty, shape {array.shape}: pass at least one row and label")
    return array


def _binary(values: Matrix, name: str, advice: str) -> Bools:
    """Return `values` as booleans, provided that they are all 0 or 1."""
    array = as_table(values, name)
    if array.dtype == bool:
        return array
    ones: Bools = array == 1
    others = array[~ones & (array != 0)]
    if others.size:
        raise ValueError(f"{name} must hold only 0 and 1, found {others[0]}; {advice}")
    return ones


def as_truth(Y_true: Matrix) -> Bools:
    """Return `Y_true` as booleans."""
    return _binary(Y_true, "Y_true", "mark relevant labels with 1 and the others with 0")


def check_same_shape(Y_true: Bools, other: NDArray[Any], name: str) -> None:
    """Refuse a table of other rows or labels than the truth."""
    if Y_true.shape != other.shape:
        raise ValueError(
            f"Y_true has shape {Y_true.shape} and {name} {other.shape}; "
            "pass the same rows and labels in both"
        )


def as_bipartitions(Y_true: Matrix, Y_pred: Matrix) -> tuple[Bools, Bools]:
    """Return both as booleans of one shape."""
    truth = as_truth(Y_true)
    predicted = _binary(
        Y_pred, "Y_pred", "if these are scores, cut them first, for example scores > threshold"
    )
    check_same_shape(truth, predicted, "Y_pred")
    return truth, predicted


def is_text(definition: Definition) -> bool:
    """Whether the formula of the paper's text is asked for."""
    if definition not in ("table", "text"):
        raise ValueError(f"definition must be 'table' or 'text', got {definition!r}")
    return definition == "text"
