"""The command; the package says what it writes."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from experiments.errors import USER_ERROR, UsageError
from experiments.provenance import provenance
from experiments.record import Record
from experiments.refits.fitting import fit
from experiments.rows.dependent_labels import dependent_labels
from experiments.rows.uncertainty import forest_rows, ml_mlm_rows, why_no_forest
from experiments.store import compressed, write_file
from experiments.study_folder import StudyFolder, run_name
from mlmlm.datasets import DatasetError, load_dataset

STUDY_OF = {
    "medical": "paper",
    "emotions": "paper",
    "enron": "paper",
    "scene": "paper",
    "yeast": "paper",
    "corel5k": "paper",
    "bibtex": "paper",
    "delicious": "paper",
    "tmc2007_fixed": "leak_free",
    "mediamill": "paper",
}
"""The study that has the record of each dataset, the fastest dataset first."""


def main(arguments: Sequence[str]) -> int:
    if not arguments or not Path(arguments[0]).is_dir():
        return _refuse("usage: python -m experiments.rows results/paper [dataset ...]")
    folder, names = Path(arguments[0]), arguments[1:] or list(STUDY_OF)
    unknown = [name for name in names if name not in STUDY_OF]
    if unknown:
        return _refuse(f"error: no dataset {unknown[0]!r}; choose from {', '.join(STUDY_OF)}")
    try:
        for name in names:
            write_rows(folder, name)
    except (DatasetError, UsageError) as error:
        return _refuse(f"error: {error}")
    return 0


def write_rows(folder: Path, name: str) -> None:
    """Fit a dataset and keep what the fits say of its test rows."""
    start, source = perf_counter(), provenance()
    record = _record(folder, name)
    data = load_dataset(name)
    print(f"{name}: {len(data.Y_train):,} training rows", flush=True)
    no_forest = why_no_forest(data)
    arrays = {} if no_forest else forest_rows(data)
    fitted = fit(data)
    arrays |= ml_mlm_rows(fitted, record.chosen["power"], record.chosen["threshold"])
    content = {
        "fingerprint": data.fingerprint,
        "no_forest": no_forest,
        "dependent_labels": dependent_labels(fitted),
        "provenance": source,
    }
    write_file(folder / "rows" / f"{name}.npz", compressed(arrays))
    path = folder / "rows" / f"{name}.json"
    write_file(path, (json.dumps(content, indent=1) + "\n").encode())
    print(f"{path}  {perf_counter() - start:.0f} s", flush=True)


def _record(folder: Path, name: str) -> Record:
    """Of ML-MLM on a dataset."""
    study = folder if STUDY_OF[name] == "paper" else folder.with_name(STUDY_OF[name])
    return StudyFolder(study).read(run_name(name, "ml_mlm", None, ""))


def _refuse(reason: str) -> int:
    print(reason, file=sys.stderr)
    return USER_ERROR


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
