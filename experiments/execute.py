"""From a dataset's and a method's configuration to a record in the store.

`experiments.compute` has the way from data to figures. Here it is measured, put into a record and
kept. The distance regression of a dataset, nearly all of the work, is solved once and used by every
method built on it; any other classifier is fitted as it is.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Protocol

from experiments import compute
from experiments.answer import Answer
from experiments.choices import DatasetChoice, MethodChoice
from experiments.committed import CommittedResults
from experiments.errors import UsageError, describe, ends_the_program
from experiments.identity import RunIdentity, loaded_from_outside, unforeseen
from experiments.limited import run_limited
from experiments.phases import Phase, measured
from experiments.provenance import provenance
from experiments.record import Arrays, Json, Record, without_folders
from experiments.search import Found
from experiments.store import RunKey, Store, pack
from mlmlm import DistanceRegression, DistanceRegressionClassifier
from mlmlm.datasets import Dataset, audit, characteristics, in_xml_order
from mlmlm.progress import Listener, PhaseName, phase


@dataclass(frozen=True)
class Shared:
    """A solved regression and what solving it took."""

    solved: compute.Solved
    phases: tuple[Phase, ...]


@dataclass(frozen=True)
class Computed:
    """A fitted method, what it says, how good that is, and what it took."""

    estimator: Any
    answer: Answer
    metrics: dict[str, float]
    phases: tuple[Phase, ...]
    found: Found | None


class Source(Protocol):
    """Where records are: the store, or the committed results."""

    def read(self, key: RunKey) -> Record | None: ...

    def read_arrays(self, key: RunKey) -> Arrays: ...


@dataclass(frozen=True)
class Obtained:
    """A record, where it is, whether it was there before, and why an older one was not taken."""

    key: RunKey
    record: Record
    source: Source
    reused: bool
    note: str | None = None


class Workbench:
    """A dataset on which methods are run, and what they share."""

    def __init__(
        self, dataset: DatasetChoice, data: Dataset, listener: Listener | None = None
    ) -> None:
        self.dataset = dataset
        self.data = data
        self._listener = listener
        # The last one only: a study of settings has many, and each is large.
        self._shared: dict[tuple[str, str], Shared | Exception] = {}

    def key(self, method: MethodChoice) -> RunKey:
        """Where the record of a method on this dataset belongs."""
        return RunKey(self.dataset.name, method.name, self.identity(method).digest)

    def identity(self, method: MethodChoice) -> RunIdentity:
        """All that the figures of a method on this dataset depend on."""
        return method.identity(self.data.fingerprint, self._split)

    @property
    def _split(self) -> Json | None:
        return None if self.dataset.split is None else self.dataset.split.as_json

    def run(self, method: MethodChoice) -> tuple[Record, bytes]:
        """Fit, predict and evaluate; gives the record and its packed arrays."""
        identity, before = self.identity(method), loaded_from_outside()
        bench = self._with_xml_order if method.label_order == "xml" else self
        with _told_to_the_user(method):
            computed = bench._compute(method)
        arrays, digest = pack(_arrays(computed, bench.data))
        record = Record(
            dataset=self.dataset.name,
            method=method.name,
            published_as=method.published_as,
            variant=method.variant,
            seed=method.seed,
            split=self._split,
            identity=identity.digest,
            parameters=identity.parameters,
            code=identity.code,
            unforeseen=unforeseen(before, identity.code),
            config=without_folders({"dataset": self.dataset.config, "method": method.config}),
            data=self._data,
            chosen=_chosen(computed),
            distance=_distance(computed.answer),
            metrics=computed.metrics,
            uncertainty=compute.evaluate_by_uncertainty(bench.data.Y_test, computed.answer),
            warnings=tuple(computed.answer.warnings),
            phases=computed.phases,
            arrays_sha256=digest,
            provenance=provenance(),
        )
        return record, arrays

    @cached_property
    def _with_xml_order(self) -> Workbench:
        data = in_xml_order(self.data)
        return self if data is self.data else Workbench(self.dataset, data, self._listener)

    def _compute(self, method: MethodChoice) -> Computed:
        estimator = method.estimator()
        found, searching = self._tune(estimator, method)
        shares = isinstance(estimator, DistanceRegressionClassifier)
        shared = self._share(method.scaling, estimator.regression()) if shares else None
        with measured(self._listener) as meter:
            if shared is not None:
                answer = compute.answer_from(estimator, shared.solved, self.data)
            else:
                features = compute.scale(self.data, method.scaling)
                answer = compute.answer_alone(estimator, features, self.data)
            with phase(PhaseName.METRICS, 1):
                metrics = compute.evaluate(self.data.Y_test, answer)
        phases = searching + (shared.phases if shared is not None else ()) + meter.phases()
        return Computed(estimator, answer, metrics, phases, found)

    def _tune(self, estimator: Any, method: MethodChoice) -> tuple[Found | None, tuple[Phase, ...]]:
        """Give an estimator the parameters that its search finds best, if it has one."""
        search = method.tuning()
        if search is None:
            return None, ()
        features = compute.scale(self.data, method.scaling)
        with measured(self._listener) as meter:
            labels = compute.training_labels(estimator, self.data)
            found = search.run(estimator, features.train, labels)
            estimator.set_params(**found.parameters)
        return found, meter.phases()

    def _share(self, scaling: str, regression: DistanceRegression) -> Shared:
        """The regression and its predictions, computed when they are first asked for."""
        kind = scaling, repr(sorted(regression.get_params().items()))
        if kind not in self._shared:
            self._shared.clear()
            try:
                with measured(self._listener) as meter:
                    solved = compute.solve(self.data, scaling, regression)
                self._shared[kind] = Shared(solved, meter.phases(shared=True))
            except Exception as error:
                traceback.clear_frames(error.__traceback__)  # or they keep the matrices alive
                self._shared[kind] = error
        shared = self._shared[kind]
        if isinstance(shared, Exception):  # it would fail again, and maybe only after hours
            raise shared
        return shared

    @cached_property
    def _data(self) -> Json:
        """The record's description of the data."""
        data = self.data
        return {
            "fingerprint": data.fingerprint,
            "n_train": len(data.Y_train),
            "n_test": len(data.Y_test),
            "n_features": data.X_train.shape[1],
            "n_labels": data.Y_train.shape[1],
            "characteristics": asdict(characteristics(data)),
            "audit": asdict(audit(data)),
        }


def obtain(
    store: Store,
    bench: Workbench,
    method: MethodChoice,
    force: bool = False,
    when_busy: Callable[[], None] | None = None,
    committed: CommittedResults | None = None,
) -> Obtained:
    """The record of a run: the store's or a committed one, or else computed and stored."""
    identity = bench.identity(method)
    key = RunKey(bench.dataset.name, method.name, identity.digest)
    if not force and (known := find(key, store, committed)):
        return known
    with store.lock(key.path, when_busy):
        # Another process may have computed it while its lock was waited for.
        if not force and (known := find(key, store, None)):
            return known
        store.prepare(key)
        note = _why_new(store, key, identity)
        record = _compute_and_keep(store, bench, method, key)
        return Obtained(key, record, store, reused=False, note=note)


def find(key: RunKey, *sources: Source | None) -> Obtained | None:
    """The record of a run in the first of the sources that has it."""
    for source in sources:
        if source is not None and (record := source.read(key)) is not None:
            return Obtained(key, record, source, reused=True)
    return None


def _compute_and_keep(store: Store, bench: Workbench, method: MethodChoice, key: RunKey) -> Record:
    limited = method.limit_seconds is not None
    record, arrays = run_limited(bench.dataset, method) if limited else bench.run(method)
    if record.identity != key.identity:  # of the other process, which has read them later
        raise UsageError(
            f"method {method.name!r}: code or data were changed while it began; run it again"
        )
    store.write(key, record, arrays)
    return record


def _why_new(store: Store, key: RunKey, identity: RunIdentity) -> str | None:
    changes = store.why_not(key, identity)
    return None if changes is None else f"an older record is not reused; changed: {changes}"


@contextmanager
def _told_to_the_user(method: MethodChoice) -> Iterator[None]:
    """What an estimator says of its parameters, the data or a missing package is for the user."""
    try:
        yield
    except (ImportError, TypeError, ValueError) as error:
        raise UsageError(f"method {method.name!r}: {describe(error)}") from error
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as error:  # sys.exit, and the like
        raise UsageError(f"method {method.name!r}: {ends_the_program(error)}") from error


def _arrays(computed: Computed, data: Dataset) -> Arrays:
    answer, curve = computed.answer, ("power_grid", "loo_ranking_loss")
    arrays: dict[str, Any] = {
        "predictions": answer.predictions,
        "scores": answer.scores,
        "smallest_distances": answer.smallest_distances,
    }
    arrays |= {name: getattr(computed.estimator, f"{name}_", None) for name in curve}
    arrays |= compute.evaluate_by_row(data.Y_test, answer)
    return {name: array for name, array in arrays.items() if array is not None}


def _chosen(computed: Computed) -> Json:
    """Hyper-parameters that tuning and fitting chose."""
    estimator = computed.estimator
    chosen = {
        name: getattr(estimator, f"{name}_")
        for name in ("power", "threshold", "best_params")
        if hasattr(estimator, f"{name}_")
    }
    if isinstance(estimator, DistanceRegressionClassifier):
        chosen["alpha"] = estimator.regression_.alpha_
        if estimator.references is not None:
            chosen["references"] = estimator.regression_.n_references
    if computed.found is not None:
        chosen["tuning"] = asdict(computed.found)
    return chosen


def _distance(answer: Answer) -> dict[str, float] | None:
    """The paper's table of distances: of the squares of the smallest ones."""
    if answer.smallest_distances is None:
        return None
    squared = answer.smallest_distances**2
    spread = float(squared.std(ddof=1)) if len(squared) > 1 else 0.0
    return {"mean": float(squared.mean()), "std": spread}
