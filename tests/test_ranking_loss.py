"""The fast ranking loss of the tuning against the metric."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from mlmlm._ranking import RankingLoss
from mlmlm.metrics import ranking_loss_per_row

SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 17))


@given(data=st.data(), shape=SHAPES)
@settings(deadline=None, max_examples=200)
def test_equals_the_metric_with_ties_and_nan(data, shape):
    values = st.sampled_from([0.0, 5e-324, 0.25, 0.5, 1 - 2**-53, 1.0, np.inf, -np.inf])
    scores = data.draw(hnp.arrays(np.float64, shape, elements=values))
    if data.draw(st.booleans()):  # the published overflow makes whole rows NaN
        scores[0] = np.nan
    relevant = data.draw(hnp.arrays(np.bool_, shape))
    np.testing.assert_allclose(
        RankingLoss(relevant)(scores), ranking_loss_per_row(relevant, scores), atol=1e-15
    )


def test_ties_are_counted_in_chunks():
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 3, (20, 7)) / 2
    relevant = rng.random((20, 7)) < 0.5
    np.testing.assert_allclose(
        RankingLoss(relevant, chunk_values=8)(scores), ranking_loss_per_row(relevant, scores)
    )
