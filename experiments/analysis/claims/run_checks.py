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
from experiments.analysis.claims.claim import Check, Finding, Verdict, finding
from experiments.analysis.claims.evidence import Evidence, MissingError, paper_datasets, words
from experiments.analysis.claims.refits import (
    BY_CARDINALITY,
    HALF,
    LOCAL_RCUT,
    PREDICTED_CARDINALITY,
    Refit,
)
from experiments.comparison import TOLERANCES
from mlmlm.metrics import METRICS
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


def greedier(method: str, others: tuple[str, ...]) -> Check:
    """The method predicts more labels, and more wrong ones, than each other on most datasets."""

    def check(evidence: Evidence) -> Finding:
        datasets = paper_datasets()
        ours = [_predicted(evidence, method, name) for name in datasets]
        more = 0
        for name, (labels, wrong) in zip(datasets, ours, strict=True):
            rest = [_predicted(evidence, other, name) for other in others]
            more += all(labels > each[0] and wrong > each[1] for each in rest)
        text = f"more labels and more false positives than each on {more} of {len(datasets)}"
        return finding(more > len(datasets) / 2, text)

    return check


def macro_f1_is_a_harmonic_mean() -> Check:
    """The published Macro F1 is the harmonic mean of macro precision and macro recall."""

    def check(evidence: Evidence) -> Finding:
        printed = published.results_table("macro_f1").loc[published.own_methods()]
        by_text = by_mean = 0
        for method, row in printed.iterrows():
            for dataset, value in row.drop(_replaced(evidence)).items():
                metrics = evidence.record(str(method), str(dataset)).metrics
                parts = metrics["macro_precision"], metrics["macro_recall"]
                by_text += abs(stats.hmean(parts) - value) <= TOLERANCES["results"]
                by_mean += abs(metrics["macro_f1"] - value) <= TOLERANCES["results"]
        count = printed.drop(columns=_replaced(evidence)).size
        text = f"gives {by_text} of {count} printed figures; the mean of the labels' F1 {by_mean}"
        return finding(by_text > by_mean, text)

    return check


def mostly_extrapolates(dataset: str) -> Check:
    """For more than half the test rows the smallest distance is in the highest category."""

    def check(evidence: Evidence) -> Finding:
        distances = evidence.arrays("ML-MLM", dataset).get("smallest_distances")
        if distances is None:
            raise MissingError(f"the run of ML-MLM on {dataset} has no distances")
        share = float(np.mean(distances > LIMITS[1]))
        return finding(share > 0.5, f"{share:.1%} of the rows are farther than {LIMITS[1]:.3f}")

    return check


def worse_with_distance(array: str, grows: bool) -> Check:
    """On every dataset the rows' figures get worse with their smallest predicted distance."""

    def check(evidence: Evidence) -> Finding:
        correlations = {}
        for name in paper_datasets():
            arrays = evidence.arrays("ML-MLM", name)
            if array not in arrays:
                raise MissingError(
                    f"the run of ML-MLM on {evidence.spelled(name)} has no {words(array)}"
                )
            pair = (arrays["smallest_distances"], arrays[array])
            outcome = stats.spearmanr(*pair, nan_policy="omit")
            correlations[evidence.spelled(name)] = float(outcome.statistic)
        low, high = (f(correlations, key=correlations.__getitem__) for f in (min, max))
        text = f"Spearman from {correlations[low]:.2f} ({low}) to {correlations[high]:.2f} ({high})"
        holds = correlations[low] > 0 if grows else correlations[high] < 0
        return finding(holds, text)

    return check


def accuracy_falls_by_category() -> Check:
    """On every dataset accuracy falls from low through medium to high uncertainty."""

    def check(evidence: Evidence) -> Finding:
        rising, compared = [], 0
        for name in paper_datasets():
            categories = evidence.record("ML-MLM", name).uncertainty
            if categories is None:
                raise MissingError(f"the record of {evidence.spelled(name)} has no categories")
            known = [categories[each] for each in CATEGORIES]
            accuracies = [each["accuracy"] for each in known if each["rows"] >= FEWEST_ROWS]
            compared += len(accuracies) > 1
            if any(b >= a for a, b in pairwise(accuracies)):
                shown = ", ".join(f"{each:.3f}" for each in accuracies)
                rising.append(f"{evidence.spelled(name)} ({shown})")
        text = f"falls on {compared - len(rising)} of {compared}"
        return finding(not rising, f"{text}, not on {', '.join(rising)}" if rising else text)

    return check


# Refits


def nearest_has_the_weight(share: float, dataset: str) -> Check:
    """At least this share of ML-MLM's weight is the nearest label vector's, in the mean."""

    def check(evidence: Evidence) -> Finding:
        refit = _refit(evidence, dataset)
        return finding(refit.nearest_share >= share, f"mean share {refit.nearest_share:.4f}")

    return check


def equals_nearest_with_local_rcut(dataset: str, metrics: tuple[str, ...]) -> Check:
    """With local RCut ML-MLM has the figures of NN-MLM."""

    def check(evidence: Evidence) -> Finding:
        rows = _refit(evidence, dataset).cuts[list(metrics)]
        difference = (rows.loc["ML-MLM", LOCAL_RCUT] - rows.loc["NN-MLM", LOCAL_RCUT]).abs()
        return finding(bool(difference.max() == 0), f"largest difference {difference.max():.3g}")

    return check


def local_rcut_beats_half(methods: tuple[str, ...], metrics: tuple[str, ...]) -> Check:
    """In the mean of the small datasets local RCut is better than a threshold of 0.5."""

    def check(evidence: Evidence) -> Finding:
        cuts = _mean_cuts(evidence)
        failing = []
        for method in methods:
            for metric in metrics:
                local, half = (cuts.at[(method, rule), metric] for rule in (LOCAL_RCUT, HALF))
                if not (local < half if METRICS[metric].lower_is_better else local > half):
                    failing.append(f"{words(metric)} of {method} ({local:.3f} against {half:.3f})")
        count = len(methods) * len(metrics)
        text = f"better in {count - len(failing)} of {count}, {len(evidence.refits())} datasets"
        return finding(not failing, f"{text}; not {', '.join(failing)}" if failing else text)

    return check


def local_rcut_predicts_fewer() -> Check:
    """In the mean of the small datasets ML-MLM predicts fewer labels with local RCut."""

    def check(evidence: Evidence) -> Finding:
        cuts = _mean_cuts(evidence)[PREDICTED_CARDINALITY]
        local, cardinality = cuts["ML-MLM", LOCAL_RCUT], cuts["ML-MLM", BY_CARDINALITY]
        more = [
            name
            for name, refit in evidence.refits().items()
            if refit.cuts.at[("ML-MLM", LOCAL_RCUT), PREDICTED_CARDINALITY]
            >= refit.cuts.at[("ML-MLM", BY_CARDINALITY), PREDICTED_CARDINALITY]
        ]
        text = f"{local:.3f} against {cardinality:.3f} labels, {len(evidence.refits())} datasets"
        return finding(local < cardinality, f"{text}; more on {', '.join(more)}" if more else text)

    return check


# Yeast's test ranking loss as a function of P


def best_power_on_yeast(power: int) -> Check:
    """The test ranking loss is smallest at this power, to the nearest integer."""

    def check(evidence: Evidence) -> Finding:
        curve = evidence.yeast_power_curve()
        best, without = curve.idxmin(), evidence.yeast_power_curve(ridge=False)
        text = (
            f"{curve.min():.5f} at P = {best:.3g}, {curve[power]:.5f} at {power}; without the "
            f"ridge, as in Algorithm 1, smallest at P = {without.idxmin():.3g}"
        )
        return finding(round(best) == power, text)

    return check


def falls_before_the_best_power() -> Check:
    """Up to the smallest loss a larger whole power never has a larger loss."""

    def check(evidence: Evidence) -> Finding:
        curve = evidence.yeast_power_curve().sort_index()
        before = curve[[power for power in curve.index if float(power).is_integer()]]
        before = before[: before.idxmin()]
        rises = before.index[1:][np.diff(before) > 0]
        text = f"{before.iloc[0]:.4f} at P = {before.index[0]:g} to {before.iloc[-1]:.4f}"
        if len(rises):
            text += f"; rises at P = {', '.join(f'{power:.3g}' for power in rises)}"
        return finding(not len(rises), text)

    return check


def rises_after_the_best_power(at_most: float) -> Check:
    """At the largest power the loss is larger than the smallest, by no more than this share."""

    def check(evidence: Evidence) -> Finding:
        curve = evidence.yeast_power_curve().sort_index()
        rise = curve.iloc[-1] / curve.min() - 1
        text = f"{curve.min():.4f} at its smallest, {curve.iloc[-1]:.4f} at P = {curve.index[-1]:g}"
        return finding(0 < rise <= at_most, f"{text}: {rise:+.1%}")

    return check


# Costs


def decomposition_is_cubic(margin: float) -> Check:
    """The cubic step's seconds grow with the third power of the rows, within a margin."""

    def check(evidence: Evidence) -> Finding:
        rows = evidence.data("n_train")[_large(evidence)]
        seconds = [_seconds(evidence, "ML-MLM", name, DECOMPOSITION) for name in rows.index]
        exponent = np.polyfit(np.log(rows.to_numpy(float)), np.log(seconds), 1)[0]
        text = f"seconds grow as N^{exponent:.2f}, {len(rows)} datasets of {LARGE} rows or more"
        return _borne_out(bool(abs(exponent - 3) <= margin), text)

    return check


def decomposition_ignores_labels(factor: float) -> Check:
    """The cubic step's seconds over K^3 are alike whatever the number of labels."""

    def check(evidence: Evidence) -> Finding:
        names = _large(evidence)
        references = evidence.data("n_train") - evidence.data("duplicate_training_rows")
        labels = evidence.data("n_labels")[names]
        rates = [
            _seconds(evidence, "ML-MLM", name, DECOMPOSITION) / references[name] ** 3
            for name in names
        ]
        spread = max(rates) / min(rates)
        sizes = f"L from {labels.min():.0f} to {labels.max():.0f}"
        text = f"seconds over K^3 vary by a factor of {spread:.2f}, {sizes}"
        return _borne_out(spread <= factor, text)

    return check


def one_decomposition_per_label(method: str) -> Check:
    """The method's own training takes longer than one decomposition, as one per label would."""

    def check(evidence: Evidence) -> Finding:
        own = _by_dataset(evidence, _large(evidence), method, TRAINING)
        shared = _by_dataset(evidence, _large(evidence), method, DECOMPOSITION)
        return _longer(own, shared, "own training", "one decomposition")

    return check


def slowest_in(phases: tuple[str, ...], method: str, methods: tuple[str, ...]) -> Check:
    """On every large dataset the method's own part takes longer than each other method's."""

    def check(evidence: Evidence) -> Finding:
        own, others = _own_and_others(evidence, phases, method, methods)
        return _longer(own, others.max(axis=1), method, "the slowest other")

    return check


def fastest_in(phases: tuple[str, ...], method: str, methods: tuple[str, ...]) -> Check:
    """On every large dataset the method's own part takes less time than each other method's."""

    def check(evidence: Evidence) -> Finding:
        own, others = _own_and_others(evidence, phases, method, methods)
        return _longer(others.min(axis=1), own, "the fastest other", method)

    return check


def distances_take_longer(method: str, times: float = 1) -> Check:
    """On every large dataset distances take so many times as long as the method's own part."""

    def check(evidence: Evidence) -> Finding:
        common = _by_dataset(evidence, _large(evidence), method, (DISTANCES,))
        own = _by_dataset(evidence, _large(evidence), method, PREDICTION)
        return _longer(common, times * own, "distances", _times("own part", times))

    return check


def own_prediction_dominates(method: str, fewest_labels: int) -> Check:
    """With many labels the method's own part takes longer than predicting distances."""

    def check(evidence: Evidence) -> Finding:
        names = _many_labels(evidence, fewest_labels)
        own = _by_dataset(evidence, names, method, PREDICTION)
        common = _by_dataset(evidence, names, method, (DISTANCES,))
        return _longer(own, common, "own part", "distances")

    return check


def lighter_in_prediction(method: str, than: str, fewest_labels: int) -> Check:
    """With many labels the first method's own part takes less time than the second's."""

    def check(evidence: Evidence) -> Finding:
        names = _many_labels(evidence, fewest_labels)
        ours = _by_dataset(evidence, names, method, PREDICTION)
        theirs = _by_dataset(evidence, names, than, PREDICTION)
        return _longer(theirs, ours, than, method)

    return check


def step_two_needs_only_relevant_labels() -> Check:
    """Step 2, K distances times K by L_u coefficients, takes no more than C_u L_u products."""

    def check(evidence: Evidence) -> Finding:
        vectors, cardinality = evidence.data("unique_label_vectors"), evidence.data("cardinality")
        needed, claimed = evidence.data("n_train") * vectors, cardinality * vectors
        name = (needed / claimed).idxmin()
        text = (
            f"at least {needed[name] / claimed[name]:.0f} times as many ({name}, "
            f"{needed[name]:,.0f} against {claimed[name]:,.0f}); C_u L_u is the cost of step 3"
        )
        return finding(bool((needed <= claimed).all()), text)

    return check


def label_models_fit_the_bound() -> Check:
    """L models, each at the N^2 that a prediction of distances costs, are no more than L^2 N."""

    def check(evidence: Evidence) -> Finding:
        times = evidence.data("n_train") / evidence.data("n_labels")
        text = (
            f"L models at N^2 each are L N^2, {times.min():.0f} ({times.idxmin()}) to "
            f"{times.max():.0f} ({times.idxmax()}) times L^2 N; a label has two distinct outputs "
            "only, so 2 L N do"
        )
        return finding(bool((times <= 1).all()), text)

    return check


# Helpers


def _predicted(evidence: Evidence, method: str, dataset: str) -> tuple[float, float]:
    """Predicted labels and false positives, both for each relevant label."""
    metrics = evidence.record(method, dataset).metrics
    precision, recall = metrics["micro_precision"], metrics["micro_recall"]
    if not precision:
        return 0.0, 0.0
    labels = recall / precision
    return labels, labels - recall


def _replaced(evidence: Evidence) -> list[str]:
    """Datasets of the paper that a view has others for."""
    return [name for name in paper_datasets() if evidence.spelled(name) != name]


def _refit(evidence: Evidence, dataset: str) -> Refit:
    refits = evidence.refits()
    if dataset not in refits:
        raise MissingError(f"no run of ML-MLM on {dataset}, or no data of it")
    return refits[dataset]


def _mean_cuts(evidence: Evidence) -> pd.DataFrame:
    tables = [refit.cuts for refit in evidence.refits().values()]
    return pd.concat(tables).groupby(level=["method", "rule"]).mean()


def _large(evidence: Evidence) -> list[str]:
    rows = evidence.data("n_train")
    return list(rows.index[rows >= LARGE])


def _many_labels(evidence: Evidence, fewest: int) -> list[str]:
    labels = evidence.data("n_labels")
    return list(labels.index[labels >= fewest])


def _seconds(evidence: Evidence, method: str, dataset: str, phases: tuple[str, ...]) -> float:
    record = evidence.record(method, dataset)
    return sum(phase.seconds for phase in record.phases if phase.name in phases)


def _by_dataset(
    evidence: Evidence, datasets: list[str], method: str, phases: tuple[str, ...]
) -> pd.Series:
    seconds = [_seconds(evidence, method, name, phases) for name in datasets]
    return pd.Series(seconds, index=[evidence.spelled(name) for name in datasets])


def _own_and_others(
    evidence: Evidence, phases: tuple[str, ...], method: str, methods: tuple[str, ...]
) -> tuple[pd.Series, pd.DataFrame]:
    """Seconds of a method and, by dataset and method, of the others."""
    names = _large(evidence)
    others = {
        other: _by_dataset(evidence, names, other, phases) for other in methods if other != method
    }
    return _by_dataset(evidence, names, method, phases), pd.DataFrame(others)


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
