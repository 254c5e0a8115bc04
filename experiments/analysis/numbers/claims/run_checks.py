"""Checks of what only runs can show: counts of labels, single rows, seconds, refits, curves.

Seconds are those of a study's runs. Of their phases, those in `DECOMPOSITION` are the cubic step,
`DISTANCES` is the prediction of distances, both done once for all methods; what a method adds to
them is its own. Short phases say little, so costs are compared on the large datasets. The machine
may have done other work at times, so one duration is longer than another only if it is so by a
factor of two, and seconds can bear out how a cost grows, but not refute it.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
from scipy import stats

from experiments import published
from experiments.analysis.numbers.claims.claim import Finding, Verdict, check, finding
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
from experiments.published.printing import equal_as_printed
from mlmlm.uncertainty import CATEGORIES, LIMITS

DECOMPOSITION = ("gram", "cholesky", "leverage")
DISTANCES = "predicted distances"
TRAINING = ("fit", "tuning", "threshold")
PREDICTION = ("prediction",)
LARGE = 4000
"""Training rows from which on a dataset is large."""
CLEARLY = 2.0
"""How many times as long a duration must be to be the longer one."""
FEWEST_ROWS = 30
"""Of a category of uncertainty, to compare its accuracy with another's."""


# Labels and rows


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
    correlations = {}
    for name in published.datasets().index:
        arrays = view.arrays("ML-MLM", name)
        if array not in arrays:
            raise MissingError(
                f"the run of ML-MLM on {view.actual_dataset(name)} has no {metric_words(array)}"
            )
        pair = (arrays["smallest_distances"], arrays[array])
        outcome = stats.spearmanr(*pair, nan_policy="omit")
        correlations[view.actual_dataset(name)] = float(outcome.statistic)
    low, high = (f(correlations, key=correlations.__getitem__) for f in (min, max))
    text = f"Spearman from {correlations[low]:.2f} ({low}) to {correlations[high]:.2f} ({high})"
    holds = correlations[low] > 0 if grows else correlations[high] < 0
    return finding(holds, text)


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


# Refits


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
            if not (local < half if lower_is_better(metric) else local > half):
                failing.append(
                    f"{metric_words(metric)} of {method} ({local:.3f} against {half:.3f})"
                )
    count = len(methods) * len(metrics)
    text = f"better in {count - len(failing)} of {count}, {len(view.cuts())} datasets"
    return finding(not failing, f"{text}; not {', '.join(failing)}" if failing else text)


@check
def local_rcut_predicts_fewer(view: View) -> Finding:
    """In the mean of the small datasets ML-MLM predicts fewer labels with local RCut."""
    cuts = _mean_cuts(view)[PREDICTED_CARDINALITY]
    local, cardinality = cuts["ML-MLM", LOCAL_RCUT], cuts["ML-MLM", BY_CARDINALITY]
    more = [
        name
        for name, of_dataset in view.cuts().items()
        if of_dataset.values.at[("ML-MLM", LOCAL_RCUT), PREDICTED_CARDINALITY]
        >= of_dataset.values.at[("ML-MLM", BY_CARDINALITY), PREDICTED_CARDINALITY]
    ]
    text = f"{local:.3f} against {cardinality:.3f} labels, {len(view.cuts())} datasets"
    return finding(local < cardinality, f"{text}; more on {', '.join(more)}" if more else text)


# Yeast's test ranking loss as a function of P


@check
def best_power_on_yeast(view: View, power: int) -> Finding:
    """The test ranking loss is smallest at this power, to the nearest integer."""
    curve, without = view.yeast_powers().with_ridge, view.yeast_powers().without_ridge
    best = curve.idxmin()
    text = (
        f"{curve.min():.5f} at P = {best:.3g}, {curve[power]:.5f} at {power}; without the "
        f"ridge, as in Algorithm 1, smallest at P = {without.idxmin():.3g}"
    )
    return finding(round(best) == power, text)


@check
def falls_before_the_best_power(view: View) -> Finding:
    """Up to the smallest loss a larger whole power never has a larger loss."""
    curve = view.yeast_powers().with_ridge.sort_index()
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
    curve = view.yeast_powers().with_ridge.sort_index()
    rise = curve.iloc[-1] / curve.min() - 1
    text = f"{curve.min():.4f} at its smallest, {curve.iloc[-1]:.4f} at P = {curve.index[-1]:g}"
    return finding(0 < rise <= at_most, f"{text}: {rise:+.1%}")


# Costs


@check
def decomposition_is_cubic(view: View, margin: float) -> Finding:
    """The cubic step's seconds grow with the third power of the rows, within a margin."""
    rows = view.data("n_train")[_large(view)]
    seconds = [_seconds(view, "ML-MLM", name, DECOMPOSITION) for name in rows.index]
    exponent = np.polyfit(np.log(rows.to_numpy(float)), np.log(seconds), 1)[0]
    text = f"seconds grow as N^{exponent:.2f}, {len(rows)} datasets of {LARGE} rows or more"
    return _borne_out(bool(abs(exponent - 3) <= margin), text)


@check
def decomposition_ignores_labels(view: View, factor: float) -> Finding:
    """The cubic step's seconds over K^3 are alike whatever the number of labels."""
    names = _large(view)
    references = view.data("n_train") - view.data("duplicate_training_rows")
    labels = view.data("n_labels")[names]
    rates = [
        _seconds(view, "ML-MLM", name, DECOMPOSITION) / references[name] ** 3 for name in names
    ]
    spread = max(rates) / min(rates)
    sizes = f"L from {labels.min():.0f} to {labels.max():.0f}"
    text = f"seconds over K^3 vary by a factor of {spread:.2f}, {sizes}"
    return _borne_out(spread <= factor, text)


@check
def one_decomposition_per_label(view: View, method: str) -> Finding:
    """The method's own training takes longer than one decomposition, as one per label would."""
    own = _by_dataset(view, _large(view), method, TRAINING)
    shared = _by_dataset(view, _large(view), method, DECOMPOSITION)
    return _longer(own, shared, "own training", "one decomposition")


@check
def slowest_in(
    view: View, phases: tuple[str, ...], method: str, methods: tuple[str, ...]
) -> Finding:
    """On every large dataset the method's own part takes longer than each other method's."""
    own, others = _own_and_others(view, phases, method, methods)
    return _longer(own, others.max(axis=1), method, "the slowest other")


@check
def fastest_in(
    view: View, phases: tuple[str, ...], method: str, methods: tuple[str, ...]
) -> Finding:
    """On every large dataset the method's own part takes less time than each other method's."""
    own, others = _own_and_others(view, phases, method, methods)
    return _longer(others.min(axis=1), own, "the fastest other", method)


@check
def distances_take_longer(view: View, method: str, times: float = 1) -> Finding:
    """On every large dataset distances take so many times as long as the method's own part."""
    common = _by_dataset(view, _large(view), method, (DISTANCES,))
    own = _by_dataset(view, _large(view), method, PREDICTION)
    return _longer(common, times * own, "distances", _times("own part", times))


@check
def own_prediction_dominates(view: View, method: str, fewest_labels: int) -> Finding:
    """With many labels the method's own part takes longer than predicting distances."""
    names = _many_labels(view, fewest_labels)
    own = _by_dataset(view, names, method, PREDICTION)
    common = _by_dataset(view, names, method, (DISTANCES,))
    return _longer(own, common, "own part", "distances")


@check
def lighter_in_prediction(view: View, method: str, than: str, fewest_labels: int) -> Finding:
    """With many labels the first method's own part takes less time than the second's."""
    names = _many_labels(view, fewest_labels)
    ours = _by_dataset(view, names, method, PREDICTION)
    theirs = _by_dataset(view, names, than, PREDICTION)
    return _longer(theirs, ours, than, method)


@check
def step_two_needs_only_relevant_labels(view: View) -> Finding:
    """Step 2, K distances times K by L_u coefficients, takes no more than C_u L_u products."""
    vectors, cardinality = view.data("unique_label_vectors"), view.data("cardinality")
    needed, claimed = view.data("n_train") * vectors, cardinality * vectors
    name = (needed / claimed).idxmin()
    text = (
        f"at least {needed[name] / claimed[name]:.0f} times as many ({name}, "
        f"{needed[name]:,.0f} against {claimed[name]:,.0f}); C_u L_u is the cost of step 3"
    )
    return finding(bool((needed <= claimed).all()), text)


@check
def label_models_fit_the_bound(view: View) -> Finding:
    """L models, each at the N^2 that a prediction of distances costs, are no more than L^2 N."""
    times = view.data("n_train") / view.data("n_labels")
    text = (
        f"L models at N^2 each are L N^2, {times.min():.0f} ({times.idxmin()}) to "
        f"{times.max():.0f} ({times.idxmax()}) times L^2 N; a label has two distinct outputs "
        "only, so 2 L N do"
    )
    return finding(bool((times <= 1).all()), text)


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


def _cuts_of(view: View, dataset: str) -> Cuts:
    cuts = view.cuts()
    if dataset not in cuts:
        raise MissingError(f"no scores of {dataset} cut in other ways: `{COMMAND}`")
    return cuts[dataset]


def _mean_cuts(view: View) -> pd.DataFrame:
    tables = [each.values for each in view.cuts().values()]
    return pd.concat(tables).groupby(level=["method", "rule"]).mean()


def _large(view: View) -> list[str]:
    rows = view.data("n_train")
    return list(rows.index[rows >= LARGE])


def _many_labels(view: View, fewest: int) -> list[str]:
    labels = view.data("n_labels")
    return list(labels.index[labels >= fewest])


def _seconds(view: View, method: str, dataset: str, phases: tuple[str, ...]) -> float:
    record = view.record(method, dataset)
    return sum(phase.seconds for phase in record.phases if phase.name in phases)


def _by_dataset(view: View, datasets: list[str], method: str, phases: tuple[str, ...]) -> pd.Series:
    seconds = [_seconds(view, method, name, phases) for name in datasets]
    return pd.Series(seconds, index=[view.actual_dataset(name) for name in datasets])


def _own_and_others(
    view: View, phases: tuple[str, ...], method: str, methods: tuple[str, ...]
) -> tuple[pd.Series, pd.DataFrame]:
    """Seconds of a method and, by dataset and method, of the others."""
    names = _large(view)
    others = {
        other: _by_dataset(view, names, other, phases) for other in methods if other != method
    }
    return _by_dataset(view, names, method, phases), pd.DataFrame(others)


def _longer(long: pd.Series, short: pd.Series, long_name: str, short_name: str) -> Finding:
    """Whether the first durations are longer than the second on every dataset.

    Where they are by less than `CLEARLY`, or would have to be by that much more, it stays open.
    """
    if long.empty:
        raise MissingError("no dataset is large enough")
    ratios = long / short
    name = ratios.idxmin()
    text = f"{name}: {long_name} {long[name]:.3g} s, {short_name} {short[name]:.3g} s"
    if 1 / CLEARLY < ratios[name] < CLEARLY:
        return Finding(Verdict.OPEN, f"{text}, too close to tell")
    return finding(bool(ratios[name] >= CLEARLY), f"{text}, {len(ratios)} datasets")


def _borne_out(holds: bool, text: str) -> Finding:
    """A finding from durations that other work on the machine may have spoilt."""
    if holds:
        return finding(True, text)
    return Finding(Verdict.OPEN, f"{text}; seconds alone do not refute it")


def _times(name: str, times: float) -> str:
    return name if times == 1 else f"{times:g} times {name}"
