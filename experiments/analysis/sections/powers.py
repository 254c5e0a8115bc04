"""What the power P does: weights, Yeast's test ranking loss, and the leave-one-out curves.

The first two pictures are of Yeast, fitted by `experiments.refits`; the curves are those of the
study's runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.analysis.numbers.arrays import Array
from experiments.analysis.numbers.ml_mlm_runs import missing_sentence
from experiments.analysis.numbers.powers import chosen_powers, loo_curves, published_powers
from experiments.analysis.numbers.refits import (
    COMMAND,
    YeastPowers,
    relative_weights,
    yeast_powers,
)
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import Paragraph, Part, Picture, Section, Table
from experiments.analysis.sections.style import (
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

TITLE = "The power P"
WEIGHTS, YEAST, CURVES = "weights_by_power", "yeast_ranking_loss_by_power", "loo_ranking_loss"
SHOWN_POWERS = (1, 2, 4, 8, 16, 32)
PAPER_OPTIMUM = 13
"""The P of the smallest test ranking loss on Yeast, in the paper's text."""

_LINES = tuple(
    zip((SKY, ORANGE, GREEN, VERMILION, PURPLE, BLACK), ("o", "s", "^", "D", "v", "X"), strict=True)
)


def powers_section(results: StudyResults) -> Section:
    """All pictures that the study allows, and the table of both choices of P."""
    yeast, curves, chosen = yeast_powers(results), loo_curves(results), chosen_powers(results)
    parts: list[Part] = []
    if yeast is None:
        parts.append(Paragraph(f"Two pictures of Yeast are missing yet: `{COMMAND}`."))
    else:
        parts += yeast_parts(yeast)
    if curves:
        parts.append(loo_picture(curves))
    else:
        parts.append(Paragraph("No run of ML-MLM has a leave-one-out curve yet."))
    if chosen is not None:
        parts.append(chosen_table(chosen))
    return Section(TITLE, parts)


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


def draw_power_curve(yeast: YeastPowers) -> tuple[Figure, Axes]:
    """Test ranking losses as functions of P, their minima and the chosen P marked."""
    fig, (ax,) = new_figure(3.2)
    lines = (
        (yeast.with_ridge, BLUE, "o-", "with the ridge"),
        (yeast.without_ridge, GREEN, "s--", "without it"),
    )
    for series, colour, form, name in lines:
        best = series.argmin()
        text = f"{name}: smallest at P = {series.index[best]:.3g}"
        ax.plot(series.index, series, form, color=colour, markevery=[best], label=text)
    text = f"chosen by leave-one-out: P = {yeast.chosen:.3g}"
    ax.axvline(yeast.chosen, color=VERMILION, linestyle=":", label=text)
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


def yeast_parts(yeast: YeastPowers) -> Iterator[Part]:
    yield Picture(
        WEIGHTS,
        "Weights as a function of the predicted distance",
        draw_weights(yeast.distances, SHOWN_POWERS)[0],
        _WEIGHTS_CAPTION,
    )
    yield Paragraph(_optimum_text(yeast))
    yield Picture(
        YEAST,
        "Yeast's test ranking loss as a function of P",
        draw_power_curve(yeast)[0],
        _YEAST_CAPTION,
    )


def loo_picture(curves: Mapping[str, pd.Series]) -> Picture:
    powers = {title: 2.0**exponent for title, exponent in published_powers().items()}
    return Picture(
        CURVES,
        "Leave-one-out ranking loss as a function of P",
        draw_loo_curves(curves, powers)[0],
        "Mean leave-one-out ranking loss of the training rows. Dot: its minimum, the chosen P. "
        "Dotted line: the published P." + missing_sentence(curves),
    )


def chosen_table(chosen: pd.DataFrame) -> Table:
    note = (
        "Where scores saturate at 1 labels tie, and P may hang on the last bit of a score. "
        "Log-odds keep the order of such labels: they give the P of exact arithmetic."
    )
    return Table("power_by_ranking", "log2 P, labels ranked in two ways", chosen, ".1f", note=note)


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


def _optimum_text(yeast: YeastPowers) -> str:
    curve, without, chosen = yeast.with_ridge, yeast.without_ridge, yeast.chosen
    best, gap = curve.idxmin(), curve[PAPER_OPTIMUM] - curve.min()
    return (
        f"On the test set of Yeast the ranking loss is smallest at P = {best:.3g} "
        f"({curve.min():.4f}); at the paper's P = {PAPER_OPTIMUM} it is {gap:.4f} larger, and at "
        f"P = {chosen:.3g}, which leave-one-out chose, {curve.loc[chosen] - curve.min():.4f}. "
        "The paper's Algorithm 1 has no ridge in the distance regression. Without it the "
        f"smallest loss is at P = {without.idxmin():.3g} ({without.min():.4f})."
    )
