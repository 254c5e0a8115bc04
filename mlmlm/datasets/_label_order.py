"""The label order of Mulan's XML files, where it is not that of the ARFF header.

The order matters because labels with equal scores are ranked by it. The package archive has no
XML files, so the two orders that differ are written down here; those of the other datasets of the
catalogue are the same, but for Genbase, whose XML file we have not seen, and for IMDB and
EurLex-4K, which have none. Of anybody else's data nothing is known.
"""

from __future__ import annotations

from dataclasses import replace

from mlmlm.datasets._catalogue import CATALOGUE
from mlmlm.datasets._dataset import Dataset, DatasetError

# fmt: off
XML_ORDER: dict[str, tuple[int, ...]] = {
    "enron": (
        14, 42, 13, 11, 23, 21, 9, 0, 25, 48, 27, 2, 46, 6, 7, 29, 40, 33, 38, 17, 22, 49, 24, 3,
        37, 51, 12, 43, 31, 4, 39, 5, 20, 1, 10, 44, 41, 18, 35, 52, 30, 8, 47, 45, 16, 28, 34, 50,
        26, 19, 36, 32, 15,
    ),
    "yeast": (0, 1, 2, 5, 3, 9, 10, 4, 6, 7, 8, 11, 12, 13),
}
"""Columns of the ARFF header, counted from 0, in the order of the XML file."""
# fmt: on
_UNKNOWN = ("genbase", "imdb", "eurlex4k")


def in_xml_order(dataset: Dataset) -> Dataset:
    """The dataset with its labels in the order of its XML file; itself if that is the same.

    Raises
    ------
    DatasetError
        If the order is not known: the numbers, not the name, say which dataset it is.
    """
    known = {each.fingerprint: each.name for each in CATALOGUE if each.name not in _UNKNOWN}
    if dataset.fingerprint not in known:
        raise DatasetError(
            f"{dataset.name}: the order of labels in its XML file is not known; it is known for "
            f"{', '.join(known.values())}, as published. Leave the labels as they are."
        )
    order = XML_ORDER.get(known[dataset.fingerprint])
    if order is None:
        return dataset
    columns = list(order)
    return replace(
        dataset,
        Y_train=dataset.Y_train[:, columns],
        Y_test=dataset.Y_test[:, columns],
        label_names=tuple(dataset.label_names[column] for column in columns),
    )
