"""The committed results of studies count as done: a study asks them before it computes.

They lie under ``results/committed/<study>`` beside the code, wherever a command is started from. A
record counts if its identity is the same, that is, if the same code would give the same figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from experiments.record import Arrays, Record
from experiments.store import RunKey
from experiments.study_folder import StudyFolder

COMMITTED = Path(__file__).parents[1] / "results" / "committed"


class _Place(NamedTuple):
    folder: StudyFolder
    name: str
    arrays_digest: str | None


class CommittedResults:
    """The records of all studies in a folder, found by what tells runs apart."""

    def __init__(self, root: Path | None = None) -> None:
        self._places: dict[RunKey, _Place] = {}
        self.records: list[Record] = []  # whatever code they are of
        for place, record in _find_records(COMMITTED if root is None else root):
            self.records.append(record)
            key = RunKey(record.dataset, record.method, record.identity)
            self._places.setdefault(key, place)

    def read(self, key: RunKey) -> Record | None:
        place = self._places.get(key)
        return None if place is None else place.folder.read(place.name)

    def read_arrays(self, key: RunKey) -> Arrays:
        """The small arrays of a run."""
        place = self._places[key]
        return place.folder.read_arrays(place.name, place.arrays_digest)


def _find_records(root: Path) -> Iterator[tuple[_Place, Record]]:
    """Every record and where it is; a damaged file is told, with its name."""
    for path in sorted(root.glob("*")):
        folder = StudyFolder(path)
        manifest = folder.manifest()
        for name, digest in manifest.runs.items() if manifest else ():
            yield _Place(folder, name, digest), folder.read(name)
