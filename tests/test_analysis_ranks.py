"""Ranks of a study, whole or in part, and critical-difference diagrams."""

import dataclasses
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from experiments.analysis import ranks as ranks_module
from experiments.analysis.cd_diagram import (
    DISTANCE_REGRESSION,
    FORMATS,
    draw_cd_diagram,
    save_figure,
)
from experiments.analysis.ranks import main, published_table, reproduced_ranks
from experiments.record import read_record
from mlmlm.datasets.catalogue import CATALOGUE
from mlmlm.metrics import PAPER_METRICS, RANKING_METRICS
from mlmlm.statistics import compare, critical_distance

FIXTURE = read_record((Path(__file__).parent / "data" / "record_schema1.json").read_bytes())
FINGERPRINTS = {entry.name: entry.fingerprint for entry in CATALOGUE}
TABLES = {metric: published_table(metric) for metric in PAPER_METRICS}
DATASETS = list(TABLES["accuracy"])


def record(row, dataset, **changes):
    """A record with the published figures of a row, in digits that are not printed."""
    metrics = {
        metric: table.loc[row, dataset] + 0.0004
        for metric, table in TABLES.items()
        if row in table.index
    }
    data = FIXTURE.data | {"fingerprint": FINGERPRINTS[dataset]}
    whole = dataclasses.replace(
        FIXTURE, dataset=dataset, method=row, published_as=row, metrics=metrics, data=data
    )
    return dataclasses.replace(whole, **changes)


@pytest.fixture
def records():
    return [record(row, dataset) for row in DISTANCE_REGRESSION for dataset in DATASETS]


@pytest.fixture
def empty_figures(monkeypatch):
    """Figures that take no time to save."""

    def save(fig, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        for form in FORMATS:
            path.with_name(f"{path.name}.{form}").touch()

    monkeypatch.setattr(ranks_module, "save_figure", save)


def write(records, study):
    for one in records:
        path = study / "records" / one.dataset / f"{one.method}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(one.to_json())


def files(study, which):
    found = (*(study / "tables").glob("*"), *(study / "figures").glob("*"))
    return {path.name for path in found if f"_{which}" in path.name}


def test_published_tables_are_whole_and_spell_methods_alike():
    for metric, table in TABLES.items():
        assert table.shape == ((8, 10) if metric in RANKING_METRICS else (17, 10))
        assert table.notna().all(axis=None)
        assert set(table.index) <= set(TABLES["accuracy"].index)


@pytest.mark.slow
def test_without_records_only_the_published_ranks_are_made(tmp_path, capsys):
    assert main([str(tmp_path)]) == 0
    assert "no records" in capsys.readouterr().out
    assert not files(tmp_path, "reproduced")
    names = files(tmp_path, "published")
    assert len(names) == 2 + 8 + 3 * 8
    assert {"ranks_published.csv", "nemenyi_published_coverage.csv"} < names
    assert {f"cd_published_micro_f1.{form}" for form in ("svg", "pdf", "png")} < names


@pytest.mark.usefixtures("empty_figures")
def test_a_whole_study_that_agrees_has_the_published_ranks(tmp_path, records, capsys):
    write(records, tmp_path)
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == "reproduced: 8 of 8 metrics\n"
    tables = tmp_path / "tables"
    theirs, ours = (pd.read_csv(tables / f"ranks_{w}.csv") for w in ("published", "reproduced"))
    pd.testing.assert_frame_equal(theirs, ours)
    theirs, ours = files(tmp_path, "published"), files(tmp_path, "reproduced")
    assert {name.replace("published", "reproduced") for name in theirs} == ours
    text = (tables / "ranks_reproduced.md").read_text()
    assert "From this study: ML-MLM, BR-MLM, LLS-MLM, NN-MLM; the other" in text
    assert "Missing" not in text
    p_values = pd.read_csv(tables / "nemenyi_reproduced_accuracy.csv", index_col="method")
    assert p_values.loc["ML-MLM", "RF-PCT"] < 0.05 < p_values.loc["ML-MLM", "HOMER"]


def test_our_figures_count(records):
    worst = [
        dataclasses.replace(one, metrics=one.metrics | {"coverage": 1e6})
        if one.published_as == "ML-MLM"
        else one
        for one in records
    ]
    ranks = reproduced_ranks(worst)
    assert ranks.comparisons["coverage"].average_ranks["ML-MLM"] == 8
    assert ranks.comparisons["accuracy"].average_ranks["ML-MLM"] == 2.1


@pytest.mark.usefixtures("empty_figures")
def test_what_is_missing_is_said_and_what_was_made_of_it_removed(tmp_path, records, capsys):
    write(records, tmp_path)
    main([str(tmp_path)])
    (tmp_path / "records" / "mediamill" / "NN-MLM.json").unlink()
    capsys.readouterr()
    assert main([str(tmp_path)]) == 0
    reason = "NN-MLM lacks mediamill (accuracy, hamming loss, micro f1, macro f1)"
    assert capsys.readouterr().out == f"reproduced: 4 of 8 metrics\n{reason}\n"
    text = (tmp_path / "tables" / "ranks_reproduced.md").read_text()
    assert f"## Missing\n\n- {reason}\n" in text
    frame = pd.read_csv(tmp_path / "tables" / "ranks_reproduced.csv", index_col="metric")
    present = frame["ML-MLM"].notna()
    assert list(frame.index[present]) == list(RANKING_METRICS)
    assert frame.loc[~present].isna().all(axis=None)
    assert not any("accuracy" in name for name in files(tmp_path, "reproduced"))
    assert "cd_reproduced_coverage.svg" in files(tmp_path, "reproduced")


@pytest.mark.usefixtures("empty_figures")
def test_nothing_but_one_record(tmp_path, records, capsys):
    write(records[:1], tmp_path)
    assert main([str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "reproduced: 0 of 8 metrics" in out
    assert "the study has no figures of BR-MLM" in out
    assert files(tmp_path, "reproduced") == {"ranks_reproduced.csv", "ranks_reproduced.md"}
    frame = pd.read_csv(tmp_path / "tables" / "ranks_reproduced.csv", index_col="metric")
    assert frame.shape == (8, 17)
    assert frame.isna().all(axis=None)


def test_a_new_method_is_added(records):
    mine = [record("ML-MLM", name, method="mine", published_as=None) for name in DATASETS]
    comparison = reproduced_ranks(records + mine).comparisons["accuracy"]
    assert comparison.n_methods == 18
    assert comparison.critical_distance == critical_distance(18, 10)
    assert comparison.average_ranks["mine"] == comparison.average_ranks["ML-MLM"]
    partial = reproduced_ranks(records + mine[:-1])
    assert partial.comparisons["accuracy"].n_methods == 17
    assert partial.problems["accuracy"] == [f"mine lacks {DATASETS[-1]}"]


def test_a_reference_method_of_the_study_takes_its_row(records):
    live = [record("BR-RF", name, metrics={"accuracy": 2.0}) for name in DATASETS]
    ranks = reproduced_ranks(records + live)
    assert ranks.comparisons["accuracy"].average_ranks["BR-RF"] == 1
    assert ranks.comparisons["micro_f1"].average_ranks["BR-RF"] == 9.25
    assert "BR-RF" in ranks.ours


def test_two_methods_for_one_row_are_neither_taken(records):
    other = [record("ML-MLM", name, method="other") for name in DATASETS]
    ranks = reproduced_ranks(records + other)
    assert not ranks.comparisons
    assert ranks.problems["accuracy"] == ["the study has more than one ML-MLM: ML-MLM, other"]


def test_other_data_of_the_same_name_is_not_the_papers(records):
    alien = dataclasses.replace(records[0], data=records[0].data | {"fingerprint": "0"})
    ranks = reproduced_ranks([alien, *records[1:]])
    assert ranks.problems["accuracy"] == [f"{alien.method} lacks {alien.dataset}"]


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["nowhere"], ["broken"]])
def test_mistakes_end_in_one_line(tmp_path, monkeypatch, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    broken = tmp_path / "broken" / "records" / "emotions" / "ml_mlm.json"
    broken.parent.mkdir(parents=True)
    broken.write_text("{}")
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith(("usage: ", "error: "))
    assert err.count("\n") == 1
    assert not (tmp_path / "broken" / "tables").exists()


def random_comparison(n_methods, n_datasets=10, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.random((n_methods, n_datasets)) + np.arange(n_methods)[:, None] / n_methods
    names = [f"method-{number}" * (1 + number % 2) for number in range(n_methods)]
    return compare(pd.DataFrame(values, names), lower_is_better=True)


def diagrams():
    yield from (compare(table, lower_is_better=False) for table in TABLES.values())
    yield from (random_comparison(n_methods) for n_methods in (2, 3, 30))
    yield random_comparison(4, n_datasets=2)  # the critical distance is longer than the axis


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
    comparison = compare(TABLES["hamming_loss"], lower_is_better=True)
    _, ax = draw_cd_diagram(comparison)
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
    assert {name for name in bold if "-" in name} == set(DISTANCE_REGRESSION)


def test_a_name_is_no_formula():
    table = pd.DataFrame({"a": [1, 2], "b": [1, 2]}, [r"cost $\x$", "b"])
    fig, _ = draw_cd_diagram(compare(table, lower_is_better=True))
    FigureCanvasAgg(fig).draw()


def test_files_are_the_same_each_time(tmp_path):
    for folder in ("first", "second"):
        fig, _ = draw_cd_diagram(compare(TABLES["coverage"], lower_is_better=True), "Coverage")
        save_figure(fig, tmp_path / folder / "cd")
    for form in ("svg", "pdf", "png"):
        first, second = (
            (tmp_path / name / f"cd.{form}").read_bytes() for name in ("first", "second")
        )
        assert first == second
        assert b"Date" not in first
        assert b"matplotlib.org" not in first
