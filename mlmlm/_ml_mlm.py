"""ML-MLM: training label vectors combined by inverse distance weighting."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from mlmlm._base import DistanceRegressionClassifier
from mlmlm._constraints import Number, Numbers, OneOf
from mlmlm._distance_regression import DistanceRegression, PredictedDistances
from mlmlm._inverse_distance import LabelWeights, LogRatios, doubling_chains
from mlmlm._parallel import parallel_map
from mlmlm._ranking import RankingLoss
from mlmlm.progress import PhaseName, phase
from mlmlm.thresholds import cardinality_threshold, rank_cut
from mlmlm.types import Array, Labels

PAPER_GRID = 2.0 ** (np.arange(81) / 10)


class MultiLabelMLM(DistanceRegressionClassifier):
    """Multi-label minimal learning machine (ML-MLM).

    Scores are means of the training label vectors with weights ``|d|^-P``, ``d`` being the
    predicted distances. ``P`` minimises the leave-one-out ranking loss, which has a closed form,
    so one least-squares solve is all of the training; there is nothing to tune and nothing random.

    Parameters
    ----------
    power : float or None, default=None
        A fixed ``P > 0``; None chooses it from ``power_grid``.
    power_grid : array-like or None, default=None
        Candidates for ``P``; None is the paper's ``2^0, 2^0.1, ..., 2^8``. Of several with the
        same loss the first wins.
    threshold : {"cardinality", "local_rcut"} or float, default="cardinality"
        How scores become labels. "cardinality": one threshold, at which the leave-one-out
        predictions have as many labels as the training set. "local_rcut": the k highest scores,
        k being the cardinality of the nearest label vector. A number is a fixed threshold, from 0
        to 1 unless labels are ranked by log-odds.
    ranking : {"score", "log_odds"}, default="score"
        What labels are ranked by. Scores reach exactly 1 where a few label vectors have nearly
        all the weight, and tie; log-odds keep the order there.
    overflow : {"stable", "published"}, default="stable"
        "published" emulates the original implementation, in which a row whose ``|d|^-P``
        overflows gets NaN for all scores, and NaN ranks first. For audits of the published
        figures only.
    ridge : float, default=1.0
        How many times the paper's the ridge of the regression is; see `DistanceRegression`.

    Attributes
    ----------
    power_ : float
        The power in use.
    threshold_ : float or None
        The threshold in use; None with local RCut.
    power_grid_, loo_ranking_loss_ : arrays
        The candidates and the leave-one-out ranking loss of each; only if ``power`` is None.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import MinMaxScaler
    >>> model = make_pipeline(MinMaxScaler(), MultiLabelMLM())
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **DistanceRegressionClassifier._parameter_constraints,
        "power": [Number(Real, 0, None, closed="neither"), None],
        "power_grid": [Numbers(Real, 0, None, closed="neither"), None],
        "threshold": [
            OneOf("cardinality", "local_rcut"),
            Number(Real, None, None, closed="neither"),
        ],
        "ranking": [OneOf("score", "log_odds")],
        "overflow": [OneOf("stable", "published")],
    }

    def __init__(
        self,
        power: float | None = None,
        power_grid: ArrayLike | None = None,
        threshold: Literal["cardinality", "local_rcut"] | float = "cardinality",
        ranking: Literal["score", "log_odds"] = "score",
        overflow: Literal["stable", "published"] = "stable",
        ridge: float = 1.0,
    ) -> None:
        super().__init__(ridge)
        self.power = power
        self.power_grid = power_grid
        self.threshold = threshold
        self.ranking = ranking
        self.overflow = overflow

    def predict_proba(self, X: Any) -> Array:
        """Scores in [0, 1] of shape (n_samples, n_labels)."""
        return self._gather(X, lambda block: self._rank_values(block.to_label_vectors, "score"))

    def decision_function(self, X: Any) -> Array:
        """What labels are ranked by: the scores, or their log-odds with ``ranking="log_odds"``."""
        return self._gather(X, self._decide)

    def _validate_params(self) -> None:
        super()._validate_params()
        if self.ranking == "log_odds" or isinstance(self.threshold, str):
            return
        if not 0 <= self.threshold <= 1:
            raise ValueError(
                f"The 'threshold' parameter of {type(self).__name__} must be in the range "
                f"[0.0, 1.0] of the scores, unless ranking='log_odds'. Got {self.threshold!r} "
                "instead."
            )

    def _fit_method(self, regression: DistanceRegression) -> None:
        labels = regression.label_vectors_
        self._label_weights = LabelWeights(labels, exact_odds=self.ranking == "log_odds")
        if self.power is None:
            grid = PAPER_GRID if self.power_grid is None else self.power_grid
            self.power_grid_ = np.array(grid, dtype=np.float64)
            self.loo_ranking_loss_ = self._leave_one_out_losses(regression)
            # Equal losses are sums of different fractions, and may differ in their last bits.
            best = np.argmin(self.loo_ranking_loss_.round(12))
            self.power_ = float(self.power_grid_[best])
        else:
            self.power_ = float(self.power)
            for name in {"power_grid_", "loo_ranking_loss_"} & vars(self).keys():
                delattr(self, name)  # of an earlier fit
        self.threshold_ = self._choose_threshold(regression)

    def _leave_one_out_losses(self, regression: DistanceRegression) -> Array:
        """Mean leave-one-out ranking loss at each power of the grid."""
        labels = regression.label_vectors_
        chains = doubling_chains(self.power_grid_)

        def block_losses(references: slice) -> tuple[int, Array]:
            rows, distances = regression.leave_one_out(references)
            ranking_loss = RankingLoss(labels.vectors[labels.of_row[rows]].astype(bool))
            ratios = LogRatios(distances)
            totals = np.empty(len(self.power_grid_))
            for chain in chains:
                powers = self.power_grid_[chain]
                for index, weights in zip(chain, ratios.weights_along(powers), strict=True):
                    values = self._values(ratios, weights, self.power_grid_[index], self.ranking)
                    totals[index] = np.nansum(ranking_loss(values))
            return len(rows), totals

        total = np.zeros(len(self.power_grid_))
        with phase(PhaseName.TUNING, len(labels.of_row)) as tick:
            for n_rows, totals in parallel_map(block_losses, regression.reference_blocks()):
                total += totals
                tick(n_rows)
        n_ranked = int(labels.counts[labels.cardinalities > 0].sum())
        return total / max(n_ranked, 1)

    def _choose_threshold(self, regression: DistanceRegression) -> float | None:
        if self.threshold == "local_rcut":
            return None
        if self.threshold != "cardinality":
            return float(self.threshold)
        labels = regression.label_vectors_
        values = np.empty((len(labels.of_row), labels.n_labels))

        def fill(references: slice) -> int:
            rows, distances = regression.leave_one_out(references)
            values[rows] = self._rank_values(distances, self.ranking)
            return len(rows)

        with phase(PhaseName.THRESHOLD, len(values)) as tick:
            for n_rows in parallel_map(fill, regression.reference_blocks()):
                tick(n_rows)
        n_relevant = int(labels.counts @ labels.cardinalities)
        return cardinality_threshold(values, n_relevant)

    def _predict_labels(self, predicted: PredictedDistances) -> Labels:
        values = self._decide(predicted)
        if self.threshold_ is None:
            return rank_cut(values, self._nearest_cardinality(predicted))
        return (values > self.threshold_).astype(np.uint8)

    def _decide(self, predicted: PredictedDistances) -> Array:
        return self._rank_values(predicted.to_label_vectors, self.ranking)

    def _rank_values(self, distances: Array, ranking: str) -> Array:
        ratios = LogRatios(distances)
        return self._values(ratios, ratios.weights(self.power_), self.power_, ranking)

    def _values(self, ratios: LogRatios, weights: Array, power: float, ranking: str) -> Array:
        """Scores or log-odds, of shape (n, L), at weights of the given power."""
        a, b = self._label_weights.sums(weights)
        if ranking == "log_odds":
            with np.errstate(divide="ignore"):
                values = np.log(a) - np.log(b)
        else:
            values = a / (a + b)
        values = np.ascontiguousarray(values.T)
        if self.overflow == "published":
            values[ratios.overflows(power)] = np.nan
        return values
