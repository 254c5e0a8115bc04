"""Datasets as Mulan publishes them: two ARFF files, and an XML file that names the labels."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt

from mlmlm.datasets._arff_file import Attribute, Table, read_arff
from mlmlm.datasets._dataset import Dataset, DatasetError, LabelMatrix


@dataclass(frozen=True)
class ArffFiles:
    """The three files that make a dataset."""

    train: Path
    test: Path
    xml: Path

    def digest(self) -> str:
        """SHA-256 of the contents: it changes when any of the files does."""
        total = hashlib.sha256()
        for path in (self.train, self.test, self.xml):
            try:
                total.update(hashlib.sha256(path.read_bytes()).digest())
            except OSError as fault:
                raise DatasetError(f"{path}: cannot be read ({fault.strerror}).") from fault
        return total.hexdigest()


def find_files(folder: Path, spellings: Sequence[str]) -> ArffFiles | None:
    """Look a dataset up in a folder, flat or with a subfolder per dataset.

    Returns None where no training file is found; a training file without its two companions is
    an error, because the folder was clearly meant to be used.
    """
    # Unlike those of Path, these say no where a folder on the way may not be entered.
    if not os.path.isdir(folder):
        raise DatasetError(f"{folder}: there is no such folder of ARFF files; correct its path.")
    places = [*(folder / spelling for spelling in spellings), folder]
    for stem, place in itertools.product(spellings, places):
        train = _first_file(place, _arff_names(f"{stem}-train"))
        if os.path.isfile(train):
            test = _first_file(place, _arff_names(f"{stem}-test"))
            xml = _first_file(place, [f"{each}.xml" for each in (stem, *spellings)])
            _require(test, xml)
            return ArffFiles(train, test, xml)
    return None


def read_files(name: str, files: ArffFiles, progress: bool) -> Dataset:
    """Read a dataset from its files; labels keep the order of the ARFF header."""
    _require(files.train, files.test, files.xml)
    labels = _label_names(files.xml)
    train = read_arff(files.train, progress)
    test = read_arff(files.test, progress)
    _check_same_attributes(train, test)
    _check_labels_declared(files.xml, labels, train)
    is_label = np.array([attribute.name in labels for attribute in train.attributes])
    for table in (train, test):
        _check_values(table, is_label)
    names = np.array([attribute.name for attribute in train.attributes], dtype=object)
    return Dataset(
        name=name,
        X_train=train.values[:, ~is_label],
        Y_train=_labels(train, is_label),
        X_test=test.values[:, ~is_label],
        Y_test=_labels(test, is_label),
        feature_names=tuple(names[~is_label]),
        label_names=tuple(names[is_label]),
    )


def _arff_names(stem: str) -> list[str]:
    return [f"{stem}.arff", f"{stem}.arff.gz"]


def _first_file(place: Path, names: Sequence[str]) -> Path:
    """The first of the names that is a file there; where none is, the one to ask for."""
    paths = [place / name for name in names]
    return next(filter(os.path.isfile, paths), paths[0])


def _require(*paths: Path) -> None:
    for path in paths:
        if not os.path.isfile(path):
            raise DatasetError(
                f"{path}: the file is missing; a dataset needs a training ARFF, a test ARFF and "
                "the XML file that names its labels."
            )


def _label_names(xml: Path) -> frozenset[str]:
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


def _check_same_attributes(train: Table, test: Table) -> None:
    pairs = itertools.zip_longest(train.attributes, test.attributes)
    for position, (ours, theirs) in enumerate(pairs, start=1):
        if ours != theirs:
            raise DatasetError(
                f"{test.path}: attribute {position} is {_described(theirs)}, but "
                f"{_described(ours)} in {train.path}; the two files must declare the same "
                "attributes in the same order."
            )


def _described(attribute: Attribute | None) -> str:
    if attribute is None:
        return "absent"
    if attribute.numbers is None:
        return f"{attribute.name!r} numeric"
    return f"{attribute.name!r} {{{','.join(attribute.numbers)}}}"


def _check_labels_declared(xml: Path, labels: Collection[str], table: Table) -> None:
    declared = {attribute.name: attribute for attribute in table.attributes}
    for label in sorted(labels):
        if label not in declared:
            raise DatasetError(
                f"{xml}: label {label!r} is not an attribute of {table.path}; "
                "correct the name or use the XML file that belongs to the ARFF files."
            )
        numbers = declared[label].numbers
        if numbers is not None and not all(value in ("0", "1") for value in numbers):
            raise DatasetError(
                f"{table.path}: label {_described(declared[label])} is not binary; "
                "a label must be declared {0,1}."
            )


def _check_values(table: Table, is_label: npt.NDArray[np.bool_]) -> None:
    if not len(table.values):
        raise DatasetError(f"{table.path}: no rows after @data; the file is empty or cut short.")
    right = np.isfinite(table.values)
    right[:, is_label] &= np.isin(table.values[:, is_label], (0, 1))
    if right.all():
        return
    row, column = np.argwhere(~right)[0]
    wish = "a label must be 0 or 1" if is_label[column] else "a feature must be finite"
    raise DatasetError(
        f"{table.path}, line {table.lines[row]}: {table.attributes[column].name!r} is "
        f"{table.values[row, column]}; {wish}."
    )


def _labels(table: Table, is_label: npt.NDArray[np.bool_]) -> LabelMatrix:
    return table.values[:, is_label].astype(np.uint8)
