"""P and the metrics of the four methods in this interpreter, as JSON.

Usage::

    python -m scripts.platforms.figures --threads 1 emotions scene

Needs only the library, so that it runs wherever the library does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import platform
import re
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil
from threadpoolctl import threadpool_info, threadpool_limits

from scripts.bench.ours import apply_methods, fit_regression
from scripts.bench.splits import load_split
from scripts.bench.timing import Stopwatch

POWER = "ML-MLM log2_power"


def main() -> None:
    options = _parse()
    # Not by OPENBLAS_NUM_THREADS: OpenBLAS would cut that at the number of cores.
    with threadpool_limits(options.threads, user_api="blas"):
        figures, digest = compute(options.datasets)
        print(json.dumps({"platform": _platform(), "figures": figures, "digest": digest}))


def compute(datasets: Iterable[str]) -> tuple[dict[str, dict[str, float]], str]:
    """For each dataset the chosen P, as a power of two, and the 28 metrics of the paper.

    Beside them a digest of the scores: other arithmetic shows in their last bits at least.
    """
    figures: dict[str, dict[str, float]] = {}
    digest = hashlib.sha256()
    for name in datasets:
        split, watch = load_split(name), Stopwatch()
        predictions = apply_methods(fit_regression(split, watch), split, watch)
        figures[name] = {POWER: math.log2(predictions.power)} | predictions.figures(split.Y_test)
        for scores in predictions.scores.values():
            digest.update(scores.tobytes())
    return figures, digest.hexdigest()[:8]


def _platform() -> dict[str, Any]:
    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    return {
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
        # Only libraries with threads are among the pools: the reference BLAS has none.
        "libraries": _loaded_libraries(),
        "kernels": sorted({str(pool.get("architecture")) for pool in pools}),
        "threads": max((pool["num_threads"] for pool in pools), default=1),
    }


def _loaded_libraries() -> list[str]:
    """File names of the BLAS and LAPACK libraries that this process has loaded."""
    paths = {Path(mapped.path) for mapped in psutil.Process().memory_maps()}
    return sorted(
        path.name for path in paths if re.match(r"lib(\w*blas|lapack|blis)[\w.-]*\.so", path.name)
    )


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.platforms.figures")
    parser.add_argument("--threads", type=int, default=1, help="threads of BLAS")
    parser.add_argument("datasets", nargs="+", metavar="DATASET")
    return parser.parse_args()


if __name__ == "__main__":
    main()
