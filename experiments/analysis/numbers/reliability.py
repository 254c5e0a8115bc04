"""How good ML-MLM's scores are as probabilities, from what `experiments.reliability` keeps."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from experiments.analysis.numbers.data_facts import known_facts
from experiments.analysis.numbers.ml_mlm_runs import ml_mlm_runs
from experiments.analysis.numbers.results import StudyResults
from experiments.record import Json, Record

COMMAND = "python -m experiments.reliability results/paper"
PUBLISHED, SIGMOID, ISOTONIC, PREVALENCE = "published", "sigmoid", "isotonic", "prevalence"
KINDS = (PUBLISHED, SIGMOID, ISOTONIC)
"""Of probabilities that ML-MLM gives; the prevalence is what they are measured against."""
MEASURES = BRIER_SCORE, LOG_LOSS, CALIBRATION_ERROR = "brier_score", "log_loss", "calibration_error"
N_BINS = 15
"""Of equal width, from 0 to 1."""


@dataclass(frozen=True)
class Reliability:
    """Of the datasets that were fitted, by title, in the paper's order.

    Attributes
    ----------
    measures : mapping from str to DataFrame
        By name a table of datasets and kinds of probabilities; less is better.
    bins : DataFrame
        Columns ``dataset``, ``kind``, ``number`` of the bin, ``mean`` probability in it, ``share``
        of labels that came true, and their ``count``.
    leaked : mapping from str to int
        Of the datasets whose test rows are all copies of training rows, how many rows that are.
    """

    measures: dict[str, pd.DataFrame]
    bins: pd.DataFrame
    leaked: dict[str, int]

    def gains(self, measure: str) -> pd.DataFrame:
        """By how much of its value each kind is better than the prevalence; negative if worse.

        Of the Brier score this is known as its skill score.
        """
        values = self.measures[measure]
        return 1 - values[list(KINDS)].div(values[PREVALENCE], axis=0)

    def not_better(self, measure: str, kind: str, other: str) -> list[str]:
        """Datasets on which a kind is no better than another."""
        values = self.measures[measure]
        return list(values.index[values[kind] >= values[other]])

    def first_bin(self) -> pd.DataFrame:
        """Of the scores as published, by dataset: the share of ``labels`` in it, and its values."""
        bins = self.bins[self.bins["kind"] == PUBLISHED]
        first = bins[bins["number"] == 0].set_index("dataset")
        labels = first["count"] / bins.groupby("dataset")["count"].sum()
        return pd.DataFrame(
            {"labels": labels, "probability": first["mean"], "observed": first["share"]}
        )


def reliability(results: StudyResults) -> Reliability | None:
    """What is there of the data that the records are of; None if nothing is."""
    records = {title: run.record for title, run in ml_mlm_runs(results).items()}
    kept = {title: _kinds(results, record) for title, record in records.items()}
    found = {title: kinds for title, kinds in kept.items() if kinds}
    if not found:
        return None
    rows = [
        {"dataset": title, "kind": kind, **content}
        for title, kinds in found.items()
        for kind, content in kinds.items()
    ]
    values = pd.DataFrame(rows).set_index(["dataset", "kind"])
    bins = [
        {"dataset": row["dataset"], "kind": row["kind"], **each}
        for row in rows
        for each in row["bins"]
    ]
    return Reliability(
        {name: values[name].unstack(sort=False) for name in MEASURES},
        pd.DataFrame(bins),
        {title: records[title].data["n_test"] for title in found if _is_leaked(records[title])},
    )


def _kinds(results: StudyResults, record: Record) -> Json:
    """Measures by kind of probabilities; none if they are not there, or are of other data."""
    content = results.reliability(record.dataset)
    if content is None or content["fingerprint"] != record.data["fingerprint"]:
        return {}
    return dict(content["kinds"])


def _is_leaked(record: Record) -> bool:
    facts = known_facts(record)
    return facts.get("test_rows_with_twin_and_labels") == facts["n_test"]
