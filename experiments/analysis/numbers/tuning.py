"""What tuning chose, what it gained on the training folds, and what it took."""

from __future__ import annotations

import pandas as pd

from experiments.analysis.numbers.metrics import metric_title
from experiments.analysis.numbers.results import StudyResults
from experiments.record import Record

STUDY = "tuned"


def choices(results: StudyResults) -> pd.DataFrame:
    """A row for each tuned run: what was chosen, of how many, with which scores, in which time."""
    titles, datasets = results.method_titles, results.dataset_titles
    rows = [
        {
            "method": titles[record.method],
            "dataset": datasets[record.dataset],
            "chosen": chosen_in_words(record),
            "of": found["candidates"],
            "metric": metric_title(found["metric"]),
            "own": found["own_score"],
            "best": found["score"],
            "seconds": search_seconds(record),
        }
        for record in results.records
        if (found := record.chosen.get("tuning"))
    ]
    columns = ["method", "dataset", "chosen", "of", "metric", "own", "best", "seconds"]
    return pd.DataFrame(rows, columns=columns).set_index("method").sort_index(kind="stable")


def untuned_methods(results: StudyResults) -> list[str]:
    """Titles of the methods that have nothing to search."""
    tuned = {record.method for record in results.records if "tuning" in record.chosen}
    return [title for name, title in results.method_titles.items() if name not in tuned]


def chosen_in_words(record: Record) -> str:
    """The chosen parameters by their last names, which tell them apart."""
    found = record.chosen["tuning"]["parameters"]
    return ", ".join(f"{name.split('__')[-1]} {value}" for name, value in found.items())


def search_seconds(record: Record) -> float:
    return sum(phase.seconds for phase in record.phases if phase.name == "search")
