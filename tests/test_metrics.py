"""Metrics against scikit-learn where the definitions agree, and against plain loops elsewhere."""

import inspect
import math
import tracemalloc
from itertools import product

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as skm
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from mlmlm import metrics
from mlmlm.metrics._places import places

NAN = math.nan

# No deadline: a busy machine is not a failure.
THOROUGH = settings(max_examples=100, deadline=None)
LIGHT = settings(max_examples=25, deadline=None)

# Few distinct values, so that ties are the rule.
TIED_SCORES = st.sampled_from([-math.inf, -1.0, -0.0, 0.0, 0.5, 1.0, math.inf, NAN])
FINITE_TIED_SCORES = st.sampled_from([-1.0, 0.0, 0.5, 1.0])


@st.composite
def rankings(draw, elements=TIED_SCORES, min_labels=1):
    """(Y_true, scores) with at least one relevant label in all."""
    shape = draw(
        hnp.array_shapes(min_dims=2, max_dims=2, max_side=8).filter(
            lambda shape: shape[1] >= min_labels
        )
    )
    Y = draw(hnp.arrays(bool, shape))
    assume(Y.any())
    return Y.astype(int), draw(hnp.arrays(float, shape, elements=elements))


@st.composite
def rankings_without_ties(draw):
    """(Y_true, scores) with distinct scores and a relevant label in every row.

    Rows without one are left out here and counted by scikit-learn.
    """
    Y, scores = draw(rankings(min_labels=2))
    seed = draw(st.integers(0, 2**32 - 1))
    scores = np.random.default_rng(seed).permuted(
        np.broadcast_to(np.arange(Y.shape[1]) / 7, Y.shape), axis=1
    )
    labelled = Y.any(axis=1)
    return Y[labelled], scores[labelled]


@st.composite
def bipartitions(draw):
    """(Y_true, Y_pred), of two labels or more because scikit-learn reads one as binary."""
    shape = draw(hnp.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=8))
    return tuple(draw(hnp.arrays(np.int64, shape, elements=st.integers(0, 1))) for _ in range(2))


# Oracles: the definitions, row by row, in plain loops


def ranking_of(scores):
    """Labels from the top: NaN, then descending, then label order."""
    return sorted(
        range(len(scores)),
        key=lambda j: (0, 0, j) if math.isnan(scores[j]) else (1, -scores[j], j),
    )


def at_least(a, b):
    """Whether a >= b, with NaN as the largest value."""
    return math.isnan(a) or (not math.isnan(b) and a >= b)


def beats(definition, scores):
    """Relation "k ranks above j" between labels."""
    if definition == "text":
        return lambda k, j: not at_least(scores[j], scores[k])
    place = {label: rank for rank, label in enumerate(ranking_of(scores))}
    return lambda k, j: place[k] < place[j]


def loop_ranking_loss(y, scores, definition):
    above = beats(definition, scores)
    relevant = [j for j in range(len(y)) if y[j]]
    irrelevant = [k for k in range(len(y)) if not y[k]]
    wrong = sum(above(k, j) for j, k in product(relevant, irrelevant))
    return wrong / (len(relevant) * len(irrelevant)) if irrelevant else 0.0


def loop_coverage(y, scores, definition):
    relevant = [j for j in range(len(y)) if y[j]]
    if definition == "table":
        return max(ranking_of(scores).index(j) for j in relevant)
    return sum(any(at_least(score, scores[k]) for k in relevant) for score in scores)


def loop_average_precision(y, scores, definition):
    above = beats(definition, scores)
    labels = range(len(y))
    relevant = [j for j in labels if y[j]]
    precisions = []
    for j in relevant:
        reached = [k for k in labels if not above(j, k)]
        precisions.append(sum(y[k] for k in reached) / len(reached))
    return sum(precisions) / len(relevant)


def loop_one_error(y, scores, definition):
    return 1 - y[ranking_of(scores)[0]]


LOOPS = {
    "ranking_loss": loop_ranking_loss,
    "coverage": loop_coverage,
    "one_error": loop_one_error,
    "average_precision": loop_average_precision,
}


RANKING, BIPARTITION = (
    {name: metric for name, metric in metrics.METRICS.items() if metric.kind == kind}
    for kind in ("ranking", "bipartition")
)


def has_definition(metric):
    return "definition" in inspect.signature(metric.function).parameters


RANKING_CASES = [
    (name, definition)
    for name, metric in RANKING.items()
    for definition in (("table", "text") if has_definition(metric) else ("table",))
]


def call(name, Y, predictions, definition="table"):
    metric = metrics.METRICS[name].function
    return metric(Y, predictions, **({} if definition == "table" else {"definition": definition}))


# Ranking metrics


@THOROUGH
@given(data=rankings())
def test_ranking_metrics_are_their_definitions(data):
    Y, scores = data
    labelled = [(y.tolist(), z.tolist()) for y, z in zip(Y, scores, strict=True) if y.any()]
    for name, definition in RANKING_CASES:
        rows = [LOOPS[name](y, z, definition) for y, z in labelled]
        assert call(name, Y, scores, definition) == pytest.approx(np.mean(rows)), name


@THOROUGH
@given(data=rankings_without_ties())
def test_ranking_metrics_agree_with_scikit_learn_without_ties(data):
    Y, scores = data
    for definition, offset in (("table", 1), ("text", 0)):
        assert metrics.ranking_loss(Y, scores, definition=definition) == pytest.approx(
            skm.label_ranking_loss(Y, scores)
        )
        assert metrics.coverage(Y, scores, definition=definition) == pytest.approx(
            skm.coverage_error(Y, scores) - offset
        )
        assert metrics.average_precision(Y, scores, definition=definition) == pytest.approx(
            skm.label_ranking_average_precision_score(Y, scores)
        )


@LIGHT
@given(data=rankings(FINITE_TIED_SCORES, min_labels=2))
def test_text_definitions_agree_with_scikit_learn_on_ties(data):
    # scikit-learn, like the text, counts all tied labels as reached; its ranking loss does not.
    Y, scores = data
    labelled = Y.any(axis=1)
    Y, scores = Y[labelled], scores[labelled]
    assert metrics.coverage(Y, scores, definition="text") == pytest.approx(
        skm.coverage_error(Y, scores)
    )
    assert metrics.average_precision(Y, scores, definition="text") == pytest.approx(
        skm.label_ranking_average_precision_score(Y, scores)
    )


@LIGHT
@given(data=rankings(), order=st.randoms(use_true_random=False))
def test_row_order_does_not_matter(data, order):
    Y, scores = data
    rows = list(range(len(Y)))
    order.shuffle(rows)
    for name, definition in RANKING_CASES:
        assert call(name, Y[rows], scores[rows], definition) == pytest.approx(
            call(name, Y, scores, definition)
        )


@LIGHT
@given(data=rankings(), order=st.randoms(use_true_random=False))
def test_label_order_does_not_matter_in_the_text(data, order):
    Y, scores = data
    labels = list(range(Y.shape[1]))
    order.shuffle(labels)
    for name, definition in RANKING_CASES:
        if definition == "text":
            assert call(name, Y[:, labels], scores[:, labels], definition) == pytest.approx(
                call(name, Y, scores, definition)
            )


@LIGHT
@given(data=rankings_without_ties(), order=st.randoms(use_true_random=False))
def test_label_order_does_not_matter_without_ties(data, order):
    Y, scores = data
    labels = list(range(Y.shape[1]))
    order.shuffle(labels)
    for name, _ in RANKING_CASES:
        assert call(name, Y[:, labels], scores[:, labels]) == pytest.approx(call(name, Y, scores))


@LIGHT
@given(data=rankings(FINITE_TIED_SCORES))
def test_only_the_order_of_scores_matters(data):
    Y, scores = data
    for name, definition in RANKING_CASES:
        assert call(name, Y, np.exp(3 * scores), definition) == call(name, Y, scores, definition)


@LIGHT
@given(data=rankings())
def test_rows_without_relevant_labels_are_left_out(data):
    Y, scores = data
    padded_Y = np.vstack([np.zeros_like(Y), Y])
    padded_scores = np.vstack([scores, scores])
    for name, definition in RANKING_CASES:
        assert call(name, padded_Y, padded_scores, definition) == call(name, Y, scores, definition)


@LIGHT
@given(data=rankings(), k=st.integers(1, 8))
def test_precision_at_k(data, k):
    Y, scores = data
    assume(k <= Y.shape[1])
    rows = [
        sum(y[j] for j in ranking_of(z.tolist())[:k]) / k
        for y, z in zip(Y, scores, strict=True)
        if y.any()
    ]
    assert metrics.precision_at_k(Y, scores, k) == pytest.approx(np.mean(rows))
    assert metrics.precision_at_k(Y, scores, 1) == pytest.approx(1 - metrics.one_error(Y, scores))


def test_equal_scores_rank_in_label_order():
    np.testing.assert_array_equal(
        places(np.array([[0.5, 0.5, 0.5], [0.1, 0.9, 0.9], [0.9, 0.1, 0.9]])),
        [[0, 1, 2], [2, 0, 1], [0, 2, 1]],
    )


def test_nan_ranks_first_in_label_order():
    np.testing.assert_array_equal(
        places(np.array([[NAN, NAN, NAN], [math.inf, NAN, 0.0], [1.0, NAN, -NAN]])),
        [[0, 1, 2], [1, 0, 2], [2, 0, 1]],
    )
    assert metrics.one_error([[0, 1]], [[math.inf, NAN]]) == 0
    assert metrics.one_error([[0, 1]], [[NAN, NAN]]) == 1


def test_nans_are_tied_with_one_another_in_the_text():
    Y, scores = [[0, 1, 0]], [[NAN, NAN, math.inf]]
    assert metrics.ranking_loss(Y, scores, definition="text") == 0
    assert metrics.coverage(Y, scores, definition="text") == 2
    assert metrics.average_precision(Y, scores, definition="text") == 1 / 2


def test_ranking_stays_stable_in_long_rows():
    # Short rows are sorted by insertion, which is stable whatever the algorithm asked for.
    ranks = places(np.tile([1.0, 2.0], (2, 500)))
    expected = np.empty(1000, dtype=int)
    expected[1::2], expected[::2] = np.arange(500), np.arange(500, 1000)
    np.testing.assert_array_equal(ranks, [expected, expected])


def test_integer_and_boolean_scores():
    assert metrics.coverage([[1, 0, 1]], np.array([[0, 255, 3]], dtype=np.uint8)) == 2
    assert metrics.coverage([[1, 0, 1]], [[False, True, True]]) == 2
    assert metrics.coverage([[1, 0, 1]], [[False, True, True]], definition="text") == 3


def test_a_missing_score_is_a_nan():
    assert metrics.one_error([[0, 1]], [[0.5, None]]) == 0


def test_every_label_relevant():
    Y, scores = [[1, 1, 1]], [[0.1, 0.3, 0.2]]
    assert metrics.evaluate(Y, scores=scores) == {
        "ranking_loss": 0,
        "coverage": 2,
        "one_error": 0,
        "average_precision": 1,
    }


def test_ranking_loss_per_row():
    Y = [[0, 0, 0], [1, 1, 1], [0, 1, 0], [1, 0, 0]]
    scores = [[0.3, 0.2, 0.1], [0.3, 0.2, 0.1], [0.3, 0.3, 0.1], [0.3, 0.3, 0.3]]
    np.testing.assert_array_equal(metrics.ranking_loss_per_row(Y, scores), [NAN, 0, 0.5, 0])
    np.testing.assert_array_equal(
        metrics.ranking_loss_per_row(Y, scores, definition="text"), [NAN, 0, 0, 0]
    )
    assert metrics.ranking_loss(Y, scores) == pytest.approx(0.5 / 3)
    np.testing.assert_array_equal(metrics.ranking_loss_per_row([[0, 0]], [[1, 2]]), [NAN])


@pytest.mark.parametrize("definition", ["table", "text"])
def test_memory_does_not_grow_with_the_square_of_the_labels(definition):
    rng = np.random.default_rng(0)
    scores = rng.random((100, 1000))
    Y = rng.random(scores.shape) < 0.02
    tracemalloc.start()
    metrics.average_precision(Y, scores, definition=definition)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 * scores.nbytes  # (rows, labels, labels) booleans would be 125


# Bipartition metrics


@pytest.mark.slow
@THOROUGH
@given(data=bipartitions())
def test_bipartition_metrics_agree_with_scikit_learn(data):
    Y, P = data
    expected = {
        "accuracy": skm.jaccard_score(Y, P, average="samples", zero_division=1),
        "hamming_loss": skm.hamming_loss(Y, P),
    }
    for average in ("micro", "macro"):
        for name, score in (
            ("precision", skm.precision_score),
            ("recall", skm.recall_score),
            ("f1", skm.f1_score),
        ):
            expected[f"{average}_{name}"] = score(Y, P, average=average, zero_division=0)
    assert expected.keys() == BIPARTITION.keys()
    for name, value in expected.items():
        assert BIPARTITION[name](Y, P) == pytest.approx(value), name


@LIGHT
@given(data=bipartitions(), order=st.randoms(use_true_random=False))
def test_bipartition_metrics_do_not_depend_on_row_or_label_order(data, order):
    Y, P = data
    rows, labels = list(range(Y.shape[0])), list(range(Y.shape[1]))
    order.shuffle(rows)
    order.shuffle(labels)
    shuffled = np.ix_(rows, labels)
    for metric in BIPARTITION.values():
        assert metric(Y[shuffled], P[shuffled]) == pytest.approx(metric(Y, P))


@LIGHT
@given(data=bipartitions())
def test_the_text_swaps_precision_and_recall(data):
    Y, P = data
    for average in ("micro", "macro"):
        precision, recall = f"{average}_precision", f"{average}_recall"
        assert call(precision, Y, P, "text") == call(recall, Y, P)
        assert call(recall, Y, P, "text") == call(precision, Y, P)


@LIGHT
@given(data=bipartitions())
def test_macro_f1_of_the_text_is_a_harmonic_mean(data):
    Y, P = data
    precision, recall = metrics.macro_precision(Y, P), metrics.macro_recall(Y, P)
    expected = 2 * precision * recall / (precision + recall) if precision + recall else 0
    assert metrics.macro_f1(Y, P, definition="text") == pytest.approx(expected)


@LIGHT
@given(data=bipartitions())
def test_micro_f1_is_a_harmonic_mean(data):
    Y, P = data
    precision, recall = metrics.micro_precision(Y, P), metrics.micro_recall(Y, P)
    expected = 2 * precision * recall / (precision + recall) if precision + recall else 0
    assert metrics.micro_f1(Y, P) == pytest.approx(expected)


def test_nothing_relevant_and_nothing_predicted():
    nothing = np.zeros((3, 2), dtype=int)
    expected = dict.fromkeys(BIPARTITION, 0.0) | {"accuracy": 1.0}
    assert {name: m(nothing, nothing) for name, m in BIPARTITION.items()} == (expected)
    assert metrics.macro_f1(nothing, nothing, definition="text") == 0


def test_a_perfect_bipartition():
    Y = [[1, 0, 1], [0, 1, 0]]
    expected = dict.fromkeys(BIPARTITION, 1.0) | {"hamming_loss": 0.0}
    assert {name: m(Y, Y) for name, m in BIPARTITION.items()} == expected


def test_accuracy_per_row():
    Y = [[0, 0, 0], [1, 1, 0], [1, 0, 0]]
    P = [[0, 0, 0], [0, 1, 1], [0, 1, 0]]
    np.testing.assert_allclose(metrics.accuracy_per_row(Y, P), [1, 1 / 3, 0])
    assert metrics.accuracy(Y, P) == pytest.approx(4 / 9)


# The two definitions side by side, computed by hand


def test_text_and_table_differ_on_tied_scores():
    # Stable order: labels 0, 1, 2, 3. Relevant: 1 and 2; label 0 ties with 1, and 3 with 2.
    Y, scores = [[0, 1, 1, 0]], [[0.9, 0.9, 0.4, 0.4]]
    # Table: 0 is above 1 and 2, two pairs of four wrong. Text: only 0 above 2.
    assert metrics.ranking_loss(Y, scores) == 2 / 4
    assert metrics.ranking_loss(Y, scores, definition="text") == 1 / 4
    # Table: label 2 is at place 2 from 0. Text: four labels score at least 0.4.
    assert metrics.coverage(Y, scores) == 2
    assert metrics.coverage(Y, scores, definition="text") == 4
    # Table: 1 of 2 at label 1, 2 of 3 at label 2. Text: 1 of 2 and 2 of 4.
    assert metrics.average_precision(Y, scores) == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert metrics.average_precision(Y, scores, definition="text") == (1 / 2 + 2 / 4) / 2


def test_text_and_table_differ_on_macro_averages():
    # Label 0: one true positive of one predicted and two relevant. Label 1: of two and one.
    # Label 2: none relevant, one predicted.
    Y = [[1, 1, 0], [1, 0, 0]]
    P = [[1, 1, 0], [0, 1, 1]]
    precision, recall = (1 + 1 / 2 + 0) / 3, (1 / 2 + 1 + 0) / 3
    assert metrics.macro_precision(Y, P) == pytest.approx(precision)
    assert metrics.macro_recall(Y, P) == pytest.approx(recall)
    assert metrics.macro_f1(Y, P) == pytest.approx((2 / 3 + 2 / 3 + 0) / 3)
    assert metrics.macro_f1(Y, P, definition="text") == pytest.approx(1 / 2)
    assert metrics.micro_precision(Y, P) == 2 / 4
    assert metrics.micro_recall(Y, P) == 2 / 3
    assert metrics.micro_precision(Y, P, definition="text") == 2 / 3
    assert metrics.micro_recall(Y, P, definition="text") == 2 / 4


# Registry and evaluate


def test_registry():
    assert list(metrics.PAPER_METRICS) == [
        "ranking_loss",
        "coverage",
        "one_error",
        "average_precision",
        "accuracy",
        "hamming_loss",
        "micro_f1",
        "macro_f1",
    ]
    assert list(metrics.METRICS)[:8] == list(metrics.PAPER_METRICS)
    for name, metric in metrics.METRICS.items():
        assert metric.name == name
        assert metric.function is getattr(metrics, name)
        assert metric.title.lower() == name.replace("_", " ")
    assert metrics.METRICS["micro_f1"].heading == "Micro F1 (higher is better)"
    assert metrics.METRICS["coverage"].heading == "Coverage (lower is better)"


def test_exported_names_exist():
    assert all(hasattr(metrics, name) for name in metrics.__all__)


@pytest.mark.parametrize("name", metrics.PAPER_METRICS)
def test_lower_is_better_of_the_loss_metrics(name):
    Y = np.eye(4, dtype=int)
    best, worst = call(name, Y, Y), call(name, Y, 1 - Y)
    assert best < worst if metrics.METRICS[name].lower_is_better else best > worst


@LIGHT
@given(data=rankings())
def test_evaluate_is_the_eight_metrics(data):
    Y, scores = data
    P = (scores > 0.5).astype(int)
    values = metrics.evaluate(Y, P, scores)
    assert list(values) == list(metrics.PAPER_METRICS)
    for name, value in values.items():
        assert type(value) is float
        assert value == call(name, Y, scores if name in RANKING else P)


def test_evaluate_gives_what_the_predictions_allow():
    Y = [[1, 0], [0, 1]]
    assert list(metrics.evaluate(Y, scores=Y)) == list(RANKING)
    assert list(metrics.evaluate(Y, Y)) == ["accuracy", "hamming_loss", "micro_f1", "macro_f1"]


def test_evaluate_by_chosen_metrics():
    Y, scores = [[1, 0, 1], [0, 1, 0]], [[0.9, 0.8, 0.1], [0.2, 0.7, 0.6]]
    own = metrics.Metric(
        "precision_at_2", "Precision at 2", "ranking", lambda Y, S: metrics.precision_at_k(Y, S, 2)
    )
    chosen = (metrics.METRICS["macro_recall"], own, metrics.METRICS["coverage"])
    assert metrics.evaluate(Y, Y, scores, metrics=chosen) == {
        "macro_recall": 1.0,
        "precision_at_2": 0.5,
        "coverage": 1.0,
    }
    assert list(metrics.evaluate(Y, Y, metrics=chosen)) == ["macro_recall"]


# Kinds of input


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(lambda a: a.tolist(), id="list"),
        pytest.param(lambda a: a.astype(bool), id="bool"),
        pytest.param(lambda a: a.astype(np.float32), id="float32"),
        pytest.param(np.asfortranarray, id="fortran"),
        pytest.param(pd.DataFrame, id="frame"),
        pytest.param(lambda a: pd.DataFrame(a).astype({0: bool, 1: float}), id="mixed frame"),
        pytest.param(sparse.csr_array, id="csr_array"),
        pytest.param(sparse.csc_matrix, id="csc_matrix"),
        pytest.param(sparse.lil_array, id="lil_array"),
    ],
)
def test_kinds_of_bipartition(kind):
    Y = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0]])
    P = np.array([[1, 0, 0], [0, 1, 1], [1, 1, 1]])
    scores = np.array([[0.5, 0.5, 0.1], [0.1, 0.2, 0.3], [0.9, 0.8, 0.8]])
    expected = metrics.evaluate(Y, P, scores)
    assert metrics.evaluate(kind(Y), kind(P), scores) == expected
    assert metrics.evaluate(Y, P, pd.DataFrame(scores)) == expected
    assert metrics.evaluate(Y, P, scores.tolist()) == expected


def test_inputs_are_not_changed():
    Y, scores = np.array([[True, False, True]]), np.array([[0.1, NAN, 0.3]])
    kept = Y.copy(), scores.copy()
    metrics.evaluate(Y, Y, scores)
    metrics.ranking_loss(Y, scores, definition="text")
    np.testing.assert_array_equal(Y, kept[0])
    np.testing.assert_array_equal(scores, kept[1])


def test_one_row_and_one_label():
    assert metrics.evaluate([[1]], [[1]], [[0.3]]) == {
        "ranking_loss": 0,
        "coverage": 0,
        "one_error": 0,
        "average_precision": 1,
        "accuracy": 1,
        "hamming_loss": 0,
        "micro_f1": 1,
        "macro_f1": 1,
    }


# Errors


@pytest.mark.parametrize("name", RANKING)
def test_no_relevant_label_anywhere(name):
    with pytest.raises(
        ValueError, match="ranking metrics are undefined: no row has a relevant label"
    ):
        call(name, [[0, 0]], [[0.1, 0.2]])


@pytest.mark.parametrize("name", BIPARTITION)
def test_scores_in_place_of_a_bipartition(name):
    with pytest.raises(ValueError, match=r"Y_pred .* only 0 and 1, found 0\.7; .* scores > thre"):
        call(name, [[0, 1]], [[0.7, 1.0]])


@pytest.mark.parametrize(
    ("Y", "scores", "message"),
    [
        ([[0, 2]], [[0, 1]], "Y_true must hold only 0 and 1, found 2; mark relevant labels with 1"),
        ([[0, NAN]], [[0, 1]], "Y_true must hold only 0 and 1, found nan"),
        ([[0, -1]], [[0, 1]], "Y_true must hold only 0 and 1, found -1"),
        ([0, 1], [[0, 1]], r"Y_true must be 2-D, \(rows, labels\), got shape \(2,\); reshape"),
        ([[0, 1]], [0, 1], r"scores must be 2-D, \(rows, labels\), got shape \(2,\); reshape"),
        ([[0, 1]], [[0, 1, 2]], r"Y_true has shape \(1, 2\) and scores \(1, 3\); pass the same"),
        (np.empty((0, 3)), np.empty((0, 3)), r"Y_true is empty, shape \(0, 3\)"),
        ([[0, 1]], np.empty((1, 0)), r"scores is empty, shape \(1, 0\)"),
        ([[0, 1], [1]], [[0, 1]], "Y_true must be a rectangular table of numbers: "),
        ([[0, 1]], np.array([[0, "x"]], dtype=object), "scores must be a rectangular table of"),
        ([["0", "1"]], [[0, 1]], "Y_true must be a table of real numbers, got dtype <U1"),
        ([[0, 1]], [[0, 1j]], "scores must be a table of real numbers, got dtype complex128"),
    ],
)
def test_malformed_ranking_input(Y, scores, message):
    with pytest.raises(ValueError, match=message):
        metrics.ranking_loss(Y, scores)


def test_shapes_of_bipartitions_differ():
    with pytest.raises(ValueError, match=r"shape \(2, 1\) and Y_pred \(1, 2\); pass the same rows"):
        metrics.accuracy([[0], [1]], [[0, 1]])


@pytest.mark.parametrize("k", [0, 3])
def test_k_out_of_range(k):
    with pytest.raises(ValueError, match=f"k must be from 1 to the number of labels, 2, got {k}"):
        metrics.precision_at_k([[0, 1]], [[0, 1]], k)


@pytest.mark.parametrize(
    "name",
    [name for name, metric in metrics.METRICS.items() if has_definition(metric)],
)
def test_unknown_definition(name):
    with pytest.raises(ValueError, match="definition must be 'table' or 'text', got 'paper'"):
        call(name, [[0, 1]], [[0, 1]], "paper")


def test_nothing_to_evaluate():
    with pytest.raises(ValueError, match="nothing to evaluate: pass Y_pred, scores or both"):
        metrics.evaluate([[0, 1]])
