"""The leak in Tmc2007: both splits side by side, and the ranks with and without the dataset."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

from experiments import published
from experiments.analysis.document.tables import write_table
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.leak import leak_section
from experiments.analysis.sections.parts import Table
from mlmlm.metrics import METRICS, PAPER_METRICS
from tests.made_records import (
    DATASETS,
    FINGERPRINTS,
    TABLES,
    add_run,
    made_record,
    made_study,
    write_rows,
)

OWN = published.own_methods()
AUDIT = {"test_rows_with_twin": 7077, "test_rows_with_twin_and_labels": 7077}


def leaked_record(row):
    record = made_record(row, "tmc2007")
    data = record.data | {"n_test": 7077, "n_train": 21519, "audit": AUDIT}
    return dataclasses.replace(record, data=data, chosen={"power": 59.7})


def corrected_record(row):
    """Every value is 0.1 worse, or 0.2 for ML-MLM."""
    record = leaked_record(row)
    drop = 0.2 if row == "ML-MLM" else 0.1
    metrics = {
        name: value + drop if METRICS[name].lower_is_better else value - drop
        for name, value in record.metrics.items()
    }
    counts = {"test_rows_with_twin": 1220, "test_rows_with_twin_and_labels": 108}
    facts = {"fingerprint": FINGERPRINTS["tmc2007_fixed"], "audit": counts}
    return dataclasses.replace(
        record,
        dataset="tmc2007_fixed",
        metrics=metrics,
        data=record.data | facts | {"characteristics": {"cardinality": 2.158}},
        chosen={"power": 11.3},
    )


def records():
    others = [name for name in DATASETS if name != "tmc2007"]
    return [made_record(row, name) for row in OWN for name in others] + list(
        map(leaked_record, OWN)
    )


@pytest.fixture(scope="module")
def section(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    made_study(folder / "leak_free", map(corrected_record, OWN))
    return leak_section(made_study(folder / "paper", records()))


def table_of(section, name):
    return next(part for part in section.parts if isinstance(part, Table) and part.name == name)


def words_of(section):
    return " ".join(part.text for part in section.parts if not isinstance(part, Table))


def ranks_of(metric, drop=(), rows=None):
    """Average ranks by another library than the analysis's own."""
    table = TABLES[metric].drop(columns=list(drop))
    table = table if rows is None else table.loc[[row for row in rows if row in table.index]]
    sign = 1 if METRICS[metric].lower_is_better else -1
    return pd.Series(rankdata(sign * table.round(6), axis=0).mean(axis=1), index=table.index)


def test_both_splits_are_side_by_side(section):
    table = table_of(section, "leak_values")
    titles = [title for method in OWN for title in (method, f"{method} corrected")]
    assert list(table.values) == titles
    assert len(table.values) == len(PAPER_METRICS)
    assert table.values.at["Accuracy", "ML-MLM"] == pytest.approx(0.9944)
    assert table.values.at["Accuracy", "ML-MLM corrected"] == pytest.approx(0.7944)
    assert table.values.at["Ranking loss", "BR-MLM corrected"] == pytest.approx(0.1004)
    assert table.published.at["Accuracy", "ML-MLM"] == 0.994
    assert table.published.filter(like="corrected").isna().all(axis=None)
    assert table.agrees.at["Accuracy", "ML-MLM"] is True
    assert table.agrees.at["Accuracy", "ML-MLM corrected"] is None
    # NN-MLM does not rank.
    assert np.isnan(table.values.at["Coverage", "NN-MLM corrected"])


def test_the_audit_of_both(section):
    values = table_of(section, "leak_audit").values
    assert list(values.index) == ["tmc2007", "tmc2007_fixed"]
    assert values["test rows with a twin in training"].tolist() == [7077, 1220]
    assert values["with a twin and its labels"].tolist() == [7077, 108]
    assert values["P of ML-MLM"].tolist() == [59.7, 11.3]
    assert values.at["tmc2007_fixed", "cardinality"] == 2.158
    assert np.isnan(values.at["tmc2007", "cardinality"])  # its record does not say
    words = words_of(section)
    assert "Of the 7,077 test rows of Tmc2007 as published 7,077 have the features" in words
    assert "The whole test set is in the training set." in words
    assert "In the corrected split 108 are such copies." in words


@pytest.mark.parametrize("metric", PAPER_METRICS)
def test_average_ranks(section, metric):
    values = table_of(section, "leak_ranks").values
    title = metric.replace("_", " ").capitalize().replace("f1", "F1")
    rows = values.loc[title].set_index("method")
    assert set(rows.index) == set(TABLES[metric].index)
    whole, without = ranks_of(metric), ranks_of(metric, drop=["tmc2007"])
    for name in ("published", "reproduced"):
        pd.testing.assert_series_equal(rows[name], whole[rows.index], check_names=False)
        found = rows[f"{name} without Tmc2007"]
        pd.testing.assert_series_equal(found, without[rows.index], check_names=False)
    alone = ranks_of(metric, rows=OWN)
    found = rows["distance regression alone"].dropna()
    pd.testing.assert_series_equal(found, alone[found.index], check_names=False)
    assert set(found.index) == set(alone.index)
    fixed = rows["distance regression alone, corrected"].dropna()
    # On the corrected split ML-MLM is the last of them, on the published one it is not.
    assert fixed["ML-MLM"] > found["ML-MLM"]


def test_what_it_does_to_the_ranks_in_words(section):
    words = words_of(section)
    assert "In the reproduced tables the best average rank changes" in words
    assert "Macro F1 (ML-MLM; without it LLS-MLM, ML-MLM)" in words
    assert "meets a reference method 268 times" in words  # 3 x 5 and 4 x 13, on four metrics each
    assert "Among the distance-regression methods alone the order" in words


QUANTILES = {8: 3.030878, 17: 3.458425}
"""Of the studentized range at 0.95, divided by the root of two, by number of methods."""


def significant_leads(drop):
    """How often an own method is ahead of a reference method by the critical distance."""
    count = 0
    for metric in PAPER_METRICS:
        ranks = ranks_of(metric, drop)
        own, k = ranks.index.isin(OWN), len(ranks)
        leads = np.subtract.outer(ranks[~own].to_numpy(), ranks[own].to_numpy())
        distance = QUANTILES[k] * np.sqrt(k * (k + 1) / (6 * (len(DATASETS) - len(drop))))
        count += int((leads >= distance).sum())
    return count


def test_significant_leads_are_counted(section):
    before, after = significant_leads([]), significant_leads(["tmc2007"])
    expected = f"{before} times it is significantly better; without Tmc2007 {after} times"
    assert before > after
    assert expected in words_of(section)


def test_without_the_corrected_runs_it_says_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setattr("experiments.analysis.numbers.results.COMMITTED", tmp_path)
    section = leak_section(made_study(tmp_path / "paper", records()))
    assert "`make reproduce STUDY=leak_free && make report` makes them" in words_of(section)
    values = table_of(section, "leak_values").values
    assert values.filter(like="corrected").isna().all(axis=None)
    assert values["ML-MLM"].notna().all()
    ranks = table_of(section, "leak_ranks").values
    assert ranks["distance regression alone, corrected"].isna().all()
    assert ranks["reproduced without Tmc2007"].notna().all()
    assert table_of(section, "leak_audit").values.loc["tmc2007_fixed"].isna().all()


def test_an_empty_store_has_the_published_ranks(tmp_path):
    section = leak_section(StudyResults(tmp_path / "paper"))
    ranks = table_of(section, "leak_ranks").values
    assert ranks[["published", "published without Tmc2007"]].notna().all(axis=None)
    assert ranks[["reproduced", "distance regression alone"]].isna().all(axis=None)
    words = words_of(section)
    assert "do not hold the audit" in words
    assert "In the published tables the best average rank changes" in words


def test_its_files(section, tmp_path):
    for part in section.parts:
        if isinstance(part, Table):
            write_table(part, tmp_path)
    frame = pd.read_csv(tmp_path / "leak_ranks.csv")
    assert list(frame)[:4] == ["metric", "method", "published", "published without Tmc2007"]
    assert len(frame) == 4 * 8 + 4 * 17
    assert section.command == "make reproduce STUDY=leak_free && make report"


def test_figures_without_twins_are_those_of_the_other_rows(tmp_path):
    rng = np.random.default_rng(2)
    twin = np.arange(20) % 4 == 0
    arrays = {row: {"accuracy_per_row": rng.random(20)} for row in OWN}
    losses = np.where(np.arange(20) == 1, np.nan, rng.random(20))
    arrays["ML-MLM"]["ranking_loss_per_row"] = losses
    for row in OWN:
        add_run(tmp_path / "paper", made_record(row, "enron"), arrays[row])
        add_run(tmp_path / "leak_free", corrected_record(row), arrays[row])
    write_rows(tmp_path / "paper", "enron", {"has_twin": twin})
    write_rows(tmp_path / "paper", "tmc2007_fixed", {"has_twin": ~twin})
    section = leak_section(StudyResults(tmp_path / "paper"))
    table = table_of(section, "leak_twins").values.set_index("method", append=True)
    assert set(table.index) == {
        (name, row) for name in ("Enron", "Tmc2007 corrected") for row in OWN
    }
    row = table.loc[("Enron", "ML-MLM")]
    accuracies = arrays["ML-MLM"]["accuracy_per_row"]
    assert (row["rows"], row["twins"]) == (20, 5)
    assert row["accuracy"] == pytest.approx(accuracies.mean())
    assert row["accuracy without"] == pytest.approx(accuracies[~twin].mean())
    assert row["ranking_loss without"] == pytest.approx(np.nanmean(losses[~twin]))
    assert np.isnan(table.loc[("Enron", "NN-MLM"), "ranking_loss"])
    corrected = table.loc[("Tmc2007 corrected", "ML-MLM")]
    assert corrected["accuracy without"] == pytest.approx(accuracies[twin].mean())
    assert "On 2 datasets some test rows have the features of a training row." in words_of(section)


def test_without_the_rows_the_section_says_how_to_get_them(section):
    assert "`python -m experiments.rows results/paper`" in words_of(section)
