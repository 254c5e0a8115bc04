"""Every study is a comparison: whoever's methods, on whoever's data, however many of them."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from rich.console import Console
from scipy import stats

from experiments.analysis import report
from experiments.analysis.numbers.comparison import EQUIVALENT, compare_records
from experiments.analysis.numbers.costs import costs, pareto_front
from experiments.analysis.numbers.metrics import lower_is_better, metric_title
from experiments.analysis.numbers.on_each_dataset import on_dataset
from experiments.analysis.sections.costs import costs_section, draw_costs
from experiments.analysis.sections.labels import label_points
from experiments.analysis.sections.outcome import (
    conclusion,
    leads,
    left_out,
    limits,
    notices,
    significance,
)
from experiments.analysis.sections.pairs import pairs_section
from experiments.analysis.sections.parts import Table
from experiments.analysis.sections.ranks import ranks_section, ranks_table
from experiments.analysis.sections.values import values_section
from experiments.analysis.sections.words import counted, listed
from experiments.phases import Phase
from experiments.study_folder import Missing
from mlmlm.metrics import METRICS, PAPER_METRICS
from mlmlm.statistics import bayesian_signed_rank
from tests.made_records import DATASETS, FIXTURE, TABLES, made_record, made_study

FIVE = DATASETS[:5]
MINE, TITLE = "my_forest", "My forest"
SEEDS = {1: -0.01, 2: 0.03}


def mine(dataset, seed, **changes):
    """A run of a method that is the user's own: ML-MLM's values, a little better or worse."""
    better = {
        name: value + SEEDS[seed] * (-1 if lower_is_better(name) else 1)
        for name, value in made_record("ML-MLM", dataset).metrics.items()
    }
    changes = {"metrics": better, "seed": seed, "method": MINE, "published_as": None} | changes
    return made_record("ML-MLM", dataset, **changes)


def records(datasets=FIVE):
    """The user's method under two seeds beside three others, one of which has no scores."""
    others = [made_record(row, name) for name in datasets for row in ("ML-kNN", "RF-PCT", "NN-MLM")]
    return [*(mine(name, seed) for name in datasets for seed in SEEDS), *others]


def study(folder, runs=None, **changes):
    runs = records() if runs is None else runs
    methods = {run.method: TITLE if run.method == MINE else run.method for run in runs}
    return made_study(folder, runs, **{"methods": methods, "published": False} | changes)


def tables(section):
    return {table.name: table for table in section.tables}


def expected(metric, datasets=FIVE):
    """The table of means, by hand."""
    table = TABLES[metric].reindex(["ML-kNN", "RF-PCT", "NN-MLM"])[datasets] + 0.0004
    shift = np.mean([*SEEDS.values()]) * (-1 if lower_is_better(metric) else 1)
    table.loc[TITLE] = TABLES[metric].loc["ML-MLM", datasets] + 0.0004 + shift
    return table.dropna()


# Values and ranks


def test_values_are_means_over_seeds_with_their_deviation(tmp_path):
    found = tables(values_section(study(tmp_path)))
    assert set(found) == {f"table_{metric}" for metric in PAPER_METRICS}
    for metric in PAPER_METRICS:
        table, by_hand = found[f"table_{metric}"], expected(metric)
        shown = table.values.rename(columns=str.lower).loc[by_hand.index, by_hand.columns]
        pd.testing.assert_frame_equal(shown, by_hand, check_names=False)
        assert table.deviations.loc[TITLE].to_numpy() == pytest.approx(
            np.std([-0.01, 0.03], ddof=1)
        )
        assert table.deviations.drop(index=TITLE).isna().all(axis=None)
        assert "My forest (2)" in table.note


@pytest.mark.parametrize("published", [True, False])
def test_published_values_are_beside_ours_only_if_asked_for(tmp_path, published):
    table = tables(values_section(study(tmp_path, published=published)))["table_accuracy"]
    assert (table.published is not None) == published
    if published:
        assert table.published.loc["RF-PCT", "Yeast"] == TABLES["accuracy"].loc["RF-PCT", "yeast"]
        assert table.agrees.loc["RF-PCT", "Yeast"] is True
        assert table.published.loc[TITLE].isna().all()


def test_the_ranks_have_every_method_and_are_those_of_the_means(tmp_path):
    table = tables(ranks_section(study(tmp_path)))["ranks"]
    assert set(table.values.index) == {TITLE, "ML-kNN", "RF-PCT", "NN-MLM"}
    for metric in PAPER_METRICS:
        by_hand = expected(metric).rank(ascending=lower_is_better(metric)).mean(axis=1)
        ranks = table.values[metric_title(metric)].dropna()
        assert ranks.to_dict() == pytest.approx(by_hand.to_dict())
        assert ranks.index[table.best[metric_title(metric)][ranks.index]].to_list() == [
            by_hand.idxmin()
        ]


def test_friedmans_test_is_scipys(tmp_path):
    table = tables(ranks_section(study(tmp_path)))["tests"].values
    for metric in PAPER_METRICS:
        statistic, p_value = stats.friedmanchisquare(*expected(metric).to_numpy())
        row = table.loc[metric_title(metric)]
        assert (row["χ² ties"], row["p of χ² ties"]) == pytest.approx((statistic, p_value))


def test_there_is_a_diagram_of_each_metric(tmp_path):
    pictures = ranks_section(study(tmp_path)).pictures
    assert [picture.name for picture in pictures] == [f"cd_{metric}" for metric in PAPER_METRICS]
    assert all(picture.caption for picture in pictures)


def test_wins_are_counted(tmp_path):
    table = tables(ranks_section(study(tmp_path)))["wins_accuracy"].values
    by_hand = expected("accuracy")
    for one, other in itertools.permutations(by_hand.index, 2):
        wins = (by_hand.loc[one] > by_hand.loc[other]).sum()
        losses = (by_hand.loc[one] < by_hand.loc[other]).sum()
        assert table.loc[one, other] == f"{wins}/{len(FIVE) - wins - losses}/{losses}"


def test_a_method_with_a_gap_is_left_out_and_that_is_said(tmp_path):
    runs = [run for run in records() if (run.method, run.dataset) != ("RF-PCT", "yeast")]
    results = study(tmp_path, runs)
    ranks = tables(ranks_section(results))["ranks"].values
    assert "RF-PCT" not in ranks.index
    assert ranks.notna().any(axis=1).all()
    said = list(left_out(results.comparison))
    assert "RF-PCT has no value on Yeast and is left out of all metrics." in said
    assert "NN-MLM gives labels without scores and is left out of the ranking metrics." in said
    assert results.comparison.metrics["accuracy"].ranks.n_datasets == 5


def test_data_of_the_same_title_are_told_apart(tmp_path):
    other = {"fingerprint": "0"}
    runs = [
        made_record("ML-kNN", "yeast"),
        dataclasses.replace(
            made_record("ML-kNN", "yeast"), dataset="Yeast", data=FIXTURE.data | other
        ),
    ]
    assert study(tmp_path, runs).comparison.datasets == ["Yeast (Yeast)", "Yeast (yeast)"]


def test_methods_of_the_same_title_are_told_apart(tmp_path):
    runs = [made_record("ML-kNN", "yeast"), made_record("ML-kNN", "yeast", method="other")]
    results = study(tmp_path, runs, methods={"ML-kNN": "ML-kNN", "other": "ML-kNN"})
    assert results.comparison.methods == ["ML-kNN (ML-kNN)", "ML-kNN (other)"]


# Pairs


@pytest.mark.parametrize("asked", [None, "ML-kNN"])
def test_the_control_is_as_asked_for_or_the_best(tmp_path, asked):
    results = study(tmp_path, control=asked)
    for metric, one in results.comparison.metrics.items():
        best = expected(metric).rank(ascending=lower_is_better(metric)).mean(axis=1).idxmin()
        assert one.control == (asked or best)
        assert {pair.method for pair in one.against_control} == set(one.complete.index) - {
            one.control
        }
    words = pairs_section(results).parts[0].text
    assert words.startswith("The control is ML-kNN" if asked else "On each metric the control is")


def test_pairs_are_tested_as_scipy_does_with_holms_correction(tmp_path):
    runs = records(DATASETS[:8])
    one = study(tmp_path, runs, control=MINE).comparison.metrics["accuracy"]
    by_hand = expected("accuracy", DATASETS[:8])
    p_values = {
        other: stats.wilcoxon(by_hand.loc[TITLE], by_hand.loc[other], method="exact").pvalue
        for other in by_hand.index.drop(TITLE)
    }
    holm, largest = {}, 0.0
    for place, name in enumerate(sorted(p_values, key=p_values.get)):
        largest = max(largest, min(1.0, p_values[name] * (len(p_values) - place)))
        holm[name] = largest
    assert {pair.method: pair.test.p_value for pair in one.against_control} == pytest.approx(
        p_values
    )
    assert {p.method: p.test.adjusted_p_value for p in one.against_control} == pytest.approx(holm)


def test_effects_and_beliefs_are_of_the_differences(tmp_path):
    one = study(tmp_path).comparison.metrics["hamming_loss"]
    by_hand = expected("hamming_loss")
    for pair in one.against_control:
        differences = by_hand.loc[pair.method] - by_hand.loc[one.control]
        assert pair.effect.mean_difference.value == pytest.approx(differences.mean())
        assert pair.wins == ((differences > 0).sum(), 0, (differences < 0).sum())
        belief = bayesian_signed_rank(
            by_hand.loc[one.control], by_hand.loc[pair.method], True, EQUIVALENT
        )
        assert pair.belief.better == pytest.approx(belief.better, abs=0.02)


def test_coverage_is_compared_by_the_number_of_labels(tmp_path):
    one = study(tmp_path).comparison.metrics["coverage"]
    labels = FIXTURE.data["n_labels"]
    by_hand = expected("coverage")
    for pair in one.against_control:
        differences = (by_hand.loc[pair.method] - by_hand.loc[one.control]) / labels
        assert pair.effect.mean_difference.value == pytest.approx(differences.mean())


def test_the_pairs_of_each_metric_have_a_table(tmp_path):
    found = tables(pairs_section(study(tmp_path)))
    assert set(found) == {"pairs", *(f"pairs_{metric}" for metric in PAPER_METRICS)}
    row = found["pairs_accuracy"].values.iloc[0]
    assert row["P(better)"] + row["P(as good)"] + row["P(worse)"] == pytest.approx(1)
    assert found["pairs_accuracy"].values["could be found"].isna().all()  # of five datasets


# The outcome in words


def test_the_outcome_says_who_leads_and_what_cannot_be_told(tmp_path):
    text = "\n".join(conclusion(study(tmp_path)))
    leaders = {
        metric: expected(metric).rank(ascending=lower_is_better(metric)).mean(axis=1).idxmin()
        for metric in PAPER_METRICS
    }
    of_mine = sum(leader == TITLE for leader in leaders.values())
    assert f"{TITLE} leads by average rank on {of_mine} of 8 metrics: " in text
    assert "two average ranks must differ by" in text
    assert "Tests of pairs can find nothing here" in text


def test_a_significant_lead_is_named(tmp_path):
    runs = [
        dataclasses.replace(run, metrics={"accuracy": value})
        for run, value in (
            (made_record(row, name), value + 0.01 * n)
            for n, name in enumerate(DATASETS)
            for row, value in {"ML-kNN": 0.1, "RF-PCT": 0.5, "NN-MLM": 0.6}.items()
        )
    ]
    text = "\n".join(conclusion(study(tmp_path, runs)))
    assert "NN-MLM leads by average rank on 1 of 1 metric: accuracy (1.00)." in text
    assert "NN-MLM is significantly better than ML-kNN on accuracy." in text
    # Two average ranks of 1 apart are not enough, by Nemenyi's test on ten datasets.
    assert "better than RF-PCT" not in text


@pytest.mark.parametrize(("n_datasets", "significant"), [(5, False), (6, True)])
def test_of_two_methods_wilcoxons_test_decides(tmp_path, n_datasets, significant):
    values = {"ML-kNN": 0.1, "RF-PCT": 0.5}
    runs = [
        made_record(row, name, metrics={"accuracy": value + 0.01 * n})
        for n, name in enumerate(DATASETS[:n_datasets])
        for row, value in values.items()
    ]
    text = "\n".join(conclusion(study(tmp_path, runs)))
    assert ("RF-PCT is significantly better than ML-kNN on accuracy." in text) == significant
    assert ("No lead is significant" in text) != significant


@pytest.mark.parametrize("n_datasets", [1, 2])
def test_one_or_two_datasets_have_tables_and_no_tests(tmp_path, n_datasets):
    results = study(tmp_path, records(FIVE[:n_datasets]))
    section = ranks_section(results)
    assert "tests" not in tables(section)
    assert not section.pictures
    assert tables(section)["ranks"].values.loc[TITLE].notna().all()
    assert "There are no tests" in section.parts[0].text
    assert not pairs_section(results).tables
    text = "\n".join(conclusion(results))
    assert f"With {counted(n_datasets, 'dataset')} nothing can be tested" in text
    by = "value" if n_datasets == 1 else "mean over the datasets"
    assert f"leads by {by} on" in text


def test_one_method_has_its_values_alone(tmp_path):
    results = study(tmp_path, [mine(name, 1) for name in FIVE])
    assert conclusion(results) == [
        "My forest is alone on 5 datasets: there is no other method to compare it with."
    ]
    assert not ranks_section(results).tables
    assert len(values_section(results).tables) == len(PAPER_METRICS)
    assert not costs_section(results).pictures


def test_those_who_share_the_best_rank_are_all_named(tmp_path):
    runs = [
        made_record(row, name, metrics={"accuracy": 0.5})
        for row in ("ML-kNN", "RF-PCT")
        for name in FIVE
    ]
    text = "\n".join(conclusion(study(tmp_path, runs)))
    assert "ML-kNN and RF-PCT share the lead by average rank on 1 of 1 metric" in text


def test_what_a_reader_must_know_of_the_runs_is_said(tmp_path):
    runs = records()
    runs[0] = dataclasses.replace(runs[0], warnings=("no label is predicted at all",))
    runs[1] = dataclasses.replace(runs[1], accepted=({"was": "older"},))
    failed = [
        Missing("yeast", f"{MINE} seed 3", "ValueError: no."),
        Missing("scene", "x", "broken"),
    ]
    skipped = [Missing("yeast", "weka", "there is no Java")]
    results = study(tmp_path, runs, failed=failed, skipped=skipped)
    assert list(notices(results)) == [
        "My forest with seed 3 failed on Yeast: ValueError: no.",
        "x failed on Scene: broken.",
        "weka skipped on Yeast: there is no Java.",
        "My forest on Medical: no label is predicted at all.",
        "1 of 25 records was computed by older code and accepted because a sample, computed again, "
        "gave the same values.",
    ]


def test_many_failures_are_no_wall(tmp_path):
    failed = [Missing("yeast", f"m{number}", f"reason {number}") for number in range(20)]
    said = list(notices(study(tmp_path, failed=failed)))
    assert len(said) == 7
    assert said[-1] == "And 14 more of this kind, in study.json."


def test_metrics_on_fewer_datasets_are_not_mixed_with_the_others(tmp_path):
    runs = [
        made_record(row, name, metrics={"accuracy": 0.5} | ({"coverage": 2.0 + n} if n < 2 else {}))
        for n, name in enumerate(FIVE)
        for row in ("ML-kNN", "RF-PCT", "NN-MLM")
    ]
    text = "\n".join(conclusion(study(tmp_path, runs)))
    assert "by average rank on 1 of 2 metrics: accuracy (2.00)." in text
    assert "by mean over the datasets on 1 of 2 metrics: coverage (2.500)." in text
    assert "With 3 methods on 5 datasets" in text


holes = st.lists(st.floats(0, 1) | st.none(), min_size=12, max_size=12)


@settings(deadline=None, max_examples=40)
@given(st.lists(holes, min_size=1, max_size=3), st.sampled_from([1, 2, 3, 4]))
def test_whatever_is_missing_there_is_an_outcome(rows, n_datasets):
    runs = [
        dataclasses.replace(
            made_record("ML-kNN", name), method=f"m{method}", metrics={"accuracy": value}
        )
        for method, row in enumerate(rows)
        for name, value in zip(DATASETS[:n_datasets], row, strict=False)
        if value is not None
    ]
    methods = {run.method: run.method for run in runs}
    datasets = {run.dataset: run.dataset for run in runs}
    comparison = compare_records(runs, methods, datasets, None)
    said = [*leads(comparison), *significance(comparison), *limits(comparison)]
    assert bool(said) == any(one.is_comparable for one in comparison.metrics.values())
    assert len(list(left_out(comparison))) == sum(
        len(one.left_out) for one in comparison.metrics.values()
    )
    for one in comparison.metrics.values():
        assert set(one.left_out) | set(one.complete.index) == set(comparison.methods)
        assert bool(one.leaders) == one.is_comparable
        assert (one.ranks is not None) == (len(one.complete) > 1 and len(one.datasets) > 2)
        assert all(
            set(one.better_than(leader)) <= set(one.complete.index) for leader in one.leaders
        )


def test_words():
    assert (counted(1, "dataset"), counted(1200, "run")) == ("1 dataset", "1,200 runs")
    assert (listed(["a"]), listed(["a", "b"]), listed("abc")) == ("a", "a and b", "a, b and c")


# Costs


def timed(row, dataset, fit, prediction, peak=100.0, **changes):
    phases = (
        Phase("fit", fit, peak),
        Phase("prediction", prediction, 50.0),
        Phase("metrics", 9, 1),
    )
    return made_record(row, dataset, phases=phases, **changes)


def test_costs_are_sums_over_datasets_of_means_over_seeds():
    runs = [
        timed("ML-kNN", "yeast", 1, 2),
        timed("ML-kNN", "scene", 10, 20, peak=300.0),
        *(timed("RF-PCT", "yeast", fit, 2, seed=fit) for fit in (1, 3)),
    ]
    table = costs(runs, {"ML-kNN": "ML-kNN", "RF-PCT": "Forest"})
    assert table.loc["ML-kNN"].to_dict() == {
        **{"fit": 11.0, "prediction": 22.0, "in all": 33.0, "peak MB": 300.0}
    }
    # A method that was not run on all of them would look cheap.
    assert table.loc["Forest"].dropna().to_dict() == {"peak MB": 100.0}


points = st.lists(
    st.tuples(st.sampled_from([1.0, 2.0, 3.0]), st.sampled_from([0.1, 0.2, 0.3])),
    min_size=1,
    max_size=8,
)


@given(points, st.sampled_from(["accuracy", "hamming_loss"]))
def test_the_front_is_whom_nobody_beats(pairs, metric):
    seconds = pd.Series([pair[0] for pair in pairs], index=[f"m{n}" for n in range(len(pairs))])
    values = pd.Series([pair[1] for pair in pairs], index=seconds.index)
    sense = -1 if METRICS[metric].lower_is_better else 1
    front = pareto_front(seconds, values, metric)
    for name in seconds.index:
        quicker = seconds <= seconds[name]
        better = sense * values >= sense * values[name]
        more = (seconds < seconds[name]) | (sense * values > sense * values[name])
        beaten = (quicker & better & more).any()
        twins = [n for n in front if (seconds[n], values[n]) == (seconds[name], values[name])]
        assert (len(twins) == 1) == (not beaten)
    assert seconds[front].is_monotonic_increasing


def test_a_picture_of_costs_names_every_method_once(tmp_path):
    runs = [
        timed(row, name, 10.0**n, 1.0)
        for n, row in enumerate(("ML-kNN", "RF-PCT", "NN-MLM"))
        for name in FIVE
    ]
    results = study(tmp_path, runs)
    table = costs(runs, results.method_titles)
    figure = draw_costs(table, results.comparison.metrics["accuracy"])
    FigureCanvasAgg(figure).draw()
    written = [text.get_text() for text in figure.axes[0].texts]
    assert sorted(written) == ["ML-kNN", "NN-MLM", "RF-PCT"]
    section = costs_section(results)
    assert [each.name for each in section.pictures] == [f"cost_{name}" for name in PAPER_METRICS]
    assert "accuracy" in tables(section)["costs"].values["on the front of"].str.cat()


grid = st.tuples(st.integers(0, 4), st.integers(0, 6))


@settings(deadline=None, max_examples=25)
@given(st.lists(grid, min_size=2, max_size=20, unique=True))
def test_names_beside_points_do_not_cover_one_another(places):
    figure = Figure(figsize=(7, 4))
    ax = figure.add_axes((0.1, 0.1, 0.85, 0.85))
    names = [f"method {n}" for n in range(len(places))]
    frame = pd.DataFrame(places, columns=["x", "y"], index=names)
    ax.set(xlim=(-1, 5), ylim=(-1, 7))
    label_points(ax, frame, dict.fromkeys(names, "black"), 8)
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [text.get_window_extent(renderer) for text in ax.texts]
    assert [text.get_text() for text in ax.texts] == names
    for one, other in itertools.combinations(boxes, 2):
        assert not one.overlaps(other)


# The whole report


@pytest.mark.slow
def test_the_report_of_a_study_of_ones_own(tmp_path, capsys):
    folder = tmp_path / "mine"
    assert report.build_report(study(folder), Console(width=1000))
    ranks = pd.read_csv(folder / "tables" / "ranks.csv", index_col="method")
    assert TITLE in ranks.index
    for metric in PAPER_METRICS:
        assert (folder / "figures" / f"cd_{metric}.svg").is_file()
        assert (folder / "figures" / f"cost_{metric}.pdf").is_file()
        for form in ("csv", "md", "tex"):
            assert (folder / "tables" / f"table_{metric}.{form}").is_file()
    page = (folder / "report.html").read_text()
    assert len(page) < 2_000_000
    out = capsys.readouterr().out.splitlines()
    (path,) = (n for n, line in enumerate(out) if "report.html" in line)
    assert out[path + 1 :] == conclusion(study(folder))
    for sentence in conclusion(study(folder)):
        assert f"<li>{sentence}</li>" in page


@pytest.mark.slow
@pytest.mark.parametrize("n_datasets", [1, 2])
@pytest.mark.parametrize("n_methods", [1, 4])
def test_small_studies_have_whole_reports(tmp_path, n_datasets, n_methods):
    runs = records(FIVE[:n_datasets])
    some = [run for run in runs if n_methods > 1 or run.method == MINE]
    assert report.build_report(study(tmp_path / "small", some), Console())
    page = (tmp_path / "small" / "report.html").read_text()
    assert ("nothing can be tested" in page) == (n_methods > 1)
    assert not list((tmp_path / "small" / "figures").glob("cd_*"))


# Splits


def split_run(row, dataset, repeat, fold, accuracy, **changes):
    split = {"kind": "cross_validation", "folds": 2, "seed": 0, "repeat": repeat, "fold": fold}
    data = FIXTURE.data | {"n_train": 30 + fold, "n_test": 31 - fold}
    metrics = {"accuracy": accuracy}
    return made_record(row, dataset, split=split, metrics=metrics, data=data, **changes)


def split_comparison(values, n_splits=4):
    """Of a table method -> dataset -> values by split, each a number or one for each seed."""
    runs = [
        split_run("ML-kNN", dataset, n // 2, n % 2, value, method=method, seed=seed)
        for method, of_method in values.items()
        for dataset, of_dataset in of_method.items()
        for n, each in enumerate(of_dataset)
        for seed, value in enumerate(each if isinstance(each, list) else [each])
    ]
    methods = {name: name for name in values}
    datasets = {run.dataset: run.dataset for run in runs}
    return compare_records(runs, methods, datasets, "a", n_splits)


def test_the_value_of_a_dataset_is_the_mean_over_splits_and_seeds_are_averaged_first():
    comparison = split_comparison(
        {"a": {"emotions": [0.1, 0.2, 0.3, 0.4]}, "b": {"emotions": [[0.0, 0.2], 0.3, 0.3, 0.5]}}
    )
    one = comparison.metrics["accuracy"]
    assert one.means["emotions"].tolist() == pytest.approx([0.25, 0.3])
    assert one.runs["emotions"].tolist() == [4, 4]
    expected = np.std([0.1, 0.3, 0.3, 0.5], ddof=1)
    assert one.deviations.loc["b", "emotions"] == pytest.approx(expected)
    assert one.test_to_train["emotions"] == pytest.approx(1)


def test_a_method_without_all_splits_has_no_mean_and_is_told_of():
    comparison = split_comparison(
        {
            "a": {"emotions": [0.1, 0.2, 0.3, 0.4], "yeast": [0.5, 0.5, 0.5]},
            "b": {"emotions": [0.9, 0.9, 0.9], "yeast": [0.5, 0.5]},
        }
    )
    one = comparison.metrics["accuracy"]
    assert one.datasets == ["emotions"]
    assert list(one.complete.index) == ["a"]
    assert comparison.incomplete == [("b", "emotions", 3)]
    assert comparison.without_values == ["yeast"]


def test_on_each_dataset_it_is_the_corrected_resampled_t_test():
    a, b, c = [0.5, 0.6, 0.55, 0.7], [0.4, 0.45, 0.5, 0.5], [0.5, 0.6, 0.55, 0.7]
    one = split_comparison(
        {"a": {"emotions": a}, "b": {"emotions": b}, "c": {"emotions": c}}
    ).metrics["accuracy"]
    first, second = on_dataset(one, "emotions")
    differences = np.subtract(a, b)
    t = differences.mean() / np.sqrt((1 / 4 + 1) * differences.var(ddof=1))
    assert first.test.statistic == pytest.approx(t)
    assert first.adjusted_p_value == first.test.p_value  # the other has none to correct for
    assert (second.method, second.adjusted_p_value, second.outcome) == ("c", None, 0)


def test_methods_that_lack_a_dataset_are_ranked_on_those_that_all_have(tmp_path):
    rows, names = ("ML-MLM", "ML-kNN", "RF-PCT"), ("medical", "emotions", "scene", "yeast")
    records = [made_record(row, name) for row in rows for name in names]
    late = made_record("ML-MLM", "enron")
    results = made_study(tmp_path, [*records, late])
    assert set(results.comparison.metrics["accuracy"].complete.index) == {"ML-MLM"}
    shared = results.comparison_on_shared_datasets
    assert shared is not None
    one = shared.metrics["accuracy"]
    assert len(one.complete) == 3 and len(one.datasets) == 4 and one.is_testable
    tables = {part.name for part in ranks_section(results).parts if isinstance(part, Table)}
    assert {"ranks_shared", "tests_shared"} <= tables
    assert made_study(tmp_path / "all", records).comparison_on_shared_datasets is None


def test_every_run_without_a_record_is_listed_with_its_reason(tmp_path):
    lost = [Missing("yeast", f"mine seed {n}", f"it would take about {n} hours") for n in range(9)]
    results = made_study(tmp_path, [made_record("ML-MLM", "emotions")], skipped=lost)
    tables = [part for part in values_section(results).parts if isinstance(part, Table)]
    (table,) = (each for each in tables if each.name == "missing")
    assert table.values["reason"].tolist() == [each.reason for each in lost]


def test_what_was_left_out_for_the_time_is_one_sentence(tmp_path):
    reason = "it would take about 9.0 minutes, by the 4 s that it took on x; the study's limit is 5"
    lost = [
        Missing(name, f"mine seed {seed}", f"{reason} minutes a run")
        for name in ("yeast", "scene")
        for seed in range(3)
    ]
    lost += [Missing("yeast", "other", f"{reason} minutes a run")]
    said = list(notices(made_study(tmp_path, [made_record("ML-MLM", "emotions")], skipped=lost)))
    assert said == [
        "7 runs left out that would take longer than the study's limit of 5 minutes a run: mine on "
        "yeast and scene; other on yeast. The estimates are under “Runs without a record”."
    ]


def test_a_method_without_any_rank_has_no_row_of_dashes(tmp_path):
    rows, names = ("ML-MLM", "ML-kNN", "RF-PCT"), ("medical", "emotions", "scene", "yeast")
    records = [made_record(row, name) for row in rows for name in names]
    records += [made_record(row, "enron") for row in rows[:2]]
    results = made_study(tmp_path, records)
    assert set(ranks_table(results.comparison).values.index) == set(rows[:2])


def test_pairs_of_all_methods_are_tested_on_the_datasets_that_all_have(tmp_path):
    rows, names = ("ML-MLM", "ML-kNN", "RF-PCT"), ("medical", "emotions", "scene", "yeast")
    records = [made_record(row, name) for row in rows for name in names]
    records += [made_record(row, "enron") for row in rows[:2]]
    parts = pairs_section(made_study(tmp_path, records)).parts
    tables = {part.name: part for part in parts if isinstance(part, Table)}
    (shared,) = (each for name, each in tables.items() if name == "pairs_accuracy_shared")
    assert len(shared.values) == 2 and len(tables["pairs_accuracy"].values) == 1
    assert {"P(better)", "p, Holm"} <= set(shared.values)


def test_what_holds_of_all_methods_comes_first(tmp_path):
    rows, names = ("ML-MLM", "ML-kNN", "RF-PCT"), ("medical", "emotions", "scene", "yeast")
    records = [made_record(row, name) for row in rows for name in names]
    records += [made_record(row, "enron") for row in rows[:2]]
    sentences = conclusion(made_study(tmp_path, records))
    assert sentences[0] == "All 3 methods are compared on Emotions, Medical, Scene and Yeast:"
    (after,) = (n for n, each in enumerate(sentences) if "without RF-PCT, which lack" in each)
    assert any("With 3 methods on 4 datasets" in each for each in sentences[:after])
    assert any("With 2 methods on 5 datasets" in each for each in sentences[after:])
