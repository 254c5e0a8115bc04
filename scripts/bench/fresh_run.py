"""A run of the four methods in a process of its own, with its peak memory.

``python -m scripts.bench.fresh_run enron --rows 500 --threads 1`` prints what it measured as JSON.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import resource
import subprocess
import sys
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import psutil
from threadpoolctl import threadpool_limits

from scripts.bench.machine import REPOSITORY
from scripts.bench.ours import Sizes, apply_methods, fit_regression
from scripts.bench.splits import SYNTHETIC, load_split
from scripts.bench.timing import Seconds, Stopwatch

_STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class FreshRun:
    """What one process measured."""

    sizes: Sizes
    seconds: Seconds
    """Of the steps and phases, and of the ``whole run``."""
    bytes_before: int
    """Memory of the process with only the data loaded."""
    bytes_peak_of_fit: int
    """Its peak while the distance regression was fitted."""
    bytes_peak: int
    """Its peak over fitting and predicting with all four methods."""
    power: float
    figures: dict[str, float]


def fresh_run(name: str, rows: int | None = None, threads: int | None = None) -> FreshRun:
    """Run a dataset, or a sample of its training rows, in a new process; once for all who ask."""
    return _run_process(name, rows, threads)


@cache
def _run_process(name: str, rows: int | None, threads: int | None) -> FreshRun:
    command = [sys.executable, "-m", "scripts.bench.fresh_run", name]
    command += [] if rows is None else ["--rows", str(rows)]
    command += [] if threads is None else ["--threads", str(threads)]
    done = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True)
    content = json.loads(done.stdout)
    return FreshRun(**content | {"sizes": Sizes(**content["sizes"])})


def measure(name: str, rows: int | None) -> FreshRun:
    """Run in this process, which should be new."""
    _warm_up()
    split = load_split(name, rows)
    watch = Stopwatch()
    _forget_peak()
    before = psutil.Process().memory_info().rss
    with watch.step("whole run"):
        regression = fit_regression(split, watch)
        peak_of_fit = _peak_bytes()
        predictions = apply_methods(regression, split, watch)
    return FreshRun(
        sizes=Sizes.of(split),
        seconds=watch.seconds,
        bytes_before=before,
        bytes_peak_of_fit=peak_of_fit,
        bytes_peak=_peak_bytes(),
        power=predictions.power,
        figures=predictions.figures(split.Y_test),
    )


def _warm_up() -> None:
    """Have everything imported and BLAS's buffers allotted: a first use is not the fit's cost."""
    split, watch = load_split(f"{SYNTHETIC}40"), Stopwatch()
    apply_methods(fit_regression(split, watch), split, watch)


def _forget_peak() -> None:
    """Make Linux count the peak from now on, so that loading the data is not in it."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak_bytes() -> int:
    """Largest memory this process has had.

    On Linux from its status: ``getrusage`` there also counts what the parent had when it started
    this process. Elsewhere ``getrusage`` must do, which on macOS counts in bytes.
    """
    with contextlib.suppress(OSError):
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.bench.fresh_run")
    parser.add_argument("name")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    with threadpool_limits(options.threads, user_api="blas"):
        print(json.dumps(asdict(measure(options.name, options.rows))))


if __name__ == "__main__":
    main()
