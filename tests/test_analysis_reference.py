"""The reference methods beside their published rows, and all methods on one footing."""

import dataclasses
import math
import shutil

import numpy as np
import pandas as pd
import pytest

from experiments import published
from experiments.analysis.numbers.costs import user_seconds
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.stages import STUDIES, mean_steps, stage_means
from experiments.analysis.sections.one_footing import one_footing_section, one_footing_summary
from experiments.analysis.sections.parts import Paragraph, Points
from experiments.analysis.sections.reference import (
    reference_section,
    reference_summary,
    slow_table,
)
from experiments.analysis.sections.stages import stages_section
from experiments.analysis.sections.tuning import tuning_section
from experiments.choices import MethodChoice
from experiments.errors import UsageError
from experiments.footing import check_footing, on_footing
from experiments.phases import Phase
from mlmlm.baselines import Thresholded
from tests.made_records import DATASETS, TABLES, made_record, made_study

FOREST = {
    "_target_": "sklearn.ensemble.RandomForestClassifier",
    "n_estimators": 3,
    "scaling": "none",
    "published_as": "RF-PCT",
    "seeds": [1, 2],
}
FOOTING = {"scaling": "minmax", "threshold": "cardinality"}
FIVE = DATASETS[:5]


def shifted(record, **by):
    return dataclasses.replace(
        record, metrics={k: v + by.get(k, 0.0) for k, v in record.metrics.items()}
    )


def tables(section):
    return {table.name: table for table in section.tables}


def words(section):
    paragraphs = [part.text for part in section.parts if isinstance(part, Paragraph)]
    points = [text for part in section.parts if isinstance(part, Points) for text in part.texts]
    return " ".join([*paragraphs, *points])


# Reference


def test_cells_that_come_out_are_counted_with_the_mean_over_seeds(tmp_path):
    exact = made_record("ML-kNN", "yeast")
    seeds = [
        shifted(made_record("RF-PCT", "yeast", seed=seed), accuracy=by)
        for seed, by in ((1, 0.05), (2, -0.03))
    ]
    made_study(tmp_path / "reference", [exact, *seeds])
    section = reference_section(StudyResults(tmp_path / "reference"))
    close = tables(section)["reference_closeness"].values
    assert tuple(close.loc["ML-kNN", ["cells", "equal as printed", "seeds"]]) == (8, 8, 1)
    assert tuple(close.loc["RF-PCT", ["cells", "equal as printed", "seeds"]]) == (8, 7, 2)
    assert close.loc["RF-PCT", "largest"] == pytest.approx(0.0104)
    cells = tables(section)["reference_cells"].values
    row = cells[(cells.index == "RF-PCT") & (cells["metric"] == "Accuracy")].iloc[0]
    assert row["std"] == pytest.approx(np.std([0.05, -0.03], ddof=1))
    assert "**15 of 16** published cells" in words(section)
    assert "ML-kNN on Yeast" in words(section)
    summary = reference_summary(StudyResults(tmp_path / "paper"))
    assert "**15 of 16** published cells" in words(summary)
    assert "(../reference/report.html)" in words(summary)
    assert not summary.tables


def test_what_is_left_out_is_estimated(tmp_path):
    record = made_record("ML-kNN", "yeast", phases=(Phase("fit", 3600.0, 1.0),))
    (table,) = slow_table([record], {"ML-kNN": "ML-kNN"})
    yeast, scene = 1500 * 103 * 14, 1211 * 294 * 6
    assert table.values.loc["ML-kNN", "Scene"] == pytest.approx(60 * scene / yeast)
    assert "Yeast" not in table.values.columns


def test_seconds_are_those_a_user_waits():
    shared = (
        *(Phase("scaling", 0.5, 1.0, shared=True), Phase("regression", 1.0, 1.0, shared=True)),
        *(Phase("gram", 2.0, 1.0, shared=True), Phase("predicted distances", 4.0, 1.0, True)),
    )
    own = (Phase("fit", 8.0, 1.0), Phase("prediction", 16.0, 1.0), Phase("metrics", 9, 1))
    seconds = user_seconds(made_record("ML-MLM", "yeast", phases=shared + own))
    assert seconds == {"fit": 11.5, "prediction": 20.0}


def test_without_the_studies_both_sections_say_so(tmp_path, monkeypatch):
    monkeypatch.setattr("experiments.analysis.numbers.results.COMMITTED", tmp_path)
    for make in (reference_section, reference_summary, one_footing_section, one_footing_summary):
        assert "Missing" in words(make(StudyResults(tmp_path / "paper")))


# One footing


def test_a_footing_changes_scaling_and_threshold_and_nothing_else():
    laid = on_footing(MethodChoice("forest", FOREST), FOOTING)
    assert (laid.scaling, laid.variant, laid.published_as) == ("minmax", None, "RF-PCT")
    estimator = laid.estimator()
    assert isinstance(estimator, Thresholded)
    assert (estimator.rule, estimator.random_state) == ("cardinality", 1)
    assert estimator.estimator.n_estimators == 3


def test_a_rule_that_is_there_is_replaced_and_ml_mlm_keeps_its_own_scores():
    config = {"_target_": "mlmlm.baselines.Thresholded", "rule": "transductive"}
    cut = on_footing(MethodChoice("a", config | {"estimator": {"_target_": "x"}}), FOOTING)
    assert cut.config["rule"] == "cardinality"
    ours = MethodChoice("b", {"_target_": "mlmlm.MultiLabelMLM", "threshold": 0.5})
    assert on_footing(ours, FOOTING).config["threshold"] == "cardinality"
    assert on_footing(ours, FOOTING).config["_target_"] == "mlmlm.MultiLabelMLM"


def test_a_method_without_scores_keeps_its_way_to_labels():
    nearest = MethodChoice("nn", {"_target_": "mlmlm.NearestNeighborMLM", "scaling": "none"})
    laid = on_footing(nearest, FOOTING)
    assert (laid.config["_target_"], laid.scaling) == ("mlmlm.NearestNeighborMLM", "minmax")


def test_decision_values_are_calibrated_on_a_footing_and_probabilities_are_not():
    machine = {"_target_": "mlmlm.baselines.BinaryRelevanceSVC"}
    assert on_footing(MethodChoice("m", machine), FOOTING).estimator().calibration == "sigmoid"
    assert on_footing(MethodChoice("forest", FOREST), FOOTING).estimator().calibration == "none"
    ours = MethodChoice("b", {"_target_": "mlmlm.BinaryRelevanceMLM"})
    assert on_footing(ours, FOOTING).estimator().calibration == "none"


def test_a_footing_may_change_the_scaling_alone():
    laid = on_footing(MethodChoice("forest", FOREST), FOOTING | {"threshold": None})
    assert laid.config == FOREST | {"scaling": "minmax"}


def test_a_wrong_footing_is_told():
    with pytest.raises(UsageError, match="scaling, threshold"):
        check_footing({"scale": "minmax"})


def footing_study(folder, *more):
    """Four methods on five datasets, one of them without scores."""
    records = [
        shifted(made_record(row, dataset), accuracy=0.1, ranking_loss=0.1)
        for row in ("ML-MLM", "RF-PCT", "ML-kNN", "NN-MLM")
        for dataset in FIVE
    ]
    return made_study(folder / "one_footing", [*records, *more], published=False)


def test_ranks_as_published_are_among_the_same_methods_and_datasets(tmp_path):
    section = one_footing_section(footing_study(tmp_path))
    found = tables(section)["one_footing_published_ranks"].values
    expected = TABLES["accuracy"].loc[["ML-MLM", "RF-PCT", "ML-kNN", "NN-MLM"], FIVE]
    ranks = expected.rank(ascending=False).mean(axis=1)
    pd.testing.assert_series_equal(
        found["Accuracy"].sort_index(), ranks.sort_index(), check_names=False
    )


def test_the_largest_datasets_are_missing_with_an_estimate_for_each_method(tmp_path):
    study = footing_study(tmp_path)
    section = one_footing_section(study)
    assert "Not in this study, for the time: Delicious and Mediamill." in words(section)
    minutes = tables(section)["one_footing_elsewhere"].values
    assert list(minutes.index) == list(study.method_titles.values())
    (forest,) = (name for name, title in study.method_titles.items() if title == "RF-PCT")
    there = published.datasets().loc["delicious"]
    ratios = {
        math.prod(there[key] / run.data[key] for key in ("n_train", "n_features", "n_labels")): run
        for run in study.records
        if run.method == forest
    }
    ratio = min(ratios)
    expected = ratio * ratios[ratio].seconds / 60
    assert minutes.loc["RF-PCT", "Delicious"] == pytest.approx(expected)


def test_the_papers_report_has_the_outcome_and_a_link(tmp_path):
    footing_study(tmp_path)
    summary = one_footing_summary(StudyResults(tmp_path / "paper"))
    assert "4 methods on Emotions, Enron, Medical, Scene and Yeast" in words(summary)
    assert "by average rank on" in words(summary)
    assert "(../one_footing/report.html)" in words(summary)
    assert not summary.tables + summary.pictures


# What does what


def scaled_by(record, scaling):
    return dataclasses.replace(record, parameters={"scaling": scaling})


@pytest.fixture
def sister_studies(tmp_path, monkeypatch):
    """Two rows, one of them scaled all along, through all stages; on other datasets each."""
    monkeypatch.setattr("experiments.analysis.numbers.results.COMMITTED", tmp_path / "none")

    def study(name, rows, datasets, by, scaling="minmax"):
        records = [
            scaled_by(shifted(made_record(row, each), accuracy=by, hamming_loss=by), scaling)
            for row in rows
            for each in datasets
        ]
        return made_study(tmp_path / name, records)

    study("paper", ["ML-MLM"], DATASETS, 0.0)
    study("reference", ["ML-kNN", "RF-PCT"], FIVE, 0.01, "none")
    study("scaled", ["ML-kNN"], FIVE, 0.03)
    study("tuned", ["ML-MLM", "ML-kNN"], FIVE[1:], 0.2)
    return study("one_footing", ["ML-MLM", "ML-kNN", "RF-PCT", "NN-MLM"], FIVE, 0.1)


def test_rows_are_taken_apart_over_the_datasets_that_all_stages_have(sister_studies):
    found = stage_means(sister_studies, "accuracy")
    printed = TABLES["accuracy"].loc[:, FIVE[1:]].mean(axis=1)
    np.testing.assert_allclose(
        found.loc["ML-kNN"] - printed["ML-kNN"], np.array([0, 0.0104, 0.0304, 0.1004, 0.2004])
    )
    np.testing.assert_allclose(  # it is scaled as it was published
        found.loc["ML-MLM"] - printed["ML-MLM"], np.array([0, 0.0004, 0.0004, 0.1004, 0.2004])
    )
    assert list(found.columns) == ["published", *STUDIES]
    assert list(found.loc["RF-PCT"].isna()) == [False, False, True, False, True]
    assert "BR-RF" not in found.index
    steps = mean_steps(stage_means(sister_studies, "hamming_loss"), "hamming_loss")
    assert steps.loc["tuned", "gain"] == pytest.approx(-0.1)
    assert list(steps["rows"]) == [3, 2, 3, 2]  # RF-PCT, not run scaled, with the stage before


def test_the_section_says_what_each_step_gives_and_which_is_missing(sister_studies, tmp_path):
    whole = stages_section(sister_studies)
    assert "tuned: +0.100 of accuracy, the mean of 2 rows." in words(whole)
    assert "Nothing is here" not in words(whole)
    shutil.rmtree(tmp_path / "scaled")
    section = stages_section(StudyResults(tmp_path / "one_footing"))
    assert "Nothing is here of the stage «scaled»: `make reproduce STUDY=scaled`" in words(section)
    assert "scaled" not in tables(section)["stages_accuracy"].values
    assert "STUDY=local_rcut" in words(section)


def test_what_the_weighting_buys_with_as_many_labels(sister_studies, tmp_path):
    records = [
        shifted(made_record("NN-MLM", each, method=method), accuracy=by)
        for by, method in ((0.0, "nn_mlm"), (-0.01, "ml_mlm_local_rcut"))
        for each in DATASETS[:6]
    ]
    made_study(tmp_path / "local_rcut", records)
    section = stages_section(sister_studies)
    assert "worse on 6 (Wilcoxon's test, two-sided, p = 0.031)" in words(section)
    table = tables(section)["weighting_accuracy"]
    assert list(table.values) == ["NN-MLM", "ML-MLM, local RCut"]
    assert table.best["NN-MLM"].all()
    assert not table.best["ML-MLM, local RCut"].any()


def test_tuning_shows_every_choice_and_who_had_none(tmp_path):
    found = {
        "parameters": {"estimator__n_neighbors": 16},
        "metric": "average_precision",
        "score": 0.8,
        "own_score": 0.7,
        "candidates": 10,
    }
    tuned = made_record(
        "ML-kNN",
        "yeast",
        chosen={"tuning": found},
        phases=(Phase("search", 9.0, 1.0), Phase("fit", 1.0, 1.0)),
    )
    results = made_study(tmp_path / "tuned", [tuned, made_record("NN-MLM", "yeast")])
    section = tuning_section(results)
    row = tables(section)["tuning_choices"].values.loc["ML-kNN"]
    assert tuple(row[["chosen", "of", "own", "best", "seconds"]]) == (
        *("n_neighbors 16", 10, 0.7, 0.8, 9.0),
    )
    assert "as they are: NN-MLM" in words(section)
    assert user_seconds(tuned)["fit"] == 10.0  # the search is part of the cost
    assert "Missing" in words(tuning_section(StudyResults(tmp_path / "nothing")))
