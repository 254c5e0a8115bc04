"""The command; the package says what it writes."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from experiments.errors import USER_ERROR, UsageError
from experiments.identity import RunIdentity
from experiments.identity.imports import code_of
from experiments.provenance import provenance
from experiments.record import Record
from experiments.reliability.measures import measures
from experiments.reliability.probabilities import probabilities
from experiments.store import write_file
from experiments.study_folder import StudyFolder, run_name
from mlmlm.datasets import DatasetError, load_dataset

FOLDER = "reliability"
_COMPUTING = (measures.__module__, probabilities.__module__)


def main(arguments: Sequence[str]) -> int:
    if not arguments or not Path(arguments[0]).is_dir():
        return _refuse("usage: python -m experiments.reliability results/paper [dataset ...]")
    study = StudyFolder(Path(arguments[0]))
    try:
        for name in arguments[1:] or _datasets(study):
            write_reliability(study, name)
    except (DatasetError, UsageError) as error:
        return _refuse(f"error: {error}")
    return 0


def write_reliability(study: StudyFolder, name: str) -> None:
    """Fit a dataset and keep how good its probabilities are, unless that is there already."""
    start, source = perf_counter(), provenance()
    run = run_name(name, "ml_mlm", None, "")
    if not study.has(run):
        raise UsageError(f"{study.path} has no run of ml_mlm on {name!r}; its study makes one")
    record = study.read(run)
    path, identity = study.path / FOLDER / f"{name}.json", _identity(record)
    if _is_done(path, identity):
        print(f"{path}  is there", flush=True)
        return
    data, power = load_dataset(name), record.chosen["power"]
    print(f"{name}: {len(data.Y_train):,} training rows", flush=True)
    found = probabilities(data, power)
    content = {
        "fingerprint": data.fingerprint,
        "power": power,
        "kinds": {kind: measures(data.Y_test, each) for kind, each in found.items()},
        "identity": identity,
        "provenance": source,
    }
    write_file(path, (json.dumps(content, indent=1) + "\n").encode())
    print(f"{path}  {perf_counter() - start:.0f} s", flush=True)


def _datasets(study: StudyFolder) -> Sequence[str]:
    manifest = study.manifest()
    if manifest is None:
        raise UsageError(f"{study.path} is no study's folder; make one, or name datasets")
    return manifest.datasets


def _identity(record: Record) -> str:
    power = {"power": record.chosen["power"]}
    return RunIdentity(power, record.data["fingerprint"], code_of(_COMPUTING)).digest


def _is_done(path: Path, identity: str) -> bool:
    return path.exists() and json.loads(path.read_bytes())["identity"] == identity


def _refuse(reason: str) -> int:
    print(reason, file=sys.stderr)
    return USER_ERROR


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
