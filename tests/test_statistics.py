"""Comparison of methods over datasets, beside SciPy, scikit-posthocs and Demšar's example."""

from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from experiments import published
from mlmlm.statistics import (
    average_ranks,
    cliques,
    compare_ranks,
    critical_distance,
    friedman_chi_square,
    iman_davenport,
    nemenyi_p_values,
    tie_factor,
    wilcoxon_against_control,
    wilcoxon_all_pairs,
    win_tie_loss,
)

# Demšar 2006, Table 6: areas under the ROC curve, times 1000, on 14 datasets. On the last but one
# (voting) the printed digits of two methods are the same but their printed ranks are 2 and 3.
DEMSAR = pd.DataFrame.from_dict(
    {
        "C4.5": [763, 599, 954, 628, 882, 936, 661, 583, 775, 1000, 940, 619, 972, 957],
        "C4.5+m": [768, 591, 971, 661, 888, 931, 668, 583, 838, 1000, 962, 666, 981, 978],
        "C4.5+cf": [771, 590, 968, 654, 886, 916, 609, 563, 866, 1000, 965, 614, 975.1, 946],
        "C4.5+m+cf": [798, 569, 967, 657, 898, 931, 685, 625, 875, 1000, 962, 669, 975, 970],
    },
    orient="index",
)


def tables(values, max_methods=7, max_datasets=8):
    """Tables of methods by datasets with cells from a strategy."""
    return st.tuples(st.integers(2, max_methods), st.integers(3, max_datasets)).flatmap(
        lambda shape: st.lists(
            st.lists(values, min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        ).map(lambda rows: pd.DataFrame(rows, [f"m{i}" for i in range(shape[0])]))
    )


many_ties = tables(st.integers(0, 3))


def random_table(k, N, seed=0):
    return pd.DataFrame(np.random.default_rng(seed).random((k, N)))


def published_table(metric):
    rows = published.results().query("metric == @metric")
    return rows.pivot(index="method", columns="dataset", values="value")


def test_demsar_worked_example():
    comparison = compare_ranks(DEMSAR, lower_is_better=False)
    ranks = average_ranks(DEMSAR, lower_is_better=False)
    assert ranks.round(3).to_list() == [3.143, 2.0, 2.893, 1.964]
    assert comparison.friedman.chi_square.statistic == pytest.approx(9.28, abs=0.005)
    assert comparison.friedman.f.statistic == pytest.approx(3.69, abs=0.005)
    assert comparison.friedman.f.p_value < 0.05  # the critical value of F(3, 39) is 2.85
    assert comparison.critical_distance == pytest.approx(1.25, abs=0.005)
    assert critical_distance(4, 14, alpha=0.1) == pytest.approx(1.12, abs=0.005)
    # At 0.1 pure C4.5 is worse than the two that fit m; C4.5+cf may belong to either.
    at_ten = compare_ranks(DEMSAR, lower_is_better=False, alpha=0.1)
    pairs = {frozenset(pair) for pair in combinations(ranks.index, 2) if at_ten.differ(*pair)}
    assert pairs == {frozenset(("C4.5", "C4.5+m")), frozenset(("C4.5", "C4.5+m+cf"))}
    assert at_ten.cliques == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))


def test_average_ranks_suffice_for_demsars_statistics():
    chi_square = friedman_chi_square(pd.Series([3.143, 2.000, 2.893, 1.964]), 14)
    assert chi_square.statistic == pytest.approx(9.28, abs=0.01)
    assert iman_davenport(9.28, 4, 14).statistic == pytest.approx(3.69, abs=0.01)


@pytest.mark.parametrize(("methods", "expected"), [(17, 7.810), (8, 3.320)])
def test_critical_distances_of_the_paper(methods, expected):
    assert critical_distance(methods, 10) == pytest.approx(expected, abs=0.0005)


@pytest.mark.parametrize(
    ("alpha", "quantiles"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_quantiles_of_demsars_table(alpha, quantiles):
    for k, quantile in enumerate(quantiles, start=2):
        found = critical_distance(k, 10, alpha) / np.sqrt(k * (k + 1) / 60)
        assert found == pytest.approx(quantile, abs=0.0011)  # one is misprinted in the last digit


@pytest.mark.parametrize("lower_is_better", [True, False])
def test_ranks_start_at_the_best_and_ties_share(lower_is_better):
    table = pd.DataFrame({"a": [1, 2, 2, 4], "b": [5, 5, 5, 5]}, list("wxyz"))
    ranks = average_ranks(table if lower_is_better else -table, lower_is_better)
    assert ranks.to_dict() == {"w": 1.75, "x": 2.5, "y": 2.5, "z": 3.25}


@settings(deadline=None)
@given(many_ties)
def test_ranks_agree_with_scipy(table):
    expected = stats.rankdata(table, axis=0).mean(axis=1)
    np.testing.assert_allclose(average_ranks(table, lower_is_better=True), expected)
    k = len(table)
    assert average_ranks(table, lower_is_better=False).sum() == pytest.approx(k * (k + 1) / 2)


@settings(deadline=None)
@given(many_ties)
def test_friedman_agrees_with_scipy(table):
    friedman = compare_ranks(table, lower_is_better=True).friedman
    if (table.nunique() == 1).all():
        assert friedman.chi_square_ties == (0.0, 1.0)
    elif len(table) > 2:  # SciPy wants three methods
        expected = stats.friedmanchisquare(*table.to_numpy())
        np.testing.assert_allclose(friedman.chi_square_ties, expected, rtol=1e-7, atol=1e-12)
    assert friedman.chi_square.statistic <= friedman.chi_square_ties.statistic * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_without_ties_there_is_nothing_to_correct(seed):
    table = random_table(5, 6, seed)
    friedman = compare_ranks(table, lower_is_better=True).friedman
    assert tie_factor(table) == 1.0
    assert friedman.chi_square == friedman.chi_square_ties
    assert friedman.f == friedman.f_ties


def test_f_is_that_of_a_two_way_analysis_of_variance_of_the_ranks():
    table = random_table(5, 6).round(1)
    ranks = stats.rankdata(table, axis=0)
    methods = ranks.mean(axis=1, keepdims=True) - 3
    residual = ranks - 3 - methods
    expected = 5 * 6 * np.mean(methods**2) / 4 / (np.sum(residual**2) / 20)
    assert compare_ranks(table, lower_is_better=True).friedman.f_ties.statistic == pytest.approx(
        expected
    )


def test_full_agreement_of_the_datasets():
    table = pd.DataFrame({name: [1.0, 2.0, 3.0] for name in "abcdefg"})
    friedman = compare_ranks(table, lower_is_better=True).friedman
    assert friedman.chi_square.statistic == pytest.approx(14)
    assert friedman.f == (np.inf, 0.0)


@settings(deadline=None)
@given(many_ties)
def test_without_correction_the_statistics_are_demsars_formulas(table):
    k, N = table.shape
    ranks = stats.rankdata(table, axis=0).mean(axis=1)
    chi_square = 12 * N / (k * (k + 1)) * (sum(rank**2 for rank in ranks) - k * (k + 1) ** 2 / 4)
    found = friedman_chi_square(average_ranks(table, lower_is_better=True), N)
    assert found.statistic == pytest.approx(chi_square, abs=1e-9)
    assert found.p_value == pytest.approx(1 - stats.chi2.cdf(chi_square, k - 1), abs=1e-9)
    if N * (k - 1) - chi_square > 1e-6:
        f = (N - 1) * chi_square / (N * (k - 1) - chi_square)
        outcome = iman_davenport(found.statistic, k, N)
        assert outcome.statistic == pytest.approx(f, abs=1e-9)
        p_value = 1 - stats.f.cdf(f, k - 1, (k - 1) * (N - 1))
        assert outcome.p_value == pytest.approx(p_value, abs=1e-9)


@pytest.mark.parametrize(("k", "alpha"), [(2, 0.2), (5, 0.01), (17, 0.05), (40, 0.1)])
def test_critical_distance_is_a_quantile_of_the_range_of_normal_ranks(k, alpha):
    """By simulation: for many datasets average ranks are normal, with this standard error."""
    draws = np.random.default_rng(0).standard_normal((100_000, k))
    ranges = draws.max(axis=1) - draws.min(axis=1)
    expected = np.quantile(ranges, 1 - alpha) * np.sqrt(k * (k + 1) / (12 * 10))
    assert critical_distance(k, 10, alpha) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("metric", published.results()["metric"].unique())
def test_p_values_agree_with_scikit_posthocs(metric):
    table = published_table(metric)
    comparison = compare_ranks(table, lower_is_better=True)
    expected = scikit_posthocs.posthoc_nemenyi_friedman(table.T)
    found = comparison.p_values.loc[table.index, table.index]
    np.testing.assert_allclose(found, expected, atol=1e-6)


@settings(deadline=None, max_examples=25)
@given(many_ties)
def test_p_values_agree_with_the_critical_distance(table):
    comparison = compare_ranks(table, lower_is_better=True)
    p_values = comparison.p_values
    assert (p_values.to_numpy() == p_values.to_numpy().T).all()
    assert (np.diag(p_values) == 1).all()
    for one, other in combinations(table.index, 2):
        assert comparison.differ(one, other) == (p_values.loc[one, other] <= 0.05)


def test_p_value_at_the_critical_distance_is_alpha():
    distance = critical_distance(6, 9, alpha=0.01)
    ranks = pd.Series([1, 1 + distance, 2, 3, 4, 5])
    assert nemenyi_p_values(ranks, 9).loc[0, 1] == pytest.approx(0.01)


def brute_force_cliques(ranks, distance):
    """Of all sets without a significant pair, those that are in no larger one."""
    alike = [
        frozenset(group)
        for size in range(1, len(ranks) + 1)
        for group in combinations(ranks.index, size)
        if all(abs(ranks[a] - ranks[b]) < distance for a, b in combinations(group, 2))
    ]
    return {group for group in alike if not any(group < other for other in alike)}


@settings(deadline=None)
@given(
    st.lists(st.integers(2, 16).map(lambda halves: halves / 2), min_size=1, max_size=8),
    st.sampled_from([0.5, 1.0, 1.7, 2.5, 9.0]),
)
def test_cliques_are_those_of_brute_force(values, distance):
    ranks = pd.Series(values, [f"m{i}" for i in range(len(values))])
    found = cliques(ranks, distance)
    assert len(found) == len(set(found))
    assert {frozenset(group) for group in found} == brute_force_cliques(ranks, distance)
    assert all(ranks[list(group)].is_monotonic_increasing for group in found)


@pytest.mark.parametrize("metric", published.results()["metric"].unique())
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_cliques_of_the_published_tables_are_maximal_and_none_is_missing(metric, alpha):
    comparison = compare_ranks(published_table(metric), lower_is_better=True, alpha=alpha)
    groups = [set(group) for group in comparison.cliques]
    # What Nemenyi's p-values say of the pairs, apart from the critical distance.
    alike = comparison.p_values > alpha
    together = {pair for group in groups for pair in combinations(sorted(group), 2)}
    pairs = combinations(sorted(alike.index), 2)
    assert together == {pair for pair in pairs if alike.loc[pair]}
    assert not any(one < other for one in groups for other in groups)
    for group in groups:
        outside = [name for name in alike.index if name not in group]
        assert not any(alike.loc[name, list(group)].all() for name in outside)


def test_a_method_unlike_all_others_is_a_group():
    ranks = pd.Series({"last": 9.0, "first": 1.0, "second": 1.5})
    assert cliques(ranks, 2.0) == (("first", "second"), ("last",))


def test_the_best_comes_first():
    comparison = compare_ranks(published_table("accuracy"), lower_is_better=False)
    assert comparison.average_ranks.index[0] == "ML-MLM"
    assert comparison.average_ranks.is_monotonic_increasing
    assert list(comparison.p_values) == list(comparison.average_ranks.index)
    assert (comparison.n_methods, comparison.n_datasets, comparison.alpha) == (17, 10, 0.05)
    assert comparison.rejected


def test_no_difference_is_not_rejected():
    table = pd.DataFrame({"a": [1, 2], "b": [2, 1], "c": [1, 1]})
    assert not compare_ranks(table, lower_is_better=True).rejected


@settings(deadline=None)
@given(tables(st.integers(0, 3), max_methods=2))
def test_of_two_methods_friedman_is_the_sign_test(table):
    wins, losses = (
        (table.loc["m0"] < table.loc["m1"]).sum(),
        (table.loc["m0"] > table.loc["m1"]).sum(),
    )
    expected = (wins - losses) ** 2 / (wins + losses) if wins + losses else 0.0
    chi_square = compare_ranks(table, lower_is_better=True).friedman.chi_square_ties
    assert chi_square.statistic == pytest.approx(expected)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.DataFrame({"a": [1.0], "b": [2.0], "c": [3.0]}), "2 or more methods.*got 1 and 3"),
        (pd.DataFrame({"a": [1.0, np.nan], "b": 1, "c": 2}, ["x", "y"]), "missing: y on a; add"),
        (pd.DataFrame(np.full((3, 3), np.nan)), r"missing: 0 on 0, .*, \.\.\.; add"),
        (pd.DataFrame({"a": [1, 2], "b": 1, "c": 2}, ["x", "x"]), "a name of their own; rename"),
        (pd.DataFrame({"a": ["1", "2"], "b": [1, 2], "c": 3}), "of numbers; convert"),
    ],
)
def test_invalid_tables(table, message):
    for function in (
        compare_ranks,
        average_ranks,
        win_tie_loss,
        wilcoxon_all_pairs,
        partial(wilcoxon_against_control, control=table.index[0]),
    ):
        with pytest.raises(ValueError, match=message):
            function(table, lower_is_better=True)


@pytest.mark.parametrize("n_datasets", [1, 2])
def test_one_or_two_datasets_are_described_and_not_tested(n_datasets):
    table = pd.DataFrame({"a": [1, 2, 3], "b": [1, 3, 2]}, list("xyz")).iloc[:, :n_datasets]
    assert average_ranks(table, lower_is_better=True)["x"] == 1
    assert win_tie_loss(table, lower_is_better=True).of("x", "y") == (n_datasets, 0, 0)
    for function in (
        compare_ranks,
        wilcoxon_all_pairs,
        partial(wilcoxon_against_control, control="x"),
    ):
        with pytest.raises(ValueError, match=f"3 or more datasets, got 3 and {n_datasets}; the"):
            function(table, lower_is_better=True)


@pytest.mark.parametrize("alpha", [0.0, 1.0, 5, -0.1, np.nan])
def test_invalid_alpha(alpha):
    with pytest.raises(ValueError, match="alpha must be between 0 and 1, for example"):
        compare_ranks(random_table(3, 3), lower_is_better=True, alpha=alpha)
