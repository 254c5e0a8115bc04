"""MEKA's ARFF files: the relation says which attributes are labels, one file may have all rows."""

from __future__ import annotations

import bz2
import gzip
import io
import tempfile
from pathlib import Path
from typing import Any

import arff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from mlmlm.datasets import Dataset, DatasetError, load_arff, stratified_holdout

ATTRIBUTES = """@attribute happy {0,1}
@attribute sad {0,1}
@attribute size numeric
@attribute colour {YES,NO}
@attribute tall {0,1}
"""
ROWS = "@data\n{0 1,2 1.5}\n{1 1,3 NO}\n{0 1,4 1}\n{2 -3}\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "toy.arff"


def load(path: Path, relation: str, **options: Any) -> Dataset:
    path.write_text(f"@relation {relation}\n{ATTRIBUTES}{ROWS}")
    return load_arff(path, test_size=0.5, **options)


def fault(path: Path, relation: str, **options: Any) -> str:
    with pytest.raises(DatasetError) as caught:
        load(path, relation, **options)
    assert len(str(caught.value).splitlines()) == 1
    assert str(path) in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "relation",
    [
        "'toy: -C 2'",
        '"toy: -C 2"',
        "'toy: -split-number 3 -C 2'",
        "'toy: -C +2 -split-percentage 66'",
        "'a: name: -C  2 -x'",
        "toy:-C 2",
    ],
)
def test_first_attributes_are_labels(path: Path, relation: str) -> None:
    dataset = load(path, relation)
    assert dataset.name == "toy"
    assert dataset.label_names == ("happy", "sad")
    assert dataset.feature_names == ("size", "colour", "tall")


def test_a_negative_number_stands_for_the_last_attributes(path: Path) -> None:
    dataset = load(path, "'toy: -C -1'")
    assert dataset.label_names == ("tall",)
    assert dataset.feature_names == ("happy", "sad", "size", "colour")


@pytest.mark.parametrize(
    ("relation", "words"),
    [
        ("toy", "does not say, with -C, which attributes are labels"),
        ("'toy -C 2'", "does not say"),  # no colon
        ("'toy: -C2'", "does not say"),
        ("'toy: -c 2'", "does not say"),
        ("", "relation (none) does not say"),
        ("'toy: -C'", "'' after -C, not a whole number"),
        ("'toy: -C two'", "'two' after -C"),
        ("'toy: -C 1.5'", "'1.5' after -C"),
        ("'toy: -C 1 -C 2'", "more than one -C"),
        ("'toy: -C 0'", "says -C 0, but of 5 attributes"),
        ("'toy: -C 5'", "says -C 5, but of 5 attributes"),
        ("'toy: -C 6'", "says -C 6, but of 5 attributes"),
        ("'toy: -C -6'", "says -C -6, but of 5 attributes"),
        ("'toy: -C 4'", "label 'colour' {YES,NO} is not binary"),
    ],
)
def test_relations_that_do_not_say_it(path: Path, relation: str, words: str) -> None:
    assert words in fault(path, relation)


def test_a_numeric_label_must_be_0_or_1(path: Path) -> None:
    for sparse in (False, True):
        message = fault(path, "'toy: -C 3'", sparse=sparse)
        assert f"{path}, line 8: 'size' is 1.5; a label must be 0 or 1" in message


def test_two_relations(path: Path) -> None:
    assert "line 2: @relation stands there twice" in fault(path, "'a: -C 1'\n@relation 'b: -C 2'")


def test_rows_of_one_file_are_divided_by_stratification(path: Path) -> None:
    dataset = load(path, "'toy: -C 2'", seed=3)
    X = np.array([[1.5, 1, 0], [0, 0, 0], [0, 1, 1], [-3, 1, 0]])
    Y = np.array([[1, 0], [0, 1], [1, 0], [0, 0]])
    train, test = stratified_holdout(Y, 0.5, 3)
    for part, rows in (("train", train), ("test", test)):
        np.testing.assert_array_equal(getattr(dataset, f"X_{part}"), X[rows])
        np.testing.assert_array_equal(getattr(dataset, f"Y_{part}"), Y[rows])


def test_test_rows_are_named_in_one_way(path: Path) -> None:
    load(path, "'toy: -C 2'")
    with pytest.raises(DatasetError, match="pass either test"):
        load_arff(path)
    with pytest.raises(DatasetError, match="pass either test"):
        load_arff(path, path, test_size=0.5)
    with pytest.raises(DatasetError, match="test_size must be"):
        load_arff(path, test_size=2)


def test_a_file_of_test_rows_must_have_the_same_labels(path: Path, tmp_path: Path) -> None:
    load(path, "'toy: -C 2'")
    other = tmp_path / "other.arff"
    other.write_text(path.read_text().replace("-C 2", "-split-number 1 -C 2"))
    assert load_arff(path, other).label_names == ("happy", "sad")
    other.write_text(path.read_text().replace("-C 2", "-C -1"))
    with pytest.raises(DatasetError, match=r"other\.arff: its relation.*other attributes"):
        load_arff(path, other)


def test_an_xml_file_goes_before_the_relation(path: Path, tmp_path: Path) -> None:
    xml = tmp_path / "labels.xml"
    xml.write_text('<labels><label name="tall"/></labels>')
    assert load(path, "'toy: -C 2'", xml=xml).label_names == ("tall",)


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_compressed_files(path: Path, suffix: str, pack: Any) -> None:
    plain = load(path, "'toy: -C 2'")
    packed = path.with_suffix(f".arff{suffix}")
    packed.write_bytes(pack(path.read_bytes()))
    assert load_arff(packed, test_size=0.5).fingerprint == plain.fingerprint
    packed.write_bytes(pack(path.read_bytes())[:-9])
    with pytest.raises(DatasetError, match="cut short"):
        load_arff(packed, test_size=0.5)
    packed.write_bytes(path.read_bytes())
    with pytest.raises(DatasetError, match="gzipped" if suffix == ".gz" else "not compressed with"):
        load_arff(packed, test_size=0.5)


def test_a_missing_file(path: Path) -> None:
    with pytest.raises(DatasetError, match=r"toy\.arff: the file is missing"):
        load_arff(path, test_size=0.5)


@settings(max_examples=30)
@given(
    values=npst.arrays(np.float64, (6, 4), elements=st.sampled_from([0.0, 1.0, -2.5, 1e-300, 0.1])),
    Y=npst.arrays(np.uint8, (6, 2), elements=st.integers(0, 1)),
    in_braces=st.booleans(),
    labels_last=st.booleans(),
)
def test_liac_arff_reads_the_same(
    values: np.ndarray, Y: np.ndarray, in_braces: bool, labels_last: bool
) -> None:
    """Dense and sparse, from files in both layouts that liac-arff has written."""
    names = [(f"x{i}", "REAL") for i in range(4)]
    labels = [(f"y{i}", ["0", "1"]) for i in range(2)]
    rows = [
        [*x, *map(str, y)] if labels_last else [*map(str, y), *x]
        for x, y in zip(values.tolist(), Y.tolist(), strict=True)
    ]
    content = {
        "relation": f"r: -C {'-' if labels_last else ''}2",
        "attributes": names + labels if labels_last else labels + names,
        "data": rows,
    }
    if in_braces:
        content["data"] = [
            {i: value for i, value in enumerate(row) if value not in (0.0, "0")} for row in rows
        ]
    text = arff.dumps(content)
    second = np.array(list(arff.load(io.StringIO(text))["data"]), dtype=float)
    is_label = np.array([name.startswith("y") for name, _ in content["attributes"]])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "r.arff")
        path.write_text(text)
        dense, sparse = (load_arff(path, path, sparse=choice) for choice in (False, True))
    np.testing.assert_array_equal(dense.X_train, second[:, ~is_label])
    np.testing.assert_array_equal(dense.Y_train, second[:, is_label])
    np.testing.assert_array_equal(sparse.X_train.toarray(), second[:, ~is_label])
    np.testing.assert_array_equal(sparse.Y_train, second[:, is_label])
