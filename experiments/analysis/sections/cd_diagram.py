"""Critical-difference diagram of a comparison, after Demšar (2006).

The best rank is on the left, where one begins to read, and ranks grow to the right as on any axis.
Bars under the axis join methods that do not differ significantly; the bar above it is the critical
distance. The drawing is made on figures of its own, without pyplot's global state.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any, NamedTuple, TypeAlias

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from mlmlm.statistics import RankComparison

# Two of Okabe and Ito's colours, which every kind of colour vision tells apart.
OURS, INK = "#0072B2", "#000000"
BAR, NOTE = "#8C8C8C", "#595959"

# All lengths are in inches.
AXIS_WIDTH, EDGE = 5.2, 0.1
TITLE_HEIGHT, CD_HEIGHT, TICKS_HEIGHT = 0.28, 0.30, 0.32
BAR_STEP, LABEL_STEP, LABEL_GAP, RANK_WIDTH = 0.11, 0.22, 0.07, 0.48
FONT, SMALL, FAMILY = 9.5, 8.5, "DejaVu Sans"  # points; the family comes with Matplotlib

_Span: TypeAlias = tuple[float, float]


class _Label(NamedTuple):
    """A method's name and rank, at the end of a line that comes down from the axis."""

    name: str
    rank: float
    colour: str
    weight: str


def draw_cd_diagram(
    comparison: RankComparison,
    title: str | None = None,
    highlight: Collection[Hashable] = (),
) -> tuple[Figure, Axes]:
    """Draw a comparison; highlighted methods are coloured and bold.

    Returns
    -------
    fig, ax
        The coordinates of ``ax`` are inches of the figure, y from the top down.
    """
    labels, half = _labels(comparison, highlight), (comparison.n_methods + 1) // 2
    bars = _levels(comparison)
    margin = (
        max(text_width(each.name, FONT, each.weight) for each in labels)
        + RANK_WIDTH
        + LABEL_GAP
        + EDGE
    )
    top = EDGE + (TITLE_HEIGHT if title else 0) + CD_HEIGHT + TICKS_HEIGHT
    first = top + BAR_STEP * (1 + len(bars)) + LABEL_STEP / 2
    fig, ax = _canvas(AXIS_WIDTH + 2 * margin, first + LABEL_STEP * (half - 0.5) + EDGE)
    scale = _Scale(comparison, margin)
    if title:
        _write(ax, EDGE, EDGE, title, va="top", size=FONT + 1, weight="bold")
    _draw_critical_distance(ax, comparison, scale, top - TICKS_HEIGHT)
    _draw_axis(ax, comparison, scale, top)
    _draw_bars(ax, bars, scale, top)
    # The better half from the best down, the other from the worst down: so no lines cross.
    for side, column in ((-1, labels[:half]), (+1, labels[: half - 1 : -1])):
        for row, label in enumerate(column):
            _draw_label(ax, label, scale, top, first + row * LABEL_STEP, side)
    return fig, ax


class _Scale:
    """From ranks to inches; wide enough for a critical distance longer than the axis."""

    def __init__(self, comparison: RankComparison, margin: float) -> None:
        self.start, self.end = margin, margin + AXIS_WIDTH
        self._unit = AXIS_WIDTH / max(comparison.n_methods - 1, comparison.critical_distance)

    def __call__(self, rank: float) -> float:
        return self.start + (rank - 1) * self._unit


def _labels(comparison: RankComparison, highlight: Collection[Hashable]) -> list[_Label]:
    return [
        _Label(str(method), float(rank), OURS, "bold")
        if method in highlight
        else _Label(str(method), float(rank), INK, "normal")
        for method, rank in comparison.average_ranks.items()
    ]


def _levels(comparison: RankComparison) -> list[list[_Span]]:
    """First and last rank of each group of two or more, on levels where they do not touch."""
    levels: list[list[_Span]] = []
    for clique in comparison.cliques:
        if len(clique) < 2:
            continue
        ranks = comparison.average_ranks[list(clique)]
        span = float(ranks.min()), float(ranks.max())
        free = (level for level in levels if level[-1][1] < span[0])
        level = next(free, None)
        if level is None:
            levels.append([span])
        else:
            level.append(span)
    return levels


def _canvas(width: float, height: float) -> tuple[Figure, Axes]:
    fig = Figure(figsize=(width, height), facecolor="white")
    ax = fig.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    ax.set_axis_off()
    return fig, ax


def _draw_critical_distance(ax: Axes, comparison: RankComparison, scale: _Scale, y: float) -> None:
    end = scale(1 + comparison.critical_distance)
    _line(ax, [scale.start, end], [y, y], lw=1.5)
    for x in (scale.start, end):
        _line(ax, [x, x], [y - 0.05, y + 0.05], lw=1.5)
    text = f"CD = {comparison.critical_distance:.2f} (α = {comparison.alpha:g})"
    _write(ax, scale.start, y - 0.09, text)
    _write(ax, scale.end, y - 0.09, _summary(comparison), ha="right", color=NOTE)


def _summary(comparison: RankComparison) -> str:
    p_value = comparison.friedman.chi_square_ties.p_value
    friedman = "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"
    verdict = "" if comparison.rejected else ", not rejected"
    counts = f"{comparison.n_methods} methods, {comparison.n_datasets} datasets"
    return f"{counts}; Friedman {friedman}{verdict}"


def _draw_axis(ax: Axes, comparison: RankComparison, scale: _Scale, y: float) -> None:
    last = comparison.n_methods
    step = 1 + last // 25  # more numbers than that would run into one another
    _line(ax, [scale(1), scale(last)], [y, y], solid_capstyle="projecting")
    for rank in range(1, last + 1, step):
        _line(ax, [scale(rank)] * 2, [y, y - 0.07])
        _write(ax, scale(rank), y - 0.1, str(rank), ha="center")


def _draw_bars(ax: Axes, levels: Sequence[Sequence[_Span]], scale: _Scale, y: float) -> None:
    """From the line of a group's first method to that of its last, and not beyond."""
    for number, level in enumerate(levels, start=1):
        for span in level:
            xs = [scale(rank) for rank in span]
            ys = [y + number * BAR_STEP] * 2
            _line(ax, xs, ys, color=BAR, lw=4, solid_capstyle="butt", zorder=1)


def _draw_label(ax: Axes, label: _Label, scale: _Scale, top: float, y: float, side: int) -> None:
    """A line down from the axis and out to one side (-1 is left), rank and name at its end."""
    x, end = scale(label.rank), scale.start if side < 0 else scale.end
    _line(ax, [x, x, end + side * 0.02], [top, y, y], color=label.colour)
    style = {"va": "center_baseline", "color": label.colour, "weight": label.weight, "size": FONT}
    # Ranks are set flush right on both sides, so that their points are in line.
    inner, outer = end + side * LABEL_GAP, end + side * (LABEL_GAP + RANK_WIDTH)
    rank = inner if side < 0 else outer - 0.08
    _write(ax, rank, y, f"{label.rank:.2f}", ha="right", **style)
    _write(ax, outer, y, label.name, ha="right" if side < 0 else "left", **style)


def _line(ax: Axes, xs: Sequence[float], ys: Sequence[float], **style: Any) -> None:
    plain: dict[str, Any] = {"color": INK, "lw": 1, "zorder": 2, "clip_on": False}
    ax.plot(xs, ys, **(plain | style))


def _write(ax: Axes, x: float, y: float, text: str, **style: Any) -> None:
    # Names of methods are no formulas, whatever dollar signs they have.
    plain: dict[str, Any] = {"va": "bottom", "size": SMALL, "family": FAMILY, "parse_math": False}
    ax.text(x, y, text, **(plain | style))


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """Inches of a line of text, whose size is in points."""
    font = FontProperties(family=FAMILY, weight=weight)
    plain = text.replace("$", "S")  # or it would be measured as a formula
    return float(TextPath((0, 0), plain, size=size, prop=font).get_extents().width) / 72
