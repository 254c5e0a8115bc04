"""Checks of costs: by the formulas of the paper's section 4.4, and by the seconds of our runs.

The formulas are of a row in prediction and of all rows in training; sizes are those of Table 1.

Of the phases of a run, those in `DECOMPOSITION` are the cubic step and `DISTANCES` is the
prediction of distances, both done once for all methods; what a method adds to them is its own.
Short phases say little, so seconds are compared on the large datasets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from experiments.analysis.numbers.claims.claim import Finding, Verdict, check, finding
from experiments.analysis.numbers.claims.rules import CLEARLY, LARGE
from experiments.analysis.numbers.claims.vocabulary import BR, LLS, ML, NN
from experiments.analysis.numbers.views import MissingError, View

DECOMPOSITION = ("gram", "cholesky", "leverage")
DISTANCES = "predicted distances"
TRAINING = ("fit", "tuning", "threshold")
PREDICTION = ("prediction",)


class Sizes(NamedTuple):
    """Of each dataset: training rows, labels, distinct label vectors, labels of a row."""

    N: pd.Series
    L: pd.Series
    L_u: pd.Series
    C_u: pd.Series


class Formula(NamedTuple):
    """A cost in words, and of some sizes."""

    words: str
    cost: Callable[[Sizes], pd.Series]


Formulas = dict[str, Formula]

_ONE_DECOMPOSITION = Formula("N^3", lambda s: s.N**3)
TRAINING_FORMULAS: Formulas = {
    ML: _ONE_DECOMPOSITION,
    NN: _ONE_DECOMPOSITION,
    LLS: _ONE_DECOMPOSITION,
    BR: Formula("L N^3", lambda s: s.L * s.N**3),
}
PREDICTION_FORMULAS: Formulas = {
    ML: Formula("N^2 + C_u L_u", lambda s: s.N**2 + s.C_u * s.L_u),
    NN: Formula("N^2 + L_u", lambda s: s.N**2 + s.L_u),
    LLS: Formula("L^2 N + N^2", lambda s: s.L**2 * s.N + s.N**2),
    BR: Formula("L^2 N", lambda s: s.L**2 * s.N),
}
WITH_DISTANCES_OF_EACH_LABEL: Formulas = PREDICTION_FORMULAS | {
    BR: Formula("L N^2", lambda s: s.L * s.N**2)
}
"""As `label_models_fit_the_bound` finds it: L models at the N^2 of a prediction of distances."""


# Formulas


@check
def highest_by_formula(view: View, formulas: Formulas, method: str) -> Finding:
    """On every dataset the method's formula gives more than each other method's."""
    rest = [name for name in formulas if name != method]
    return _formula_above(view, formulas, [method], rest)


@check
def lowest_by_formula(view: View, formulas: Formulas, method: str) -> Finding:
    """On every dataset the method's formula gives less than each other method's."""
    rest = [name for name in formulas if name != method]
    return _formula_above(view, formulas, rest, [method])


@check
def formula_ignores_labels(view: View, formulas: Formulas, method: str) -> Finding:
    """Twice the labels would not change what the method's formula gives."""
    sizes, formula = _sizes(view), formulas[method]
    same = formula.cost(sizes).equals(formula.cost(sizes._replace(L=2 * sizes.L)))
    return finding(same, f"{method}'s {formula.words}")


@check
def least_squares_dominate(view: View, fewest_labels: int) -> Finding:
    """With many labels L^2 N, the least squares of LLS-MLM, is more than the N^2 of distances."""
    sizes = _sizes(view)
    ratios = (sizes.L**2 / sizes.N)[_many_labels(view, fewest_labels)]
    text = f"L^2 N is at least {ratios.min():.0f} times N^2 ({ratios.idxmin()})"
    return finding(bool((ratios > 1).all()), f"{text}, {len(ratios)} datasets")


@check
def distances_dominate(view: View, method: str) -> Finding:
    """On every dataset the N^2 of distances is more than the rest of the method's formula."""
    sizes = _sizes(view)
    formula = PREDICTION_FORMULAS[method]
    ratios = sizes.N**2 / (formula.cost(sizes) - sizes.N**2)
    text = f"of {formula.words}, N^2 is at least {ratios.min():.1f} times the rest"
    return finding(bool((ratios > 1).all()), f"{text} ({ratios.idxmin()})")


@check
def scores_of_all_rows_cost(view: View, method: str, share: float, fewest_labels: int) -> Finding:
    """With many labels, scores of all training rows add such a share to the method's training.

    L^2 N for each of N rows; their distances are those of the closed-form leave-one-out.
    """
    sizes, training = _sizes(view), TRAINING_FORMULAS[method]
    shares = (sizes.L**2 * sizes.N**2 / training.cost(sizes))[_many_labels(view, fewest_labels)]
    low = shares.idxmin()
    text = f"L^2 N^2 is at least {shares[low]:.2g} times {training.words} ({low})"
    return finding(bool((shares >= share).all()), f"{text}, {len(shares)} datasets")


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


# Seconds


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
def tuning_is_shorter(view: View) -> Finding:
    """On no large dataset ML-MLM's choice of P and threshold takes longer than the cubic step."""
    own = _by_dataset(view, _large(view), ML, TRAINING)
    shared = _by_dataset(view, _large(view), ML, DECOMPOSITION)
    return _longer(shared, own, "decomposition", "choice of P and threshold")


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


# Helpers


def _sizes(view: View) -> Sizes:
    columns = ("n_train", "n_labels", "unique_label_vectors", "cardinality")
    return Sizes(*(view.data(column) for column in columns))


def _formula_above(
    view: View, formulas: Formulas, high: Sequence[str], low: Sequence[str]
) -> Finding:
    """Whether each of the first formulas gives more than each of the second on every dataset."""
    sizes = _sizes(view)
    pairs = [(one, other) for one in high for other in low]
    ratios = pd.DataFrame(
        {pair: formulas[pair[0]].cost(sizes) / formulas[pair[1]].cost(sizes) for pair in pairs}
    )
    one, other = ratios.min().idxmin()
    closest = ratios[one, other]
    name = closest.idxmin()
    text = "; ".join(
        f"{each} {formulas[each].words} = {formulas[each].cost(sizes)[name]:,.0f}"
        for each in (one, other)
    )
    return finding(bool((ratios > 1).all(axis=None)), f"closest on {name}: {text}")


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
