"""Probabilities of a dataset's test labels, of four kinds.

==============  ==================================================================================
kind            probability of a label
==============  ==================================================================================
``published``   ML-MLM's score, as published: the share of the weights that label vectors have
``sigmoid``     the score, calibrated for each label by the leave-one-out scores of training
``isotonic``    the same by isotonic regression
``prevalence``  the label's share of the training rows: a yardstick, for it uses no input
==============  ==================================================================================

One distance regression serves all, and the distances of the test rows are predicted once, block by
block: all of them together would be as large as the coefficients.
"""

from __future__ import annotations

import numpy as np

from experiments.refits.fitting import scaled
from mlmlm import DistanceRegression, MultiLabelMLM
from mlmlm.datasets import Dataset
from mlmlm.types import Array

PUBLISHED, SIGMOID, ISOTONIC, PREVALENCE = "published", "sigmoid", "isotonic", "prevalence"


def probabilities(data: Dataset, power: float) -> dict[str, Array]:
    """Arrays of shape (test rows, labels) by kind; nothing is tuned, for ``power`` is given."""
    train, test = scaled(data)
    regression = DistanceRegression().fit(train, data.Y_train)
    # The threshold does not matter to scores; a fixed one saves the time to find it.
    models = {
        PUBLISHED: MultiLabelMLM(power=power, threshold=0.5),
        SIGMOID: MultiLabelMLM(power=power, threshold=0.5, calibration="sigmoid"),
        ISOTONIC: MultiLabelMLM(power=power, threshold=0.5, calibration="isotonic"),
    }
    blocks: dict[str, list[Array]] = {kind: [] for kind in models}
    for model in models.values():
        model.fit_from(regression)
    for predicted in regression.predict_blocks(test):
        for kind, model in models.items():
            blocks[kind].append(model.predict_proba(predicted))
    constant = np.tile(data.Y_train.mean(axis=0), (len(test), 1))
    return {kind: np.concatenate(parts) for kind, parts in blocks.items()} | {PREVALENCE: constant}
