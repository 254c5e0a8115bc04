"""Studies on engines: the same records as of a serial study, limits, mistakes."""

import dataclasses
import io
import json
import os
import re
import signal
import sys
import time
from datetime import datetime

import joblib
import numpy as np
import pytest
import scipy.sparse as sp
from rich.console import Console

from experiments import study
from experiments.choices import MethodChoice
from experiments.engines.estimates import MARGIN, Estimates, Facts, Need
from experiments.engines.folder import Session, TaskFolder
from experiments.engines.pool import Attempt
from experiments.engines.slurm_pool import memory_class
from experiments.engines.survey import Work
from experiments.engines.task import Task
from experiments.store import FAILURE
from experiments.terminal import tasks_display
from mlmlm._reference_choice import choice_peak_bytes
from mlmlm.datasets import Dataset
from mlmlm.memory import fit_peak_bytes, scores_bytes
from tests.clusters import DaskProcesses, short_runs, wait_until
from tests.harness import call, essence, finish, record_files, start
from tests.user_home import UserHome

pytest.importorskip("distributed", reason="needs the extra 'dask'")
pytest.importorskip("submitit", reason="needs the extra 'slurm'")

GIGABYTE = 10**9
NEIGHBORS = {"_target_": "sklearn.neighbors.KNeighborsClassifier"}
SLEEPER = """
    import time
    import numpy as np
    from sklearn.neighbors import KNeighborsClassifier

    class Sleeper(KNeighborsClassifier):
        def __init__(self, seconds=4.0):
            super().__init__()
            self.seconds = seconds

        def fit(self, X, Y):
            time.sleep(self.seconds)
            return super().fit(X, Y)

    class Eater(KNeighborsClassifier):
        def fit(self, X, Y):
            self.eaten = np.ones(250_000_000)
            time.sleep(60)
"""


@pytest.fixture
def home(tmp_path):
    return UserHome(tmp_path / "home")


@pytest.fixture
def run(begin):
    """Run a study of the user's in a process of its own, to its end."""

    def run(name, *arguments, store="runs", **variables):
        process = begin(name, *arguments, store=store, **variables)
        return finish(process, seconds=600)

    return run


@pytest.fixture
def begin(home, tmp_path):
    """Start a study of the user's in a process of its own."""

    def begin(name, *arguments, store="runs", **variables):
        return start(
            "experiments.study",
            *("--config-dir", home.conf, f"study={name}", "report=false"),
            *(f"results={tmp_path / store}", f"output={tmp_path / store}-study", *arguments),
            **{"PYTHONPATH": str(home.folder)} | variables,
        )

    return begin


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    def command(*arguments):
        places = f"results={tmp_path / 'runs'}", f"output={tmp_path / 'study'}", "report=false"
        return call(study.main, monkeypatch, capsys, *arguments, *places)

    return command


def essences(root):
    return {name: essence(path) for name, path in record_files(root).items()}


def assert_nothing_left(root):
    assert not (root / ".tasks").exists()


# The same records


@pytest.mark.slow
def test_smoke_on_dask_gives_the_records_of_a_serial_study(run, tmp_path):
    for store, engine in (("serial", ()), ("dask", ("engine=dask", "engine.workers=2"))):
        answer = run("smoke", *engine, store=store)
        assert answer.code == 0, answer.err
        assert answer.err == ""
        assert "4 computed, 0 reused, 0 failed" in answer.out
    assert essences(tmp_path / "dask") == essences(tmp_path / "serial")
    assert_nothing_left(tmp_path / "dask")


@pytest.mark.slow
def test_thirty_runs_are_the_same_on_every_engine(home, run, tmp_path, slurm):
    name = short_runs(home, ("one", "two", "three"))
    engines = {
        "serial": (),
        "dask": ("engine=dask", "engine.workers=2", "engine.threads=1"),
        "slurm": ("engine=slurm", "engine.minutes=30"),
    }
    for store, engine in engines.items():
        answer = run(name, *engine, store=store, **slurm.environment)
        assert answer.code == 0, answer.out + answer.err
        assert "30 computed, 0 reused, 0 failed" in answer.out
    expected = essences(tmp_path / "serial")
    assert len(expected) == 30
    for store in ("dask", "slurm"):
        assert essences(tmp_path / store) == expected
        assert_nothing_left(tmp_path / store)
        assert "0 computed, 30 reused" in run(name, "engine=dask", store=store).out


@pytest.mark.slow
def test_variants_follow_where_a_cell_differs(command, tmp_path):
    answer = command(
        "study=paper", "study.datasets=[emotions,scene]", "engine=dask", "engine.workers=2"
    )
    assert answer.code == 0, answer.err
    assert "variant emotions ml_mlm_log_odds" in answer.out
    assert "variant scene" not in answer.out
    assert (tmp_path / "study/records/emotions/ml_mlm_log_odds.json").exists()
    again = command("study=paper", "study.datasets=[emotions,scene]", "engine=dask")
    assert "variant emotions ml_mlm_log_odds     reused" in again.out


@pytest.mark.slow
def test_a_running_cluster_is_used_and_a_lost_worker_survived(home, begin, tmp_path):
    """One worker is under a nanny, as most are; the other is killed with its task."""
    home.file("sleeping.py", SLEEPER)
    home.data()
    home.config("method", "sleeper", "_target_: sleeping.Sleeper\nmemory_gb: 1\nseconds: 8.0\n")
    home.config("method", "knn", "_target_: sklearn.neighbors.KNeighborsClassifier\n")
    home.study("mine", ["sleeper", "knn"])
    with DaskProcesses(tmp_path / "dask") as cluster:
        cluster.start_scheduler()
        cluster.start_worker("--resources=MEM=2e9", "--no-nanny")
        process = begin("mine", "engine=dask", f"engine.address={cluster.address}")
        wait_until(lambda: phases_told(tmp_path / "runs", "fit"))
        cluster.start_worker("--nanny")
        cluster.workers[0].kill()
        out, err = process.communicate(timeout=600)
    assert process.returncode == 0, out + err
    assert "its worker was lost; it is tried again" in out
    assert "2 computed, 0 reused, 0 failed" in out
    assert_nothing_left(tmp_path / "runs")


def phases_told(store, phase):
    """Whether a task that is running has told that it is in a phase."""
    files = store.glob(".tasks/*/*/phase.json")
    return any(json.loads(path.read_text())["phase"] == phase for path in files)


# Limits


@pytest.mark.slow
def test_memory_is_shared_out_and_held_to(home, run, tmp_path):
    """Two tasks that do not fit together never overlap; one that needs too much fails alone."""
    home.file("sleeping.py", SLEEPER)
    home.data()
    target = "_target_: sleeping.Sleeper\n"
    for name in ("large", "other"):
        home.config("method", name, f"{target}memory_gb: 2\nseconds: 4.0{len(name)}\n")
    home.config("method", "small", f"{target}memory_gb: 1\nseconds: 7.0\n")
    home.config("method", "eater", "_target_: sleeping.Eater\nmemory_gb: 1\n")
    home.study("memory", ["large", "other", "small", "eater"])
    answer = run(
        "memory", "engine=dask", "engine.workers=3", "engine.threads=1", "engine.memory_gb=3"
    )
    assert answer.code == 1, answer.out + answer.err
    assert "3 computed, 0 reused, 1 failed" in answer.out
    reason = "method 'eater': it used more than the 1 GB it was given; give it more by memory_gb"
    assert f"FAILED: {reason}" in answer.out
    (failure,) = (tmp_path / "runs").glob(f"music/eater/*/{FAILURE}")
    error = json.loads(failure.read_text())["error"]
    assert reason in error and "\n" not in error
    spans = {path.parts[-3]: span(path) for path in record_files(tmp_path / "runs").values()}
    assert not overlap(spans["large"], spans["other"])
    assert overlap(spans["small"], spans["large"]) or overlap(spans["small"], spans["other"])


def span(path):
    """From when to when a run was computed."""
    record = json.loads(path.read_text())
    end = datetime.fromisoformat(record["provenance"]["utc"]).timestamp()
    return end - sum(phase["seconds"] for phase in record["phases"]), end


def overlap(one, other):
    """By more than the second that times are rounded to."""
    return min(one[1], other[1]) - max(one[0], other[0]) > 1


@pytest.mark.slow
def test_a_task_has_the_threads_it_was_given(home, run, tmp_path):
    home.data()
    home.file(
        "counting.py",
        """
        import os, joblib
        from sklearn.neighbors import KNeighborsClassifier

        class Counting(KNeighborsClassifier):
            def fit(self, X, Y):
                names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
                assert [os.environ[name] for name in names] == ["1"] * 3
                assert joblib.cpu_count() == 1
                return super().fit(X, Y)
        """,
    )
    home.config("method", "counting", "_target_: counting.Counting\n")
    home.study("threads", ["counting", "nn_mlm"])
    cores = str(joblib.cpu_count())
    answer = run("threads", "engine=dask", "engine.threads=1", OPENBLAS_NUM_THREADS=cores)
    assert answer.code == 0, answer.out + answer.err
    for path in record_files(tmp_path / "runs").values():
        blas = json.loads(path.read_text())["provenance"]["blas"]
        assert {library["num_threads"] for library in blas} == {1}


@pytest.mark.slow
def test_what_ends_its_process_fails_alone(home, run):
    home.data()
    home.file(
        "leaving.py",
        """
        import os, signal
        from sklearn.neighbors import KNeighborsClassifier

        class Killed(KNeighborsClassifier):
            def fit(self, X, Y):
                os.kill(os.getpid(), signal.SIGSEGV)

        class Wrong(KNeighborsClassifier):
            def fit(self, X, Y):
                raise RuntimeError("wrong from the start")
        """,
    )
    home.config("method", "killed", "_target_: leaving.Killed\n")
    home.config("method", "wrong", "_target_: leaving.Wrong\n")
    home.config("method", "absent", "_target_: leaving.Absent\n")
    home.study("ending", ["killed", "wrong", "absent", "nn_mlm"])
    answer = run("ending", "engine=dask")
    assert answer.code == 1
    assert "1 computed, 0 reused, 3 failed" in answer.out
    assert "FAILED: method 'killed': its process was ended by signal 11" in answer.out
    assert "FAILED: wrong from the start" in answer.out
    assert "there is no 'Absent' in leaving" in answer.out


@pytest.mark.slow
def test_an_interrupt_cancels_what_is_running(home, begin, tmp_path):
    home.file("sleeping.py", SLEEPER)
    home.data()
    home.config("method", "sleeper", "_target_: sleeping.Sleeper\nseconds: 600.0\n")
    home.study("mine", ["sleeper"])
    process = begin("mine", "engine=dask")
    wait_until(lambda: phases_told(tmp_path / "runs", "fit"))
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, (out, err)
    assert "the same command goes on" in out
    assert "Traceback" not in err
    assert_nothing_left(tmp_path / "runs")


@pytest.mark.slow
def test_jobs_of_slurm_outlive_the_command_and_are_found_again(home, begin, run, tmp_path, slurm):
    home.file("sleeping.py", SLEEPER)
    home.data()
    home.config("method", "sleeper", "_target_: sleeping.Sleeper\nseconds: 12.0\n")
    home.study("mine", ["sleeper"])
    process = begin("mine", "engine=slurm", **slurm.environment)
    wait_until(lambda: phases_told(tmp_path / "runs", "fit"))
    (folder,) = (path.parent for path in (tmp_path / "runs").glob(".tasks/*/*/slurm_job"))
    process.kill()
    process.communicate()
    answer = run("mine", "engine=slurm", **slurm.environment)
    assert answer.code == 0, answer.out + answer.err
    # Taken from the store, or from the job that the first command had started; never twice.
    assert re.search(r"1 computed, 0 reused|0 computed, 1 reused", answer.out)
    (path,) = record_files(tmp_path / "runs").values()
    assert span(path)[0] < time.time()
    assert not folder.exists()
    assert_nothing_left(tmp_path / "runs")


# Estimates


def facts(rows=1000, fingerprint="f", n_labels=10, width=100):
    return Facts(fingerprint, rows, 500, 100, n_labels, 50, width)


def task(config, shares=False):
    return Task(None, [MethodChoice("mine", config)], shares=shares)


def test_memory_of_our_methods_is_that_of_the_fit():
    need = Estimates([]).need(task({}, shares=True), facts(30_000))
    fit = fit_peak_bytes(30_000, 50, 10, 100)
    assert MARGIN * fit < need.memory < 1.2 * MARGIN * fit


def test_memory_of_chosen_references_counts_their_choice_and_the_scores():
    def memory(data, **config):
        need = Estimates([]).need(task({"references": 10_000} | config, shares=True), data)
        return need.memory / MARGIN

    data = facts(100_000)
    chosen = choice_peak_bytes("pivoted", 10_000, 100_000, 100, 100)
    assert max(chosen, memory(data)) < memory(data, selection="pivoted") < 1.3 * chosen
    many = facts(100_000, n_labels=5000)
    scores = memory(many) - memory(many, tuning_rows=1000)
    assert 0.5 < scores / scores_bytes(100_000, 5000) < 1


def test_sparse_features_take_what_they_store():
    X, Y, names = np.eye(4, 50) + np.eye(4, 50, 4), np.eye(4), tuple(map(str, range(50)))
    dense = Dataset("d", X, Y, X, Y, names, names[:4])
    rows = sp.csr_array(X)
    sparse = dataclasses.replace(dense, X_train=rows, X_test=rows)
    assert Facts.of(dense).width == 50
    assert Facts.of(sparse).width == 3
    assert Facts.of(sparse).numbers == Facts.of(dense).numbers


def test_a_method_may_say_what_it_needs():
    given = task(NEIGHBORS | {"memory_gb": 2.5})
    assert Estimates([]).need(given, facts()).memory == 2.5 * GIGABYTE


def test_records_say_what_a_method_takes(made_run):
    estimates = Estimates([made_run("f", 1000, 20.0, 3000.0), made_run("g", 10, 1.0, 500.0)])
    neighbors = task(NEIGHBORS)
    same = estimates.need(neighbors, facts())
    assert same.seconds == 20.0
    assert same.memory == pytest.approx(MARGIN * 3 * GIGABYTE)
    larger = estimates.need(neighbors, facts(4000, "h"))
    assert larger.seconds == pytest.approx(20.0 * 4)
    assert 3 * same.memory < larger.memory < 4 * same.memory


def test_seconds_with_chosen_references_grow_with_rows_and_label_vectors(made_run):
    estimates = Estimates([made_run("f", 1000, 20.0, 500.0)])
    config = {"_target_": "mlmlm.MultiLabelMLM", "references": 50}

    def seconds(data):
        expected = estimates.by_nearest_record(MethodChoice("mine", config), data)
        return pytest.approx(expected.seconds)

    assert seconds(facts(4000)) == 80
    assert seconds(dataclasses.replace(facts(), n_label_vectors=150)) == 40


@pytest.fixture
def made_run():
    class Made:
        def __init__(self, fingerprint, rows, seconds, peak_mb):
            self.method, self.seconds, self.peak_mb = "mine", seconds, peak_mb
            self.data = {"fingerprint": fingerprint, "n_train": rows}
            self.data |= {"n_features": 100, "n_labels": 10}
            self.data |= {"characteristics": {"unique_label_vectors": 50}}

    return Made


@pytest.mark.parametrize(("gigabytes", "rounded"), [(0.1, 1), (1.1, 1.25), (18.7, 20), (32, 32)])
def test_classes_of_memory(gigabytes, rounded):
    assert memory_class(int(gigabytes * GIGABYTE)) == rounded * GIGABYTE


# Folders


def test_a_session_is_taken_by_one_study_at_a_time(tmp_path):
    mine = Session.begin(tmp_path)
    folder = mine.new_folder()
    folder.create({"some": "job"}, threads=1, memory=5)
    assert list(Session.abandoned(tmp_path)) == []
    mine.leave()
    (taken,) = Session.abandoned(tmp_path)
    assert [each.job() for each in taken.folders()] == [{"some": "job"}]
    taken.remove()
    assert_nothing_left(tmp_path)
    folder.write("phase", {})  # whoever writes does not mind
    folder.add_ending({})
    assert folder.endings() == []


def test_a_line_that_is_being_written_is_not_read(tmp_path):
    folder = TaskFolder(tmp_path)
    folder.add_ending({"run": "a"})
    with (tmp_path / "endings.jsonl").open("a") as file:
        file.write('{"run": "b')
    assert folder.endings() == [{"run": "a"}]


# What a user may get wrong, and what one may ask


def test_a_dry_run_shows_the_tasks_and_runs_nothing(command, tmp_path):
    for engine in ("serial", "dask", "slurm"):
        answer = command(
            "study=smoke", "study.methods=[...,ml_knn]", f"engine={engine}", "engine.dry_run=true"
        )
        assert answer.code == 0, answer.err
        assert "emotions ml_mlm +3" in answer.out
        assert "emotions ml_knn" in answer.out
        assert "2 tasks of 5 runs" in answer.out
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["engine=dsak"], "there is no engine 'dsak'. Did you mean: dask?"),
        (["engine=dask", "engine.workers=0"], "engine.workers must be a whole number above 0"),
        (["engine=dask", "engine.memory_gb=lots"], "engine.memory_gb must be a number above 0"),
        (["engine=dask", "engine.address=tcp://127.0.0.1:9"], "no Dask scheduler answers there"),
        (["engine=dask", "engine.address=nowhere at all"], "no Dask scheduler answers there"),
        (["engine=slurm", "engine.minutes=1"], "engine.minutes must be a whole number, 5"),
        (["engine=slurm"], "engine=slurm: there is no sbatch here"),
        (["engine.workers=2"], "workers"),
        (["engine.dry_run=maybe"], "engine.dry_run must be true or false"),
    ],
)
def test_mistakes_are_told_in_one_line(command, monkeypatch, tmp_path, arguments, words):
    monkeypatch.setenv("PATH", str(tmp_path))  # no sbatch
    answer = command("study=smoke", *arguments)
    assert answer.code == 2
    assert words in answer.err
    assert len(answer.err.splitlines()) == 1


@pytest.mark.parametrize(("engine", "package"), [("dask", "distributed"), ("slurm", "submitit")])
def test_a_missing_extra_is_told_in_one_line(command, monkeypatch, engine, package):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"experiments.engines.{engine}_pool", raising=False)
    answer = command("study=smoke", f"engine={engine}")
    assert answer.code == 2
    assert answer.err == (
        f"error: engine={engine} needs the package '{package}': pip install 'mlmlm[{engine}]'\n"
    )


# The display


def test_running_tasks_are_shown_with_phase_memory_and_time_left(tmp_path, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(tasks_display.time, "monotonic", lambda: now[0])
    work = Work(Task(None, []), {}, {}, Need(seconds=100.0, memory=2 * GIGABYTE))
    monkeypatch.setattr(Work, "title", "yeast ml_mlm +3")
    attempts = [Attempt(work, None, TaskFolder(tmp_path)) for _ in range(3)]
    attempts[0].folder.write("phase", {"run": "ml_mlm", "phase": "tuning", "share": 0.25})
    attempts[0].folder.write("memory", {"bytes": 1.5e9})
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=150)
    with tasks_display.TasksDisplay(console, n_runs=12) as display:
        for _ in attempts:
            display.add_work(100.0)
        display.finish("emotions nn_mlm", "reused")
        now[0] = 50.0  # of the running one half is done, and a sixth of all
        display.show(attempts[:1], attempts[1:], "dashboard here")
        display._live.refresh()
    shown = screen.getvalue()
    assert "[ 1/12] emotions nn_mlm" in shown
    assert "1/12 runs, 1 tasks running, 2 waiting, about 0:04:10 left, dashboard here" in shown
    assert "yeast ml_mlm +3" in shown
    assert "ml_mlm: tuning 25%" in shown
    assert "1.5 of 2.0 GB" in shown
