"""What the records of a study say of its data, and which of it the paper prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from experiments import published
from experiments.analysis.numbers.titles import dataset_titles
from experiments.published.printing import TOLERANCES
from experiments.record import Json, Record
from experiments.splits import split_name

CHARACTERISTICS = (
    "n_train",
    "n_test",
    "n_features",
    "n_labels",
    "novel_labels",
    "cardinality",
    "density",
    "unique_label_vectors",
    "novel_label_vectors",
)
"""The paper's N, N_ts, M, L, Q, Card, Dens, L_u and L_n."""
FRACTIONS = ("cardinality", "density")


def known_facts(record: Record) -> Json:
    """Sizes, characteristics and audit; a record of an older layout has the sizes alone."""
    data = record.data
    return data | data.get("characteristics", {}) | data.get("audit", {})


def facts_by_dataset(records: Sequence[Record]) -> dict[str, Json]:
    """By title of the dataset, everything that its records say of the data.

    Of several splits of a dataset, numbers are the mean over them.
    """
    facts: dict[str, dict[str, Json]] = {}
    titles = dataset_titles(records)
    for record in records:
        by_split = facts.setdefault(titles[record.dataset], {})
        name = split_name(record.split)
        by_split[name] = by_split.get(name, {}) | known_facts(record)
    return {title: _mean(list(by_split.values())) for title, by_split in facts.items()}


def _mean(facts: Sequence[Json]) -> Json:
    if len(facts) == 1:
        return facts[0]
    return pd.DataFrame(facts).select_dtypes("number").mean().to_dict()


def facts_frame(
    facts: Mapping[str, Json], titles: Sequence[str], names: Iterable[str]
) -> pd.DataFrame:
    """Datasets by some of their facts; NaN where the records do not say."""
    names = list(names)
    rows = [[facts.get(title, {}).get(name) for name in names] for title in titles]
    return pd.DataFrame(rows, _index(titles), names, dtype=float)


def printed_characteristics(titles: Sequence[str]) -> pd.DataFrame:
    """The paper's table, by title of the dataset; NaN for those that are not in it."""
    printed = published.datasets().rename(index=published.title)
    return printed.reindex(index=_index(titles), columns=list(CHARACTERISTICS)).astype(float)


def tolerance(characteristic: str) -> float:
    """How far a value may be from the printed one: whole numbers must be equal."""
    return TOLERANCES["data"] if characteristic in FRACTIONS else 0.0


def _index(titles: Sequence[str]) -> pd.Index:
    return pd.Index(titles, name="dataset", dtype=object)
