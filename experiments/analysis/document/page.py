"""Sections as HTML, and the whole page; nothing in it is loaded from elsewhere.

Text is escaped by the templates. Pictures are embedded: as SVG where that is small, else as PNG.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from experiments.analysis.document.marks import marked
from experiments.analysis.document.pictures import drawn
from experiments.analysis.sections.parts import (
    DIFFERS,
    Entry,
    Paragraph,
    Picture,
    Section,
    Table,
    is_missing,
)
from experiments.analysis.sections.summary import Summary

LARGEST_SVG = 200_000
"""Characters; drawings of many points have more, and are smaller as PNG."""
PROSE, LONG = 28, 90
"""Characters; a column with longer texts is set with line breaks, and the wider the longer."""
TALL, CHOICES = 20, 5
"""A table with more rows scrolls, and can be narrowed by columns of no more different words."""
FOLDED = ("nemenyi_",)
"""How the names of tables begin that are there to look something up, and are closed at first."""
MANY = 3
"""A section with more tables has a list of them."""
AGREES = "="
VERDICTS = {"holds": True, "does not hold": False}
ANSWERS = {"true": True, "false": False}
"""Words that have the colours of values that agree and differ; answers if that is the question."""

_TEMPLATES = Path(__file__).parent / "templates"
_SVG_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
# What may stand in an address between double quotes as it is: the fewer escapes, the smaller.
_PLAIN = " !$()*+,-./:;=?@[]^_`{|}~'"


@dataclass(frozen=True)
class Chapter:
    """A section in HTML, and the anchor it has."""

    anchor: str
    title: str
    html: Markup


class Column(NamedTuple):
    """A column of a table: how it is set, and the words it can be narrowed to."""

    name: str
    kind: str
    choices: Sequence[str]


class Row(NamedTuple):
    """A row of a table, and whether there is a difference in it."""

    label: str
    cells: Sequence[Entry]
    differs: bool


class Layout(NamedTuple):
    """A table as it is set; its first column is that of the labels."""

    columns: Sequence[Column]
    rows: Sequence[Row]

    @property
    def differing(self) -> int:
        """The number of rows with a difference, if that tells one row from another."""
        number = sum(row.differs for row in self.rows)
        return number if number < len(self.rows) else 0

    @property
    def wordy(self) -> bool:
        """Whether it has texts that a narrow screen has no room for side by side."""
        return any(column.kind == "long" for column in self.columns)

    @property
    def narrows(self) -> bool:
        """Whether there is something to choose rows by."""
        return bool(self.differing) or any(column.choices for column in self.columns)


class Image(NamedTuple):
    """An embedded picture, with its size in pixels so that nothing moves when it appears."""

    address: Markup
    width: int
    height: int


def render_section(anchor: str, section: Section, folder: Path) -> Chapter:
    """A section of the study in ``folder``, where the files of its pictures are."""
    tables = section.tables
    html = (
        _environment()
        .get_template("section.html")
        .render(
            anchor=anchor,
            section=section,
            listed=tables if len(tables) > MANY else [],
            command=section.command
            or f"python -m experiments.analysis.report results/{folder.name}",
            folder=folder,
        )
    )
    return Chapter(anchor, section.title, Markup(html))


def render_page(summary: Summary, chapters: Sequence[Chapter], folder: Path) -> str:
    """The whole page."""
    return (
        _environment()
        .get_template("page.html")
        .render(
            summary=summary,
            chapters=chapters,
            folder=folder,
            style=Markup((_TEMPLATES / "page.css").read_text()),
            script=Markup((_TEMPLATES / "page.js").read_text()),
        )
    )


def inline(text: str) -> Markup:
    """Text with its marks."""
    return Markup("").join(
        marked(
            text,
            plain=escape,
            code=Markup("<code>{}</code>").format,
            bold=Markup("<b>{}</b>").format,
            link=lambda words, address: Markup('<a href="{}">{}</a>').format(address, words),
        )
    )


def image(picture: Picture, folder: Path) -> Image:
    """A picture, whose SVG file is there, as a data address."""
    svg = (folder / "figures" / f"{picture.name}.svg").read_text()
    size = _SVG_SIZE.search(svg)
    if size is None:
        raise ValueError(f"{picture.name}.svg does not say its size")
    if len(svg) <= LARGEST_SVG:
        address = f"data:image/svg+xml,{quote(_compact(svg), safe=_PLAIN)}"
    else:
        png = base64.b64encode(drawn(picture, "png")).decode()
        address = f"data:image/png;base64,{png}"
    width, height = (round(float(points) * 96 / 72) for points in size.groups())
    return Image(Markup(address), width, height)


def lay_out(table: Table) -> Layout:
    """Columns and rows of a table, ready for the template."""
    rows = [[Entry(label, label, None, None, False), *cells] for label, cells in table.rows()]
    columns = [_column(name, [row[i] for row in rows]) for i, name in enumerate(table.head)]
    return Layout(columns, [Row(row[0].text, row[1:], _differs(row, columns)) for row in rows])


def judge(cell: Entry, column: str) -> bool | None:
    """Whether a cell agrees with the paper, or says in words that something does."""
    if cell.agrees is not None:
        return cell.agrees
    words = VERDICTS | (ANSWERS if column == "agrees" else {})
    return words.get(cell.text)


def state(cell: Entry, column: str) -> str:
    """Classes of a cell, for the style and the script."""
    states = {
        "agrees": judge(cell, column) is True,
        "differs": judge(cell, column) is False,
        "best": cell.best,
        "missing": is_missing(cell.value),
    }
    return " ".join(name for name, holds in states.items() if holds)


def meaning(cell: Entry) -> str:
    """What the colour of a value says, in words."""
    if cell.published is None:
        return ""
    if cell.agrees is None:
        return f"no value of ours beside the published {cell.published}"
    return f"{'agrees with' if cell.agrees else 'differs from'} the published {cell.published}"


def sign(cell: Entry) -> str:
    """Between a value and the published one; none where the two are not compared."""
    return "" if cell.agrees is None else AGREES if cell.agrees else DIFFERS


def number(value: Any) -> str | None:
    """What a cell is sorted by, if it is a number."""
    return repr(float(value)) if _is_number(value) else None


def _differs(cells: Sequence[Entry], columns: Sequence[Column]) -> bool:
    pairs = zip(cells, columns, strict=True)
    return any(judge(cell, column.name) is False for cell, column in pairs)


def _column(name: str, cells: Sequence[Entry]) -> Column:
    texts = list(dict.fromkeys(cell.text for cell in cells if cell.text))
    if all(_is_number(cell.value) for cell in cells if not is_missing(cell.value)):
        return Column(name, "number", [])
    longest = max(map(len, texts))
    if longest > PROSE:
        return Column(name, "long" if longest > LONG else "prose", [])
    few = len(cells) > TALL and 1 < len(texts) <= CHOICES
    return Column(name, "words", texts if few else [])


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and not is_missing(value)


def _compact(svg: str) -> str:
    """A drawing without what a page does not need: its prologue, and line breaks."""
    text = re.sub(r"\s+", " ", svg[svg.index("<svg") :]).replace("> <", "><")
    return text if "'" in text else text.replace('"', "'")  # which needs no escape


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"inline": inline, "number": number}
    environment.filters |= {"meaning": meaning, "sign": sign, "state": state}
    environment.globals |= {"image": image, "lay_out": lay_out, "tall": TALL}
    environment.tests |= {
        "folded": lambda table: table.name.startswith(FOLDED),
        "paragraph": lambda part: isinstance(part, Paragraph),
        "picture": lambda part: isinstance(part, Picture),
    }
    return environment
