"""Checks of what only runs can show: counts of labels, and single rows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy import stats

from experiments import published
from experiments.analysis.numbers.claims.claim import Finding, check, finding
from experiments.analysis.numbers.claims.rules import FEWEST_ROWS, LEVEL
from experiments.analysis.numbers.metrics import metric_words
from experiments.analysis.numbers.views import MissingError, View
from experiments.published.printing import equal_as_printed
from mlmlm.uncertainty import CATEGORIES, LIMITS, uncertainty_categories


@check
def greedier(view: View, method: str, others: tuple[str, ...]) -> Finding:
    """The method predicts more labels, and more wrong ones, than each other on most datasets."""
    datasets = published.datasets().index
    ours = [_predicted(view, method, name) for name in datasets]
    more = 0
    for name, (labels, wrong) in zip(datasets, ours, strict=True):
        rest = [_predicted(view, other, name) for other in others]
        more += all(labels > each[0] and wrong > each[1] for each in rest)
    text = f"more labels and more false positives than each on {more} of {len(datasets)}"
    return finding(more > len(datasets) / 2, text)


@check
def macro_f1_is_a_harmonic_mean(view: View) -> Finding:
    """The published Macro F1 is the harmonic mean of macro precision and macro recall."""
    printed = published.results_table("macro_f1").loc[published.own_methods()]
    by_text = by_mean = 0
    for method, row in printed.iterrows():
        for dataset, value in row.drop(_replaced(view)).items():
            metrics = view.record(str(method), str(dataset)).metrics
            parts = metrics["macro_precision"], metrics["macro_recall"]
            by_text += equal_as_printed(stats.hmean(parts), value)
            by_mean += equal_as_printed(metrics["macro_f1"], value)
    count = printed.drop(columns=_replaced(view)).size
    text = f"gives {by_text} of {count} printed values; the mean of the labels' F1 {by_mean}"
    return finding(by_text > by_mean, text)


@check
def mostly_extrapolates(view: View, dataset: str) -> Finding:
    """For more than half the test rows the smallest distance is in the highest category."""
    distances = view.arrays("ML-MLM", dataset).get("smallest_distances")
    if distances is None:
        raise MissingError(f"the run of ML-MLM on {dataset} has no distances")
    share = float(np.mean(distances > LIMITS[1]))
    return finding(share > 0.5, f"{share:.1%} of the rows are farther than {LIMITS[1]:.3f}")


@check
def worse_with_distance(view: View, array: str, grows: bool) -> Finding:
    """On every dataset the rows' values get worse with their smallest predicted distance."""
    correlations, p_values = {}, []
    for name in published.datasets().index:
        arrays = view.arrays("ML-MLM", name)
        if array not in arrays:
            raise MissingError(
                f"the run of ML-MLM on {view.actual_dataset(name)} has no {metric_words(array)}"
            )
        pair = (arrays["smallest_distances"], arrays[array])
        side = "greater" if grows else "less"
        outcome = stats.spearmanr(*pair, nan_policy="omit", alternative=side)
        correlations[view.actual_dataset(name)] = float(outcome.statistic)
        p_values.append(float(outcome.pvalue))
    low, high = (f(correlations, key=correlations.__getitem__) for f in (min, max))
    text = f"Spearman from {correlations[low]:.2f} ({low}) to {correlations[high]:.2f} ({high})"
    return finding(max(p_values) < LEVEL, f"{text}, largest one-sided p = {max(p_values):.1e}")


@check
def accuracy_falls_by_category(view: View) -> Finding:
    """On every dataset accuracy falls from low through medium to high uncertainty."""
    rising, compared = [], 0
    for name in published.datasets().index:
        categories = view.record("ML-MLM", name).uncertainty
        if categories is None:
            raise MissingError(f"the record of {view.actual_dataset(name)} has no categories")
        known = [categories[each] for each in CATEGORIES]
        accuracies = [each["accuracy"] for each in known if each["rows"] >= FEWEST_ROWS]
        compared += len(accuracies) > 1
        if any(b >= a for a, b in pairwise(accuracies)):
            shown = ", ".join(f"{each:.3f}" for each in accuracies)
            rising.append(f"{view.actual_dataset(name)} ({shown})")
    text = f"falls on {compared - len(rising)} of {compared}"
    return finding(not rising, f"{text}, not on {', '.join(rising)}" if rising else text)


@check
def accuracy_rises_by_chance_only(view: View) -> Finding:
    """On no dataset is accuracy significantly higher in the category of more uncertainty.

    Welch's tests of the rows' accuracies, one-sided; the smallest p-value is multiplied by their
    number, as Holm's procedure does.
    """
    rises: list[tuple[float, str]] = []
    for name in published.datasets().index:
        arrays = view.arrays("ML-MLM", name)
        if "accuracy_per_row" not in arrays:
            raise MissingError(f"the run of ML-MLM on {view.actual_dataset(name)} has no rows")
        categories = uncertainty_categories(arrays["smallest_distances"])
        rows = [arrays["accuracy_per_row"][categories == each] for each in CATEGORIES]
        known = [each for each in rows if len(each) >= FEWEST_ROWS]
        for before, after in pairwise(known):
            test = stats.ttest_ind(after, before, equal_var=False, alternative="greater")
            label = f"{view.actual_dataset(name)}, {len(before)} and {len(after)} rows"
            rises.append((float(test.pvalue), label))
    if not rises:
        raise MissingError("no dataset has two categories with enough rows")
    p_value, label = min(rises)
    corrected = min(1.0, p_value * len(rises))
    text = (
        f"{len(rises)} pairs; the nearest to a rise, {label}, has one-sided p = {p_value:.2g}, "
        f"{corrected:.2g} corrected"
    )
    return finding(corrected >= LEVEL, text)


# Helpers


def _predicted(view: View, method: str, dataset: str) -> tuple[float, float]:
    """Predicted labels and false positives, both for each relevant label."""
    metrics = view.record(method, dataset).metrics
    precision, recall = metrics["micro_precision"], metrics["micro_recall"]
    if not precision:
        return 0.0, 0.0
    labels = recall / precision
    return labels, labels - recall


def _replaced(view: View) -> list[str]:
    """Datasets of the paper that a view has others for."""
    return [name for name in published.datasets().index if view.actual_dataset(name) != name]
