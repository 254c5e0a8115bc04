"""Which attributes are labels, as Mulan says it: in an XML file beside the ARFF files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from mlmlm.datasets._dataset import DatasetError


def labels_of_xml(xml: Path) -> frozenset[str]:
    """Names of the attributes that are labels."""
    try:
        root = ElementTree.parse(xml).getroot()
    except OSError as fault:
        raise DatasetError(f"{xml}: cannot be read ({fault.strerror}).") from fault
    # Beside its own error the parser lets out those of the encoding that a file claims to have.
    except (ElementTree.ParseError, ValueError, LookupError) as fault:
        raise DatasetError(f"{xml}: not valid XML ({fault}); correct the file.") from fault
    # Mulan's XML has a namespace and may nest labels in a hierarchy: take them at any depth.
    names = [element.get("name") for element in root.findall(".//{*}label")]
    labels = [name for name in names if name]
    if not labels or len(labels) < len(names):
        raise DatasetError(f"{xml}: needs <label name=...> elements, each with a name.")
    for label, times in Counter(labels).items():
        if times > 1:
            raise DatasetError(f"{xml}: label {label!r} is listed {times} times; correct the file.")
    return frozenset(labels)
