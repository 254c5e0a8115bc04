"""The package archive, damaged from outside, and its pickles, damaged before they are packed."""

from __future__ import annotations

import bz2
import io
import tarfile
from pathlib import Path

import numpy as np

from mlmlm.datasets import Dataset, DatasetError
from mlmlm.datasets._package_archive import read_archive
from tests.fuzz.judgement import Target, WrongContentError

_X = np.array([[0.25, -1.0], [3.0, 0.1], [7.0, 1e-9]])
_WORDS = np.array([["NO", "P1"], ["YES", "P2"], ["NO", "P1"]])
_Y = np.array([[1, 0], [1, 1], [0, 0]])


def pickled(X: np.ndarray, Y: np.ndarray) -> bytes:
    """A protocol 0 pickle as Python 2 wrote it, whose byte strings are escaped text."""
    return b"(dp0\nS'X'\np1\n%bsS'y'\np9\n%bs." % (_pickled_array(X), _pickled_array(Y))


def _pickled_array(matrix: np.ndarray) -> bytes:
    rows, columns = matrix.shape
    kind = matrix.dtype.str.lstrip("<|").encode()
    size, alignment = (matrix.dtype.itemsize, 4) if matrix.dtype.kind == "U" else (-1, -1)
    raw = repr(matrix.tobytes())[1:].encode()
    return (
        b"cnumpy.core.multiarray\n_reconstruct\np2\n(cnumpy\nndarray\np3\n(I0\ntS'b'\np4\ntRp5\n"
        b"(I1\n(I%d\nI%d\ntcnumpy\ndtype\np6\n(S'%s'\nI0\nI1\ntRp7\n"
        b"(I3\nS'<'\nNNNI%d\nI%d\nI0\ntbI00\nS%s\np8\ntb"
        % (rows, columns, kind, size, alignment, raw)
    )


def packed(train: bytes, test: bytes) -> bytes:
    """An archive of two members, as the published one holds them."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for part, content in (("train", train), ("test", test)):
            member = bz2.compress(content)
            info = tarfile.TarInfo(f"scikit-multilearn-0.0.1/skmultilearn/data/toy-{part}.dump.bz2")
            info.size = len(member)
            tar.addfile(info, io.BytesIO(member))
    return buffer.getvalue()


_PICKLES = (pickled(_X, _Y), pickled(_WORDS, _Y))
_SAMPLES = tuple(packed(each, each) for each in _PICKLES)
_EXPECTED = (
    Dataset("toy", _X, _Y, _X, _Y, ("f", "g"), ("p", "q")),
    Dataset("toy", np.array([[0, 0], [1, 1], [0, 0]]), _Y, np.array([[0, 0], [1, 1], [0, 0]]), _Y,
            ("f", "g"), ("p", "q")),
)  # fmt: skip


def _load(content: bytes, folder: Path) -> None:
    """Right is what one of the two sound archives holds."""
    refusal = None
    for expected in _EXPECTED:
        try:
            dataset = read_archive(content, "toy", "toy", expected.fingerprint, progress=False)
        except DatasetError as fault:
            refusal = fault
            continue
        if not all(
            np.array_equal(getattr(dataset, part), getattr(expected, part))
            for part in ("X_train", "Y_train", "X_test", "Y_test")
        ):
            raise WrongContentError("other arrays with the same fingerprint")
        return
    assert refusal is not None
    raise refusal


def _load_pickle(content: bytes, folder: Path) -> None:
    _load(packed(content, content), folder)


_TOKENS = (
    *(b"(", b".", b"I", b"N", b"R", b"S", b"b", b"c", b"d", b"g", b"p", b"s", b"t", b"\n", b"'"),
    *(b"g1\n", b"p99999999999\n", b"I99999999999\n", b"I-1\n", b"I01\n", b"L1L\n", b"S'O'\n"),
    *(b"cposix\nsystem\n(S'true'\ntR", b"cnumpy\nndarray\n", b"cnumpy\ndtype\n", b"S'V9999999'\n"),
    *(b"S'U9999'\n", b"\x80\x04", b"\x8c\x01a", b"0", b"]", b"a", b"}", b"e", b"u", b"\\x00"),
)
TARGETS = (
    Target("archive", _SAMPLES, [b"\x1f\x8b\x08", b"BZh9", b"\0"], _load, (DatasetError,)),
    Target("archive_pickle", _PICKLES, _TOKENS, _load_pickle, (DatasetError,), share=2),
)
