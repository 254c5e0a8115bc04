"""The marks of a text: `code`, **bold** and [links](address)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_MARKS = re.compile(r"`([^`]+)`|\*\*(.+?)\*\*|\[([^\[\]]+)\]\(([^()\s]+)\)")


def marked(
    text: str,
    plain: Callable[[str], str],
    code: Callable[[str], str],
    bold: Callable[[str], str],
    link: Callable[[str, str], str],
) -> Iterator[str]:
    """The pieces of a text from left to right, each set by the function of its kind."""
    end = 0
    for mark in _MARKS.finditer(text):
        yield plain(text[end : mark.start()])
        if mark[1]:
            yield code(mark[1])
        elif mark[2]:
            yield bold(mark[2])
        else:
            yield link(mark[3], mark[4])
        end = mark.end()
    yield plain(text[end:])
