"""Which attributes are labels, as MEKA says it: in the name of the relation.

``@relation 'IMDB: -C 28 -split-number 80000'`` has options after a colon, in any order. ``-C 28``
says that the first 28 attributes are the labels, ``-C -28`` that the last 28 are. The other options
are for MEKA's own programs.
"""

from __future__ import annotations

import re

from mlmlm.datasets._arff_file import Table
from mlmlm.datasets._dataset import DatasetError

_OPTION = re.compile(r"(?<!\S)-C(?:\s+(\S+))?(?!\S)")
_WHOLE = re.compile(r"[-+]?[0-9]{1,9}")
_REMEDY = (
    "write @relation 'name: -C 3' if the first 3 attributes are labels, -C -3 if the last 3 are, "
    "or pass Mulan's xml."
)


def labels_of_relation(table: Table) -> frozenset[str]:
    """Names of the attributes that are labels."""
    count, width = _label_count(table), len(table.attributes)
    if not 0 < abs(count) < width:
        raise _fault(
            table, f"says -C {count}, but of {width} attributes some must be labels, some features"
        )
    labels = table.attributes[:count] if count > 0 else table.attributes[count:]
    return frozenset(attribute.name for attribute in labels)


def _label_count(table: Table) -> int:
    options = table.relation.partition(":")[2].rstrip("'\" ")
    given = _OPTION.findall(options)
    if not given:
        raise _fault(table, "does not say, with -C, which attributes are labels")
    if len(given) > 1:
        raise _fault(table, "has more than one -C")
    if not _WHOLE.fullmatch(given[0]):
        raise _fault(table, f"has {given[0]!r} after -C, not a whole number")
    return int(given[0])


def _fault(table: Table, reason: str) -> DatasetError:
    name = table.relation if len(table.relation) <= 60 else f"{table.relation[:60]}..."
    return DatasetError(f"{table.path}: its relation {name or '(none)'} {reason}; {_REMEDY}")
