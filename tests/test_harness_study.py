"""Studies: order, sharing, failures, resuming, tables."""

import dataclasses
import io
import json
import os
import signal
import sys
import time

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from experiments import execute, study
from experiments.analysis.results import StudyResults
from experiments.choices import DatasetChoice, MethodChoice
from experiments.execute import Workbench, obtain
from experiments.record import read_record
from experiments.store import FAILURE, Store
from experiments.terminal import study_display
from experiments.terminal.study_display import StudyDisplay
from experiments.terminal.study_summary import agreement_tables
from mlmlm import DistanceRegression
from tests.harness import ROOT, call, essence, finish, record_files, start
from tests.made_records import DATASETS, made_record

METHODS = {"ml_mlm", "nn_mlm", "lls_mlm", "br_mlm"}
COMMITTED = ROOT / "results" / "committed" / "paper" / "records"


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
    assert set(StudyResults(tmp_path / "study").methods) == METHODS
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
        obtain(alone, Workbench(dataset, dataset.load()), method)
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


def test_seeds_are_runs_of_their_own(command, tmp_path):
    folder = tmp_path / "conf" / "method"
    folder.mkdir(parents=True)
    (folder / "forest.yaml").write_text(
        "_target_: sklearn.ensemble.RandomForestClassifier\nn_estimators: 5\nseeds: [1, 2]\n"
    )
    config = f"--config-dir={tmp_path / 'conf'}"
    answer = command(config, "study.datasets=[emotions]", "study.methods=[forest,nn_mlm]")
    assert answer.code == 0, answer.err
    assert "[2/3] emotions forest seed 2" in answer.out
    records = [
        read_record((tmp_path / f"study/records/emotions/forest-seed{seed}.json").read_bytes())
        for seed in (1, 2)
    ]
    assert [record.seed for record in records] == [1, 2]
    assert records[0].identity != records[1].identity
    assert records[0].metrics != records[1].metrics
    again = command(config, "study.datasets=[emotions]", "study.methods=[forest,nn_mlm]")
    assert "0 computed, 3 reused" in again.out


def test_a_method_whose_extra_is_not_installed_is_skipped(command, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    answer = command("study.datasets=[emotions]", "study.methods=[lightgbm,nn_mlm]")
    assert answer.code == 0, answer.err
    assert "skipped: method 'lightgbm'" in answer.out
    assert "extra 'modern'" in answer.out
    assert "1 computed, 0 reused, 0 failed, 1 skipped" in answer.out


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
    assert "| Emotions | 27 | 1 | 0 | 28 |" in (folder / "agreement_by_dataset.md").read_text()
    losses = (folder / "table_hamming_loss.md").read_text()
    assert "| LLS-MLM | – (0.011) | 0.200 (≠ 0.201) |" in losses
    assert "| Emotions | 2.9 (2.9) |" in (folder / "table_power_distance.md").read_text()
    assert "| Emotions |" in (folder / "resources.md").read_text()
    assert "| Emotions | 391 (391) |" in (folder / "table_data.md").read_text()


def test_a_narrowed_study_keeps_the_tables_of_the_other_datasets(command, tmp_path):
    command("study=smoke")
    command("study=smoke", "study.datasets=[scene]", "study.methods=[nn_mlm]")
    path = tmp_path / "study" / "tables" / "agreement_by_dataset.csv"
    agree = pd.read_csv(path, index_col="dataset")["agree"]
    assert agree[agree > 0].to_dict() == {"Emotions": 27, "Scene": 4, "in all": 31}


def test_the_end_of_a_study_tells_how_far_it_agrees(command):
    shown = command("study=smoke").out
    assert "27 of 28" in shown
    assert "Cells that differ" in shown and "hamming_loss" in shown


@pytest.mark.skipif(not COMMITTED.is_dir(), reason="no committed records")
@pytest.mark.parametrize("name", ["emotions", "scene", "yeast"])
def test_committed_records_are_what_the_code_gives(name, tmp_path):
    dataset = DatasetChoice(name, {"_target_": "mlmlm.datasets.load_dataset", "name": name})
    bench = Workbench(dataset, dataset.load())
    for path in sorted((COMMITTED / name).glob("*.json")):
        committed = read_record(path.read_bytes())
        record, _ = bench.run(MethodChoice(committed.method, committed.config["method"]))
        assert record.identity == committed.identity
        # Another BLAS rounds otherwise: the figures agree at the printed precision.
        assert record.chosen == pytest.approx(committed.chosen, rel=1e-4)
        assert record.metrics == pytest.approx(committed.metrics, abs=5e-4)
        assert record.distance == pytest.approx(committed.distance, rel=1e-4)


def test_a_long_list_of_cells_is_cut_with_a_word_on_the_rest():
    records = [made_record("ML-MLM", dataset) for dataset in DATASETS]
    off = [
        dataclasses.replace(each, metrics={k: v + 1 for k, v in each.metrics.items()})
        for each in records
    ]
    *_, cells = agreement_tables(off)
    assert cells.row_count == 30
    assert "more, in tables/cells.csv" in cells.caption
