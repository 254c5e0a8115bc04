"""What stays when something comes between: a kill, a full disk, another study, a flipped bit."""

import dataclasses
import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest

from experiments import store as stores
from experiments import study
from experiments.choices import DatasetChoice, MethodChoice
from experiments.limited import run_limited
from experiments.record import RecordError, read_record
from experiments.store import ARRAYS, RECORD, RunKey, Store, StoreError, pack
from experiments.study_folder import MANIFEST, Manifest, StudyFolder
from mlmlm.files import atomic_writer
from tests.harness import call

FIXTURE = Path(__file__).parent / "data" / "record_schema1.json"


def made_run(scores):
    """A key, a record and its packed arrays."""
    content, digest = pack({"predictions": np.eye(3, dtype=np.uint8), "scores": scores})
    record = dataclasses.replace(read_record(FIXTURE.read_bytes()), arrays_sha256=digest)
    return RunKey(record.dataset, record.method, record.identity), record, content


class Killed(BaseException):
    pass


@pytest.mark.parametrize("writes", [0, 1, 2])
def test_a_run_that_is_replaced_is_complete_at_every_moment(tmp_path, monkeypatch, writes):
    """Also where the new arrays are others, as from a method that draws at random."""
    store = Store(tmp_path)
    key, older, content = made_run(np.zeros((3, 3)))
    store.write(key, older, content)
    _, newer, other_content = made_run(np.ones((3, 3)))
    done = []

    def killed_after(path, content):
        if len(done) == writes:
            raise Killed
        done.append(path)
        with atomic_writer(path) as file:
            file.write(content)

    with monkeypatch.context() as patch:
        patch.setattr(stores, "write_file", killed_after)
        try:
            store.write(key, newer, other_content)
        except Killed:
            assert writes < 2
    assert store.read(key) == (newer if writes == 2 else older)
    assert store.read_arrays(key)["scores"].sum() == (9 if writes == 2 else 0)
    store.write(key, newer, other_content)
    names = {path.name for path in store.folder(key).iterdir()}
    assert names == {RECORD, f"arrays-{newer.arrays_sha256[:12]}.npz"}


def test_arrays_that_are_gone_are_told(tmp_path):
    store = Store(tmp_path)
    key, record, content = made_run(np.zeros((3, 3)))
    store.write(key, record, content)
    (path,) = store.folder(key).glob(ARRAYS)
    path.write_bytes(content[:-1])
    assert store.read(key) is None
    with pytest.raises(StoreError, match="not whole"):
        store.read_arrays(key)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="what a handle is of is not told")
def test_a_full_disk_under_the_study_is_told_in_one_line(tmp_path, monkeypatch, capsys):
    flush = os.fsync

    def full(handle):
        if "study" in os.readlink(f"/proc/self/fd/{handle}"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        flush(handle)

    arguments = ["study=smoke", "study.methods=[nn_mlm]", "report=false"]
    places = [f"results={tmp_path / 'runs'}", f"output={tmp_path / 'study'}"]
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        answer = call(study.main, patch, capsys, *arguments, *places)
    assert answer.code == 2
    assert len(answer.err.splitlines()) == 1
    assert "No space left on device" in answer.err and "output=" in answer.err
    assert call(study.main, monkeypatch, capsys, *arguments, *places).code == 0


def test_leftovers_of_a_killed_study_are_swept(tmp_path, monkeypatch, capsys):
    leftovers = [
        tmp_path / "study" / ".study.json.abcd1234.tmp",
        tmp_path / "runs" / ".a.12345678.tmp",
    ]
    for path in leftovers:
        path.parent.mkdir()
        path.write_bytes(b"half")
    places = [f"results={tmp_path / 'runs'}", f"output={tmp_path / 'study'}"]
    call(study.main, monkeypatch, capsys, "study=smoke", "report=false", *places)
    assert not any(path.exists() for path in leftovers)


def test_what_another_study_is_writing_is_not_set_aside(tmp_path):
    folder = StudyFolder(tmp_path)
    record = read_record(FIXTURE.read_bytes())
    name, _ = folder.write(record, {})
    with atomic_writer(tmp_path / "records" / "emotions" / "other.json") as file:
        file.write(b"{}")
        assert folder.set_aside([name]) == 0
    assert (tmp_path / "records" / "emotions" / "other.json").read_bytes() == b"{}"
    assert folder.set_aside([name]) == 1


def test_a_run_with_a_limit_is_stored_by_who_holds_the_lock():
    """A process that outlives its parent has nothing to write to."""
    dataset = DatasetChoice(
        "emotions", {"_target_": "mlmlm.datasets.load_dataset", "name": "emotions"}
    )
    method = MethodChoice("nn_mlm", {"_target_": "mlmlm.NearestNeighborMLM", "limit_seconds": 500})
    record, arrays = run_limited(dataset, method)
    assert record.arrays_sha256 == stores._digest(arrays)
    assert record.metrics["accuracy"] > 0


def flips(content):
    """Every content that differs in one bit."""
    for position in range(8 * len(content)):
        flipped = bytearray(content)
        flipped[position // 8] ^= 1 << (position % 8)
        yield bytes(flipped)


@pytest.mark.slow
def test_every_flipped_bit_of_a_record_is_noticed():
    """Either the file is refused, or what it says is the same."""
    _, record, _ = made_run(np.zeros((3, 3)))
    refused = 0
    for flipped in flips(record.to_json().encode()):
        try:
            assert read_record(flipped) == record
        except RecordError:
            refused += 1
    assert refused > 30_000


def test_every_flipped_bit_of_a_list_of_runs_is_noticed(tmp_path):
    folder = StudyFolder(tmp_path)
    manifest = Manifest(
        "mine", ["toy"], {"tree": "A tree"}, {"toy/tree": "0" * 64}, (), (), "tree", True
    )
    folder.write_manifest(manifest)
    path = tmp_path / MANIFEST
    assert folder.manifest() == manifest
    for flipped in flips(path.read_bytes()):
        path.write_bytes(flipped)
        try:
            assert folder.manifest() == manifest
        except RecordError as error:
            assert str(path) in str(error)


def test_a_list_of_runs_without_its_checksum_is_refused(tmp_path):
    folder = StudyFolder(tmp_path)
    folder.write_manifest(Manifest("mine", ["toy"], {"tree": "A tree"}, {"toy/tree": None}))
    path = tmp_path / MANIFEST
    content = json.loads(path.read_bytes())
    del content["checksum"]
    path.write_text(json.dumps(content))
    with pytest.raises(RecordError, match="not a study's list of runs"):
        folder.manifest()
