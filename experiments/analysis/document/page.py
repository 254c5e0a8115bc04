"""Sections as HTML, and the whole page; nothing in it is loaded from elsewhere.

Text is escaped by the templates. Pictures are part of the page, as SVG in its own colours, so that
they follow its light or dark theme.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from experiments.analysis.document.marks import marked
from experiments.analysis.sections.parts import (
    DIFFERS,
    Entry,
    Gallery,
    Paragraph,
    Picture,
    Points,
    Section,
    Table,
    is_missing,
)
from experiments.analysis.sections.summary import Summary

PROSE, LONG = 28, 90
"""Characters; a column with longer texts is set with line breaks, and the wider the longer."""
TALL, CHOICES = 20, 5
"""A table with more rows scrolls, and can be narrowed by columns of no more different words."""
MANY = 3
"""A section with more tables has a list of them."""
AGREES = "="
VERDICTS = {"holds": True, "does not hold": False}
ANSWERS = {"yes": True, "no": False}
"""Words that have the colours of values that agree and differ; answers if that is the question."""

_TEMPLATES = Path(__file__).parent / "templates"
_SVG = re.compile(r'<svg .*?viewBox="0 0 ([\d.]+) ([\d.]+)".*?>(.*)</svg>', re.S)
_NAME = re.compile(r' id="|href="#|url\(#')
# Colours of pictures on white paper, and what they are on the page.
_COLOURS = {
    "#000000": "currentColor",
    "#ffffff": "var(--paper)",
    "#0072b2": "var(--figure)",
    "#595959": "var(--quiet)",
    "#d9d9d9": "var(--line)",
}


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


def drawing(picture: Picture, folder: Path, copy: str = "") -> Markup:
    """A picture, whose SVG file is there, as an element of the page.

    A second one on the page is a ``copy``, whose names within begin with that word.
    """
    svg = _SVG.search((folder / "figures" / f"{picture.name}.svg").read_text())
    if svg is None:
        raise ValueError(f"{picture.name}.svg does not say its size")
    width, height, content = svg.groups()
    content = _NAME.sub(rf"\g<0>{copy}", content.replace("xlink:href", "href"))
    for colour, own in _COLOURS.items():
        content = content.replace(colour, own)
    return Markup(
        '<svg viewBox="0 0 {0} {1}" width="{2:.0f}" role="img" aria-label="{3}" '
        'stroke-linejoin="round">{4}</svg>'
    ).format(
        *(width, height, float(width) * 96 / 72, picture.title),
        Markup(content),
    )


def lay_out(table: Table) -> Layout:
    """Columns and rows of a table, ready for the template."""
    rows = [[Entry(label, label), *cells] for label, cells in table.rows()]
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
    environment.globals |= {"drawing": drawing, "lay_out": lay_out, "tall": TALL}
    environment.tests |= {
        "paragraph": lambda part: isinstance(part, Paragraph),
        "points": lambda part: isinstance(part, Points),
        "gallery": lambda part: isinstance(part, Gallery),
        "picture": lambda part: isinstance(part, Picture),
    }
    return environment
