"""The data: the paper's table of characteristics beside ours, and an audit of each dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from experiments.analysis.numbers.agreement import agreement
from experiments.analysis.numbers.data_facts import (
    CHARACTERISTICS,
    FRACTIONS,
    facts_by_dataset,
    facts_frame,
    printed_characteristics,
    tolerance,
)
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.titles import paper_datasets
from experiments.analysis.sections.parts import Paragraph, Section, Table
from experiments.record import Json

TITLES = {
    "n_train": "training rows",
    "n_test": "test rows",
    "n_features": "features",
    "n_labels": "labels",
    "novel_labels": "novel labels",
    "cardinality": "cardinality",
    "density": "density",
    "unique_label_vectors": "label vectors",
    "novel_label_vectors": "novel label vectors",
}
AUDIT = {
    "n_test": "test rows",
    "test_rows_with_twin": "test rows with a twin",
    "test_rows_with_twin_and_labels": "with a twin and its labels",
    "duplicate_training_rows": "duplicates in training",
    "constant_features": "constant features",
    "unlabelled_training_rows": "training rows without label",
    "unlabelled_test_rows": "test rows without label",
    "labels_without_training_positive": "labels not in training",
}
WHOLE, MEAN, FRACTION = ",.0f", ",.1f", ".3f"


def data_section(results: StudyResults) -> Section:
    """The study's datasets, with the published characteristics if the study asks for them."""
    facts = facts_by_dataset(results.records)
    section = _section(facts, list(facts), results.compares_with_paper)
    if results.split is None:
        return section
    words = f"Numbers are means over the {results.n_splits} splits of a dataset."
    return replace(section, parts=[Paragraph(words), *section.parts])


def paper_data_section(results: StudyResults) -> Section:
    """The same, with the paper's datasets first, those without a run included."""
    facts = facts_by_dataset(results.records)
    return _section(facts, list(dict.fromkeys([*paper_datasets(), *facts])), published=True)


def _section(facts: Mapping[str, Json], titles: Sequence[str], published: bool) -> Section:
    """Both tables, and a sentence on leaks if there are any."""
    return Section(
        "Data",
        [
            characteristics_table(facts, titles, published),
            audit_table(facts, [title for title in titles if title in facts]),
            *map(Paragraph, leak_sentences(facts)),
        ],
    )


def characteristics_table(
    facts: Mapping[str, Json], titles: Sequence[str], published: bool
) -> Table:
    """The characteristics that the paper has a table of; whole numbers agree if they are equal."""
    values, printed = facts_frame(facts, titles, CHARACTERISTICS), printed_characteristics(titles)
    agrees = agreement(values, printed, [tolerance(name) for name in CHARACTERISTICS])
    forms = {
        name: FRACTION if name in FRACTIONS else _whole_or_mean(values[[name]])
        for name in CHARACTERISTICS
    }
    return Table(
        "table_data",
        "Characteristics of the datasets",
        values.rename(columns=TITLES),
        form={TITLES[name]: form for name, form in forms.items()},
        published=printed.rename(columns=TITLES) if published else None,
        agrees=agrees.rename(columns=TITLES) if published else None,
        note=(
            "The paper calls them N, N_ts, M, L, Q, Card, Dens, L_u and L_n. Cardinality, "
            "density and label vectors are those of training and test rows together. A novel label "
            "is relevant in the test set only; novel label vectors are test rows whose label "
            "vector no training row has."
        )
        + _on_older_records(values[values["n_train"].notna()]),
    )


def audit_table(facts: Mapping[str, Json], titles: Sequence[str]) -> Table:
    """What to know of each dataset before believing a value on it."""
    values = facts_frame(facts, titles, AUDIT).rename(columns=AUDIT)
    return Table(
        "table_audit",
        "Audit of the datasets",
        values,
        form=_whole_or_mean(values),
        note=(
            "A twin of a test row is a training row with the same features; the next column counts "
            "the test rows of which a twin has the same labels too. Duplicates are training rows "
            "less the distinct ones, by features."
        )
        + _on_older_records(values),
    )


def leak_sentences(facts: Mapping[str, Json]) -> Iterator[str]:
    """Of each dataset all of whose test rows are in its training set, labels included."""
    for title, known in facts.items():
        if known.get("test_rows_with_twin_and_labels") == known["n_test"]:
            yield (
                f"**{title} is leaked:** all of its {known['n_test']:,} test rows are copies of "
                "training rows, labels included. A value on it tells how well a method remembers, "
                "not how well it generalises."
            )


def _whole_or_mean(values: pd.DataFrame) -> str:
    return WHOLE if values.fillna(0).mod(1).eq(0).all(axis=None) else MEAN


def _on_older_records(values: pd.DataFrame) -> str:
    if not values.isna().any(axis=None):
        return ""
    return " A dash: the record is of an older layout, and `force=true` computes it anew."
