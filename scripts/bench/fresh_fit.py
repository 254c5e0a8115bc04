"""One classifier, fitted and asked in a process of its own: seconds, peak memory and figures.

``python -m scripts.bench.fresh_fit made-20000-2000 ML-MLM --references 100 --tuning-rows 1000``
prints what it measured as JSON. The random forest and the logistic regression are what one would
use instead where rows are many. All are cut at the cardinality of the training rows: ML-MLM by its
leave-one-out scores, the forest by its scores of rows that it is not fitted on (out-of-bag scores
would ask every tree for nearly all rows). The regression is cut by its scores of the training rows
themselves: five more fits of cross-validation would make it six times as slow, and 101 coefficients
do not know the rows by heart.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from mlmlm import MultiLabelMLM
from mlmlm.baselines import BinaryRelevance
from mlmlm.metrics import accuracy, ranking_loss
from mlmlm.progress import PhaseName, listen
from mlmlm.scores import label_scores
from mlmlm.thresholds import cardinality_threshold
from mlmlm.types import Array, Labels
from scripts.bench.process import PeakMemory, give_back, in_new_process
from scripts.bench.splits import SYNTHETIC, Split, load_split
from scripts.bench.timing import Seconds, Stopwatch

ML_MLM = "ML-MLM"
FOREST = "random forest, 100 trees"
LOGISTIC = "logistic regression, one versus rest"

# Of a million rows a tree sees so many, drawn anew for each: that bounds its time. A node holds two
# numbers for each of 50 labels, so the leaves of 100 trees are bounded for memory's sake.
ROWS_OF_A_TREE = 100_000
LEAVES_AT_MOST = 10_000
# To cut its scores the forest is not fitted on a fiftieth of the rows, or so many if that is few.
HELD_OUT_AT_LEAST = 2_000


@dataclass(frozen=True)
class FreshFit:
    """What one process measured."""

    seconds: Seconds
    """Of ``fit``, ``prediction`` and the library's phases."""
    bytes_before: int
    """Memory of the process with only the data loaded."""
    bytes_peak: int
    """Its peak over fitting and predicting."""
    accuracy: float
    ranking_loss: float

    @property
    def total_seconds(self) -> float:
        return self.seconds[PhaseName.FIT] + self.seconds[PhaseName.PREDICTION]

    @property
    def bytes_beyond_data(self) -> int:
        return self.bytes_peak - self.bytes_before


@dataclass(frozen=True)
class Model:
    """A classifier with the threshold of its scores."""

    estimator: Any
    threshold: float


Fit = Callable[[Split], Model]


def fresh_fit(
    name: str, method: str, references: float | None = None, tuning_rows: int | None = None
) -> FreshFit:
    """Fit and predict in a new process; once for all who ask."""
    return _run_process(name, method, references, tuning_rows)


@cache
def _run_process(
    name: str, method: str, references: float | None, tuning_rows: int | None
) -> FreshFit:
    options = [] if references is None else ["--references", str(references)]
    options += [] if tuning_rows is None else ["--tuning-rows", str(tuning_rows)]
    return FreshFit(**in_new_process("scripts.bench.fresh_fit", name, method, *options))


def measure(split: Split, fit: Fit) -> FreshFit:
    """Fit and predict in this process, which should be new."""
    watch, memory = Stopwatch(), PeakMemory()
    with listen(watch.hear):
        with watch.step(PhaseName.FIT):
            model = fit(split)
        with watch.step(PhaseName.PREDICTION):
            scores = label_scores(model.estimator, split.X_test)
            labels = scores > model.threshold
    return FreshFit(
        seconds=watch.seconds,
        bytes_before=memory.before,
        bytes_peak=memory.peak(),
        accuracy=accuracy(split.Y_test, labels),
        ranking_loss=ranking_loss(split.Y_test, scores),
    )


def fit_of(method: str, references: float | None, tuning_rows: int | None) -> Fit:
    """How a method is fitted; the numbers are for ML-MLM."""
    return {
        ML_MLM: lambda split: _fit_ml_mlm(split, references, tuning_rows),
        FOREST: _fit_forest,
        LOGISTIC: _fit_logistic,
    }[method]


def _fit_ml_mlm(split: Split, references: float | None, tuning_rows: int | None) -> Model:
    estimator = MultiLabelMLM(references=references, tuning_rows=tuning_rows)
    estimator.fit(split.X_train, split.Y_train)
    assert estimator.threshold_ is not None  # it is cut at the cardinality
    return Model(estimator, estimator.threshold_)


def _fit_forest(split: Split) -> Model:
    n_rows = len(split.X_train)
    kept = n_rows - max(n_rows // 50, min(n_rows // 5, HELD_OUT_AT_LEAST))
    rows = min(kept, ROWS_OF_A_TREE)
    forest = RandomForestClassifier(
        max_features=0.1,  # as conf/method/rf_pct.yaml has it
        min_samples_leaf=max(2, rows // LEAVES_AT_MOST),
        max_samples=rows,
        n_jobs=-1,
        random_state=0,
    )
    forest.fit(split.X_train[:kept], split.Y_train[:kept])
    return _cut(forest, split.X_train[kept:], split.Y_train[kept:])


def _fit_logistic(split: Split) -> Model:
    """As ``conf/method/logistic.yaml`` has it; BLAS has all cores."""
    regression = BinaryRelevance(LogisticRegression(C=1.0, max_iter=1000))
    regression.fit(split.X_train, split.Y_train)
    return _cut(regression, split.X_train, split.Y_train)


def _cut(estimator: Any, X: Array, Y: Labels) -> Model:
    """Cut so that the labels of these rows have their cardinality."""
    return Model(estimator, cardinality_threshold(label_scores(estimator, X), int(Y.sum())))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.bench.fresh_fit")
    parser.add_argument("name")
    parser.add_argument("method", choices=(ML_MLM, FOREST, LOGISTIC))
    parser.add_argument("--references", type=float, help="a share, or a number above one")
    parser.add_argument("--tuning-rows", type=int)
    options = parser.parse_args()
    count = options.references
    references = int(count) if count is not None and count >= 1 else count
    # A first use imports and allots what is not the fit's cost.
    warming = fit_of(options.method, None if count is None else 0.1, None)
    measure(load_split(f"{SYNTHETIC}200"), warming)
    fit = fit_of(options.method, references, options.tuning_rows)
    give_back(asdict(measure(load_split(options.name), fit)))


if __name__ == "__main__":
    main()
