"""The form that every estimator takes labels in."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_array

from mlmlm.types import Labels


def check_label_matrix(Y: Any) -> Labels:
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
            f"Unknown label type: Y must be a binary label matrix of shape (n_samples, n_labels), "
            f"but it has {labels.ndim} dimension(s). Only binary classification is supported: for "
            "a single label pass Y.reshape(-1, 1); for classes or lists of label names use "
            "sklearn.preprocessing.MultiLabelBinarizer first."
        )
    dense = labels.toarray() if sp.issparse(labels) else labels
    is_number = dense.dtype.kind in "biufO"
    wrong = dense[(dense != 0) & (dense != 1)] if is_number else dense.ravel()
    if len(wrong):
        raise ValueError(
            f"Unknown label type: Y must hold only 0 and 1, but it has {wrong.tolist()[0]!r}. Use "
            "sklearn.preprocessing.MultiLabelBinarizer to turn classes into a label matrix."
        )
    return dense.astype(np.uint8)
