"""The fits beside the study of the paper: the command that makes them."""

import json

import pandas as pd
import pytest

from experiments import refits
from mlmlm.datasets import DatasetError, load_dataset
from tests.harness import ROOT

COMMITTED = ROOT / "results" / "committed" / "paper" / "refits"


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["no/such/folder"]])
def test_wrong_arguments_are_told_in_one_line(arguments, capsys):
    assert refits.main(arguments) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_data_that_cannot_be_loaded_are_told_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MLMLM_ARFF_DIR", str(tmp_path / "no_data"))
    monkeypatch.setenv("MLMLM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    assert refits.main([str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert not (tmp_path / "refits").exists()


@pytest.mark.slow
def test_the_command_keeps_what_is_committed(tmp_path):
    try:
        for name in refits.SMALL:
            load_dataset(name)
    except DatasetError as error:
        pytest.skip(str(error))
    assert refits.main([str(tmp_path)]) == 0
    committed = {path.name: json.loads(path.read_text()) for path in COMMITTED.glob("*.json")}
    made = {path.name: json.loads(path.read_text()) for path in (tmp_path / "refits").iterdir()}
    assert made.keys() == committed.keys()
    for name, content in made.items():
        assert content["provenance"].keys() == committed[name]["provenance"].keys()
        assert content.get("fingerprint") == committed[name].get("fingerprint")
        if name.startswith("cuts_"):
            values, kept = (pd.DataFrame(each["cuts"]) for each in (content, committed[name]))
            pd.testing.assert_frame_equal(values, kept, rtol=1e-3)
