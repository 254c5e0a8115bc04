"""A dataset as the refits need it: scaled, with its distance regression."""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import MinMaxScaler

from mlmlm import DistanceRegression, PredictedDistances
from mlmlm.datasets import Dataset

Array = NDArray[np.float64]
Labels = NDArray[np.integer[Any]]


class Fit(NamedTuple):
    """A dataset with its distance regression, the distances of its test rows, and its seconds."""

    data: Dataset
    train: Array
    test: Array
    regression: DistanceRegression
    predicted: PredictedDistances
    seconds: float


def fit(data: Dataset) -> Fit:
    train, test = scaled(data)
    start = perf_counter()
    regression = DistanceRegression().fit(train, data.Y_train)
    seconds = perf_counter() - start
    return Fit(data, train, test, regression, regression.predict(test), seconds)


def scaled(data: Dataset) -> tuple[Array, Array]:
    """Training and test inputs."""
    scaler = MinMaxScaler().fit(data.X_train)
    return scaler.transform(data.X_train), scaler.transform(data.X_test)
