"""The XML file that names the labels; the columns of sound ARFF files must follow it."""

from __future__ import annotations

from pathlib import Path
from xml.dom import minidom

import numpy as np

from mlmlm.datasets import DatasetError, load_arff
from tests.fuzz.judgement import Target, WrongContentError

_NAMES = ["p", "q", "r", "s & t"]
_VALUES = np.array([[0, 1, 1, 0], [1, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 0]])
_ARFF = "@relation r\n{}\n@data\n{}\n".format(
    "\n".join(f"@attribute '{name}' {{0,1}}" for name in _NAMES),
    "\n".join(",".join(map(str, row)) for row in _VALUES.tolist()),
)
_SAMPLES = (
    b'<?xml version="1.0" encoding="utf-8"?>\n'
    b'<labels xmlns="http://mulan.sourceforge.net/labels">\n'
    b'<label name="p"></label>\n<label name="r"></label>\n</labels>\n',
    b'<labels><label name="q"><label name="s &amp; t"/></label></labels>',
    b"\xef\xbb\xbf<labels>\r\n<!-- none --><label name='r'/>\r\n</labels>",
)
_TOKENS = (
    *(b"<label", b"</label>", b"<labels>", b"/>", b">", b"<", b'name="', b'"', b"&amp;", b"&#112;"),
    *(b"<!--", b"-->", b"<![CDATA[", b"]]>", b"&x;", b'<!DOCTYPE labels [<!ENTITY x "p">]>', b"p"),
    *(b'<label name="q"/>', b'<label name="p"/>', b'encoding="utf-16"', b'encoding="utf-7"'),
    *(b'encoding="latin1"', b'encoding="idna"', b'xmlns="x"', b"x:", b"\0", b"\xff", b"\n"),
)


def _load(content: bytes, folder: Path) -> None:
    xml, path = folder / "data.xml", folder / "data.arff"
    xml.write_bytes(content)
    path.write_text(_ARFF)
    dataset = load_arff(path, path, xml, progress=False)
    found = [
        element.getAttribute("name")
        for element in minidom.parseString(content).getElementsByTagNameNS("*", "label")
        if element.parentNode.nodeType == element.ELEMENT_NODE
    ]
    labels = [name for name in _NAMES if name in found]
    features = [name for name in _NAMES if name not in found]
    if (
        len(found) != len(labels)
        or dataset.label_names != tuple(labels)
        or dataset.feature_names != tuple(features)
        or not np.array_equal(dataset.Y_test, _VALUES[:, [_NAMES.index(name) for name in labels]])
        or not np.array_equal(dataset.X_test, _VALUES[:, [_NAMES.index(name) for name in features]])
    ):
        raise WrongContentError(f"the file names {found}, the dataset has {dataset.label_names}")


TARGETS = (Target("xml", _SAMPLES, _TOKENS, _load, (DatasetError,), share=2),)
