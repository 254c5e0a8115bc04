"""Does the uncertainty work? Metrics by category, and risk-coverage curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.analysis.numbers.metrics import metric_title
from experiments.analysis.numbers.ml_mlm_runs import MlMlmRun, clean_runs, missing_sentence
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.risk_coverage import RiskCoverage
from experiments.analysis.numbers.row_facts import COMMAND, row_facts
from experiments.analysis.numbers.uncertainty import (
    ACCURACY,
    RANKING_LOSS,
    Curves,
    are_in_order,
    metrics_by_category,
    risk_coverage_curves,
)
from experiments.analysis.sections.calibration import calibration_parts
from experiments.analysis.sections.parts import Paragraph, Part, Picture, Section, Table
from experiments.analysis.sections.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    SKY,
    SMALL,
    VERMILION,
    label_all,
    new_figure,
    set_title,
    small_multiples,
)
from experiments.analysis.sections.uncertainty_orders import order_parts
from mlmlm.uncertainty import CATEGORIES

TITLE = "Does the uncertainty work?"
CATEGORY_PICTURE, CATEGORY_TABLE = "uncertainty_categories", "uncertainty"
PICTURES = {ACCURACY: "risk_coverage_accuracy", RANKING_LOSS: "risk_coverage_ranking_loss"}
DRAWN_POINTS = 200
"""Of a curve; more would not be seen, and would make the files large."""

_LEGEND: dict[str, Any] = {
    "loc": "outside upper center",
    "ncols": 3,
    "frameon": False,
    "fontsize": SMALL,
}
_MARKS = dict(zip(CATEGORIES, ((GREEN, "o"), (ORANGE, "s"), (VERMILION, "^")), strict=True))


def uncertainty_section(results: StudyResults) -> Section:
    """Categories, curves, other orders beside that of the smallest distance, and calibration.

    On clean data: the corrected Tmc2007 stands in the place of the leaked one.
    """
    runs = clean_runs(results)
    found = {title: row_facts(results, run.record) for title, run in runs.items()}
    facts = {title: each for title, each in found.items() if each is not None}
    curves = risk_coverage_curves(runs)
    parts = [*_category_parts(runs), *_curve_parts(curves)]
    if any(curves.values()):
        parts += [*order_parts(runs, facts), *calibration_parts(runs, facts)]
    return Section(TITLE, parts, command=COMMAND)


# Drawing


def draw_categories(frame: pd.DataFrame) -> tuple[Figure, list[Axes]]:
    """Accuracy and ranking loss by dataset; a mark for each category, the larger the more rows.

    Below them the numbers of rows are written.
    """
    fig, axes = new_figure(5.2, 3, sharex=True, height_ratios=(3, 3, 1))
    datasets = list(dict.fromkeys(frame["dataset"]))
    shares = frame["rows"] / frame.groupby("dataset")["rows"].transform("sum")
    for ax, metric in zip(axes, ("accuracy", "ranking_loss"), strict=False):
        for number, category in enumerate(CATEGORIES):
            colour, marker = _MARKS[category]
            style: dict[str, Any] = {
                "color": colour,
                "marker": marker,
                "edgecolor": BLACK,
                "linewidth": 0.6,
            }
            chosen = frame["category"] == category
            places = [
                datasets.index(name) + 0.22 * (number - 1) for name in frame["dataset"][chosen]
            ]
            ax.scatter(places, frame[metric][chosen], s=15 + 130 * shares[chosen], **style)
            ax.scatter([], [], s=40, label=f"{category} uncertainty", **style)
        ax.grid(axis="y", color=GREY, alpha=0.25, linewidth=0.6)
    set_title(axes[0], "Accuracy (higher is better)")
    set_title(axes[1], "Ranking loss (lower is better)")
    axes[0].set_ylim(0, 1.08)
    axes[1].margins(y=0.12)
    axes[1].set_ylim(-0.04 * axes[1].get_ylim()[1], None)  # marks at 0 are seen whole
    _write_counts(axes[2], frame, datasets)
    axes[2].set_xlim(-0.6, len(datasets) - 0.4)
    axes[2].set_xticks(range(len(datasets)), datasets, rotation=90)
    handles, names = axes[0].get_legend_handles_labels()
    fig.legend(handles, names, **_LEGEND)
    return fig, axes


def _write_counts(ax: Axes, frame: pd.DataFrame, datasets: list[str]) -> None:
    """The number of rows of each category, a line for each."""
    for dataset, category, rows in zip(
        frame["dataset"], frame["category"], frame["rows"], strict=True
    ):
        place = datasets.index(dataset), CATEGORIES.index(category)
        ax.text(*place, f"{rows:,}", ha="center", va="center", size=SMALL)
    ax.set_ylim(len(CATEGORIES) - 0.5, -0.5)
    ax.set_yticks(range(len(CATEGORIES)), CATEGORIES)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(length=0)
    set_title(ax, "Test rows")


def draw_risk_coverage(
    curves: Mapping[str, RiskCoverage], as_accuracy: bool
) -> tuple[Figure, list[Axes]]:
    """One panel for each dataset: the curve, random rejection and the ideal.

    A risk of 1 - accuracy is drawn as accuracy, upside down. The first points of a curve are means
    of a few rows only; those of the ranking loss may leave the frame.
    """
    fig, panels = small_multiples(curves, sharey=as_accuracy)
    for name, ax in panels.items():
        _draw_panel(ax, curves[name], as_accuracy)
    what = "accuracy" if as_accuracy else "ranking loss"
    label_all(fig, "share of the test rows that is kept", f"{what} of the rows kept")
    handles, names = next(iter(panels.values())).get_legend_handles_labels()
    fig.legend(handles, names, **_LEGEND)
    return fig, list(panels.values())


def _draw_panel(ax: Axes, curve: RiskCoverage, as_accuracy: bool) -> None:
    points = np.unique(np.linspace(0, len(curve.curve) - 1, DRAWN_POINTS).round().astype(int))
    share, ours, ideal = curve.coverage[points], curve.curve[points], curve.ideal[points]
    overall = np.full(len(points), curve.random)
    if as_accuracy:
        ours, ideal, overall = 1 - ours, 1 - ideal, 1 - overall
    ax.fill_between(share, ours, overall, color=SKY, alpha=0.35, linewidth=0)
    ax.plot(share, ours, color=BLUE, linewidth=1.5, zorder=3, label="most certain first")
    ax.plot(share, overall, color=VERMILION, linestyle="--", linewidth=1.2, label="at random")
    ax.plot(share, ideal, color=GREY, linestyle=":", linewidth=1.2, label="ideal order")
    ax.set_xlim(0, 1)
    ax.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    ax.set_ylim(0, 1.03 if as_accuracy else 1.5 * curve.random or 1)
    y, va = (0.03, "bottom") if as_accuracy else (0.97, "top")
    text = f"{curve.ratio:.2f} × random"
    ax.text(0.97, y, text, ha="right", va=va, size=SMALL, transform=ax.transAxes)


# Parts


def _category_parts(runs: Mapping[str, MlMlmRun]) -> list[Part]:
    frame = metrics_by_category(runs)
    if frame.empty:
        return [Paragraph("No run of ML-MLM has metrics by category of uncertainty yet.")]
    missing = missing_sentence(set(frame["dataset"]))
    caption = (
        "ML-MLM within the categories of uncertainty: a smallest predicted distance below 1 is "
        "low, above √2 high. The larger a mark, the more of the test rows are in the category; "
        "below are their numbers."
    )
    return [
        Paragraph(_order_text(frame)),
        Picture(
            CATEGORY_PICTURE,
            "Accuracy and ranking loss by uncertainty",
            draw_categories(frame)[0],
            caption + missing,
        ),
        Table(
            CATEGORY_TABLE,
            "Metrics of ML-MLM within the categories of uncertainty",
            frame.set_index("dataset").rename(columns=metric_title),
            form={"Rows": ",d"},
            note="Rows: test rows in the category." + missing,
        ),
    ]


def _order_text(frame: pd.DataFrame) -> str:
    """On how many datasets the categories order accuracy and ranking loss as they should."""
    groups = [group for _, group in frame.groupby("dataset") if (group["rows"] > 0).sum() > 1]
    by_accuracy = sum(are_in_order(group["accuracy"], lower_is_better=False) for group in groups)
    by_loss = sum(are_in_order(group["ranking_loss"], lower_is_better=True) for group in groups)
    return (
        f"Datasets with test rows in more than one category: {len(groups)}. From each category to "
        f"the next more uncertain one accuracy falls on {by_accuracy} of them, and ranking loss "
        f"rises on {by_loss}."
    )


def _curve_parts(curves: Curves) -> list[Part]:
    if not any(curves.values()):
        return [Paragraph("No run of ML-MLM has the risks of single test rows yet.")]
    pictures = [_curve_picture(risk, each) for risk, each in curves.items() if each]
    return [Paragraph(" ".join(_area_texts(curves))), *pictures]


def _curve_picture(risk: str, curves: Mapping[str, RiskCoverage]) -> Picture:
    what = "Accuracy" if risk == ACCURACY else "Ranking loss"
    caption = (
        f"{what} of the most certain share of the test rows, those of the smallest predicted "
        "distances, beside that of rows kept at random and in the ideal order. The number in a "
        f"panel is the area under the curve of {risk} over that of random rejection: below 1 the "
        "uncertainty is of use. The first points are of a few rows, and may leave the frame."
        + missing_sentence(curves)
    )
    title = f"{what} as a function of the share of rows kept"
    figure, _ = draw_risk_coverage(curves, as_accuracy=risk == ACCURACY)
    return Picture(PICTURES[risk], title, figure, caption)


def _area_texts(curves: Curves) -> Iterator[str]:
    """On how many datasets the area beats random rejection, and by how much."""
    for risk, each in curves.items():
        ratios = np.array([curve.ratio for curve in each.values() if curve.random > 0])
        if len(ratios):
            yield (
                f"For {risk}, the area under the risk-coverage curve is smaller than that of "
                f"random rejection on {(ratios < 1).sum()} of {len(ratios)} datasets; the "
                f"median of their ratios is {np.median(ratios):.2f}."
            )
