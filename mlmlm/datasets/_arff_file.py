"""One ARFF file, dense or sparse, plain or compressed, as a matrix of numbers.

The format is small enough to be read here, strictly: every line is understood or refused. The
public readers are not strict. liac-arff cuts 1.7 to 1 where a header says ``integer``, skips
header lines it does not know, takes the last of two values for one cell, and searches without end
through a nominal declaration that lacks its closing brace; SciPy reads no sparse files. In the
tests liac-arff is the second opinion.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from mlmlm.datasets._dataset import DatasetError
from mlmlm.datasets._growing_csr import GrowingCsr
from mlmlm.datasets._text_file import as_number, open_text
from mlmlm.types import Matrix

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_VALUE = rf"""{_QUOTED}|[^\s,'"{{}}]+"""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s'\",{{}}%][^\s,{{}}%]*)\s+(.+)", re.I)
_ONE_VALUE = re.compile(rf"\s*({_VALUE}|)\s*(,|$)")
_ONE_CELL = re.compile(rf"\s*([0-9]{{1,9}})\s+({_VALUE})\s*(,|$)")
_NUMBERS_AND_COMMAS = re.compile(r"[-+.,0-9eE]+")
_PLAIN_CELL = r"[0-9]{1,9} [-+.0-9eE]+"
_PLAIN_CELLS = re.compile(rf"\{{{_PLAIN_CELL}(?:,{_PLAIN_CELL})*\}}")
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"} | {sign: sign for sign in "\\'\"%"}
# As in Weka, an integer attribute is a numeric one: it keeps a fraction that is there.
_NUMERIC = ("numeric", "real", "integer")


@dataclass(frozen=True)
class Attribute:
    """A column: its name and, where it is nominal, the number of each declared value.

    Nominal values that are numbers stand for themselves. Others are numbered from 0 in
    alphabetical order, so that NO is 0 and YES is 1 whichever a header declares first, and so
    that a source without headers can follow the same rule.
    """

    name: str
    numbers: dict[str, float] | None

    @property
    def implicit(self) -> float:
        """The value a sparse row leaves out: 0, or the first declared nominal value."""
        return next(iter(self.numbers.values())) if self.numbers else 0.0

    def number(self, value: str | None) -> float:
        """The number of a value as it is written in the file."""
        if value is None:
            raise _LineError(
                f"attribute {self.name!r} has a missing value", "fill it in or remove the row"
            )
        if self.numbers is not None:
            if value not in self.numbers:
                raise _LineError(f"{self.name!r} is {value!r}, which its declaration does not list")
            return self.numbers[value]
        try:
            return as_number(value)
        except ValueError:
            raise _LineError(f"{self.name!r} is {value!r}, not a numerical value") from None


@dataclass(frozen=True)
class Table:
    """The content of an ARFF file.

    ``relation`` is what stands after ``@relation``, ``lines`` are the line numbers of the rows.
    """

    path: Path
    relation: str
    attributes: tuple[Attribute, ...]
    values: Matrix
    lines: array[int]


def number_nominal_values(declared: Iterable[str]) -> dict[str, float]:
    """The number each nominal value stands for, in the order of declaration."""
    values = list(declared)
    try:
        return {value: as_number(value) for value in values}
    except ValueError:
        ranks = {value: float(rank) for rank, value in enumerate(sorted(values))}
        return {value: ranks[value] for value in values}


def read_arff(path: Path, progress: bool, as_sparse: bool = False) -> Table:
    """Read an ARFF file; any fault is a DatasetError that names the line.

    The matrix is sparse if that is asked for, whatever the layout of the file.
    """
    with open_text(path, progress) as text:
        lines = _Lines(text)
        try:
            relation, attributes = _read_header(lines)
            rows = _SparseRows(attributes) if as_sparse else _DenseRows(attributes)
            numbers = _read_rows(lines, attributes, rows)
        except _LineError as fault:
            raise DatasetError(
                f"{path}, line {lines.count}: {fault.reason}; {fault.remedy}."
            ) from None
    return Table(path, relation, attributes, rows.matrix(), numbers)


class _LineError(Exception):
    """What is wrong with the line at hand, and what to do about it."""

    def __init__(self, reason: str, remedy: str = "correct the file or fetch it again") -> None:
        self.reason = reason
        self.remedy = remedy


class _Lines:
    """The lines that say something, and how many of all were taken."""

    def __init__(self, text: Iterable[str]) -> None:
        self._text = text
        self.count = 0

    def __iter__(self) -> Iterator[str]:
        for line in self._text:
            self.count += 1
            stripped = line.strip()
            if stripped and not stripped.startswith("%"):
                yield stripped


class _Rows(Protocol):
    """A matrix that grows by rows; its width comes from the header, never from an index seen."""

    def add(self, values: list[float]) -> None:
        """Add a row with a value for each column."""

    def add_cells(self, cells: dict[int, float]) -> None:
        """Add a row that lists some columns; the others have their implicit values."""

    def matrix(self) -> Matrix:
        """All rows."""


class _DenseRows:
    def __init__(self, attributes: tuple[Attribute, ...]) -> None:
        self._implicit = array("d", [attribute.implicit for attribute in attributes])
        self._values = array("d")

    def add(self, values: list[float]) -> None:
        self._values.extend(values)

    def add_cells(self, cells: dict[int, float]) -> None:
        start = len(self._values)
        self._values.extend(self._implicit)
        for column, value in cells.items():
            self._values[start + column] = value

    def matrix(self) -> Matrix:
        return np.frombuffer(self._values, dtype=np.float64).reshape(-1, len(self._implicit))


class _SparseRows:
    """Keeps the values that are not 0; a nominal column may have another implicit value."""

    def __init__(self, attributes: tuple[Attribute, ...]) -> None:
        implicit = ((column, each.implicit) for column, each in enumerate(attributes))
        self._implicit = {column: value for column, value in implicit if value}
        self._width = len(attributes)
        self._rows = GrowingCsr()

    def add(self, values: list[float]) -> None:
        self._add(dict(enumerate(values)))

    def add_cells(self, cells: dict[int, float]) -> None:
        self._add(self._implicit | cells if self._implicit else cells)

    def _add(self, cells: dict[int, float]) -> None:
        kept = cells if all(cells.values()) else {c: value for c, value in cells.items() if value}
        self._rows.add(kept.keys(), kept.values())

    def matrix(self) -> Matrix:
        return self._rows.matrix(self._width)


def _read_header(lines: _Lines) -> tuple[str, tuple[Attribute, ...]]:
    relation: str | None = None
    attributes: dict[str, Attribute] = {}
    for line in lines:
        keyword = line.split(maxsplit=1)[0].lower()
        if keyword == "@data":
            if line.lower() != keyword:
                raise _LineError("there is more than @data on its line")
            if not attributes:
                raise _LineError("@data comes before any @attribute")
            return relation or "", tuple(attributes.values())
        if keyword == "@attribute":
            attribute = _attribute(line)
            if attribute.name in attributes:
                raise _LineError(f"attribute {attribute.name!r} is declared twice")
            attributes[attribute.name] = attribute
        elif keyword == "@relation":
            if relation is not None:
                raise _LineError("@relation stands there twice")
            relation = line[len(keyword) :].strip()
        else:
            raise _LineError(f"{_shown(line)} is no header line of an ARFF file")
    raise _LineError("the file ends without @data")


def _attribute(line: str) -> Attribute:
    match = _ATTRIBUTE.fullmatch(line)
    if match is None:
        raise _LineError(f"{_shown(line)} is not '@attribute name type'")
    unquoted, kind = _unquoted(match[1]), match[2]
    name = match[1] if unquoted is None else unquoted
    if kind.startswith("{") and kind.endswith("}"):
        return Attribute(name, _nominal_numbers(name, kind[1:-1]))
    if kind.lower() in _NUMERIC:
        return Attribute(name, None)
    if kind.lower() == "string":
        raise _LineError(
            f"attribute {name!r} is free text; only numeric and nominal attributes can be used",
            "remove or encode it",
        )
    raise _LineError(f"attribute {name!r} is of unknown type {_shown(kind)}")


def _nominal_numbers(name: str, declared: str) -> dict[str, float]:
    values = _split_row(declared)
    numbers = number_nominal_values(value for value in values if value is not None)
    if len(set(numbers.values())) < len(values):
        raise _LineError(f"attribute {name!r} declares an empty value, or the same value twice")
    return numbers


def _read_rows(lines: _Lines, attributes: tuple[Attribute, ...], rows: _Rows) -> array[int]:
    """Add all rows; gives the numbers of their lines."""
    numbers = array("q")
    known = [attribute.numbers for attribute in attributes]
    in_braces = None
    for line in lines:
        if in_braces is None:
            in_braces = line.startswith("{")
        if in_braces != line.startswith("{"):
            raise _LineError("the layout changes, the rows must be all dense or all sparse")
        if in_braces:
            rows.add_cells(_plain_cells(line, known) or _cells(line, attributes))
        else:
            rows.add(_plain_row(line, known) or _dense_row(line, attributes))
        numbers.append(lines.count)
    return numbers


def _plain_cells(line: str, known: list[dict[str, float] | None]) -> dict[int, float] | None:
    """The cells of a sparse row of nothing but numbers; None if it needs a closer look."""
    if not _PLAIN_CELLS.fullmatch(line):
        return None
    words = line[1:-1].replace(",", " ").split(" ")
    columns = list(map(int, words[::2]))
    try:
        cells = {
            column: float(value) if (numbers := known[column]) is None else numbers[value]
            for column, value in zip(columns, words[1::2], strict=True)
        }
    except (ValueError, KeyError, IndexError):
        return None
    return cells if len(cells) == len(columns) else None


def _cells(line: str, attributes: tuple[Attribute, ...]) -> dict[int, float]:
    cells = _split_sparse_row(line, len(attributes))
    return {column: attributes[column].number(value) for column, value in cells.items()}


def _plain_row(line: str, known: list[dict[str, float] | None]) -> list[float] | None:
    """The numbers of a row of nothing but numbers, the common case made fast; None if it is not."""
    if not _NUMBERS_AND_COMMAS.fullmatch(line):
        return None
    values = line.split(",")
    try:
        return [
            float(value) if numbers is None else numbers[value]
            for value, numbers in zip(values, known, strict=True)
        ]
    except (ValueError, KeyError):
        return None


def _dense_row(line: str, attributes: tuple[Attribute, ...]) -> list[float]:
    values = _split_row(line)
    if len(values) != len(attributes):
        raise _LineError(
            f"the row does not have one value per declared attribute but {len(values)} values "
            f"for {len(attributes)} attributes"
        )
    return [attribute.number(value) for attribute, value in zip(attributes, values, strict=True)]


def _split_row(line: str) -> list[str | None]:
    """The values between the commas; None stands for a missing one."""
    return [_unquoted(match[1]) for match in _matches(_ONE_VALUE, line)]


def _split_sparse_row(line: str, width: int) -> dict[int, str | None]:
    """The values of the columns that a row lists."""
    if not line.endswith("}"):
        raise _LineError("the row lacks its closing brace")
    cells: dict[int, str | None] = {}
    if not line[1:-1].strip():
        return cells
    for match in _matches(_ONE_CELL, line[1:-1]):
        column = int(match[1])
        if column >= width:
            raise _LineError(
                f"the row does not have one value per declared attribute: column {column}, counted "
                f"from 0, of {width} attributes"
            )
        if column in cells:
            raise _LineError(f"the row lists column {column} twice")
        cells[column] = _unquoted(match[2])
    return cells


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Matches that follow each other from the beginning to the end of a text."""
    position, more = 0, True
    while more:
        match = pattern.match(text, position)
        if match is None:
            raise _LineError(f"the layout is wrong at {_shown(text[position:])}")
        yield match
        position, more = match.end(), match[match.re.groups] == ","


def _unquoted(text: str) -> str | None:
    """A value or a name without its quotes; None for the sign of a missing value, or nothing."""
    if text[:1] not in ("'", '"'):
        return None if text in ("", "?") else text
    return _ESCAPED.sub(_escaped_sign, text[1:-1])


def _escaped_sign(match: re.Match[str]) -> str:
    if match[1] not in _ESCAPES:
        raise _LineError(f"{match[0]} is no escape sequence of ARFF")
    return _ESCAPES[match[1]]


def _shown(text: str) -> str:
    """The beginning of a text, as it may stand in a message of one line."""
    return repr(text if len(text) <= 40 else f"{text[:40]}...")
