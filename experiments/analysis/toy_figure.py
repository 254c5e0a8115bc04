"""The prediction workflow of ML-MLM on a toy dataset, step by step.

Four pictures, each a point of a plane, have the labels of what is drawn on them. A fifth picture
shows a set of labels that none of the four has. Only the points and the labels are given here; all
numbers of the figure are the library's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox, DrawingArea
from matplotlib.patches import Circle, Polygon, Rectangle
from numpy.typing import NDArray

from experiments.analysis.cd_diagram import save_figure
from experiments.analysis.parts import Paragraph, Picture, Section
from experiments.analysis.power_figures import relative_weights
from experiments.analysis.results import StudyResults
from experiments.analysis.style import (
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
from mlmlm import MultiLabelMLM

Array = NDArray[np.float64]

TITLE = "A prediction step by step"
NAME = "toy_prediction"
POWER = 2.0

LABELS = ("sun", "tree", "house", "sea")
POINTS = np.array([[2.4, 8.2], [10.5, 8.5], [12.0, 3.0], [4.0, 2.0]])
LABEL_SETS = np.array([[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 0, 1], [0, 1, 0, 0]])
TEST_POINT = np.array([6.0, 6.0])
TEST_LABELS = np.array([1, 1, 0, 0])


@dataclass(frozen=True)
class ToyPrediction:
    """What each step of a prediction gives.

    Attributes
    ----------
    input_distances : array of shape (4,)
        From the test point to the training points.
    label_distances : array of shape (4,)
        Predicted, to the label vectors of the training points.
    weights : array of shape (4,)
        Of these label vectors; they add up to 1.
    scores, labels : arrays of shape (4,)
        Of the labels.
    threshold : float
        Above it a score means a label.
    """

    input_distances: Array
    label_distances: Array
    weights: Array
    scores: Array
    threshold: float
    labels: NDArray[np.int64]


def make(results: StudyResults) -> Section:
    """The figure, which needs no data."""
    prediction = predict_toy()
    save_figure(draw_toy(prediction)[0], results.folder / "figures" / NAME)
    text = (
        "ML-MLM turns distances between inputs into distances between sets of labels, and these "
        "into weights. The set it predicts, "
        f"{_set_text(prediction.labels)}, need not be one that was seen in training."
    )
    caption = (
        "Four training pictures with four sets of labels, and a new picture. 1: distances d from "
        "the new input to the reference points. 2: the distance regression B turns them into "
        "predicted distances to the four label vectors y. 3: inverse distance weighting with "
        f"P = {POWER:g}; Z makes the weights add up to 1. 4: the weighted mean of the label "
        "vectors is the score of each label; those above the threshold t are predicted."
    )
    picture = Picture(NAME, "The steps of a prediction on a toy dataset", caption)
    return Section(TITLE, [Paragraph(text), picture])


def predict_toy() -> ToyPrediction:
    """Fit ML-MLM on the four points and follow its prediction for the test point."""
    model = MultiLabelMLM(power=POWER).fit(POINTS, LABEL_SETS)
    test = TEST_POINT[None, :]
    label_distances = model.predict_distances(test)[0]
    assert model.threshold_ is not None
    return ToyPrediction(
        input_distances=np.linalg.norm(POINTS - TEST_POINT, axis=1),
        label_distances=label_distances,
        weights=relative_weights(label_distances, POWER),
        scores=model.predict_proba(test)[0],
        threshold=model.threshold_,
        labels=model.predict(test)[0],
    )


def draw_toy(prediction: ToyPrediction) -> tuple[Figure, list[Axes]]:
    """Four panels, one for each step."""
    fig, axes = new_figure(5.2, 2, 2)
    _draw_inputs(axes[0], prediction)
    sets = [f"$y_{i}$" for i in range(1, len(POINTS) + 1)]
    _draw_bars(axes[1], prediction.label_distances, sets, LABEL_SETS, [SKY] * len(sets))
    set_title(axes[1], "2  Predicted distances to the label vectors")
    axes[1].set_xlabel(r"$\hat{\delta}_i = \sum_k\, d_k B_{ki}$")
    _draw_bars(axes[2], prediction.weights, sets, LABEL_SETS, [ORANGE] * len(sets))
    set_title(axes[2], f"3  Weights of the label vectors, P = {POWER:g}")
    axes[2].set_xlabel(rf"$w_i = \hat{{\delta}}_i^{{\,-{POWER:g}}}\, /\, Z$")
    _draw_scores(axes[3], prediction)
    return fig, axes


def _draw_inputs(ax: Axes, prediction: ToyPrediction) -> None:
    """The plane with the pictures in it, and lines from the new one to the others."""
    set_title(ax, "1  Distances to the reference points")
    for i, (point, labels) in enumerate(zip(POINTS, LABEL_SETS, strict=True)):
        ax.plot(*zip(TEST_POINT, point, strict=True), color=GREY, linestyle="--", linewidth=1)
        _put_picture(ax, labels, point, size=26)
        _name(ax, f"$r_{i + 1}$: $d_{i + 1}$ = {prediction.input_distances[i]:.2f}", point)
    _put_picture(ax, TEST_LABELS, TEST_POINT, size=26, edge=VERMILION)
    _name(ax, "new", TEST_POINT, above=True, color=VERMILION)
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


def _draw_scores(ax: Axes, prediction: ToyPrediction) -> None:
    """A bar for each label, filled if it is predicted, and the threshold."""
    set_title(ax, f"4  Scores; predicted: {_set_text(prediction.labels)}")
    alone = np.eye(len(LABELS), dtype=int)
    colours = [GREEN if predicted else PALE for predicted in prediction.labels]
    _draw_bars(ax, prediction.scores, LABELS, alone, colours)
    ax.axvline(prediction.threshold, color=VERMILION, linestyle="--", linewidth=1.3)
    ax.annotate(
        f"t = {prediction.threshold:.2f}",
        (prediction.threshold, 0),
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
    drawn = [_SHAPES[name](unit) for name, has in zip(LABELS, labels, strict=True) if has]
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


def _set_text(labels: Iterable[int]) -> str:
    return "{" + ", ".join(name for name, has in zip(LABELS, labels, strict=True) if has) + "}"
