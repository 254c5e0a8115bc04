"""A table described once; its CSV, Markdown, LaTeX and HTML are made from the description.

``values`` are what is shown. Where the paper has a figure, ``published`` holds it, and ``agrees``
says whether the two are equal as printed; a published figure is shown beside a value that is
compared with it (``agrees`` is not missing) or that is missing. ``best`` is set in bold. Every
frame has the index and the columns of ``values``. What is missing is NaN or None, and is shown as
a dash.

As in paragraphs, text between backquotes is code and between double asterisks bold.

The LaTeX needs the packages booktabs and graphicx; a table wider than the line is scaled to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from experiments.store import write_file
from experiments.terminal.display import ABSENT

DIFFERS = "≠"
DAGGER = r"$^\dagger$"
# In characters: what headings have room for on a line in LaTeX, beyond which they are set upright;
# and a text that is broken into lines.
LINE, LONG_TEXT = 110, 60
_DEFAULT_FORM = ".3f"

_LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        **{sign: f"{{{sign}}}" for sign in "[]*"},  # after a line's end they would be its options
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "–": "--",
        "≠": r"$\neq$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "±": r"$\pm$",
        "×": r"$\times$",
        "√": r"$\surd$",
        "²": r"$^2$",
        "χ": r"$\chi$",
        "α": r"$\alpha$",
        "₂": r"$_2$",
    }
)
_MARKS = re.compile(r"`([^`]+)`|\*\*(.+?)\*\*")


class Cell(NamedTuple):
    """One cell, ready to be set in any form; ``published`` is None where it is not to be shown."""

    value: Any
    text: str
    published: str | None
    agrees: bool | None
    best: bool


@dataclass(frozen=True)
class Table:
    """A table of a study.

    Attributes
    ----------
    name : str
        Stem of its files.
    title : str
        Caption.
    values : DataFrame
        Numbers, or text; the index is the first column of every form.
    form : str or mapping
        Format of numbers, of all or by column; by default three decimals.
    published, agrees, best : DataFrame or None
        See the module.
    note : str
        What a reader must know beside the title.
    """

    name: str
    title: str
    values: pd.DataFrame
    form: str | Mapping[Any, str] = _DEFAULT_FORM
    published: pd.DataFrame | None = None
    agrees: pd.DataFrame | None = None
    best: pd.DataFrame | None = None
    note: str = ""

    def __post_init__(self) -> None:
        for name in ("published", "agrees", "best"):
            frame = getattr(self, name)
            if frame is not None and not _alike(frame, self.values):
                raise ValueError(f"table {self.name!r}: {name} must be labelled as values are")

    @property
    def head(self) -> list[str]:
        return [str(self.values.index.name or ""), *map(str, self.values.columns)]

    @property
    def legend(self) -> str:
        """What stands in brackets, if anything does."""
        if not any(cell.published is not None for _, cells in self.rows() for cell in cells):
            return ""
        return f"In brackets: as published; {DIFFERS} where ours differs."

    def rows(self) -> Iterator[tuple[str, list[Cell]]]:
        """Label and cells of each row."""
        for i, label in enumerate(self.values.index):
            yield str(label), [self._cell(i, j) for j in range(self.values.shape[1])]

    def is_text(self, j: int) -> bool:
        """Whether a column is of words, which are set flush left."""
        return any(isinstance(value, str) for value in self.values.iloc[:, j])

    def csv(self) -> str:
        """Values in full precision; a column of published values beside each that has some."""
        columns = []
        for j in range(self.values.shape[1]):
            columns.append(self.values.iloc[:, j])
            if self.published is not None and self.published.iloc[:, j].notna().any():
                beside = self.published.iloc[:, j]
                columns.append(beside.rename(f"{self.values.columns[j]} published"))
        frame = pd.concat(columns, axis=1) if columns else self.values
        return frame.to_csv(float_format="%.9g", lineterminator="\n")

    def markdown(self) -> str:
        rule = ["---" if self.is_text(j) else "---:" for j in range(self.values.shape[1])]
        rows = [[label, *map(_markdown, cells)] for label, cells in self.rows()]
        lines = [self.head, ["---", *rule], *rows]
        table = "\n".join("| " + " | ".join(map(_no_bar, line)) + " |" for line in lines)
        parts = (f"# {self.title}", self.note, self.legend, table)
        return "\n\n".join(part for part in parts if part) + "\n"

    def latex(self) -> str:
        """A ``table``; where ours and the published differ, a dagger and a list below."""
        first, *head = map(_tex, self.head)
        if sum(len(text) + 2 for text in self.head) > LINE:
            head = [rf"\rotatebox{{90}}{{{text}}}" for text in head]
        rows = [[_tex(label), *map(_latex, cells)] for label, cells in self.rows()]
        lines = [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_tex(self.title)}}}",
            rf"\label{{tab:{self.name}}}",
            r"\footnotesize",
            r"\setlength{\tabcolsep}{3pt}",
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            rf"\begin{{tabular}}{{l{''.join(self._kinds())}}}",
            r"\toprule",
            " & ".join([first, *head]) + r" \\",
            r"\midrule",
            *(" & ".join(row) + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}}",
            *(rf"\par\smallskip\raggedright {line}" for line in self._latex_notes()),
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def write(self, folder: Path) -> None:
        """Write ``<name>.csv``, ``.md`` and ``.tex``."""
        forms = {"csv": self.csv(), "md": self.markdown(), "tex": self.latex()}
        for suffix, text in forms.items():
            write_file(folder / f"{self.name}.{suffix}", text.encode())

    def _kinds(self) -> Iterator[str]:
        """How LaTeX sets each column but the first."""
        for j in range(self.values.shape[1]):
            longest = max((len(cells[j].text) for _, cells in self.rows()), default=0)
            yield "p{5cm}" if longest > LONG_TEXT else "l" if self.is_text(j) else "r"

    def _latex_notes(self) -> Iterator[str]:
        if self.note:
            yield _tex(self.note)
        differing, absent = [], False
        for label, cells in self.rows():
            for column, cell in zip(self.head[1:], cells, strict=True):
                absent |= cell.published is not None and cell.agrees is None
                if cell.agrees is False:
                    differing.append(f"{label}, {column}: {cell.published}")
        if differing:
            yield f"{DAGGER}Published: {_tex('; '.join(differing))}."
        if absent:
            yield "In brackets: as published, where we have no figure."

    def _cell(self, i: int, j: int) -> Cell:
        value, form = self.values.iat[i, j], self._form(j)
        published = None if self.published is None else self.published.iat[i, j]
        agrees = None if self.agrees is None else self.agrees.iat[i, j]
        beside = not _missing(published) and (not _missing(agrees) or _missing(value))
        return Cell(
            value,
            _text(value, form),
            _text(published, form) if beside else None,
            None if _missing(agrees) else bool(agrees),
            self.best is not None and bool(self.best.iat[i, j]),
        )

    def _form(self, j: int) -> str:
        if isinstance(self.form, str):
            return self.form
        return self.form.get(self.values.columns[j], _DEFAULT_FORM)


def _alike(frame: pd.DataFrame, other: pd.DataFrame) -> bool:
    return frame.index.equals(other.index) and frame.columns.equals(other.columns)


def _missing(value: Any) -> bool:
    return value is None or (pd.api.types.is_scalar(value) and bool(pd.isna(value)))


def _text(value: Any, form: str) -> str:
    if _missing(value):
        return ABSENT
    return value if isinstance(value, str) else format(value, form)


def _markdown(cell: Cell) -> str:
    text = f"**{cell.text}**" if cell.best else cell.text
    if cell.published is None:
        return text
    return f"{text} ({DIFFERS + ' ' if cell.agrees is False else ''}{cell.published})"


def _latex(cell: Cell) -> str:
    if cell.published is not None and cell.agrees is None:
        return f"({_tex(cell.published)})"
    text = _tex(cell.text)
    text = rf"\textbf{{{text}}}" if cell.best else text
    # The dagger takes no room, so that decimal points stay in line.
    return rf"{text}\rlap{{{DAGGER}}}" if cell.agrees is False else text


def _tex(text: str) -> str:
    pieces, end = [], 0
    for mark in _MARKS.finditer(text):
        code, bold = (group and group.translate(_LATEX) for group in mark.groups())
        pieces.append(text[end : mark.start()].translate(_LATEX))
        pieces.append(rf"\texttt{{{code}}}" if code else rf"\textbf{{{bold}}}")
        end = mark.end()
    return "".join([*pieces, text[end:].translate(_LATEX)])


def _no_bar(text: str) -> str:
    """A bar would end the cell."""
    return text.replace("|", r"\|")
