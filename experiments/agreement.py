"""Compare the four methods with the published figures, cell by cell.

Usage::

    python -m experiments.agreement emotions yeast
    python -m experiments.agreement medical bibtex --overflow published
    python -m experiments.agreement --save results/agreement.csv emotions scene

A cell agrees if it differs from the printed value by at most half of the last printed digit.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table
from sklearn.preprocessing import MinMaxScaler

from experiments import published
from experiments.comparison import Cell, power_distance_cells, result_cells
from experiments.progress_bar import phase_bar
from mlmlm import (
    BinaryRelevanceMLM,
    DistanceRegression,
    LocalizationMLM,
    MultiLabelMLM,
    NearestNeighborMLM,
)
from mlmlm.base import DistanceRegressionClassifier
from mlmlm.datasets import Dataset, DatasetError, load_dataset
from mlmlm.metrics import evaluate
from mlmlm.progress import listen


def methods(overflow: str) -> dict[str, DistanceRegressionClassifier]:
    """The paper's four methods under its names."""
    return {
        "ML-MLM": MultiLabelMLM(overflow=overflow),  # type: ignore[arg-type]
        "NN-MLM": NearestNeighborMLM(),
        "LLS-MLM": LocalizationMLM(),
        "BR-MLM": BinaryRelevanceMLM(),
    }


def compare(dataset: Dataset, overflow: str) -> list[Cell]:
    """Fit and evaluate the four methods on one regression; one cell for each printed figure."""
    scaler = MinMaxScaler().fit(dataset.X_train)
    regression = DistanceRegression().fit(scaler.transform(dataset.X_train), dataset.Y_train)
    predicted = regression.predict(scaler.transform(dataset.X_test))
    cells: list[Cell] = []
    for name, method in methods(overflow).items():
        method.fit_from(regression)
        ranks = hasattr(method, "decision_function")
        figures = evaluate(
            dataset.Y_test,
            method.predict(predicted),
            method.decision_function(predicted) if ranks else None,
        )
        cells.extend(result_cells(dataset.name, name, figures))
        if isinstance(method, MultiLabelMLM):
            others = _power_and_distance(method.power_, method.smallest_distance(predicted))
            cells.extend(power_distance_cells(dataset.name, name, others))
    return cells


def _power_and_distance(power: float, smallest_distance: np.ndarray) -> dict[str, float]:
    squared = smallest_distance**2
    return {
        "log2_power": float(np.log2(power)),
        "distance_mean": float(squared.mean()),
        "distance_std": float(squared.std(ddof=1)),
    }


def summary(cells: pd.DataFrame, seconds: dict[str, float]) -> Table:
    """One row per dataset: how many cells agree, and the power and distance beside the paper's."""
    table = Table(title="Agreement with the published figures, at the printed precision")
    for heading in ("dataset", "cells that agree", "log2 P", "distance", "seconds"):
        table.add_column(heading, justify="left" if heading == "dataset" else "right")
    for name, group in cells.groupby("dataset", sort=False):
        results = group[group["table"] == "results"]
        other = group[group["table"] == "power_distance"].set_index("metric")
        ours, printed = other["ours"], other["published"]
        table.add_row(
            str(name),
            f"{results['agrees'].sum()} of {len(results)}",
            f"{ours['log2_power']:.1f} ({printed['log2_power']:.1f})",
            f"{ours['distance_mean']:.1f} ± {ours['distance_std']:.1f} "
            f"({printed['distance_mean']:.1f} ± {printed['distance_std']:.1f})",
            f"{seconds[str(name)]:.1f}",
        )
    table.caption = "in brackets: as published"
    return table


def disagreements(cells: pd.DataFrame) -> Table:
    """The cells that do not agree."""
    table = Table(title="Cells that differ")
    for heading in ("dataset", "method", "metric", "ours", "published"):
        table.add_column(heading, justify="right" if heading in ("ours", "published") else "left")
    for cell in cells[~cells["agrees"]].itertuples():
        table.add_row(
            cell.dataset, cell.method, cell.metric, f"{cell.ours:.5f}", f"{cell.published:g}"
        )
    return table


def main(arguments: list[str] | None = None) -> int:
    options = _parse(arguments)
    console = Console()
    cells: list[Cell] = []
    seconds: dict[str, float] = {}
    for name in options.datasets:
        try:
            dataset = load_dataset(name)
        except DatasetError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        start = time.perf_counter()
        with phase_bar(name) as show, listen(show):
            cells.extend(compare(dataset, options.overflow))
        seconds[name] = time.perf_counter() - start
        frame = pd.DataFrame(cells)
        if options.save:  # after each dataset: the next may take long
            options.save.parent.mkdir(parents=True, exist_ok=True)
            frame.to_csv(options.save, index=False, float_format="%.6f")
    console.print(summary(frame, seconds))
    if not frame["agrees"].all():
        console.print(disagreements(frame))
    return 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    known = list(published.datasets().index)
    parser = argparse.ArgumentParser(
        prog="python -m experiments.agreement",
        description="Compare the four methods with the published figures, cell by cell.",
        epilog=f"datasets: {', '.join(known)}",
    )
    parser.add_argument("datasets", nargs="+", metavar="dataset", choices=known)
    parser.add_argument(
        "--overflow",
        choices=["stable", "published"],
        default="stable",
        help="how ML-MLM treats weights that overflow; the original's figures for Medical and "
        "Bibtex need 'published'",
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="also write the cells as CSV")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
