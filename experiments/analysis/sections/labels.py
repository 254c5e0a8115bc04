"""Names beside the points of a scatter plot, none over another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox

from experiments.analysis.sections.cd_diagram import FAMILY, text_width

# All lengths are in points.
GAPS = (8, 16, 26, 38, 52)
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
MARK, LINE_HEIGHT = 5, 1.25


def label_points(
    ax: Axes,
    points: pd.DataFrame,
    colours: Mapping[str, str],
    size: float,
    lines: Sequence[Bbox] = (),
) -> None:
    """Write the index of ``points`` beside their ``x`` and ``y``; thin lines lead to far ones.

    Each name takes the first place around its point, the nearest ones first, where it is within the
    axes and covers neither a point nor another name, nor one of the ``lines``; if there is none,
    the nearest. The axes and their limits must not change afterwards.
    """
    fig = ax.get_figure(root=True)
    assert fig is not None
    ax.set(xlim=ax.get_xlim(), ylim=ax.get_ylim())  # what they are so far is final
    unit = 72 / fig.dpi
    places = ax.transData.transform(points[["x", "y"]].to_numpy()) * unit
    frame = Bbox(ax.bbox.get_points() * unit)
    taken = [_around(x, y, 2 * MARK, 2 * MARK) for x, y in places]
    taken += [Bbox(ax.transData.transform(line.get_points()) * unit) for line in lines]
    for name, (x, y) in zip(points.index, places, strict=True):
        extent = 72 * text_width(str(name), size), LINE_HEIGHT * size
        gap, box = _first_free(list(_candidates(x, y, *extent)), taken, frame)
        taken.append(box)
        colour = colours[str(name)]
        ax.annotate(
            str(name),
            tuple(points.loc[name, ["x", "y"]]),
            ((box.x0 + box.x1) / 2 - x, (box.y0 + box.y1) / 2 - y),
            textcoords="offset points",
            ha="center",
            va="center",
            size=size,
            family=FAMILY,
            color=colour,
            parse_math=False,  # names are no formulas, whatever dollar signs they have
            arrowprops=None if gap == GAPS[0] else {"arrowstyle": "-", "lw": 0.5, "color": colour},
        )


def _candidates(x: float, y: float, width: float, height: float) -> Iterator[tuple[float, Bbox]]:
    """Boxes for a name around its point, each with its distance, the nearest first."""
    for gap in GAPS:
        for right, up in DIRECTIONS:
            shift_x, shift_y = right * (gap + width / 2), up * (gap + height / 2)
            yield gap, _around(x + shift_x, y + shift_y, width, height)


def _first_free(
    candidates: Sequence[tuple[float, Bbox]], taken: Sequence[Bbox], frame: Bbox
) -> tuple[float, Bbox]:
    free = (
        (gap, box)
        for gap, box in candidates
        if frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
        if not box.count_overlaps(taken)
    )
    return next(free, candidates[0])


def _around(x: float, y: float, width: float, height: float) -> Bbox:
    return Bbox.from_bounds(x - width / 2, y - height / 2, width, height)
