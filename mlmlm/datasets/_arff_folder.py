"""Datasets in ARFF files, as Mulan and MEKA publish them.

Mulan has a file of training rows, one of test rows, and an XML file that names the labels. MEKA
names them in the relation, and may have all rows in one file, which is then divided here.
"""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mlmlm.datasets._arff_file import Attribute, Table, read_arff
from mlmlm.datasets._dataset import Dataset, DatasetError, LabelMatrix
from mlmlm.datasets._meka_relation import labels_of_relation
from mlmlm.datasets._mulan_xml import labels_of_xml
from mlmlm.datasets._stratification import Rows
from mlmlm.types import Matrix

Divide = Callable[[LabelMatrix], tuple[Rows, Rows]]
"""From the labels of all rows to the training and the test rows."""


@dataclass(frozen=True)
class ArffFiles:
    """The files that make a dataset: without ``test`` one file has all rows, without ``xml`` its
    relation says which attributes are labels.
    """

    train: Path
    test: Path | None = None
    xml: Path | None = None

    @property
    def present(self) -> list[Path]:
        return [path for path in (self.train, self.test, self.xml) if path is not None]

    def digest(self) -> str:
        """SHA-256 of the contents: it changes when any of the files does."""
        total = hashlib.sha256()
        for path in self.present:
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
    for stem, place in itertools.product(spellings, _places(folder, spellings)):
        train = _first_file(place, _arff_names(f"{stem}-train"))
        if os.path.isfile(train):
            test = _first_file(place, _arff_names(f"{stem}-test"))
            xml = _first_file(place, [f"{each}.xml" for each in (stem, *spellings)])
            _require(test, xml)
            return ArffFiles(train, test, xml)
    return None


def find_one_file(folder: Path, spellings: Sequence[str]) -> ArffFiles | None:
    """Look up, in the same places, a dataset that is one file with all rows."""
    for stem, place in itertools.product(spellings, _places(folder, spellings)):
        path = _first_file(place, _arff_names(stem))
        if os.path.isfile(path):
            return ArffFiles(path)
    return None


def read_files(
    name: str,
    files: ArffFiles,
    progress: bool,
    divide: Divide | None = None,
    as_sparse: bool = False,
) -> Dataset:
    """Read a dataset from its files; labels keep the order of the ARFF header.

    Rows that are all in one file are divided by ``divide``.
    """
    _require(*files.present)
    labels = None if files.xml is None else labels_of_xml(files.xml)
    train = read_arff(files.train, progress, as_sparse)
    test = None if files.test is None else read_arff(files.test, progress, as_sparse)
    if test is not None:
        _check_same_attributes(train, test)
    if files.xml is None or labels is None:
        labels = _labels_of_relations(train, test)
    else:
        _check_labels_declared(files.xml, labels, train)
    _check_labels_binary(labels, train)
    is_label = np.array([attribute.name in labels for attribute in train.attributes])
    X, Y = _split_columns(train, is_label)
    if test is not None:
        X_test, Y_test = _split_columns(test, is_label)
    else:
        assert divide is not None
        rows, test_rows = divide(Y)
        X, X_test, Y, Y_test = X[rows], X[test_rows], Y[rows], Y[test_rows]
    names = np.array([attribute.name for attribute in train.attributes], dtype=object)
    return Dataset(
        name=name,
        X_train=X,
        Y_train=Y,
        X_test=X_test,
        Y_test=Y_test,
        feature_names=tuple(names[~is_label]),
        label_names=tuple(names[is_label]),
    )


def _places(folder: Path, spellings: Sequence[str]) -> list[Path]:
    # Unlike those of Path, this says no where a folder on the way may not be entered.
    if not os.path.isdir(folder):
        raise DatasetError(f"{folder}: there is no such folder of ARFF files; correct its path.")
    return [*(folder / spelling for spelling in spellings), folder]


def _arff_names(stem: str) -> list[str]:
    return [f"{stem}.arff", f"{stem}.arff.gz", f"{stem}.arff.bz2"]


def _first_file(place: Path, names: Sequence[str]) -> Path:
    """The first of the names that is a file there; where none is, the one to ask for."""
    paths = [place / name for name in names]
    return next(filter(os.path.isfile, paths), paths[0])


def _require(*paths: Path) -> None:
    for path in paths:
        if not os.path.isfile(path):
            raise DatasetError(
                f"{path}: the file is missing; a dataset of Mulan needs a training ARFF, a test "
                "ARFF and the XML file that names its labels, one of MEKA the ARFF file alone."
            )


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


def _labels_of_relations(train: Table, test: Table | None) -> frozenset[str]:
    labels = labels_of_relation(train)
    if test is not None and labels_of_relation(test) != labels:
        raise DatasetError(
            f"{test.path}: its relation {test.relation} says of other attributes that they are "
            f"labels than {train.relation} of {train.path}; correct one of them."
        )
    return labels


def _check_labels_declared(xml: Path, labels: Collection[str], table: Table) -> None:
    declared = {attribute.name for attribute in table.attributes}
    for label in sorted(labels):
        if label not in declared:
            raise DatasetError(
                f"{xml}: label {label!r} is not an attribute of {table.path}; "
                "correct the name or use the XML file that belongs to the ARFF files."
            )


def _check_labels_binary(labels: Collection[str], table: Table) -> None:
    for attribute in table.attributes:
        numbers = attribute.numbers if attribute.name in labels else None
        if numbers is not None and not all(value in ("0", "1") for value in numbers):
            raise DatasetError(
                f"{table.path}: label {_described(attribute)} is not binary; "
                "a label must be declared {0,1}."
            )


def _split_columns(table: Table, is_label: npt.NDArray[np.bool_]) -> tuple[Matrix, LabelMatrix]:
    """Features and labels, which are looked at before they become bytes."""
    _check_values(table, is_label)
    labels = table.values[:, is_label].astype(np.uint8)
    return table.values[:, ~is_label], labels.toarray() if sp.issparse(labels) else labels


def _check_values(table: Table, is_label: npt.NDArray[np.bool_]) -> None:
    if not table.values.shape[0]:
        raise DatasetError(f"{table.path}: no rows after @data; the file is empty or cut short.")
    for row, column in _wrong_cells(table.values, is_label)[:1]:
        wish = "a label must be 0 or 1" if is_label[column] else "a feature must be finite"
        raise DatasetError(
            f"{table.path}, line {table.lines[row]}: {table.attributes[column].name!r} is "
            f"{table.values[row, column]}; {wish}."
        )


def _wrong_cells(values: Matrix, is_label: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """Rows and columns of features that are not finite and of labels that are not 0 or 1."""
    if sp.issparse(values):
        cells = values.tocoo()
        wrong = ~np.isfinite(cells.data) | is_label[cells.col] & (cells.data != 1)
        return np.stack([cells.row[wrong], cells.col[wrong]], axis=1)
    right = np.isfinite(values)
    right[:, is_label] &= np.isin(values[:, is_label], (0, 1))
    return np.argwhere(~right)
