"""Kill a running smoke study at random moments, resume it, and compare with an undisturbed one.

Usage::

    python -m tests.kill_study 30

Each trial begins with an empty store. One moment in three is drawn from the whole time of the
study, most of which is starting up; the others from the time in which it computes and stores its
runs. A study that ends before its moment does not count.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from experiments.store import RunKey, Store
from tests.harness import essence, finish, record_files, spawn, start

STUDY = "experiments.study"
N_RUNS = 4


@dataclass
class Tally:
    """What was seen over all trials."""

    killed: int = 0
    too_late: int = 0  # the study had ended before its moment came
    records_at_kill: Counter[int] = field(default_factory=Counter)
    corrupt: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    different: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        return not (self.corrupt or self.lost or self.different)

    def __str__(self) -> str:
        at_kill = ", ".join(f"{n}: {self.records_at_kill[n]}" for n in sorted(self.records_at_kill))
        return (
            f"{self.killed} killed, {self.too_late} ended before their moment; complete records "
            f"when killed: {at_kill}; corrupt {len(self.corrupt)}, lost {len(self.lost)}, "
            f"different {len(self.different)}"
        )


def kill_and_resume(kills: int, folder: Path, seed: int = 0) -> Tally:
    """Kill and resume a study as often as asked."""
    chance = random.Random(seed)
    whole = folder / "whole"
    seconds, writing = _undisturbed(whole)
    expected = {name: essence(path) for name, path in record_files(whole / "runs").items()}
    assert len(expected) == N_RUNS
    tally = Tally()
    trial = 0
    while tally.killed < kills:
        trial += 1
        root = folder / f"trial{trial}"
        process = start(STUDY, *_arguments(root))
        if trial % 3:
            _wait_until((root / "runs").exists)
            time.sleep(chance.uniform(0, writing))
        else:
            time.sleep(chance.uniform(0, seconds))
        if not _kill(process):
            tally.too_late += 1
            continue
        tally.killed += 1
        before = _check(root / "runs", expected, tally)
        tally.records_at_kill[len(before)] += 1
        resumed = spawn(STUDY, *_arguments(root))
        assert resumed.code == 0, resumed.err
        after = _check(root / "runs", expected, tally)
        tally.lost += [f"trial {trial}: {name}" for name in expected.keys() - after]
    return tally


def _arguments(root: Path) -> list[str]:
    return ["study=smoke", f"results={root / 'runs'}", f"output={root / 'study'}"]


def _undisturbed(root: Path) -> tuple[float, float]:
    """Run the study to its end; gives its seconds, and those from its first lock to its records."""
    began = time.perf_counter()
    process = start(STUDY, *_arguments(root))
    _wait_until((root / "runs").exists)
    opened = time.perf_counter()
    _wait_until(lambda: len(record_files(root / "runs")) == N_RUNS)
    stored = time.perf_counter()
    answer = finish(process)
    assert answer.code == 0, answer.err
    return time.perf_counter() - began, stored - opened


def _wait_until(happened: Callable[[], bool]) -> None:
    limit = time.perf_counter() + 60
    while not happened():
        assert time.perf_counter() < limit, "the study does not get on"
        time.sleep(0.002)


def _kill(process: subprocess.Popen[str]) -> bool:
    """Kill the process; false if it had ended by itself."""
    running = process.poll() is None
    if running:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    return running


def _check(runs: Path, expected: dict[str, dict[str, object]], tally: Tally) -> set[str]:
    """Look at every record of a store; gives the names of those that are whole."""
    store, whole = Store(runs), set()
    for name, path in record_files(runs).items():
        dataset, method, identity, _ = Path(name).parts
        if store.read(RunKey(dataset, method, identity)) is None:
            tally.corrupt.append(name)
        elif essence(path) != expected.get(name):
            tally.different.append(name)
        else:
            whole.add(name)
    return whole


def main(arguments: list[str]) -> int:
    kills = int(arguments[0]) if arguments else 30
    with tempfile.TemporaryDirectory() as folder:
        tally = kill_and_resume(kills, Path(folder), seed=int(time.time()))
    print(tally)
    return 0 if tally.is_clean else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
