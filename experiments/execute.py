"""From a dataset and a method to a record.

The way of the data: scale -> distance regression -> method -> scores, predictions and distances
-> metrics -> record -> store. The distance regression of a dataset, nearly all of the work, is
solved once and used by every method built on it; any other classifier is fitted as it is.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.preprocessing import MinMaxScaler

from experiments.errors import UsageError
from experiments.phases import Phase, measured
from experiments.provenance import provenance
from experiments.record import Arrays, Json, Record, code_versions, without_folders
from experiments.store import Store, pack
from experiments.task import DatasetChoice, MethodChoice
from mlmlm import DistanceRegression, DistanceRegressionClassifier, PredictedDistances
from mlmlm.datasets import Dataset, audit, characteristics, in_xml_order
from mlmlm.metrics import METRICS, accuracy_per_row, evaluate, ranking_loss_per_row
from mlmlm.progress import Listener, phase
from mlmlm.scores import has_scores, label_scores
from mlmlm.uncertainty import CATEGORIES, uncertainty_categories

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Features:
    """Features as a method sees them."""

    train: Array
    test: Array


@dataclass(frozen=True)
class Shared:
    """What the distance-regression methods of a dataset have in common."""

    regression: DistanceRegression
    predicted: PredictedDistances
    phases: tuple[Phase, ...]


@dataclass(frozen=True)
class Answer:
    """What a fitted method says of the test rows."""

    predictions: NDArray[np.uint8]
    scores: Array | None
    smallest_distances: Array | None

    def rows(self, chosen: NDArray[np.bool_]) -> Answer:
        """What it says of some of the rows."""
        parts = (self.predictions, self.scores, self.smallest_distances)
        return Answer(*(None if part is None else part[chosen] for part in parts))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Outcome:
    """A fitted method, what it says, and how good that is."""

    estimator: Any
    answer: Answer
    metrics: dict[str, float]
    phases: tuple[Phase, ...]


class Bench:
    """A dataset on which methods are run, and what they share."""

    def __init__(
        self, dataset: DatasetChoice, data: Dataset, listener: Listener | None = None
    ) -> None:
        self.dataset = dataset
        self.data = data
        self._listener = listener
        self._shared: dict[str, Shared | Exception] = {}

    def run(self, method: MethodChoice) -> tuple[Record, bytes]:
        """Fit, predict and evaluate; gives the record and its packed arrays."""
        bench = self._with_xml_order if method.label_order == "xml" else self
        outcome = bench._outcome(method)
        arrays, digest = pack(bench._arrays(outcome))
        return self._record(method, outcome, bench._by_uncertainty(outcome.answer), digest), arrays

    @cached_property
    def _with_xml_order(self) -> Bench:
        data = in_xml_order(self.data)
        return self if data is self.data else Bench(self.dataset, data, self._listener)

    def _outcome(self, method: MethodChoice) -> Outcome:
        estimator = method.estimator()
        if isinstance(estimator, DistanceRegressionClassifier):
            shared = self._share(method.scaling)
            with measured(self._listener) as meter:
                with phase("fit", 1):
                    estimator.fit_from(shared.regression)
                answer = _answer(estimator, shared.predicted)
                metrics = self._evaluate(answer)
            phases = shared.phases + meter.phases()
        else:
            with measured(self._listener) as meter:
                features = self._scale(method.scaling)
                with _told_to_the_user(method):
                    with phase("fit", 1):
                        # Many estimators compute with labels, which bytes would not bear.
                        estimator.fit(features.train, self.data.Y_train.astype(np.int64))
                    answer = _answer(estimator, features.test)
                    metrics = self._evaluate(answer)
            phases = meter.phases()
        return Outcome(estimator, answer, metrics, phases)

    def _scale(self, scaling: str) -> Features:
        train, test = self.data.X_train, self.data.X_test
        if scaling == "none":
            return Features(train.copy(), test.copy())  # some estimators refuse read-only arrays
        with phase("scaling", 1):
            scaler = MinMaxScaler().fit(train)
            return Features(scaler.transform(train), scaler.transform(test))

    def _share(self, scaling: str) -> Shared:
        """The regression and its predictions, computed when they are first asked for."""
        if scaling not in self._shared:
            try:
                self._shared[scaling] = self._solve(scaling)
            except Exception as error:
                traceback.clear_frames(error.__traceback__)  # or they keep the matrices alive
                self._shared[scaling] = error
        shared = self._shared[scaling]
        if isinstance(shared, Exception):  # it would fail again, and maybe only after hours
            raise shared
        return shared

    def _solve(self, scaling: str) -> Shared:
        with measured(self._listener) as meter:
            features = self._scale(scaling)
            with phase("regression", 1):
                regression = DistanceRegression().fit(features.train, self.data.Y_train)
            predicted = regression.predict(features.test)
        return Shared(regression, predicted, meter.phases(shared=True))

    def _evaluate(self, answer: Answer) -> dict[str, float]:
        with phase("metrics", 1):
            return _metrics(self.data.Y_test, answer)

    def _by_uncertainty(self, answer: Answer) -> dict[str, dict[str, float]] | None:
        """Each metric within each category of uncertainty."""
        if answer.smallest_distances is None:
            return None
        categories = uncertainty_categories(answer.smallest_distances)
        within: dict[str, dict[str, float]] = {}
        for category in CATEGORIES:
            chosen = categories == category
            within[category] = {"rows": int(chosen.sum())}
            if chosen.any():
                within[category] |= _metrics(self.data.Y_test[chosen], answer.rows(chosen))
        return within

    def _arrays(self, outcome: Outcome) -> Arrays:
        answer, curve = outcome.answer, ("power_grid", "loo_ranking_loss")
        arrays: dict[str, Any] = {
            "predictions": answer.predictions,
            "scores": answer.scores,
            "smallest_distances": answer.smallest_distances,
        } | {name: getattr(outcome.estimator, f"{name}_", None) for name in curve}
        if answer.smallest_distances is not None:
            arrays["accuracy_per_row"] = accuracy_per_row(self.data.Y_test, answer.predictions)
            if answer.scores is not None:
                arrays["ranking_loss_per_row"] = ranking_loss_per_row(
                    self.data.Y_test, answer.scores
                )
        return {name: array for name, array in arrays.items() if array is not None}

    @cached_property
    def _data(self) -> Json:
        """The record's description of the data."""
        data = self.data
        return {
            "fingerprint": data.fingerprint,
            "n_train": len(data.X_train),
            "n_test": len(data.X_test),
            "n_features": data.X_train.shape[1],
            "n_labels": data.Y_train.shape[1],
            "characteristics": asdict(characteristics(data)),
            "audit": asdict(audit(data)),
        }

    def _record(
        self,
        method: MethodChoice,
        outcome: Outcome,
        uncertainty: dict[str, dict[str, float]] | None,
        arrays_sha256: str,
    ) -> Record:
        config = {"dataset": self.dataset.config, "method": method.config}
        return Record(
            dataset=self.dataset.name,
            method=method.name,
            published_as=method.published_as,
            variant=method.variant,
            seed=method.seed,
            identity=method.key(self.dataset, self.data).identity,
            config=without_folders(config),
            data=self._data,
            code=code_versions(method.config),
            chosen=_chosen(outcome.estimator),
            distance=_distance(outcome.answer),
            metrics=outcome.metrics,
            uncertainty=uncertainty,
            phases=outcome.phases,
            arrays_sha256=arrays_sha256,
            provenance=provenance(),
        )


def obtain(
    store: Store,
    bench: Bench,
    method: MethodChoice,
    force: bool = False,
    when_busy: Callable[[], None] | None = None,
) -> tuple[Record, bool]:
    """The record of a run: the store's, or else computed and stored.

    Returns
    -------
    record : Record
        The record.
    reused : bool
        Whether the store had it.
    """
    key = method.key(bench.dataset, bench.data)
    with store.lock(key.path, when_busy):
        known = None if force else store.read(key)
        if known is not None:
            return known, True
        record, arrays = bench.run(method)
        store.write(key, record, arrays)
        return record, False


@contextmanager
def _told_to_the_user(method: MethodChoice) -> Iterator[None]:
    """What an estimator says of its parameters, the data or a missing package is for the user."""
    try:
        yield
    except (ImportError, TypeError, ValueError) as error:
        raise UsageError(f"method {method.name!r}: {error}") from error


def _metrics(truth: NDArray[np.uint8], answer: Answer) -> dict[str, float]:
    # The ranking metrics are undefined where no row has a relevant label.
    scores = answer.scores if truth.any() else None
    return evaluate(truth, answer.predictions, scores, metrics=METRICS.values())


def _answer(estimator: Any, inputs: Array | PredictedDistances) -> Answer:
    with phase("prediction", 1):
        distances = None
        if isinstance(estimator, DistanceRegressionClassifier):
            distances = estimator.smallest_distance(inputs)
        return Answer(
            _dense(estimator.predict(inputs)).astype(np.uint8),
            label_scores(estimator, inputs) if has_scores(estimator) else None,
            distances,
        )


def _dense(matrix: Any) -> NDArray[Any]:
    return matrix.toarray() if sp.issparse(matrix) else np.asarray(matrix)


def _chosen(estimator: Any) -> Json:
    """Hyper-parameters that fitting chose."""
    chosen = {
        name: getattr(estimator, f"{name}_")
        for name in ("power", "threshold", "best_params")
        if hasattr(estimator, f"{name}_")
    }
    if isinstance(estimator, DistanceRegressionClassifier):
        chosen["alpha"] = estimator.regression_.alpha_
    return chosen


def _distance(answer: Answer) -> dict[str, float] | None:
    """The paper's table of distances: of the squares of the smallest ones."""
    if answer.smallest_distances is None:
        return None
    squared = answer.smallest_distances**2
    spread = float(squared.std(ddof=1)) if len(squared) > 1 else 0.0
    return {"mean": float(squared.mean()), "std": spread}
