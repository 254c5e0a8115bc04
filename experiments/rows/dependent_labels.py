"""What exact arithmetic leaves open in LLS-MLM where labels depend on each other.

QR with column pivoting takes at each step the column with the largest residual, and the basic
solution leaves out the columns whose residual is zero in the end. Let column j be left out,
``a_j = sum_i c_i a_i`` over the columns taken, and let i be the last of those with ``c_i != 0``
that was taken. When it was, the residuals of the others were zero already, so that of j was
``c_i`` times that of i. If ``|c_i| = 1`` the two were equal: in exact arithmetic either could be
taken, and rounding decides. The one takes the other's place in all later steps, so choices at
different columns i are independent of each other. They are made for each anchor, because each
anchor has a system of its own. Ties between columns that are independent of each other are not
followed, so there may be more choices than are found here.

Every choice solves the least-squares problem as well as any other, and gives other scores. Of the
metrics that are means over rows the sums over the rows of each anchor are kept for each choice. The
smallest of them, added up over the anchors, and the largest are the range that is left open.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from experiments.record import Json
from experiments.refits.fitting import Fit
from mlmlm import LocalizationMLM
from mlmlm._lls_mlm import _pivots
from mlmlm.metrics import METRICS, accuracy_per_row
from mlmlm.metrics._places import locate_relevant
from mlmlm.types import Array, Bools, Labels

_NEGLIGIBLE = 1e-6
"""Coefficients are ratios of small whole numbers; what is smaller is rounding."""


class ChosenBasis(LocalizationMLM):
    """LLS-MLM by one of the bases that exact arithmetic leaves open for an anchor, by number.

    Where an anchor has fewer, its last one.
    """

    def __init__(self, choice: int = 0) -> None:
        super().__init__()
        self.choice = choice

    def bases(self, anchor: int) -> list[Bools]:
        """All of them; that of `LocalizationMLM` comes first."""
        if self._independent:
            return [self._varying]
        normal = self._normal(anchor)
        taken = _pivots(normal)
        instead = {int(i): [int(i)] for i in taken}
        for j in np.setdiff1d(np.flatnonzero(np.diag(normal)), taken):
            coefficients = np.linalg.solve(normal[np.ix_(taken, taken)], normal[taken, j])
            last = np.flatnonzero(np.abs(coefficients) > _NEGLIGIBLE)[-1]
            if abs(abs(coefficients[last]) - 1) < _NEGLIGIBLE:
                instead[int(taken[last])].append(int(j))
        labels = np.arange(len(normal))
        return [np.isin(labels, chosen) for chosen in product(*instead.values())]

    def _basis(self, anchor: int) -> Bools:
        bases = self.bases(anchor)
        return bases[min(self.choice, len(bases) - 1)]


def dependent_labels(fit: Fit) -> Json | None:
    """Metrics under each choice; None where there is none to make.

    ``labels`` are the columns that some choice leaves out, ``rows`` the numbers of test rows of the
    anchors, ``choices`` how many each anchor has, and ``sums`` the metrics by name: of each anchor
    a list with the sum over its rows for each choice. Those of ranking are of ``ranked_rows`` only,
    the rows with a relevant label.
    """
    model = ChosenBasis().fit_from(fit.regression)
    anchors, which = np.unique(fit.predicted.nearest, return_inverse=True)
    bases = [model.bases(anchor) for anchor in anchors]
    n_choices = max(map(len, bases))
    if n_choices == 1:
        return None
    several = [each for each in bases if len(each) > 1]
    differing = np.any([basis != each[0] for each in several for basis in each], axis=0)
    sums: dict[str, list[list[float]]] = {}
    for choice in range(n_choices):
        model = ChosenBasis(choice).fit_from(fit.regression)
        scores, labels = model.decision_function(fit.predicted), model.predict(fit.predicted)
        for name, values in _by_row(fit.data.Y_test, scores, labels.astype(np.uint8)).items():
            of_anchors = np.bincount(which, weights=np.nan_to_num(values)).round(9).tolist()
            sums.setdefault(name, [[] for _ in anchors])
            for so_far, value in zip(sums[name], of_anchors, strict=True):
                so_far.append(value)
    ranked = fit.data.Y_test.any(axis=1)
    return {
        "labels": np.flatnonzero(differing).tolist(),
        "choices": [len(each) for each in bases],
        "rows": np.bincount(which).tolist(),
        "ranked_rows": np.bincount(which, weights=ranked).astype(int).tolist(),
        "sums": sums,
    }


def _by_row(truth: Labels, scores: Array, labels: Labels) -> dict[str, Array]:
    """The metrics that are means over rows; NaN where one is undefined."""
    ranked = locate_relevant(truth, scores)
    by_row = {
        name: metric.rows(ranked) for name, metric in METRICS.items() if metric.rows is not None
    }
    return by_row | {
        "accuracy": accuracy_per_row(truth, labels),
        "hamming_loss": (labels != truth).mean(axis=1),
    }
