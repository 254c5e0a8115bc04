"""The common look of the pictures: colours, fonts, and empty axes to draw on.

The colours are those of Okabe and Ito, which every kind of colour vision tells apart. Lines that
could be mistaken for one another differ in their dashes or markers too, so that a picture printed
in grey can still be read. Sizes are those of print: a picture is as wide as a page of text, and no
letter is smaller than eight points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.analysis.sections.cd_diagram import FAMILY, INK, NOTE, OURS

ORANGE, SKY, GREEN = "#E69F00", "#56B4E9", "#009E73"
VERMILION, PURPLE = "#D55E00", "#CC79A7"
BLUE, BLACK, GREY = OURS, INK, NOTE
PALE = "#D9D9D9"

WIDTH = 7.0  # inches
TEXT, SMALL = 9.0, 8.0  # points
PANEL_COLUMNS, PANEL_HEIGHT = 5, 1.55  # of small multiples; inches


def new_figure(
    height: float, rows: int = 1, columns: int = 1, **options: Any
) -> tuple[Figure, list[Axes]]:
    """A figure as wide as the page, and its axes row by row; ``options`` are of ``subplots``."""
    with matplotlib.rc_context({"font.family": FAMILY, "axes.labelsize": TEXT}):
        fig = Figure(figsize=(WIDTH, height), facecolor="white", layout="constrained")
        axes = list(fig.subplots(rows, columns, squeeze=False, **options).flat)
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
        # Ticks are made when the figure is drawn, so their font is not that of the context.
        ax.tick_params(labelsize=SMALL, labelfontfamily=FAMILY)
    return fig, axes


def small_multiples(names: Iterable[str], **options: Any) -> tuple[Figure, dict[str, Axes]]:
    """A small panel for each of some datasets, titled with its name."""
    names = list(names)
    columns = min(len(names), PANEL_COLUMNS)
    rows = math.ceil(len(names) / columns)
    fig, axes = new_figure(0.4 + PANEL_HEIGHT * rows, rows, columns, **options)
    for ax in axes[len(names) :]:
        ax.set_axis_off()
    panels = dict(zip(names, axes, strict=False))
    for name, ax in panels.items():
        set_title(ax, name)
    return fig, panels


def set_title(ax: Axes, text: str) -> None:
    # A dataset's name is no formula, whatever dollar signs it has.
    ax.set_title(text, fontsize=TEXT, family=FAMILY, loc="left", parse_math=False)


def label_all(fig: Figure, x: str, y: str) -> None:
    """Labels for the axes of all panels together."""
    fig.supxlabel(x, fontsize=TEXT, family=FAMILY)
    fig.supylabel(y, fontsize=TEXT, family=FAMILY)
