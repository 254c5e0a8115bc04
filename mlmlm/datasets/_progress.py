"""A progress bar over bytes being read, on standard error and only where a person sees it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def watched(file: BinaryIO, total: int, description: str, enabled: bool) -> Iterator[BinaryIO]:
    """Yield ``file``, or a reader of it that moves a bar towards ``total`` bytes."""
    if not _is_seen(enabled):
        yield file
        return
    with _bar() as bar, bar.wrap_file(file, total=total, description=description) as reader:
        yield reader


def counted(
    chunks: Iterable[bytes], total: int, description: str, enabled: bool
) -> Iterator[bytes]:
    """Yield ``chunks``, moving a bar towards ``total`` bytes."""
    if not _is_seen(enabled):
        yield from chunks
        return
    with _bar() as bar:
        task = bar.add_task(description, total=total)
        for chunk in chunks:
            yield chunk
            bar.advance(task, len(chunk))


def _is_seen(enabled: bool) -> bool:
    return enabled and sys.stderr.isatty()


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
