"""Kill parts of a cluster under a running study, give the same command again, look at what is left.

Usage::

    python -m tests.kill_engines 10
    python -m tests.kill_engines 10 --target worker --target slurmd

Each time one of these is killed at a random moment: a Dask worker, the Dask scheduler, the study on
either, a Slurm job, Slurm's daemon of the node. Then what was killed is started again if it does
not start by itself, and so is the same command. It must end well and leave the records, and the
files, of a serial study that nobody disturbed; and it must not have computed a run again whose
record was there when the first command had ended.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from scripts.slurm_in_a_box import SlurmInABox, obstacle
from tests.clusters import DaskProcesses, short_runs
from tests.harness import Answer, essence, record_files, start
from tests.user_home import UserHome

TARGETS = ("worker", "scheduler", "dask_study", "slurm_job", "slurmd", "slurm_study")
_LIMIT_SECONDS = 900


@dataclass
class Tally:
    """What was seen over all trials of a target."""

    kills: int = 0
    too_late: int = 0  # the study had ended before its moment came
    complete_at_end: list[int] = field(default_factory=list)  # records when the first command ended
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.kills} killed, {self.too_late} ended before; complete records when the first "
            f"command had ended: {self.complete_at_end}; {len(self.faults)} faults"
        )


class Trials:
    """Studies on clusters that are killed, compared with one that was not."""

    def __init__(self, folder: Path, seed: int, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._chance = random.Random(seed)
        self._number = 0
        self._seconds: dict[str, float] = {}
        self._home = UserHome(folder / "home")
        self._study = short_runs(self._home, ("one", "two"))
        self._dask: DaskProcesses | None = None
        self._slurm: SlurmInABox | None = None
        answer = self._run(folder / "whole", ())
        assert answer.code == 0, answer.err
        self._expected = _records(folder / "whole" / "runs")
        self._files = _files(folder / "whole")

    def trial(self, target: str, tally: Tally) -> None:
        """One trial; it may end without a kill."""
        engine = "slurm" if target.startswith("slurm") else "dask"
        root = self._folder / f"{target}{self._number}"
        self._number += 1
        self._repair(engine)
        if engine not in self._seconds:
            began = time.monotonic()
            answer = self._run(self._folder / f"pace-{engine}", self._arguments(engine))
            assert answer.code == 0, answer.out + answer.err
            self._seconds[engine] = time.monotonic() - began
        process = self._start(root, self._arguments(engine))
        time.sleep(self._chance.uniform(0, self._seconds[engine]))
        killed = process.poll() is None and self._kill(target, process)
        if target == "slurmd":
            time.sleep(self._chance.uniform(0, 3))
            self._repair(engine)
        answer = _finish(process)
        tally.kills += killed
        tally.too_late += not killed
        self._check_ending(target, answer, root, tally)
        before = {path: path.stat().st_mtime_ns for path in _paths(root)}
        tally.complete_at_end.append(len(before))
        self._repair(engine)
        again = self._run(root, self._arguments(engine))
        if again.code != 0:
            tally.faults.append(f"{root.name}: the same command again: {again}")
            return
        self._look(root, before, tally)

    def _check_ending(self, target: str, answer: Answer, root: Path, tally: Tally) -> None:
        """Who is not killed ends well, or without a scheduler with one line that says so."""
        if answer.code in (0, -signal.SIGKILL):
            return
        lines = answer.err.splitlines()
        told = len(lines) == 1 and "does not answer any more" in lines[0]
        unreachable = len(lines) == 1 and "no Dask scheduler answers there" in lines[0]
        if not (target == "scheduler" and answer.code == 2 and (told or unreachable)):
            tally.faults.append(f"{root.name}: {answer}")

    def _look(self, root: Path, before: dict[Path, int], tally: Tally) -> None:
        """Nothing lost, nothing corrupt, nothing twice, nothing left over."""
        found = _records(root / "runs")
        for name in self._expected.keys() | found.keys():
            if self._expected.get(name) != found.get(name):
                tally.faults.append(f"{root.name}: {name} is not the serial study's")
        for path, written in before.items():
            if path.stat().st_mtime_ns != written:
                tally.faults.append(f"{root.name}: {path} was computed twice")
        files = _files(root)
        for name in sorted(self._files ^ files):
            tally.faults.append(f"{root.name}: {name} {'left' if name in files else 'lost'}")

    def _kill(self, target: str, study: subprocess.Popen[str]) -> bool:
        """Whether there was something to kill."""
        if target.endswith("study"):
            study.kill()
        elif target == "worker":
            self._chance.choice(self._dask.workers).kill()
        elif target == "scheduler":
            self._dask.scheduler.kill()
        elif target == "slurmd":
            self._slurm.daemon("slurmd").kill()
        else:
            return self._kill_job()
        return True

    def _kill_job(self) -> bool:
        """Kill all processes of one of the jobs, if any is running."""
        jobs: dict[str, list[psutil.Process]] = {}
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                variables = process.environ()
                if variables.get("SLURM_CONF") == str(self._slurm.configuration):
                    jobs.setdefault(variables.get("SLURM_JOB_ID", ""), []).append(process)
        jobs.pop("", None)  # the study, and the daemons
        if not jobs:
            return False
        for process in self._chance.choice(list(jobs.values())):
            with suppress(psutil.Error):
                process.kill()
        return True

    def _repair(self, engine: str) -> None:
        """Start what is not running."""
        if engine == "slurm":
            if self._slurm is None:
                self._slurm = SlurmInABox(self._folder / "slurm")
                self._stack.enter_context(self._slurm)
            elif self._slurm.daemon("slurmd") is None:
                self._slurm.start_daemon("slurmd")
            return
        if self._dask is None:
            self._dask = DaskProcesses(self._folder / "dask")
            self._stack.enter_context(self._dask)
        if self._dask.scheduler is None or self._dask.scheduler.poll() is not None:
            for worker in self._dask.workers:
                worker.kill()
                worker.wait()
            self._dask.start_scheduler()
        self._dask.workers = [each for each in self._dask.workers if each.poll() is None]
        while len(self._dask.workers) < 2:
            self._dask.start_worker("--no-nanny", "--resources=MEM=4e9")

    def _arguments(self, engine: str) -> Sequence[str]:
        if engine == "slurm":
            return ("engine=slurm", "engine.minutes=30")
        return ("engine=dask", f"engine.address={self._dask.address}")

    def _start(self, root: Path, arguments: Sequence[str]) -> subprocess.Popen[str]:
        return start(
            "experiments.study",
            *("--config-dir", self._home.conf, f"study={self._study}", "report=false"),
            *(f"results={root / 'runs'}", f"output={root / 'study'}", *arguments),
            **({} if self._slurm is None else self._slurm.environment),
        )

    def _run(self, root: Path, arguments: Sequence[str]) -> Answer:
        return _finish(self._start(root, arguments))


def _finish(process: subprocess.Popen[str]) -> Answer:
    out, err = process.communicate(timeout=_LIMIT_SECONDS)
    return Answer(process.returncode, out, err)


def _records(runs: Path) -> dict[str, object]:
    return {name: essence(path) for name, path in record_files(runs).items()}


def _paths(root: Path) -> Sequence[Path]:
    return list(record_files(root / "runs").values())


def _files(root: Path) -> set[str]:
    """Paths of all files but the locks, which stay."""
    files = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return {path.as_posix() for path in files if ".locks" not in path.parts}


def main() -> int:
    """Kill as often as asked; 1 where anything is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.kill_engines",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kills", type=int, nargs="?", default=10, help="of each target (10)")
    parser.add_argument("--target", action="append", choices=TARGETS, help="by default all")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="by default the time")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    tallies = {target: Tally() for target in options.target or TARGETS}
    reason = obstacle()
    if reason:
        tallies = {name: each for name, each in tallies.items() if not name.startswith("slurm")}
        print(f"skipped: all of Slurm: {reason}")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        trials = Trials(Path(folder), options.seed, stack)
        for target, tally in tallies.items():
            while tally.kills < options.kills:
                trials.trial(target, tally)
                print(f"{target}: {tally}", *tally.faults, sep="\n  ", flush=True)
    return int(any(tally.faults for tally in tallies.values()))


if __name__ == "__main__":
    sys.exit(main())
