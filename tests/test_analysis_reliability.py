"""The section on scores as probabilities: its numbers, its words and its picture."""

import dataclasses
import json

import numpy as np
import pytest

from experiments.analysis.numbers.reliability import N_BINS, reliability
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import Paragraph
from experiments.analysis.sections.reliability import FEWEST, reliability_section
from tests.made_records import DATASETS, FINGERPRINTS, made_record, made_study
from tests.readable import check_texts

CONSTANT = {"brier_score": 0.2, "log_loss": 0.6, "calibration_error": 0.01}
BETTER = {"brier_score": 0.1, "log_loss": 0.3, "calibration_error": 0.02}
WORSE = {"brier_score": 0.3, "log_loss": 0.9, "calibration_error": 0.2}


def made_bins(counts):
    """Bins that are not empty, a little over-confident."""
    return [
        {"number": n, "mean": (n + 0.6) / N_BINS, "share": (n + 0.3) / N_BINS, "count": int(count)}
        for n, count in enumerate(counts)
        if count
    ]


def write_reliability(folder, dataset, kinds, counts=(1000, *[50] * 14), **changes):
    content = {
        "fingerprint": FINGERPRINTS[dataset],
        "kinds": {kind: each | {"bins": made_bins(counts)} for kind, each in kinds.items()},
    }
    (folder / "reliability").mkdir(exist_ok=True)
    (folder / "reliability" / f"{dataset}.json").write_text(json.dumps(content | changes))


def kinds(published=BETTER, sigmoid=BETTER, isotonic=BETTER):
    return {
        "published": published,
        "sigmoid": sigmoid,
        "isotonic": isotonic,
        "prevalence": CONSTANT,
    }


def study(folder, datasets, leaked=()):
    records = []
    for name in datasets:
        record = made_record("ML-MLM", name)
        copies = record.data["n_test"] if name in leaked else 0
        audit = {"test_rows_with_twin_and_labels": copies}
        records.append(dataclasses.replace(record, data=record.data | {"audit": audit}))
    return made_study(folder, records)


def words(section):
    return " ".join(part.text for part in section.parts if isinstance(part, Paragraph))


def tables(section):
    return {table.name: table.values for table in section.tables}


def test_where_nothing_was_computed_there_is_no_section(tmp_path):
    assert reliability_section(study(tmp_path, ["emotions"])).parts == []
    assert reliability_section(StudyResults(tmp_path / "nothing")).parts == []


def test_what_is_of_other_data_is_not_used(tmp_path):
    results = study(tmp_path, ["emotions"])
    write_reliability(tmp_path, "emotions", kinds(), fingerprint="of other data")
    assert reliability(results) is None


def test_values_stand_beside_the_constant(tmp_path):
    results = study(tmp_path, ["emotions", "yeast"])
    write_reliability(tmp_path, "yeast", kinds(published=WORSE))
    write_reliability(tmp_path, "emotions", kinds())
    brier = tables(reliability_section(results))["reliability_brier_score"]
    assert list(brier.index) == ["Emotions", "Yeast"]
    assert brier["as published"].tolist() == [0.1, 0.3]
    assert brier["gain, as published"].tolist() == pytest.approx([0.5, -0.5])
    assert brier["constant prevalence"].tolist() == [0.2, 0.2]


def test_the_first_bin_is_told_in_numbers(tmp_path):
    results = study(tmp_path, ["emotions"])
    write_reliability(tmp_path, "emotions", kinds(), counts=(300, 0, 100))
    first = tables(reliability_section(results))["reliability_calibration_error"].iloc[0]
    assert first["first bin: labels"] == 0.75
    assert first["first bin: probability"] == pytest.approx(0.6 / N_BINS)
    assert first["first bin: observed"] == pytest.approx(0.3 / N_BINS)


def test_the_words_say_where_scores_are_worse_and_calibration_does_not_help(tmp_path):
    results = study(tmp_path, ["emotions", "scene", "yeast"])
    write_reliability(tmp_path, "emotions", kinds(published=CONSTANT))
    write_reliability(tmp_path, "scene", kinds(published=BETTER | {"log_loss": 2.0}))
    write_reliability(tmp_path, "yeast", kinds(sigmoid=WORSE))
    text = words(reliability_section(results))
    for sentence in (
        "**As published the scores are better than the constant by the Brier score on 2 of 3 "
        "datasets (not on Emotions), by log loss on 1 of 3 datasets (not on Emotions and Scene).**",
        "Calibrated by a sigmoid they are better than as published by the Brier score on 1 of 3 "
        "datasets (not on Scene and Yeast), by log loss on 2 of 3 datasets (not on Yeast); better "
        "than the constant by both measures on 2 of 3 datasets (not on Yeast).",
        "better than the constant by both measures on all 3 datasets.",
        "The expected calibration error is smaller than as published by a sigmoid on 0 of 3 "
        "datasets (not on Emotions, Scene and Yeast), by isotonic regression on 0 of 3",
    ):
        assert sentence in text
    assert "copies" not in text


def test_a_leak_is_told(tmp_path):
    results = study(tmp_path, ["emotions", "tmc2007"], leaked=["tmc2007"])
    for name in ("emotions", "tmc2007"):
        write_reliability(tmp_path, name, kinds(sigmoid=WORSE))
    text = words(reliability_section(results))
    rows = results.record("tmc2007", "ML-MLM").data["n_test"]
    assert f"All {rows:,} test rows of Tmc2007 are copies of training rows" in text
    assert "0.1000 as published, 0.3000 by a sigmoid" in text
    assert "rows of Emotions" not in text


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("datasets", [DATASETS, DATASETS[:7], ["yeast"]], ids=len)
def test_the_picture_is_readable_whatever_is_there(tmp_path, datasets):
    results = study(tmp_path, datasets)
    for name in datasets:
        write_reliability(tmp_path, name, kinds(), counts=(3_000_000, *[30] * 14))
    section = reliability_section(results)
    (picture,) = section.pictures
    check_texts(picture.figure)
    missing = [name for name in DATASETS if name not in datasets]
    assert ("Missing:" in picture.caption) == bool(missing)


def test_points_are_those_of_bins_with_enough_labels(tmp_path):
    results = study(tmp_path, ["yeast"])
    write_reliability(tmp_path, "yeast", kinds(), counts=(500, FEWEST - 1, FEWEST, 0, 1))
    (picture,) = reliability_section(results).pictures
    diagram, counts = picture.figure.axes
    (published,) = [line for line in diagram.lines if line.get_label() == "as published"]
    drawn = np.asarray(published.get_xdata())
    assert np.flatnonzero(~np.isnan(drawn)).tolist() == [0, 2]
    assert counts.patches[0].get_data().values[:5].tolist() == [500, FEWEST - 1, FEWEST, 0, 1]
