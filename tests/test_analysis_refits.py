"""The fits beside the study of the paper: the command that makes them."""

import pytest

from experiments.refits import __main__ as refits


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
