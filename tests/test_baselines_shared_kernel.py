"""Machines on one kernel matrix are those that scikit-learn fits label by label."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_multilabel_classification
from sklearn.svm import SVC

from mlmlm.baselines import BinaryRelevance, BinaryRelevanceSVC


@pytest.mark.parametrize("gamma", ["scale", 0.3])
@pytest.mark.parametrize("C", [0.5, 1, 100])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix])
def test_decision_values_are_those_of_svc(gamma, C, kind):
    X, Y = make_multilabel_classification(n_samples=90, n_classes=4, random_state=1)
    X = X / X.max()
    Y[:, 2] = 0  # a label that no row has, and one that all have
    Y[:, 3] = 1
    inputs = kind(X)
    ours = BinaryRelevanceSVC(C=C, gamma=gamma).fit(inputs[:60], Y[:60])
    theirs = BinaryRelevance(SVC(C=C, gamma=gamma)).fit(inputs[:60], Y[:60])
    np.testing.assert_allclose(
        ours.decision_function(inputs[60:]), theirs.decision_function(inputs[60:]), atol=1e-9
    )
    np.testing.assert_array_equal(ours.predict(inputs[60:]), theirs.predict(inputs[60:]))


def test_inputs_that_do_not_vary_are_no_error():
    X, Y = np.ones((6, 2)), np.array([[0, 1], [1, 0], [0, 1], [1, 0], [0, 1], [1, 0]])
    assert BinaryRelevanceSVC().fit(X, Y).decision_function(X).shape == (6, 2)


def test_wrong_parameters_are_told():
    X, Y = np.eye(4), np.eye(4, dtype=int)
    for wrong in ({"C": 0}, {"gamma": "auto"}, {"gamma": -1.0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            BinaryRelevanceSVC(**wrong).fit(X, Y)
