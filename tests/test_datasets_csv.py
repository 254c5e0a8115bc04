"""CSV files: read as they stand, or refused in one line that says where and why."""

from __future__ import annotations

import gzip
import io
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from mlmlm.datasets import Dataset, DatasetError, load_csv

TABLE = "a,b,y,z\n1,2.5,0,1\n-3,4e-1,1,0\n"
X = [[1.0, 2.5], [-3.0, 0.4]]
Y = [[0, 1], [1, 0]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data.csv"


def load(path: Path, labels: Any = ("y", "z"), **options: Any) -> Dataset:
    return load_csv(path, labels, test=options.pop("test", path), **options)


def fault(*arguments: Any, **options: Any) -> str:
    with pytest.raises(DatasetError) as caught:
        load(*arguments, **options)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        TABLE,
        TABLE.rstrip("\n"),
        TABLE.replace("\n", "\r\n"),
        TABLE.replace("\n", "\r"),
        TABLE.replace("\n", "\n\n"),
        "\n  \n" + TABLE + "\n  \n",
        TABLE.replace(",", ", "),
        TABLE.replace(",", " ,"),
        TABLE.replace("a,b", '"a","b"').replace("-3", '"-3"'),
        "\ufeff" + TABLE,
        "a,b,y,z\n1,2.5,False,True\n-3,4e-1,TRUE,false\n",
    ],
)
def test_the_same_data_in_other_clothes(path: Path, content: str) -> None:
    path.write_bytes(content.encode())
    dataset = load(path)
    assert dataset.feature_names == ("a", "b")
    assert dataset.label_names == ("y", "z")
    assert dataset.X_train.tolist() == X
    assert dataset.Y_train.tolist() == Y


@pytest.mark.parametrize("separator", [";", "\t", "|", " "])
def test_separators(path: Path, separator: str) -> None:
    path.write_text(TABLE.replace(",", separator))
    assert load(path, separator=separator).X_train.tolist() == X


def test_gzipped(tmp_path: Path) -> None:
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(TABLE.encode()))
    assert load(path).X_train.tolist() == X
    path.write_text(TABLE)
    assert "not gzipped" in fault(path)
    path.write_bytes(gzip.compress(TABLE.encode())[:-9])
    assert "cut short" in fault(path)


def test_columns_of_the_test_file_go_by_name(path: Path, tmp_path: Path) -> None:
    path.write_text(TABLE)
    other = tmp_path / "other.csv"
    other.write_text("z,b,y,a\n1,5,0,7\n")
    dataset = load(path, test=other)
    assert dataset.X_test.tolist() == [[7.0, 5.0]]
    assert dataset.Y_test.tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "it is empty"),
        ("\n\n", "it is empty"),
        ("a,b,y,z\n", "no rows below the header"),
        ("a,y,y,z\n1,0,1,1\n", "2 columns are called 'y'; remove or rename"),
        ("a, y,y ,z\n1,0,1,1\n", "2 columns are called 'y'"),
        (",a,y,z\n0,1,0,1\n", "column 1 of the header has no name"),
        (",a,y,z\n0,1,0,1\n", "index=False"),
        ("a,y,z,\n1,0,1,\n", "column 4 of the header has no name"),
        ("a,b,y,z\n1,2,0,1\n1,2,3,0,1\n", "row 2: 5 values, but the header has 4 names"),
        ("a,b,y,z\n\n1,2,0,1,\n", "row 1: 5 values, the last one empty"),
        ("a,b,y,z\n1,2,0\n", "row 1: 3 values"),
        ('a,b,y,z\n1,2,0,1\n""\n', "row 2: 1 values"),
        ("a,b,y,z\n1,5,2,0,1\n", "row 1: 5 values"),
        ("a,b,y,z\n1,,0,1\n", "row 1: 'b' is '', not a number"),
        ("a,b,y,z\n1,NA,0,1\n", "row 1: 'b' is 'NA', not a number"),
        ("a,b,y,z\n1,0x10,0,1\n", "row 1: 'b' is '0x10', not a number"),
        ("a,b,y,z\n1,1_000,0,1\n", "row 1: 'b' is '1_000', not a number"),
        ("a,b,y,z\n1,٣,0,1\n", "row 1: 'b' is '٣', not a number"),
        ("a,b,y,z\n1,nan,0,1\n", "row 1: 'b' is nan"),
        ("a,b,y,z\n1,2,0,1\n1,-inf,0,1\n", "row 2: 'b' is -inf"),
        ("a,b,y,z\n1,1e999,0,1\n", "row 1: 'b' is inf"),
        ("a,b,y,z\n1,2,nan,1\n", "row 1: label 'y' is nan"),
        ("a,b,y,z\n1,2,yes,1\n", "row 1: 'y' is 'yes', not a number"),
        ("a,b,y,z\n1,2,0.5,1\n", "row 1: label 'y' is 0.5"),
        ('a,b,y,z\n1,"2,0,1\n', "line 2: not a CSV file"),
        ('a,b,y,z\n1,"2"3,0,1\n', "line 2: not a CSV file"),
        ("a;b;y;z\n1;2;0;1\n", "no column 'y'. Did you mean: a;b;y;z?"),
        ('"a\nb",y,x\n1,1,1\n', "no column 'z'"),
    ],
)
def test_what_is_refused(path: Path, content: str, words: str) -> None:
    path.write_text(content)
    message = fault(path)
    assert message.startswith(str(path))
    assert words in message


def test_decimal_commas(path: Path) -> None:
    path.write_text("a;b;y;z\n1,5;2;0;1\n")
    assert "'a' is '1,5', not a number" in fault(path, separator=";")
    assert "a decimal point, not a comma" in fault(path, separator=";")


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["y", "y"], "label 'y' is listed 2 times"),
        ("y", "must be a list of column names, such as [y]"),
        ({"y": 1}, "must be a list"),
        (None, "must be a list"),
        ([], "at least one label"),
        ([1], "label 1 is not text; put quotes around it"),
        ([True], "label True is not text"),
        ([None], "label None is not text"),
        (["x"], "no column 'x'"),
        (["a", "b", "y", "z"], "there must be a feature"),
    ],
)
def test_labels_that_are_refused(path: Path, labels: Any, words: str) -> None:
    path.write_text(TABLE)
    assert words in fault(path, labels)


@pytest.mark.parametrize("separator", ["", ",,", r"\t", r"\s+", "1", "e", "-", '"', "\n", None, 3])
def test_separators_that_are_refused(path: Path, separator: Any) -> None:
    path.write_text(TABLE)
    assert "the separator must be one character" in fault(path, separator=separator)


@pytest.mark.parametrize("test_size", ["0.3", True, 0, 1, -0.1, float("nan"), [0.3]])
def test_shares_that_are_refused(path: Path, test_size: Any) -> None:
    path.write_text(TABLE)
    assert "test_size must be a number between 0 and 1" in fault(
        path, test=None, test_size=test_size
    )


@pytest.mark.parametrize("seed", [None, "1", 1.0, True, -1])
def test_seeds_that_are_refused(path: Path, seed: Any) -> None:
    path.write_text(TABLE)
    assert "seed must be a whole number" in fault(path, test=None, test_size=0.5, seed=seed)


def test_one_row_cannot_be_split(path: Path) -> None:
    path.write_text("a,b,y,z\n1,2,0,1\n")
    assert "1 row cannot be split" in fault(path, test=None, test_size=0.5)


def test_files_that_are_none(tmp_path: Path) -> None:
    assert "cannot be read (Is a directory)" in fault(tmp_path)
    assert "cannot be read (No such file or directory)" in fault(tmp_path / "absent.csv")
    binary = tmp_path / "binary.csv"
    binary.write_bytes("a,y\n1,0\n".encode("utf-16"))
    assert "not UTF-8 text" in fault(binary)


@pytest.mark.parametrize("relevant", ["none", "some", "all"])
def test_data_with_one_label(path: Path, relevant: str) -> None:
    y = {"none": np.zeros(40), "some": np.arange(40) % 2, "all": np.ones(40)}[relevant]
    table = pd.DataFrame({"a": np.arange(40), "y": y.astype(int)})
    table.to_csv(path, index=False)
    dataset = load(path, ["y"], test=None, test_size=0.25)
    assert dataset.Y_train.shape[1] == dataset.Y_test.shape[1] == 1
    assert sorted([*dataset.X_train[:, 0], *dataset.X_test[:, 0]]) == list(range(40))
    assert abs(len(dataset.X_test) - 10) <= 1


@settings(max_examples=50)
@given(
    values=npst.arrays(
        np.float64, (3, 3), elements=st.floats(allow_nan=False, allow_infinity=False)
    ),
    relevance=npst.arrays(np.uint8, (3, 2), elements=st.integers(0, 1)),
)
def test_what_pandas_writes_is_read_to_the_last_bit(
    values: np.ndarray, relevance: np.ndarray
) -> None:
    table = pd.DataFrame(values, columns=list("abc")).join(
        pd.DataFrame(relevance, columns=["y", "z"])
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "data.csv")
        table[["y", "a", "b", "z", "c"]].to_csv(path, index=False)
        dataset = load(path)
    np.testing.assert_array_equal(dataset.X_train, values)
    np.testing.assert_array_equal(dataset.Y_train, relevance)


def test_the_index_that_pandas_writes_is_refused(path: Path) -> None:
    pd.read_csv(io.StringIO(TABLE)).to_csv(path)
    assert "index=False" in fault(path)
