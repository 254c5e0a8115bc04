"""Reference points: how many are enough, and what fewer of them cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from experiments.analysis.numbers.metrics import (
    PAPER_METRICS,
    metric_heading,
    metric_title,
    metric_words,
)
from experiments.analysis.numbers.references import (
    FULL,
    TOLERANCE,
    enough,
    label_counts,
    losses,
    mean_runs,
    reference_runs,
    rivals,
    selections,
)
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import Gallery, Paragraph, Part, Picture, Section, Table
from experiments.analysis.sections.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    SMALL,
    VERMILION,
    label_all,
    small_multiples,
)
from experiments.analysis.sections.words import counted, listed

STUDY = "references"
TITLE = "Reference points"
COMMAND = f"make reproduce STUDY={STUDY}"
MAIN = "random"
"""The selection that is the estimators' own."""

_COLOURS, _DASHES, _MARKERS = (BLUE, VERMILION, GREEN), ("-", "--", ":"), ("o", "s", "^")
_RIVAL_FORMS = ((ORANGE, "D"), (GREY, "X"))


class _Line(NamedTuple):
    method: str
    selection: str
    ridge: float
    label: str
    colour: str
    dashes: str
    marker: str


def references_section(results: StudyResults) -> Section:
    """Which share is enough, every metric against share and seconds, all values."""
    runs = reference_runs(results)
    if (runs["share"] == FULL).all():
        return Section(TITLE, [Paragraph(f"Missing: no run has fewer; `{COMMAND}`.")], COMMAND)
    others = rivals(results)
    parts: list[Part] = [Paragraph(sentence) for sentence in _beside_rivals(runs, others)]
    parts += list(_enough_tables(results, runs))
    for against, axis in (("share", "share of the inputs"), ("seconds", "seconds")):
        pictures = [
            Picture(
                f"references_{metric}_by_{against}",
                f"{metric_heading(metric)} against the {axis}",
                draw(runs, others if against == "seconds" else others[:0], metric, against)[0],
                _CAPTIONS[against],
            )
            for metric in PAPER_METRICS
        ]
        parts.append(Gallery(pictures))
    parts += list(_value_tables(runs))
    return Section(TITLE, parts, COMMAND)


def findings(results: StudyResults) -> list[str]:
    """Which share is enough, and where it is not, in plain words."""
    runs = reference_runs(results)
    worse = losses(runs, label_counts(results))
    if worse.empty:
        return ["No run with fewer reference points is beside one with all of them yet."]
    shares = enough(worse, MAIN)
    return [
        sentence
        for method in dict.fromkeys(worse["method"])
        for sentence in _of_method(method, shares.xs(method, level="method"), worse)
    ]


def _of_method(method: str, shares: pd.DataFrame, worse: pd.DataFrame) -> Iterator[str]:
    """``shares`` are those that are enough, datasets by metrics."""
    needed = shares.max(axis=1, skipna=False)
    for share, datasets in needed.groupby(needed):
        names = listed(datasets.index)
        yield f"{method}: {share:.0%} of the inputs are enough for all eight metrics on {names}."
    never = shares[needed.isna()]
    if never.empty:
        return
    own = worse[(worse["selection"] == MAIN) & (worse["method"] == method)]
    largest = own[own["share"] == own["share"].max()].set_index("dataset")
    texts = []
    for dataset, enough_for in never.iterrows():
        lost = largest.loc[dataset, enough_for.index[enough_for.isna()]].astype(float)
        texts.append(f"{dataset} ({metric_words(lost.idxmax())} {lost.max():.3f} worse)")
    yield f"{method}: even {own['share'].max():.0%} are not enough on {listed(texts)}."


def _beside_rivals(runs: pd.DataFrame, others: pd.DataFrame) -> Iterator[str]:
    """Where what one would use instead is better than every run here."""
    metric = "accuracy"
    best = mean_runs(runs).groupby("dataset", sort=False)[metric].max()
    better = others[others[metric] > others["dataset"].map(best)]
    if len(better):
        texts = [
            f"{row.method} on {row.dataset} ({getattr(row, metric):.3f} to {best[row.dataset]:.3f})"
            for row in better.itertuples()
        ]
        yield f"Higher accuracy than with any share of reference points has {listed(texts)}."


def draw(
    runs: pd.DataFrame, others: pd.DataFrame, metric: str, against: str
) -> tuple[Figure, list[Axes]]:
    """A panel for each dataset, a line for each method and setting, the full model's value."""
    datasets, lines = list(dict.fromkeys(runs["dataset"])), list(_lines(runs))
    forms = dict(zip(dict.fromkeys(others["method"]), _RIVAL_FORMS, strict=False))
    fig, panels = small_multiples(datasets)
    for name, ax in panels.items():
        own = runs[runs["dataset"] == name]
        for line in lines:
            _draw_line(ax, own, line, metric, against)
        for row in others[others["dataset"] == name].itertuples():
            (colour, marker), value = forms[row.method], getattr(row, metric)
            ax.plot(row.seconds, value, marker, color=colour, markersize=5, label=row.method)
        ax.set_xscale("log")
        if against == "share":
            ax.set_xticks([0.01, 0.1, 1], ["1", "10", "100"])
        else:
            ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
            ax.xaxis.set_major_formatter("{x:,g}")
        ax.minorticks_off()
    label_all(
        fig, "share of the inputs, %" if against == "share" else "seconds", metric_title(metric)
    )
    handles = {
        label: handle
        for ax in panels.values()
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    fig.legend(
        list(handles.values()),
        list(handles),
        loc="outside upper center",
        ncols=3,
        frameon=False,
        fontsize=SMALL,
    )
    return fig, list(panels.values())


def _draw_line(ax: Axes, runs: pd.DataFrame, line: _Line, metric: str, against: str) -> None:
    own = runs[runs["method"] == line.method]
    full = own[own["share"] == FULL]
    chosen = own[(own["selection"] == line.selection) & (own["ridge"] == line.ridge)]
    by_share = chosen.groupby("share")
    x = by_share[against].mean() if against == "seconds" else pd.Index(sorted(by_share.groups))
    y = by_share[metric].mean()
    ax.fill_between(
        x, by_share[metric].min(), by_share[metric].max(), color=line.colour, alpha=0.15, lw=0
    )
    form = f"{line.marker}{line.dashes}"
    ax.plot(x, y, form, color=line.colour, markersize=3, linewidth=1.2, label=line.label)
    if len(full) and line.selection == MAIN:
        ax.axhline(full[metric].mean(), color=line.colour, linewidth=0.8, alpha=0.7)
        if against == "seconds":
            ax.plot(full["seconds"].mean(), full[metric].mean(), "*", color=BLACK, markersize=6)


def _lines(runs: pd.DataFrame) -> Iterator[_Line]:
    """A colour for each method, dashes for each selection and ridge."""
    settings = runs.dropna(subset="selection")[["selection", "ridge"]].drop_duplicates()
    tells_ridge = settings["ridge"].nunique() > 1
    for method, colour in zip(dict.fromkeys(runs["method"]), _COLOURS, strict=False):
        for setting, dashes, marker in zip(
            settings.itertuples(index=False), _DASHES, _MARKERS, strict=False
        ):
            label = f"{method}, ridge {setting.ridge:g}" if tells_ridge else None
            label = label or f"{method}, {setting.selection}"
            yield _Line(method, setting.selection, setting.ridge, label, colour, dashes, marker)


def _enough_tables(results: StudyResults, runs: pd.DataFrame) -> Iterator[Table]:
    worse = losses(runs, label_counts(results))
    for selection in selections(runs):
        table = enough(worse, selection).reset_index()
        table.index = pd.Index(table["dataset"] + ", " + table["method"], name="dataset, method")
        yield Table(
            f"references_enough_{selection.replace('+', 'p')}",
            f"Share of the inputs that is enough, chosen by {selection!r}",
            table.drop(columns=["dataset", "method"]).rename(columns=metric_title),
            ".0%",
            note=f"The smallest share from which on the mean over {_seeds(runs)} is at most "
            f"{TOLERANCE} worse than the full model (coverage: divided by the number of labels). "
            "A dash: the largest share tried is not enough.",
        )


def _value_tables(runs: pd.DataFrame) -> Iterator[Table]:
    means = mean_runs(runs)
    kind = means["selection"].fillna("all")
    means["setting"] = (
        means["method"] + ", " + (100 * means["share"]).map("{:g} %".format) + ", " + kind
    )
    for column in (*PAPER_METRICS, "seconds"):
        wide = means.pivot_table(index="setting", columns="dataset", values=column, sort=False)
        order = list(dict.fromkeys(means.sort_values(["method", "selection", "share"])["setting"]))
        yield Table(
            f"references_{column}",
            f"{metric_heading(column) if column in PAPER_METRICS else 'Seconds to fit and predict'}"
            ", mean over seeds",
            wide.reindex(order)[list(dict.fromkeys(means["dataset"]))],
            ".1f" if column == "seconds" else ".3f",
            folded=True,
        )


def _seeds(runs: pd.DataFrame) -> str:
    """How many seeds, and on which datasets there are fewer."""
    numbers = runs.groupby("dataset", sort=False)["seed"].nunique()
    most = int(numbers.max())
    fewer = [f"{number} on {dataset}" for dataset, number in numbers.items() if number < most]
    return counted(most, "seed") + (f" ({listed(fewer)})" if fewer else "")


_CAPTIONS = {
    "share": "Mean over seeds; the band spans them. Thin horizontal line: the full model, every "
    "distinct input a reference point.",
    "seconds": "Seconds to fit and predict, what methods share counted for each. Star and thin "
    "line: the full model. Diamond and cross: what one would use instead, with the threshold that "
    "ML-MLM has, from the study of one footing.",
}
