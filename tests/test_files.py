"""Files that are whole or absent, and what killed writers leave behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mlmlm.files import atomic_writer, sweep_temporary

WRITER = """
import sys, time
from pathlib import Path
from mlmlm.files import atomic_writer
with atomic_writer(Path(sys.argv[1])) as file:
    file.write(b"half of it")
    file.flush()
    print("writing", flush=True)
    time.sleep(600)
"""


def start_writer(path: Path) -> subprocess.Popen[str]:
    """A process that has written a half of ``path`` and takes its time over the rest."""
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "writing\n"
    return writer


def test_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError), atomic_writer(path) as file:
        file.write(b"new")
        raise RuntimeError
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_replaces_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "file"
    for content in (b"old", b"new"):
        with atomic_writer(path) as file:
            file.write(content)
        assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_a_living_writer_keeps_its_file_and_a_killed_one_does_not(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    path = tmp_path / "deep" / "file"
    writer = start_writer(path)
    try:
        assert sweep_temporary(tmp_path) == []
        (temporary,) = path.parent.iterdir()
    finally:
        os.kill(writer.pid, signal.SIGKILL)
        writer.communicate()
    assert temporary.read_bytes() == b"half of it"
    assert sweep_temporary(tmp_path) == [temporary]
    assert list(path.parent.iterdir()) == []


def test_nothing_but_temporary_files_is_swept(tmp_path: Path) -> None:
    kept = [
        ".hidden",
        ".gitignore.tmp",
        "file.abcdefgh.tmp",
        ".file.abcdefgh",
        ".file.ABCDEFGH.tmp",
    ]
    for name in kept:
        (tmp_path / name).touch()
    (tmp_path / ".folder.abcdefgh.tmp").mkdir()
    (tmp_path / ".link.abcdefgh.tmp").symlink_to(tmp_path / ".hidden")
    assert sweep_temporary(tmp_path) == []
    assert sweep_temporary(tmp_path / "absent") == []
    assert (tmp_path / ".hidden").exists()


def test_sweeping_while_others_write_loses_nothing(tmp_path: Path) -> None:
    """Each write creates, locks and renames a file; a sweep may come at any moment of it."""
    done = threading.Event()

    def sweep_on() -> None:
        while not done.is_set():
            sweep_temporary(tmp_path)

    sweepers = [threading.Thread(target=sweep_on) for _ in range(2)]
    for sweeper in sweepers:
        sweeper.start()
    try:
        for number in range(300):
            with atomic_writer(tmp_path / "file") as file:
                file.write(str(number).encode())
            assert (tmp_path / "file").read_bytes() == str(number).encode()
    finally:
        done.set()
        for sweeper in sweepers:
            sweeper.join()
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
