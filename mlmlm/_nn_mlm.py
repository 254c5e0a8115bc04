"""NN-MLM: the label vector of the smallest predicted distance."""

from __future__ import annotations

from typing import Any, NoReturn

from sklearn.utils.metaestimators import available_if

from mlmlm._base import DistanceRegressionClassifier
from mlmlm._distance_regression import PredictedDistances
from mlmlm.types import Labels


def _refuse_scores(estimator: NearestNeighborMLM) -> NoReturn:
    raise AttributeError(
        "NearestNeighborMLM has no scores: it predicts a label vector seen in training, not a "
        "ranking of labels. Use MultiLabelMLM for scores."
    )


class NearestNeighborMLM(DistanceRegressionClassifier):
    """Predicts the training label vector of the smallest (signed) predicted distance.

    It ranks nothing, so it has neither ``predict_proba`` nor ``decision_function``. By
    Proposition 1 of the paper its answer solves the multilateration problem when the predicted
    distances are exact, and need not otherwise.

    Parameters
    ----------
    ridge, references, selection, label_references, random_state, verbose
        See `DistanceRegressionClassifier`.

    See Also
    --------
    MultiLabelMLM : weighs all label vectors, and so ranks.
    """

    def _cut(self, scores: None, predicted: PredictedDistances) -> Labels:
        return self.regression_.label_vectors_.vectors[predicted.nearest]

    @available_if(_refuse_scores)
    def predict_proba(self, X: Any) -> NoReturn:
        """Not available: NN-MLM has no scores."""
        raise NotImplementedError

    @available_if(_refuse_scores)
    def decision_function(self, X: Any) -> NoReturn:
        """Not available: NN-MLM has no scores."""
        raise NotImplementedError
