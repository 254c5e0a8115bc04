"""Chosen reference points beside methods with one setting, on made records."""

import dataclasses
import io

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from experiments.analysis.numbers.large import chosen_settings, duels, settings
from experiments.analysis.numbers.references import other_methods
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.report import build_report, sections_of
from experiments.analysis.sections.large import findings, large_section
from experiments.analysis.sections.outcome import conclusion
from experiments.analysis.sections.references import draw
from tests.made_records import add_run, made_record, made_study

ACCURACY = {500: 0.40, 1000: 0.55, 2000: 0.50}
COVERAGE = {500: 1.5, 1000: 1.8, 2000: 1.9}
SECONDS = {500: 2.0, 1000: 20.0, 2000: 1500.0}
LOSS = {500: 0.3, 1000: 0.1, 2000: 0.2}
TITLES = {"rf_pct": "RF-PCT", "logistic": "Logistic regression"} | {
    f"ml_mlm-references={count}": f"ML-MLM, references {count}" for count in ACCURACY
}


def taking(record, seconds, **metrics):
    """A record of which only these metrics are known, and that took so long."""
    phases = [each for each in record.phases if each.name == "fit"][:1]
    phases = tuple(dataclasses.replace(each, seconds=seconds, shared=False) for each in phases)
    return dataclasses.replace(record, phases=phases, metrics=metrics, published_as=None)


def with_references(count, dataset):
    method = f"ml_mlm-references={count}"
    record = made_record("ML-MLM", dataset, method=method)
    setting = {"references": count, "selection": "random", "swept": "ml_mlm"}
    setting["title"] = TITLES[method]
    config = record.config | {"method": record.config["method"] | setting}
    whole = dataclasses.replace(record, config=config, chosen=record.chosen | {"references": count})
    return taking(whole, SECONDS[count], accuracy=ACCURACY[count], coverage=COVERAGE[count])


@pytest.fixture
def results(tmp_path):
    runs = [with_references(count, name) for name in ("emotions", "yeast") for count in ACCURACY]
    logistic = [
        taking(made_record("RF-PCT", name, method="logistic"), 5.0, accuracy=0.55004, coverage=1.6)
        for name in ("emotions", "yeast")
    ]
    forest = [
        taking(
            made_record("RF-PCT", "yeast", method="rf_pct", seed=seed), 90.0, accuracy=value,
            coverage=1.7,
        )
        for seed, value in ((1, 0.6), (2, 0.7))
    ]  # fmt: skip
    made_study(tmp_path / "large", [*forest, *logistic], methods=TITLES, published=False)
    for run in runs:
        curve = LOSS[run.chosen["references"]] + np.array([0.05, 0.0, 0.01])
        add_run(tmp_path / "large", run, {"loo_ranking_loss": curve})
    return StudyResults(tmp_path / "large")


def test_the_setting_is_chosen_by_the_training_rows(results):
    runs = settings(results)
    assert dict(zip(runs["references"], runs["loss"], strict=True)) == LOSS
    chosen = chosen_settings(runs).set_index("dataset")
    assert chosen["references"].to_dict() == {"Emotions": 1000, "Yeast": 1000}
    assert chosen.loc["Yeast", ["accuracy", "coverage", "seconds"]].tolist() == [0.55, 1.8, 20.0]
    assert chosen.loc["Yeast", "tried_seconds"] == 1522.0


def test_of_equal_settings_the_smallest_is_taken(results):
    assert set(chosen_settings(settings(results).assign(loss=0.5))["references"]) == {500}


def test_ridges_are_settings_too(results):
    runs = settings(results)
    both = pd.concat([runs, runs.assign(ridge=100.0, loss=runs["loss"] - 0.05)], ignore_index=True)
    assert set(chosen_settings(both)["ridge"]) == {100.0}
    _, axes = draw(both, other_methods(results), "accuracy", "seconds")
    labels = {line.get_label() for line in axes[0].get_lines()}
    assert {"ML-MLM, ridge 1", "ML-MLM, ridge 100"} <= labels


def test_others_are_the_methods_that_are_not_swept(results):
    others = other_methods(results).set_index(["dataset", "method"])
    assert set(others.index) == {
        ("Emotions", "Logistic regression"),
        ("Yeast", "Logistic regression"),
        ("Yeast", "RF-PCT"),
    }
    assert others.loc[("Yeast", "RF-PCT"), "accuracy"] == pytest.approx(0.65)  # of two seeds


def test_who_is_better_and_what_prints_the_same_is_even(results):
    pairs = duels(settings(results), other_methods(results))
    better = pairs.set_index(["dataset", "rival", "metric"])["better"]
    assert better["Yeast", "RF-PCT", "accuracy"] == "RF-PCT"
    assert better["Yeast", "RF-PCT", "coverage"] == "RF-PCT"  # the lower
    assert better["Emotions", "Logistic regression", "coverage"] == "Logistic regression"
    assert better[["Emotions"]]["Emotions", "Logistic regression", "accuracy"] is None


def test_words_are_of_both_sides_and_of_their_seconds(results):
    section = large_section(results)
    fairness, points = section.parts[:2]
    assert "500, 1,000 and 2,000 reference points" in fairness.text
    assert "smallest leave-one-out ranking loss" in fairness.text
    assert "in its favour" in fairness.text
    (forest,) = [text for text in points.texts if "RF-PCT" in text]
    assert forest == (
        "**Yeast, ML-MLM and RF-PCT**: RF-PCT is better on coverage (1.700 to 1.800) and accuracy "
        "(0.650 to 0.550). RF-PCT takes 90 s, ML-MLM 20 s with 1,000 reference points and the "
        "paper's ridge, and 1,522 s with all settings that were tried."
    )
    (even,) = [text for text in points.texts if text.startswith("**Emotions")]
    assert "is better on coverage (1.600 to 1.800); they are even on accuracy." in even


def test_the_conclusion_counts(results):
    assert conclusion(results) == findings(results)
    assert (
        "Yeast: ML-MLM (20 s) is better than RF-PCT (90 s) on 0 of 2 metrics, worse on 2."
    ) in findings(results)


def test_a_table_for_each_dataset_with_the_best_in_bold(results):
    tables = {table.title: table for table in large_section(results).tables}
    yeast = tables["Yeast: ML-MLM and the others"]
    rows = dict(yeast.rows())
    assert yeast.head[1:] == [
        *("ML-MLM, 20 s", "RF-PCT, 90 s", "Logistic regression, 5.0 s"),
    ]
    assert [entry.text for entry in rows["Accuracy"]] == ["0.550", "0.650", "0.550"]
    assert [entry.best for entry in rows["Accuracy"]] == [False, True, False]
    assert [entry.best for entry in rows["Coverage"]] == [False, False, True]
    assert len(tables["Emotions: ML-MLM and the others"].head) == 3  # there is no forest


def test_a_table_of_every_setting(results):
    tables = {table.title: table for table in large_section(results).tables}
    rows = dict(tables["Yeast: every setting"].rows())
    assert len(rows) == 3
    assert rows["ML-MLM, 1,000 reference points, ridge 1"][0].text == "0.1000"


def test_a_rival_looks_the_same_on_every_dataset(results):
    _, axes = draw(settings(results), other_methods(results), "accuracy", "seconds")
    marks = [
        {line.get_label(): line.get_marker() for line in ax.get_lines()}["Logistic regression"]
        for ax in axes
    ]
    assert len(set(marks)) == 1


def test_the_report_is_whole(results):
    assert build_report(results, Console(file=io.StringIO()))
    page = (results.folder / "report.html").read_text()
    for section in sections_of("large"):
        assert f'id="{section}"' in page


def test_without_rivals_the_section_says_how_to_get_them(tmp_path):
    alone = made_study(tmp_path / "large", [with_references(500, "yeast")], methods=TITLES)
    (part,) = large_section(alone).parts
    assert "make reproduce STUDY=large" in part.text
    assert "nothing" in " ".join(findings(alone))
