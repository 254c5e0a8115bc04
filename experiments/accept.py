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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby

import hydra
from omegaconf import DictConfig
from rich.console import Console

from experiments.choices import DatasetChoice, MethodChoice
from experiments.errors import UsageError, describe, run_command, single_run
from experiments.execute import Workbench
from experiments.figures import TOLERANCE, largest_difference
from experiments.identity import RunIdentity, describe_changes
from experiments.plan import Plan, make_plan
from experiments.provenance import git_state
from experiments.record import Json, Record, without_folders
from experiments.run import CONFIGURATION
from experiments.settings import chosen, folder_setting
from experiments.study_folder import Manifest, StudyFolder, file_digest, run_name
from experiments.terminal.display import print_wide

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
        known = own.identity(self.identity.fingerprint, self.record.split)
        return known.digest != self.identity.digest


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
    methods = by_method(each for each in older if each not in changed)
    compared = compare(choose_sample(methods, float(config.seconds)), console)
    kept = 0
    for method, of_method in methods.items():
        differences = compared[method]
        if max(differences.values()) <= TOLERANCE:
            kept += len(of_method)
            for each in of_method:
                folder.write_record(each.name, accepted(each, differences))
    folder.write_manifest(_manifest(plan, folder, candidates))
    print_wide(console, f"{len(candidates) - len(older)} records are of the present code")
    print_wide(console, f"{kept} of older code accepted, {len(older) - kept} not")
    if kept < len(older):
        raise SystemExit(REFUSED)


def find_candidates(plan: Plan, folder: StudyFolder) -> Iterator[Candidate]:
    """The records that a study's folder has of the runs that the study asks for."""
    for dataset in plan.datasets:
        for method in [*plan.methods_on(dataset), *plan.variants]:
            if not isinstance(method, MethodChoice):
                raise method.error
            name = run_name(dataset.name, method.name, method.seed, dataset.split_name)
            if folder.has(name):
                record = folder.read(name)
                identity = method.identity(record.data["fingerprint"], record.split)
                yield Candidate(name, record, dataset, method, identity)


def by_method(candidates: Iterable[Candidate]) -> dict[str, list[Candidate]]:
    """Records by the names of their methods."""
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for each in candidates:
        groups[each.method.name].append(each)
    return groups


def choose_sample(methods: Mapping[str, Sequence[Candidate]], seconds: float) -> list[Candidate]:
    """Of each method the runs that took at most so long, at least the fastest; by dataset."""
    sample: list[Candidate] = []
    for of_method in methods.values():
        fastest = min(of_method, key=lambda each: each.record.seconds)
        sample += [each for each in of_method if each.record.seconds <= seconds] or [fastest]
    return sorted(sample, key=lambda each: each.dataset.name_and_split)


def compare(sample: Sequence[Candidate], console: Console) -> dict[str, dict[str, float]]:
    """Compute runs again; for each method the largest difference of any figure of each run.

    A run that cannot be computed here is infinitely different.
    """
    differences: dict[str, dict[str, float]] = defaultdict(dict)
    for _, of_dataset in groupby(sample, key=lambda each: each.dataset.name_and_split):
        bench: Workbench | None = None  # what the methods of a dataset share is computed once
        for each in of_dataset:
            try:
                bench = bench or Workbench(each.dataset, each.dataset.load())
                difference, told = _compare(each, bench)
            except UsageError as error:
                difference, told = math.inf, f"not compared, {describe(error)}"
            differences[each.method.name][each.name] = difference
            print_wide(console, f"{each.name}: {told}")
    return differences


def _compare(candidate: Candidate, bench: Workbench) -> tuple[float, str]:
    if bench.data.fingerprint != candidate.identity.fingerprint:
        raise UsageError("the data are not those of the record")
    again, _ = bench.run(candidate.method)
    difference = largest_difference(candidate.record, again)
    same = difference <= TOLERANCE
    return difference, "the same" if same else f"differs by {difference:.3g}: not accepted"


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


def _manifest(plan: Plan, folder: StudyFolder, candidates: Sequence[Candidate]) -> Manifest:
    """The folder's list of runs, made anew where there was none."""
    known = folder.manifest()
    if known is not None:
        return known
    return Manifest(
        name=plan.name,
        datasets=plan.dataset_names,
        methods={method.name: method.title for method in [*plan.methods, *plan.variants]},
        runs={each.name: file_digest(folder, each.name) for each in candidates},
        control=plan.control,
        published=plan.published,
        split=plan.split,
    )


if __name__ == "__main__":
    run_command(main)
