"""Statistics of two methods, beside enumeration, closed forms, SciPy, statsmodels and baycomp."""

from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.svm import SVC
from statsmodels.stats.power import TTestPower

from mlmlm.statistics import (
    bayesian_signed_rank,
    corrected_resampled_t_test,
    effect_sizes,
    least_datasets,
    sensitivity,
    wilcoxon,
    wilcoxon_against_control,
    wilcoxon_all_pairs,
    win_tie_loss,
)
from tests.test_statistics import DEMSAR, many_ties, random_table

# Nothing here may warn, however degenerate the data.
pytestmark = pytest.mark.filterwarnings("error")

few_values = st.lists(st.integers(-4, 4), min_size=3, max_size=9).map(np.array)


def zeros(values):
    return np.zeros(len(values))


# Win, tie, loss


@settings(deadline=None, max_examples=30)
@given(many_ties, st.booleans())
def test_wins_ties_and_losses_are_counted(table, lower_is_better):
    counts = win_tie_loss(table, lower_is_better)
    for one, other in product(table.index, repeat=2):
        gains = (table.loc[one] - table.loc[other]) * (-1 if lower_is_better else 1)
        expected = sum(gains > 0), sum(gains == 0), sum(gains < 0)
        assert counts.of(one, other) == expected
        assert counts.losses.loc[one, other] == expected[2]


def test_values_that_print_alike_are_ties():
    table = pd.DataFrame({"a": [0.1234, 0.1229], "b": [0.5, 0.4], "c": [0.0, 0.0004]}, ["x", "y"])
    assert win_tie_loss(table, lower_is_better=False).of("x", "y") == (2, 0, 1)
    assert win_tie_loss(table, lower_is_better=False, decimals=3).of("x", "y") == (1, 2, 0)


# Wilcoxon


def test_demsar_worked_example_of_wilcoxon():
    """Section 3.1.3: the sums are 93 and 12, and 21 would be enough for significance at 0.05."""
    test = wilcoxon(DEMSAR.loc["C4.5+m"], DEMSAR.loc["C4.5"], lower_is_better=False)
    assert (test.rank_sum_better, test.rank_sum_worse) == (93, 12)
    assert (test.first, test.second, test.better) == ("C4.5+m", "C4.5", "C4.5+m")
    assert (test.n_datasets, test.n_ties) == (14, 2)
    assert test.p_value < 0.05
    # As printed, with three decimals, the differences are not exact and still the ties are ties.
    assert wilcoxon(DEMSAR.loc["C4.5+m"] / 1000, DEMSAR.loc["C4.5"] / 1000, False) == test


@settings(deadline=None)
@given(few_values)
def test_p_value_is_that_of_all_flips_of_signs(differences):
    ranks = stats.rankdata(np.abs(differences))
    observed = abs(np.sum(ranks * np.sign(differences)))
    flips = np.array(list(product([-1, 1], repeat=len(differences))))
    sums = np.abs((flips * np.sign(differences)) @ ranks)
    test = wilcoxon(differences, zeros(differences), lower_is_better=False)
    assert test.p_value == pytest.approx(np.mean(sums >= observed - 1e-9))


@settings(deadline=None, max_examples=30)
@given(few_values.filter(np.any))
def test_wilcoxon_agrees_with_scipy_where_that_is_exact(differences):
    test = wilcoxon(differences, zeros(differences), lower_is_better=False)
    expected = stats.wilcoxon(differences, zero_method="zsplit", method=stats.PermutationMethod())
    assert min(test.rank_sum_better, test.rank_sum_worse) == expected.statistic
    assert test.p_value == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("n_datasets", [3, 10, 25, 50])
def test_wilcoxon_agrees_with_scipy_without_ties(n_datasets):
    table = random_table(2, n_datasets, seed=n_datasets)
    expected = stats.wilcoxon(*table.to_numpy(), method="exact").pvalue
    assert wilcoxon(*table.to_numpy(), lower_is_better=True).p_value == pytest.approx(expected)


def test_wilcoxon_of_many_datasets_is_normal():
    differences = np.round(np.random.default_rng(0).normal(0.1, 1, 400), 1)
    expected = stats.wilcoxon(differences, zero_method="pratt", method="asymptotic").pvalue
    found = wilcoxon(differences, zeros(differences), lower_is_better=False).p_value
    assert found == pytest.approx(expected, rel=0.02)


@settings(deadline=None)
@given(few_values, st.randoms(use_true_random=False))
def test_wilcoxon_knows_neither_side_nor_scale_nor_order(differences, random):
    test = wilcoxon(differences, zeros(differences), lower_is_better=False)
    swapped = wilcoxon(zeros(differences), differences, lower_is_better=False)
    lower = wilcoxon(differences, zeros(differences), lower_is_better=True)
    for other in (swapped, lower):
        assert other.p_value == test.p_value
        assert other.rank_sum_better == test.rank_sum_worse
    scaled = wilcoxon(0.1 * differences, zeros(differences), lower_is_better=False)
    order = random.sample(range(len(differences)), len(differences))
    permuted = wilcoxon(differences[order], zeros(differences), lower_is_better=False)
    assert scaled == permuted == test


def test_methods_that_never_differ():
    test = wilcoxon([1, 2, 3], [1, 2, 3], lower_is_better=True)
    assert (test.p_value, test.n_ties, test.better) == (1.0, 3, None)
    table = pd.DataFrame(1.0, ["a", "b", "c"], range(5))
    assert wilcoxon_all_pairs(table, lower_is_better=True).significant == ()


def test_differences_that_only_rounding_tells_apart_are_ties():
    first, second = [0.8, 0.5, 0.9], [0.7, 0.6, 0.9]
    assert 0.8 - 0.7 != 0.6 - 0.5
    test = wilcoxon(first, second, lower_is_better=False)
    assert (test.rank_sum_better, test.rank_sum_worse, test.better) == (3, 3, None)


@pytest.mark.parametrize("seed", range(3))
def test_all_pairs_agree_with_scikit_posthocs(seed):
    table = random_table(5, 12, seed)
    family = wilcoxon_all_pairs(table, lower_is_better=True)
    expected = scikit_posthocs.posthoc_wilcoxon(table.to_numpy(), p_adjust="holm").to_numpy()
    assert len(family.tests) == 10
    for test in family.tests:
        assert test.adjusted_p_value == pytest.approx(expected[test.first, test.second])


def test_against_a_control_holm_multiplies_from_the_smallest_on():
    family = wilcoxon_against_control(DEMSAR, "C4.5", lower_is_better=False)
    assert [test.second for test in family.tests] == ["C4.5+m", "C4.5+cf", "C4.5+m+cf"]
    m, cf, both = family.tests
    assert m.p_value < both.p_value < cf.p_value
    assert m.adjusted_p_value == pytest.approx(3 * m.p_value)
    assert both.adjusted_p_value == pytest.approx(max(3 * m.p_value, 2 * both.p_value))
    assert cf.adjusted_p_value == pytest.approx(cf.p_value)
    assert family.significant == (m, both)
    assert family.frame["adjusted_p_value"].to_list() == [t.adjusted_p_value for t in family.tests]
    at_one_percent = wilcoxon_against_control(DEMSAR, "C4.5", lower_is_better=False, alpha=0.01)
    assert at_one_percent.significant == ()


def test_an_unknown_control():
    with pytest.raises(ValueError, match="control method 'J48' is not in the table; it has"):
        wilcoxon_against_control(DEMSAR, "J48", lower_is_better=False)


@pytest.mark.parametrize("alpha", [0.0, 1.0, np.nan])
def test_invalid_alpha_of_pairs(alpha):
    with pytest.raises(ValueError, match="alpha must be between 0 and 1, for example"):
        wilcoxon_all_pairs(DEMSAR, lower_is_better=False, alpha=alpha)
    with pytest.raises(ValueError, match="alpha must be between 0 and 1, for example"):
        least_datasets(3, alpha)


# What all of them ask of two methods


@pytest.mark.parametrize(
    "function",
    [
        wilcoxon,
        effect_sizes,
        lambda *values: bayesian_signed_rank(*values, rope=0.01),
        lambda *values: corrected_resampled_t_test(*values, test_to_train=1 / 9),
    ],
)
@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([1, 2, 3], [1, 2], r"same datasets, got shapes \(3,\) and \(2,\)"),
        (np.ones((3, 2)), np.ones((3, 2)), r"got shapes \(3, 2\)"),
        ([1, np.nan, 3], [1, 2, np.inf], "missing or infinite at 1, 2; add them, or leave"),
        ([], [], "or more datasets are needed to tell, got 0"),
        (
            pd.Series([1, np.nan, 3], list("abc")),
            pd.Series([1, 2, 3], list("abc")),
            "missing or infinite at b; add",
        ),
        (
            pd.Series([1, 2, 3], list("abc")),
            pd.Series([1, 2, 3], list("acb")),
            "same datasets in the same order; reindex",
        ),
    ],
)
def test_invalid_pairs(function, first, second, message):
    with pytest.raises(ValueError, match=message):
        function(first, second, True)


@pytest.mark.parametrize("n_datasets", [1, 2])
def test_too_few_datasets_for_a_test(n_datasets):
    values = np.arange(n_datasets), np.ones(n_datasets)
    with pytest.raises(
        ValueError, match=f"3 or more datasets are needed to tell, got {n_datasets}"
    ):
        wilcoxon(*values, lower_is_better=True)
    with pytest.raises(
        ValueError, match=f"3 or more datasets are needed to tell, got {n_datasets}"
    ):
        bayesian_signed_rank(*values, lower_is_better=True, rope=0.1)
    with pytest.raises(
        ValueError, match=f"3 or more datasets are needed to tell, got {n_datasets}"
    ):
        sensitivity(3, n_datasets, against_control=True)


# Bayesian signed-rank


def probabilities(differences, rope, **options):
    test = bayesian_signed_rank(differences, zeros(differences), False, rope, **options)
    return test.better, test.equivalent, test.worse


@pytest.mark.parametrize(
    ("first", "second", "rope", "expected"),
    [
        ("C4.5+m", "C4.5", 10, (0.67135, 0.32865, 0.0)),
        ("C4.5+cf", "C4.5", 10, (0.16742, 0.74405, 0.08853)),
        ("C4.5+cf", "C4.5", 0, (0.57984, 0.0, 0.42016)),
        ("C4.5+m", "C4.5+cf", 5, (0.78178, 0.20634, 0.01188)),
    ],
)
def test_bayesian_signed_rank_agrees_with_baycomp(first, second, rope, expected):
    """Figures of baycomp 1.0.3 with 400,000 draws."""
    table = DEMSAR.round(0)
    test = bayesian_signed_rank(table.loc[first], table.loc[second], False, rope)
    assert (test.better, test.equivalent, test.worse) == pytest.approx(expected, abs=0.01)
    assert (test.first, test.second, test.n_datasets, test.rope) == (first, second, 14, rope)
    # In thousandths a difference is on the edge of the region only but for rounding.
    small = bayesian_signed_rank(
        table.loc[first] / 1000, table.loc[second] / 1000, False, rope / 1000
    )
    assert (small.better, small.equivalent) == (test.better, test.equivalent)


@pytest.mark.parametrize("n_datasets", [3, 5, 20])
def test_differences_that_are_all_alike_have_a_closed_form(n_datasets):
    """All that matters is the weight of the prior, which follows a beta distribution."""
    prior = stats.beta(0.5, n_datasets)
    alike = np.ones(n_datasets)
    # Only the prior paired with itself is within the region.
    expected = prior.cdf(np.sqrt(0.5))
    assert probabilities(alike, 0.4) == pytest.approx((expected, 1 - expected, 0), abs=0.01)
    # All pairs with the prior are within it.
    expected = prior.cdf(1 - np.sqrt(0.5))
    assert probabilities(-alike, 0.7) == pytest.approx((0, 1 - expected, expected), abs=0.01)
    assert probabilities(alike, 1.1) == (0, 1, 0)


def by_quadrature(values, counts, rope, size=600):
    """Two different differences, so many times each: three weights, a grid of their quantiles."""
    grid = (np.arange(size) + 0.5) / size
    prior = stats.beta(0.5, sum(counts)).ppf(grid)[:, None]
    share = stats.beta(*counts).ppf(grid)
    weights = np.broadcast_arrays(prior, (1 - prior) * share, (1 - prior) * (1 - share))
    points = [0, *values]
    sides = ("better", "equivalent", "worse")
    thetas = dict.fromkeys(sides, np.zeros((size, size)))
    for (one, w), (other, v) in product(zip(points, weights, strict=True), repeat=2):
        mean = (one + other) / 2
        side = "better" if mean > rope else "worse" if mean < -rope else "equivalent"
        thetas[side] = thetas[side] + w * v
    stacked = np.stack([thetas[side] for side in sides])
    return np.bincount(stacked.argmax(axis=0).ravel(), minlength=3) / size**2


@pytest.mark.parametrize(
    ("values", "counts", "rope"),
    [((1.0, -0.7), (3, 2), 0.2), ((1.0, 0.1), (2, 4), 0.3), ((-2.0, 0.5), (3, 5), 0.1)],
)
def test_two_different_differences_by_quadrature(values, counts, rope):
    found = probabilities(np.repeat(values, counts), rope)
    assert found == pytest.approx(by_quadrature(values, counts, rope), abs=0.012)


@settings(deadline=None, max_examples=30)
@given(few_values, st.sampled_from([0.0, 0.5, 1.0, 2.2]))
def test_bayesian_signed_rank_mirrors_and_scales(differences, rope):
    found = probabilities(differences, rope, n_draws=2000)
    assert sum(found) == pytest.approx(1)
    assert probabilities(-differences, rope, n_draws=2000) == found[::-1]
    assert probabilities(0.1 * differences, 0.1 * rope, n_draws=2000) == found
    assert probabilities(differences[::-1], rope, n_draws=2000) == pytest.approx(found, abs=0.08)


def test_seeds():
    differences = np.array([3, -1, 2, -2, 1])
    assert probabilities(differences, 0.5) == probabilities(differences, 0.5, seed=0)
    assert probabilities(differences, 0.5) != probabilities(differences, 0.5, seed=1)


def test_methods_that_never_differ_are_equivalent():
    assert probabilities(np.zeros(5), 0.01) == (0, 1, 0)
    assert probabilities(np.zeros(5), 0.0) == (0.5, 0, 0.5)


@pytest.mark.parametrize("rope", [-0.1, np.nan, np.inf])
def test_invalid_rope(rope):
    with pytest.raises(ValueError, match="rope must be 0 or a positive number, for example"):
        probabilities(np.ones(5), rope)


# Effect sizes


@settings(deadline=None, max_examples=40)
@given(few_values)
def test_effect_sizes_are_what_they_say(differences):
    sizes = effect_sizes(differences, zeros(differences), lower_is_better=False, n_resamples=200)
    assert sizes.mean_difference.value == pytest.approx(differences.mean())
    assert sizes.median_difference.value == np.median(differences)
    assert sizes.standard_deviation == pytest.approx(differences.std(ddof=1))
    test = wilcoxon(differences, zeros(differences), lower_is_better=False)
    n = len(differences)
    expected = (test.rank_sum_better - test.rank_sum_worse) / (n * (n + 1) / 2)
    assert sizes.rank_biserial.value == pytest.approx(expected)
    assert (sizes.mean_difference.interval is None) == (np.ptp(differences) == 0)


@settings(deadline=None, max_examples=20)
@given(few_values)
def test_effect_sizes_mirror(differences):
    there = effect_sizes(differences, zeros(differences), lower_is_better=False, n_resamples=200)
    back = effect_sizes(differences, zeros(differences), lower_is_better=True, n_resamples=200)
    for name in ("mean_difference", "median_difference", "rank_biserial"):
        one, other = getattr(there, name), getattr(back, name)
        assert other.value == pytest.approx(-one.value)
        if one.interval is None:
            assert other.interval is None
        else:
            assert other.interval == pytest.approx((-one.interval.high, -one.interval.low))


def test_interval_of_the_mean_of_many_datasets_is_normal():
    differences = np.random.default_rng(0).exponential(size=400)
    found = effect_sizes(differences, zeros(differences), lower_is_better=False).mean_difference
    half = 1.96 * differences.std() / 20
    assert found.interval == pytest.approx((found.value - half, found.value + half), rel=0.02)


def test_interval_of_the_median_is_that_of_all_draws():
    """The 27 draws of three datasets: 7 medians of 0, 13 of 1, 7 of 5."""
    sizes = effect_sizes([0, 1, 5], [0, 0, 0], lower_is_better=False, confidence=0.4)
    assert sizes.median_difference.interval == (1, 1)
    sizes = effect_sizes([0, 1, 5], [0, 0, 0], lower_is_better=False, confidence=0.6)
    assert sizes.median_difference.interval == (0, 5)


@pytest.mark.parametrize(
    ("differences", "told"),
    [
        ([2.0, 2.0, 2.0], (False, False, False)),
        ([0.0, 0.0, 0.0], (False, False, False)),
        ([1.0, 2.0, 3.0], (True, True, False)),  # always better
        ([0.0, 0.0, 0.0, 5.0], (True, True, True)),
        ([1.0, -2.0], (False, False, False)),
        ([1.0], (False, False, False)),
    ],
)
def test_intervals_that_cannot_be_told_are_none(differences, told):
    sizes = effect_sizes(differences, zeros(differences), lower_is_better=False)
    estimates = sizes.mean_difference, sizes.median_difference, sizes.rank_biserial
    assert tuple(estimate.interval is not None for estimate in estimates) == told
    assert (sizes.standard_deviation is None) == (len(differences) == 1)


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_invalid_confidence(confidence):
    with pytest.raises(ValueError, match=r"confidence must be between 0 and 1, for example 0\.95"):
        effect_sizes([1, 2, 3], [1, 1, 1], False, confidence=confidence)
    with pytest.raises(ValueError, match=r"confidence must be between 0 and 1, for example 0\.95"):
        corrected_resampled_t_test([1, 2, 3], [1, 1, 1], False, 0.1, confidence=confidence)


# Sensitivity


@pytest.mark.parametrize("n_methods", [2, 4, 17])
@pytest.mark.parametrize("against_control", [True, False])
def test_the_least_number_of_datasets_is_where_the_best_case_becomes_significant(
    n_methods, against_control
):
    """The best case: one method wins everywhere against another, and the rest ties with both."""
    least = sensitivity(n_methods, 10, against_control).least_datasets
    for n_datasets in (least - 1, least):
        sizes = np.arange(1.0, n_datasets + 1)
        table = pd.DataFrame([sizes, -sizes] + [zeros(sizes)] * (n_methods - 2))
        if not against_control:
            family = wilcoxon_all_pairs(table, lower_is_better=False)
        else:
            family = wilcoxon_against_control(table, 0, lower_is_better=False)
        told = sensitivity(n_methods, n_datasets, against_control)
        assert told.n_comparisons == len(family.tests)
        assert told.smallest_p_value == min(test.p_value for test in family.tests)
        smallest = min(test.adjusted_p_value for test in family.tests)
        assert told.smallest_adjusted_p_value == pytest.approx(smallest)
        assert bool(family.significant) == (n_datasets == least)
        assert (told.standardized_difference is None) == (n_datasets < least)


@pytest.mark.parametrize(("n_datasets", "n_methods"), [(8, 2), (10, 8), (20, 4)])
def test_the_smallest_difference_is_found_with_the_power(n_datasets, n_methods):
    told = sensitivity(n_methods, n_datasets, against_control=True)
    draws = np.random.default_rng(1).normal(told.standardized_difference, 1, (4000, n_datasets))
    p_values = stats.wilcoxon(draws, method="exact", axis=1).pvalue
    assert np.mean(p_values <= 0.05 / (n_methods - 1)) == pytest.approx(0.8, abs=0.025)


def test_with_many_datasets_the_smallest_difference_is_that_of_the_t_test():
    """By the asymptotic relative efficiency of Wilcoxon's test, 3 / pi."""
    told = sensitivity(3, 60, against_control=True, power=0.9)
    expected = TTestPower().solve_power(nobs=60 * 3 / np.pi, alpha=0.025, power=0.9)
    assert told.standardized_difference == pytest.approx(expected, rel=0.02)


def test_more_datasets_find_smaller_differences():
    found = [sensitivity(5, n, against_control=False) for n in (10, 12, 16, 24)]
    for fewer, more in pairwise(found):
        assert more.standardized_difference < fewer.standardized_difference
        assert more.critical_distance < fewer.critical_distance
    assert found[0] == sensitivity(5, 10, against_control=False)


def test_invalid_sensitivity():
    with pytest.raises(ValueError, match=r"power must be between 0 and 1, for example 0\.8"):
        sensitivity(3, 10, against_control=True, power=1)
    with pytest.raises(ValueError, match="2 or more methods"):
        sensitivity(1, 10, against_control=True)
    with pytest.raises(ValueError, match="n_comparisons must be 1 or more, got 0"):
        least_datasets(0)


# Corrected resampled t-test


def test_the_documented_example_of_scikit_learn():
    """ "Statistical comparison of models using grid search" prints t 0.750, one-sided p 0.227."""
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    splits = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    rbf, linear = (
        cross_val_score(SVC(kernel=kernel, random_state=0), X, y, scoring="roc_auc", cv=splits)
        for kernel in ("rbf", "linear")
    )
    test = corrected_resampled_t_test(rbf, linear, lower_is_better=False, test_to_train=1 / 9)
    assert test.n_splits == 100
    assert test.statistic == pytest.approx(0.750, abs=0.0005)
    assert test.p_value / 2 == pytest.approx(0.227, abs=0.0005)


@settings(deadline=None)
@given(few_values.filter(np.ptp), st.sampled_from([0.05, 1 / 9, 0.5, 2.0]))
def test_the_correction_widens_the_plain_t_test(differences, ratio):
    test = corrected_resampled_t_test(differences, zeros(differences), False, ratio)
    plain = stats.ttest_1samp(differences, 0)
    n = len(differences)
    assert test.statistic * np.sqrt(1 + n * ratio) == pytest.approx(plain.statistic)
    mean, (low, high) = test.mean_difference
    plain_low, plain_high = plain.confidence_interval()
    assert high - low == pytest.approx((plain_high - plain_low) * np.sqrt(1 + n * ratio))
    assert (low + high) / 2 == pytest.approx(mean)
    assert (low > 0 or high < 0) == (test.p_value < 0.05)
    back = corrected_resampled_t_test(differences, zeros(differences), True, ratio)
    assert (back.statistic, back.p_value) == (-test.statistic, test.p_value)


@pytest.mark.parametrize("difference", [0.0, 0.1])
def test_the_same_difference_on_all_splits_tells_nothing(difference):
    first = np.array([0.7, 0.8, 0.9, 0.3])
    test = corrected_resampled_t_test(first + difference, first, False, test_to_train=1 / 3)
    assert test.mean_difference == (pytest.approx(difference), None)
    assert test.statistic is None
    assert test.p_value is None


@pytest.mark.parametrize("ratio", [0, -1, np.nan, np.inf])
def test_invalid_ratio(ratio):
    with pytest.raises(ValueError, match="test_to_train must be the positive ratio"):
        corrected_resampled_t_test([1, 2], [2, 2], True, test_to_train=ratio)
