"""A study on two workers beside the same study one run after another."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from scripts.bench.machine import REPOSITORY
from scripts.bench.report import Bar, Row, format_seconds

SECTION = "serial over two workers, time of a study"
BAR = Bar(at_least=1.6)
# Of the study `reference` all but those that need Java, each with one of its seeds.
METHODS = (
    *("ml_knn", "ml_knn_d", "rf_pct", "br_svm", "cc_svm", "homer", "bpnn", "br_ada", "br_rf"),
    *("br_j48", "cc_j48", "ebr_j48", "ecc_j48", "rakel_svc", "rakel_sgdc"),
)
ON_DASK = ("engine=dask", "engine.workers=2")


def serial_over_two_workers(names: Sequence[str], tell: Callable[[str], None]) -> Iterator[Row]:
    """From the start of the command to its end, with the threads each has by itself."""
    tell("study on two workers: serial")
    serial = _seconds(names)
    tell("study on two workers: Dask")
    dask = _seconds(names, *ON_DASK)
    yield Row(
        section=SECTION,
        dataset=", ".join(names),
        what=f"{len(METHODS)} methods of reference",
        value=serial / dask,
        bar=BAR,
        note=f"{format_seconds(serial)} over {format_seconds(dask)}",
        details={"serial_seconds": serial, "dask_seconds": dask},
    )


def _seconds(names: Sequence[str], *engine: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *(sys.executable, "-m", "experiments.study", "study=reference", "report=false"),
            "+study.seeds=1",
            *(f"study.datasets=[{','.join(names)}]", f"study.methods=[{','.join(METHODS)}]"),
            *(f"results={Path(folder, 'runs')}", f"output={Path(folder, 'study')}", *engine),
        ]
        began = time.perf_counter()
        subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - began
