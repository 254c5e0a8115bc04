"""What a study of reference points finds, on made records."""

import dataclasses

import numpy as np
import pytest

from experiments.analysis.numbers.references import (
    TOLERANCE,
    enough,
    label_counts,
    losses,
    mean_runs,
    reference_runs,
    rivals,
)
from experiments.analysis.sections.references import draw, findings, references_section
from mlmlm.metrics import METRICS, PAPER_METRICS
from tests.made_records import made_record, made_study

SHARES = (0.1, 0.5)
LOST = {0.1: 3 * TOLERANCE, 0.5: TOLERANCE / 2}
"""By how much each metric is worse than the full model's."""


def worse(record, by):
    metrics = {
        name: value + by * (1 if METRICS[name].lower_is_better else -1)
        * (record.data["n_labels"] if name == "coverage" else 1)
        for name, value in record.metrics.items()
    }  # fmt: skip
    return dataclasses.replace(record, metrics=metrics)


def with_share(record, share, seed, by):
    setting = {"references": share, "selection": "random", "swept": record.method}
    config = record.config | {"method": record.config["method"] | setting}
    return dataclasses.replace(
        worse(record, by),
        method=f"{record.method}-references={share}",
        published_as=None,
        config=config,
        seed=seed,
        chosen=record.chosen | {"references": round(share * record.data["n_train"])},
    )


@pytest.fixture
def results(tmp_path):
    full = [made_record("ML-MLM", name) for name in ("emotions", "yeast")]
    runs = [
        with_share(record, share, seed, LOST[share] + spread)
        for record in full
        for share in SHARES
        for seed, spread in ((1, -0.001), (2, 0.001))
    ]
    return made_study(tmp_path / "references", [*full, *runs])


def test_runs_have_their_share_and_the_full_model_all(results):
    runs = reference_runs(results)
    assert len(runs) == 2 * (1 + 2 * 2)
    assert set(runs["share"]) == {1.0, *SHARES}
    assert set(runs["method"]) == {"ML-MLM"}
    assert runs.loc[runs["share"] == 1, "selection"].isna().all()
    emotions = runs[(runs["dataset"] == "Emotions") & (runs["share"] == 0.5)]
    n_train = results.records[0].data["n_train"]
    assert set(emotions["references"]) == {round(0.5 * n_train)}


def test_losses_are_of_means_over_seeds_and_coverage_is_by_label(results):
    runs = reference_runs(results)
    assert len(mean_runs(runs)) == 2 * 3
    lost = losses(runs, label_counts(results)).set_index("share")
    for share in SHARES:
        np.testing.assert_allclose(lost.loc[share, list(PAPER_METRICS)], LOST[share], atol=1e-12)


def test_a_share_is_enough_from_which_on_nothing_is_lost(results):
    lost = losses(reference_runs(results), label_counts(results))
    assert (enough(lost, "random") == 0.5).all(axis=None)
    # A larger share that loses again makes the smaller one chance.
    lost.loc[lost["share"] == 0.5, "accuracy"] = 1.0
    lost.loc[lost["share"] == 0.1, "accuracy"] = 0.0
    assert enough(lost, "random")["accuracy"].isna().all()


def test_findings_in_words(results):
    text = " ".join(findings(results))
    assert (
        "ML-MLM: 50% of the inputs are enough for all eight metrics on Emotions and Yeast" in text
    )


def test_what_is_never_enough_is_said(tmp_path):
    full = made_record("ML-MLM", "emotions")
    study = made_study(tmp_path / "references", [full, with_share(full, 0.5, 1, 0.02)])
    assert "even 50% are not enough on Emotions" in " ".join(findings(study))
    assert "0.020 worse" in " ".join(findings(study))


def test_rivals_are_beside_and_said_where_they_are_better(results, tmp_path):
    forest = made_record("RF-PCT", "emotions", method="rf_pct")
    better = dataclasses.replace(forest, metrics=forest.metrics | {"accuracy": 0.99})
    made_study(tmp_path / "one_footing", [better])
    others = rivals(results)
    assert list(others["dataset"]) == ["Emotions"]
    section = references_section(results)
    told = " ".join(part.text for part in section.parts if hasattr(part, "text"))
    assert "Higher accuracy than with any share" in told
    assert "on Emotions (0.990 to" in told


def test_a_panel_for_each_dataset_and_a_picture_for_each_metric(results):
    runs = reference_runs(results)
    _, axes = draw(runs, rivals(results)[:0], "accuracy", "share")
    assert [ax.get_title(loc="left") for ax in axes] == ["Emotions", "Yeast"]
    (line,) = [line for line in axes[0].get_lines() if line.get_label() == "ML-MLM, random"]
    np.testing.assert_allclose(line.get_xdata(), SHARES)
    names = {picture.name for picture in references_section(results).pictures}
    assert {f"references_{metric}_by_seconds" for metric in PAPER_METRICS} <= names
    assert len(names) == 2 * len(PAPER_METRICS)


def test_without_runs_of_fewer_the_section_says_how_to_get_them(tmp_path):
    study = made_study(tmp_path / "references", [made_record("ML-MLM", "emotions")])
    (part,) = references_section(study).parts
    assert "make reproduce STUDY=references" in part.text
    assert "yet" in " ".join(findings(study))


def test_datasets_with_fewer_seeds_are_named(tmp_path, results):
    some = [
        record
        for record in results.records
        if record.dataset == "emotions" or record.seed in (None, 1)
    ]
    study = made_study(tmp_path / "fewer", some)
    notes = {table.note for table in references_section(study).tables}
    assert any("the mean over 2 seeds (1 on Yeast) is at most" in note for note in notes)
