"""Studies: order, sharing, failures, resuming, tables."""

import dataclasses
import io
import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from experiments import committed, compute, execute, study
from experiments.analysis.numbers.results import StudyResults
from experiments.choices import DatasetChoice, MethodChoice
from experiments.execute import Workbench, obtain
from experiments.record import RecordError, read_record
from experiments.store import FAILURE, Store
from experiments.terminal import study_display
from experiments.terminal.study_display import StudyDisplay
from experiments.terminal.study_summary import agreement_tables
from mlmlm import DistanceRegression
from tests.harness import call, essence, finish, record_files, start
from tests.made_records import DATASETS, made_record

METHODS = {"ml_mlm", "nn_mlm", "lls_mlm", "br_mlm"}


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    """The command with a store and an output folder of its own."""

    def command(*arguments):
        places = f"results={tmp_path / 'runs'}", f"output={tmp_path / 'study'}", "report=false"
        return call(study.main, monkeypatch, capsys, *arguments, *places)

    return command


@pytest.mark.slow
def test_smoke_study_solves_the_regression_once_and_is_reused(command, tmp_path, monkeypatch):
    solved = []
    fit = DistanceRegression.fit

    def counted(self, X, Y):
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
    arguments = ("study=smoke", "report=false", f"results={tmp_path / 'runs'}")
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
    predict = compute.ask

    def broken(estimator, inputs, shape):
        if type(estimator).__name__ == "LocalizationMLM":
            raise RuntimeError("out of luck")
        return predict(estimator, inputs, shape)

    monkeypatch.setattr(compute, "ask", broken)
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
    with StudyDisplay(console, [1500, 1500, float("inf")], [1, 1, 1]) as display:
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


def names(folder: Path) -> list[str]:
    """Which records a study's folder has."""
    return sorted(path.stem for path in folder.rglob("*.json") if path.name != "study.json")


def test_the_folder_has_the_runs_that_the_study_asks_for_and_nothing_else(command, tmp_path):
    folder = tmp_path / "study"
    command("study=smoke", "study.methods=[nn_mlm,br_mlm]")
    assert names(folder / "records") == ["br_mlm", "nn_mlm"]
    answer = command("study=smoke", "study.methods=[nn_mlm,lls_mlm]")
    assert "1 older records are not of this study" in answer.out
    assert names(folder / "records") == ["lls_mlm", "nn_mlm"]
    assert names(folder / "set_aside") == ["br_mlm"]
    assert StudyResults(folder).methods == ["nn_mlm", "lls_mlm"]


def test_what_fails_now_does_not_keep_its_older_figures(command, tmp_path, monkeypatch):
    command("study=smoke")
    monkeypatch.setattr(execute, "_chosen", lambda _: 1 / 0)
    command("study=smoke", "study.methods=[nn_mlm]", "force=true")
    results = StudyResults(tmp_path / "study")
    assert results.methods == []
    assert [each.method for each in results.manifest.failed] == ["nn_mlm"]
    assert len(names(tmp_path / "study" / "set_aside")) == 4


def test_a_changed_parameter_leaves_no_older_run_in_the_study(command, tmp_path):
    conf = tmp_path / "conf" / "method"
    conf.mkdir(parents=True)
    text = "_target_: sklearn.tree.DecisionTreeClassifier\nmax_depth: {}\nseeds: {}\n"
    for depth, seeds in ((3, [1, 2]), (4, [2])):
        (conf / "tree.yaml").write_text(text.format(depth, seeds))
        answer = command(
            f"--config-dir={tmp_path / 'conf'}", "study.datasets=[emotions]", "study.methods=[tree]"
        )
        assert answer.code == 0, answer.err
    assert "an older record is not reused; changed: max_depth 4, was 3" in answer.out
    (record,) = StudyResults(tmp_path / "study").records
    assert (record.seed, record.parameters["max_depth"]) == (2, 4)


def test_names_that_differ_in_signs_only_are_kept_apart(command, tmp_path):
    conf = tmp_path / "conf" / "method"
    conf.mkdir(parents=True)
    for name, neighbours in (("knn+", 3), ("knn@", 9)):
        (conf / f"{name}.yaml").write_text(
            f"_target_: sklearn.neighbors.KNeighborsClassifier\nn_neighbors: {neighbours}\n"
        )
    command(
        f"--config-dir={tmp_path / 'conf'}",
        "study.datasets=[emotions]",
        "study.methods=['knn+','knn@']",
    )
    records = StudyResults(tmp_path / "study").records
    assert [each.parameters["n_neighbors"] for each in records] == [3, 9]


def test_a_stray_file_does_not_matter_and_a_damaged_record_is_named(command, tmp_path):
    command("study=smoke", "study.methods=[nn_mlm]")
    folder = tmp_path / "study" / "records" / "emotions"
    (folder / "notes.json").write_text("{")
    assert StudyResults(tmp_path / "study").methods == ["nn_mlm"]
    (folder / "nn_mlm.json").write_text("{")
    with pytest.raises(RecordError, match=r"nn_mlm\.json: not a whole record"):
        _ = StudyResults(tmp_path / "study").records


def test_committed_results_count_as_done(command, tmp_path, monkeypatch):
    command("study=smoke")
    monkeypatch.setattr(committed, "COMMITTED", tmp_path / "committed")
    shutil.copytree(tmp_path / "study", tmp_path / "committed" / "smoke")
    shutil.rmtree(tmp_path / "runs")
    chosen = ("study=smoke", "study.methods=[nn_mlm,ml_knn]")
    answer = command(*chosen, "study.reuse_committed=true")
    assert "1 computed, 0 reused, 1 taken from the committed results, 0 failed" in answer.out
    results = StudyResults(tmp_path / "study")
    assert results.methods == ["nn_mlm", "ml_knn"]
    assert results.arrays("emotions", "nn_mlm").keys() >= {"smallest_distances"}


def test_the_end_of_a_study_tells_how_far_it_agrees(command):
    shown = command("study=smoke").out
    assert "27 of 28" in shown
    assert "Cells that differ" in shown and "hamming_loss" in shown


def test_a_long_list_of_cells_is_cut_with_a_word_on_the_rest():
    records = [made_record("ML-MLM", dataset) for dataset in DATASETS]
    off = [
        dataclasses.replace(each, metrics={k: v + 1 for k, v in each.metrics.items()})
        for each in records
    ]
    *_, cells = agreement_tables(off)
    assert cells.row_count == 30
    assert "more, in tables/cells.csv" in cells.caption
