"""What `experiments.refits` keeps beside the study of the paper; None where it was not run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from experiments.analysis.numbers.arrays import Array
from experiments.analysis.numbers.results import StudyResults
from experiments.record import Json
from mlmlm._inverse_distance import LogRatios

COMMAND = "python -m experiments.refits results/paper"
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
    training_seconds : float
        Of the distance regression.
    threshold_seconds : mapping
        Of the cardinality-based threshold, with the out-of-sample scores it needs, by method.
    """

    values: pd.DataFrame
    nearest_share: float
    training_seconds: float
    threshold_seconds: Mapping[str, float]


class Selection(NamedTuple):
    """A way to leave a row out: losses indexed by P, what it chooses, and the test set's values."""

    losses: pd.Series
    power: float
    threshold: float
    test_ranking_loss: float
    test_accuracy: float


class LeaveOneOut(NamedTuple):
    """The closed form beside a refit without each row.

    ``largest_difference`` is that of the closed-form distances to those of a least-squares
    solution without each row's equation, the row still being a reference.
    """

    largest_difference: float
    closed: Selection
    refits: Selection


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


def cuts(results: StudyResults) -> dict[str, Cuts] | None:
    """By dataset, of those that were fitted."""
    return {
        name: Cuts(
            pd.DataFrame(content["cuts"]).set_index(["method", "rule"]),
            content["nearest_share"],
            content["training_seconds"],
            content["threshold_seconds"],
        )
        for name, content in results.refits("cuts").items()
    } or None


def label_sets(results: StudyResults) -> pd.DataFrame | None:
    """By dataset and method: test rows with a new label set, and how many of them are right.

    ``new_in_test`` of the ``test_rows`` have a true label set that training does not have; of the
    predicted ones ``new`` are, and of these ``new_and_right``; ``empty`` ones are counted apart.
    """
    return _by_dataset_and_method(results, "label_sets", ("test_rows", "new_in_test"))


def multilateration(results: StudyResults) -> pd.DataFrame | None:
    """By dataset and method: rows that it ``solves``, and how near it is on the others."""
    return _by_dataset_and_method(results, "multilateration", ("test_rows", "accuracy_of_solution"))


def leave_one_out(results: StudyResults) -> dict[str, LeaveOneOut] | None:
    """By dataset."""

    def selection(content: Json, powers: list[float]) -> Selection:
        return Selection(**content | {"losses": pd.Series(content["losses"], powers)})

    return {
        name: LeaveOneOut(
            content["largest_difference"],
            selection(content["closed"], content["powers"]),
            selection(content["refits"], content["powers"]),
        )
        for name, content in results.refits("leave_one_out").items()
    } or None


def rounding(results: StudyResults) -> pd.DataFrame | None:
    """By dataset and setting, which differ in nothing but rounding: what ML-MLM chooses."""
    found = results.refits("rounding")
    rows = [
        {"dataset": name, **row} for name, content in found.items() for row in content["settings"]
    ]
    return pd.DataFrame(rows).set_index(["dataset", "setting"]) if rows else None


def nearest_inputs(results: StudyResults) -> pd.DataFrame | None:
    """By dataset: correlation of the smallest predicted distance with the nearest input's."""
    found = results.refits("nearest_inputs")
    columns = ["test_rows", "spearman", "p_value", "twins"]
    return pd.DataFrame.from_dict(found, orient="index")[columns] if found else None


def _by_dataset_and_method(
    results: StudyResults, kind: str, common: tuple[str, ...]
) -> pd.DataFrame | None:
    rows = [
        {"dataset": name, "method": method, **row, **{key: content[key] for key in common}}
        for name, content in results.refits(kind).items()
        for method, row in content["methods"].items()
    ]
    return pd.DataFrame(rows).set_index(["dataset", "method"]) if rows else None


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
