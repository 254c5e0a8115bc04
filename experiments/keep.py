"""Put a study's new results in the place of the committed ones.

Usage::

    python -m experiments.keep results/paper

copies the study's list of runs, its records and what its report consists of to
``results/committed/<study>``, where they count as done for everybody, and says which runs are new,
gone or have other figures. A study with failed runs is refused.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from experiments.committed import COMMITTED
from experiments.errors import USER_ERROR
from experiments.figures import changed_figures
from experiments.record import Record, RecordError
from experiments.study_folder import MANIFEST, RECORDS, StudyFolder

PARTS = (MANIFEST, RECORDS, "refits", "reliability", "rows", "tables", "figures", "report.html")


def keep(folder: StudyFolder, place: StudyFolder) -> list[str]:
    """Copy a study to its place; gives what is different there now, a line each."""
    before, after = _records(place), _records(folder)
    for part in PARTS:
        source, target = folder.path / part, place.path / part
        if target.is_dir():
            shutil.rmtree(target)
        if source.is_dir():
            shutil.copytree(source, target)
        elif source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    changed = [f"new: {name}" for name in after if name not in before]
    changed += [f"gone: {name}" for name in before if name not in after]
    for name in before.keys() & after.keys():
        changed += [f"{name}: {line}" for line in changed_figures(before[name], after[name])]
    return sorted(changed)


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        return _refuse("usage: python -m experiments.keep results/<study>")
    folder = StudyFolder(Path(arguments[0]))
    try:
        manifest = folder.manifest()
        if manifest is None:
            return _refuse(f"error: {folder.path} is no study's folder: it has no {MANIFEST}")
        if manifest.failed:
            return _refuse(f"error: {len(manifest.failed)} runs of {manifest.name} have failed")
        place = StudyFolder(COMMITTED / manifest.name)
        if folder.path.resolve() == place.path.resolve():
            return _refuse(f"error: {folder.path} is where the committed results are")
        changed = keep(folder, place)
    except RecordError as error:
        return _refuse(f"error: {error}")
    print("\n".join(changed) or "the same figures as before")
    return 0


def _records(folder: StudyFolder) -> dict[str, Record]:
    manifest = folder.manifest()
    return {} if manifest is None else {name: folder.read(name) for name in manifest.runs}


def _refuse(reason: str) -> int:
    print(reason, file=sys.stderr)
    return USER_ERROR


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
