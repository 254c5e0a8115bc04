"""What should be there, and what is."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from experiments.record import RecordError, read_record
from experiments.store import RunKey, Store, pack
from experiments.study_folder import Manifest, StudyFolder
from tests.harness import essence, record_files
from tests.kill_study.victim import Place

N_RUNS = 4


@dataclass
class Tally:
    """What was seen over all trials of a scenario; lists are of faults."""

    kills: int = 0
    too_late: int = 0  # the study had ended before its moment came
    out_of_space: int = 0  # studies that ended for lack of space, in one line
    complete_at_kill: Counter[int] = field(default_factory=Counter)
    corrupt: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    different: list[str] = field(default_factory=list)
    leftovers: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def faults(self) -> dict[str, list[str]]:
        names = ("corrupt", "lost", "different", "leftovers", "failed")
        return {name: getattr(self, name) for name in names}

    @property
    def is_clean(self) -> bool:
        return not any(self.faults.values())

    def __str__(self) -> str:
        complete = ", ".join(f"{n}: {times}" for n, times in sorted(self.complete_at_kill.items()))
        full = f", {self.out_of_space} ended for lack of space" if self.out_of_space else ""
        faults = ", ".join(f"{name} {len(found)}" for name, found in self.faults.items())
        return (
            f"{self.kills} killed, {self.too_late} ended before their moment{full}; complete "
            f"records when killed: {complete}; {faults}"
        )


@dataclass(frozen=True)
class Undisturbed:
    """What a study leaves that nobody disturbs."""

    records: dict[str, dict[str, Any]]
    runs: set[str]  # the files of its store
    study: set[str]  # and of its folder
    manifest: Manifest

    @classmethod
    def look(cls, place: Place) -> Undisturbed:
        records = {name: essence(path) for name, path in record_files(place.runs).items()}
        assert len(records) == N_RUNS
        manifest = StudyFolder(place.study).manifest()
        return cls(records, _files(place.runs), _files(place.study), manifest)


def write_older(source: Place, older: Place) -> None:
    """Make a complete store and folder of the same runs, whose records and arrays are others."""
    store, folder = Store(older.runs), StudyFolder(older.study)
    runs = {}
    for path in record_files(source.runs).values():
        found = read_record(path.read_bytes())
        key = RunKey(found.dataset, found.method, found.identity)
        arrays = Store(source.runs).read_arrays(key) | {"older": np.arange(9)}
        content, digest = pack(arrays)
        record = dataclasses.replace(found, arrays_sha256=digest, warnings=("older",))
        store.write(key, record, content)
        runs |= [folder.write(record, arrays)]
    manifest = StudyFolder(source.study).manifest()
    folder.write_manifest(dataclasses.replace(manifest, runs=runs))


class Inspector:
    """Looks at what a study left, and writes down what is wrong with it."""

    def __init__(self, undisturbed: Undisturbed, older: Undisturbed, tally: Tally) -> None:
        self._expected = undisturbed
        self._older = older
        self._tally = tally

    def whole_records(self, place: Place, trial: str, older: bool = False) -> set[str]:
        """Names of the records that are whole, and as they should be or, if allowed, older."""
        store, whole = Store(place.runs), set()
        for name, path in record_files(place.runs).items():
            dataset, method, identity, _ = Path(name).parts
            if store.read(RunKey(dataset, method, identity)) is None:
                self._tally.corrupt.append(f"{trial}: {name}")
                continue
            whole.add(name)
            allowed = [self._expected.records.get(name)]
            allowed += [self._older.records.get(name)] if older else []
            if essence(path) not in allowed:
                self._tally.different.append(f"{trial}: {name}")
        return whole

    def finished(self, place: Place, trial: str) -> None:
        """Look at everything after a study has come to its end."""
        self.whole_records(place, trial)
        for folder, expected in ((place.runs, self._expected.runs), (place.study, self._study)):
            found = _files(folder)
            self._tally.lost += [f"{trial}: {name}" for name in sorted(expected - found)]
            self._tally.leftovers += [f"{trial}: {name}" for name in sorted(found - expected)]
        for cache in place.variables.values():
            names = {path.name for path in Path(cache).iterdir()} - {"emotions.npz"}
            self._tally.leftovers += [f"{trial}: {name} in the cache" for name in sorted(names)]
        self._look_at_study(StudyFolder(place.study), trial)

    @property
    def _study(self) -> set[str]:
        return self._expected.study

    def _look_at_study(self, folder: StudyFolder, trial: str) -> None:
        """Its list has exactly the runs, and their records and arrays are the expected ones."""
        if folder.manifest() != self._expected.manifest:
            self._tally.different.append(f"{trial}: study.json")
        try:
            for name, digest in self._expected.manifest.runs.items():
                folder.read_arrays(name, digest)
                record = folder.read(name)
                key = RunKey(record.dataset, record.method, record.identity)
                stored = self._expected.records[f"{key.path.as_posix()}/record.json"]
                if json.loads(record.to_json())["metrics"] != stored["metrics"]:
                    self._tally.different.append(f"{trial}: {name} of the study")
        except RecordError as error:
            self._tally.corrupt.append(f"{trial}: {error}")


def _files(folder: Path) -> set[str]:
    """Paths of all files but the locks, which stay."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in files if path.parts[0] != ".locks"}
