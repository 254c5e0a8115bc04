"""The command: every refit, written beside a study."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from experiments.errors import USER_ERROR
from experiments.provenance import provenance
from experiments.record import Json
from experiments.refits.cuts import cuts
from experiments.refits.fitting import Array, fit
from experiments.refits.label_sets import label_sets
from experiments.refits.leave_one_out import leave_one_out
from experiments.refits.multilateration import multilateration
from experiments.refits.nearest_inputs import nearest_inputs
from experiments.refits.rounding import rounding
from experiments.refits.toy import toy
from experiments.refits.yeast import yeast_powers
from experiments.store import write_file
from experiments.study_folder import StudyFolder, run_name
from mlmlm.datasets import DatasetError, load_dataset

SMALL = ("medical", "emotions", "enron", "scene", "yeast")
UP_TO_5000_ROWS = (*SMALL, "corel5k", "bibtex")
FEW_LABELS = ("emotions", "scene", "yeast")
FEW_ROWS = ("medical", "emotions")
LEAK_FREE = "leak_free"


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("usage: python -m experiments.refits results/paper", file=sys.stderr)
        return USER_ERROR
    study = Path(arguments[0])
    try:
        for name, content in refits(study):
            path = study / "refits" / f"{name}.json"
            whole = content | {"provenance": provenance()}
            write_file(path, (json.dumps(whole, indent=1) + "\n").encode())
            print(path, flush=True)
    except DatasetError as error:
        print(f"error: {error}", file=sys.stderr)
        return USER_ERROR
    return 0


def refits(study: Path) -> Iterator[tuple[str, Json]]:
    """Names and contents of all the files, the quick ones first."""
    yield "toy", toy()
    for name in UP_TO_5000_ROWS:
        fitted = fit(load_dataset(name))
        yield f"cuts_{name}", cuts(fitted)
        yield f"label_sets_{name}", label_sets(fitted)
        if name in FEW_LABELS:
            yield f"multilateration_{name}", multilateration(fitted)
        if name == "yeast":
            yield "yeast_powers", yeast_powers(fitted)
    for name in SMALL:
        yield f"rounding_{name}", rounding(load_dataset(name))
    for name, distances in _smallest_distances(study):
        yield f"nearest_inputs_{name}", nearest_inputs(load_dataset(name), distances)
    for name in FEW_ROWS:
        yield f"leave_one_out_{name}", leave_one_out(fit(load_dataset(name)))


def _smallest_distances(study: Path) -> Iterator[tuple[str, Array]]:
    """Of ML-MLM's test rows, by dataset of the study and of the one without the leak."""
    for folder in map(StudyFolder, (study, study.with_name(LEAK_FREE))):
        manifest = folder.manifest()
        runs = {} if manifest is None else manifest.runs
        for dataset in () if manifest is None else manifest.datasets:
            name = run_name(dataset, "ml_mlm", None, "")
            if name in runs:
                yield dataset, folder.read_arrays(name, runs[name])["smallest_distances"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
