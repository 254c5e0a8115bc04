"""A method with chosen reference points beside what one would use instead, metric by metric.

Of the numbers of reference points that were tried, the best on a metric stands for the method. It
is found on the test rows, so that a method with many settings has a small advantage over one that
has a single setting; whoever shows it should say so.
"""

from __future__ import annotations

import pandas as pd

from experiments.analysis.numbers.metrics import PAPER_METRICS, lower_is_better
from experiments.analysis.numbers.references import mean_runs
from mlmlm.metrics import METRICS

COLUMNS = [
    *("dataset", "method", "metric", "value", "references", "seconds"),
    *("rival", "rival_value", "rival_seconds", "better"),
]


def best_settings(runs: pd.DataFrame) -> pd.DataFrame:
    """The best of a method's settings: dataset, method, metric, value, references and seconds.

    ``runs`` are those of `experiments.analysis.numbers.references`. Of equal values that with the
    fewest reference points is taken.
    """
    means = mean_runs(runs).sort_values("references")
    rows = []
    for (dataset, method), own in means.groupby(["dataset", "method"], sort=False):
        for metric in PAPER_METRICS:
            values = own[metric].dropna()
            if len(values):
                best = values.idxmin() if lower_is_better(metric) else values.idxmax()
                row = own.loc[best]
                rows.append((dataset, method, metric, *row[[metric, "references", "seconds"]]))
    return pd.DataFrame(rows, columns=COLUMNS[:6])


def duels(runs: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    """The best settings beside each rival's value; `COLUMNS`, a row for each metric and rival.

    ``better`` is the name of the better one, None where both print the same.
    """
    long = others.melt(["dataset", "method", "seconds"], PAPER_METRICS, "metric")
    long = long.dropna(subset="value").rename(
        columns={"method": "rival", "value": "rival_value", "seconds": "rival_seconds"}
    )
    pairs = best_settings(runs).merge(long, on=["dataset", "metric"], how="inner")
    better = [_better(row) for row in pairs.to_dict("records")]
    return pairs.assign(better=pd.Series(better, dtype=object))[COLUMNS]


def _better(row: dict[str, object]) -> str | None:
    metric = str(row["metric"])
    own, other = (f"{row[name]:.{METRICS[metric].decimals}f}" for name in ("value", "rival_value"))
    if own == other:
        return None
    wins = (float(own) < float(other)) == lower_is_better(metric)
    return str(row["method"] if wins else row["rival"])
