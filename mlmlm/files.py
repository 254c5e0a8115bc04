"""Files that are whole or absent, however a process ends.

A file is written under a temporary name beside it, ``.<name>.<random>.tmp``, and renamed when it is
complete. A process that is killed meanwhile leaves the temporary file behind, and
``sweep_temporary`` removes it. To tell it from one that is being written right now, a writer holds
a lock (``flock``) on its temporary file until that has its final name. The kernel releases the
lock when the process ends, however it ends, so a temporary file that can be locked is nobody's.
Neither its age nor a process id is asked: an old file may belong to a slow writer, and an id to
another machine that shares the folder.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows: writers cannot be told from the dead, and nothing is swept
    fcntl = None  # type: ignore[assignment]

_SUFFIX = ".tmp"
_TEMPORARY = re.compile(rf"\..+\.[a-z0-9_]{{8}}{re.escape(_SUFFIX)}", re.DOTALL)


@contextlib.contextmanager
def atomic_writer(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file that becomes ``path`` when the block ends well, and only then."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _claimed_temporary(path) as temporary:
        try:
            with temporary.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def sweep_temporary(folder: Path) -> list[Path]:
    """Remove the temporary files that killed writers left in a folder and below.

    A file that a living process is writing stays, as does one that may not be removed.

    Returns
    -------
    list of Path
        What was removed.
    """
    return [
        path
        for parent, _, names in os.walk(folder)
        for path in (Path(parent, name) for name in names if _TEMPORARY.fullmatch(name))
        if _remove_unclaimed(path)
    ]


@contextlib.contextmanager
def _claimed_temporary(path: Path) -> Iterator[Path]:
    """A new temporary file beside ``path``, locked as long as the block lasts."""
    handle, temporary = _claim(path)
    if fcntl is None:
        os.close(handle)  # Windows renames no open file
        yield temporary
        return
    try:
        yield temporary
    finally:
        os.close(handle)


def _claim(path: Path) -> tuple[int, Path]:
    while True:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=_SUFFIX)
        if fcntl is not None:
            # On a file system without locks nothing is swept either.
            with contextlib.suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
        if os.path.exists(name):
            return handle, Path(name)
        os.close(handle)  # a sweep came between creating and locking


def _remove_unclaimed(path: Path) -> bool:
    if fcntl is None:
        return False
    try:
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()
    except OSError:
        return False
    finally:
        os.close(handle)
    return True
