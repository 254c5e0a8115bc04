"""ARFF files: what is read, and what is refused and how."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from mlmlm.datasets import Dataset, DatasetError, load_arff

HEADER = """% a comment
@relation toy

@attribute size numeric
@attribute Second {0,1}
@attribute colour {YES,NO}
@attribute First {0,1}

@data
"""
XML = """<?xml version="1.0" encoding="utf-8"?>
<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="First"></label>
<label name="Second"></label>
</labels>"""
DENSE_ROWS = "1.5,0,YES,1\n-2,1,NO,0\n"


class Files:
    """Three small files, any of which a test replaces before loading them."""

    def __init__(self, folder: Path) -> None:
        self.train, self.test, self.xml = (
            folder / name for name in ("toy-train.arff", "toy-test.arff", "toy.xml")
        )
        self.train.write_text(HEADER + DENSE_ROWS)
        self.test.write_text(HEADER + DENSE_ROWS)
        self.xml.write_text(XML)

    def load(self) -> Dataset:
        return load_arff(self.train, self.test, self.xml)

    def fault(self) -> str:
        with pytest.raises(DatasetError) as caught:
            self.load()
        return str(caught.value)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_dense_rows_with_labels_in_header_order(files: Files) -> None:
    dataset = files.load()
    assert dataset.name == "toy"
    assert dataset.feature_names == ("size", "colour")
    assert dataset.label_names == ("Second", "First")
    assert dataset.X_train.tolist() == [[1.5, 1.0], [-2.0, 0.0]]
    assert dataset.Y_train.tolist() == [[0, 1], [1, 0]]


def test_sparse_rows_leave_out_zero_and_the_first_nominal_value(files: Files) -> None:
    files.train.write_text(HEADER + "{0 1.5,3 1}\n{0 -2, 1 1, 2 NO}\n{}\n")
    dataset = files.load()
    assert dataset.X_train.tolist() == [[1.5, 1.0], [-2.0, 0.0], [0.0, 1.0]]
    assert dataset.Y_train.tolist() == [[0, 1], [1, 0], [0, 0]]


def test_gzipped_files_are_the_same_dataset(files: Files) -> None:
    plain = files.load()
    packed = files.train.with_suffix(".arff.gz")
    packed.write_bytes(gzip.compress(files.train.read_bytes()))
    files.train = packed
    assert files.load().fingerprint == plain.fingerprint


def test_nominal_numbers_stand_for_themselves(files: Files) -> None:
    for path in (files.train, files.test):
        path.write_text(path.read_text().replace("{YES,NO}", "{7,3}").replace("YES", "7")
                        .replace("NO", "3"))  # fmt: skip
    assert files.load().X_train[:, 1].tolist() == [7.0, 3.0]


def test_nested_labels_of_a_hierarchy_count(files: Files) -> None:
    files.xml.write_text('<labels><label name="First"><label name="Second"/></label></labels>')
    assert files.load().label_names == ("Second", "First")


def test_arrays_are_read_only(files: Files) -> None:
    dataset = files.load()
    for array in (dataset.X_train, dataset.Y_train, dataset.X_test, dataset.Y_test):
        assert array.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    with pytest.raises(AttributeError):
        dataset.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize("role", ["train", "test", "xml"])
def test_missing_file(files: Files, role: str) -> None:
    getattr(files, role).unlink()
    assert getattr(files, role).name in files.fault()
    assert "missing" in files.fault()


@pytest.mark.parametrize(
    ("rows", "line", "words"),
    [
        ("1,0,YES,1\n1,0,YES,1,1\n", 11, "one value per declared attribute"),
        ("1,0,YES,1\n1,0\n", 11, "one value per declared attribute"),
        ("{0 1}\n{0 1,4 1}\n", 11, "one value per declared attribute"),
        ("{0 1}\n1,0,YES,1\n", 11, "layout"),
        ("1,0,YES,1\n?,0,YES,1\n", 11, "'size' has a missing value"),
        ("{0 1}\n{0 ?}\n", 11, "'size' has a missing value"),
        ("1,0,YES,1\nnan,0,YES,1\n", 11, "'size' is nan"),
        ("1,0,YES,1\n\n-inf,0,YES,1\n", 12, "'size' is -inf"),
        ("1,0,MAYBE,1\n", 10, "MAYBE"),
        ("one,0,YES,1\n", 10, "numerical"),
        ("1,2,YES,1\n", 10, "2"),
        ("1_0,0,YES,1\n", 10, "'1_0', not a numerical value"),
        ("1,0,YES,1,\n", 10, "one value per declared attribute"),
        ("1,0,YES 1\n", 10, "layout"),
        ("1,0,'YES,1\n", 10, "layout"),
        (r"1,0,'\YES',1", 10, r"\Y is no escape sequence"),
        ("{0 1,0 2}\n", 10, "column 0 twice"),
        ("{0 1,}\n", 10, "layout"),
        ("{-1 1}\n", 10, "layout"),
        ("{0 1\n", 10, "closing brace"),
        ("1,0,YES,1\n{0 1}\n", 11, "layout"),
    ],
)
def test_a_bad_row_is_named_by_its_line(files: Files, rows: str, line: int, words: str) -> None:
    files.train.write_text(HEADER + rows)
    message = files.fault()
    assert message.startswith(f"{files.train}, line {line}: ")
    assert words in message


def test_numeric_label_that_is_not_binary(files: Files) -> None:
    for path in (files.train, files.test):
        path.write_text(HEADER.replace("First {0,1}", "First numeric") + "1,0,YES,1\n1,0,YES,0.5\n")
    assert f"{files.train}, line 11: 'First' is 0.5" in files.fault()


def test_nominal_label_that_is_not_binary(files: Files) -> None:
    for path in (files.train, files.test):
        path.write_text(HEADER.replace("First {0,1}", "First {0,1,2}") + DENSE_ROWS)
    assert "label 'First' {0,1,2} is not binary" in files.fault()


def test_label_that_the_header_lacks(files: Files) -> None:
    files.xml.write_text(XML.replace("First", "Fisrt"))
    message = files.fault()
    assert message.startswith(str(files.xml))
    assert "'Fisrt' is not an attribute" in message


@pytest.mark.parametrize(
    "content",
    [
        "<labels><label",
        "<labels/>",
        "<labels><label/></labels>",
        '<labels><label name=""/></labels>',
        '<labels><label name="First"/><label name="First"/></labels>',
        '<?xml version="1.0" encoding="nonsense"?><labels><label name="First"/></labels>',
        '<?xml version="1.0" encoding="utf-7"?><labels><label name="First"/></labels>',
    ],
)
def test_bad_xml(files: Files, content: str) -> None:
    files.xml.write_text(content)
    assert files.fault().startswith(str(files.xml))


@pytest.mark.parametrize("role", ["train", "test", "xml"])
def test_a_folder_in_the_place_of_a_file(files: Files, role: str) -> None:
    getattr(files, role).unlink()
    getattr(files, role).mkdir()
    assert getattr(files, role).name in files.fault()


def test_gzipped_by_name_only(files: Files) -> None:
    files.train = files.train.rename(files.train.with_suffix(".arff.gz"))
    assert "not gzipped" in files.fault()


def test_different_attributes(files: Files) -> None:
    files.test.write_text((HEADER + DENSE_ROWS).replace("size", "weight"))
    message = files.fault()
    assert "'weight' numeric" in message
    assert "'size' numeric" in message


def test_fewer_attributes_in_one_file(files: Files) -> None:
    files.test.write_text(HEADER.replace("@attribute First {0,1}\n", "") + "1,0,YES\n")
    assert "absent" in files.fault()


@pytest.mark.parametrize("role", ["train", "test"])
def test_no_rows(files: Files, role: str) -> None:
    getattr(files, role).write_text(HEADER)
    message = files.fault()
    assert getattr(files, role).name in message
    assert "no rows" in message


def test_a_row_on_the_line_of_data_is_not_lost(files: Files) -> None:
    files.train.write_text(HEADER.replace("@data", "@data 1,0,YES,1") + DENSE_ROWS)
    assert files.fault().startswith(f"{files.train}, line 9: there is more than @data")


def test_no_data_section(files: Files) -> None:
    files.train.write_text(HEADER.replace("@data", ""))
    assert files.fault().startswith(f"{files.train}, line 9")


@pytest.mark.parametrize(
    ("declaration", "words"),
    [
        ("@attribute size wooden", "unknown type 'wooden'"),
        ("@atribute size numeric", "no header line"),
        ("@attribute size", "is not '@attribute name type'"),
        ("@attribute First numeric\n@attribute First numeric", "'First' is declared twice"),
        ("@attribute size {a,b,a}", "the same value twice"),
        ("@attribute size {1,1.0}", "the same value twice"),
        ("@attribute size {a,}", "an empty value"),
        ("@attribute size {}", "an empty value"),
        # liac-arff searches the next two for ever.
        (f"@attribute size {{{','.join(map(str, range(60)))}", "unknown type"),
        (f"@attribute size {{a b,{','.join(map(str, range(60)))}}}", "layout"),
    ],
)
def test_bad_header_line(files: Files, declaration: str, words: str) -> None:
    files.train.write_text(HEADER.replace("@attribute size numeric", declaration) + DENSE_ROWS)
    message = files.fault()
    assert message.startswith(f"{files.train}, line {4 + declaration.count(chr(10))}: ")
    assert words in message


@pytest.mark.parametrize("kind", ["integer", "INTEGER", "real", "Numeric"])
def test_a_fraction_is_kept_whatever_kind_of_number_is_declared(files: Files, kind: str) -> None:
    for path in (files.train, files.test):
        path.write_text(path.read_text().replace("numeric", kind).replace("1.5", "1.7"))
    assert files.load().X_train[0, 0] == 1.7


def test_byte_order_marks_and_other_line_ends(files: Files) -> None:
    expected = files.load()
    for path in (files.train, files.test, files.xml):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    dataset = files.load()
    assert dataset.fingerprint == expected.fingerprint
    assert dataset.feature_names == expected.feature_names


def test_quoted_names_and_values(files: Files) -> None:
    for path in (files.train, files.test):
        path.write_text(
            path.read_text()
            .replace("First", "'The \\'first\\', 1'")
            .replace("{YES,NO}", "{ 'YES, I DO' , \"NO\" }")
            .replace("1.5,0,YES,1", "1.5 , 0, 'YES, I DO',1")
        )
    files.xml.write_text(XML.replace("First", "The 'first', 1"))
    dataset = files.load()
    assert dataset.label_names == ("Second", "The 'first', 1")
    assert dataset.X_train[:, 1].tolist() == [1.0, 0.0]


def test_text_attribute(files: Files) -> None:
    files.train.write_text(HEADER.replace("size numeric", "size string") + DENSE_ROWS)
    assert "'size' is free text" in files.fault()


def test_truncated_gzip(files: Files) -> None:
    packed = files.train.with_suffix(".arff.gz")
    packed.write_bytes(gzip.compress(files.train.read_bytes())[:-20])
    files.train = packed
    message = files.fault()
    assert message.startswith(str(packed))
    assert "cut short" in message


def test_bytes_that_are_not_text(files: Files) -> None:
    files.train.write_bytes(HEADER.encode() + b"\xff\xfe,0,YES,1\n")
    assert files.fault().startswith(str(files.train))


finite = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=30, deadline=None)
@given(
    X=npst.arrays(np.float64, (3, 4), elements=st.one_of(st.just(0.0), finite)),
    Y=npst.arrays(np.uint8, (3, 2), elements=st.integers(0, 1)),
    sparse=st.booleans(),
)
def test_what_is_written_is_read(X: np.ndarray, Y: np.ndarray, sparse: bool) -> None:
    header = ["@relation r"]
    header += [f"@attribute x{i} numeric" for i in range(4)]
    header += [f"@attribute y{i} {{0,1}}" for i in range(2)]
    rows = []
    for x, y in zip(X.tolist(), Y.tolist(), strict=True):
        values = [*x, *y]
        if sparse:
            cells = ",".join(f"{i} {value!r}" for i, value in enumerate(values) if value)
            rows.append(f"{{{cells}}}")
        else:
            rows.append(",".join(map(repr, values)))
    with tempfile.TemporaryDirectory() as folder:
        path, xml = Path(folder, "r.arff"), Path(folder, "r.xml")
        path.write_text("\n".join([*header, "@data", *rows]))
        xml.write_text('<labels><label name="y1"/><label name="y0"/></labels>')
        dataset = load_arff(path, path, xml)
    np.testing.assert_array_equal(dataset.X_train, X)
    np.testing.assert_array_equal(dataset.Y_test, Y)
