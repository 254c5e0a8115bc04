"""The predicted squared distance beside the number of wrong labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.analysis.numbers.calibration import (
    ML_MLM,
    NEAREST,
    calibration,
    calibration_summary,
)
from experiments.analysis.numbers.ml_mlm_runs import MlMlmRun, missing_sentence
from experiments.analysis.numbers.row_facts import RowFacts
from experiments.analysis.sections.parts import Paragraph, Part, Picture, Table
from experiments.analysis.sections.style import (
    BLUE,
    GREY,
    SMALL,
    VERMILION,
    label_all,
    small_multiples,
)

PICTURE = TABLE = "calibration"
_STYLES: dict[str, dict[str, Any]] = {
    NEAREST: {"color": VERMILION, "marker": "s", "linestyle": "--"},
    ML_MLM: {"color": BLUE, "marker": "o", "linestyle": "-"},
}


def calibration_parts(
    runs: Mapping[str, MlMlmRun], facts: Mapping[str, RowFacts]
) -> Iterator[Part]:
    bins = calibration(runs, facts)
    if bins.empty:
        return
    summary = calibration_summary(runs, facts)
    missing = missing_sentence(list(summary.index))
    yield Paragraph(_text(summary))
    yield Picture(
        PICTURE,
        "Predicted squared distance and wrong labels",
        draw_calibration(bins)[0],
        "Test rows in ten bins by the square of their smallest predicted distance: the mean square "
        "and the mean number of wrong labels, with two standard errors. On the dotted line they "
        "are equal." + missing,
    )
    yield Table(
        TABLE,
        "Predicted squared distance and wrong labels",
        summary,
        form={"rows": ",d"},
        note="Means of the test rows; rank correlation is Spearman's, over the rows." + missing,
    )


def draw_calibration(bins: pd.DataFrame) -> tuple[Figure, list[Axes]]:
    """A panel for each dataset: wrong labels by predicted squared distance."""
    fig, panels = small_multiples(dict.fromkeys(bins["dataset"]))
    for name, ax in panels.items():
        of_dataset = bins[bins["dataset"] == name]
        for of, style in _STYLES.items():
            each = of_dataset[of_dataset["of"] == of]
            ax.errorbar(
                each["predicted"],
                each["wrong"],
                yerr=2 * each["error"],
                markersize=2.5,
                linewidth=1.0,
                label=f"of {of}",
                **style,
            )
        most = max(of_dataset["predicted"].max(), of_dataset["wrong"].max()) * 1.08
        ax.plot([0, most], [0, most], color=GREY, linestyle=":", linewidth=1.2, label="equal")
        ax.set_xlim(0, most)
        ax.set_ylim(0, most)
    label_all(fig, "predicted squared distance", "wrong labels")
    handles, names = next(iter(panels.values())).get_legend_handles_labels()
    fig.legend(handles, names, loc="outside upper center", ncols=3, frameon=False, fontsize=SMALL)
    return fig, list(panels.values())


def _text(summary: pd.DataFrame) -> str:
    """Whether the square is too small on the whole, and whether it goes with the errors."""
    share = summary["predicted"] / summary[f"wrong, {NEAREST}"]
    together = summary[f"rank correlation, {NEAREST}"]
    return (
        "The square of the smallest predicted distance is a prediction of how many labels of the "
        "nearest label vector are wrong. On the mean of all rows it is too small on "
        f"{(share < 1).sum()} of {len(share)} datasets, from {share.min():.2f} to "
        f"{share.max():.2f} times the number that is wrong. Row by row the rank correlation of the "
        f"two is {together.min():.2f} to {together.max():.2f}."
    )
