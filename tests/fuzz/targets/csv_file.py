"""CSV files; pandas gives the second opinion, as text, so that it guesses at nothing."""

from __future__ import annotations

import io
import zlib
from pathlib import Path

import numpy as np
import pandas as pd

from mlmlm.datasets import Dataset, DatasetError, load_csv
from tests.fuzz.judgement import Target, WrongContentError

LABELS = ["y", "z"]
_SAMPLES = (
    b"a,b,y,z\n1,2.5,0,1\n-3,4e-1,1,0\n0,0,0,0\n7,-1e3,1,1\n",
    b'z,"b",y,"a"\r\n1,0.1,0,3\r\n0,"0.25",1,-4\r\n1,1e-9,1,5\r\n0,3,0,1\r\n1,2,1,0\r\n',
    b"a, b, y, z\n1, 2, True, False\n\n3, 4, FALSE, true\n5, 6, 1, 0\n",
    "\ufeffa,b,y,z\n0.30000000000000004,123456789012345678,0,1\n1,2,1,1\n".encode(),
)
_TOKENS = (
    *(b",", b";", b"\t", b'"', b'""', b"'", b"\n", b"\r", b"\r\n", b"\n\n", b" ", b"\0"),
    *(
        b"a",
        b"y",
        b"z",
        b"a.1",
        b"#",
        b"NA",
        b"null",
        b"True",
        b"\xef\xbb\xbf",
        b"\xff",
        b"\xc2\xa0",
    ),
)


def _load(content: bytes, folder: Path) -> None:
    path, sound = folder / "data.csv", folder / "sound.csv"
    path.write_bytes(content)
    match zlib.crc32(content) % 4:
        case 0:
            sound.write_bytes(_SAMPLES[0])
            dataset = load_csv(path, LABELS, test=sound)
            _compare(_rows(dataset, "train"), _second_opinion(dataset, content))
            _compare(_rows(dataset, "test"), _second_opinion(dataset, _SAMPLES[0]))
        case 1:
            dataset = load_csv(path, LABELS, test_size=0.4)
            both = np.vstack([_rows(dataset, "train"), _rows(dataset, "test")])
            expected = _second_opinion(dataset, content)
            _compare(both[np.lexsort(both.T)], expected[np.lexsort(expected.T)])
        case _:
            dataset = load_csv(path, LABELS, test=path)
            _compare(_rows(dataset, "train"), _second_opinion(dataset, content))
            _compare(_rows(dataset, "test"), _second_opinion(dataset, content))


def _rows(dataset: Dataset, part: str) -> np.ndarray:
    return np.hstack([getattr(dataset, f"X_{part}"), getattr(dataset, f"Y_{part}")])


def _compare(ours: np.ndarray, theirs: np.ndarray) -> None:
    if not np.array_equal(ours, theirs):
        raise WrongContentError(f"ours:\n{ours}\npandas:\n{theirs}")


def _second_opinion(dataset: Dataset, content: bytes) -> np.ndarray:
    """The numbers of the file, features first, in the order in which the dataset names them."""
    try:
        text = content.decode()  # pandas takes the byte order mark away
        cells = pd.read_csv(
            io.StringIO(text), header=None, dtype=str, na_filter=False, skipinitialspace=True
        ).to_numpy()
        header = [name.strip() for name in cells[0]]
        columns = [header.index(name) for name in dataset.feature_names + dataset.label_names]
        numbers = np.array([[_number(cell) for cell in row] for row in cells[1:]])
    except Exception as fault:
        raise WrongContentError(f"loaded, but not by pandas: {fault!r}") from fault
    if dataset.label_names != tuple(LABELS) or sorted(columns) != list(range(len(header))):
        raise WrongContentError(f"the columns are {header}, in our order {columns}")
    return numbers[:, columns]


def _number(text: str) -> float:
    return float({"true": "1", "false": "0"}.get(text.strip().lower(), text))


TARGETS = (Target("csv", _SAMPLES, _TOKENS, _load, (DatasetError,), share=4),)
