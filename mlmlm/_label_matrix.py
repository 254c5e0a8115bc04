"""The form that every estimator takes labels in, and what other forms need to become it."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import check_array

from mlmlm.types import Labels, Matrix

_BINARIZER = "sklearn.preprocessing.MultiLabelBinarizer().fit_transform"
_ONE_HOT = "sklearn.preprocessing.OneHotEncoder(sparse_output=False).fit_transform"
DEGREES = "For degrees of relevance choose where a label begins, such as ({} > 0.5).astype(int)."
_COLLECTIONS = (list, tuple, set, frozenset, np.ndarray)


def check_label_matrix(Y: Any, estimator: Any = None) -> Labels:
    """Return ``Y`` as a dense binary matrix, or say what is wrong with it.

    Labels fit into bytes, and every method needs the dense label vectors, so a sparse ``Y`` is
    only a convenience for the caller. Errors tell the name of ``estimator``, if given.
    """
    labels = check_labels(Y, estimator)
    if labels.ndim != 2:
        raise ValueError(
            f"Unknown label type: Y must be a binary label matrix of shape (n_samples, n_labels), "
            f"but it has {labels.ndim} dimension(s). Only binary classification is supported: for "
            "a single label pass Y.reshape(-1, 1); for classes, a label for each class, pass "
            "sklearn.preprocessing.label_binarize(Y, classes=np.unique(Y))."
        )
    dense = labels.toarray() if sp.issparse(labels) else labels
    if not is_binary(dense):
        raise ValueError(_what_is_wrong(dense))
    return dense.astype(np.uint8)


def check_labels(Y: Any, estimator: Any = None) -> Matrix:
    """Return labels of any form as an array or a sparse matrix, finite and with a row at least."""
    if Y is None:
        raise ValueError(
            f"{type(estimator).__name__ if estimator is not None else 'This estimator'} requires "
            "y to be passed, but the target y is None. Pass a binary label matrix of shape "
            "(n_samples, n_labels)."
        )
    if _has_label_lists(Y):
        lists = "np.ravel(y)" if getattr(Y, "ndim", 1) == 2 else "y"
        raise ValueError(
            "Unknown label type: y has a list of labels for each row. Turn it into a label "
            f"matrix: {_BINARIZER}({lists})."
        )
    return check_array(
        Y,
        accept_sparse=True,
        dtype=None,
        ensure_2d=False,
        allow_nd=True,
        input_name="y",
        estimator=estimator,
    )


def is_binary(values: NDArray[Any]) -> bool:
    """Whether all values are 0 or 1."""
    return values.dtype.kind in "biufO" and bool(((values == 0) | (values == 1)).all())


def _has_label_lists(Y: Any) -> bool:
    """Whether the rows are collections of label names, such as lists of different lengths."""
    if isinstance(Y, list | tuple):
        collections = [row for row in Y if isinstance(row, _COLLECTIONS)]
        if any(isinstance(row, set | frozenset) for row in collections):
            return True
        lengths = {len(row) for row in collections}
        return len(lengths) > 1 or 0 < len(collections) < len(Y)
    # Arrays and columns of data frames can hold lists only as objects.
    types = np.atleast_1d(getattr(Y, "dtypes", getattr(Y, "dtype", "")))
    if "object" not in map(str, types):
        return False
    return any(isinstance(cell, _COLLECTIONS) for cell in np.asarray(Y, dtype=object).flat)


def _what_is_wrong(dense: NDArray[Any]) -> str:
    """Which value is neither 0 nor 1, and what to do about its like."""
    is_number = dense.dtype.kind in "biufO"
    wrong = (dense[~np.isin(dense, [0, 1])] if is_number else dense.ravel()).tolist()[0]
    told = f"Unknown label type: Y must hold only 0 and 1, but it has {wrong!r}."
    return f"{told} {_advice(dense, wrong)}"


def _advice(dense: NDArray[Any], wrong: Any) -> str:
    of_classes = f"For columns of classes, a label for each class, pass {_ONE_HOT}(Y)"
    if isinstance(wrong, str | bytes):
        of_two = f"For a table of two words pass (Y == {wrong!r}).astype(int), with the word that"
        advice = f"{of_two} says yes" if len(set(dense.flat)) <= 2 else of_classes
        return f"{advice}; for lists of label names {_BINARIZER}(Y)."
    if np.isin(dense, [-1, 1]).all():
        return "For labels of -1 and 1 pass (Y > 0).astype(int)."
    if np.isin(dense, np.arange(1000)).all():
        return f"{of_classes}."
    return DEGREES.format("Y")
