"""ML-MLM: training label vectors combined by inverse distance weighting."""

from __future__ import annotations

from functools import partial
from numbers import Real
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from mlmlm._base import LabelRanker
from mlmlm._calibration import CALIBRATORS, Calibration, Calibrator, bounded_log_odds
from mlmlm._constraints import COUNT, Number, Numbers, OneOf
from mlmlm._distance_regression import DistanceRegression, PredictedDistances
from mlmlm._inverse_distance import LabelWeights, LogRatios, doubling_chains
from mlmlm._leave_one_out import LeaveOneOut, LeftOut
from mlmlm._ranking import RankingLoss
from mlmlm._reference_choice import References, choose_tuning_rows
from mlmlm._scores_in_pieces import threshold_of_pieces
from mlmlm.memory import (
    CALIBRATION_TABLES,
    PLAIN_TABLES,
    WEIGHTED_TABLES,
    check_scores_memory,
)
from mlmlm.progress import PhaseName, phase
from mlmlm.thresholds import cardinality_threshold, weighted_threshold
from mlmlm.types import Array, Indices, Labels

PAPER_GRID = 2.0 ** (np.arange(81) / 10)


class _KnownScores(NamedTuple):
    """What labels of training rows would be ranked by without the row, and the rows' labels."""

    scores: Array
    labels: Labels
    weights: Array


class MultiLabelMLM(LabelRanker):
    """Multi-label minimal learning machine (ML-MLM).

    Scores are means of the training label vectors with weights ``|d|^-P``, ``d`` being the
    predicted distances. ``P`` minimises the leave-one-out ranking loss, which has a closed form,
    so one least-squares solve is all of the training; there is nothing to tune. Nothing is random
    but what is asked for: chosen ``references`` and ``label_references``, and ``tuning_rows``.

    Parameters
    ----------
    power : float or None, default=None
        A fixed ``P > 0``; None chooses it from ``power_grid``.
    power_grid : array-like or None, default=None
        Candidates for ``P``; None is the paper's ``2^0, 2^0.1, ..., 2^8``. Of several with the
        same loss the first wins; so it does with a single label, where all of them order rows
        alike and only scores that are not calibrated differ.
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
        How many training rows, drawn at random, choose ``P``, the threshold and the calibration;
        None is all of them. Where there are very many rows a large sample is as good, and saves
        most of the time. It also bounds the table of scores, of so many rows by all labels, that
        chooses the threshold and the calibration. (With Dask only calibration has it here.)
    calibration : {"sigmoid", "isotonic"} or None, default=None
        How scores become probabilities, for each label by what the leave-one-out scores tell
        (`mlmlm._calibration`). None leaves them as published: shares of votes, which rank well but
        are far too sure, since most of the weight is often on a few label vectors. Where a score
        is 0.99 much less than 99 % of such labels may be relevant, and the log loss can be worse
        than that of each label's share of the training rows. "sigmoid" suits most data;
        "isotonic" asks for many rows, and its probabilities can be exactly 0 and 1, which log loss
        punishes where they are wrong. Only ``predict_proba`` changes; labels are ranked and cut as
        without it.
    ridge, references, selection, label_references, random_state, verbose
        See `DistanceRegressionClassifier`.

    Attributes
    ----------
    power_ : float
        The power in use.
    threshold_ : float or None
        The threshold in use; None with local RCut.
    power_grid_, loo_ranking_loss_ : arrays
        The candidates and the leave-one-out ranking loss of each; only if ``power`` is None.
    calibrator_ : callable or None
        The fitted calibration.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import MinMaxScaler
    >>> model = make_pipeline(MinMaxScaler(), MultiLabelMLM())
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **LabelRanker._parameter_constraints,
        "power": [Number(Real, 0, None, closed="neither"), None],
        "power_grid": [Numbers(Real, 0, None, closed="neither"), None],
        "threshold": [
            OneOf("cardinality", "local_rcut"),
            Number(Real, None, None, closed="neither"),
        ],
        "ranking": [OneOf("score", "log_odds")],
        "overflow": [OneOf("stable", "published")],
        "tuning_rows": [COUNT, None],
        "calibration": [OneOf("sigmoid", "isotonic"), None],
    }

    def __init__(
        self,
        power: float | None = None,
        power_grid: ArrayLike | None = None,
        threshold: Literal["cardinality", "local_rcut"] | float = "cardinality",
        ranking: Literal["score", "log_odds"] = "score",
        overflow: Literal["stable", "published"] = "stable",
        tuning_rows: int | None = None,
        calibration: Calibration | None = None,
        ridge: float = 1.0,
        references: References = None,
        selection: Literal["random", "kmeans++", "pivoted"] = "random",
        label_references: int | float | None = None,
        random_state: int = 0,
        verbose: bool = False,
    ) -> None:
        super().__init__(ridge, references, selection, label_references, random_state, verbose)
        self.power = power
        self.power_grid = power_grid
        self.threshold = threshold
        self.ranking = ranking
        self.overflow = overflow
        self.tuning_rows = tuning_rows
        self.calibration = calibration

    def predict_proba(self, X: Any) -> Array:
        """Scores in [0, 1] of shape (n_samples, n_labels), probabilities with ``calibration``.

        For a single label there are two columns, one for each class, as of other classifiers.
        """
        return self._target.probabilities(
            self._gather(X, lambda predicted: self._probabilities(self._scores(predicted)))
        )

    def _validate_params(self) -> None:
        super()._validate_params()
        if self.calibration is not None and self.overflow == "published":
            raise ValueError(
                f"The 'calibration' parameter of {type(self).__name__} must be None with "
                "overflow='published', which makes scores NaN."
            )
        if self.ranking == "log_odds" or isinstance(self.threshold, str):
            return
        if not 0 <= self.threshold <= 1:
            raise ValueError(
                f"The 'threshold' parameter of {type(self).__name__} must be in the range "
                f"[0.0, 1.0] of the scores, unless ranking='log_odds'. Got {self.threshold!r} "
                "instead."
            )

    def _check_memory(
        self, n_rows: int, n_labels: int, is_remote: bool, is_weighted: bool = False
    ) -> None:
        calibrates = self.calibration is not None
        if not self._needs_scores or (is_remote and not calibrates):
            return
        tables = CALIBRATION_TABLES if calibrates else PLAIN_TABLES
        tables = WEIGHTED_TABLES if is_weighted else tables
        check_scores_memory(min(n_rows, self.tuning_rows or n_rows), n_labels, tables)

    def _fit_method(self, regression: DistanceRegression) -> None:
        self._label_weights = LabelWeights(
            regression.label_vectors_, exact_odds=self.ranking == "log_odds"
        )
        if self.power is None or self._needs_scores:
            left_out = regression.leave_one_out(self._tuning_rows(regression.n_rows_))
        if self.power is not None:
            self.power_ = float(self.power)
            for name in {"power_grid_", "loo_ranking_loss_"} & vars(self).keys():
                delattr(self, name)  # of an earlier fit
        else:
            grid = PAPER_GRID if self.power_grid is None else self.power_grid
            self.power_grid_ = np.array(grid, dtype=np.float64)
            self.loo_ranking_loss_ = self._leave_one_out_losses(left_out)
            # Equal losses are sums of different fractions, and may differ in their last bits.
            best = np.argmin(self.loo_ranking_loss_.round(12))
            self.power_ = float(self.power_grid_[best])
        if self._needs_scores and left_out.is_remote and self.calibration is None:
            self.calibrator_ = None
            self.threshold_: float | None = self._threshold_of_pieces(left_out)
            return
        known = self._leave_one_out_scores(left_out) if self._needs_scores else None
        if known is not None and not known.labels.any():
            self._check_that_nothing_has_a_label()
        self.calibrator_ = self._calibrate(known)
        self.threshold_ = self._choose_threshold(known)

    @property
    def _needs_scores(self) -> bool:
        """Whether leave-one-out scores of the rows that tune choose something."""
        return self.threshold == "cardinality" or self.calibration is not None

    def _threshold_of_pieces(self, left_out: Any) -> float:
        """The threshold, with the scores staying where the rows are."""
        n_relevant = left_out.n_relevant
        if not n_relevant:
            self._check_that_nothing_has_a_label()
        score = partial(_scores_left_out, self)
        return threshold_of_pieces(left_out, score, n_relevant)

    def _check_that_nothing_has_a_label(self) -> None:
        if self.regression_.label_vectors_.positives.any():
            raise ValueError(
                f"None of the rows drawn by tuning_rows={self.tuning_rows} has a label, so they "
                "choose nothing; ask for more rows."
            )

    def _tuning_rows(self, n_rows: int) -> Indices | None:
        if self.tuning_rows is None or self.tuning_rows >= n_rows:
            return None
        return choose_tuning_rows(n_rows, self.tuning_rows, self.random_state)

    def _leave_one_out_losses(self, left_out: LeaveOneOut) -> Array:
        """Mean leave-one-out ranking loss at each power of the grid."""
        chains = doubling_chains(self.power_grid_)

        def block_losses(block: LeftOut) -> tuple[int, float, Array]:
            ranking_loss = RankingLoss(block.labels.astype(bool))
            counted = np.ones(len(block.rows)) if block.weights is None else block.weights
            ratios = LogRatios(block.distances)
            totals = np.empty(len(self.power_grid_))
            for chain in chains:
                powers = self.power_grid_[chain]
                for index, weights in zip(chain, ratios.weights_along(powers), strict=True):
                    values = self._values(ratios, weights, self.power_grid_[index])
                    totals[index] = np.nansum(counted * ranking_loss(values))
            return len(block.rows), float(counted @ block.labels.any(axis=1)), totals

        total, n_ranked = np.zeros(len(self.power_grid_)), 0.0
        with phase(PhaseName.TUNING, len(left_out)) as tick:
            for n_rows, ranked, totals in left_out.map(block_losses):
                total += totals
                n_ranked += ranked
                tick(n_rows)
        return total / n_ranked if n_ranked else total

    def _leave_one_out_scores(self, left_out: LeaveOneOut) -> _KnownScores:
        """What labels would be ranked by, had each row been left out."""
        shape = len(left_out), self._target.n_labels
        known = _KnownScores(np.empty(shape), np.empty(shape, np.uint8), np.ones(shape[0]))

        def block_scores(block: LeftOut) -> tuple[Indices, Array, Labels, Array | None]:
            return block.rows, self._rank_values(block.distances), block.labels, block.weights

        with phase(PhaseName.THRESHOLD, len(left_out)) as tick:
            for rows, scores, labels, weights in left_out.map(block_scores):
                known.scores[rows], known.labels[rows] = scores, labels
                if weights is not None:
                    known.weights[rows] = weights
                tick(len(rows))
        return known

    def _choose_threshold(self, known: _KnownScores | None) -> float | None:
        """The threshold; the scores are in no order afterwards."""
        if self.threshold == "local_rcut":
            return None
        if self.threshold != "cardinality" or known is None:
            return float(self.threshold)
        if (known.weights == 1).all():
            return cardinality_threshold(known.scores, int(known.labels.sum()), overwrite=True)
        n_relevant = float(known.weights @ known.labels.sum(axis=1))
        return weighted_threshold(known.scores, n_relevant, known.weights)

    def _calibrate(self, known: _KnownScores | None) -> Calibrator | None:
        if self.calibration is None or known is None:
            return None
        self._n_calibrated = float(known.weights.sum())
        with phase(PhaseName.CALIBRATION, 1):
            return CALIBRATORS[self.calibration](
                self._log_odds(known.scores), known.labels, known.weights
            )

    def _log_odds(self, scores: Array) -> Array:
        """Bounded log-odds of what labels are ranked by."""
        plain = expit(scores) if self.ranking == "log_odds" else scores
        return bounded_log_odds(plain, self._n_calibrated)

    def _scores(self, predicted: PredictedDistances) -> Array:
        return self._rank_values(predicted.to_label_vectors)

    def _cut(self, scores: Array, predicted: PredictedDistances) -> Labels:
        if self.threshold_ is None:
            return super()._cut(scores, predicted)
        return (scores > self.threshold_).astype(np.uint8)

    def _probabilities(self, scores: Array) -> Array:
        if self.calibrator_ is not None:
            return self.calibrator_(self._log_odds(scores))
        return expit(scores) if self.ranking == "log_odds" else scores

    def _rank_values(self, distances: Array) -> Array:
        ratios = LogRatios(distances)
        return self._values(ratios, ratios.weights(self.power_), self.power_)

    def _values(self, ratios: LogRatios, weights: Array, power: float) -> Array:
        """Scores or log-odds, of shape (n, L), at weights of the given power."""
        a, b = self._label_weights.sums(weights)
        if self.ranking == "log_odds":
            with np.errstate(divide="ignore"):
                values = np.log(a) - np.log(b)
        else:
            values = a / (a + b)
        values = np.ascontiguousarray(values.T)
        if self.overflow == "published":
            values[ratios.overflows(power)] = np.nan
        return values


def _scores_left_out(model: MultiLabelMLM, block: LeftOut) -> Array:
    return model._rank_values(block.distances)
