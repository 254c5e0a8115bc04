"""Small fits, on all threads over those that the library takes, with idle cores and with busy ones.

The library works on tables of fewer than `mlmlm._parallel.SMALL_TABLE` values with one thread:
several that wait for each other lose time, and most where other processes use the cores too.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from unittest.mock import patch

from mlmlm import MultiLabelMLM
from mlmlm._parallel import usable_threads
from scripts.bench.report import Row, format_seconds
from scripts.bench.splits import Split, load_split

SECTION = "all threads over those chosen, time to fit ML-MLM"
REPETITIONS = 15


def all_threads_over_chosen(name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """Median seconds, first with nothing else on the machine, then with a process for each core."""
    split = load_split(name)
    for what, circumstance in (("idle cores", nullcontext), ("busy cores", _busy_cores)):
        tell(f"small fits, {what}")
        with circumstance():
            chosen = _median_seconds(split)
            with patch("mlmlm._parallel.SMALL_TABLE", 0):
                every = _median_seconds(split)
        note = f"{format_seconds(every)} over {format_seconds(chosen)}"
        details = {"all_threads_seconds": every, "chosen_seconds": chosen}
        yield Row(SECTION, name, what, every / chosen, note=note, details=details)


def _median_seconds(split: Split) -> float:
    seconds = []
    for _ in range(REPETITIONS):
        began = time.perf_counter()
        MultiLabelMLM().fit(split.X_train, split.Y_train)
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


@contextmanager
def _busy_cores() -> Iterator[None]:
    command = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(command) for _ in range(usable_threads())]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
