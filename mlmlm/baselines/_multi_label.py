"""What multi-label classifiers owe scikit-learn: checked data, and tags that say what they are."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from mlmlm._base import MultiLabelMixin
from mlmlm._label_matrix import check_label_matrix
from mlmlm.types import Integers, Matrix


class MultiLabelClassifier(MultiLabelMixin, BaseEstimator):
    """A classifier of label matrices, on dense or sparse inputs.

    Attributes
    ----------
    classes_ : array of shape (L,)
        Column indices of the labels.
    """

    def _check_training(self, X: Any, y: Any) -> tuple[Matrix, Integers]:
        """Parameters that make sense, and inputs as floats, labels as integers, a row of each."""
        self._validate_params()
        labels = check_label_matrix(y).astype(np.int64)
        inputs = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        if inputs.shape[0] != len(labels):
            raise ValueError(
                f"X and y have inconsistent numbers of samples: {inputs.shape[0]} and "
                f"{len(labels)}. Pass one row of y for each row of X."
            )
        self.classes_ = np.arange(labels.shape[1])
        return inputs, labels

    def _check_inputs(self, X: Any) -> Matrix:
        """Inputs of a fitted classifier, which must have the features of its training."""
        check_is_fitted(self)
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
