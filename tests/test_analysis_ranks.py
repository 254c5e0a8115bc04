"""Ranks of a study, whole or in part, and critical-difference diagrams."""

import dataclasses
import io
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from experiments import published
from experiments.analysis.document.pictures import drawn
from experiments.analysis.document.tables import csv, markdown
from experiments.analysis.numbers import ranks as numbers
from experiments.analysis.numbers.cells import mean_cells
from experiments.analysis.numbers.metrics import RANKING, metric_title
from experiments.analysis.numbers.paper_tables import comparable_table
from experiments.analysis.numbers.ranks import TESTS, published_ranks
from experiments.analysis.sections.cd_diagram import draw_cd_diagram
from experiments.analysis.sections.paper_ranks import (
    groups_table,
    nemenyi_tables,
    paper_ranks_section,
    ranks_table,
    significance_table,
)
from experiments.analysis.sections.parts import Paragraph, Picture
from mlmlm.metrics import METRICS, PAPER_METRICS
from mlmlm.statistics import compare_ranks, critical_distance
from tests.made_records import DATASETS, TABLES, made_record, made_study

OWN = published.own_methods()


@pytest.fixture
def records():
    return [made_record(row, dataset) for row in OWN for dataset in DATASETS]


def reproduced_ranks(records):
    return numbers.reproduced_ranks(mean_cells(records))


def tables(section):
    return {table.name: table for table in section.tables}


def text(section):
    return "\n".join(part.text for part in section.parts if isinstance(part, Paragraph))


def pictures(section):
    return [picture.name for picture in section.pictures]


def test_published_tables_are_whole_and_spell_methods_alike():
    for metric in PAPER_METRICS:
        table = published.results_table(metric)
        assert table.shape == ((8, 10) if metric in RANKING else (17, 10))
        assert table.notna().all(axis=None)
        assert set(table.index) <= set(TABLES["accuracy"].index)


def test_without_records_only_the_published_ranks_are_made(tmp_path):
    section = paper_ranks_section(made_study(tmp_path, []))
    assert "No metric is reproduced yet." in text(section)
    assert pictures(section) == [f"cd_published_{metric}" for metric in PAPER_METRICS]
    made = tables(section)
    assert made["ranks_published"].values.notna().sum().sum() == 4 * 8 + 4 * 17
    assert made["ranks_reproduced"].values.isna().all(axis=None)
    assert made["tests_reproduced"].values.empty
    assert {name for name in made if name.startswith("nemenyi")} == {
        f"nemenyi_published_{metric}" for metric in PAPER_METRICS
    }


def test_a_whole_study_that_agrees_has_the_published_ranks(tmp_path, records):
    section = paper_ranks_section(made_study(tmp_path, records))
    assert "8 of 8 metrics, with these rows of this study: BR-MLM, ML-MLM, LLS-MLM, NN-MLM" in text(
        section
    )
    assert "Missing" not in text(section)
    made = tables(section)
    for kind in ("ranks", "tests", "groups", *(f"nemenyi_%s_{metric}" for metric in PAPER_METRICS)):
        names = [kind % w if "%" in kind else f"{kind}_{w}" for w in ("published", "reproduced")]
        theirs, ours = (made[name].values for name in names)
        pd.testing.assert_frame_equal(theirs, ours)
    agrees = made["ranks_reproduced"].agrees
    assert (agrees.notna() == made["ranks_published"].values.notna()).all(axis=None)
    assert agrees.stack().all()
    theirs, ours = pictures(section)[::2], pictures(section)[1::2]  # side by side
    assert [name.replace("published", "reproduced") for name in theirs] == ours


def test_ranks_table_has_the_best_of_each_metric():
    table = ranks_table(published_ranks(), published_ranks())
    for metric in PAPER_METRICS:
        column = table.values[metric_title(metric)]
        ranks = TABLES[metric].rank(ascending=METRICS[metric].lower_is_better).mean(axis=1)
        pd.testing.assert_series_equal(column.dropna(), ranks, check_names=False)
        assert list(column.index[table.best[metric_title(metric)]]) == [ranks.idxmin()]
    assert list(table.values.index) == list(TABLES["accuracy"].index)


def test_tests_table_reads_back_as_the_comparison():
    table = significance_table(published_ranks())
    frame = pd.read_csv(io.StringIO(csv(table)), index_col="metric")
    for metric, comparison in published_ranks().comparisons.items():
        row = frame.loc[metric_title(metric)]
        assert row["CD"] == pytest.approx(comparison.critical_distance)
        assert row[["methods", "datasets"]].to_list() == list(TABLES[metric].shape)
        for name, title in TESTS.items():
            outcome = getattr(comparison.friedman, name)
            assert (row[title], row[f"p of {title}"]) == pytest.approx(outcome, rel=1e-8)


def test_methods_share_a_group_exactly_if_they_do_not_differ():
    ranks = published_ranks()
    table = groups_table(ranks)
    for metric, comparison in ranks.comparisons.items():
        groups = {
            name: set(range(int(span.split("–")[0]), int(span.split("–")[-1]) + 1))
            for name, span in table.values[metric_title(metric)].dropna().items()
        }
        assert set().union(*groups.values()) == set(range(1, len(comparison.cliques) + 1))
        for one, other in combinations(groups, 2):
            assert bool(groups[one] & groups[other]) != comparison.differ(one, other)


def test_nemenyi_tables_have_significant_pairs_in_bold():
    by_name = {table.name: table for table in nemenyi_tables(published_ranks())}
    table = by_name["nemenyi_published_accuracy"]
    assert table.title == "Nemenyi p-values of accuracy, as published"
    assert table.values.loc["ML-MLM", "RF-PCT"] < 0.05 < table.values.loc["ML-MLM", "HOMER"]
    comparison = published_ranks().comparisons["accuracy"]
    for one, other in combinations(table.values, 2):
        assert table.best.loc[one, other] == comparison.differ(one, other)


def test_our_values_count(records):
    worst = [
        dataclasses.replace(one, metrics=one.metrics | {"coverage": 1e6})
        if one.published_as == "ML-MLM"
        else one
        for one in records
    ]
    ranks = reproduced_ranks(worst)
    assert ranks.comparisons["coverage"].average_ranks["ML-MLM"] == 8
    assert ranks.comparisons["accuracy"].average_ranks["ML-MLM"] == 2.1
    agrees = ranks_table(ranks, published_ranks()).agrees
    assert agrees.loc["ML-MLM", "Coverage"] is False
    assert agrees["Accuracy"].all()


def test_what_is_missing_is_said(tmp_path, records):
    some = [one for one in records if (one.method, one.dataset) != ("NN-MLM", "mediamill")]
    section = paper_ranks_section(made_study(tmp_path, some))
    assert "Reproduced are 4 of 8 metrics" in text(section)
    reason = "NN-MLM lacks mediamill (Accuracy, Hamming loss, Micro F1, Macro F1)"
    assert f"Missing: {reason}." in text(section)
    table = tables(section)["ranks_reproduced"]
    present = table.values.notna().any()
    assert list(table.values.columns[present]) == [metric_title(each) for each in RANKING]
    # Where nothing is reproduced the published ranks stand beside the dash.
    assert "– (2.10)" in markdown(table)
    assert "cd_reproduced_coverage" in pictures(section)
    assert "cd_reproduced_accuracy" not in pictures(section)


def test_nothing_but_one_record(records):
    ranks = reproduced_ranks(records[:1])
    assert not ranks.comparisons
    assert "the study has no values of ML-MLM" in ranks.problems["accuracy"]


def test_a_new_method_is_added(records):
    mine = [made_record("ML-MLM", name, method="mine", published_as=None) for name in DATASETS]
    ranks = reproduced_ranks(records + mine)
    comparison = ranks.comparisons["accuracy"]
    assert comparison.n_methods == 18
    assert comparison.critical_distance == critical_distance(18, 10)
    assert comparison.average_ranks["mine"] == comparison.average_ranks["ML-MLM"]
    table = ranks_table(ranks, published_ranks())
    assert table.values.index[-1] == "mine"
    assert table.published.isna().all(axis=None)  # ranks among other methods are no comparison
    partial = reproduced_ranks(records + mine[:-1])
    assert partial.comparisons["accuracy"].n_methods == 17
    assert partial.problems["accuracy"] == [f"mine lacks {DATASETS[-1]}"]


def test_a_reference_method_of_the_study_takes_its_row(records):
    live = [made_record("BR-RF", name, metrics={"accuracy": 2.0}) for name in DATASETS]
    ranks = reproduced_ranks(records + live)
    assert ranks.comparisons["accuracy"].average_ranks["BR-RF"] == 1
    assert ranks.comparisons["micro_f1"].average_ranks["BR-RF"] == 9.25
    assert "BR-RF" in ranks.ours


def test_of_several_seeds_the_mean_is_ranked(records):
    seeds = [
        made_record("BR-RF", name, seed=seed, metrics={"accuracy": 0.991 + seed / 100})
        for name in DATASETS
        for seed in (0, 1)
    ]
    table = comparable_table("accuracy", mean_cells(records + seeds))
    assert (table.values.loc["BR-RF"] == 0.996).all()
    assert "BR-RF" in table.ours and not table.problems


def test_two_methods_for_one_row_are_neither_taken(records):
    other = [made_record("ML-MLM", name, method="other") for name in DATASETS]
    ranks = reproduced_ranks(records + other)
    assert not ranks.comparisons
    assert ranks.problems["accuracy"] == ["the study has more than one ML-MLM: ML-MLM, other"]


def test_other_data_of_the_same_name_is_not_the_papers(records):
    alien = dataclasses.replace(records[0], data=records[0].data | {"fingerprint": "0"})
    ranks = reproduced_ranks([alien, *records[1:]])
    assert ranks.problems["accuracy"] == [f"{alien.method} lacks {alien.dataset}"]


def random_comparison(n_methods, n_datasets=10, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.random((n_methods, n_datasets)) + np.arange(n_methods)[:, None] / n_methods
    names = [f"method-{number}" * (1 + number % 2) for number in range(n_methods)]
    return compare_ranks(pd.DataFrame(values, names), lower_is_better=True)


def diagrams():
    yield from (compare_ranks(table, lower_is_better=False) for table in TABLES.values())
    yield from (random_comparison(n_methods) for n_methods in (2, 3, 30))
    yield random_comparison(2, n_datasets=3)  # the critical distance is longer than the axis


@pytest.mark.parametrize("comparison", list(diagrams()))
def test_no_text_is_cut_or_overprinted(comparison):
    fig, ax = draw_cd_diagram(comparison, "A title")
    renderer = FigureCanvasAgg(fig).get_renderer()
    boxes = {text: text.get_window_extent(renderer) for text in ax.texts}
    for box in boxes.values():
        assert 0 <= box.x0 <= box.x1 <= fig.bbox.width
        assert 0 <= box.y0 <= box.y1 <= fig.bbox.height
    for one, other in combinations(boxes, 2):
        assert not boxes[one].overlaps(boxes[other]), (one.get_text(), other.get_text())


def test_diagram_shows_ranks_groups_and_critical_distance():
    comparison = compare_ranks(TABLES["hamming_loss"], lower_is_better=True)
    _, ax = draw_cd_diagram(comparison, highlight=OWN)
    written = [text.get_text() for text in ax.texts]
    assert "CD = 7.81 (α = 0.05)" in written
    for name, rank in comparison.average_ranks.items():
        assert written.count(name) == 1
        assert f"{rank:.2f}" in written
    places = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert places["BR-MLM"] < places["BPNN"]  # the best is on the left
    bars = [line for line in ax.lines if line.get_linewidth() == 4]
    assert len(bars) == len(comparison.cliques)
    bold = {text.get_text() for text in ax.texts if text.get_weight() == "bold"}
    assert {name for name in bold if "-" in name} == set(OWN)


def test_a_name_is_no_formula():
    table = pd.DataFrame({"a": [1, 2], "b": [1, 2], "c": [1, 2]}, [r"cost $\x$", "b"])
    fig, _ = draw_cd_diagram(compare_ranks(table, lower_is_better=True))
    FigureCanvasAgg(fig).draw()


@pytest.mark.parametrize("form", ["svg", "pdf"])
def test_files_are_the_same_each_time(form):
    def draw():
        comparison = compare_ranks(TABLES["coverage"], lower_is_better=True)
        return Picture("cd", "Coverage", draw_cd_diagram(comparison, "Coverage")[0])

    first, second = drawn(draw(), form), drawn(draw(), form)
    assert first == second
    assert b"Date" not in first
    assert b"matplotlib.org" not in first
