"""The reference methods, run here: how close each comes to its published row.

They are a study of their own, ``results/reference``. A stochastic method is run under several
seeds, and its figure is their mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from experiments import published
from experiments.analysis.mean_cells import mean_cells
from experiments.analysis.parts import Paragraph, Part, Section
from experiments.analysis.results import StudyResults
from experiments.analysis.seconds import user_seconds
from experiments.analysis.table import Table
from experiments.analysis.titles import in_paper_order, paper_datasets
from experiments.record import Record
from mlmlm.metrics import METRICS, PAPER_METRICS

STUDY = "reference"
COMMAND = f"make reproduce STUDY={STUDY} && make report"
NEAR = (0.01, 0.02)
UNITS = [metric for metric in PAPER_METRICS if metric != "coverage"]
"""Metrics between 0 and 1, whose differences can be put together."""


def make(results: StudyResults) -> Section:
    """Agreement by row and dataset, every cell, and what was too slow."""
    records = results.beside(STUDY).records
    if not records:
        parts: list[Part] = [Paragraph(f"Missing: nothing of this study is here; `{COMMAND}`.")]
    else:
        cells = reference_cells(records)
        parts = [
            Paragraph(in_words(cells)),
            closeness_table(cells),
            by_dataset_table(cells),
            cells_table(cells),
            *_too_slow(records),
        ]
    return Section("The reference methods, live", parts, COMMAND)


def reference_cells(records: Sequence[Record]) -> pd.DataFrame:
    """Our figures of the paper's rows: row, title, metric, ours, spread, runs, published, agrees.

    ``spread`` is the standard deviation over seeds. Rows are in the paper's order.
    """
    cells = mean_cells(in_paper_order(records))
    cells = cells[cells["metric"].isin(PAPER_METRICS)]
    spreads = {
        (method, dataset, metric): values.std()
        for (method, dataset), group in _by_run(records)
        for metric, values in pd.DataFrame([each.metrics for each in group]).items()
    }
    keys = zip(cells["method"], cells["dataset"], cells["metric"], strict=True)
    return cells.assign(spread=[spreads[key] for key in keys])


def closeness_table(cells: pd.DataFrame) -> Table:
    """By method: how many published cells come out, and how far the others are."""
    rows = {}
    for row, group in cells.groupby("row", sort=False):
        known = group[group["published"].notna()]
        unit = known[known["metric"].isin(UNITS)]
        off = (unit["ours"] - unit["published"]).abs()
        rows[row] = (
            {"cells": len(known), "equal as printed": int(known["agrees"].astype(bool).sum())}
            | {f"within {limit}": int((off <= limit + 5e-4).sum()) for limit in NEAR}
            | {"of": len(off), "median difference": off.median(), "largest": off.max()}
            | {"seeds": int(group["runs"].max())}
        )
    values = pd.DataFrame.from_dict(rows, orient="index").rename_axis("method")
    counts = dict.fromkeys((name for name in values if values[name].dtype.kind == "i"), "d")
    return Table(
        "reference_closeness",
        "How close the reference methods come to their published rows",
        values,
        form=counts,
        note=(
            "Differences are counted without coverage, which is not between 0 and 1. A method "
            "with no published row has no cells."
        ),
    )


def by_dataset_table(cells: pd.DataFrame) -> Table:
    """Methods by datasets: cells equal as printed, of those published."""
    known = cells[cells["published"].notna()]
    groups = known.groupby(["row", "title"], sort=False)["agrees"]
    text = groups.agg(lambda agrees: f"{int(agrees.astype(bool).sum())} of {len(agrees)}")
    table = text.unstack().reindex(known["row"].unique())
    columns = [title for title in paper_datasets() if title in table.columns]
    return Table(
        "reference_by_dataset",
        "Published cells that come out as printed",
        table[columns].rename_axis("method").rename_axis(None, axis=1),
    )


def cells_table(cells: pd.DataFrame) -> Table:
    """Every cell with its spread over seeds, ours beside the published."""
    frame = pd.DataFrame(
        {
            "method": cells["row"],
            "dataset": cells["title"],
            "metric": cells["metric"].map(lambda name: METRICS[name].title),
            "ours": cells["ours"],
            "std": cells["spread"],
            "seeds": cells["runs"],
            "published": cells["published"],
            "difference": cells["ours"] - cells["published"],
        }
    ).set_index("method")
    return Table(
        "reference_cells",
        "Every figure of the reference methods",
        frame,
        form={"seeds": "d", "difference": "+.3f"},
        note="Std: standard deviation over seeds, for stochastic methods.",
    )


def in_words(cells: pd.DataFrame) -> str:
    """The outcome in a sentence or two."""
    known = cells[cells["published"].notna()]
    equal = int(known["agrees"].astype(bool).sum())
    whole = known.groupby(["row", "title"], sort=False)["agrees"].agg(
        lambda agrees: bool(agrees.astype(bool).all())
    )
    exact = [f"{row} on {title}" for (row, title), every in whole.items() if every]
    words = f"**{equal} of {len(known)}** published cells come out as printed."
    if exact:
        words += f" All of a row's cells do for {', '.join(exact)}."
    return words


def slow_table(records: Sequence[Record]) -> Table | None:
    """Estimated minutes of what the study leaves out, by rows, features and labels."""
    seconds = user_seconds(records)
    sizes = published.datasets()[["n_train", "n_features", "n_labels"]].prod(axis=1)
    estimates = {}
    for method, row in seconds.iterrows():
        measured = row.dropna()
        largest = sizes[[name for name in measured.index if name in sizes.index]].idxmax()
        rate = measured[largest] / sizes[largest]
        estimates[method] = {
            published.title(name): rate * sizes[name] / 60
            for name in sizes.index
            if name not in measured.index
        }
    frame = pd.DataFrame.from_dict(estimates, orient="index").rename_axis("method")
    if frame.empty:
        return None
    return Table(
        "reference_estimates",
        "What the study leaves out: estimated minutes for one seed",
        frame[[title for title in paper_datasets() if title in frame.columns]],
        form=",.1f",
        note=(
            "In proportion to training rows x features x labels, from the largest dataset that was "
            "run; methods whose time grows faster with the rows take longer than this."
        ),
    )


def _by_run(records: Sequence[Record]) -> Iterator[tuple[tuple[str, str], list[Record]]]:
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record.method, record.dataset), []).append(record)
    yield from groups.items()


def _too_slow(records: Sequence[Record]) -> Iterator[Part]:
    table = slow_table(records)
    if table is not None:
        yield table
