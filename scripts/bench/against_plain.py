"""The plain transcription of the paper's formulas over ours, phase by phase.

A method's own part is what it needs after the shared regression to score the test rows. For
BR-MLM that includes its share, L + 1 of U + L + 1 columns, of solving and predicting in ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from mlmlm import LocalizationMLM
from mlmlm.progress import PhaseName
from mlmlm.types import Array
from scripts.bench import plain
from scripts.bench.ours import STEPS, Predictions, Sizes, apply_methods, fit_regression
from scripts.bench.report import Bar, Row, format_seconds
from scripts.bench.splits import Split, load_split
from scripts.bench.timing import Seconds, Stopwatch, best_of, best_seconds

SECTION = "plain over ours, time"
SAMPLED_TEST_ROWS = 20


class Comparison(NamedTuple):
    """Steps of the plain run, and of ours, that do the same."""

    what: str
    plain: tuple[str, ...]
    ours: tuple[str, ...]


LLS_OWN_PART = Comparison("LLS-MLM, own part", ("LLS-MLM",), ("LLS-MLM fit", "LLS-MLM scores"))
WHOLE_RUN = Comparison(
    "whole run of four methods",
    (
        PhaseName.REGRESSION,
        PhaseName.PREDICTION,
        PhaseName.TUNING,
        PhaseName.THRESHOLD,
        "ML-MLM",
        "NN-MLM",
        "LLS-MLM",
        "BR-MLM regressions",
        "local RCut",
    ),
    STEPS,
)
COMPARISONS = (
    Comparison(
        "distance regression, with leave-one-out", (PhaseName.REGRESSION,), (PhaseName.REGRESSION,)
    ),
    Comparison("predicted distances", (PhaseName.PREDICTION,), (PhaseName.PREDICTION,)),
    Comparison("ML-MLM, tuning of P", (PhaseName.TUNING,), (PhaseName.TUNING,)),
    Comparison("ML-MLM, threshold", (PhaseName.THRESHOLD,), (PhaseName.THRESHOLD,)),
    Comparison("ML-MLM, scores", ("ML-MLM",), ("ML-MLM scores",)),
    Comparison("NN-MLM, labels", ("NN-MLM",), ("NN-MLM labels",)),
    LLS_OWN_PART,
    Comparison(
        "BR-MLM, own part",
        ("BR-MLM",),
        ("BR-MLM fit", "BR-MLM scores", "BR-MLM share of regression"),
    ),
    Comparison(
        "BR-MLM, a regression per label",
        ("BR-MLM regressions",),
        (PhaseName.REGRESSION, PhaseName.PREDICTION, "BR-MLM fit", "BR-MLM scores"),
    ),
    WHOLE_RUN,
)
BARS = {
    ("yeast", "ML-MLM, tuning of P"): Bar(at_least=10),
    ("enron", "ML-MLM, tuning of P"): Bar(at_least=10),
    ("enron", "BR-MLM, own part"): Bar(at_least=100),
    ("enron", LLS_OWN_PART.what): Bar(at_least=50),
    ("corel5k", LLS_OWN_PART.what): Bar(at_least=200),
    ("yeast", WHOLE_RUN.what): Bar(at_least=20),
    ("enron", WHOLE_RUN.what): Bar(at_least=20),
}


def compare_all_phases(name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """Every phase of every method on one dataset."""
    split = load_split(name)
    tell("the four methods")
    our_seconds, our_predictions = _our_run(split)
    tell("their plain transcription")
    plain_seconds, plain_predictions = _plain_run(split)
    for comparison in COMPARISONS:
        theirs = sum(plain_seconds[step] for step in comparison.plain)
        ours = sum(our_seconds[step] for step in comparison.ours)
        whole = comparison is WHOLE_RUN
        note = _agreement(plain_predictions, our_predictions) if whole else ""
        yield _row(name, comparison.what, theirs, ours, note)


def compare_localization(name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """LLS-MLM's own part where the plain one takes so long that a sample of rows must do."""
    split = load_split(name)
    tell("the regression")
    regression = fit_regression(split, Stopwatch())
    predicted = regression.predict(split.X_test)
    tell("LLS-MLM")
    ours = best_seconds(lambda: LocalizationMLM().fit_from(regression).decision_function(predicted))
    tell("its plain transcription on a sample of test rows")
    sample = predicted.to_label_vectors[:SAMPLED_TEST_ROWS]
    delta, Y = sample[:, regression.label_vectors_.of_row], split.Y_train.astype(np.float64)
    sampled = best_seconds(lambda: plain.localization_scores(delta, Y))
    theirs = sampled * len(predicted) / len(delta)
    note = f"plain: {len(delta)} of {len(predicted)} test rows, scaled by rows"
    yield _row(name, LLS_OWN_PART.what, theirs, ours, note)


def _row(name: str, what: str, theirs: float, ours: float, note: str) -> Row:
    times = f"{format_seconds(theirs)} over {format_seconds(ours)}"
    return Row(
        section=SECTION,
        dataset=name,
        what=what,
        value=theirs / ours,
        bar=BARS.get((name, what)),
        note=f"{times}; {note}" if note else times,
        details={"plain_seconds": theirs, "our_seconds": ours},
    )


def _our_run(split: Split) -> tuple[Seconds, Predictions]:
    predictions: list[Predictions] = []

    def run() -> Seconds:
        watch = Stopwatch()
        regression = fit_regression(split, watch)
        predictions.append(apply_methods(regression, split, watch))
        sizes = Sizes.of(split)
        share = (sizes.labels + 1) / (sizes.label_vectors + sizes.labels + 1)
        shared = (PhaseName.SOLVE, PhaseName.COEFFICIENTS, PhaseName.PREDICTION)
        watch.seconds["BR-MLM share of regression"] = share * sum(
            watch.seconds[step] for step in shared
        )
        return watch.seconds

    return best_of(run), predictions[-1]


def _plain_run(split: Split) -> tuple[Seconds, Predictions]:
    predictions: list[Predictions] = []

    def run() -> Seconds:
        watch = Stopwatch()
        predictions.append(plain_methods(split, watch))
        return watch.seconds

    return best_of(run), predictions[-1]


def plain_methods(split: Split, watch: Stopwatch) -> Predictions:
    """The four methods by the plain transcription, step by step."""
    with watch.step(PhaseName.REGRESSION):
        regression = plain.Regression(split.X_train, split.Y_train)
        left_out = regression.leave_one_out()
    Y = regression.Y
    with watch.step(PhaseName.PREDICTION):
        inputs = regression.input_distances(split.X_test)
        delta = inputs @ regression.B
    with watch.step(PhaseName.TUNING):
        power = plain.tune_power(left_out, Y)
    with watch.step(PhaseName.THRESHOLD):
        left_out_scores = plain.weighted_scores(left_out, Y, power)
        threshold = plain.cardinality_threshold(left_out_scores, int(Y.sum()))
    scores: dict[str, Array] = {}
    with watch.step("ML-MLM"):
        scores["ML-MLM"] = plain.weighted_scores(delta, Y, power)
        ml_mlm_labels = scores["ML-MLM"] > threshold
    with watch.step("NN-MLM"):
        nearest = plain.nearest_labels(delta, Y)
    with watch.step("LLS-MLM"):
        scores["LLS-MLM"] = plain.localization_scores(delta, Y)
    with watch.step("BR-MLM"):
        plain.binary_relevance_scores(regression, inputs, one_regression_each=False)
    with watch.step("BR-MLM regressions"):
        scores["BR-MLM"] = plain.binary_relevance_scores(
            regression, inputs, one_regression_each=True
        )
    with watch.step("local RCut"):
        cut = {name: plain.local_rcut(scores[name], nearest) for name in ("LLS-MLM", "BR-MLM")}
    labels = {"ML-MLM": ml_mlm_labels, "NN-MLM": nearest} | cut
    return Predictions(
        power, scores, {name: values.astype(np.int64) for name, values in labels.items()}
    )


def _agreement(theirs: Predictions, ours: Predictions) -> str:
    """How far the two are from each other, in words."""
    if theirs.power != ours.power:
        return f"P is {theirs.power:.4g} plain, {ours.power:.4g} ours"
    difference = max(
        float(np.abs(theirs.scores[name] - scores).max()) for name, scores in ours.scores.items()
    )
    return f"same P, scores differ by at most {difference:.0e}"
