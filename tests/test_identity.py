"""Identity: what figures depend on, found in source code, packages and parameters."""

import ast
import json
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.identity import (
    COMPUTATION,
    Code,
    RunIdentity,
    describe_changes,
    digest_of_module,
    identify,
)
from experiments.identity.imports import ABSENT, code_of
from experiments.identity.parameters import canonical, targets
from experiments.identity.source import digest_of_file, digest_of_tree
from tests.harness import ROOT

MLM = {"_target_": "mlmlm.MultiLabelMLM"}
SVC = {"_target_": "sklearn.svm.SVC"}


def digest(text: str) -> str:
    return digest_of_tree(ast.parse(textwrap.dedent(text)))


CODE = '''
"""A module."""
from math import pi

def area(radius: float, *, exact: bool = True) -> float:
    """Of a circle."""
    # by Archimedes
    return pi * radius ** 2 if exact else 3 * radius ** 2
'''


@pytest.mark.parametrize(
    "old, new",
    [
        ('"""A module."""', '"""Another word on it."""'),
        ('"""A module."""\n', ""),
        ("    # by Archimedes\n", ""),
        ('    """Of a circle."""\n', ""),
        ("radius ** 2 if", "(radius**2) if"),
        ("\n\n", "\n\n\n\n"),
    ],
)
def test_comments_docstrings_and_layout_do_not_count(old, new):
    assert old in CODE
    assert digest(CODE.replace(old, new)) == digest(CODE)


@pytest.mark.parametrize(
    "old, new",
    [("2 if", "3 if"), ("True", "False"), ("pi * ", "pi + "), ("radius", "r"), ("3 *", "3.0 *")],
)
def test_code_counts(old, new):
    assert digest(CODE.replace(old, new)) != digest(CODE)


def test_the_digest_is_the_same_under_every_version_of_python():
    assert digest(CODE) == "4b5b45916ade"


def test_a_file_that_is_no_python_counts_by_its_bytes(tmp_path):
    for name, content in (("broken.py", b"def ("), ("fast.so", b"\x7fELF"), ("nul.py", b"a\0")):
        path = tmp_path / name
        path.write_bytes(content)
        before = digest_of_file(path)
        path.write_bytes(content + b" ")
        assert digest_of_file(path) != before


# The modules that a run imports


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A user's package: modules by dotted names, each a name of its own in sys.path."""

    def write(**files: str) -> Path:
        for name, text in files.items():
            path = tmp_path.joinpath(*name.split("__in__")).with_suffix(".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))
        return tmp_path

    monkeypatch.syspath_prepend(str(tmp_path))
    return write


def test_the_walk_goes_by_names_through_tables_of_contents(package):
    package(
        walk_a__in____init__="from walk_a.one import One\nfrom .two import Two\n__all__ = []\n",
        walk_a__in__one="from . import helper\nclass One: ...\n",
        walk_a__in__two="class Two: ...\n",
        walk_a__in__helper="import json\nimport numpy\n",
    )
    code = code_of(["walk_a.One"])
    assert set(code.modules) == {"walk_a.one", "walk_a.helper"}
    assert set(code.packages) == {"numpy"}
    assert set(code_of(["walk_a.Two.make"]).modules) == {"walk_a.two"}
    assert set(code_of(["walk_a"]).modules) == {
        "walk_a", "walk_a.one", "walk_a.two", "walk_a.helper",
    }  # fmt: skip


def test_an_init_that_does_something_counts_with_all_it_imports(package):
    package(
        walk_b__in____init__="from walk_b.one import One\nSCALE = 2\n",
        walk_b__in__one="class One: ...\n",
        walk_b__in__two="from walk_b.one import *\n",
    )
    assert set(code_of(["walk_b.two.Two"]).modules) == {"walk_b", "walk_b.one", "walk_b.two"}


def test_every_way_to_import_is_followed(package):
    package(
        walk_c="""
            import importlib
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                import walk_types
            else:
                import walk_else
            def lazily():
                from walk_lazy import thing
                importlib.import_module("walk_named")
                __import__("walk_dunder")
                import not_installed_anywhere
            """,
        walk_else="", walk_lazy="", walk_named="", walk_dunder="", walk_types="",
    )  # fmt: skip
    code = code_of(["walk_c.lazily"])
    names = {"walk_c", "walk_else", "walk_lazy", "walk_named", "walk_dunder"}
    assert set(code.modules) == names
    assert code.packages == {"not_installed_anywhere": ABSENT}


def test_modules_that_import_each_other_end(package):
    package(walk_d="import walk_e\n", walk_e="import walk_d\n")
    assert set(code_of(["walk_d"]).modules) == {"walk_d", "walk_e"}


def test_packages_count_by_version_if_they_compute():
    packages = code_of(["mlmlm.baselines.WekaJ48", "mlmlm.baselines.lightgbm_classifier"]).packages
    assert packages.keys() >= {"numpy", "scikit-learn", "lightgbm"}
    assert any("weka" in name for name in packages)
    assert not packages.keys() & {"psutil", "threadpoolctl", "joblib", "rich"}
    rakel = code_of(["mlmlm.baselines.RAkEL"])
    assert any("multilearn" in name for name in rakel.packages)
    assert "mlmlm.baselines._homer" not in rakel.modules


def test_figures_do_not_depend_on_files_terminals_and_loaders():
    modules = code_of([COMPUTATION]).modules
    assert {"experiments.answer", "mlmlm._distance_regression", "mlmlm._tiles"} <= set(modules)
    outside = ("experiments.terminal", "experiments.store", "experiments.record", "experiments.run")
    assert not [name for name in modules if name.startswith(outside)]
    assert "mlmlm.datasets._csv_file" not in modules


def test_a_module_that_is_gone_has_no_digest():
    assert digest_of_module("not_installed_anywhere") == ABSENT
    assert digest_of_module("numpy") == ABSENT
    assert len(digest_of_module("tests.harness")) == 12


# Parameters


def identity(**parameters: object) -> str:
    return identify(MLM | parameters, "data").digest


def test_a_default_spelled_out_is_the_same_run():
    assert identity(power=None, threshold="cardinality") == identity()
    assert identity(power=4) == identity(power=4.0) != identity(power=5)
    assert identity(ranking="log_odds") != identity()
    inner = {"_target_": "mlmlm.baselines.BinaryRelevance", "estimator": SVC}
    spelled = inner | {"estimator": SVC | {"C": 1, "kernel": "rbf"}}
    assert identify(inner, "data").digest == identify(spelled, "data").digest


def test_whole_and_real_numbers_stay_apart_where_both_mean_something():
    forest = {"_target_": "sklearn.ensemble.RandomForestClassifier"}
    one, all_of_them = (identify(forest | {"max_features": n}, "data") for n in (1, 1.0))
    assert one.digest != all_of_them.digest
    assert canonical(SVC | {"C": True})["C"] is True


def test_other_data_are_another_run():
    assert identify(MLM, "data").digest != identify(MLM, "other data").digest


def test_what_cannot_be_had_is_taken_as_written():
    broken = {"_target_": "not_installed_anywhere.Thing", "size": 3}
    assert canonical(broken) == broken
    assert canonical({"_target_": "math.floor", "_args_": [1]}) == {
        "_target_": "math.floor", "_args_": [1],
    }  # fmt: skip


def test_targets_at_any_depth():
    config = {
        "_target_": "a.B",
        "steps": [["scale", {"_target_": "c.D"}]],
        "distance": {"_target_": "hydra.utils.get_method", "path": "e.f"},
    }
    assert list(targets(config)) == ["a.B", "c.D", "hydra.utils.get_method", "e.f"]


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.text(), PLAIN))
def test_filling_in_twice_is_filling_in_once(config):
    assert canonical(canonical(config)) == canonical(config)


def test_what_changed_is_told_in_one_line():
    old = RunIdentity({"power": None}, "data", Code({"a": "1", "b": "1"}, {"numpy": "1"}))
    new = RunIdentity({"power": 4.0}, "data", Code({"a": "2", "c": "1"}, {"numpy": "2"}))
    assert describe_changes(old, new) == "power 4.0, was null; the code of a, b, c; numpy 2, was 1"
    assert describe_changes(old, old) == ""
    other = RunIdentity(old.parameters, "other", old.code)
    assert describe_changes(old, other) == "the data"


# A copy of the repository, in which each module is changed


@pytest.mark.slow
@pytest.mark.parametrize("method", ["ml_mlm", "lls_mlm", "ebr_j48"])
def test_one_line_in_any_module_that_a_run_imports_makes_another_run(method, tmp_path):
    copy = tmp_path / "copy"
    for folder in ("conf", "experiments", "mlmlm"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    ask = tmp_path / "ask.py"
    ask.write_text(
        textwrap.dedent(
            """
            import json, sys
            from pathlib import Path
            from omegaconf import OmegaConf
            from hydra import compose, initialize_config_dir
            from experiments.choices import MethodChoice, plain
            from experiments.identity import imports

            def forget():
                for name in vars(imports).values():
                    if hasattr(name, "cache_clear"):
                        name.cache_clear()

            with initialize_config_dir(str(Path("conf").resolve()), version_base="1.3"):
                config = compose("config", overrides=[f"method={sys.argv[1]}"])
            choice = MethodChoice(sys.argv[1], plain(config.method)).each_seed()[0]
            first = choice.identity("data")
            told = {}
            for name in first.code.modules:
                path = Path(imports._locate(name).origin)
                assert path.is_relative_to(Path.cwd()), path
                source = path.read_text()
                answers = []
                for changed in (source + "\\n# a comment\\n", source + "\\nADDED = 1\\n"):
                    path.write_text(changed)
                    forget()
                    answers.append(choice.identity("data").digest != first.digest)
                path.write_text(source)
                told[name] = answers
            print(json.dumps(told))
            """
        )
    )
    command = [sys.executable, str(ask), method]
    answer = subprocess.run(
        command, cwd=copy, env={"PYTHONPATH": str(copy), "PATH": "/usr/bin"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = json.loads(answer.stdout)
    assert len(told) > 15
    assert {name: [False, True] for name in told} == told
