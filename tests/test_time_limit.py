"""A study with a limit skips what its records say will take too long, and tells how long."""

import json

import pytest

from experiments import study
from tests.harness import call


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    def command(*arguments):
        places = f"results={tmp_path / 'runs'}", f"output={tmp_path / 'study'}", "report=false"
        own = "study=smoke", "study.methods=[ml_knn]"
        return call(study.main, monkeypatch, capsys, *own, *arguments, *places)

    return command


@pytest.mark.parametrize("engine", ["serial", "dask"])
def test_what_would_take_too_long_is_skipped_with_the_estimate(command, tmp_path, engine):
    if engine == "dask":
        pytest.importorskip("distributed", reason="needs the extra 'dask'")
    answer = command("+study.limit_minutes=0.00001", f"engine={engine}")
    assert answer.code == 0, answer.err
    (skipped,) = json.loads((tmp_path / "study" / "study.json").read_text())["skipped"]
    assert skipped["method"] == "ml_knn"
    assert skipped["reason"].startswith("it would take about 0.0 minutes, by the ")
    assert skipped["reason"].endswith("the study's limit is 1e-05 minutes a run")


def test_what_is_there_is_no_matter_of_time(command):
    assert "1 computed" in command("+study.limit_minutes=60").out
    assert "1 reused" in command("+study.limit_minutes=0.00001").out


@pytest.mark.parametrize("limit", ["0", "-1", "soon", "true"])
def test_a_limit_is_a_number_above_0(command, limit):
    answer = command(f"+study.limit_minutes={limit}")
    assert answer.code == 2
    assert "study.limit_minutes must be a number above 0" in answer.err
