"""Numbers and lists as sentences have them."""

from __future__ import annotations

from collections.abc import Iterable


def counted(number: int, noun: str) -> str:
    """A number and its noun: 1 dataset, 5 datasets."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """Names in a sentence: A, B and C."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
