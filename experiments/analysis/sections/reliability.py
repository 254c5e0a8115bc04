"""ML-MLM's scores as probabilities, as published and calibrated, beside a constant."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.analysis.numbers.ml_mlm_runs import missing_sentence
from experiments.analysis.numbers.reliability import (
    BRIER_SCORE,
    CALIBRATION_ERROR,
    COMMAND,
    ISOTONIC,
    LOG_LOSS,
    N_BINS,
    PREVALENCE,
    PUBLISHED,
    SIGMOID,
    Reliability,
    reliability,
)
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import Paragraph, Part, Picture, Section, Table
from experiments.analysis.sections.style import (
    BLUE,
    GREEN,
    GREY,
    PANEL_COLUMNS,
    SMALL,
    VERMILION,
    label_all,
    new_figure,
    set_title,
)
from experiments.analysis.sections.words import listed

TITLE = "Scores as probabilities"
NAME = "reliability"
FEWEST = 20
"""Labels in a bin that is drawn; of fewer the observed share is mostly chance."""
TITLES = {
    PREVALENCE: "constant prevalence",
    PUBLISHED: "as published",
    SIGMOID: "sigmoid",
    ISOTONIC: "isotonic",
}
MEANING = (
    "ML-MLM's scores are shares of weighted votes. They rank labels and are cut into labels; no "
    "more is asked of them. Here they are taken as probabilities, as published and calibrated: for "
    "each label a sigmoid or an isotonic function maps scores to probabilities, fitted to the "
    "leave-one-out scores of the training rows. The yardstick is a constant that uses no input, "
    "the share of training rows that have the label."
)
_GAIN = "Gain: by how much of its value it is better than the constant; negative if worse."
_STYLES: dict[str, dict[str, Any]] = {
    PUBLISHED: {"color": BLUE, "marker": "o", "linestyle": "-"},
    SIGMOID: {"color": VERMILION, "marker": "s", "linestyle": "--"},
    ISOTONIC: {"color": GREEN, "marker": "^", "linestyle": "-."},
}


def reliability_section(results: StudyResults) -> Section:
    """Sentences, the diagrams and the tables; nothing where nothing was computed."""
    found = reliability(results)
    return Section(TITLE, [] if found is None else list(_parts(found)), COMMAND)


def _parts(found: Reliability) -> Iterator[Part]:
    missing = missing_sentence(list(found.measures[BRIER_SCORE].index))
    yield Paragraph(MEANING)
    yield Paragraph(" ".join(_verdicts(found)))
    yield Picture(
        NAME,
        "Reliability diagrams of ML-MLM's scores",
        draw_reliability(found.bins)[0],
        f"All labels of all test rows in {N_BINS} bins of equal width by their probability: above "
        "the mean probability and the share of labels that are there in truth, which are equal on "
        "the dotted line; below how many labels are in the bin, on a logarithmic scale. A bin of "
        f"fewer than {FEWEST} labels has no point." + missing,
    )
    yield _score_table(
        found,
        BRIER_SCORE,
        "Brier score",
        f"Mean of (p - y)² over all test rows and labels. {_GAIN}{missing}",
    )
    yield _score_table(
        found,
        LOG_LOSS,
        "Log loss",
        "Mean over all test rows and labels, in nats. Probabilities are cut to 2.2e-16 and 1 less "
        "that, as in scikit-learn, so a certain prediction that is wrong costs 36. "
        f"{_GAIN}{missing}",
    )
    yield _error_table(found, missing)


# Drawing


def draw_reliability(bins: pd.DataFrame) -> tuple[Figure, list[Axes]]:
    """Of each dataset observed shares by mean probability, and below them the counts."""
    datasets = list(dict.fromkeys(bins["dataset"]))
    columns = min(len(datasets), PANEL_COLUMNS)
    rows = math.ceil(len(datasets) / columns)
    fig, axes = new_figure(
        0.5 + 2.2 * rows, 2 * rows, columns, sharex=True, sharey="row", height_ratios=(5, 2) * rows
    )
    grid = np.array(axes).reshape(rows, 2, columns)
    above, below = (list(grid[:, place].flat) for place in (0, 1))
    for ax in [*above[len(datasets) :], *below[len(datasets) :]]:
        ax.set_axis_off()
    for name, diagram, counts in zip(datasets, above, below, strict=False):
        _draw_panel(diagram, counts, bins[bins["dataset"] == name])
        set_title(diagram, name)
    for diagram, counts in zip(above[::columns], below[::columns], strict=True):
        diagram.set_ylabel("observed share")
        counts.set_ylabel("labels")
    label_all(fig, "probability", "")
    handles, names = above[0].get_legend_handles_labels()
    fig.legend(handles, names, loc="outside upper center", ncols=4, frameon=False, fontsize=SMALL)
    return fig, axes


def _draw_panel(diagram: Axes, counts: Axes, bins: pd.DataFrame) -> None:
    edges = np.linspace(0, 1, N_BINS + 1)
    diagram.plot([0, 1], [0, 1], color=GREY, linestyle=":", linewidth=1.2, label="equal")
    for kind, style in _STYLES.items():
        each = bins[bins["kind"] == kind].set_index("number").reindex(range(N_BINS))
        shown = each.where(each["count"] >= FEWEST)  # where there is none the line has a gap
        diagram.plot(
            shown["mean"],
            shown["share"],
            markersize=2.5,
            linewidth=1.0,
            clip_on=False,
            label=TITLES[kind],
            **style,
        )
        line = {name: style[name] for name in ("color", "linestyle")}
        counts.stairs(each["count"].fillna(0), edges, linewidth=1.0, **line)
    diagram.set(xlim=(0, 1), ylim=(0, 1))
    diagram.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    counts.set_yscale("log")
    counts.set_ylim(0.7, 1e7)
    counts.set_yticks([1, 1e3, 1e6], ["1", "10³", "10⁶"])
    counts.minorticks_off()
    counts.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])


# Words and tables


def _verdicts(found: Reliability) -> Iterator[str]:
    """Where the scores are better than the constant, and where calibration makes them better."""
    published = _better(found, PUBLISHED, PREVALENCE)
    yield f"**As published the scores are better than the constant {published}.**"
    for kind, words in ((SIGMOID, "a sigmoid"), (ISOTONIC, "isotonic regression")):
        yield (
            f"Calibrated by {words} they are better than as published "
            f"{_better(found, kind, PUBLISHED)}; better than the constant "
            f"{_better(found, kind, PREVALENCE)}."
        )
    sigmoid, isotonic = (
        _counted(found.not_better(CALIBRATION_ERROR, kind, PUBLISHED), found)
        for kind in (SIGMOID, ISOTONIC)
    )
    yield (
        f"The expected calibration error is smaller than as published by a sigmoid on {sigmoid}, "
        f"by isotonic regression on {isotonic}."
    )
    for title, rows in found.leaked.items():
        yield _on_leak(found, title, rows)


def _better(found: Reliability, kind: str, other: str) -> str:
    """By which measure a kind is better than another, and on which datasets it is not."""
    brier, log = (found.not_better(each, kind, other) for each in (BRIER_SCORE, LOG_LOSS))
    if brier == log:
        return f"by both measures on {_counted(brier, found)}"
    return f"by the Brier score on {_counted(brier, found)}, by log loss on {_counted(log, found)}"


def _counted(others: list[str], found: Reliability) -> str:
    number = len(found.measures[BRIER_SCORE])
    if not others:
        return f"all {number} datasets"
    return f"{number - len(others)} of {number} datasets (not on {listed(others)})"


def _on_leak(found: Reliability, title: str, rows: int) -> str:
    scores = found.measures[BRIER_SCORE].loc[title]
    return (
        f"All {rows:,} test rows of {title} are copies of training rows, so leave-one-out scores, "
        "those of rows that the model does not know, say little of them: the Brier score there is "
        f"{scores[PUBLISHED]:.4f} as published, {scores[SIGMOID]:.4f} by a sigmoid and "
        f"{scores[ISOTONIC]:.4f} by isotonic regression."
    )


def _score_table(found: Reliability, measure: str, title: str, note: str) -> Table:
    """Values of a measure, and by how much each kind is better than the constant."""
    values = found.measures[measure][list(TITLES)]
    gains = found.gains(measure).rename(columns=lambda kind: f"gain, {TITLES[kind]}")
    whole = values.rename(columns=TITLES).join(gains)
    least = values.eq(values.min(axis=1), axis=0).rename(columns=TITLES)
    return Table(
        f"{NAME}_{measure}",
        f"{title} of ML-MLM's scores as probabilities",
        whole,
        form=dict.fromkeys(TITLES.values(), ".4f") | dict.fromkeys(gains, "+.1%"),
        best=least.reindex(columns=whole.columns, fill_value=False),
        note=note,
    )


def _error_table(found: Reliability, missing: str) -> Table:
    """Calibration errors, and what the diagrams are too coarse for: the bin of most labels."""
    errors = found.measures[CALIBRATION_ERROR][list(TITLES)].rename(columns=TITLES)
    first = found.first_bin().rename(columns=lambda name: f"first bin: {name}")
    return Table(
        f"{NAME}_{CALIBRATION_ERROR}",
        "Expected calibration error, and the first bin as published",
        errors.join(first),
        form=".4f",
        note="Difference of mean probability and observed share, the mean of the bins weighted by "
        "their counts. A constant has little of it and is of no use. The first bin, as published: "
        "how many of the labels are in it, their mean probability and the observed share."
        + missing,
        folded=True,
    )
