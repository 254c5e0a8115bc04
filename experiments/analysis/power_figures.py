"""What the power P does: weights, Yeast's test ranking loss, and the leave-one-out curves.

The first two figures are made from Yeast itself, in about a second; the curves are those of the
study's runs.

Over the test set of Yeast the paper finds the smallest ranking loss at P = 13. Its Algorithm 1
solves the distance regression without the ridge ``alpha I`` of its model selection. With as many
reference points as training rows, all of them distinct, that is ``B = D_x^-1 D_y``, and the
minimum is then at P = 13 indeed; with the ridge, which the published result tables need, the
bottom of the curve is just as flat but lies elsewhere. The figure shows both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from sklearn.metrics import pairwise_distances
from sklearn.preprocessing import MinMaxScaler

from experiments import published
from experiments.analysis.cd_diagram import save_figure
from experiments.analysis.ml_mlm_runs import Run, missing_sentence, ml_mlm_runs
from experiments.analysis.parts import Paragraph, Part, Picture, Section
from experiments.analysis.results import StudyResults
from experiments.analysis.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    SMALL,
    VERMILION,
    label_all,
    new_figure,
    small_multiples,
)
from experiments.analysis.table import Table
from mlmlm import DistanceRegression, MultiLabelMLM, PredictedDistances, metrics
from mlmlm._inverse_distance import LogRatios
from mlmlm._ml_mlm import PAPER_GRID
from mlmlm.datasets import DatasetError, load_dataset

Array = NDArray[np.float64]

TITLE = "The power P"
WEIGHTS, YEAST, CURVES = "weights_by_power", "yeast_ranking_loss_by_power", "loo_ranking_loss"
SHOWN_POWERS = (1, 2, 4, 8, 16, 32)
N_SAMPLED = 8
PAPER_OPTIMUM = 13
"""The P of the smallest test ranking loss on Yeast, in the paper's text."""

YEAST_POWERS = np.union1d(PAPER_GRID, np.arange(1, 33))
LOG_ODDS = "log-odds ranking"
_LINES = tuple(
    zip((SKY, ORANGE, GREEN, VERMILION, PURPLE, BLACK), ("o", "s", "^", "D", "v", "X"), strict=True)
)


@dataclass(frozen=True)
class Yeast:
    """What the demonstrations on Yeast need: truth, regression, distances of the test rows."""

    truth: NDArray[np.uint8]
    regression: DistanceRegression
    predicted: PredictedDistances
    without_ridge: PredictedDistances
    chosen_power: float


def make(results: StudyResults) -> Section:
    """All figures that the data at hand allow, and the table of both choices of P."""
    runs = {
        name: run for name, run in ml_mlm_runs(results).items() if "loo_ranking_loss" in run.arrays
    }
    parts = [*_yeast_parts(results), *_curve_parts(results, runs)]
    chosen = chosen_powers(results)
    if chosen is not None:
        parts.append(_chosen_table(chosen))
    return Section(TITLE, parts)


# Statistics


@cache
def yeast_power_curve(ridge: bool = True) -> pd.Series | None:
    """Yeast's test ranking loss, indexed by P; None if the data cannot be loaded.

    P is in the paper's grid or one of the integers up to 32. Without the ridge the distance
    regression is that of the paper's Algorithm 1.
    """
    yeast = _yeast()
    if yeast is None:
        return None
    return _power_curve(yeast, yeast.predicted if ridge else yeast.without_ridge)


def sample_distances(predicted: Array) -> Array:
    """Eight distances of the row whose smallest one is the closest to sqrt 2, ascending.

    They are those closest to eight even steps from the row's smallest to its largest distance.
    """
    row = predicted[np.argmin(np.abs(predicted.min(axis=1) - math.sqrt(2)))]
    steps = np.linspace(row.min(), row.max(), N_SAMPLED)
    return row[np.abs(row[:, None] - steps).argmin(axis=0)]


def relative_weights(distances: Array, power: float) -> Array:
    """``w_P(d) / Z`` of Eq. 4, of one row of predicted distances."""
    weights = LogRatios(distances[None, :]).weights(power)[:, 0]
    return weights / weights.sum()


def chosen_powers(results: StudyResults) -> pd.DataFrame | None:
    """log2 P as chosen by scores and by log-odds, and the published; None without log-odds."""
    by_log_odds = {each.dataset: each for each in results.variants if each.variant == LOG_ODDS}
    runs = ml_mlm_runs(results)
    rows = {
        title: {
            "by score": math.log2(run.record.chosen["power"]),
            "by log-odds": math.log2(by_log_odds[run.record.dataset].chosen["power"]),
            "published": published_powers().get(title),
        }
        for title, run in runs.items()
        if run.record.dataset in by_log_odds
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("dataset") if rows else None


def published_powers() -> dict[str, float]:
    """log2 P by title of the dataset."""
    exponents = published.power_distance()["log2_power"]
    return {published.title(name): float(value) for name, value in exponents.items()}


@cache
def _yeast() -> Yeast | None:
    try:
        data = load_dataset("yeast")
    except DatasetError:
        return None
    scaler = MinMaxScaler().fit(data.X_train)
    train, test = scaler.transform(data.X_train), scaler.transform(data.X_test)
    regression = DistanceRegression().fit(train, data.Y_train)
    predicted = regression.predict(test)
    labels = regression.label_vectors_
    label_distances = labels.distances(labels.of_row)
    coefficients = np.linalg.solve(pairwise_distances(train), label_distances)
    without_ridge = PredictedDistances(
        pairwise_distances(test, train) @ coefficients, predicted.to_zero, predicted.to_one
    )
    chosen = MultiLabelMLM(threshold=0.5).fit_from(regression).power_
    return Yeast(data.Y_test, regression, predicted, without_ridge, chosen)


def _power_curve(yeast: Yeast, predicted: PredictedDistances) -> pd.Series:
    # The threshold does not matter to a ranking; a fixed one saves the time to find it.
    losses = [
        metrics.ranking_loss(
            yeast.truth,
            MultiLabelMLM(power=power, threshold=0.5)
            .fit_from(yeast.regression)
            .predict_proba(predicted),
        )
        for power in YEAST_POWERS
    ]
    return pd.Series(losses, pd.Index(YEAST_POWERS, name="P"), name="ranking loss")


# Drawing


def draw_weights(distances: Array, powers: Sequence[float]) -> tuple[Figure, Axes]:
    """Relative weights of some distances, one line for each power."""
    fig, (ax,) = new_figure(3.2)
    for power, (colour, marker) in zip(powers, _LINES, strict=False):
        weights = relative_weights(distances, power)
        label = f"P = {power:g}"
        ax.plot(distances, weights, color=colour, marker=marker, linewidth=1.3, label=label)
    for labels in (2, 4, 6, 8):
        ax.axvline(math.sqrt(labels), color=GREY, linestyle=":", linewidth=0.8, zorder=0)
        ax.annotate(
            f"√{labels}",
            (math.sqrt(labels), 1),
            (0, 3),
            xycoords=ax.get_xaxis_transform(),
            textcoords="offset points",
            ha="center",
            fontsize=SMALL,
            color=GREY,
        )
    ax.set(ylim=(0, None), xlabel="predicted distance", ylabel="relative weight")
    ax.legend(loc="upper center", frameon=False, fontsize=SMALL)
    return fig, ax


def draw_power_curve(
    curve: pd.Series, without_ridge: pd.Series, chosen: float
) -> tuple[Figure, Axes]:
    """Test ranking losses as functions of P, their minima and the chosen P marked."""
    fig, (ax,) = new_figure(3.2)
    lines = ((curve, BLUE, "o-", "with the ridge"), (without_ridge, GREEN, "s--", "without it"))
    for series, colour, form, name in lines:
        best = series.argmin()
        text = f"{name}: smallest at P = {series.index[best]:.3g}"
        ax.plot(series.index, series, form, color=colour, markevery=[best], label=text)
    text = f"chosen by leave-one-out: P = {chosen:.3g}"
    ax.axvline(chosen, color=VERMILION, linestyle=":", label=text)
    _power_axis(ax, range(9))
    ax.set(xlabel="P", ylabel="test ranking loss")
    ax.legend(loc="upper right", frameon=False, fontsize=SMALL)
    return fig, ax


def draw_loo_curves(
    curves: Mapping[str, pd.Series], published_powers: Mapping[str, float]
) -> tuple[Figure, list[Axes]]:
    """Leave-one-out ranking loss of each dataset, its minimum and the published P marked."""
    fig, panels = small_multiples(curves)
    for name, ax in panels.items():
        curve = curves[name]
        best = curve.round(12).idxmin()  # as the library finds it
        ax.plot(curve.index, curve, color=BLUE, linewidth=1.3)
        if name in published_powers:
            ax.axvline(published_powers[name], color=VERMILION, linestyle=":", linewidth=1.3)
        ax.plot(best, curve[best], "o", color=BLACK, markersize=4)
        _power_axis(ax, range(0, 9, 4))
    label_all(fig, "P", "leave-one-out ranking loss")
    return fig, list(panels.values())


def _power_axis(ax: Axes, exponents: Sequence[int]) -> None:
    ax.set_xscale("log", base=2)
    ax.set_xticks([2**exponent for exponent in exponents], [f"{2**e}" for e in exponents])
    ax.minorticks_off()


# Parts


def _yeast_parts(results: StudyResults) -> list[Part]:
    yeast, curve, without = _yeast(), yeast_power_curve(), yeast_power_curve(ridge=False)
    if yeast is None or curve is None or without is None:
        return [Paragraph("Yeast cannot be loaded, so the two figures of it are missing.")]
    figures = results.folder / "figures"
    distances = sample_distances(yeast.predicted.to_label_vectors)
    save_figure(draw_weights(distances, SHOWN_POWERS)[0], figures / WEIGHTS)
    save_figure(draw_power_curve(curve, without, yeast.chosen_power)[0], figures / YEAST)
    return [
        Picture(WEIGHTS, "Weights as a function of the predicted distance", _WEIGHTS_CAPTION),
        Paragraph(_optimum_text(curve, without, yeast.chosen_power)),
        Picture(YEAST, "Yeast's test ranking loss as a function of P", _YEAST_CAPTION),
    ]


_YEAST_CAPTION = (
    "Mean ranking loss of the test rows, with the ridge in the distance regression, as everywhere "
    "else, and without it. Circle and square: the minima. Dotted line: the P that leave-one-out "
    "chose on the training set, with the ridge."
)
_WEIGHTS_CAPTION = (
    "Weights of eight distances that are predicted for one test row of Yeast, the one whose "
    "smallest distance is the closest to √2; the eight are those closest to even steps from its "
    "smallest to its largest. For each P the weights add up to 1. A distance of √m stands for m "
    "labels that differ. The larger P, the more of the weight goes to the smallest distance."
)


def _optimum_text(curve: pd.Series, without: pd.Series, chosen: float) -> str:
    best, gap = curve.idxmin(), curve[PAPER_OPTIMUM] - curve.min()
    return (
        f"On the test set of Yeast the ranking loss is smallest at P = {best:.3g} "
        f"({curve.min():.4f}); at the paper's P = {PAPER_OPTIMUM} it is {gap:.4f} larger, and at "
        f"P = {chosen:.3g}, which leave-one-out chose, {curve.loc[chosen] - curve.min():.4f}. "
        "The paper's Algorithm 1 has no ridge in the distance regression. Without it the "
        f"smallest loss is at P = {without.idxmin():.3g} ({without.min():.4f})."
    )


def _curve_parts(results: StudyResults, runs: Mapping[str, Run]) -> list[Part]:
    if not runs:
        return [Paragraph("No run of ML-MLM has a leave-one-out curve yet.")]
    curves = {
        name: pd.Series(run.arrays["loo_ranking_loss"], run.arrays["power_grid"])
        for name, run in runs.items()
    }
    powers = {title: 2.0**exponent for title, exponent in published_powers().items()}
    save_figure(draw_loo_curves(curves, powers)[0], results.folder / "figures" / CURVES)
    caption = (
        "Mean leave-one-out ranking loss of the training rows. Dot: its minimum, the chosen P. "
        "Dotted line: the published P." + missing_sentence(curves)
    )
    return [Picture(CURVES, "Leave-one-out ranking loss as a function of P", caption)]


def _chosen_table(chosen: pd.DataFrame) -> Table:
    note = (
        "Where scores saturate at 1 labels tie, and P may hang on the last bit of a score. "
        "Log-odds keep the order of such labels: they give the P of exact arithmetic."
    )
    return Table("power_by_ranking", "log2 P, labels ranked in two ways", chosen, ".1f", note=note)
