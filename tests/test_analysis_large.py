"""Chosen reference points beside methods with one setting, on made records."""

import dataclasses
import io

import pytest
from rich.console import Console

from experiments.analysis.numbers.large import best_settings, duels
from experiments.analysis.numbers.references import other_methods, reference_runs
from experiments.analysis.report import build_report, sections_of
from experiments.analysis.sections.large import findings, large_section
from experiments.analysis.sections.outcome import conclusion
from experiments.analysis.sections.references import draw
from tests.made_records import made_record, made_study

ACCURACY = {500: 0.40, 1000: 0.55, 2000: 0.50}
COVERAGE = {500: 1.5, 1000: 1.8, 2000: 1.9}
SECONDS = {500: 2.0, 1000: 20.0, 2000: 1500.0}
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
    return made_study(
        tmp_path / "large", [*runs, *forest, *logistic], methods=TITLES, published=False
    )


def test_the_best_setting_is_that_of_each_metric(results):
    best = best_settings(reference_runs(results)).set_index(["dataset", "metric"])
    assert set(best["method"]) == {"ML-MLM"}
    assert best.loc[("Yeast", "accuracy"), ["value", "references"]].tolist() == [0.55, 1000]
    assert best.loc[("Yeast", "coverage"), ["value", "references"]].tolist() == [1.5, 500]
    assert best.loc[("Yeast", "coverage"), "seconds"] == 2.0


def test_of_equal_settings_the_smallest_is_taken(results):
    runs = reference_runs(results).assign(accuracy=0.5)
    best = best_settings(runs).query("metric == 'accuracy'")
    assert set(best["references"]) == {500}


def test_others_are_the_methods_that_are_not_swept(results):
    others = other_methods(results).set_index(["dataset", "method"])
    assert set(others.index) == {
        ("Emotions", "Logistic regression"),
        ("Yeast", "Logistic regression"),
        ("Yeast", "RF-PCT"),
    }
    assert others.loc[("Yeast", "RF-PCT"), "accuracy"] == pytest.approx(0.65)  # of two seeds


def test_who_is_better_and_what_prints_the_same_is_even(results):
    pairs = duels(reference_runs(results), other_methods(results))
    better = pairs.set_index(["dataset", "rival", "metric"])["better"]
    assert better["Yeast", "RF-PCT", "accuracy"] == "RF-PCT"
    assert better["Yeast", "RF-PCT", "coverage"] == "ML-MLM"  # the lower
    assert better["Emotions", "Logistic regression", "coverage"] == "ML-MLM"
    assert better[["Emotions"]]["Emotions", "Logistic regression", "accuracy"] is None


def test_words_are_of_both_sides_and_of_their_seconds(results):
    section = large_section(results)
    fairness, points = section.parts[:2]
    assert "500, 1,000 and 2,000 reference points" in fairness.text
    assert "in its favour" in fairness.text
    (forest,) = [text for text in points.texts if "RF-PCT" in text]
    assert forest == (
        "**Yeast, ML-MLM and RF-PCT**: ML-MLM is better on coverage (1.500 to 1.700); RF-PCT on "
        "accuracy (0.650 to 0.550). RF-PCT takes 90 s, ML-MLM at its best 2.0 s to 20 s with 500 "
        "to 1,000 reference points."
    )
    (even,) = [text for text in points.texts if text.startswith("**Emotions")]
    assert "ML-MLM is better on coverage (1.500 to 1.600); they are even on accuracy." in even


def test_the_conclusion_counts(results):
    assert conclusion(results) == findings(results)
    assert (
        "Yeast: ML-MLM at its best (2.0 s to 20 s) is better than RF-PCT (90 s) on 1 of 2 metrics, "
        "worse on 1."
    ) in findings(results)


def test_a_table_for_each_dataset_with_the_best_in_bold(results):
    tables = {table.title: table for table in large_section(results).tables}
    yeast = tables["Yeast: ML-MLM at its best, and the others"]
    rows = dict(yeast.rows())
    assert yeast.head[1:] == [
        *("ML-MLM", "its reference points", "its seconds"),
        *("RF-PCT, 90 s", "Logistic regression, 5.0 s"),
    ]
    assert [entry.text for entry in rows["Accuracy"]] == [
        "0.550",
        "1,000",
        "20.0",
        "0.650",
        "0.550",
    ]
    assert [entry.best for entry in rows["Accuracy"]] == [False, False, False, True, False]
    assert [entry.best for entry in rows["Coverage"]] == [True, False, False, False, False]
    emotions = tables["Emotions: ML-MLM at its best, and the others"]
    assert len(emotions.head) == 5  # there is no forest


def test_a_rival_looks_the_same_on_every_dataset(results):
    _, axes = draw(reference_runs(results), other_methods(results), "accuracy", "seconds")
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
