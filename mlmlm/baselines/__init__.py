"""Reference methods that the paper compares with, as scikit-learn style classifiers."""

from mlmlm.baselines.bagging import BaggedEnsemble
from mlmlm.baselines.binary_relevance import BinaryRelevance
from mlmlm.baselines.boosting import lightgbm_classifier
from mlmlm.baselines.chains import LabelChain
from mlmlm.baselines.forest import MultiLabelForest
from mlmlm.baselines.homer import HOMER
from mlmlm.baselines.ml_knn import MLkNN
from mlmlm.baselines.rakel import RAkEL
from mlmlm.baselines.thresholding import Thresholded
from mlmlm.baselines.weka_j48 import WekaJ48

__all__ = [
    "HOMER",
    "BaggedEnsemble",
    "BinaryRelevance",
    "LabelChain",
    "MLkNN",
    "MultiLabelForest",
    "RAkEL",
    "Thresholded",
    "WekaJ48",
    "lightgbm_classifier",
]
