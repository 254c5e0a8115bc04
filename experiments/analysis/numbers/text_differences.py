"""Where the paper's text and its tables differ, or the text leaves open what the tables decide.

The evidence of each is counted here: how many cells agree under the reading that we follow, and
under the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from experiments.analysis.numbers.results import StudyResults
from experiments.comparison import record_cells
from experiments.published.printing import equal_as_printed
from experiments.record import Record


class Difference(NamedTuple):
    """One point: what the text says, what the tables show, and the evidence for it."""

    point: str
    text: str
    tables: str
    evidence: str


def differences(results: StudyResults) -> list[Difference]:
    """Every point, with the evidence that the records allow."""
    return [
        Difference(
            "Coverage",
            "counts positions from 1",
            "count from 0",
            _readings(results, "coverage", lambda record: record.metrics["coverage"] + 1),
        ),
        Difference(
            "Macro F1",
            "harmonic mean of macro precision and macro recall",
            "mean of the labels' F1",
            _readings(results, "macro_f1", _harmonic_macro_f1),
        ),
        Difference(
            "Precision and recall",
            "the names of micro precision and recall are exchanged",
            "only their F1 is printed",
            "F1 is symmetric in the two: " + _agreement(results, ["micro_f1"]),
        ),
        Difference(
            "Rows without labels",
            "accuracy of two empty sets is 0/0, ranking metrics divide by 0",
            "accuracy 1; the rows are left out of ranking metrics",
            _empty_rows(results),
        ),
        Difference(
            "Equal scores",
            "no rule",
            "the label that comes first in the ARFF header ranks first",
            _under_variant(results, "XML label order"),
        ),
        Difference(
            "Saturated scores",
            "weights are real numbers",
            "double precision, in which scores reach 1 and tie",
            _chosen_powers(results, "log-odds ranking"),
        ),
        Difference(
            "Overflow",
            "not mentioned",
            "a row whose weights overflow has no scores",
            _under_variant(results, "published overflow"),
        ),
        Difference(
            "Dependent labels",
            "least squares, without saying which solution",
            "the basic solution of QR with column pivoting",
            _under_variant(results, "minimum-norm least squares"),
        ),
        Difference(
            "Sign of distances",
            "distances, which cannot be negative",
            "NN-MLM and the table of distances take the smallest signed prediction; ML-MLM weights "
            "absolute ones",
            _negative_distances(results),
        ),
    ]


def _readings(results: StudyResults, metric: str, other: Callable[[Record], float]) -> str:
    """Cells of a metric that agree as computed, and under the text's reading."""
    ours, text, cells = 0, 0, 0
    for record in results.records:
        for cell in record_cells(record):
            if cell.metric == metric and cell.published is not None:
                cells += 1
                ours += bool(cell.agrees)
                text += equal_as_printed(other(record), cell.published)
    if not cells:
        return "missing"
    return f"{ours} of {cells} cells agree as the tables have it, {text} as the text has it"


def _harmonic_macro_f1(record: Record) -> float:
    precision, recall = record.metrics["macro_precision"], record.metrics["macro_recall"]
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _agreement(results: StudyResults, metrics: Sequence[str]) -> str:
    cells = results.mean_cells
    cells = cells[cells["metric"].isin(metrics) & cells["published"].notna()]
    return f"{int(cells['agrees'].astype(bool).sum())} of {len(cells)} cells agree"


def _empty_rows(results: StudyResults) -> str:
    """Accuracy where two empty sets count 1, and where they would count 0."""
    found = [
        _accuracy_of_empty_as_0(record, results)
        for record in results.records
        if record.data.get("audit", {}).get("unlabelled_test_rows")
    ]
    return "; ".join(sorted({each for each in found if each})) or "missing"


def _accuracy_of_empty_as_0(record: Record, results: StudyResults) -> str | None:
    arrays = results.arrays(record.dataset, record.method)
    if not {"accuracy_per_row", "ranking_loss_per_row"} <= arrays.keys():
        return None
    accuracy = arrays["accuracy_per_row"]
    # Only a row without labels has no ranking loss.
    otherwise = np.where(np.isnan(arrays["ranking_loss_per_row"]), 0.0, accuracy).mean()
    printed = next((c.published for c in record_cells(record) if c.metric == "accuracy"), None)
    if printed is None:
        return None
    return (
        f"{record.published_as} on {record.dataset}: printed {printed:.3f}, as 1 "
        f"{accuracy.mean():.3f}, as 0 {otherwise:.3f}"
    )


def _under_variant(results: StudyResults, variant: str) -> str:
    """Cells that agree with and without a variant, where it was run and changes a value."""
    words, unchanged = [], []
    for other in (record for record in results.variants if record.variant == variant):
        name = f"{other.published_as} on {other.dataset}"
        default = _default_of(other, results)
        if default is None:
            continue
        if default.metrics == other.metrics:
            unchanged.append(name)
        else:
            words.append(
                f"{name}: {_count(default)} cells agree by default, {_count(other)} under {variant}"
            )
    if unchanged:
        words.append(f"no value changes for {', '.join(unchanged)}")
    return "; ".join(words) or "missing"


def _default_of(variant: Record, results: StudyResults) -> Record | None:
    """The study's own run of the method that a variant is of."""
    key = variant.dataset, variant.published_as
    found = (each for each in results.records if (each.dataset, each.published_as) == key)
    return next(found, None)


def _count(record: Record) -> str:
    agrees = [c.agrees for c in record_cells(record) if c.table == "results" and c.published]
    return f"{sum(map(bool, agrees))} of {len(agrees)}"


def _chosen_powers(results: StudyResults, variant: str) -> str:
    """Powers chosen by default and under a variant, where they differ."""
    return "; ".join(_powers_that_differ(results, variant)) or (
        "the same P under log-odds wherever both were run" if results.variants else "missing"
    )


def _powers_that_differ(results: StudyResults, variant: str) -> Iterator[str]:
    for other in (record for record in results.variants if record.variant == variant):
        mine = results.record(other.dataset, "ml_mlm")
        if mine is None or mine.chosen["power"] == other.chosen["power"]:
            continue
        score, odds = (np.log2(record.chosen["power"]) for record in (mine, other))
        yield f"P on {other.dataset}: 2^{score:.1f} by scores, 2^{odds:.1f} by log-odds"


def _negative_distances(results: StudyResults) -> str:
    """Test rows whose smallest predicted distance is negative."""
    counts = {}
    for record in results.records:
        if record.published_as == "NN-MLM":
            smallest = results.arrays(record.dataset, record.method).get("smallest_distances")
            if smallest is not None:
                counts[record.dataset] = int((smallest < 0).sum())
    if not counts:
        return "missing"
    total = sum(counts.values())
    return (
        f"{total:,} test rows on {sum(map(bool, counts.values()))} of {len(counts)} datasets have "
        f"a negative smallest distance, and {_nearest_agreement(results)}"
    )


def _nearest_agreement(results: StudyResults) -> str:
    cells = results.mean_cells
    cells = cells[(cells["published_as"] == "NN-MLM") & cells["published"].notna()]
    return f"{int(cells['agrees'].astype(bool).sum())} of {len(cells)} cells of NN-MLM agree"
