"""Records of older code: accepted after a comparison, and put in the place of the committed."""

import dataclasses
import shutil

import pytest

from experiments import accept, keep, study
from experiments.figures import changed_figures, largest_difference
from experiments.study_folder import StudyFolder
from tests.harness import ROOT, call

COMMITTED = ROOT / "results" / "committed"
STUDIES = sorted(path.name for path in COMMITTED.glob("*"))


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    """The folder of a smoke study, with two of its methods."""
    places = f"results={tmp_path / 'runs'}", f"output={tmp_path / 'smoke'}", "report=false"
    methods = "study.methods=[nn_mlm,br_mlm]"
    assert call(study.main, monkeypatch, capsys, "study=smoke", methods, *places).code == 0
    return StudyFolder(tmp_path / "smoke")


@pytest.fixture
def command(monkeypatch, capsys, folder):
    def command(*arguments):
        given = ("study=smoke", "study.methods=[nn_mlm,br_mlm]", f"folder={folder.path}")
        return call(accept.main, monkeypatch, capsys, *given, *arguments)

    return command


def make_older(folder: StudyFolder, name: str, **changes: object) -> None:
    """Turn a record into one that other code has made."""
    record = folder.read(name)
    code = dataclasses.replace(record.code, modules={**record.code.modules, "mlmlm.gone": "0"})
    older = dataclasses.replace(record, identity="0" * 12, code=code, **changes)
    folder.write_record(name, older)


def test_records_of_older_code_are_accepted_after_a_comparison(folder, command):
    present = folder.read("emotions/nn_mlm")
    make_older(folder, "emotions/nn_mlm")
    answer = command()
    assert answer.code == 0, answer.err
    assert "emotions/nn_mlm: the same" in answer.out
    assert "1 records are of the present code" in answer.out
    assert "1 of older code accepted, 0 not" in answer.out
    record = folder.read("emotions/nn_mlm")
    assert (record.identity, record.code) == (present.identity, present.code)
    assert record.metrics == present.metrics
    *_, entry = record.accepted
    assert entry["identity"] == "0" * 12
    assert "mlmlm.gone" in entry["changed"]
    assert entry["compared"] == {"emotions/nn_mlm": 0.0}


def test_records_with_other_figures_are_not_accepted(folder, command):
    metrics = folder.read("emotions/nn_mlm").metrics
    make_older(folder, "emotions/nn_mlm", metrics=metrics | {"accuracy": 0.5})
    make_older(folder, "emotions/br_mlm")
    answer = command()
    assert answer.code == 1
    assert "emotions/nn_mlm: differs by 0.086" in answer.out
    assert "1 of older code accepted, 1 not" in answer.out
    assert folder.read("emotions/nn_mlm").identity == "0" * 12
    assert folder.read("emotions/br_mlm").accepted


def test_records_with_other_parameters_are_not_accepted(folder, command):
    make_older(folder, "emotions/nn_mlm")
    record = folder.read("emotions/nn_mlm")
    config = record.config | {"method": record.config["method"] | {"scaling": "none"}}
    folder.write_record("emotions/nn_mlm", dataclasses.replace(record, config=config))
    answer = command()
    assert answer.code == 1
    assert "emotions/nn_mlm: not accepted, its parameters are others now" in answer.out


def test_no_records_and_wrong_seconds_are_told_in_one_line(command, tmp_path):
    for argument in (f"folder={tmp_path / 'nowhere'}", "seconds=soon"):
        answer = command(argument)
        assert answer.code == 2
        assert answer.err.count("\n") == 1


def test_differences_of_records(folder):
    record = folder.read("emotions/br_mlm")
    other = dataclasses.replace(record, metrics=record.metrics | {"accuracy": 0.75})
    assert largest_difference(record, record) == 0
    assert largest_difference(record, other) == abs(record.metrics["accuracy"] - 0.75)
    assert list(changed_figures(other, record)) == ["accuracy 0.59777, was 0.75000"]
    without = dataclasses.replace(record, metrics={})
    assert largest_difference(record, without) == float("inf")
    assert "absent" in next(changed_figures(record, without))


def test_new_results_take_the_place_of_the_committed(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(keep, "COMMITTED", tmp_path / "committed")
    assert keep.main([str(folder.path)]) == 0
    assert "new: emotions/br_mlm" in capsys.readouterr().out
    place = StudyFolder(tmp_path / "committed" / "smoke")
    assert place.manifest() == folder.manifest()
    assert keep.main([str(folder.path)]) == 0
    assert capsys.readouterr().out == "the same figures as before\n"
    record = folder.read("emotions/br_mlm")
    changed = dataclasses.replace(record, metrics=record.metrics | {"accuracy": 0.75})
    folder.write_record("emotions/br_mlm", changed)
    assert keep.main([str(folder.path)]) == 0
    assert capsys.readouterr().out == "emotions/br_mlm: accuracy 0.75000, was 0.59777\n"
    assert keep.main([str(tmp_path)]) == 2
    assert keep.main([str(place.path)]) == 2


# What is committed here


@pytest.mark.skipif(not COMMITTED.is_dir(), reason="no committed results")
@pytest.mark.parametrize("name", STUDIES)
def test_every_committed_file_is_of_its_study(name):
    folder = StudyFolder(COMMITTED / name)
    manifest = folder.manifest()
    assert manifest is not None and manifest.name == name and not manifest.failed
    kept = {f"{run}.json" for run in manifest.runs}
    kept |= {f"{run}.npz" for run, digest in manifest.runs.items() if digest}
    records = folder.path / "records"
    assert {path.relative_to(records).as_posix() for path in records.rglob("*.*")} == kept
    for run, digest in manifest.runs.items():
        folder.read(run)
        folder.read_arrays(run, digest)


@pytest.fixture
def copied(tmp_path, monkeypatch, capsys):
    """A command that accepts a copy of what is committed of a study."""

    def copied(name):
        shutil.copytree(COMMITTED / name, tmp_path / name)
        given = (f"study={name}", f"folder={tmp_path / name}", "seconds=0")
        return StudyFolder(tmp_path / name), lambda: call(accept.main, monkeypatch, capsys, *given)

    return copied


@pytest.mark.skipif(not COMMITTED.is_dir(), reason="no committed results")
@pytest.mark.parametrize("name", STUDIES)
def test_committed_records_are_of_the_present_code(name, copied, monkeypatch):
    """Else they would not be reused: `make accept` after a change that changes no figure."""
    folder, command = copied(name)

    def compare(sample, console):
        assert not sample, f"{sample[0].name} is of older code"
        return {}

    monkeypatch.setattr(accept, "compare", compare)
    answer = command()
    runs = len(folder.manifest().runs)
    assert f"{runs} records are of the present code" in answer.out, answer.err


@pytest.mark.slow
@pytest.mark.skipif(not COMMITTED.is_dir(), reason="no committed results")
@pytest.mark.parametrize("name", ["paper", "one_footing"])
def test_a_sample_of_the_committed_records_is_what_the_code_gives(name, copied, monkeypatch):
    folder, command = copied(name)
    for run in folder.manifest().runs:
        make_older(folder, run)
    monkeypatch.setattr(accept, "TOLERANCE", 5e-4)  # another BLAS may round otherwise
    answer = command()
    assert answer.code == 0, answer.out
    assert "not compared" not in answer.out
