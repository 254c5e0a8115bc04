"""ML-MLM: training label vectors combined by inverse distance weighting."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from mlmlm._base import DistanceRegressionClassifier
from mlmlm._constraints import COUNT, Number, Numbers, OneOf
from mlmlm._distance_regression import DistanceRegression, PredictedDistances
from mlmlm._inverse_distance import LabelWeights, LogRatios, doubling_chains
from mlmlm._leave_one_out import LeaveOneOut, LeftOut
from mlmlm._ranking import RankingLoss
from mlmlm._reference_choice import References
from mlmlm.memory import check_scores_memory
from mlmlm.progress import PhaseName, phase
from mlmlm.thresholds import cardinality_threshold, rank_cut
from mlmlm.types import Array, Indices, Labels

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
    tuning_rows : int or None, default=None
        How many training rows, drawn at random, choose ``P`` and the threshold; None is all of
        them. Where there are very many rows a sample is as good, and saves most of the time.
    ridge, references, selection, label_references, random_state
        Of the regression; see `DistanceRegression`.

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
        "tuning_rows": [COUNT, None],
    }

    def __init__(
        self,
        power: float | None = None,
        power_grid: ArrayLike | None = None,
        threshold: Literal["cardinality", "local_rcut"] | float = "cardinality",
        ranking: Literal["score", "log_odds"] = "score",
        overflow: Literal["stable", "published"] = "stable",
        tuning_rows: int | None = None,
        ridge: float = 1.0,
        references: References = None,
        selection: Literal["random", "kmeans++", "pivoted"] = "random",
        label_references: int | float | None = None,
        random_state: int = 0,
    ) -> None:
        super().__init__(ridge, references, selection, label_references, random_state)
        self.power = power
        self.power_grid = power_grid
        self.threshold = threshold
        self.ranking = ranking
        self.overflow = overflow
        self.tuning_rows = tuning_rows

    def predict_proba(self, X: Any) -> Array:
        """Scores in [0, 1] of shape (n_samples, n_labels)."""
        return self._gather(X, self._score)

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

    def _check_memory(self, n_rows: int, n_labels: int) -> None:
        if self.threshold == "cardinality":
            check_scores_memory(min(n_rows, self.tuning_rows or n_rows), n_labels)

    def _fit_method(self, regression: DistanceRegression) -> None:
        labels = regression.label_vectors_
        self._label_weights = LabelWeights(labels, exact_odds=self.ranking == "log_odds")
        tuned = self.power is None or self.threshold == "cardinality"
        left_out = regression.leave_one_out(self._tuning_rows(labels.n_rows)) if tuned else None
        if self.power is not None:
            self.power_ = float(self.power)
            for name in {"power_grid_", "loo_ranking_loss_"} & vars(self).keys():
                delattr(self, name)  # of an earlier fit
        elif left_out is not None:
            grid = PAPER_GRID if self.power_grid is None else self.power_grid
            self.power_grid_ = np.array(grid, dtype=np.float64)
            self.loo_ranking_loss_ = self._leave_one_out_losses(left_out)
            # Equal losses are sums of different fractions, and may differ in their last bits.
            best = np.argmin(self.loo_ranking_loss_.round(12))
            self.power_ = float(self.power_grid_[best])
        self.threshold_ = self._choose_threshold(left_out)

    def _tuning_rows(self, n_rows: int) -> Indices | None:
        if self.tuning_rows is None or self.tuning_rows >= n_rows:
            return None
        generator = np.random.default_rng(self.random_state)
        return np.sort(generator.choice(n_rows, self.tuning_rows, replace=False))

    def _leave_one_out_losses(self, left_out: LeaveOneOut) -> Array:
        """Mean leave-one-out ranking loss at each power of the grid."""
        chains = doubling_chains(self.power_grid_)

        def block_losses(block: LeftOut) -> tuple[int, int, Array]:
            ranking_loss = RankingLoss(block.labels.astype(bool))
            ratios = LogRatios(block.distances)
            totals = np.empty(len(self.power_grid_))
            for chain in chains:
                powers = self.power_grid_[chain]
                for index, weights in zip(chain, ratios.weights_along(powers), strict=True):
                    values = self._values(ratios, weights, self.power_grid_[index], self.ranking)
                    totals[index] = np.nansum(ranking_loss(values))
            return len(block.rows), int(block.labels.any(axis=1).sum()), totals

        total, n_ranked = np.zeros(len(self.power_grid_)), 0
        with phase(PhaseName.TUNING, len(left_out)) as tick:
            for n_rows, ranked, totals in left_out.map(block_losses):
                total += totals
                n_ranked += ranked
                tick(n_rows)
        return total / max(n_ranked, 1)

    def _choose_threshold(self, left_out: LeaveOneOut | None) -> float | None:
        if self.threshold == "local_rcut":
            return None
        if self.threshold != "cardinality" or left_out is None:
            return float(self.threshold)
        values, n_relevant = np.empty((len(left_out), len(self.classes_))), 0

        def block_values(block: LeftOut) -> tuple[Indices, Array, int]:
            ranked = self._rank_values(block.distances, self.ranking)
            return block.rows, ranked, int(block.labels.sum())

        with phase(PhaseName.THRESHOLD, len(values)) as tick:
            for rows, ranked, relevant in left_out.map(block_values):
                values[rows] = ranked
                n_relevant += relevant
                tick(len(rows))
        return cardinality_threshold(values, n_relevant, overwrite=True)

    def _predict_labels(self, predicted: PredictedDistances) -> Labels:
        values = self._decide(predicted)
        if self.threshold_ is None:
            return rank_cut(values, self._nearest_cardinality(predicted))
        return (values > self.threshold_).astype(np.uint8)

    def _score(self, predicted: PredictedDistances) -> Array:
        return self._rank_values(predicted.to_label_vectors, "score")

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
