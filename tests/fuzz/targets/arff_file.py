"""ARFF files, plain and gzipped, Mulan's and MEKA's; liac-arff gives the second opinion."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from pathlib import Path

import arff
import numpy as np

from mlmlm.datasets import DatasetError, load_arff
from mlmlm.datasets._dataset import Dataset
from tests.fuzz.judgement import Target, WrongContentError

LABELS = {"First", "Second one"}
XML = b'<labels><label name="Second one"/><label name="First"/></labels>'
HEADER = b"""% a comment
@relation 'toy: -C 2'

@attribute First {0,1}
@attribute size numeric
@attribute colour {YES, 'NO, NEVER', maybe}
@attribute 'Second one' {0,1}
@attribute count integer
@attribute grade {3,1,2}
@data
"""
DENSE = (
    HEADER
    + b"""1,1.5,YES,0,7,3
0,-2e3,'NO, NEVER',1,1.7,1
% between
0, 0.1 ,maybe, 1 ,-0,2
"""
)
SPARSE = (
    HEADER
    + b"""{0 1,1 1.5, 4 7}
{1 -2e3,2 'NO, NEVER', 3 1,4 1.7,5 1}
{}
{ 3 1 , 5 2 }
"""
)
PLAIN = (
    b"@RELATION r\r\n@ATTRIBUTE a REAL\r\n@ATTRIBUTE b REAL\r\n@ATTRIBUTE First {0,1}\r\n"
    b'@ATTRIBUTE "Second one" {0,1}\r\n@DATA\r\n1,2,0,1\r\n0.25,-1e-3,1,1\r\n3,4,0,0\r\n'
)
_TOKENS = (
    *(b"@attribute", b"@data", b"@relation", b"@end", b"numeric", b"integer", b"string", b"real"),
    *(b"date", b"relational", b"{", b"}", b"{0,1}", b"{a,b}", b",", b"'", b'"', b"\\", b"%", b"?"),
    *(
        b"\n",
        b"\r",
        b" ",
        b"\t",
        b"\0",
        b"First",
        b"size",
        b"YES",
        b"0 1",
        b"@attribute c numeric\n",
    ),
    *(b"\xef\xbb\xbf", b"\xff", b"\xc2\xa0", b"\\u0041", b"{" + b"a," * 60),
)
_NUMBER = re.compile(
    r"\s*[-+]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?|nan|inf|infinity)\s*", re.IGNORECASE
)
_RELATION = re.compile(r"(?im)^\s*@relation[^:\r\n]*:([^\r\n]*)")


def _load(content: bytes, folder: Path) -> None:
    _load_file(content, folder / "data.arff", content, folder)


def _load_gzipped(content: bytes, folder: Path) -> None:
    path = folder / "data.arff.gz"
    try:
        _load_file(content, path, gzip.decompress(content), folder)
    except (OSError, EOFError, zlib.error) as fault:
        path.write_bytes(content)
        _load_dataset(path, path, folder)
        raise WrongContentError(f"loaded, but gzip says: {fault!r}") from fault


def _load_file(content: bytes, path: Path, text: bytes, folder: Path) -> None:
    path.write_bytes(content)
    sound = folder / "sound.arff"
    sound.write_bytes(DENSE)
    with_sound = zlib.crc32(content) % 3 == 0
    dataset = _load_dataset(path, sound if with_sound else path, folder)
    _compare(dataset, "train", text)
    _compare(dataset, "test", DENSE if with_sound else text)


def _load_dataset(train: Path, test: Path, folder: Path) -> Dataset:
    xml = folder / "data.xml"
    xml.write_bytes(XML)
    return load_arff(train, test, xml, progress=False)


def _load_meka(content: bytes, folder: Path) -> None:
    """Dense and sparse alike, and the labels are those that the relation says."""
    path = folder / "data.arff"
    path.write_bytes(content)
    dense, sparse = (
        load_arff(path, path, sparse=choice, progress=False) for choice in (False, True)
    )
    if not np.array_equal(sparse.X_train.toarray(), dense.X_train):
        raise WrongContentError(f"sparse:\n{sparse.X_train.toarray()}\ndense:\n{dense.X_train}")
    if not np.array_equal(sparse.Y_train, dense.Y_train):
        raise WrongContentError(f"sparse:\n{sparse.Y_train}\ndense:\n{dense.Y_train}")
    declared, relation = second_opinion(content)[0], _RELATION.search(content.decode("utf-8-sig"))
    if relation is None:
        raise WrongContentError("loaded, but there is no relation with a colon")
    words = relation[1].rstrip("'\" ").split()
    count = int(words[words.index("-C") + 1])
    labels = declared[:count] if count > 0 else declared[count:]
    if list(dense.label_names) != labels:
        raise WrongContentError(f"labels {dense.label_names}, not {labels}")


def _compare(dataset: Dataset, part: str, content: bytes) -> None:
    try:
        names, kinds, rows = second_opinion(content)
    except (arff.ArffException, ValueError, LookupError) as fault:
        raise WrongContentError(f"loaded, but not by liac-arff: {fault!r}") from fault
    is_label = np.array([name in LABELS for name in names])
    ours = np.empty(rows.shape)
    ours[:, is_label] = getattr(dataset, f"Y_{part}")
    ours[:, ~is_label] = getattr(dataset, f"X_{part}")
    whole = np.array([kind == "INTEGER" for kind in kinds])
    ours[:, whole] = np.trunc(ours[:, whole])  # liac-arff cuts fractions off
    if not np.array_equal(ours, rows):
        raise WrongContentError(f"ours:\n{ours}\nliac-arff:\n{rows}")
    if [*dataset.feature_names, *dataset.label_names] != [
        *(name for name in names if name not in LABELS),
        *(name for name in names if name in LABELS),
    ]:
        raise WrongContentError(f"other names than {names}")


def second_opinion(content: bytes) -> tuple[list[str], list[str | list[str]], np.ndarray]:
    """Names, kinds and numbers as liac-arff finds them; nominal values numbered as ours are."""
    lines = io.StringIO(content.decode("utf-8-sig"), newline=None)
    # Liac-arff insists on the form and place of the relation's name, of no use to us, and on plain
    # spaces around and within the lines of the header.
    plain = (re.sub(r"(?i)^(@attribute)\s+", r"\1 ", line.strip()) for line in lines)
    kept = [line for line in plain if not line.lower().startswith("@relation")]
    table = arff.ArffDecoder().decode(["@relation r", *kept])
    numbers = [_numbers(kind) for _, kind in table["attributes"]]
    rows = [
        [
            float(value) if known is None else known[value]
            for known, value in zip(numbers, row, strict=True)
        ]
        for row in table["data"]
    ]
    names, kinds = zip(*table["attributes"], strict=True)
    return list(names), list(kinds), np.array(rows, dtype=float).reshape(len(rows), len(names))


def _numbers(kind: str | list[str]) -> dict[str, float] | None:
    if isinstance(kind, str):
        return None
    if all(map(_NUMBER.fullmatch, kind)):
        return {value: float(value) for value in kind}
    return {value: float(rank) for rank, value in enumerate(sorted(kind))}


_SAMPLES = (DENSE, SPARSE, PLAIN, DENSE.replace(b"\n", b"\r\n"))
_MEKA = tuple(
    sample.replace(b"-C 2", b"-x 1 -C 1").replace(b"@RELATION r", b"@RELATION 'r: -C -2'")
    for sample in _SAMPLES
)
TARGETS = (
    Target("arff", _SAMPLES, _TOKENS, _load, (DatasetError,), share=4),
    Target("arff_meka", _MEKA, (*_TOKENS, b"-C", b":", b" -C -1 "), _load_meka, (DatasetError,)),
    Target(
        "arff_gz",
        [gzip.compress(sample, mtime=0) for sample in _SAMPLES],
        [b"\x1f\x8b\x08", b"\0\0\0\0"],
        _load_gzipped,
        (DatasetError,),
    ),
)
