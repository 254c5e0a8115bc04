"""Checks that the estimators share."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import check_array


def check_label_matrix(Y: Any) -> NDArray[np.uint8]:
    """Return ``Y`` as a dense binary matrix, or say what is wrong with it.

    Labels fit into bytes, and every method needs the dense label vectors, so a sparse ``Y`` is
    only a convenience for the caller.
    """
    if Y is None:
        raise ValueError(
            "This estimator requires y to be passed, but the target y is None. "
            "Pass a binary label matrix of shape (n_samples, n_labels)."
        )
    labels = check_array(
        Y, accept_sparse=True, dtype=None, ensure_2d=False, allow_nd=True, input_name="y"
    )
    if labels.ndim != 2:
        raise ValueError(
            f"Y must be a binary label matrix of shape (n_samples, n_labels), but it has "
            f"{labels.ndim} dimension(s). For a single label pass Y.reshape(-1, 1); for lists of "
            "label names use sklearn.preprocessing.MultiLabelBinarizer first."
        )
    dense = labels.toarray() if sp.issparse(labels) else labels
    wrong = np.setdiff1d(dense, [0, 1]) if dense.dtype.kind in "biuf" else np.unique(dense)
    if len(wrong):
        raise ValueError(
            f"Unknown label type: Y must hold only 0 and 1, but it has {wrong[0]!r}. Use "
            "sklearn.preprocessing.MultiLabelBinarizer to turn classes into a label matrix."
        )
    return dense.astype(np.uint8)
