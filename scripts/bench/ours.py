"""The four methods of the library on one split, timed step by step.

Steps are ``regression``, ``prediction`` (of distances) and, for each method, ``<method> fit``,
``<method> scores`` and ``<method> labels``; the phases that the library reports come beside them.
Labels are asked for apart from the scores, as a user would, so scores are computed twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from mlmlm import (
    BinaryRelevanceMLM,
    DistanceRegression,
    DistanceRegressionClassifier,
    LocalizationMLM,
    MultiLabelMLM,
    NearestNeighborMLM,
)
from mlmlm._distinct import distinct_rows
from mlmlm._label_vectors import LabelVectors
from mlmlm.metrics import evaluate
from mlmlm.progress import PhaseName, listen
from mlmlm.types import Array, Integers, Labels
from scripts.bench.splits import Split
from scripts.bench.timing import Stopwatch

STEPS = (
    PhaseName.REGRESSION,
    PhaseName.PREDICTION,
    *(
        f"{method} {part}"
        for method in ("ML-MLM", "NN-MLM", "LLS-MLM", "BR-MLM")
        for part in ("fit", "scores", "labels")
    ),
)


@dataclass(frozen=True)
class Predictions:
    """What the four methods say of the test rows."""

    power: float
    scores: dict[str, Array]
    labels: dict[str, Integers]

    def figures(self, Y_test: Labels) -> dict[str, float]:
        """All metrics of all methods."""
        return {
            f"{method} {metric}": value
            for method, labels in self.labels.items()
            for metric, value in evaluate(Y_test, labels, self.scores.get(method)).items()
        }


def fit_regression(split: Split, watch: Stopwatch) -> DistanceRegression:
    """The step that all four methods share."""
    with listen(watch.hear), watch.step(PhaseName.REGRESSION):
        return DistanceRegression().fit(split.X_train, split.Y_train)


def apply_methods(regression: DistanceRegression, split: Split, watch: Stopwatch) -> Predictions:
    """Fit and predict with the four methods on one regression."""
    scores: dict[str, Array] = {}
    labels: dict[str, Integers] = {}
    ml_mlm = MultiLabelMLM()
    methods: dict[str, DistanceRegressionClassifier] = {
        "ML-MLM": ml_mlm,
        "NN-MLM": NearestNeighborMLM(),
        "LLS-MLM": LocalizationMLM(),
        "BR-MLM": BinaryRelevanceMLM(),
    }
    with listen(watch.hear):
        with watch.step(PhaseName.PREDICTION):
            predicted = regression.predict(split.X_test)
        for name, method in methods.items():
            with watch.step(f"{name} fit"):
                method.fit_from(regression)
            with watch.step(f"{name} scores"):
                if hasattr(method, "decision_function"):
                    scores[name] = method.decision_function(predicted)
            with watch.step(f"{name} labels"):
                labels[name] = method.predict(predicted)
    return Predictions(ml_mlm.power_, scores, labels)


@dataclass(frozen=True)
class Sizes:
    """Everything that the cost depends on."""

    rows: int
    test_rows: int
    features: int
    labels: int
    references: int
    """K, the distinct training inputs."""
    label_vectors: int
    """U, the distinct training label vectors."""
    ones: int
    """Ones in the distinct label vectors."""
    sparse_products: bool
    """Whether the library multiplies by the label vectors as sparse ones."""

    @classmethod
    def of(cls, split: Split) -> Sizes:
        vectors = LabelVectors.of_rows(split.Y_train)
        return cls(
            rows=len(split.X_train),
            test_rows=len(split.X_test),
            features=split.X_train.shape[1],
            labels=vectors.n_labels,
            references=len(distinct_rows(split.X_train).first),
            label_vectors=len(vectors),
            ones=int(vectors.cardinalities.sum()),
            sparse_products=vectors.is_sparse,
        )
