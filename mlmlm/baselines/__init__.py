"""Reference methods that the paper compares with, as scikit-learn style classifiers."""

from mlmlm.baselines._bagging import BaggedEnsemble
from mlmlm.baselines._binary_relevance import BinaryRelevance
from mlmlm.baselines._boosting import lightgbm_classifier
from mlmlm.baselines._chains import LabelChain
from mlmlm.baselines._extras import MissingExtraError
from mlmlm.baselines._forest import MultiLabelForest
from mlmlm.baselines._homer import HOMER
from mlmlm.baselines._ml_knn import MLkNN
from mlmlm.baselines._rakel import RAkEL
from mlmlm.baselines._shared_kernel import BinaryRelevanceSVC
from mlmlm.baselines._thresholding import Thresholded
from mlmlm.baselines._weka_j48 import WekaJ48

__all__ = [
    "HOMER",
    "BaggedEnsemble",
    "BinaryRelevance",
    "BinaryRelevanceSVC",
    "LabelChain",
    "MLkNN",
    "MissingExtraError",
    "MultiLabelForest",
    "RAkEL",
    "Thresholded",
    "WekaJ48",
    "lightgbm_classifier",
]
