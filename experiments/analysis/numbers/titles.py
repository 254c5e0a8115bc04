"""How datasets and methods are called in tables and pictures, and in which order they come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from experiments import published
from experiments.comparison import is_published_data
from experiments.record import Record


def paper_datasets() -> list[str]:
    """Titles of the paper's datasets, in its order."""
    return [published.title(name) for name in _names()]


def dataset_title(record: Record) -> str:
    """The paper's spelling if the data are the paper's, else the user's."""
    in_paper = record.dataset in _names() and is_published_data(record)
    return published.title(record.dataset) if in_paper else record.dataset


def dataset_titles(records: Iterable[Record]) -> dict[str, str]:
    """By dataset of a study: a name for readers; the user's own data keep the user's name."""
    return distinct({record.dataset: _readable(record) for record in records})


def distinct(titles: Mapping[str, str]) -> dict[str, str]:
    """The titles by name; those that several names share have the name behind them."""
    shared = list(titles.values())
    return {
        name: title if shared.count(title) == 1 else f"{title} ({name})"
        for name, title in titles.items()
    }


def row_titles(records: Iterable[Record]) -> dict[str, str]:
    """By method of a study: its row in the paper, or its own name if it is not alone there."""
    rows = {record.method: record.published_as for record in records}
    claimed = list(rows.values())
    return {
        method: row if row is not None and claimed.count(row) == 1 else method
        for method, row in rows.items()
    }


def by_dataset_and_method(records: Iterable[Record]) -> dict[tuple[str, str], list[Record]]:
    """Runs of a method on a dataset: one, or one for each seed."""
    runs: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        runs.setdefault((record.dataset, record.method), []).append(record)
    return runs


def in_paper_order(records: Iterable[Record]) -> list[Record]:
    """Records in the order of the paper's rows; those of no row come last."""
    place = {row: number for number, row in enumerate(published.sources().index)}
    return sorted(records, key=lambda record: place.get(record.published_as, len(place)))


def _readable(record: Record) -> str:
    name = record.dataset
    of_catalogue = is_published_data(record) or (record.split is not None and _is_loaded(record))
    return name.capitalize().replace("_", " ") if of_catalogue else name


def _is_loaded(record: Record) -> bool:
    """Whether the data were loaded by their name, as those of the catalogue are."""
    return bool(record.config["dataset"].get("_target_") == "mlmlm.datasets.load_dataset")


@cache
def _names() -> tuple[str, ...]:
    return tuple(published.datasets().index)
