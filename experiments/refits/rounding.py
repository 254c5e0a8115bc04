"""What rounding decides: the same fit with more threads, and with the features in other orders.

Neither changes anything in exact arithmetic; both change the last bits of the distances. Labels
are ranked by their scores, of which many round to exactly 1, and by log-odds, which do not.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from threadpoolctl import threadpool_limits

from experiments.record import Json
from experiments.refits.fitting import Array, scaled
from mlmlm import DistanceRegression, MultiLabelMLM
from mlmlm.datasets import Dataset

THREADS = (1, 2)
ORDERS = 10


def rounding(data: Dataset) -> Json:
    """By setting: the powers of both rankings, and whether the first's labels are the same."""
    rows, first = [], None
    for setting, train, test in _settings(data):
        regression = DistanceRegression().fit(train, data.Y_train)
        model = MultiLabelMLM().fit_from(regression)
        exact = MultiLabelMLM(ranking="log_odds").fit_from(regression)
        labels, scores = model.predict(test), model.predict_proba(test)
        first = first or (labels, scores)
        rows.append(
            {
                "setting": setting,
                "power": model.power_,
                "power_by_log_odds": exact.power_,
                "loss_by_log_odds": float(exact.loo_ranking_loss_.min()),
                "loss": float(model.loo_ranking_loss_.min()),
                "labels_that_differ": int((labels != first[0]).sum()),
                "largest_difference_of_scores": float(np.abs(scores - first[1]).max()),
            }
        )
    return {"fingerprint": data.fingerprint, "settings": rows}


def _settings(data: Dataset) -> Iterator[tuple[str, Array, Array]]:
    train, test = scaled(data)
    for threads in THREADS:
        with threadpool_limits(threads):
            yield f"{threads} threads", train, test
    for seed in range(1, ORDERS + 1):
        order = np.random.default_rng(seed).permutation(train.shape[1])
        yield f"features in order {seed}", train[:, order], test[:, order]
