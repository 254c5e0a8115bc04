"""A run of the four methods in a process of its own, with its peak memory.

``python -m scripts.bench.fresh_run enron --rows 500 --threads 1`` prints what it measured as JSON.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict, dataclass
from functools import cache

from threadpoolctl import threadpool_limits

from scripts.bench.ours import Sizes, apply_methods, fit_regression
from scripts.bench.process import PeakMemory, give_back, in_new_process
from scripts.bench.splits import SYNTHETIC, load_split
from scripts.bench.timing import Seconds, Stopwatch


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
    options = [] if rows is None else ["--rows", str(rows)]
    options += [] if threads is None else ["--threads", str(threads)]
    content = in_new_process("scripts.bench.fresh_run", name, *options)
    return FreshRun(**content | {"sizes": Sizes(**content["sizes"])})


def measure(name: str, rows: int | None) -> FreshRun:
    """Run in this process, which should be new."""
    _warm_up()
    split = load_split(name, rows)
    watch = Stopwatch()
    memory = PeakMemory()
    with watch.step("whole run"):
        regression = fit_regression(split, watch)
        peak_of_fit = memory.peak()
        predictions = apply_methods(regression, split, watch)
    return FreshRun(
        sizes=Sizes.of(split),
        seconds=watch.seconds,
        bytes_before=memory.before,
        bytes_peak_of_fit=peak_of_fit,
        bytes_peak=memory.peak(),
        power=predictions.power,
        figures=predictions.figures(split.Y_test),
    )


def _warm_up() -> None:
    """Have everything imported and BLAS's buffers allotted: a first use is not the fit's cost."""
    split, watch = load_split(f"{SYNTHETIC}40"), Stopwatch()
    apply_methods(fit_regression(split, watch), split, watch)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.bench.fresh_run")
    parser.add_argument("name")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    with threadpool_limits(options.threads, user_api="blas"):
        give_back(asdict(measure(options.name, options.rows)))


if __name__ == "__main__":
    main()
