"""Many cases of several targets, counted; what is wrong is written out to be replayed."""

from __future__ import annotations

import faulthandler
import importlib
import pkgutil
import shutil
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz import targets
from tests.fuzz.judgement import Outcome, Target, Verdict, judge

_SECONDS_BETWEEN_REPORTS = 10


@dataclass
class Tally:
    """Cases of a target by their outcome, and where those that are wrong were written."""

    counts: Counter[Outcome] = field(default_factory=Counter)
    findings: list[Path] = field(default_factory=list)


def all_targets() -> dict[str, Target]:
    """Every target by its name."""
    names = sorted(module.name for module in pkgutil.iter_modules(targets.__path__))
    modules = [importlib.import_module(f"{targets.__name__}.{name}") for name in names]
    return {target.name: target for module in modules for target in module.TARGETS}


def run(
    chosen: Sequence[Target],
    cases: int,
    seed: int,
    findings: Path,
    report: Callable[[str], None] = print,
) -> dict[str, Tally]:
    """Run cases of the chosen targets, each its share of them."""
    shares = sum(target.share for target in chosen)
    clock = _Clock(cases, report)
    faulthandler.enable()
    return {
        target.name: _run_target(
            target, round(cases * target.share / shares), seed, findings, clock
        )
        for target in chosen
    }


def replay(path: Path, known: dict[str, Target]) -> Verdict:
    """Judge a content that was written out; its target is the beginning of its name."""
    with tempfile.TemporaryDirectory() as folder:
        return judge(known[path.name.split("-")[0]], path.read_bytes(), Path(folder))


def _run_target(target: Target, cases: int, seed: int, findings: Path, clock: _Clock) -> Tally:
    tally = Tally()
    with tempfile.TemporaryDirectory() as place:
        for number in range(cases):
            clock.tick(f"{target.name} {number:,} of {cases:,}: {summary(tally)}")
            content = target.case(seed, number)
            folder = Path(place, "case")
            folder.mkdir()
            # Should the process itself die, this content stays behind.
            (folder / "content").write_bytes(content)
            verdict = judge(target, content, folder)
            shutil.rmtree(folder)
            tally.counts[verdict.outcome] += 1
            if not verdict.outcome.is_right:
                path = findings / f"{target.name}-{seed}-{number}"
                tally.findings.append(_write_out(path, content, verdict))
    return tally


def summary(tally: Tally) -> str:
    """The counts in words."""
    return ", ".join(f"{outcome.value} {tally.counts[outcome]:,}" for outcome in Outcome)


def _write_out(path: Path, content: bytes, verdict: Verdict) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    lines = traceback.format_exception(verdict.error) if verdict.error else []
    path.with_suffix(".txt").write_text(f"{verdict.outcome.value}\n{''.join(lines)}")
    return path


class _Clock:
    """Says now and then how far the campaign is, and how long the rest will take."""

    def __init__(self, cases: int, report: Callable[[str], None]) -> None:
        self._cases = cases
        self._report = report
        self._done = 0
        self._start = self._last = time.monotonic()

    def tick(self, message: str) -> None:
        now = time.monotonic()
        if now - self._last > _SECONDS_BETWEEN_REPORTS:
            left = (now - self._start) / self._done * (self._cases - self._done)
            self._report(f"{self._done:,} of {self._cases:,}, {left / 60:.1f} min left; {message}")
            self._last = now
        self._done += 1
