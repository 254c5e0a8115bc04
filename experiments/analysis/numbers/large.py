"""A method with chosen reference points beside what one would use instead, metric by metric.

Of its settings, numbers of reference points and ridges, the one stands for the method whose
leave-one-out ranking loss is the smallest: the loss on training rows by which it chooses its power
anyway, so that no test row has a say.
"""

from __future__ import annotations

import pandas as pd

from experiments.analysis.numbers.metrics import PAPER_METRICS, lower_is_better
from experiments.analysis.numbers.references import reference_records, reference_runs
from experiments.analysis.numbers.results import StudyResults
from experiments.record import Record
from mlmlm.metrics import METRICS

CHOSEN_BY = "loss"
COLUMNS = [
    *("dataset", "method", "references", "ridge", "seconds", "tried_seconds"),
    *("metric", "value", "rival", "rival_value", "rival_seconds", "better"),
]


def settings(results: StudyResults) -> pd.DataFrame:
    """The `reference_runs`, with the leave-one-out ranking loss of each as ``loss``."""
    losses = [_leave_one_out_loss(results, record) for record in reference_records(results)]
    return reference_runs(results).assign(**{CHOSEN_BY: losses})


def chosen_settings(runs: pd.DataFrame) -> pd.DataFrame:
    """Of each dataset and method the setting that the training rows prefer.

    Of equal ones that with the fewest reference points is taken. ``tried_seconds`` is what all of
    them took, ``seconds`` what this one did.
    """
    tried = runs.groupby(["dataset", "method"])["seconds"].transform("sum")
    known = runs.assign(tried_seconds=tried).dropna(subset=CHOSEN_BY)
    ordered = known.sort_values([CHOSEN_BY, "references"])
    return ordered.drop_duplicates(["dataset", "method"]).sort_index()


def duels(runs: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    """The chosen settings beside each rival's value; `COLUMNS`, a row for each metric and rival.

    ``better`` is the name of the better one, None where both print the same.
    """
    names = {"method": "rival", "value": "rival_value", "seconds": "rival_seconds"}
    rivals = _long(others, ["dataset", "method", "seconds"]).rename(columns=names)
    own = _long(chosen_settings(runs), COLUMNS[:6])
    pairs = own.merge(rivals, on=["dataset", "metric"], how="inner")
    better = [_better(row) for row in pairs.to_dict("records")]
    return pairs.assign(better=pd.Series(better, dtype=object))[COLUMNS]


def _leave_one_out_loss(results: StudyResults, record: Record) -> float:
    losses = results.arrays(record.dataset, record.method).get("loo_ranking_loss")
    return float("nan") if losses is None else float(losses.min())


def _long(frame: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """A row for each metric that is known."""
    return frame.melt(keys, PAPER_METRICS, "metric").dropna(subset="value")


def _better(row: dict[str, object]) -> str | None:
    metric = str(row["metric"])
    own, other = (f"{row[name]:.{METRICS[metric].decimals}f}" for name in ("value", "rival_value"))
    if own == other:
        return None
    wins = (float(own) < float(other)) == lower_is_better(metric)
    return str(row["method"] if wins else row["rival"])
