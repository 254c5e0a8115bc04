"""Checks of what `experiments.refits` computes beside the runs."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from experiments import published
from experiments.analysis.numbers import refits
from experiments.analysis.numbers.claims.claim import Finding, check, finding
from experiments.analysis.numbers.claims.rules import FEWEST_ROWS, LEVEL
from experiments.analysis.numbers.claims.vocabulary import ML, NN
from experiments.analysis.numbers.metrics import lower_is_better, metric_words
from experiments.analysis.numbers.refits import (
    BY_CARDINALITY,
    COMMAND,
    HALF,
    LOCAL_RCUT,
    PREDICTED_CARDINALITY,
    Cuts,
)
from experiments.analysis.numbers.views import MissingError, View

# The same scores cut in other ways


@check
def nearest_has_the_weight(view: View, share: float, dataset: str) -> Finding:
    """At least this share of ML-MLM's weight is the nearest label vector's, in the mean."""
    found = _cuts_of(view, dataset).nearest_share
    return finding(found >= share, f"mean share {found:.4f}")


@check
def equals_nearest_with_local_rcut(view: View, dataset: str, metrics: tuple[str, ...]) -> Finding:
    """With local RCut ML-MLM has the values of NN-MLM."""
    rows = _cuts_of(view, dataset).values[list(metrics)]
    difference = (rows.loc["ML-MLM", LOCAL_RCUT] - rows.loc["NN-MLM", LOCAL_RCUT]).abs()
    return finding(bool(difference.max() == 0), f"largest difference {difference.max():.3g}")


@check
def local_rcut_beats_half(
    view: View, methods: tuple[str, ...], metrics: tuple[str, ...]
) -> Finding:
    """In the mean of the small datasets local RCut is better than a threshold of 0.5."""
    cuts = _mean_cuts(view)
    failing = []
    for method in methods:
        for metric in metrics:
            local, half = (cuts.at[(method, rule), metric] for rule in (LOCAL_RCUT, HALF))
            if not _better(local, half, metric):
                failing.append(
                    f"{metric_words(metric)} of {method} ({local:.3f} against {half:.3f})"
                )
    count = len(methods) * len(metrics)
    text = f"better in {count - len(failing)} of {count}, {len(view.refit(refits.cuts))} datasets"
    return finding(not failing, f"{text}; not {', '.join(failing)}" if failing else text)


@check
def local_rcut_predicts_fewer(view: View) -> Finding:
    """In the mean of the small datasets ML-MLM predicts fewer labels with local RCut."""
    cuts = _mean_cuts(view)[PREDICTED_CARDINALITY]
    local, cardinality = cuts["ML-MLM", LOCAL_RCUT], cuts["ML-MLM", BY_CARDINALITY]
    more = [
        name
        for name, of_dataset in view.refit(refits.cuts).items()
        if of_dataset.values.at[("ML-MLM", LOCAL_RCUT), PREDICTED_CARDINALITY]
        >= of_dataset.values.at[("ML-MLM", BY_CARDINALITY), PREDICTED_CARDINALITY]
    ]
    text = f"{local:.3f} against {cardinality:.3f} labels, {len(view.refit(refits.cuts))} datasets"
    return finding(local < cardinality, f"{text}; more on {', '.join(more)}" if more else text)


@check
def local_rcut_predicts_fewer_on_each(view: View) -> Finding:
    """On each of the datasets ML-MLM predicts fewer labels with local RCut."""
    fewer = {
        name: each.values.at[(ML, BY_CARDINALITY), PREDICTED_CARDINALITY]
        - each.values.at[(ML, LOCAL_RCUT), PREDICTED_CARDINALITY]
        for name, each in view.refit(refits.cuts).items()
    }
    text = ", ".join(f"{name} {difference:.3f}" for name, difference in fewer.items())
    return finding(min(fewer.values()) > 0, f"fewer labels: {text}")


@check
def local_rcut_beats_half_on_most(
    view: View, methods: tuple[str, ...], metrics: tuple[str, ...]
) -> Finding:
    """In the mean of the datasets local RCut is better on more than half the metrics of each."""
    cuts = _mean_cuts(view)
    won = {
        method: sum(
            _better(cuts.at[(method, LOCAL_RCUT), metric], cuts.at[(method, HALF), metric], metric)
            for metric in metrics
        )
        for method in methods
    }
    text = ", ".join(f"{method} {count} of {len(metrics)}" for method, count in won.items())
    return finding(min(won.values()) > len(metrics) / 2, f"better: {text}")


@check
def gains_at_most_with_local_rcut(
    view: View, gain: float, dataset: str, metrics: tuple[str, ...]
) -> Finding:
    """With local RCut for both, ML-MLM is better than NN-MLM by no more than the gain."""
    rows = _cuts_of(view, view.actual_dataset(dataset)).values
    ours, theirs = rows.loc[(ML, LOCAL_RCUT)], rows.loc[(NN, LOCAL_RCUT)]
    gains = {
        metric: float(ours[metric] - theirs[metric]) * (-1 if lower_is_better(metric) else 1)
        for metric in metrics
    }
    text = ", ".join(f"{metric_words(metric)} {each:+.3f}" for metric, each in gains.items())
    return finding(max(gains.values()) <= gain, f"gains: {text}")


@check
def threshold_takes(view: View, methods: tuple[str, ...], share: float) -> Finding:
    """The cardinality-based threshold takes such a share of the training seconds, on most."""
    shares = {
        (method, name): each.threshold_seconds[method] / each.training_seconds
        for name, each in view.refit(refits.cuts).items()
        for method in methods
    }
    above = [key for key, each in shares.items() if each >= share]
    low, high = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
    text = (
        f"{share} or more in {len(above)} of {len(shares)}: from {shares[low]:.2g} "
        f"({', '.join(low)}) to {shares[high]:.2g} ({', '.join(high)})"
    )
    return finding(len(above) > len(shares) / 2, text)


# New label sets


@check
def predicts_new_label_sets(view: View, method: str, unlike: str) -> Finding:
    """The method predicts label sets that training does not have, and the other one does not."""
    table = view.refit(refits.label_sets)
    ours = table.xs(method, level="method")
    theirs = int(table.xs(unlike, level="method")["new"].sum())
    text = _counted_new(ours) + f"; {unlike} {theirs}"
    return finding(bool(ours["new"].sum() > 0) and theirs == 0, text)


@check
def new_label_sets_are_better(view: View, method: str) -> Finding:
    """Where it predicts a new label set, that is more accurate than the nearest known one.

    On every dataset where it does so for enough rows to tell.
    """
    ours = view.refit(refits.label_sets).xs(method, level="method")
    ours = ours[ours["new"] >= FEWEST_ROWS]
    gains = ours["accuracy_of_new"] - ours["accuracy_of_nearest"]
    text = ", ".join(f"{name} {gain:+.3f}" for name, gain in gains.items())
    return finding(bool((gains > 0).all()), f"accuracy on these rows over that of NN-MLM: {text}")


# The multilateration problem


@check
def solves_multilateration(view: View, method: str, share: float) -> Finding:
    """On every dataset the method's label set solves the problem for this share of the rows."""
    ours = view.refit(refits.multilateration).xs(method, level="method")
    shares = ours["solves"] / ours["test_rows"]
    text = ", ".join(f"{name} {each:.1%}" for name, each in shares.items())
    return finding(bool((shares >= share).all()), f"{method} solves it for: {text}")


@check
def solves_multilateration_as_often(view: View, method: str, other: str, within: float) -> Finding:
    """On every dataset the two methods solve the problem for shares of rows within this."""
    table = view.refit(refits.multilateration)
    shares = (table["solves"] / table["test_rows"]).unstack()
    differences = (shares[method] - shares[other]).abs()
    text = ", ".join(f"{name} {each:.3f}" for name, each in differences.items())
    return finding(bool((differences <= within).all()), f"differences of the shares: {text}")


# Leaving a row out


@check
def closed_form_is_exact(view: View, within: float) -> Finding:
    """The closed form gives the distances of a fit without each row's equation."""
    found = view.refit(refits.leave_one_out)
    text = ", ".join(f"{name} {each.largest_difference:.1e}" for name, each in found.items())
    largest = max(each.largest_difference for each in found.values())
    return finding(largest <= within, f"largest difference of distances: {text}")


@check
def closed_form_chooses_as_refits(view: View) -> Finding:
    """It chooses the power that fits without each row choose."""
    found = view.refit(refits.leave_one_out)
    text = "; ".join(
        f"{name}: 2^{math.log2(each.closed.power):.1f} (leave-one-out loss "
        f"{each.closed.losses.min():.3f}, on the test set {each.closed.test_ranking_loss:.3f}), by "
        f"refits 2^{math.log2(each.refits.power):.1f} ({each.refits.losses.min():.3f}, "
        f"{each.refits.test_ranking_loss:.3f})"
        for name, each in found.items()
    )
    return finding(all(e.closed.power == e.refits.power for e in found.values()), text)


@check
def closed_form_does_as_well(view: View, within: float) -> Finding:
    """On the test sets its choice is as good as that of fits without each row."""
    found = view.refit(refits.leave_one_out)
    differences = {
        name: (
            each.closed.test_ranking_loss - each.refits.test_ranking_loss,
            each.refits.test_accuracy - each.closed.test_accuracy,
        )
        for name, each in found.items()
    }
    text = "; ".join(
        f"{name}: ranking loss {loss:+.4f}, accuracy {-accuracy:+.4f}"
        for name, (loss, accuracy) in differences.items()
    )
    holds = all(max(pair) <= within for pair in differences.values())
    return finding(holds, f"over that of refits: {text}")


# Rounding


@check
def rounding_changes_nothing(view: View) -> Finding:
    """Powers and labels are the same with more threads and with the features in other orders."""
    table = view.refit(refits.rounding)
    powers = table.groupby(level="dataset")["power"].nunique()
    labels = table["labels_that_differ"].groupby(level="dataset").max()
    text = (
        f"{len(table)} fits of {len(powers)} datasets: {int(powers.sum())} powers, at the most "
        f"{labels.max()} labels differ, scores by {table['largest_difference_of_scores'].max():.0e}"
    )
    return finding(bool((powers == 1).all() and (labels == 0).all()), text)


@check
def exact_arithmetic_chooses_the_same(view: View) -> Finding:
    """Log-odds, which do not round to ties, choose the powers that scores choose."""
    table = view.refit(refits.rounding).groupby(level="dataset").first()
    unlike = table[table["power"] != table["power_by_log_odds"]]
    text = "; ".join(
        f"{name}: 2^{math.log2(row['power']):.1f} by scores (loss {row['loss']:.6f}), "
        f"2^{math.log2(row['power_by_log_odds']):.1f} by log-odds ({row['loss_by_log_odds']:.6f})"
        for name, row in unlike.iterrows()
    )
    return finding(unlike.empty, text or f"the same on {len(table)} datasets")


# Distances to the data


@check
def far_from_the_inputs(view: View, at_least: float) -> Finding:
    """On every dataset the smallest predicted distance grows with that to the nearest input."""
    table = view.refit(refits.nearest_inputs)
    names = [view.actual_dataset(name) for name in published.datasets().index]
    lacking = [name for name in names if name not in table.index]
    if lacking:
        raise MissingError(f"no distances to the inputs of {', '.join(lacking)}: `{COMMAND}`")
    table = table.loc[names]
    low, high = table["spearman"].idxmin(), table["spearman"].idxmax()
    text = (
        f"Spearman from {table.at[low, 'spearman']:.2f} ({low}) to "
        f"{table.at[high, 'spearman']:.2f} ({high}), median {table['spearman'].median():.2f}, "
        f"largest one-sided p = {table['p_value'].max():.1e}"
    )
    holds = bool((table["p_value"] < LEVEL).all() and (table["spearman"] >= at_least).all())
    return finding(holds, text)


# Yeast's test ranking loss as a function of P


@check
def best_power_on_yeast(view: View, power: int) -> Finding:
    """The test ranking loss is smallest at this power, to the nearest integer."""
    powers = view.refit(refits.yeast_powers)
    curve, without = powers.with_ridge, powers.without_ridge
    best = curve.idxmin()
    text = (
        f"{curve.min():.5f} at P = {best:.3g}, {curve[power]:.5f} at {power}; without the "
        f"ridge, as in Algorithm 1, smallest at P = {without.idxmin():.3g}"
    )
    return finding(round(best) == power, text)


@check
def falls_before_the_best_power(view: View) -> Finding:
    """Up to the smallest loss a larger whole power never has a larger loss."""
    curve = view.refit(refits.yeast_powers).with_ridge.sort_index()
    before = curve[[power for power in curve.index if float(power).is_integer()]]
    before = before[: before.idxmin()]
    rises = before.index[1:][np.diff(before) > 0]
    text = f"{before.iloc[0]:.4f} at P = {before.index[0]:g} to {before.iloc[-1]:.4f}"
    if len(rises):
        text += f"; rises at P = {', '.join(f'{power:.3g}' for power in rises)}"
    return finding(not len(rises), text)


@check
def rises_after_the_best_power(view: View, at_most: float) -> Finding:
    """At the largest power the loss is larger than the smallest, by no more than this share."""
    curve = view.refit(refits.yeast_powers).with_ridge.sort_index()
    rise = curve.iloc[-1] / curve.min() - 1
    text = f"{curve.min():.4f} at its smallest, {curve.iloc[-1]:.4f} at P = {curve.index[-1]:g}"
    return finding(0 < rise <= at_most, f"{text}: {rise:+.1%}")


# Helpers


def _cuts_of(view: View, dataset: str) -> Cuts:
    cuts = view.refit(refits.cuts)
    if dataset not in cuts:
        raise MissingError(f"no scores of {dataset} cut in other ways: `{COMMAND}`")
    return cuts[dataset]


def _mean_cuts(view: View) -> pd.DataFrame:
    tables = [each.values for each in view.refit(refits.cuts).values()]
    return pd.concat(tables).groupby(level=["method", "rule"]).mean()


def _better(one: float, other: float, metric: str) -> bool:
    return one < other if lower_is_better(metric) else one > other


def _counted_new(table: pd.DataFrame) -> str:
    """Of the rows of a method, how many new label sets there are, and how many are right."""
    columns = ("new", "new_and_right", "new_in_test", "test_rows")
    new, right, in_test, rows = (int(table[name].sum()) for name in columns)
    by_dataset = ", ".join(f"{name} {count}" for name, count in table["new"].items())
    return (
        f"{new} of {rows} test rows get a new label set ({by_dataset}), {right} of these the "
        f"right one; {in_test} have one in truth"
    )
