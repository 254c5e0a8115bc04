"""How long a task will take and how much memory it needs, told before it begins.

Of our methods the memory is known from the sizes of the data. Of any other the method's own
configuration may say it (``memory_gb``); or else the records say what its runs took, on the same
data or, scaled, on those that are nearest in size; and where there is none, the rows must do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from experiments.choices import MethodChoice
from experiments.engines.task import Task
from experiments.record import Record
from mlmlm import DistanceRegressionClassifier
from mlmlm._reference_choice import choice_peak_bytes
from mlmlm._work_plan import WorkPlan
from mlmlm.datasets import Dataset
from mlmlm.memory import chosen_fit_peak_bytes, fit_peak_bytes, scores_bytes

GIGABYTE = 10**9
# An interpreter that has imported everything, with room: records have 0.2 to 0.3 GB.
_PROCESS = 0.5 * GIGABYTE
# A process is ended when it uses more than its estimate by this factor.
MARGIN = 1.5
# Our regression takes 0.6 s for 1,500 rows and grows like N^2.4, measured from Yeast to Mediamill.
_REGRESSION_SECONDS, _ROWS, _REGRESSION_EXPONENT = 0.6, 1500, 2.4
# With chosen reference points the grid of P takes about as long as so many more of them.
_GRID = 100
_SPARSE = 1.5  # of a sparse matrix each value, and its column, which takes half as much
_OTHER_SECONDS, _OTHER_COPIES = 10.0, 12  # of the data, of a method that nobody has run


@dataclass(frozen=True)
class Facts:
    """The sizes of data on which estimates are built."""

    fingerprint: str
    n_train: int
    n_test: int
    n_features: int
    n_labels: int
    n_label_vectors: int
    width: int
    """Numbers that the features of a row take in memory: fewer than there are if sparse."""

    @classmethod
    def of(cls, data: Dataset) -> Facts:
        X, Y = data.X_train, data.Y_train
        return cls(
            data.fingerprint,
            len(Y),
            len(data.Y_test),
            X.shape[1],
            Y.shape[1],
            len(np.unique(Y, axis=0)),
            math.ceil(_SPARSE * X.nnz / len(Y)) if sp.issparse(X) else X.shape[1],
        )

    @property
    def numbers(self) -> int:
        """How many numbers the training set has, zeros included."""
        return self.n_train * (self.n_features + self.n_labels)

    @property
    def work(self) -> float:
        """What seconds grow with: rows, features and labels, for trees and linear models."""
        return _work(self.n_train, self.n_features, self.n_labels)

    @property
    def bytes(self) -> int:
        return 8 * (self.n_train + self.n_test) * (self.width + self.n_labels)


@dataclass(frozen=True)
class Need:
    """Estimated seconds, and the memory that a task may use."""

    seconds: float
    memory: int


@dataclass(frozen=True)
class Expected:
    """Seconds that a run will take, and the record they are estimated from."""

    seconds: float
    record: Record


class Estimates:
    """What tasks will need, by what runs took that are on record."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records: dict[str, list[Record]] = {}
        for record in records:
            self._records.setdefault(record.method, []).append(record)

    def need(self, task: Task, facts: Facts) -> Need:
        methods = [method for method in task.methods if isinstance(method, MethodChoice)]
        if task.shares:
            return self._of_regression(methods, facts)
        (method,) = methods
        return Need(self._seconds(method, facts), self._memory(method, facts))

    def _of_regression(self, methods: Sequence[MethodChoice], facts: Facts) -> Need:
        """The regression once, and each method's own part."""
        known = [self._same_data(method, facts) for method in methods]
        if all(known):
            shared = max(_seconds(record, True) for records in known for record in records)
            own = sum(max(_seconds(record, False) for record in records) for records in known)
            seconds = shared + own
        else:
            all_inputs = _REGRESSION_SECONDS * (facts.n_train / _ROWS) ** _REGRESSION_EXPONENT
            kinds = {(_n_references(method, facts.n_train), method.seed) for method in methods}
            shares = (count / facts.n_train for count, _ in kinds)
            seconds = sum(_REGRESSION_SECONDS + share * all_inputs for share in shares)
        given = [method.memory_gb for method in methods if method.memory_gb is not None]
        if given:
            return Need(seconds, int(max(given) * GIGABYTE))
        fit = max(_fit_bytes(method, facts) for method in methods)
        predicted = 8 * facts.n_test * facts.n_label_vectors
        return Need(seconds, int(MARGIN * (_PROCESS + 2 * facts.bytes + fit + predicted)))

    def _memory(self, method: MethodChoice, facts: Facts) -> int:
        if method.memory_gb is not None:
            return int(method.memory_gb * GIGABYTE)
        if same := self._same_data(method, facts):
            peak = max(record.peak_mb for record in same) * 1e6
        elif nearest := self._nearest(method, facts):
            own = max(nearest.peak_mb * 1e6 - _PROCESS, 0.0)
            peak = _PROCESS + own * max(1.0, facts.numbers / _numbers(nearest))
        else:
            peak = 0.0
        least = _PROCESS + (2 if peak else _OTHER_COPIES) * facts.bytes
        return int(MARGIN * max(peak, least))

    def _seconds(self, method: MethodChoice, facts: Facts) -> float:
        if same := self._same_data(method, facts):
            return max(record.seconds for record in same)
        if expected := self.by_nearest_record(method, facts):
            return expected.seconds
        return _OTHER_SECONDS * facts.n_train / _ROWS

    def by_nearest_record(self, method: MethodChoice, facts: Facts) -> Expected | None:
        """By the record of data that are nearest in what the method's seconds grow with."""
        regresses = _is_built_on_regression(method.estimator())
        chooses = regresses and method.config.get("references") is not None

        def growth(record: Record) -> float:
            """How many times as long it takes as on the data of a record."""
            if chooses:
                n_train, known = int(record.data["n_train"]), record.data["characteristics"]
                then = _chosen_work(method, n_train, int(known["unique_label_vectors"]))
                return _chosen_work(method, facts.n_train, facts.n_label_vectors) / then
            if regresses:
                return float((facts.n_train / record.data["n_train"]) ** _REGRESSION_EXPONENT)
            sizes = (int(record.data[key]) for key in ("n_train", "n_features", "n_labels"))
            return facts.work / _work(*sizes)

        records = self._records.get(method.name, [])
        nearest = min(records, key=lambda record: abs(np.log(growth(record))), default=None)
        return None if nearest is None else Expected(nearest.seconds * growth(nearest), nearest)

    def _same_data(self, method: MethodChoice, facts: Facts) -> list[Record]:
        records = self._records.get(method.name, [])
        return [record for record in records if record.data["fingerprint"] == facts.fingerprint]

    def _nearest(self, method: MethodChoice, facts: Facts) -> Record | None:
        """The record of data that are nearest in size."""
        records = self._records.get(method.name, [])
        return min(
            records, key=lambda record: abs(np.log(_numbers(record) / facts.numbers)), default=None
        )


def _n_references(method: MethodChoice, n_train: int) -> int:
    """Reference points at the most: a share is of the distinct inputs, which may be fewer."""
    return _n_of(method.config.get("references"), n_train)


def _n_of(wanted: Any, n_all: int) -> int:
    """How many a number, a share or a list asks for; None is all."""
    if wanted is None:
        return n_all
    if isinstance(wanted, float):
        return max(1, round(wanted * n_all))
    return min(wanted if isinstance(wanted, int) else len(wanted), n_all)


def _chosen_work(method: MethodChoice, n_train: int, n_label_vectors: int) -> float:
    """What seconds grow with where reference points are chosen: sums, distances, the grid of P."""
    count = _n_references(method, n_train)
    return float(n_train) * (count + n_label_vectors) * (count + _GRID)


def _fit_bytes(method: MethodChoice, facts: Facts) -> int:
    """Peak of choosing reference points, of the regression, and of choosing the threshold.

    By then about half of what the regression took is left.
    """
    count = _n_references(method, facts.n_train)
    selection = method.config.get("selection", "random")
    n_vectors = _n_of(method.config.get("label_references"), facts.n_label_vectors)
    sizes = count, n_vectors, facts.n_labels, facts.width
    if count == facts.n_train:
        choice, fit = 0, fit_peak_bytes(*sizes)
    else:
        piece_rows = min(facts.n_train, WorkPlan().rows_of_width(max(sizes)))
        choice = choice_peak_bytes(selection, count, facts.n_train, facts.n_features, facts.width)
        fit = chosen_fit_peak_bytes(*sizes, piece_rows)
    tuning_rows = min(facts.n_train, method.config.get("tuning_rows") or facts.n_train)
    return max(choice, fit, fit // 2 + scores_bytes(tuning_rows, facts.n_labels))


def _is_built_on_regression(estimator: Any) -> bool:
    """Whether a classifier, or the one that it holds, solves a distance regression."""
    if isinstance(estimator, DistanceRegressionClassifier):
        return True
    held = getattr(estimator, "estimator", None)
    return held is not None and _is_built_on_regression(held)


def _work(n_rows: int, n_features: int, n_labels: int) -> float:
    return float(n_rows) * n_features * n_labels


def _numbers(record: Record) -> int:
    return int(record.data["n_train"] * (record.data["n_features"] + record.data["n_labels"]))


def _seconds(record: Record, shared: bool) -> float:
    return sum(phase.seconds for phase in record.phases if phase.shared == shared)
