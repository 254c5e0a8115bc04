"""Minimal Learning Machine for multi-label learning."""

from mlmlm._base import DistanceRegressionClassifier, Prediction
from mlmlm._br_mlm import BinaryRelevanceMLM
from mlmlm._distance_regression import DistanceRegression, PredictedDistances
from mlmlm._lls_mlm import LocalizationMLM
from mlmlm._ml_mlm import MultiLabelMLM
from mlmlm._nn_mlm import NearestNeighborMLM

__all__ = [
    "BinaryRelevanceMLM",
    "DistanceRegression",
    "DistanceRegressionClassifier",
    "LocalizationMLM",
    "MultiLabelMLM",
    "NearestNeighborMLM",
    "PredictedDistances",
    "Prediction",
]
