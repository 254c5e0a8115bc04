"""Box plots of the smallest predicted distances of the test rows, by dataset."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.analysis.numbers.arrays import Array
from experiments.analysis.numbers.ml_mlm_runs import missing_sentence, ml_mlm_runs
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import Paragraph, Picture, Section
from experiments.analysis.sections.style import BLACK, GREY, SKY, SMALL, VERMILION, new_figure
from mlmlm.uncertainty import CATEGORIES, LIMITS

TITLE = "Predicted distances"
NAME = "smallest_distances"


def distances_section(results: StudyResults) -> Section:
    """The picture of ML-MLM's runs, and which datasets are the easiest and the hardest."""
    distances = {
        name: run.arrays["smallest_distances"]
        for name, run in ml_mlm_runs(results).items()
        if "smallest_distances" in run.arrays
    }
    if not distances:
        return Section(TITLE, [Paragraph("No run of ML-MLM has predicted distances yet.")])
    caption = (
        "Smallest distance that ML-MLM predicts from each test row to a training label vector. "
        "Close to 0 the model interpolates; the larger, the more it extrapolates. A box is the "
        "middle half of the rows with the median, whiskers reach up to 1.5 times its length, "
        "dots are single rows. Dashed lines are the limits of the categories of uncertainty, "
        "1 and √2." + missing_sentence(distances)
    )
    title = "Smallest predicted distances of the test rows"
    picture = Picture(NAME, title, draw_distances(distances)[0], caption)
    return Section(TITLE, [Paragraph(_extremes(distances)), picture])


def draw_distances(distances: Mapping[str, Array]) -> tuple[Figure, Axes]:
    """Boxes from top to bottom in the order given, and the limits of the categories."""
    fig, (ax,) = new_figure(0.9 + 0.27 * len(distances))
    ax.boxplot(
        list(distances.values()),
        orientation="horizontal",
        tick_labels=list(distances),
        widths=0.6,
        patch_artist=True,
        boxprops={"facecolor": SKY, "edgecolor": BLACK, "linewidth": 0.8},
        medianprops={"color": BLACK, "linewidth": 1.8},
        whiskerprops={"color": BLACK, "linewidth": 0.8},
        capprops={"color": BLACK, "linewidth": 0.8},
        flierprops={"marker": ".", "markersize": 2, "markerfacecolor": GREY, "markeredgewidth": 0},
    )
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel("smallest predicted distance (square root of the number of labels that differ)")
    _draw_limits(ax)
    return fig, ax


def _draw_limits(ax: Axes) -> None:
    """Lines between the categories, whose names stand above."""
    for limit in LIMITS:
        ax.axvline(limit, color=VERMILION, linestyle="--", linewidth=1.2, zorder=0)
    places = (
        (LIMITS[0], -9, "right"),
        (sum(LIMITS) / 2, 0, "center"),
        (LIMITS[1], 9, "left"),
    )
    for category, (x, shift, side) in zip(CATEGORIES, places, strict=True):
        ax.annotate(
            f"{category} uncertainty" if side == "right" else category,
            (x, 1),
            (shift, 3),
            xycoords=ax.get_xaxis_transform(),
            textcoords="offset points",
            ha=side,
            fontsize=SMALL,
            color=VERMILION,
        )


def _extremes(distances: Mapping[str, Array]) -> str:
    medians = {name: float(np.median(values)) for name, values in distances.items()}
    nearest, farthest = min(medians, key=medians.__getitem__), max(medians, key=medians.__getitem__)
    return (
        f"Medians go from {medians[nearest]:.2f} on {nearest} to {medians[farthest]:.2f} on "
        f"{farthest}. The paper has the smallest distances on Tmc2007, the largest on Delicious."
    )
