"""What `experiments.refits` keeps beside the study of the paper; None where it was not run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from experiments.analysis.numbers.arrays import Array
from experiments.analysis.numbers.results import StudyResults
from mlmlm._inverse_distance import LogRatios

COMMAND = "python -m experiments.refits results/paper"
SMALL = ("medical", "emotions", "enron", "scene", "yeast")
BY_CARDINALITY, LOCAL_RCUT, HALF = "cardinality", "local RCut", "0.5"
PREDICTED_CARDINALITY = "predicted_cardinality"


@dataclass(frozen=True)
class Cuts:
    """The scores of a dataset's methods cut into labels by several rules.

    Attributes
    ----------
    values : DataFrame
        Indexed by method and rule: the bipartition metrics, and the mean number of labels that
        are predicted (``predicted_cardinality``).
    nearest_share : float
        Share of ML-MLM's weight that is of the nearest label vector, the mean of the test rows.
    """

    values: pd.DataFrame
    nearest_share: float


@dataclass(frozen=True)
class YeastPowers:
    """Yeast's test ranking loss, indexed by P, with the ridge in the regression and without it.

    ``chosen`` is the P that leave-one-out chose, ``distances`` are eight of one test row.
    """

    with_ridge: pd.Series
    without_ridge: pd.Series
    chosen: float
    distances: Array


@dataclass(frozen=True)
class ToyPrediction:
    """What each step of a prediction gives.

    Attributes
    ----------
    label_names : list of str
        Of the four labels.
    power : float
        The P of the weights.
    points, label_sets : arrays of shape (4, 2) and (4, 4)
        The training data.
    test_point, test_labels : arrays of shape (2,) and (4,)
        The new point, and what is drawn there.
    input_distances : array of shape (4,)
        From the test point to the training points.
    label_distances, weights : arrays of shape (4,)
        Predicted distances to the label vectors of the training points, and the weights of these,
        which add up to 1.
    scores, labels : arrays of shape (4,)
        Of the labels.
    threshold : float
        Above it a score means a label.
    """

    label_names: list[str]
    power: float
    points: Array
    label_sets: NDArray[np.int64]
    test_point: Array
    test_labels: NDArray[np.int64]
    input_distances: Array
    label_distances: Array
    scores: Array
    threshold: float
    labels: NDArray[np.int64]

    @property
    def weights(self) -> Array:
        return relative_weights(self.label_distances, self.power)


def cuts(results: StudyResults) -> dict[str, Cuts]:
    """By dataset, of those that were fitted."""
    found = {name: results.refit(f"cuts_{name}") for name in SMALL}
    return {
        name: Cuts(
            pd.DataFrame(content["cuts"]).set_index(["method", "rule"]), content["nearest_share"]
        )
        for name, content in found.items()
        if content is not None
    }


def yeast_powers(results: StudyResults) -> YeastPowers | None:
    content = results.refit("yeast_powers")
    if content is None:
        return None
    index = pd.Index(content["powers"], name="P")
    return YeastPowers(
        pd.Series(content["ranking_loss"], index, name="ranking loss"),
        pd.Series(content["ranking_loss_without_ridge"], index, name="ranking loss"),
        content["chosen"],
        np.array(content["sampled_distances"]),
    )


def toy_prediction(results: StudyResults) -> ToyPrediction | None:
    content = results.refit("toy")
    if content is None:
        return None
    steps = {key: np.array(value) for key, value in content.items() if isinstance(value, list)}
    del steps["label_names"]
    return ToyPrediction(
        label_names=content["label_names"],
        power=content["power"],
        threshold=content["threshold"],
        **steps,
    )


def relative_weights(distances: Array, power: float) -> Array:
    """``w_P(d) / Z`` of Eq. 4, of one row of predicted distances."""
    weights = LogRatios(distances[None, :]).weights(power)[:, 0]
    return weights / weights.sum()
