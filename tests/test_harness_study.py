"""Studies: order, sharing, failures, resuming, tables."""

import dataclasses
import io
import json
import os
import signal
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from experiments import execute, study, study_display
from experiments.analysis import tables
from experiments.analysis.tables import read_records, write_tables
from experiments.execute import Bench, obtain
from experiments.record import read_record
from experiments.store import FAILURE, Store
from experiments.study_display import StudyDisplay
from experiments.task import DatasetChoice, MethodChoice
from mlmlm import DistanceRegression
from tests.harness import ROOT, call, essence, finish, record_files, start
from tests.kill_study import kill_and_resume

METHODS = {"ml_mlm", "nn_mlm", "lls_mlm", "br_mlm"}
COMMITTED = ROOT / "results" / "paper" / "records"


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    """The command with a store and an output folder of its own."""

    def command(*arguments):
        places = f"results={tmp_path / 'runs'}", f"output={tmp_path / 'study'}"
        return call(study.main, monkeypatch, capsys, *arguments, *places)

    return command


def test_smoke_study_solves_the_regression_once_and_is_reused(command, tmp_path, monkeypatch):
    solved = []
    fit = DistanceRegression.fit

    def counted(self, X, Y):
        if len(X) > 2:  # not the rehearsals
            solved.append(len(X))
        return fit(self, X, Y)

    monkeypatch.setattr(DistanceRegression, "fit", counted)
    answer = command("study=smoke")
    assert answer.code == 0, answer.err
    assert "4 computed, 0 reused, 0 failed" in answer.out
    assert "[4/4] emotions br_mlm" in answer.out
    assert solved == [391]
    assert "0 computed, 4 reused, 0 failed" in command("study=smoke").out
    assert solved == [391]
    records = read_records(tmp_path / "study" / "records")
    assert {record.method for record in records} == METHODS
    for path in (tmp_path / "study" / "records").rglob("*.*"):
        assert path.stat().st_size < 100_000


def test_a_run_by_itself_and_in_a_study_have_the_same_identity_and_figures(command, tmp_path):
    command("study=smoke")
    alone = Store(tmp_path / "alone")
    dataset = DatasetChoice(
        "emotions", {"_target_": "mlmlm.datasets.load_dataset", "name": "emotions"}
    )
    for name, path in record_files(tmp_path / "runs").items():
        record = read_record(path.read_bytes())
        method = MethodChoice(record.method, record.config["method"])
        obtain(alone, Bench(dataset, dataset.load()), method)
        assert essence(alone.root / name) == essence(path)


def test_two_studies_at_once_share_the_work(tmp_path):
    arguments = ("study=smoke", f"results={tmp_path / 'runs'}")
    both = [
        start("experiments.study", *arguments, f"output={tmp_path / name}") for name in ("a", "b")
    ]
    answers = [finish(process) for process in both]
    assert [answer.code for answer in answers] == [0, 0]
    told = "".join(answer.out for answer in answers)
    assert "4 computed, 0 reused" in told
    assert "0 computed, 4 reused" in told
    assert len(record_files(tmp_path / "runs")) == 4


def test_smallest_dataset_first(command):
    answer = command("study.datasets=[scene,emotions,genbase]", "study.methods=[nn_mlm]")
    runs = [line.split()[1] for line in answer.out.splitlines() if line.startswith("[")]
    assert runs == ["emotions", "genbase", "scene"]


def test_variants_run_where_a_cell_differs_and_stay_out_of_the_count(command, tmp_path):
    answer = command("study=paper", "study.datasets=[emotions,scene]")
    assert "variant emotions ml_mlm_log_odds" in answer.out
    assert "variant scene" not in answer.out  # all 28 cells agree
    assert "xml_order" not in answer.out  # the order of Emotions' XML file is the usual one
    assert "27 of 28" in answer.out
    written = read_record((tmp_path / "study/records/emotions/ml_mlm_log_odds.json").read_bytes())
    assert (written.variant, written.published_as) == ("log-odds ranking", "ML-MLM")
    assert np.log2(written.chosen["power"]) == pytest.approx(5.1)  # as exact arithmetic has it


def test_a_failure_is_recorded_and_the_study_goes_on(command, tmp_path, monkeypatch):
    predict = execute._answer

    def broken(estimator, inputs):
        if type(estimator).__name__ == "LocalizationMLM":
            raise RuntimeError("out of luck")
        return predict(estimator, inputs)

    monkeypatch.setattr(execute, "_answer", broken)
    answer = command("study=smoke")
    assert answer.code == 1
    assert "3 computed, 0 reused, 1 failed" in answer.out
    assert "failed: lls_mlm on emotions: out of luck" in answer.out
    (failure,) = (tmp_path / "runs").glob(f"emotions/lls_mlm/*/{FAILURE}")
    assert "RuntimeError: out of luck" in json.loads(failure.read_text())["traceback"]


def test_after_a_failure_only_what_is_missing_is_computed(command, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(execute, "_chosen", lambda _: 1 / 0)
        assert command("study=smoke", "study.methods=[nn_mlm]").code == 1
    assert list((tmp_path / "runs").rglob(FAILURE))
    answer = command("study=smoke")
    assert answer.code == 0
    assert "4 computed" in answer.out
    assert not list((tmp_path / "runs").rglob(FAILURE))


def test_a_dataset_that_cannot_be_loaded_fails_alone(command, tmp_path):
    conf = tmp_path / "conf" / "dataset"
    conf.mkdir(parents=True)
    (conf / "absent.yaml").write_text(
        "_target_: mlmlm.datasets.load_csv\ntrain: absent.csv\nlabels: [a]\ntest_size: 0.5\n"
    )
    answer = command(
        f"hydra.searchpath=[file://{tmp_path / 'conf'}]",
        "study.datasets=[absent,emotions]",
        "study.methods=[nn_mlm]",
    )
    assert answer.code == 1
    assert "1 computed, 0 reused, 1 failed" in answer.out
    assert "absent.csv: cannot be read" in answer.out
    assert (tmp_path / "runs" / "absent" / FAILURE).is_file()


def test_interrupted_by_the_keyboard(tmp_path):
    process = start(
        "experiments.study", "study=smoke", f"results={tmp_path / 'r'}", f"output={tmp_path / 'o'}"
    )
    while not (tmp_path / "r" / ".locks").exists() and process.poll() is None:
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, (out, err)
    assert "the same command goes on" in out + err
    assert "Traceback" not in err


@pytest.mark.slow
def test_killed_studies_lose_nothing(tmp_path):
    tally = kill_and_resume(int(os.environ.get("MLMLM_KILLS", "3")), tmp_path)
    assert tally.is_clean, tally


def test_display_tells_what_runs_and_how_long_it_will_take(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(study_display.time, "perf_counter", lambda: now[0])
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120)
    with StudyDisplay(console, [1500, 1500, float("inf")], n_methods=1) as display:
        display.start("yeast", "ml_mlm")
        display.show_phase("tuning", 1, 4)
        display._bars.refresh()
        assert "yeast ml_mlm: tuning" in screen.getvalue()
        assert "25%" in screen.getvalue()
        now[0] = 100.0
        display.finish("100.0 s")
        now[0] = 150.0  # of 200 seconds left
        display.show_phase("tuning", 1, 4)
        display._bars.refresh()
        assert "1/3  about 0:02:30 left" in screen.getvalue()
    assert "[1/3] yeast ml_mlm" in screen.getvalue()


def test_tables_show_ours_beside_the_published(command, tmp_path):
    command("study=smoke")
    folder = tmp_path / "study" / "tables"
    cells = pd.read_csv(folder / "cells.csv")
    assert len(cells[cells["published"].notna()]) == 31
    agreement = pd.read_csv(folder / "agreement.csv", index_col="dataset")
    assert agreement.loc["emotions", "in all"] == "27 of 28"
    text = (folder / "results.md").read_text()
    assert "| ml_mlm | 0.142 (0.142) |" in text
    assert "| lls_mlm | **0.200 (0.201)** |" in text
    assert "2.9 (2.9)" in (folder / "power_distance.md").read_text()
    assert "emotions" in (folder / "resources.md").read_text()


def test_tables_can_be_made_again_from_collected_records(command, tmp_path):
    command("study=smoke")
    folder = tmp_path / "study" / "tables"
    before = (folder / "agreement.csv").read_text()
    for path in folder.iterdir():
        path.unlink()
    assert tables.main([str(tmp_path / "study")]) == 0
    assert (folder / "agreement.csv").read_text() == before
    assert tables.main([str(tmp_path / "nothing")]) == 2


def test_a_narrowed_study_keeps_the_tables_of_the_other_datasets(command, tmp_path):
    command("study=smoke")
    command("study=smoke", "study.datasets=[scene]", "study.methods=[nn_mlm]")
    agreement = pd.read_csv(tmp_path / "study" / "tables" / "agreement.csv", index_col="dataset")
    assert agreement["in all"].to_dict() == {
        "emotions": "27 of 28",
        "scene": "4 of 4",
        "in all": "31 of 32",
    }


def test_the_end_of_a_study_tells_how_far_it_agrees(command):
    shown = command("study=smoke").out
    assert "27 of 28" in shown
    assert "Cells that differ" in shown and "hamming_loss" in shown


def test_tables_have_room_for_methods_and_data_that_nobody_published(tmp_path):
    record = read_record((Path(__file__).parent / "data" / "record_schema1.json").read_bytes())
    other = dataclasses.replace(
        record, method="forest", published_as=None, chosen={}, distance=None
    )
    unknown = dataclasses.replace(record, data=record.data | {"fingerprint": "another"})
    write_tables([record, other], tmp_path)
    assert "| forest | 0.142 |" in (tmp_path / "results.md").read_text()
    write_tables([unknown], tmp_path)
    assert "| ml_mlm | 0.142 |" in (tmp_path / "results.md").read_text()


@pytest.mark.skipif(not COMMITTED.is_dir(), reason="no committed records")
@pytest.mark.parametrize("name", ["emotions", "scene", "yeast"])
def test_committed_records_are_what_the_code_gives(name, tmp_path):
    dataset = DatasetChoice(name, {"_target_": "mlmlm.datasets.load_dataset", "name": name})
    bench = Bench(dataset, dataset.load())
    for path in sorted((COMMITTED / name).glob("*.json")):
        committed = read_record(path.read_bytes())
        record, _ = bench.run(MethodChoice(committed.method, committed.config["method"]))
        assert record.identity == committed.identity
        # Another BLAS rounds otherwise: the figures agree at the printed precision.
        assert record.chosen == pytest.approx(committed.chosen, rel=1e-4)
        assert record.metrics == pytest.approx(committed.metrics, abs=5e-4)
        assert record.distance == pytest.approx(committed.distance, rel=1e-4)
