"""A prediction step by step.

Four pictures, each a point of a plane, have the labels of what is drawn on them. A fifth shows a
set of labels that none of the four has.
"""

from __future__ import annotations

import numpy as np

from experiments.record import Json
from mlmlm import MultiLabelMLM

TOY_POWER = 2.0
TOY_LABELS = ("sun", "tree", "house", "sea")
TOY_POINTS = np.array([[2.4, 8.2], [10.5, 8.5], [12.0, 3.0], [4.0, 2.0]])
TOY_LABEL_SETS = np.array([[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 0, 1], [0, 1, 0, 0]])
TOY_TEST_POINT, TOY_TEST_LABELS = np.array([6.0, 6.0]), np.array([1, 1, 0, 0])


def toy() -> Json:
    """ML-MLM on the four points, and each step of its prediction for the test point."""
    model = MultiLabelMLM(power=TOY_POWER).fit(TOY_POINTS, TOY_LABEL_SETS)
    test = TOY_TEST_POINT[None, :]
    return {
        "label_names": list(TOY_LABELS),
        "power": TOY_POWER,
        "points": TOY_POINTS.tolist(),
        "label_sets": TOY_LABEL_SETS.tolist(),
        "test_point": TOY_TEST_POINT.tolist(),
        "test_labels": TOY_TEST_LABELS.tolist(),
        "input_distances": np.linalg.norm(TOY_POINTS - TOY_TEST_POINT, axis=1).tolist(),
        "label_distances": model.predict_distances(test)[0].tolist(),
        "scores": model.predict_proba(test)[0].tolist(),
        "threshold": model.threshold_,
        "labels": model.predict(test)[0].tolist(),
    }
