"""What a report is made of: sections of paragraphs, tables and pictures.

They describe what is shown; `experiments.analysis.document` decides how, and writes it. In every
text words between backquotes are code, words between double asterisks are bold, and
``[words](address)`` is a link.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import pandas as pd
from matplotlib.figure import Figure

ABSENT = "–"
DIFFERS = "≠"
DEFAULT_FORMAT = ".3f"


@dataclass(frozen=True)
class Paragraph:
    """Text."""

    text: str


@dataclass(frozen=True)
class Points:
    """A list of texts, one under the other."""

    texts: Sequence[str]


@dataclass(frozen=True, eq=False)
class Picture:
    """A drawing, and what is written under it; ``name`` is the stem of its files."""

    name: str
    title: str
    figure: Figure
    caption: str = ""


@dataclass(frozen=True, eq=False)
class Gallery:
    """Pictures to be compared, side by side where there is room."""

    pictures: Sequence[Picture]


class Entry(NamedTuple):
    """A place of a table, ready to be set; what is not to be shown is None."""

    value: Any
    text: str
    published: str | None = None
    agrees: bool | None = None
    best: bool = False
    deviation: str | None = None


@dataclass(frozen=True, eq=False)
class Table:
    """A table described once; each form that it is written in is made from the description.

    A published value is shown beside a value that is compared with it (``agrees`` is not missing)
    or that is missing. What is missing is NaN or None, and is shown as a dash.

    Attributes
    ----------
    name : str
        Stem of its files.
    title : str
        Caption.
    values : DataFrame
        Numbers, or text; the index is the first column of every form.
    form : str, mapping or DataFrame
        Format of numbers, of all, by column or by place; by default three decimals.
    published : DataFrame or None
        What the paper has in the same places.
    agrees : DataFrame or None
        Whether the two are equal as printed.
    best : DataFrame or None
        What is set in bold.
    note : str
        What a reader must know beside the title.
    deviations : DataFrame or None
        Standard deviations of the values; NaN where there is none.
    folded : bool
        Whether it is there to look something up, and closed at first.
    linked : bool
        Whether each row is the aim of links, ``#<name>-<label>``.
    titles : mapping
        What readers see in the place of words that machines read, headings included.
    """

    name: str
    title: str
    values: pd.DataFrame
    form: str | Mapping[Any, str] | pd.DataFrame = DEFAULT_FORMAT
    published: pd.DataFrame | None = None
    agrees: pd.DataFrame | None = None
    best: pd.DataFrame | None = None
    note: str = ""
    deviations: pd.DataFrame | None = None
    folded: bool = False
    linked: bool = False
    titles: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("published", "agrees", "best", "deviations"):
            frame = getattr(self, name)
            if frame is not None and not _alike(frame, self.values):
                raise ValueError(f"table {self.name!r}: {name} must be labelled as values are")

    @property
    def head(self) -> list[str]:
        heads = [str(self.values.index.name or ""), *map(str, self.values.columns)]
        return [self._title(name) for name in heads]

    @property
    def legend(self) -> str:
        """What stands in brackets, if anything does."""
        if not any(entry.published is not None for _, entries in self.rows() for entry in entries):
            return ""
        return f"In brackets: as published; {DIFFERS} where ours differs."

    def rows(self) -> Iterator[tuple[str, list[Entry]]]:
        """Label and entries of each row."""
        for i, label in enumerate(self.values.index):
            entries = [self._entry(i, j) for j in range(self.values.shape[1])]
            yield self._title(str(label)), entries

    def is_text(self, j: int) -> bool:
        """Whether a column is of words, which are set flush left."""
        return any(isinstance(value, str) for value in self.values.iloc[:, j])

    def _entry(self, i: int, j: int) -> Entry:
        value, form = self.values.iat[i, j], self._format(i, j)
        published = None if self.published is None else self.published.iat[i, j]
        agrees = None if self.agrees is None else self.agrees.iat[i, j]
        deviation = None if self.deviations is None else self.deviations.iat[i, j]
        beside = not is_missing(published) and (not is_missing(agrees) or is_missing(value))
        return Entry(
            value,
            self._title(_text(value, form)),
            _text(published, form) if beside else None,
            None if is_missing(agrees) else bool(agrees),
            self.best is not None and bool(self.best.iat[i, j]),
            None if is_missing(deviation) else f"± {_text(deviation, form)}",
        )

    def _title(self, text: str) -> str:
        return self.titles.get(text, text)

    def _format(self, i: int, j: int) -> str:
        if isinstance(self.form, str):
            return self.form
        if isinstance(self.form, pd.DataFrame):
            return str(self.form.iat[i, j])
        return self.form.get(self.values.columns[j], DEFAULT_FORMAT)


Part: TypeAlias = Paragraph | Points | Picture | Gallery | Table


@dataclass(frozen=True)
class Section:
    """A heading, its parts, and the command that makes them if it is not the report's own."""

    title: str
    parts: Sequence[Part]
    command: str = ""

    @property
    def tables(self) -> list[Table]:
        return [part for part in self.parts if isinstance(part, Table)]

    @property
    def pictures(self) -> list[Picture]:
        galleries = (part.pictures for part in self.parts if isinstance(part, Gallery))
        alone = (part for part in self.parts if isinstance(part, Picture))
        return [*alone, *(picture for pictures in galleries for picture in pictures)]


def is_missing(value: Any) -> bool:
    return value is None or (pd.api.types.is_scalar(value) and bool(pd.isna(value)))


def _alike(frame: pd.DataFrame, other: pd.DataFrame) -> bool:
    return frame.index.equals(other.index) and frame.columns.equals(other.columns)


def _text(value: Any, form: str) -> str:
    if is_missing(value):
        return ABSENT
    return value if isinstance(value, str) else format(value, form)
