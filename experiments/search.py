"""The best of some configurations of a classifier, by cross-validation on its training rows.

The first candidate is the classifier as it is, which also wins a tie; the others are drawn from a
search space, all of it where it has no more than the budget. A metric of ranking judges the scores
alone, so that no threshold need be chosen for each candidate, which would take several times as
long; the threshold of the tuned classifier is chosen when it is fitted. Methods without scores are
judged by a metric of their predictions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold, ParameterGrid, ParameterSampler

from mlmlm.baselines import Thresholded
from mlmlm.metrics import METRICS, Metric
from mlmlm.names import did_you_mean
from mlmlm.progress import PhaseName, listen, phase
from mlmlm.scores import has_scores, label_scores

Parameters = dict[str, Any]


@dataclass(frozen=True)
class Found:
    """The best parameters, and how they compare with the method's own."""

    parameters: Parameters
    metric: str
    score: float
    own_score: float
    candidates: int


@dataclass(frozen=True)
class Search:
    """How a classifier is tuned.

    Parameters
    ----------
    space : mapping
        Nested parameter names of scikit-learn, each with a list of values or a distribution of
        SciPy; relative to the classifier that has the scores, not to a threshold rule around it.
    budget : int
        Number of candidates, the classifier as it is among them.
    folds : int
        Folds of the training rows, shuffled.
    seed : int
        Of the draws from the space and of the folds.
    metric, metric_without_scores : str
        Names of metrics of `mlmlm.metrics`.
    """

    space: Mapping[str, Any]
    budget: int
    folds: int
    seed: int
    metric: str
    metric_without_scores: str

    def run(self, estimator: Any, X: Any, Y: Any) -> Found:
        """The best configuration of an unfitted classifier, which is left as it is."""
        metric = METRICS[self.metric if has_scores(estimator) else self.metric_without_scores]
        candidates = list(self.candidates(estimator))
        with phase(PhaseName.SEARCH, len(candidates) * self.folds) as tick, listen(_nobody):

            def score(model: Any, rows: Any, truth: Any) -> float:
                tick(1)
                return _goodness(metric, model, rows, truth)

            search = GridSearchCV(
                _without_threshold(estimator) if metric.kind == "ranking" else estimator,
                [{name: [value] for name, value in each.items()} for each in candidates],
                scoring=score,
                cv=KFold(self.folds, shuffle=True, random_state=self.seed),
                refit=False,
                error_score="raise",
            ).fit(X, Y)
        scores = search.cv_results_["mean_test_score"]
        sign = -1 if metric.lower_is_better else 1
        return Found(
            parameters=candidates[search.best_index_],
            metric=metric.name,
            score=float(sign * scores[search.best_index_]),
            own_score=float(sign * scores[0]),
            candidates=len(candidates),
        )

    def candidates(self, estimator: Any) -> Iterator[Parameters]:
        """The classifier's own parameters, then others of the space, as many as the budget."""
        prefix = "estimator__" if isinstance(estimator, Thresholded) else ""
        space = {prefix + name: values for name, values in self.space.items()}
        known = estimator.get_params()
        for name in space:
            if name not in known:
                raise ValueError(
                    f"there is no parameter {name!r} to search{did_you_mean(name, known)}"
                )
        own = {name: known[name] for name in space}
        yield own
        drawn = (_plain(each) for each in self._drawn(space))
        others = [each for each in drawn if each != own]
        yield from others[: self.budget - 1]

    def _drawn(self, space: Parameters) -> Iterator[Parameters]:
        """Configurations of the space in random order, or all of them."""
        all_are_lists = all(isinstance(values, list) for values in space.values())
        if all_are_lists and len(ParameterGrid(space)) <= self.budget:
            yield from ParameterGrid(space)
        else:
            yield from ParameterSampler(space, self.budget, random_state=self.seed)


def _without_threshold(estimator: Any) -> Any:
    """The classifier with its own scores, and no threshold and no sigmoids chosen in fitting."""
    if not isinstance(estimator, Thresholded):
        return estimator
    return clone(estimator).set_params(rule="transductive", calibration="none")


def _goodness(metric: Metric, model: Any, rows: Any, truth: Any) -> float:
    """A metric of a fitted model, the larger the better."""
    truth = truth.reshape(len(truth), -1)  # a single label may be a vector
    if metric.kind == "ranking":
        value = metric(truth, label_scores(model, rows, n_labels=truth.shape[1]))
    else:
        value = metric(truth, model.predict(rows).reshape(truth.shape))
    return -value if metric.lower_is_better else value


def _plain(candidate: Parameters) -> Parameters:
    """Parameters as Python's own numbers, as records have them."""
    return {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in candidate.items()
    }


def _nobody(name: str, done: float, total: float) -> None:
    """Hears the phases of the candidates' fits: they are part of the search."""
