"""Records, their identity, and the store that keeps them."""

import contextlib
import dataclasses
import json
import mmap
import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments import record as records
from experiments.errors import UsageError
from experiments.identity import Code, RunIdentity, digest_of_module
from experiments.phases import Phase, measured
from experiments.provenance import provenance
from experiments.record import RecordError, read_record, unpack_arrays, without_folders
from experiments.store import ARRAYS, FAILURE, RECORD, RunKey, Store, StoreError, pack, slug
from mlmlm.progress import phase
from tests.harness import ROOT

FIXTURE = Path(__file__).parent / "data" / "record_schema1.json"


@pytest.fixture
def arrays():
    rng = np.random.default_rng(0)
    return {"predictions": rng.integers(0, 2, (7, 5), dtype=np.uint8), "scores": rng.random((7, 5))}


@pytest.fixture
def run(arrays):
    """A run as it would be stored: its key, its record and its packed arrays."""
    content, digest = pack(arrays)
    record = dataclasses.replace(read_record(FIXTURE.read_bytes()), arrays_sha256=digest)
    return RunKey(record.dataset, record.method, record.identity), record, content


def test_what_is_written_is_read(tmp_path, run, arrays):
    key, record, content = run
    store = Store(tmp_path)
    assert store.read(key) is None
    store.write(key, record, content)
    assert store.read(key) == record
    assert (store.folder(key) / RECORD).stat().st_mode & 0o777 == 0o644
    read = store.read_arrays(key)
    assert read.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(read[name], array)


def test_path_is_the_identity(tmp_path, run):
    key, record, content = run
    Store(tmp_path).write(key, record, content)
    assert (tmp_path / key.dataset / key.method / key.identity / "record.json").is_file()
    assert slug("my data/é..") == "my%20data%2F%C3%A9.."
    assert slug(".hidden") == "%2Ehidden"


@pytest.mark.parametrize("file", [RECORD, ARRAYS])
@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "changed"])
def test_a_damaged_run_is_not_complete(tmp_path, run, file, damage):
    key, record, content = run
    store = Store(tmp_path)
    store.write(key, record, content)
    (path,) = store.folder(key).glob(file)
    whole = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        changed = whole.replace(record.identity.encode(), b"0" * 12) + b"x"
        path.write_bytes({"empty": b"", "cut": whole[:-9], "changed": changed}[damage])
    assert store.read(key) is None
    store.write(key, record, content)
    assert store.read(key) == record


def test_a_failing_write_leaves_what_was_there(tmp_path, run, monkeypatch):
    key, record, content = run
    store = Store(tmp_path)
    store.write(key, record, content)

    def no_space(*_):
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", no_space)
    with pytest.raises(StoreError, match="no space"):
        store.write(key, record, content)
    assert store.read(key) == record
    assert {path.name for path in store.folder(key).iterdir()} == {RECORD, arrays_name(record)}


def arrays_name(record):
    return f"arrays-{record.arrays_sha256[:12]}.npz"


def test_the_record_is_written_last(tmp_path, run, monkeypatch):
    key, record, content = run
    store = Store(tmp_path)
    folder = store.folder(key)
    renamed = []
    rename = os.replace
    monkeypatch.setattr("os.replace", lambda a, b: (renamed.append(Path(b).name), rename(a, b)))
    store.write(key, record, content)
    assert renamed == [arrays_name(record), RECORD]
    assert {path.name for path in folder.iterdir()} == set(renamed)


def test_a_failure_is_kept_until_the_run_succeeds(tmp_path, run):
    key, record, content = run
    store = Store(tmp_path)
    try:
        raise RuntimeError("broken")
    except RuntimeError as error:
        file = store.write_failure(key.path, error, {})
    told = json.loads(file.read_text())
    assert told["error"] == "RuntimeError: broken"
    assert "test_a_failure_is_kept" in told["traceback"]
    assert store.read(key) is None
    store.write(key, record, content)
    assert not (store.folder(key) / FAILURE).exists()


def test_a_locked_run_is_waited_for(tmp_path, run):
    key, *_ = run
    locked, order = threading.Event(), []

    def other_process():
        with Store(tmp_path).lock(key.path):
            locked.set()
            time.sleep(0.3)
            order.append("released")

    other = threading.Thread(target=other_process)
    other.start()
    locked.wait()
    with Store(tmp_path).lock(key.path, lambda: order.append("waiting")):
        order.append("locked")
    other.join()
    assert order == ["waiting", "released", "locked"]


def test_a_record_is_not_reused_when_a_module_that_it_loaded_has_changed(tmp_path, run):
    key, record, content = run
    store = Store(tmp_path)
    same = {"tests.harness": digest_of_module("tests.harness")}
    store.write(key, dataclasses.replace(record, unforeseen=same), content)
    assert store.read(key) is not None
    store.write(key, dataclasses.replace(record, unforeseen={"tests.harness": "0"}), content)
    assert store.read(key) is None


def test_why_an_older_record_is_not_taken(tmp_path, run):
    key, record, content = run
    store = Store(tmp_path)
    code = Code({"mlmlm.thresholds": "1"}, {"numpy": "1.0"})
    older = dataclasses.replace(record, parameters={"power": None}, code=code)
    new = RunIdentity(older.parameters, record.data["fingerprint"], Code({}, {"numpy": "2.0"}))
    wanted = RunKey(key.dataset, key.method, new.digest)
    assert store.why_not(wanted, new) is None
    store.write(key, older, content)
    assert store.why_not(wanted, new) == "the code of mlmlm.thresholds; numpy 2.0, was 1.0"


def test_the_other_seeds_of_a_method_are_no_older_records(tmp_path, run):
    key, record, content = run
    store = Store(tmp_path)
    store.write(key, dataclasses.replace(record, seed=1, parameters={"random_state": 1}), content)
    new = RunIdentity({"random_state": 2}, record.data["fingerprint"], record.code)
    assert store.why_not(RunKey(key.dataset, key.method, new.digest), new) is None


def test_a_record_of_a_newer_schema_is_never_overwritten(tmp_path, run):
    key, record, content = run
    store = Store(tmp_path)
    store.write(key, record, content)
    path = store.folder(key) / RECORD
    newer = path.read_text().replace(f'"schema": {records.SCHEMA}', '"schema": 99', 1)
    path.write_text(newer)
    for attempt in (lambda: store.read(key), lambda: store.write(key, record, content)):
        with pytest.raises(UsageError, match="newer version"):
            attempt()
    assert path.read_text() == newer


def test_every_flipped_bit_is_noticed(run):
    """Either the file is refused, or what it says is the same."""
    _, record, _ = run
    whole = record.to_json().encode()
    rng = np.random.default_rng(0)
    for position in rng.integers(0, 8 * len(whole), 600):
        flipped = bytearray(whole)
        flipped[position // 8] ^= 1 << (position % 8)
        with contextlib.suppress(RecordError):
            assert read_record(bytes(flipped)) == record


@given(st.lists(st.text(max_size=8), unique=True, max_size=5))
def test_different_names_have_different_paths(names):
    paths = {slug(name) for name in names}
    assert len(paths) == len(names)
    assert not any("/" in path or path.startswith(".") or not path for path in paths)


def test_records_of_this_schema_stay_readable():
    record = read_record(FIXTURE.read_bytes())
    assert record.metrics["accuracy"] == pytest.approx(0.609, abs=5e-4)
    assert record.seconds > 0
    assert read_record(record.to_json()) == record


def test_records_of_an_older_schema_are_brought_up_to_date(monkeypatch):
    content = json.loads(FIXTURE.read_bytes())
    old = content | {"schema": 0, "figures": content["metrics"]}
    del old["metrics"]
    monkeypatch.setitem(
        records.UPGRADES, 0, lambda old: old | {"schema": 1, "metrics": old["figures"]}
    )
    assert read_record(json.dumps(old)).metrics == content["metrics"]


def test_records_of_a_newer_schema_are_refused_with_a_reason():
    content = json.loads(FIXTURE.read_bytes()) | {"schema": records.SCHEMA + 1}
    with pytest.raises(RecordError, match="newer version"):
        read_record(json.dumps(content))


def test_predictions_survive_packing(arrays):
    packed = records.pack_arrays(arrays)
    assert packed["predictions"].nbytes == 5  # 35 bits
    np.testing.assert_array_equal(unpack_arrays(packed)["predictions"], arrays["predictions"])


def test_no_folders_in_records():
    config = {"train": "/home/me/data/train.arff", "labels": ["a/b", "/etc/x"], "n": 3}
    assert without_folders(config) == {"train": "train.arff", "labels": ["a/b", "x"], "n": 3}


def test_provenance_tells_code_packages_machine_and_time():
    facts = provenance()
    assert set(facts) == {
        "utc", "git", "python", "packages", "blas", "cpu", "memory_gb", "platform"
    }  # fmt: skip
    assert facts["blas"] and all(library["num_threads"] >= 1 for library in facts["blas"])
    if facts["git"] is not None:
        assert len(facts["git"]["commit"]) == 40
        assert isinstance(facts["git"]["dirty"], bool)
    assert str(ROOT) not in json.dumps(facts)


def test_phases_count_the_innermost_and_their_memory(monkeypatch):
    now, heard = [0.0], []
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    with measured(lambda *event: heard.append(event)) as meter, phase("outer", 1):
        now[0] += 1
        with phase("inner", 2) as tick:
            # Mapped memory is new to the process; NumPy may be given some that it had before.
            block = np.frombuffer(mmap.mmap(-1, 80_000_000), dtype=np.uint8)
            block[:] = 1
            now[0] += 5
            meter.sample()
            tick(1)
            del block
        now[0] += 2
    outer, inner = meter.phases(shared=True)
    assert isinstance(outer, Phase)
    assert (outer.name, inner.name) == ("outer", "inner")
    assert (outer.seconds, inner.seconds) == (3, 5)
    assert inner.peak_mb > outer.peak_mb + 70  # the block of 80 MB
    assert ("inner", 1, 2) in heard
