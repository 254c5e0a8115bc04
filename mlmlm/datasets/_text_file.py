"""Text files of numbers: opened alike, plain or compressed, their faults told in one line."""

from __future__ import annotations

import bz2
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from mlmlm.datasets._dataset import DatasetError
from mlmlm.datasets._progress import watched


@contextmanager
def open_text(path: Path, progress: bool) -> Iterator[TextIO]:
    """The lines of a UTF-8 file, with or without a byte order mark.

    A file that ends in ``.gz`` is gzipped, one that ends in ``.bz2`` compressed with bzip2. Line
    ends are left as they are, as the csv module wants them.
    """
    try:
        with (
            path.open("rb") as raw,
            watched(raw, path.stat().st_size, f"Reading {path.name}", progress) as seen,
        ):
            yield io.TextIOWrapper(_unpacked(seen, path), encoding="utf-8-sig", newline="")
    except UnicodeDecodeError as fault:
        raise DatasetError(f"{path}: not UTF-8 text ({fault}); convert the file.") from fault
    except (OSError, EOFError, zlib.error) as fault:
        if isinstance(fault, OSError) and fault.errno is not None:
            raise DatasetError(f"{path}: cannot be read ({fault.strerror}).") from fault
        packing = "compressed with bzip2" if path.suffix == ".bz2" else "gzipped"
        raise DatasetError(
            f"{path}: cannot be read to its end ({fault}); the file is damaged, cut short or not "
            f"{packing}, fetch it again."
        ) from fault


def _unpacked(file: BinaryIO, path: Path) -> BinaryIO:
    match path.suffix:
        case ".gz":
            return cast(BinaryIO, gzip.GzipFile(fileobj=file))
        case ".bz2":
            return cast(BinaryIO, bz2.BZ2File(file))
    return file


def as_number(text: str) -> float:
    """The number a text stands for; a ValueError if it is none.

    Python also reads ``1_000`` and the digits of other scripts. In a file of data they are more
    likely a mistake than a number.
    """
    if "_" in text or not text.isascii():
        raise ValueError(f"not a number: {text!r}")
    return float(text)
