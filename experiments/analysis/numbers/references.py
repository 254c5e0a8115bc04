"""How metrics change with the share of inputs that are reference points.

A run with a share of the inputs is beside that of the same method on the same data with all of
them. A share is enough for a metric where the mean over the seeds is at most `TOLERANCE` worse than
the full model's; coverage counts labels, and is divided by their number for that.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from experiments.analysis.numbers.costs import user_seconds
from experiments.analysis.numbers.metrics import PAPER_METRICS, lower_is_better
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.titles import dataset_titles
from experiments.record import Record

TOLERANCE = 0.005
FULL = 1.0
RIVALS = "one_footing", ("rf_pct", "logistic")
"""The study beside this one, and which of its methods one would use instead."""
_KEYS = ["dataset", "method", "selection", "ridge", "share"]


def reference_runs(results: StudyResults) -> pd.DataFrame:
    """A row for each of the `reference_records`.

    Columns dataset, method, selection (None of the full model), ridge (times the paper's), share (1
    of the full model), seed, references (K), seconds (to fit and predict) and one for each metric.
    """
    titles = dataset_titles(results.records)
    rows = [
        _row(record, titles[record.dataset], results.method_titles.get(_base(record)))
        for record in reference_records(results)
    ]
    columns = [*_KEYS, "seed", "references", "seconds", *PAPER_METRICS]
    return pd.DataFrame(rows, columns=columns)


def reference_records(results: StudyResults) -> list[Record]:
    """The runs of the methods whose reference points the study varies."""
    swept = _swept_methods(results)
    return [record for record in results.records if _base(record) in swept]


def mean_runs(runs: pd.DataFrame) -> pd.DataFrame:
    """Means over seeds, by dataset, method, selection, ridge and share."""
    return runs.drop(columns="seed").groupby(_KEYS, sort=False, dropna=False).mean().reset_index()


def losses(runs: pd.DataFrame, labels: dict[str, int]) -> pd.DataFrame:
    """By how much the mean over seeds is worse than the full model, for each metric.

    ``labels`` has the number of labels of each dataset.
    """
    means = mean_runs(runs)
    full = means[means["share"] == FULL].set_index(["dataset", "method"])
    rest = means[means["share"] < FULL].set_index(["dataset", "method"])
    rest = rest[rest.index.isin(full.index)]
    worse = rest[["selection", "share"]].copy()
    for metric in PAPER_METRICS:
        sense = 1 if lower_is_better(metric) else -1
        worse[metric] = sense * (rest[metric] - full[metric].reindex(rest.index))
    of_labels = worse.index.get_level_values("dataset").map(labels)
    worse["coverage"] /= of_labels.to_numpy(dtype=float)
    return worse.reset_index()


def enough(worse: pd.DataFrame, selection: str) -> pd.DataFrame:
    """The smallest share from which on nothing is lost: datasets by method and metric.

    NaN where the largest share tried is not enough.
    """
    chosen = worse[worse["selection"] == selection]
    values = {
        metric: chosen.groupby(["dataset", "method"], sort=False)[["share", metric]].apply(
            lambda part, metric=metric: _from_which(part.set_index("share")[metric])
        )
        for metric in PAPER_METRICS
    }
    return pd.DataFrame(values)


def label_counts(results: StudyResults) -> dict[str, int]:
    """Number of labels of each dataset, by its title."""
    titles = dataset_titles(results.records)
    return {titles[record.dataset]: record.data["n_labels"] for record in results.records}


def rivals(results: StudyResults) -> pd.DataFrame:
    """What one would use instead, of the study beside this one; see `other_methods`."""
    study, methods = RIVALS
    other = results.beside(study)
    own = [record for record in other.records if record.method in methods]
    return _means_by_method(
        results, [(record, other.method_titles[record.method]) for record in own]
    )


def other_methods(results: StudyResults) -> pd.DataFrame:
    """Methods of the study itself that have one setting: dataset, method, seconds and metrics.

    Of several seeds it is the mean.
    """
    swept = _swept_methods(results)
    own = [record for record in results.records if _base(record) not in swept]
    return _means_by_method(
        results, [(record, results.method_titles[record.method]) for record in own]
    )


def _means_by_method(results: StudyResults, runs: Sequence[tuple[Record, str]]) -> pd.DataFrame:
    """Means over seeds, of runs with their methods' titles, on the datasets of a study."""
    titles = dataset_titles(results.records)
    rows = [
        {
            "dataset": titles[record.dataset],
            "method": method,
            "seconds": sum(user_seconds(record).values()),
            **{metric: record.metrics.get(metric) for metric in PAPER_METRICS},
        }
        for record, method in runs
        if record.dataset in titles
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "seconds", *PAPER_METRICS])
    return frame.groupby(["dataset", "method"], sort=False).mean().reset_index()


def selections(runs: pd.DataFrame) -> Sequence[str]:
    return list(dict.fromkeys(runs["selection"].dropna()))


def _swept_methods(results: StudyResults) -> set[str]:
    return {_base(record) for record in results.records if _is_swept(record)}


def _is_swept(record: Record) -> bool:
    return "swept" in record.config["method"] and "references" in record.config["method"]


def _base(record: Record) -> str:
    return str(record.config["method"].get("swept", record.method))


def _title_of_base(record: Record) -> str:
    """A setting is called by its method's title and the parameters that are its own."""
    return str(record.config["method"].get("title", _base(record))).partition(", ")[0]


def _row(record: Record, dataset: str, method: str | None) -> dict[str, object]:
    config = record.config["method"]
    share, n_train = config.get("references"), record.data["n_train"]
    count = n_train if share is None else record.chosen["references"]
    return {
        "dataset": dataset,
        "method": method or _title_of_base(record),
        "selection": None if share is None else config["selection"],
        "ridge": float(config.get("ridge", 1.0)),
        "share": float(share) if isinstance(share, float) else count / n_train,
        "seed": record.seed,
        "references": count,
        "seconds": sum(user_seconds(record).values()),
    } | {metric: record.metrics.get(metric) for metric in PAPER_METRICS}


def _from_which(worse: pd.Series) -> float:
    """The smallest share such that it and all larger ones lose nothing."""
    least = float("nan")
    for share, value in worse.sort_index(ascending=False).items():
        if not value <= TOLERANCE:
            break
        least = float(share)
    return least
