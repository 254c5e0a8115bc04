"""Does the uncertainty work? Metrics by category, and risk-coverage curves.

The smallest predicted distance of a test row is its uncertainty. If it is a good one, then keeping
only the rows of the smallest distances leaves better predictions than keeping any rows.

**Risk-coverage curve.** Let ``r_1, ..., r_n`` be the risks (1 - accuracy, or ranking loss) of the
rows from the most to the least certain. Of the k most certain the mean risk is
``R_k = (r_1 + ... + r_k) / k``, and the curve is ``R_k`` against the share ``k / n`` that is kept.
The area under it is ``(R_1 + ... + R_n) / n``.

**What to compare it with.** If rows are rejected at random, each ``R_k`` has the expectation of a
mean of k rows drawn without replacement, the overall mean; so has the area. No order has a smaller
area than that of ascending risks, which makes every ``R_k`` as small as it can be: this is the
ideal, which needs to know the risks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

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
    SKY,
    SMALL,
    VERMILION,
    label_all,
    new_figure,
    set_title,
    small_multiples,
)
from experiments.analysis.table import Table
from mlmlm.metrics import PAPER_METRICS
from mlmlm.uncertainty import CATEGORIES

Array = NDArray[np.float64]

TITLE = "Does the uncertainty work?"
CATEGORY_FIGURE, CATEGORY_TABLE, AREA_TABLE = (
    "uncertainty_categories",
    "uncertainty",
    "risk_coverage",
)
ACCURACY, RANKING_LOSS = "1 - accuracy", "ranking loss"
FIGURES = {ACCURACY: "risk_coverage_accuracy", RANKING_LOSS: "risk_coverage_ranking_loss"}
DRAWN_POINTS = 200
"""Of a curve; more would not be seen, and would make the files large."""

_LEGEND: dict[str, Any] = {
    "loc": "outside upper center",
    "ncols": 3,
    "frameon": False,
    "fontsize": SMALL,
}
_MARKS = dict(zip(CATEGORIES, ((GREEN, "o"), (ORANGE, "s"), (VERMILION, "^")), strict=True))


@dataclass(frozen=True)
class RiskCoverage:
    """A risk-coverage curve, and the ideal one of the same risks."""

    curve: Array
    ideal: Array

    @property
    def coverage(self) -> Array:
        """The share of rows that is kept at each point."""
        return np.arange(1, len(self.curve) + 1) / len(self.curve)

    @property
    def random(self) -> float:
        """The expected area, and every expected point, of random rejection."""
        return float(self.curve[-1])

    @property
    def area(self) -> float:
        return float(self.curve.mean())

    @property
    def ideal_area(self) -> float:
        return float(self.ideal.mean())

    @property
    def ratio(self) -> float:
        """Area over that of random rejection; below 1 the uncertainty is of use."""
        return self.area / self.random if self.random else float("nan")


Curves = Mapping[str, Mapping[str, RiskCoverage]]  # by risk and dataset


def make(results: StudyResults) -> Section:
    """Tables and figures of what the runs of ML-MLM hold."""
    runs = ml_mlm_runs(results)
    parts = [*_category_parts(results, runs), *_curve_parts(results, runs)]
    return Section(TITLE, parts)


# Statistics


def risk_coverage(uncertainty: Array, risk: Array) -> RiskCoverage | None:
    """Curve of the rows whose risk is defined (not NaN); None if there is no such row.

    Of equal uncertainties the row that comes first is kept first.
    """
    defined = ~np.isnan(risk)
    uncertainty, risk = uncertainty[defined], risk[defined]
    if not len(risk):
        return None
    order = np.argsort(uncertainty, kind="stable")
    return RiskCoverage(_running_mean(risk[order]), _running_mean(np.sort(risk)))


def metrics_by_category(runs: Mapping[str, Run]) -> pd.DataFrame:
    """A row for each dataset and category: number of test rows, and the paper's metrics."""
    rows = [
        {"dataset": name, "category": category, **run.record.uncertainty[category]}
        for name, run in runs.items()
        if run.record.uncertainty is not None
        for category in CATEGORIES
    ]
    return pd.DataFrame(rows, columns=["dataset", "category", "rows", *PAPER_METRICS])


def are_in_order(values: pd.Series, lower_is_better: bool) -> bool:
    """Whether a metric gets worse from each category to the next that has rows."""
    steps = values.dropna().diff().dropna()
    return bool((steps > 0).all() if lower_is_better else (steps < 0).all())


def risk_coverage_curves(runs: Mapping[str, Run]) -> dict[str, dict[str, RiskCoverage]]:
    """By risk, the curves of the datasets whose runs hold what they need."""
    curves: dict[str, dict[str, RiskCoverage]] = {ACCURACY: {}, RANKING_LOSS: {}}
    for name, run in runs.items():
        for risk, values in _risks(run):
            curve = risk_coverage(run.arrays["smallest_distances"], values)
            if curve is not None:
                curves[risk][name] = curve
    return curves


def areas(curves: Curves) -> pd.DataFrame:
    """By dataset and for both risks: the area, those of random rejection and the ideal, a ratio."""
    columns = {
        f"{risk}: {name}": {dataset: getattr(curve, field) for dataset, curve in each.items()}
        for risk, each in curves.items()
        for name, field in (
            ("area", "area"),
            ("random", "random"),
            ("ideal", "ideal_area"),
            ("ratio", "ratio"),
        )
    }
    return pd.DataFrame(columns).rename_axis("dataset")


def _risks(run: Run) -> Iterator[tuple[str, Array]]:
    arrays = run.arrays
    if "smallest_distances" not in arrays:
        return
    if "accuracy_per_row" in arrays:
        yield ACCURACY, 1 - arrays["accuracy_per_row"]
    if "ranking_loss_per_row" in arrays:
        yield RANKING_LOSS, arrays["ranking_loss_per_row"]


def _running_mean(values: Array) -> Array:
    return np.cumsum(values) / np.arange(1, len(values) + 1)


# Drawing


def draw_categories(frame: pd.DataFrame) -> tuple[Figure, list[Axes]]:
    """Accuracy and ranking loss by dataset; a mark for each category, the larger the more rows."""
    fig, axes = new_figure(4.4, 2, sharex=True)
    datasets = list(dict.fromkeys(frame["dataset"]))
    shares = frame["rows"] / frame.groupby("dataset")["rows"].transform("sum")
    for ax, metric in zip(axes, ("accuracy", "ranking_loss"), strict=True):
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
    axes[1].set_xlim(-0.6, len(datasets) - 0.4)
    axes[1].set_xticks(range(len(datasets)), datasets, rotation=30, ha="right")
    handles, names = axes[0].get_legend_handles_labels()
    fig.legend(handles, names, **_LEGEND)
    return fig, axes


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


def _category_parts(results: StudyResults, runs: Mapping[str, Run]) -> list[Part]:
    frame = metrics_by_category(runs)
    if frame.empty:
        return [Paragraph("No run of ML-MLM has metrics by category of uncertainty yet.")]
    save_figure(draw_categories(frame)[0], results.folder / "figures" / CATEGORY_FIGURE)
    missing = missing_sentence(set(frame["dataset"]))
    columns = {"category": "Category", "rows": "Rows"}
    columns |= {name: metric.title for name, metric in PAPER_METRICS.items()}
    caption = (
        "ML-MLM within the categories of uncertainty: a smallest predicted distance below 1 is "
        "low, above √2 high. The larger a mark, the more of the test rows are in the category."
    )
    return [
        Paragraph(_order_text(frame)),
        Picture(CATEGORY_FIGURE, "Accuracy and ranking loss by uncertainty", caption + missing),
        Table(
            CATEGORY_TABLE,
            "Metrics of ML-MLM within the categories of uncertainty",
            frame.set_index("dataset").rename(columns=columns),
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


def _curve_parts(results: StudyResults, runs: Mapping[str, Run]) -> list[Part]:
    curves = risk_coverage_curves(runs)
    if not any(curves.values()):
        return [Paragraph("No run of ML-MLM has the risks of single test rows yet.")]
    parts: list[Part] = [Paragraph(" ".join(_area_texts(curves)))]
    for risk, each in curves.items():
        if each:
            fig, _ = draw_risk_coverage(each, as_accuracy=risk == ACCURACY)
            save_figure(fig, results.folder / "figures" / FIGURES[risk])
            parts.append(_curve_picture(risk, each))
    note = (
        "Area under the curve of the mean risk against the share of rows kept. Random: expected "
        "if rows are kept at random, the mean risk of all. Ideal: rows in the order of their "
        "risks, the least that is possible. Ratio: area over random. Rows without a relevant label "
        "have no ranking loss and are left out of it."
    )
    table = areas(curves)
    missing = missing_sentence(list(table.index))
    parts.append(Table(AREA_TABLE, "Areas of the risk-coverage curves", table, note=note + missing))
    return parts


def _curve_picture(risk: str, curves: Mapping[str, RiskCoverage]) -> Picture:
    what = "Accuracy" if risk == ACCURACY else "Ranking loss"
    caption = (
        f"{what} of the most certain share of the test rows, those of the smallest predicted "
        "distances, beside that of rows kept at random and in the ideal order. The number in a "
        f"panel is the area under the curve of {risk} over that of random rejection: below 1 the "
        "uncertainty is of use. The first points are of a few rows, and may leave the frame."
        + missing_sentence(curves)
    )
    return Picture(FIGURES[risk], f"{what} as a function of the share of rows kept", caption)


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
