"""What a report is made of: sections of paragraphs, pictures and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from experiments.analysis.table import Table


@dataclass(frozen=True)
class Paragraph:
    """Plain text; between backquotes it is code, between double asterisks it is bold."""

    text: str


@dataclass(frozen=True)
class Picture:
    """A figure that is written as ``figures/<name>.svg``, ``.pdf`` and ``.png``."""

    name: str
    title: str
    caption: str = ""


Part: TypeAlias = Paragraph | Picture | Table


@dataclass(frozen=True)
class Section:
    """A heading, its parts, and the command that makes them if it is not the report's own."""

    title: str
    parts: Sequence[Part]
    command: str = ""
