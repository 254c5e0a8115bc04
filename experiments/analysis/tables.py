"""Tables of a study: every figure of ours beside the paper's.

Usage::

    python -m experiments.analysis.tables results/paper

writes ``results/paper/tables/`` from ``results/paper/records/``:

- ``cells.csv``: one row for each figure, in full precision;
- ``results.md``: the paper's eight result tables;
- ``agreement.csv``, ``agreement.md``: how many cells of these agree, by dataset and method;
- ``power_distance.md``: chosen powers and predicted distances;
- ``resources.csv``, ``resources.md``: seconds and peak memory by dataset.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from experiments.comparison import record_cells
from experiments.display import ABSENT
from experiments.record import Record, read_record
from experiments.store import write_file
from mlmlm.metrics import LOWER_IS_BETTER, PAPER_METRICS


def write_tables(records: Sequence[Record], folder: Path) -> None:
    """Write every table of some records; each file is whole at any time."""
    cells = pd.DataFrame([cell for record in records for cell in record_cells(record)])
    agreement, resources = agreement_counts(cells), resources_by_dataset(records)
    files = {
        "cells.csv": cells.to_csv(index=False, float_format="%.9g"),
        "results.md": results_text(cells),
        "agreement.csv": agreement.to_csv(),
        "agreement.md": markdown(agreement),
        "power_distance.md": power_distance_text(cells),
        "resources.csv": resources.to_csv(float_format="%.6g"),
        "resources.md": markdown(resources.map(lambda value: f"{value:,.2f}")),
    }
    for name, text in files.items():
        write_file(folder / name, text.encode())


def results_text(cells: pd.DataFrame) -> str:
    """The paper's eight tables: methods by datasets, the published value in brackets."""
    results = cells[cells["table"] == "results"]
    parts = [
        "Ours, and in brackets the published value where there is one; **bold** if they differ."
    ]
    for metric in PAPER_METRICS:
        rows = results[results["metric"] == metric]
        if len(rows):
            better = "lower" if metric in LOWER_IS_BETTER else "higher"
            title = f"## {metric.replace('_', ' ')} ({better} is better)"
            parts += [title, markdown(_beside(rows, ".3f"))]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def power_distance_text(cells: pd.DataFrame) -> str:
    """log2 P, and mean and deviation of the squared smallest distances, by dataset."""
    rows = cells[cells["table"] == "power_distance"]
    if not len(rows):
        return "No method of the study has a power.\n"
    rows = rows.assign(method=rows["method"] + " " + rows["metric"].str.replace("_", " "))
    return markdown(_beside(rows, ".1f").T)


def agreement_counts(cells: pd.DataFrame) -> pd.DataFrame:
    """How many of the published cells agree: datasets by methods, and in all."""
    printed = cells[cells["published"].notna() & (cells["table"] == "results")]
    total = _count(printed, pd.Series(1, printed.index))
    agree = _count(printed, printed["agrees"].astype(int))
    return agree.astype(str) + " of " + total.astype(str)


def resources_by_dataset(records: Iterable[Record]) -> pd.DataFrame:
    """Seconds of the shared regression and of each method, and the peak memory, by dataset."""
    rows: dict[str, dict[str, float]] = {}
    for record in records:
        shared = sum(phase.seconds for phase in record.phases if phase.shared)
        row = rows.setdefault(record.dataset, {})
        if shared:
            row["regression s"] = shared
        row[f"{record.method} s"] = record.seconds - shared
        row["peak MB"] = max(row.get("peak MB", 0.0), record.peak_mb)
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("dataset")
    return frame[[*(name for name in frame if name != "peak MB"), "peak MB"]]


def read_records(folder: Path) -> list[Record]:
    """The records that a study has collected, the smallest dataset first."""
    records = [read_record(path.read_bytes()) for path in sorted(folder.glob("*/*.json"))]
    return sorted(records, key=lambda record: (record.data["n_train"], record.dataset))


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m experiments.analysis.tables results/<study>", file=sys.stderr)
        return 2
    study = Path(arguments[0])
    records = read_records(study / "records")
    if not records:
        print(f"error: there are no records in {study / 'records'}", file=sys.stderr)
        return 2
    write_tables(records, study / "tables")
    return 0


def _beside(rows: pd.DataFrame, form: str) -> pd.DataFrame:
    """Methods by datasets, in order of appearance: ours (published)."""
    text = [_text(cell.ours, cell.published, cell.agrees, form) for cell in rows.itertuples()]
    table = rows.assign(text=text).pivot(index="method", columns="dataset", values="text")
    table = table.reindex(index=rows["method"].unique(), columns=rows["dataset"].unique())
    return table.fillna(ABSENT)


def _text(ours: float, published: float | None, agrees: bool | None, form: str) -> str:
    if published is None or pd.isna(published):
        return format(ours, form)
    text = f"{ours:{form}} ({published:{form}})"
    return text if agrees else f"**{text}**"


def _count(cells: pd.DataFrame, values: pd.Series) -> pd.DataFrame:
    """Sums of values: datasets by methods, in order of appearance, with sums of sums."""
    counts = values.groupby([cells["dataset"], cells["method"]], sort=False).sum()
    table = counts.unstack(fill_value=0)
    table = table.reindex(index=cells["dataset"].unique(), columns=cells["method"].unique())
    table["in all"] = table.sum(axis=1)
    table.loc["in all"] = table.sum(axis=0)
    return table


def markdown(table: pd.DataFrame) -> str:
    """A table in Markdown, its index as the first column."""
    rows = [
        [str(label), *map(str, values)]
        for label, values in zip(table.index, table.to_numpy(), strict=True)
    ]
    head = [str(table.index.name or ""), *map(str, table.columns)]
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
