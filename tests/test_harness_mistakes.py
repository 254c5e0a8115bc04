"""Bad input, disks and moments: one line on standard error, and an exit code that says so."""

import errno
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from experiments import run, study
from tests.harness import ROOT, call, finish, record_files, spawn, start
from tests.user_home import UserHome

COMMANDS = {"run": run.main, "study": study.main}


@pytest.fixture
def home(tmp_path):
    """A user with data of their own and one method."""
    home = UserHome(tmp_path / "user")
    home.data()
    home.config("method", "knn", "_target_: sklearn.neighbors.KNeighborsClassifier\n")
    home.study("mine", ["knn"])
    return home


@pytest.fixture
def command(home, tmp_path, monkeypatch, capsys):
    """A command with the user's folder and places of its own, unless told otherwise."""

    def command(name, *arguments, config=("--config-dir",)):
        given = [f"results={tmp_path / 'runs'}"]
        if name == "study":
            given += [f"output={tmp_path / 'study'}", "report=false"]
        set_by_test = {str(each).partition("=")[0] for each in arguments}
        given = [each for each in given if each.partition("=")[0] not in set_by_test]
        where = [*config, home.conf] if config else []
        return call(COMMANDS[name], monkeypatch, capsys, *where, *given, *arguments)

    return command


def assert_one_line(answer, *words):
    assert answer.code == 2, answer
    assert answer.out == ""
    assert answer.err.startswith("error: "), answer.err
    assert answer.err.count("\n") == 1, answer.err
    for word in words:
        assert word in answer.err


# Settings


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["dataset=null"], "dataset=null"),
        (["method=null"], "method=null"),
        (["metrics=null"], "metrics=null"),
        (["metrics.names=null"], "metrics.names must be a list"),
        (["metrics.names=accuracy"], "metrics.names must be a list"),
        (["metrics.names=[1]"], "metrics.names must be a list"),
        (["metrics.names=[]"], "metrics.names must be a list"),
        (["results=null"], "results must be the path of a folder, not None"),
        (["results="], "results must be the path of a folder, not ''"),
        (["results=' '"], "results must be the path of a folder"),
        (["results=3"], "results must be the path of a folder, not 3"),
        (["results=???"], "results must be the path of a folder"),
        (["results=[a]"], "results must be the path of a folder"),
        ([f"results={__file__}"], "is a file, not a folder"),
        ([f"results={__file__}/runs"], "is a file, not a folder"),
        (["~results"], "results must be the path of a folder"),
        (["~force"], "there is no key 'force'"),
        (["force=null"], "force must be true or false"),
        (["~dataset"], "choose a dataset"),
        (["dataset._target_=null"], "has no _target_"),
        (["method.powers=[1"], "'[1'"),
        (["method=[ml_mlm,knn]"], "method"),
        (["method.scaling=[minmax]"], "scaling"),
    ],
)
def test_settings_of_a_run(command, tmp_path, arguments, word):
    assert_one_line(command("run", *arguments), word)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["study=null"], "study=null"),
        (["study.datasets=[1]"], "study.datasets must be a list of names"),
        (["study.datasets=[null]"], "study.datasets must be a list of names"),
        (["study.datasets=emotions"], "study.datasets must be a list of names"),
        (["study.datasets=null"], "at least one dataset"),
        (["study.methods=null"], "at least one dataset and one method"),
        (["study.methods={a: 1}"], "study.methods={a: 1}"),
        (["+study.variants={a: 1}"], "study.variants must be a list of names"),
        (["study.methods=[knn,knn]"], "more than once"),
        (["study.name=null"], "study.name must be a name"),
        (["study.name=7"], "study.name must be a name"),
        (["study.name=''"], "study.name must be a name"),
        (["~study.name"], "study.name must be a name"),
        (["+study.footing=3"], "a footing has the keys"),
        (["+study.control=nobody"], "'nobody'"),
        (["+study.control=[knn]"], "control"),
        (["+study.published=maybe"], "study.published must be true or false"),
        (["output=null"], "output must be the path of a folder, not None"),
        (["output="], "output must be the path of a folder, not ''"),
        (["output=3"], "output must be the path of a folder, not 3"),
        ([f"output={__file__}"], "is a file, not a folder"),
        (["results=null"], "results must be the path of a folder"),
        (["report=null"], "report must be true or false"),
    ],
)
def test_settings_of_a_study(command, tmp_path, arguments, word):
    assert_one_line(command("study", "study=mine", *arguments), word)
    assert not (tmp_path / "runs").exists()
    assert not (tmp_path / "study").exists()


# Configurations

BROKEN_YAML = {
    "malformed": "_target_: [unclosed\nnext: }\n",
    "tab": "_target_: a\n\tb: c\n",
    "list": "- _target_: sklearn.svm.SVC\n",
    "scalar": "sklearn.svm.SVC\n",
    "number": "3\n",
    "duplicate": "_target_: a.B\n_target_: a.C\n",
    "interpolation": "_target_: ${nowhere}\n",
    "missing": "_target_: ???\n",
    "binary": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("kind", BROKEN_YAML)
@pytest.mark.parametrize("group", ["dataset", "method", "study"])
def test_broken_configurations(command, home, group, kind):
    content = BROKEN_YAML[kind]
    path = home.config(group, "broken", "")
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if group == "study":
        assert_one_line(command("study", "study=broken"))
        return
    assert_one_line(command("run", f"{group}=broken"), group)
    assert_one_line(command("study", "study=mine", f"study.{group}s=[broken]"), "broken")


@pytest.mark.parametrize("group", ["dataset", "method", "study"])
def test_an_empty_configuration(command, home, group):
    home.config(group, "empty", "# nothing yet\n")
    if group == "study":
        assert_one_line(command("study", "study=empty"), "study.name must be a name")
    else:
        assert_one_line(command("run", f"{group}=empty"), "has no _target_")


@pytest.mark.parametrize(
    ("name", "group", "builtin"),
    [
        ("run", "dataset", "emotions"),
        ("run", "method", "ml_mlm"),
        ("run", "metrics", "paper"),
        ("study", "study", "smoke"),
        ("study", "dataset", "emotions"),
        ("study", "method", "ml_mlm"),
    ],
)
@pytest.mark.parametrize("way", ["--config-dir", "file", "package"])
def test_a_name_that_is_taken(command, home, monkeypatch, name, group, builtin, way):
    file = home.config(group, builtin, "_target_: sklearn.svm.SVC\n")
    if way == "--config-dir":
        answer = command(name)
    elif way == "file":
        answer = command(name, f"hydra.searchpath=[file://{home.conf}]", config=())
    else:
        package = home.conf.rename(home.folder / f"conf_{name}_{group}")
        (package / "__init__.py").touch()
        file = package / group / file.name
        monkeypatch.syspath_prepend(home.folder)
        answer = command(name, f"hydra.searchpath=[pkg://{package.name}]", config=())
    assert_one_line(answer, str(file), f"there is a {group} {builtin!r} already")


def test_a_name_that_two_folders_of_the_user_have(command, home, tmp_path):
    other = UserHome(tmp_path / "other")
    other.config("method", "knn", "_target_: sklearn.svm.SVC\n")
    answer = command("run", f"hydra.searchpath=[file://{other.conf}]", "method=knn")
    assert_one_line(answer, "there is a method 'knn' already")


@pytest.mark.parametrize("target", [
    "builtins.eval", "os.system", "os.path.join", "pathlib.Path", "shutil.rmtree",
    "subprocess.run", "glob.os.remove", "sys.exit", "posix.remove",
])  # fmt: skip
@pytest.mark.parametrize("form", [
    "_target_: {}",
    "_target_: {}\n_partial_: true",
    "_target_: sklearn.svm.SVC\nC: {{_target_: {}, _args_: [x]}}",
    "_target_: sklearn.pipeline.Pipeline\nsteps: [[one, {{_target_: {}, _partial_: true}}]]",
    "_target_: sklearn.svm.SVC\nkernel: {{_target_: hydra.utils.get_method, path: {}}}",
    "_target_: sklearn.svm.SVC\nkernel: {{_target_: hydra.utils.get_object, _args_: [{}]}}",
    "_target_: hydra.utils.get_class\n_partial_: true\npath: {}",
])  # fmt: skip
def test_callables_that_nobody_means_are_refused(command, home, target, form):
    home.config("method", "evil", form.format(target))
    assert_one_line(command("run", "method=evil"), f"{target} is refused")


@pytest.mark.slow
@pytest.mark.parametrize("target", ["mlmlm.MultiLabelMLN", "mlmlm.MultiLabelMLM.Inner", "mlm.A"])
def test_a_misspelt_target_in_a_process_of_its_own(target, tmp_path):
    """Nobody else has a word to say, on standard error neither."""
    answer = spawn("experiments.run", f"method._target_={target}", f"results={tmp_path}")
    assert_one_line(answer, f"_target_ {target}: there is no ")


# Data


def test_the_order_of_an_xml_file_that_nobody_knows(command, home):
    for name in ("music", "yeast_of_mine"):
        home.data(name)
        answer = command("run", f"dataset={name}", "+dataset.name=yeast", "method=ml_mlm_xml_order")
        assert_one_line(answer, "yeast: the order of labels in its XML file is not known")
    answer = command("run", "dataset=music", "method=knn", "+method.label_order=xml")
    assert_one_line(answer, "music: the order of labels in its XML file is not known")


def test_scores_in_a_list_that_nothing_explains(command, home, monkeypatch):
    home.file(
        "list_of_scores.py",
        """
        import numpy as np

        class Method:
            def fit(self, X, Y):
                self.n_labels = Y.shape[1]

            def predict(self, X):
                return np.eye(len(X), self.n_labels)

            def predict_proba(self, X):
                return [np.full((len(X), 2), 0.5)] * self.n_labels
        """,
    )
    monkeypatch.syspath_prepend(home.folder)
    home.config("method", "mine", "_target_: list_of_scores.Method\n")
    answer = command("run", "dataset=music", "method=mine")
    assert_one_line(answer, "method 'mine'", "predict_proba", "classes_")


# Reference points

WRONG_REFERENCES = {
    "references=5000": "references=5000 is more than the 36 distinct inputs of 36 samples",
    "references=1.5": "'references' parameter of MultiLabelMLM must be an int",
    "references=0": "'references' parameter of MultiLabelMLM must be an int",
    "references=[0, 0]": "references has index 0 twice",
    "references=[0, 99]": "references has index 99, but the 36 rows count from 0",
    "references={a: 1}": "references must be a number, a share, or a list of row indices",
    "selection=foo": "'selection' parameter of MultiLabelMLM must be a str among",
    "label_references=100000": "label_references=100000 is more than the",
}


@pytest.mark.parametrize(("setting", "words"), WRONG_REFERENCES.items())
def test_reference_points_that_cannot_be(command, setting, words):
    answer = command("run", "dataset=music", "method=ml_mlm", f"method.{setting}")
    assert_one_line(answer, "method 'ml_mlm': ", words)


def test_reference_points_that_cannot_be_fail_alone_in_a_study(command, home):
    settings = "".join(
        f"    - {name}: [{value}]\n"
        for name, _, value in (setting.partition("=") for setting in WRONG_REFERENCES)
    )
    home.config(
        "study",
        "swept",
        "name: swept\ndatasets: [music]\nmethods: [ml_mlm, knn]\n"
        f"sweep:\n  methods: [ml_mlm]\n  settings:\n    - references: 9\n{settings}",
    )
    planned = command("study", "study=swept", "engine.dry_run=true")
    assert planned.code == 0, planned
    answer = command("study", "study=swept")
    assert (answer.code, answer.err) == (1, "")
    assert f"2 computed, 0 reused, {len(WRONG_REFERENCES)} failed" in answer.out
    for words in WRONG_REFERENCES.values():
        assert words in answer.out


# Disks


def in_own_mounts(script: str, tmp_path: Path, *arguments: object) -> subprocess.CompletedProcess:
    """Run a shell script whose mounts nobody else sees; skip where that is not allowed."""
    if shutil.which("unshare") is None:
        pytest.skip("no unshare here")
    inside = ["unshare", "--map-root-user", "--mount"]
    probe = [*inside, "mount", "-t", "tmpfs", "none", str(tmp_path)]
    if subprocess.run(probe, capture_output=True).returncode:
        pytest.skip("no mounts here")
    return subprocess.run(
        [*inside, "sh", "-ec", script, sys.executable, *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )


def assert_one_line_of(process: subprocess.CompletedProcess, *words: str) -> None:
    assert process.stderr.startswith("error: "), process.stderr
    assert process.stderr.count("\n") == 1, process.stderr
    assert process.returncode == 2
    for word in words:
        assert word in process.stderr


@pytest.mark.slow
def test_a_full_disk(home, tmp_path):
    """A disk of a few pages: first for the store, then for what the study writes."""
    home.config("method", "nn", "_target_: mlmlm.NearestNeighborMLM\n")
    (tmp_path / "tiny").mkdir()
    script = """
        mount -t tmpfs -o size=8k none "$1"
        "$0" -m experiments.run --config-dir "$2" dataset=music method=knn results="$1/runs"
    """
    assert_one_line_of(
        in_own_mounts(script, tmp_path, tmp_path / "tiny", home.conf),
        "cannot be written (No space left on device)",
        "results=",
    )
    script = """
        mount -t tmpfs -o size=8k none "$1"
        "$0" -m experiments.study --config-dir "$2" study=mine results="$3" output="$1/study" \
            report=false >&2 > /dev/null
    """
    answer = in_own_mounts(script, tmp_path, tmp_path / "tiny", home.conf, tmp_path / "runs")
    assert_one_line_of(answer, "cannot be written (No space left on device)", "output=")
    assert len(record_files(tmp_path / "runs")) == 1  # the store was elsewhere


@pytest.mark.slow
def test_a_store_that_can_only_be_read(home, tmp_path):
    """Its records count; what is not there cannot be computed, and that is told at once."""
    arguments = ("--config-dir", home.conf, "dataset=music", f"results={tmp_path / 'runs'}")
    assert spawn("experiments.run", *arguments, "method=knn").code == 0
    script = """
        mount --bind "$1" "$1"
        mount -o remount,ro,bind "$1"
        "$0" -m experiments.run --config-dir "$2" dataset=music results="$1" method=knn
        "$0" -m experiments.study --config-dir "$2" study=mine results="$1" output="$3" report=false
        "$0" -m experiments.run --config-dir "$2" dataset=music results="$1" method=nn_mlm
    """
    answer = in_own_mounts(script, tmp_path, tmp_path / "runs", home.conf, tmp_path / "study")
    assert "reused: " in answer.stdout
    assert "0 computed, 1 reused, 0 failed" in answer.stdout
    assert_one_line_of(answer, "cannot be written (Read-only file system)")
    assert len(record_files(tmp_path / "runs")) == 1


def failing(number):
    def fail(*_, **__):
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("name", ["run", "study"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_what_the_operating_system_says_of_a_write(command, monkeypatch, name, number):
    monkeypatch.setattr("os.replace", failing(number))
    given = ["dataset=music", "method=knn"] if name == "run" else ["study=mine"]
    answer = command(name, *given)
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert os.strerror(number) in answer.err


@pytest.mark.parametrize("name", ["run", "study"])
@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK])
def test_a_file_system_without_locks(command, monkeypatch, name, number):
    flock = fcntl.flock

    def without(handle, operation):
        if operation & fcntl.LOCK_UN:
            return flock(handle, operation)
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", without)
    given = ["dataset=music", "method=knn"] if name == "run" else ["study=mine"]
    answer = command(name, *given)
    assert answer.code == 2
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1
    assert "lock" in answer.err


def test_an_unwritable_store_is_told_before_anything_is_computed(command, monkeypatch, tmp_path):
    (tmp_path / "runs").mkdir()
    mkdir = os.mkdir

    def denied(path, *arguments, **more):
        if str(path).startswith(str(tmp_path / "runs")):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return mkdir(path, *arguments, **more)

    monkeypatch.setattr("os.mkdir", denied)
    monkeypatch.setattr("experiments.execute.Workbench.run", None)  # would be a defect
    answer = command("run", "dataset=music", "method=knn")
    assert_one_line(answer, "cannot be written (Permission denied)", "results=")


# What other programs and dead processes leave behind


def test_hidden_folders_disturb_nobody(command, tmp_path):
    assert command("study", "study=mine").code == 0
    folders = [path.parent for path in record_files(tmp_path / "runs").values()]
    folders += [tmp_path / "runs", tmp_path / "runs/music", tmp_path / "study/records/music"]
    folders += [tmp_path / "study/records", tmp_path / "study"]
    for folder in folders:
        (folder / ".hidden").mkdir()
        (folder / ".hidden" / "file").touch()
        (folder / ".DS_Store").touch()
    assert "0 computed, 1 reused" in command("study", "study=mine").out
    again = command("study", "study=mine", "force=true")
    assert again.code == 0, again.err
    assert (folders[0] / ".hidden" / "file").exists()
    assert "reused" in command("run", "dataset=music", "method=knn").out


def test_leftovers_of_killed_processes_are_swept(command, tmp_path):
    """Wherever they are: also beside runs that are not written again, and the report's files."""
    assert command("study", "study=mine").code == 0
    places = ["runs/music/knn", "runs/music/other/0123456789ab", "study", "study/tables"]
    places += ["study/figures", "study/records/music"]
    for place in places:
        (tmp_path / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / place / ".record.json.abcd_123.tmp").write_bytes(b"half")
    kept = tmp_path / "study" / ".mine"
    kept.touch()
    assert command("study", "study=mine").code == 0
    assert not list(tmp_path.rglob(".*.tmp"))
    assert kept.exists()
    (tmp_path / "runs/music/other/0123456789ab/.record.json.abcd_123.tmp").touch()
    assert command("run", "dataset=music", "method=knn").code == 0
    assert not list(tmp_path.rglob(".*.tmp"))


# Brackets


@pytest.mark.parametrize("terminal", [False, True])
def test_brackets_are_printed_as_they_are(command, home, tmp_path, monkeypatch, terminal):
    """In names, messages and paths; on a terminal there are bars, too."""
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    home.file(
        "brackets.py",
        """
        from sklearn.neighbors import KNeighborsClassifier
        from mlmlm.progress import phase

        class Good(KNeighborsClassifier):
            def fit(self, X, Y):
                with phase("[/phase]", 1):
                    return super().fit(X, Y)

        class Bad(KNeighborsClassifier):
            def fit(self, X, Y):
                raise ValueError("see [/docs] and [red]this[/red] :smile:")
        """,
    )
    monkeypatch.syspath_prepend(home.folder)
    home.config("method", "[red] good", "_target_: brackets.Good\ntitle: '[/title]'\n")
    home.config("method", "[bad", "_target_: brackets.Bad\n")
    home.study("brackets", ["[red] good", "[bad"])
    places = f"results='{tmp_path}/[bold]runs'", f"output='{tmp_path}/[x]study'"
    answer = command("study", "study=brackets", *places)
    assert answer.code == 1, answer
    assert "music [red] good" in answer.out
    assert "see [/docs] and [red]this[/red] :smile:" in answer.out
    assert f"{tmp_path}/[bold]runs" in answer.out
    alone = command("run", "dataset=music", "method='[red] good'", places[0])
    assert alone.code == 0, alone.err
    assert "[red] good on music" in alone.out
    assert "[/phase]" in alone.out
    assert f"reused: {tmp_path}/[bold]runs" in alone.out
    failed = command("run", "dataset=music", "method='[bad'", places[0])
    assert "see [/docs] and [red]this[/red] :smile:" in failed.err


# Interrupts


@pytest.mark.slow
@pytest.mark.parametrize("module", ["experiments.run", "experiments.study", "experiments.accept"])
@pytest.mark.parametrize(
    "moment",
    ["logging", "hydra.types", "numpy.linalg", "scipy.linalg", "mlmlm._tiles"],
)
def test_an_interrupt_while_modules_are_imported(module, moment, tmp_path):
    """Python tells each module that is imported; before ours there is nothing that we could do."""
    process = start(module, PYTHONPROFILEIMPORTTIME="1")
    for line in process.stderr:
        if line.split("|")[-1].strip() == moment:
            break
    process.send_signal(signal.SIGINT)
    answer = finish(process)
    told = [line for line in answer.err.splitlines() if not line.startswith("import time:")]
    assert (answer.code, told) == (130, ["interrupted"])
    assert answer.out == ""


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["null", "100"])
def test_an_interrupt_while_a_method_works(home, tmp_path, limit):
    """As a terminal sends it: to every process of the group."""
    home.file(
        "endless.py",
        f"""
        import time
        from pathlib import Path
        from sklearn.neighbors import KNeighborsClassifier

        class Endless(KNeighborsClassifier):
            def fit(self, X, Y):
                Path({str(tmp_path / "begun")!r}).touch()
                time.sleep(100)
        """,
    )
    home.config("method", "endless", f"_target_: endless.Endless\nlimit_seconds: {limit}\n")
    process = start(
        "experiments.run",
        *("--config-dir", home.conf, "dataset=music", "method=endless"),
        f"results={tmp_path / 'runs'}",
        PYTHONPATH=str(home.folder),
    )
    while not (tmp_path / "begun").exists():
        assert process.poll() is None, finish(process)
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    answer = finish(process)
    assert (answer.code, answer.err) == (130, "interrupted\n")
    assert not record_files(tmp_path / "runs")
