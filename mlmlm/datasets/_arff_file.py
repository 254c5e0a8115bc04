"""One ARFF file, dense or sparse, plain or gzipped, as a matrix of numbers.

liac-arff does the parsing, row by row: ``DENSE_GEN`` for dense files, ``LOD_GEN`` for sparse
ones. Its COO mode is no faster and loses the number of rows when the last ones are empty; its
dense mode on sparse files makes a Python object of each implicit zero. Measured for training and
test files together, conversion included: Mediamill 5.4 s, Delicious 2.4 s, Bibtex 2.2 s,
Tmc2007 2.1 s, each of the others at most 0.5 s. With the cache that is paid once, so a parser of
our own would buy nothing.
"""

from __future__ import annotations

import gzip
import io
import zlib
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import arff
import numpy as np

from mlmlm.datasets._dataset import DatasetError, FloatMatrix
from mlmlm.datasets._progress import watched


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


@dataclass(frozen=True)
class Table:
    """The content of an ARFF file; ``lines`` are the line numbers of the rows."""

    path: Path
    attributes: tuple[Attribute, ...]
    values: FloatMatrix
    lines: array[int]


def number_nominal_values(declared: Iterable[str]) -> dict[str, float]:
    """The number each nominal value stands for, in the order of declaration."""
    values = list(declared)
    try:
        return {value: float(value) for value in values}
    except ValueError:
        ranks = {value: float(rank) for rank, value in enumerate(sorted(values))}
        return {value: ranks[value] for value in values}


def read_arff(path: Path, progress: bool) -> Table:
    """Read an ARFF file; any fault is a DatasetError that names the line."""
    sparse = _is_sparse(path)
    with _open(path, progress) as text:
        lines = _CountedLines(text)
        try:
            content = arff.ArffDecoder().decode(
                lines, return_type=arff.LOD_GEN if sparse else arff.DENSE_GEN
            )
            attributes = tuple(_attribute(path, *each) for each in content["attributes"])
            if sparse:
                return _read_sparse(path, attributes, content["data"], lines)
            return _read_dense(path, attributes, content["data"], lines)
        except (arff.ArffException, ValueError, LookupError, ArithmeticError) as fault:
            if isinstance(fault, DatasetError):
                raise
            raise DatasetError(_explain(path, lines.count, fault)) from fault


class _CountedLines:
    """Lines of a text, and how many were taken: the parser is lazy, so this is where it is."""

    def __init__(self, text: Iterable[str]) -> None:
        self._text = text
        self.count = 0

    def __iter__(self) -> Iterator[str]:
        for line in self._text:
            self.count += 1
            yield line


@contextmanager
def _open(path: Path, progress: bool) -> Iterator[Iterable[str]]:
    try:
        with (
            path.open("rb") as raw,
            watched(raw, path.stat().st_size, f"Reading {path.name}", progress) as seen,
        ):
            binary = gzip.GzipFile(fileobj=seen) if path.suffix == ".gz" else seen
            yield io.TextIOWrapper(binary, encoding="utf-8")
    except FileNotFoundError as fault:
        raise DatasetError(f"{path}: the file is missing; put it there or name another.") from fault
    except UnicodeDecodeError as fault:
        raise DatasetError(f"{path}: not UTF-8 text ({fault}); convert the file.") from fault
    except (OSError, EOFError, zlib.error) as fault:
        raise DatasetError(
            f"{path}: cannot be read to its end ({fault}); the file is damaged or cut short, "
            "fetch it again."
        ) from fault


def _is_sparse(path: Path) -> bool:
    with _open(path, progress=False) as text:
        lines = (line.strip() for line in text)
        for line in lines:
            if line.lower().startswith("@data"):
                break
        return next((line for line in lines if line and line[0] != "%"), "").startswith("{")


def _attribute(path: Path, name: str, kind: str | list[str]) -> Attribute:
    if isinstance(kind, str):
        if kind == "STRING":
            raise DatasetError(
                f"{path}: attribute {name!r} is free text; only numeric and nominal attributes "
                "can be used, remove or encode it."
            )
        return Attribute(name, None)
    return Attribute(name, number_nominal_values(kind))


def _read_dense(
    path: Path,
    attributes: tuple[Attribute, ...],
    rows: Iterable[list[Any]],
    source: _CountedLines,
) -> Table:
    numbers = [attribute.numbers for attribute in attributes]
    values, lines = array("d"), array("q")
    for row in rows:
        if None in row:
            raise _missing_value(path, source.count, attributes[row.index(None)])
        values.extend(
            float(value) if known is None else known[value]
            for value, known in zip(row, numbers, strict=True)
        )
        lines.append(source.count)
    matrix = np.frombuffer(values, dtype=np.float64).reshape(len(lines), len(attributes))
    return Table(path, attributes, matrix, lines)


def _read_sparse(
    path: Path,
    attributes: tuple[Attribute, ...],
    rows: Iterable[dict[int, Any]],
    source: _CountedLines,
) -> Table:
    numbers = [attribute.numbers for attribute in attributes]
    cells, values, lines = array("q"), array("d"), array("q")
    for row in rows:
        start = len(lines) * len(attributes)
        for column, value in row.items():
            if value is None:
                raise _missing_value(path, source.count, attributes[column])
            known = numbers[column]
            cells.append(start + column)
            values.append(float(value) if known is None else known[value])
        lines.append(source.count)
    # The shape comes from the header and the number of rows, never from the largest index seen.
    matrix = np.tile([attribute.implicit for attribute in attributes], (len(lines), 1))
    matrix.reshape(-1)[np.frombuffer(cells, dtype=np.int64)] = np.frombuffer(values)
    return Table(path, attributes, matrix, lines)


def _missing_value(path: Path, line: int, attribute: Attribute) -> DatasetError:
    return DatasetError(
        f"{path}, line {line}: attribute {attribute.name!r} has a missing value; "
        "fill it in or remove the row."
    )


def _explain(path: Path, line: int, fault: Exception) -> str:
    if isinstance(fault, arff.BadDataFormat):
        reason = "the row does not have one value per declared attribute"
    elif isinstance(fault, arff.ArffException):
        fault.line = line
        reason = str(fault).rstrip(".")
    else:
        reason = f"not valid ARFF ({fault})"
    return f"{path}, line {line}: {reason}; correct the file or fetch it again."
