"""One run from the command line: what it prints, keeps, reuses and refuses."""

import json

import numpy as np
import pytest

from experiments import run, study
from experiments.errors import describe
from experiments.store import RunKey, Store
from mlmlm.datasets import load_dataset
from mlmlm.metrics import evaluate
from tests.harness import call, finish, record_files, start


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    """The command on a store of its own."""

    def command(*arguments, main=run.main):
        return call(main, monkeypatch, capsys, *arguments, f"results={tmp_path}")

    return command


def test_a_run_prints_and_keeps_its_figures(command, tmp_path):
    answer = command("dataset=emotions", "method=ml_mlm")
    assert answer.code == 0, answer.err
    rows = {line.split("│")[1].strip(): line for line in answer.out.splitlines() if "│" in line}
    assert rows["ranking_loss"].split("│")[2:5] == [" 0.142 ", "     0.142 ", "    yes "]
    assert {"distances", "gram", "tuning", "in all"} <= rows.keys()
    assert "P = 7.464 = 2^2.9   published 2^2.9" in answer.out
    assert "threshold = 0.4309" in answer.out
    assert "distance = 0.8 ± 0.4   published 0.8 ± 0.4" in answer.out
    (name,) = record_files(tmp_path)
    assert f"computed: {tmp_path / name}" in answer.out


def test_arrays_give_the_metrics_again(command, tmp_path):
    command("method=ml_mlm")
    (name,) = record_files(tmp_path)
    dataset, method, identity, _ = name.split("/")
    store, key = Store(tmp_path), RunKey(dataset, method, identity)
    record, arrays = store.read(key), store.read_arrays(key)
    again = evaluate(load_dataset("emotions").Y_test, arrays["predictions"], arrays["scores"])
    assert again == {metric: record.metrics[metric] for metric in again}
    squared = arrays["smallest_distances"] ** 2
    assert record.distance["mean"] == squared.mean()
    best = np.argmin(arrays["loo_ranking_loss"])
    assert record.chosen["power"] == arrays["power_grid"][best]


def test_a_complete_run_is_reused_and_force_computes_it_again(command, tmp_path):
    assert "computed: " in command("method=nn_mlm").out
    (path,) = record_files(tmp_path).values()
    first = path.read_bytes()
    assert "reused: " in command("method=nn_mlm", "metrics=bipartition").out
    assert path.read_bytes() == first
    assert "computed: " in command("method=nn_mlm", "force=true").out
    assert path.read_bytes() != first
    path.write_bytes(first[:-20])  # a damaged one is computed again
    assert "computed: " in command("method=nn_mlm").out


def test_another_configuration_is_another_run(command, tmp_path):
    command("method.power=4")
    command("method.power=8")
    assert len(record_files(tmp_path)) == 2


def test_unscaled_features_give_other_figures(command, tmp_path):
    command("method=nn_mlm")
    command("method=nn_mlm", "method.scaling=none")
    losses = {
        json.loads(path.read_text())["metrics"]["hamming_loss"]
        for path in record_files(tmp_path).values()
    }
    assert len(losses) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["dataset=yeats"], ["dataset 'yeats'", "Did you mean: yeast?"]),
        (["method=ml_mml"], ["method 'ml_mml'", "ml_mlm"]),
        (["method.power=-1"], ["'ml_mlm'", "'power' parameter of MultiLabelMLM must be a float"]),
        (["method.powr=1"], ["'method.powr'", "method.power"]),
        (["datset=yeast"], ["'datset'", "dataset"]),
        (["+method.powr=1"], ["'ml_mlm'", "unexpected keyword argument 'powr'"]),
        (
            ["method.threshold=cardinalty"],
            ["'threshold' parameter of MultiLabelMLM", "'cardinality'"],
        ),
        (["method.scaling=minmx"], ["'minmx'", "minmax"]),
        (["method._target_=mlmlm.Nothing"], ["mlmlm.Nothing"]),
        (["dataset.name=yeats"], ["'yeats'", "yeast"]),
        (["dataset._target_=collections.Counter"], ["mlmlm.datasets.Dataset", "Counter"]),
        (["dataset._target_=builtins.dict"], ["builtins.dict is refused"]),
        (["metrics.names=[rankin_loss]"], ["'rankin_loss'", "ranking_loss"]),
        (["method=nn_mlm", "metrics=ranking"], ["'nn_mlm' does not rank", "metrics=bipartition"]),
        (["force=maybe"], ["force must be true or false"]),
        (["nonsense"], ["nonsense"]),
    ],
)
def test_mistakes_are_told_in_one_line(command, tmp_path, arguments, words):
    answer = command(*arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1
    for word in words:
        assert word in answer.err
    assert not record_files(tmp_path)


def test_mistakes_in_a_study_are_told_before_anything_runs(command, tmp_path):
    for arguments, word in [
        (["study=papr"], "paper"),
        (["study.datasets=[emotions,yeats]"], "yeast"),
        (["study.methods=[ml_mml]"], "ml_mlm"),
        (["study.methods=[]"], "at least one"),
    ]:
        answer = command(*arguments, f"output={tmp_path / 'out'}", main=study.main)
        assert answer.code == 2
        assert answer.err.count("\n") == 1
        assert word in answer.err
    assert not list(tmp_path.iterdir())


def test_too_little_memory_is_told_in_one_line(command, monkeypatch):
    monkeypatch.setattr("mlmlm.memory.available_bytes", lambda: 2000)
    answer = command()
    assert answer.code == 2
    assert "needs about" in answer.err
    assert answer.err.count("\n") == 1


def test_a_defect_keeps_its_traceback(command, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr(run, "obtain", broken)
    with pytest.raises(ZeroDivisionError):
        command()


def test_describe_needs_no_message():
    assert describe(MemoryError()) == "MemoryError"


def test_a_sweep_goes_on_after_a_mistake_and_says_whose_it_was(command, tmp_path):
    answer = command("-m", "method.power=-1,4")
    assert answer.code == 2
    assert "method.power=-1" in answer.err
    assert "Traceback" not in answer.err
    assert len(record_files(tmp_path)) == 1


def test_help_lists_everything(command):
    answer = command("--help")
    assert answer.code == 0
    for word in (
        "tmc2007_fixed",
        "lls_mlm",
        "bipartition",
        "-m dataset=emotions,scene",
        "--cfg job",
    ):
        assert word in answer.out


def test_two_processes_compute_a_run_once(tmp_path):
    arguments = ("method=br_mlm", f"results={tmp_path}")
    both = [start("experiments.run", *arguments) for _ in range(2)]
    answers = [finish(process) for process in both]
    assert [answer.code for answer in answers] == [0, 0]
    verdicts = sorted(answer.out.splitlines()[-1].split(":")[0] for answer in answers)
    assert verdicts == ["computed", "reused"]
    assert len(record_files(tmp_path)) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"emotions", ".locks"}
