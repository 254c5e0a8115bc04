"""What `experiments.rows` keeps of single test rows beside the study of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from experiments.analysis.numbers.metrics import RANKING
from experiments.analysis.numbers.results import StudyResults
from experiments.record import Arrays, Json, Record

COMMAND = "python -m experiments.rows results/paper"


class OpenRange(NamedTuple):
    """From where to where a metric can be by exact arithmetic, and the labels that leave it open.

    ``anchors`` is for how many label vectors there is a choice, ``rows`` of how many test rows
    these are the nearest.
    """

    low: float
    high: float
    labels: list[int]
    anchors: int
    rows: int


@dataclass(frozen=True)
class RowFacts:
    """Of one dataset.

    Attributes
    ----------
    arrays : dict
        By name, an entry for each test row; `experiments.rows.uncertainty` describes them.
    no_forest : str or None
        Why the forest's are not among them.
    """

    arrays: Arrays
    no_forest: str | None
    _dependent_labels: Json | None

    def open_range(self, metric: str) -> OpenRange | None:
        """What LLS-MLM's metric can be, labels being dependent; None where nothing is open.

        Each label vector that is nearest to some rows has its own system, and so its own choice.
        """
        found = self._dependent_labels
        if found is None or metric not in found["sums"]:
            return None
        sums, choices = np.array(found["sums"][metric]), np.array(found["choices"])
        rows = np.array(found["rows"])
        n_rows = sum(found["ranked_rows"] if metric in RANKING else found["rows"])
        return OpenRange(
            float(sums.min(axis=1).sum() / n_rows),
            float(sums.max(axis=1).sum() / n_rows),
            found["labels"],
            int((choices > 1).sum()),
            int(rows[choices > 1].sum()),
        )


def row_facts(results: StudyResults, record: Record) -> RowFacts | None:
    """Of a record's dataset; None where there are none, or they are of other data."""
    found = results.rows(record.dataset)
    if found is None:
        return None
    about, arrays = found
    if about["fingerprint"] != record.data["fingerprint"]:
        return None
    return RowFacts(arrays, about["no_forest"], about["dependent_labels"])
