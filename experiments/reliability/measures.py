"""How good probabilities p of some labels y are, all rows and labels taken together.

The Brier score, the mean of ``(p - y)^2``, and the log loss, the mean of ``-log`` of the
probability given to what came true, are both least in expectation where p is the probability of the
label. So they judge how well p tells labels apart as well as how well it is calibrated.

Calibration alone is what the bins show. Of the values of p in a bin of equal width, the mean should
be the share of labels that came true; the expected calibration error is the mean difference of the
two, bins weighted by their counts. A constant that is the share of all has none, and is of no use.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mlmlm.types import Array, Labels

N_BINS = 15
_DIGITS = 9
"""That are kept; those behind them are rounding of the linear algebra."""


def measures(truth: Labels, probabilities: Array) -> dict[str, Any]:
    """``brier_score``, ``log_loss``, ``calibration_error``, and the ``bins`` that are not empty.

    A bin has its ``number`` from 0, the ``mean`` probability, the ``share`` that came true and the
    ``count`` of labels in it.
    """
    y, p = truth.ravel().astype(bool), probabilities.ravel()
    bins = _bins(y, p)
    return {
        "brier_score": _kept(np.mean((p - y) ** 2)),
        "log_loss": _kept(log_loss(y, p)),
        "calibration_error": _kept(
            sum(each["count"] * abs(each["mean"] - each["share"]) for each in bins) / len(p)
        ),
        "bins": bins,
    }


def log_loss(y: Array, p: Array) -> float:
    """Its mean, in nats; p is cut to the machine epsilon and 1 less that, as in scikit-learn."""
    epsilon = np.finfo(p.dtype).eps
    return float(-np.log(np.clip(np.where(y, p, 1 - p), epsilon, 1 - epsilon)).mean())


def _bins(y: Array, p: Array) -> list[dict[str, Any]]:
    """An edge belongs to the bin below it, as in scikit-learn's ``calibration_curve``."""
    edges = np.linspace(0, 1, N_BINS + 1)
    number = np.searchsorted(edges[1:-1], p)
    counts, means, shares = (
        np.bincount(number, weights=weights, minlength=N_BINS) for weights in (None, p, y)
    )
    return [
        {
            "number": int(each),
            "mean": _kept(means[each] / counts[each]),
            "share": _kept(shares[each] / counts[each]),
            "count": int(counts[each]),
        }
        for each in np.flatnonzero(counts)
    ]


def _kept(value: float) -> float:
    return round(float(value), _DIGITS)
