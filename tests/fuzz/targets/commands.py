"""Command lines and YAML files of a user: a command does its work, or says in one line why not.

A command is called in this process, in a folder of its own with a dataset of a few rows. Exit code
2 comes with one line on standard error, and 1 only from a study one of whose runs failed. No
other exception may come out.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from hydra.core.global_hydra import GlobalHydra

from experiments import run, study
from experiments.errors import USER_ERROR, run_command
from experiments.record import read_record
from tests.fuzz.judgement import Target, WrongContentError
from tests.harness import record_files

_CSV = b"a,b,y,z\n" + b"1,2,0,1\n3,4,1,0\n0,1,0,1\n7,1,1,1\n2,2,1,0\n5,0,0,1\n4,4,1,1\n6,3,0,0\n"
_DATASETS = (
    b"_target_: mlmlm.datasets.load_csv\ntrain: data.csv\nlabels: [y, z]\ntest_size: 0.5\n",
    b"# my data\n_target_: mlmlm.datasets.load_csv\ntrain: data.csv\ntest: data.csv\nlabels:\n"
    b"  - y\n  - z\nname: mine\nseed: 3\n",
)
_METHODS = (
    b"_target_: sklearn.tree.DecisionTreeClassifier\nmax_depth: 2\nseeds: [1, 2]\ntitle: A tree\n",
    b"# NN-MLM\n_target_: mlmlm.NearestNeighborMLM\nscaling: minmax   # or none\n"
    b"published_as: NN-MLM\nlabel_order: arff\n",
    b"_target_: sklearn.multioutput.ClassifierChain\nestimator:\n  _target_: sklearn.tree."
    b"DecisionTreeClassifier\n  max_depth: ${.min_samples_leaf}\n"
    b"  min_samples_leaf: 2\norder: [1, 0]\nscaling: none\n",
)
_STUDIES = (
    b"name: mine\ndatasets: [toy]\nmethods: [tree, nearest]\n",
    b"name: mine\npublished: false\ndatasets:\n  - toy\nmethods: [tree]\nvariants: [nearest]\n"
    b"control: tree\nfooting: {scaling: none, threshold: cardinality}\n",
)
_OVERRIDES = (
    b"dataset=toy\nmethod=tree\nmethod.max_depth=3\n+method.criterion=entropy\nforce=false\n",
    b"dataset=toy\nmethod=nearest\nmetrics.names=[accuracy,hamming_loss]\n~method.published_as\n",
    b"method=tree\ndataset=toy\n++dataset.test_size=0.25\nmethod.seeds=[3]\nmetrics=bipartition\n",
    b"--cfg\njob\ndataset=toy\nmethod=nearest\n",
)
_YAML_TOKENS = (
    *(b":", b": ", b"- ", b"[", b"]", b"{", b"}", b"&a ", b"*a", b"<<: *a", b"!!str ", b"? ", b"|"),
    *(b"#", b"%", b"@", b"\t", b"  ", b"\n", b"---\n", b"...\n", b'"', b"'", b"\\", b"\0", b"\xff"),
    *(b"null", b"~", b"true", b"???", b"${", b"${x}", b"${.x}", b"${oc.env:HOME}", b"${now:%Y}"),
    *(b"_target_: ", b"_args_: [1]\n", b"_partial_: true\n", b"_recursive_: false\n"),
    *(b"_convert_: none\n", b"defaults:\n- _self_\n", b"# @package _global_\n", b"1: 2\n"),
    *(
        b"!!python/object/apply:sys.exit [3]",
        b"sys.exit",
        b"sklearn.tree",
        b"mlmlm.metrics.METRICS",
    ),
    *(b"sklearn.dummy.DummyClassifier", b"sklearn.svm.SVC", b"mlmlm.MultiLabelMLM", b"math.pi"),
    *(b"scaling: ", b"seeds: ", b"label_order: ", b"limit_seconds: ", b"title: ", b"[1, a]"),
)
_OVERRIDE_TOKENS = (
    *(b"=", b"+", b"++", b"~", b".", b",", b"[", b"]", b"{", b"}", b"(", b")", b"'", b'"', b"\\"),
    *(
        b"@",
        b":",
        b"/",
        b"$",
        b"${x}",
        b"${",
        b"null",
        b"???",
        b" ",
        b"\t",
        b"\n",
        b"\xff",
        b"\n\n",
    ),
    *(b"dataset", b"method", b"method=", b"method.", b"metrics", b"force=", b"study=", b"hydra."),
    *(b"range(3)", b"choice(1,2)", b"glob(*)", b"sort(1,2)", b"int(x)", b"a,b", b"1e999"),
    *(b"--help", b"--version", b"--cfg", b"--info", b"--resolve", b"--package", b"--", b"-"),
    *(b"method=br_mlm", b"method=", b"metrics=all", b"metrics=ranking", b"dataset=none", b"-c"),
)


class _ToldError(Exception):
    """The line with which a command has ended."""


def _load_overrides(content: bytes, folder: Path) -> None:
    lines = content.replace(b"\0", b"").split(b"\n")
    # A line is an argument as the operating system hands it on.
    arguments = [line.decode(errors="surrogateescape") for line in lines if line]
    _command(run.main, arguments, folder)


def _load_dataset_file(content: bytes, folder: Path) -> None:
    _write(folder / "conf/dataset/mine.yaml", _mostly_text(content))
    _command(run.main, ["dataset=mine", "method=tree"], folder)


def _load_method_file(content: bytes, folder: Path) -> None:
    _write(folder / "conf/method/mine.yaml", _mostly_text(content))
    _command(run.main, ["dataset=toy", "method=mine"], folder)


def _load_study_file(content: bytes, folder: Path) -> None:
    _write(folder / "conf/study/mine.yaml", _mostly_text(content))
    arguments = ["study=mine", "report=false", f"output={folder / 'study'}"]
    _command(study.main, arguments, folder, failed=study.FAILED)


def _mostly_text(content: bytes) -> bytes:
    """Three of four without bytes that are no text, which are refused before YAML is looked at."""
    return content if zlib.crc32(content) % 4 == 0 else content.decode(errors="ignore").encode()


def _command(
    main: Callable[[], object], arguments: Sequence[str], folder: Path, failed: int = 0
) -> None:
    """Call a command and judge how it ends."""
    _write(folder / "data.csv", _CSV)
    for path, content in (("dataset/toy", _DATASETS[0]), ("method/tree", _METHODS[0])):
        _write(folder / "conf" / f"{path}.yaml", content)
    _write(folder / "conf/method/nearest.yaml", _METHODS[1])
    places = [f"results={folder / 'runs'}", f"--config-dir={folder / 'conf'}"]
    with _inside(folder, [*arguments, *places]) as said:
        try:
            run_command(main)
        except SystemExit as stopped:
            code = stopped.code or 0
    lines = said.getvalue().splitlines()
    if code == USER_ERROR and len(lines) == 1:
        raise _ToldError(lines[0])
    if code not in (0, failed):
        raise WrongContentError(f"exit code {code!r}:\n{said.getvalue()}")
    for path in record_files(folder / "runs").values():
        read_record(path.read_bytes())


@contextlib.contextmanager
def _inside(folder: Path, arguments: Sequence[str]) -> Iterator[io.StringIO]:
    """Call a command as if from a shell in a folder; gives what it says on standard error."""
    argv, before, environment = sys.argv, Path.cwd(), dict(os.environ)
    sys.argv = ["command", *arguments]
    os.environ |= {"HYDRA_FULL_ERROR": "0", "MLMLM_ONE_LINE_ERRORS": "0", "COLUMNS": "200"}
    os.chdir(folder)
    GlobalHydra.instance().clear()
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
            yield said
    finally:
        sys.argv = argv
        os.chdir(before)
        os.environ.clear()
        os.environ.update(environment)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


# Commands are slow.
TARGETS = (
    Target("overrides", _OVERRIDES, _OVERRIDE_TOKENS, _load_overrides, (_ToldError,), share=0.1),
    Target("dataset_yaml", _DATASETS, _YAML_TOKENS, _load_dataset_file, (_ToldError,), share=0.1),
    Target("method_yaml", _METHODS, _YAML_TOKENS, _load_method_file, (_ToldError,), share=0.1),
    Target("study_yaml", _STUDIES, _YAML_TOKENS, _load_study_file, (_ToldError,), share=0.1),
)
