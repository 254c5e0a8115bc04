"""Binary relevance with support vector machines on one kernel matrix.

Every label's machine sees the same inputs, so all of them need the same kernel values. Computed
once, they serve the training of all labels; and since a machine's decision value is a sum over its
support vectors, ``f_l(x) = sum_i a_il k(x_i, x) + b_l``, one product of the kernel values of new
rows with the N x L matrix of the ``a_il`` decides all labels.
"""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from mlmlm._constraints import Number, OneOf
from mlmlm.baselines._multi_label import MultiLabelClassifier
from mlmlm.types import Array, Integers, Matrix


class BinaryRelevanceSVC(MultiLabelClassifier):
    """A support vector machine with a Gaussian kernel for each label, as `SVC` would be fitted.

    The decision values are those of ``BinaryRelevance(SVC(C=C, gamma=gamma))`` up to rounding; it
    is faster the more features and labels there are.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the errors in training.
    gamma : {"scale"} or float, default="scale"
        Of the kernel ``exp(-gamma |x - z|^2)``; "scale" is one over the number of features times
        their variance.

    Attributes
    ----------
    dual_coef_ : array of shape (n_samples, L)
        Weights of the training rows; 0 where one is no support vector of a label.
    intercept_ : array of shape (L,)
        Constants of the decision values; infinite for a label with one class in training.
    gamma_ : float
        The gamma in use.
    classes_ : array of shape (L,)
        Column indices of the labels.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "C": [Number(Real, 0, None, closed="neither")],
        "gamma": [OneOf("scale"), Number(Real, 0, None, closed="neither")],
    }

    def __init__(self, C: float = 1.0, gamma: float | str = "scale") -> None:
        self.C = C
        self.gamma = gamma

    def fit(self, X: Any, y: Any) -> Self:
        """Fit a machine for each column of the binary label matrix ``y``."""
        inputs, labels = self._check_training(X, y)
        self._inputs = inputs
        self.gamma_ = _scaled_gamma(inputs) if self.gamma == "scale" else float(self.gamma)
        kernel = rbf_kernel(inputs, gamma=self.gamma_)
        self.dual_coef_ = np.zeros(labels.shape)
        self.intercept_ = np.where(labels[0] == 1, np.inf, -np.inf)
        for label in np.flatnonzero(labels.min(axis=0) < labels.max(axis=0)):
            machine = SVC(C=self.C, kernel="precomputed").fit(kernel, labels[:, label])
            self.dual_coef_[machine.support_, label] = machine.dual_coef_[0]
            self.intercept_[label] = machine.intercept_[0]
        return self

    def predict(self, X: Any) -> Integers:
        """Binary label matrix of shape (n_samples, n_labels): positive decision values."""
        return (self.decision_function(X) > 0).astype(np.int64)

    def decision_function(self, X: Any) -> Array:
        """Decision value of each label, of shape (n_samples, n_labels)."""
        kernel = rbf_kernel(self._check_inputs(X), self._inputs, gamma=self.gamma_)
        values: Array = kernel @ self.dual_coef_ + self.intercept_
        return values


def _scaled_gamma(inputs: Matrix) -> float:
    """What `SVC` means by "scale"."""
    if sp.issparse(inputs):
        variance = inputs.multiply(inputs).mean() - inputs.mean() ** 2
    else:
        variance = inputs.var()
    return float(1 / (inputs.shape[1] * variance)) if variance else 1.0
