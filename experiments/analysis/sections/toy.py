"""The prediction workflow of ML-MLM on a toy dataset, step by step.

Four small images, each a point of a plane, have the labels of what is drawn on them. A fifth shows
a set of labels that none of the four has. All numbers are those of `experiments.refits`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox, DrawingArea
from matplotlib.patches import Circle, Polygon, Rectangle
from numpy.typing import NDArray

from experiments.analysis.numbers.arrays import Array
from experiments.analysis.numbers.refits import COMMAND, ToyPrediction, toy_prediction
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import Paragraph, Picture, Section
from experiments.analysis.sections.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    SKY,
    SMALL,
    VERMILION,
    new_figure,
    set_title,
)

TITLE = "A prediction step by step"
NAME = "toy_prediction"


def toy_section(results: StudyResults) -> Section:
    """The picture, if its prediction was made."""
    toy = toy_prediction(results)
    if toy is None:
        return Section(TITLE, [Paragraph(f"This picture is missing yet: `{COMMAND}`.")])
    text = (
        "ML-MLM turns distances between inputs into distances between sets of labels, and these "
        "into weights. The set it predicts, "
        f"{_set_text(toy)}, need not be one that was seen in training."
    )
    caption = (
        "Four training pictures with four sets of labels, and a new picture. 1: distances d from "
        "the new input to the reference points. 2: the distance regression B turns them into "
        "predicted distances to the four label vectors y. 3: inverse distance weighting with "
        f"P = {toy.power:g}; Z makes the weights add up to 1. 4: the weighted mean of the label "
        "vectors is the score of each label; those above the threshold t are predicted."
    )
    title = "The steps of a prediction on a toy dataset"
    return Section(TITLE, [Paragraph(text), Picture(NAME, title, draw_toy(toy)[0], caption)])


def draw_toy(toy: ToyPrediction) -> tuple[Figure, list[Axes]]:
    """Four panels, one for each step."""
    fig, axes = new_figure(5.2, 2, 2)
    _draw_inputs(axes[0], toy)
    sets = [f"$y_{i}$" for i in range(1, len(toy.points) + 1)]
    _draw_bars(axes[1], toy.label_distances, sets, toy.label_sets, [SKY] * len(sets))
    set_title(axes[1], "2  Predicted distances to the label vectors")
    axes[1].set_xlabel(r"$\hat{\delta}_i = \sum_k\, d_k B_{ki}$")
    _draw_bars(axes[2], toy.weights, sets, toy.label_sets, [ORANGE] * len(sets))
    set_title(axes[2], f"3  Weights of the label vectors, P = {toy.power:g}")
    axes[2].set_xlabel(rf"$w_i = \hat{{\delta}}_i^{{\,-{toy.power:g}}}\, /\, Z$")
    _draw_scores(axes[3], toy)
    return fig, axes


def _draw_inputs(ax: Axes, toy: ToyPrediction) -> None:
    """The plane with the pictures in it, and lines from the new one to the others."""
    set_title(ax, "1  Distances to the reference points")
    for i, (point, labels) in enumerate(zip(toy.points, toy.label_sets, strict=True)):
        ax.plot(*zip(toy.test_point, point, strict=True), color=GREY, linestyle="--", linewidth=1)
        _put_picture(ax, labels, point, size=26)
        _name(ax, f"$r_{i + 1}$: $d_{i + 1}$ = {toy.input_distances[i]:.2f}", point)
    _put_picture(ax, toy.test_labels, toy.test_point, size=26, edge=VERMILION)
    _name(ax, "new", toy.test_point, above=True, color=VERMILION)
    ax.set(xlim=(0, 14), ylim=(0, 10), xlabel="feature 1", ylabel="feature 2", aspect="equal")
    ax.set_xticks(range(0, 15, 2))
    ax.set_yticks(range(0, 11, 2))


def _name(ax: Axes, text: str, point: Array, above: bool = False, color: str = BLACK) -> None:
    """A name under a picture, or above it."""
    ax.annotate(
        text,
        (float(point[0]), float(point[1])),
        (0, 16 if above else -16),
        textcoords="offset points",
        ha="center",
        va="bottom" if above else "top",
        size=SMALL,
        color=color,
    )


def _draw_scores(ax: Axes, toy: ToyPrediction) -> None:
    """A bar for each label, filled if it is predicted, and the threshold."""
    set_title(ax, f"4  Scores; predicted: {_set_text(toy)}")
    alone = np.eye(len(toy.label_names), dtype=int)
    colours = [GREEN if predicted else PALE for predicted in toy.labels]
    _draw_bars(ax, toy.scores, toy.label_names, alone, colours)
    ax.axvline(toy.threshold, color=VERMILION, linestyle="--", linewidth=1.3)
    ax.annotate(
        f"t = {toy.threshold:.2f}",
        (toy.threshold, 0),
        (4, 4),
        xycoords=ax.get_xaxis_transform(),
        textcoords="offset points",
        size=SMALL,
        color=VERMILION,
    )
    ax.set_xlabel(r"$\bar{y} = \sum_i\, w_i\, y_i$")


def _draw_bars(
    ax: Axes,
    values: Array,
    names: Sequence[str],
    pictures: NDArray[np.int64],
    colours: Sequence[str],
) -> None:
    """Horizontal bars from top to bottom, with a picture and a name before each."""
    places = range(len(values))
    ax.barh(places, values, height=0.62, color=colours, edgecolor=BLACK, linewidth=0.8)
    for place, value, picture in zip(places, values, pictures, strict=True):
        ax.annotate(
            f"{value:.2f}",
            (value, place),
            (3, 0),
            textcoords="offset points",
            va="center",
            size=SMALL,
        )
        _put_picture(ax, picture, (0.0, float(place)), size=24, shift=-17)
    ax.set_yticks(places, names)
    ax.tick_params(axis="y", length=0, pad=33)
    ax.set(xlim=(0, 1.18 * values.max()))
    ax.invert_yaxis()


# Pictures, drawn on a square of 20 by 20


def _put_picture(
    ax: Axes,
    labels: Iterable[int],
    place: Sequence[float] | Array,
    size: float,
    shift: float = 0,
    edge: str = BLACK,
) -> None:
    """A picture of some labels, ``size`` points wide, ``shift`` points beside a place."""
    area = DrawingArea(size, size, clip=True)
    unit = size / 20
    frame = Rectangle((0, 0), size, size, fill=False, edgecolor=edge, linewidth=1.5)
    drawn = [_SHAPES[name](unit) for name, has in zip(_SHAPES, labels, strict=True) if has]
    for shape in (*chain.from_iterable(drawn), frame):
        area.add_artist(shape)
    box = AnnotationBbox(
        area,
        (float(place[0]), float(place[1])),
        (shift, 0),
        boxcoords="offset points",
        frameon=True,
        pad=0,
        bboxprops={"facecolor": "white", "edgecolor": "none"},
        annotation_clip=False,
    )
    ax.add_artist(box)


def _sun(unit: float) -> list[Artist]:
    return [Circle((15 * unit, 16 * unit), 2.6 * unit, facecolor=ORANGE, edgecolor=BLACK, lw=0.5)]


def _tree(unit: float) -> list[Artist]:
    crown = np.array([[1, 8], [9, 8], [5, 18]]) * unit
    return [
        Rectangle((4 * unit, 4 * unit), 2 * unit, 4 * unit, facecolor=BLACK),
        Polygon(crown, facecolor=GREEN, edgecolor=BLACK, lw=0.5),
    ]


def _house(unit: float) -> list[Artist]:
    roof = np.array([[10, 9], [19, 9], [14.5, 12.5]]) * unit
    return [
        Rectangle(
            (11 * unit, 4 * unit), 7 * unit, 5 * unit, facecolor=PALE, edgecolor=BLACK, lw=0.5
        ),
        Polygon(roof, facecolor=VERMILION, edgecolor=BLACK, lw=0.5),
    ]


def _sea(unit: float) -> list[Artist]:
    x = np.linspace(0, 20, 41)
    waves = np.column_stack([x, 3 + 0.8 * np.sin(x * np.pi / 2.5)])
    outline = np.concatenate([waves, [[20, 0], [0, 0]]]) * unit
    return [Polygon(outline, facecolor=BLUE, edgecolor=BLACK, lw=0.5)]


_SHAPES: dict[str, Callable[[float], list[Artist]]] = {
    "sun": _sun,
    "tree": _tree,
    "house": _house,
    "sea": _sea,
}


def _set_text(toy: ToyPrediction) -> str:
    names = [name for name, has in zip(toy.label_names, toy.labels, strict=True) if has]
    return "{" + ", ".join(names) + "}"
