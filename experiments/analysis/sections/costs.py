"""What a method costs: each metric against the seconds of fit and prediction, and memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator
from matplotlib.transforms import Bbox

from experiments.analysis.numbers.comparison import MetricComparison
from experiments.analysis.numbers.costs import costs, pareto_front
from experiments.analysis.numbers.metrics import metric_heading, metric_title, metric_words
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.seconds import IN_ALL, PEAK
from experiments.analysis.sections.cd_diagram import FAMILY
from experiments.analysis.sections.labels import label_points
from experiments.analysis.sections.parts import (
    ABSENT,
    Gallery,
    Paragraph,
    Part,
    Picture,
    Section,
    Table,
)
from experiments.analysis.sections.style import BLACK, BLUE, GREY, PALE, SMALL, TEXT
from experiments.analysis.sections.words import counted, listed

TITLE = "What it costs"
SIZE, MARGINS = (6.2, 3.9), (0.75, 0.5, 0.12)
"""Inches; the margins on the left, at the bottom, and on the other sides."""
AREA = (16, 160)
"""Square points of a mark without memory, and of the one with the most."""


def costs_section(results: StudyResults) -> Section:
    """A table of seconds and memory, and a picture for each metric."""
    if not results.records:
        return Section(TITLE, [Paragraph("The study has no runs yet.")])
    table = costs(results.records, results.method_titles)
    metrics = [one for one in results.comparison.metrics.values() if one.is_comparable]
    number = counted(len(results.comparison.datasets), "dataset")
    parts: list[Part] = [
        Paragraph(
            f"Seconds of wall time to fit and to predict, of {number} together; what methods share "
            "is counted for each, and of several runs on a dataset it is the mean. Memory is the "
            "largest resident set of the process, with the data and the interpreter in it. The "
            "pictures have each metric's mean over the datasets; a method is on the front, which "
            "the line joins, if no other is both quicker and better."
        ),
        costs_table(table, metrics),
    ]
    if metrics:
        parts.append(Gallery([picture(table, one) for one in metrics]))
    return Section(TITLE, parts)


def costs_table(table: pd.DataFrame, metrics: Sequence[MetricComparison]) -> Table:
    """Seconds and memory by method, and where it is worth them."""
    fronts = {
        metric_words(one.metric): pareto_front(table[IN_ALL], one.overall, one.metric)
        for one in metrics
    }
    on = {
        method: ", ".join(metric for metric, front in fronts.items() if method in front)
        for method in table.index
    }
    values = table.assign(**({"on the front of": pd.Series(on).replace("", ABSENT)} if on else {}))
    return Table(
        "costs",
        "Seconds and memory of each method",
        values,
        form={name: ",.2f" for name in table} | {PEAK: ",.0f"},
        note="A dash: the method was not run on all datasets.",
    )


def picture(table: pd.DataFrame, one: MetricComparison) -> Picture:
    known = table.loc[one.overall.index].dropna()
    front = pareto_front(known[IN_ALL], one.overall[known.index], one.metric)
    few, most = (f"{known[PEAK].agg(which):,.0f} MB" for which in ("min", "max"))
    return Picture(
        f"cost_{one.metric}",
        f"{metric_title(one.metric)} and seconds",
        draw_costs(known, one),
        f"On the front: {listed(front)}. The larger a mark, the more memory: from {few} to {most}.",
    )


def draw_costs(table: pd.DataFrame, one: MetricComparison) -> Figure:
    """A mark for each method; those on the front are coloured and joined by a line."""
    seconds, values = table[IN_ALL], one.overall.reindex(table.index)
    front = pareto_front(seconds, values, one.metric)
    fig, ax = _axes()
    ax.set_ylabel(metric_heading(one.metric), size=TEXT, family=FAMILY)
    ax.plot(seconds[front], values[front], color=BLUE, lw=1, drawstyle="steps-post", zorder=1)
    colours = [BLUE if name in front else GREY for name in table.index]
    ax.scatter(seconds, values, s=_areas(table[PEAK]), c=colours, lw=0, zorder=2)
    inks = {name: BLUE if name in front else BLACK for name in table.index}
    ax.xaxis.set_major_locator(LogLocator(subs=_steps(seconds), numticks=99))
    places = pd.DataFrame({"x": seconds, "y": values})
    label_points(ax, places, inks, SMALL, list(_stairs(places.loc[front])))
    return fig


def _steps(seconds: pd.Series) -> Sequence[int]:
    """Which multiples of powers of ten have a tick: the fewer, the more powers there are."""
    ratio = seconds.max() / seconds.min()
    return range(1, 10) if ratio < 5 else (1, 2, 5) if ratio < 500 else (1,)


def _stairs(front: pd.DataFrame) -> Iterator[Bbox]:
    """What the line covers: from each point to the right, then to the next."""
    for here, there in pairwise(front.itertuples()):
        yield Bbox([[here.x, here.y], [there.x, here.y]])
        yield Bbox([[there.x, here.y], [there.x, there.y]])


def _axes() -> tuple[Figure, Axes]:
    """Axes at a fixed place of their figure: to find one takes longer than to draw."""
    fig = Figure(figsize=SIZE, facecolor="white")
    left, bottom, rest = MARGINS
    width, height = SIZE
    ax = fig.add_axes(
        (left / width, bottom / height, 1 - (left + rest) / width, 1 - (bottom + rest) / height)
    )
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=SMALL, labelfontfamily=FAMILY)
    ax.set_xscale("log")
    # Plain numbers: powers of ten would be set as formulas, which takes longer than all the rest.
    ax.xaxis.set_major_formatter(FuncFormatter(lambda seconds, _: f"{seconds:g}"))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlabel("seconds to fit and predict", size=TEXT, family=FAMILY)
    ax.margins(0.12, 0.14)
    ax.grid(color=PALE, lw=0.5)
    ax.set_axisbelow(True)
    return fig, ax


def _areas(memory: pd.Series) -> pd.Series:
    small, large = AREA
    return small + (large - small) * memory / memory.max()
