"""What tells a run from every other, and in which way two runs differ."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from experiments.identity.imports import (
    ABSENT,
    OURS,
    Code,
    code_of,
    digest_of_module,
    loaded_from_outside,
    loads_by_name,
)
from experiments.identity.parameters import canonical, targets

COMPUTATION = "experiments.compute"
"""The module from estimator and data to figures; what it imports counts for every run."""

Json = dict[str, Any]
_LENGTH = 12
_MOST_NAMES = 4
_AT_FIRST = loaded_from_outside()


@dataclass(frozen=True)
class RunIdentity:
    """All that the figures of a run depend on."""

    parameters: Json
    fingerprint: str
    code: Code
    split: Json | None = None

    @cached_property
    def digest(self) -> str:
        """Short hash of it all, the last folder of a record's path."""
        content = asdict(self)
        if self.split is None:  # so it was before there were others
            del content["split"]
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]


def identify(parameters: Json, fingerprint: str, split: Json | None = None) -> RunIdentity:
    """The identity of the run of a method with these parameters on data with this fingerprint.

    ``split`` says how the data were divided; None is as they are. That tells apart two divisions
    which are the same by chance.
    """
    code = code_of([COMPUTATION, *targets(parameters)])
    return RunIdentity(canonical(parameters), fingerprint, code, split)


def unforeseen(before: set[str], code: Code) -> dict[str, str]:
    """Digests of modules that a run has loaded in ways that its source does not show.

    Where its source can load modules by name, they may have been there before: with the import of
    the method, or by another one. Then all that are nobody's but the user's count.
    """
    names = loaded_from_outside() - code.modules.keys()
    if loads_by_name(code):
        names = {name for name in names - _AT_FIRST if name.partition(".")[0] not in OURS}
    else:
        names -= before
    return {name: digest_of_module(name) for name in sorted(names)}


def describe_changes(old: RunIdentity, new: RunIdentity) -> str:
    """In which way two runs differ, in one line."""
    return "; ".join(_changes(old, new))


def changed_modules(known: Mapping[str, str]) -> list[str]:
    """Which of some modules are not as they were, or not there, from their digests then."""
    return [name for name, digest in known.items() if digest_of_module(name) != digest]


def describe_code(modules: Sequence[str]) -> str:
    """Changed modules in words, not all of them where they are many."""
    more = f" and {len(modules) - _MOST_NAMES} more" if len(modules) > _MOST_NAMES else ""
    return f"the code of {', '.join(modules[:_MOST_NAMES])}{more}"


def _changes(old: RunIdentity, new: RunIdentity) -> Iterator[str]:
    if old.split != new.split:
        yield "the split"
    if old.fingerprint != new.fingerprint:
        yield "the data"
    before, after = dict(_flat(old.parameters)), dict(_flat(new.parameters))
    for name in sorted(before.keys() | after.keys()):
        if before.get(name, ABSENT) != after.get(name, ABSENT):
            yield f"{name} {after.get(name, ABSENT)}, was {before.get(name, ABSENT)}"
    if modules := _different(old.code.modules, new.code.modules):
        yield describe_code(modules)
    for name in _different(old.code.packages, new.code.packages):
        versions = old.code.packages.get(name, ABSENT), new.code.packages.get(name, ABSENT)
        yield f"{name} {versions[1]}, was {versions[0]}"


def _different(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    return [name for name in sorted(old.keys() | new.keys()) if old.get(name) != new.get(name)]


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Dotted names and values of nested parameters."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list) and any(isinstance(each, Mapping | list) for each in value):
        for number, inner in enumerate(value):
            yield from _flat(inner, f"{name}.{number}")
    else:
        yield name, json.dumps(value)
