"""Minimal Learning Machine for multi-label learning."""

from mlmlm.br_mlm import BinaryRelevanceMLM
from mlmlm.distance_regression import DistanceRegression, PredictedDistances
from mlmlm.lls_mlm import LocalizationMLM
from mlmlm.ml_mlm import MultiLabelMLM
from mlmlm.nn_mlm import NearestNeighborMLM

__all__ = [
    "BinaryRelevanceMLM",
    "DistanceRegression",
    "LocalizationMLM",
    "MultiLabelMLM",
    "NearestNeighborMLM",
    "PredictedDistances",
]
