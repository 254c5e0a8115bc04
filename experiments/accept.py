"""Accept the records of a study after a change of code that was found to change no figure.

Usage::

    python -m experiments.accept study=paper
    python -m experiments.accept study=paper seconds=600

A record is of the code that computed it, so after any change of code it is not reused. Where the
change does not matter, computing everything again would be a waste. This command computes a sample
again, every run that took at most ``seconds`` and of each method at least its fastest, and compares
every metric and every chosen parameter. The records of a method whose sample is the same get the
identity of the present code, and under ``accepted`` they keep what they were, what had changed, and
which runs were compared. The records of a method whose sample differs stay as they are.
"""

from __future__ import annotations

if __name__ == "__main__":
    from experiments.interrupts import end_at_once

    end_at_once()  # before the imports below, which take seconds

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import hydra
from omegaconf import DictConfig
from rich.console import Console

from experiments.choices import DatasetChoice, MethodChoice
from experiments.errors import UsageError, describe, run_command, single_run
from experiments.execute import Workbench
from experiments.identity import RunIdentity, describe_changes
from experiments.plan import Plan, make_plan
from experiments.provenance import git_state
from experiments.record import Json, Record, without_folders
from experiments.run import CONFIGURATION
from experiments.settings import chosen, folder_setting
from experiments.study_folder import Manifest, StudyFolder, file_digest, run_name
from experiments.terminal.display import print_wide

TOLERANCE = 1e-9
REFUSED = 1


@dataclass(frozen=True)
class Candidate:
    """A record of older code, and the run of the present code that it may stand for."""

    name: str
    record: Record
    dataset: DatasetChoice
    method: MethodChoice
    identity: RunIdentity

    @property
    def is_current(self) -> bool:
        return self.record.identity == self.identity.digest

    @property
    def has_other_parameters(self) -> bool:
        own = MethodChoice(self.record.method, self.record.config["method"])
        return own.identity(self.identity.fingerprint).digest != self.identity.digest


@hydra.main(version_base="1.3", config_path=CONFIGURATION, config_name="accept_config")
@single_run
def main(config: DictConfig) -> None:
    """Compare a sample, accept what may be accepted, and say what was not."""
    plan = make_plan(chosen(config, "study")[1])
    folder = StudyFolder(folder_setting(config, "folder"))
    if not isinstance(config.seconds, int | float):
        raise UsageError(f"seconds must be a number, not {config.seconds!r}")
    console = Console()
    candidates = list(find_candidates(plan, folder))
    if not candidates:
        raise UsageError(f"{folder.path}: no records of the study {plan.name!r} are here")
    older = [each for each in candidates if not each.is_current]
    changed = [each for each in older if each.has_other_parameters]
    for each in changed:
        print_wide(console, f"{each.name}: not accepted, its parameters are others now")
    refused = set()
    for method, of_method in _by_method(each for each in older if each not in changed).items():
        compared = compare_sample(of_method, float(config.seconds), console)
        if compared is None:
            refused.add(method)
            continue
        for each in of_method:
            folder.write_record(each.name, accepted(each, compared))
    print_wide(console, f"{len(candidates) - len(older)} records are of the present code")
    kept = [each for each in older if each not in changed and each.method.name not in refused]
    print_wide(console, f"{len(kept)} accepted, {len(older) - len(kept)} not")
    folder.write_manifest(_manifest(plan, folder, candidates))
    if len(kept) < len(older):
        raise SystemExit(REFUSED)


def find_candidates(plan: Plan, folder: StudyFolder) -> Iterator[Candidate]:
    """The records that a study's folder has of the runs that the study asks for."""
    for dataset in plan.datasets:
        for method in [*plan.methods, *plan.variants]:
            if not isinstance(method, MethodChoice):
                raise method.error
            name = run_name(dataset.name, method.name, method.seed)
            if folder.has(name):
                record = folder.read(name)
                identity = method.identity(record.data["fingerprint"])
                yield Candidate(name, record, dataset, method, identity)


def compare_sample(
    candidates: Sequence[Candidate], seconds: float, console: Console
) -> dict[str, float] | None:
    """Compute a sample of a method's runs again.

    Gives the largest difference of any figure of each run, or None if one of them differs.
    """
    fastest = min(candidates, key=lambda each: each.record.seconds)
    sample = [each for each in candidates if each.record.seconds <= seconds] or [fastest]
    compared: dict[str, float] = {}
    for each in sample:
        try:
            bench = Workbench(each.dataset, each.dataset.load())
            if bench.data.fingerprint != each.identity.fingerprint:
                raise UsageError("the data are not those of the record")
            again, _ = bench.run(each.method)
        except UsageError as error:
            print_wide(console, f"{each.name}: not compared, {describe(error)}")
            return None
        compared[each.name] = largest_difference(_figures(each.record), _figures(again))
        same = compared[each.name] <= TOLERANCE
        told = "the same" if same else f"differs by {compared[each.name]:.3g}: not accepted"
        print_wide(console, f"{each.name}: {told}")
        if not same:
            return None
    return compared


def largest_difference(one: Any, other: Any) -> float:
    """The largest difference of two nested collections of figures; infinite if they are unlike."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        if one.keys() != other.keys():
            return math.inf
        return max((largest_difference(one[key], other[key]) for key in one), default=0.0)
    if isinstance(one, int | float) and isinstance(other, int | float):
        return 0.0 if one == other or (one != one and other != other) else abs(one - other)
    return 0.0 if one == other else math.inf


def accepted(candidate: Candidate, compared: Mapping[str, float]) -> Record:
    """The record under the identity of the present code, with how that came about."""
    record, method = candidate.record, candidate.method
    git = git_state()
    entry: Json = {
        "identity": record.identity,
        "changed": describe_changes(record.run_identity, candidate.identity),
        "compared": dict(compared),
        "utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": None if git is None else git["commit"],
    }
    return replace(
        record,
        identity=candidate.identity.digest,
        parameters=candidate.identity.parameters,
        code=candidate.identity.code,
        accepted=(*record.accepted, entry),
        config=without_folders({"dataset": candidate.dataset.config, "method": method.config}),
        published_as=method.published_as,
        variant=method.variant,
    )


def _figures(record: Record) -> Json:
    return {
        "metrics": record.metrics,
        "chosen": {key: _plain(value) for key, value in record.chosen.items()},
        "distance": record.distance,
    }


def _plain(value: Any) -> Any:
    """A chosen value as a record's file has it."""
    return value if isinstance(value, int | float | Mapping) else str(value)


def _by_method(candidates: Iterator[Candidate]) -> dict[str, list[Candidate]]:
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for each in candidates:
        groups[each.method.name].append(each)
    return groups


def _manifest(plan: Plan, folder: StudyFolder, candidates: Sequence[Candidate]) -> Manifest:
    """The folder's list of runs, made anew where there was none."""
    known = folder.manifest()
    if known is not None:
        return known
    return Manifest(
        name=plan.name,
        datasets=[dataset.name for dataset in plan.datasets],
        methods={method.name: method.title for method in [*plan.methods, *plan.variants]},
        runs={each.name: file_digest(folder, each.name) for each in candidates},
        control=plan.control,
        published=plan.published,
    )


if __name__ == "__main__":
    run_command(main)
