"""The smallest distance beside what any probabilistic classifier offers for free."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.analysis.numbers.ml_mlm_runs import MlMlmRun, missing_sentence
from experiments.analysis.numbers.risk_coverage import LEVEL, N_SAMPLES
from experiments.analysis.numbers.row_facts import COMMAND, RowFacts
from experiments.analysis.numbers.uncertainty import (
    ACCURACY,
    ALPHA,
    FOREST_ALONE,
    FREE,
    RANKING_LOSS,
    RISKS,
    SMALLEST_DISTANCE,
    advantages,
    areas,
)
from experiments.analysis.sections.parts import Paragraph, Part, Picture, Table
from experiments.analysis.sections.style import (
    BLUE,
    GREY,
    ORANGE,
    label_all,
    new_figure,
    set_title,
)
from experiments.analysis.sections.words import counted

PICTURES = {ACCURACY: "uncertainty_orders_accuracy", RANKING_LOSS: "uncertainty_orders_loss"}
AREA_TABLE, ADVANTAGE_TABLE = "risk_coverage", "uncertainty_orders"
MEANING = (
    "Orders of the test rows, from the most to the least certain: by the smallest predicted "
    "distance; by what the scores p of ML-MLM offer, the sum of p(1 − p) over the labels, the sum "
    "of their entropies, and the margin, the least distance of a score to the threshold; by the "
    "distance to the nearest training input; and by the sum of p(1 − p) of a random forest "
    "(RF-PCT's, one seed, its scores cut at the cardinality of training by out-of-bag scores). "
    "They order the rows by how wrong ML-MLM is there. The last, “forest, its own risk”, is the "
    "forest's order of the forest's own errors."
)


def order_parts(runs: Mapping[str, MlMlmRun], facts: Mapping[str, RowFacts]) -> Iterator[Part]:
    """Sentences, a picture for each risk, the counts, and every area."""
    table = areas(runs, facts)
    counts = advantages(table)
    if counts.empty:
        yield Paragraph(f"Nothing to compare the smallest distance with yet: `{COMMAND}`.")
    else:
        yield Paragraph(MEANING)
        yield Paragraph(" ".join([*_verdicts(counts), _by_counting(counts)]))
        if absent := list(_absent(runs, facts)):
            yield Paragraph(" ".join(absent))
        compared = table[table.index.isin(facts)]
        for risk in RISKS:
            yield _picture(risk, compared[compared["risk"] == risk])
        yield _advantage_table(counts)
    yield _area_table(table)


def draw_ratios(table: pd.DataFrame) -> tuple[Figure, list[Axes]]:
    """A panel for each order: its area over random rejection's, less that of smallest distance."""
    orders = [name for name in (*FREE, FOREST_ALONE) if name in set(table["order"])]
    datasets = list(dict.fromkeys(table.index))
    fig, axes = new_figure(0.9 + 0.19 * len(datasets) * 2, 2, 3, sharex=True, sharey=True)
    for ax in axes[len(orders) :]:
        ax.set_axis_off()
    for ax, order in zip(axes, orders, strict=False):
        _draw_panel(ax, table[table["order"] == order], datasets)
        set_title(ax, order)
    axes[0].set_ylim(len(datasets) - 0.4, -0.6)
    axes[0].set_yticks(range(len(datasets)), datasets)
    label_all(fig, "ratio to random rejection, less that of the smallest distance", "")
    return fig, axes


def _draw_panel(ax: Axes, of_order: pd.DataFrame, datasets: list[str]) -> None:
    places = [datasets.index(name) for name in of_order.index]
    low, high = of_order["difference low"], of_order["difference high"]
    colours = np.select([low > 0, high < 0], [BLUE, ORANGE], GREY).tolist()
    ax.axvline(0, color=GREY, linewidth=0.8)
    ax.hlines(places, low, high, colors=colours, linewidth=1.6)
    ax.scatter(of_order["difference"], places, c=colours, s=16, zorder=3)
    ax.tick_params(axis="y", length=0)


def _picture(risk: str, table: pd.DataFrame) -> Picture:
    caption = (
        f"Risk: {risk}. To the right of the line the order leaves more risk than that of the "
        f"smallest distance, to the left less. Bars are {LEVEL:.0%} bootstrap intervals of the "
        "paired difference; blue where the smallest distance is surely better, orange where it is "
        "surely worse." + missing_sentence(set(table.index))
    )
    title = f"Other orders beside the smallest distance: {risk}"
    return Picture(PICTURES[risk], title, draw_ratios(table)[0], caption)


def _verdicts(counts: pd.DataFrame) -> Iterator[str]:
    """For each risk, where the smallest distance has an advantage and where it has none."""
    for risk, of_risk in counts.groupby("risk", sort=False):
        ahead, others = of_risk[of_risk["advantage"]], of_risk[~of_risk["advantage"]]
        if len(others):
            yield f"**For {risk} the smallest distance has no advantage over: {_named(others)}.**"
        if len(ahead):
            yield f"For {risk} it is better than: {_named(ahead)}."
    yield (
        "An advantage is a smaller area by Wilcoxon's signed-rank test over the datasets, "
        f"two-sided at {ALPHA:.0%}, with Holm's correction for the orders of a risk. In brackets "
        "p, and on how many datasets the smallest distance is surely better and surely worse: the "
        "bootstrap interval of the difference leaves out zero."
    )


def _by_counting(counts: pd.DataFrame) -> str:
    """What an easier rule would say, so that nothing hangs on the choice unseen."""
    ahead = counts[counts["surely better"] > counts["surely worse"]]
    named = "; ".join(
        f"for {risk} {', '.join(of_risk['order'])}"
        for risk, of_risk in ahead.groupby("risk", sort=False)
    )
    return (
        "Counting datasets was the first rule here, surely better on more of them than surely "
        "worse; it asks for less, for a large dataset is sure of a small difference and many "
        "comparisons are made. By it the smallest distance would be better than: "
        f"{named or 'none of them'}."
    )


def _named(counts: pd.DataFrame) -> str:
    return ", ".join(
        f"{row['order']} (p = {row['p']:.3f}; {row['surely better']} and {row['surely worse']} of "
        f"{row['datasets']})"
        for _, row in counts.iterrows()
    )


def _absent(runs: Mapping[str, MlMlmRun], facts: Mapping[str, RowFacts]) -> Iterator[str]:
    """Which datasets have only the smallest distance, or no forest, and why."""
    lacking = [
        f"{name} (its run took {run.record.seconds / 60:.0f} min and {run.record.peak_mb / 1e3:.0f}"
        " GB)"
        for name, run in runs.items()
        if name not in facts
    ]
    if lacking:
        yield f"Not fitted again yet for the other orders: {', '.join(lacking)}; `{COMMAND}`."
    for name, each in facts.items():
        if each.no_forest is not None:
            yield f"There is no forest on {name}: {each.no_forest}."


def _advantage_table(counts: pd.DataFrame) -> Table:
    note = (
        "Ratio: area under the risk-coverage curve over that of random rejection, the median of "
        "the datasets. Better, worse: on how many datasets the smallest distance has the smaller "
        "and the larger ratio; surely: with a bootstrap interval of the difference that leaves out "
        "zero, not corrected for the number of comparisons. p: Wilcoxon's signed-rank test over "
        "the datasets, two-sided, with Holm's correction for the orders of a risk."
    )
    return Table(
        ADVANTAGE_TABLE,
        "The smallest distance beside other orders",
        counts.set_index("risk").assign(
            advantage=counts["advantage"].map({True: "yes", False: "no"}).to_numpy()
        ),
        form={name: "d" for name in counts if counts[name].dtype.kind == "i"},
        note=note,
    )


def _area_table(table: pd.DataFrame) -> Table:
    note = (
        "Area under the curve of the mean risk against the share of rows kept, with the interval "
        f"from low to high: the middle {LEVEL:.0%} of {counted(N_SAMPLES, 'bootstrap sample')} of "
        "the test rows, the same for all orders of a dataset. Random: expected if rows are kept at "
        "random, the mean risk of all. Ideal: rows in the order of their risks, the least that is "
        "possible. Ratio: area over random. Difference: of the ratio to that of the "
        f"{SMALLEST_DISTANCE}, with its interval. Rows of equal uncertainty count as in random "
        "order. Rows without a relevant label have no ranking loss and are left out of it."
    )
    missing = missing_sentence(list(table.index))
    return Table(
        AREA_TABLE,
        "Areas of the risk-coverage curves",
        table,
        form={"rows": ",d"} | {name: ".4f" for name in ("area", "low", "high", "random", "ideal")},
        note=note + missing,
        folded=True,
    )
