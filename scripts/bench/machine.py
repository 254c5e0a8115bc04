"""The machine: what it is, how busy, and how fast it multiplies matrices."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import scipy.linalg  # noqa: F401  (so that its BLAS is among those listed)
from threadpoolctl import threadpool_info

from mlmlm._parallel import usable_threads
from mlmlm._tiles import TILE
from mlmlm.machine import cpu_model
from scripts.bench.timing import best_seconds

REPOSITORY = Path(__file__).parents[2]
LARGEST_SQUARE = 4096


@dataclass(frozen=True)
class Rate:
    """Floating point operations per second, and the product that reached them."""

    flops: float
    product: str


def dgemm_rate(size: int) -> Rate:
    """The rate of ``A @ B`` at a size: the higher of a square and of a long panel.

    The square has the size, but at most 4,096; the panel is a product of one tile of rows by one
    tile of columns over the whole size, the shape that the algebra of the library is made of.
    """
    side, tile = min(size, LARGEST_SQUARE), min(size, TILE)
    rates = [_product_rate(side, side, side), _product_rate(tile, size, tile)]
    return max(rates, key=lambda rate: rate.flops)


@cache
def _product_rate(m: int, k: int, n: int) -> Rate:
    rng = np.random.default_rng(0)
    A, B, out = rng.random((m, k)), rng.random((k, n)), np.empty((m, n))
    seconds = best_seconds(lambda: np.matmul(A, B, out=out))
    return Rate(2.0 * m * k * n / seconds, f"({m} x {k}) @ ({k} x {n})")


def load_average() -> float:
    """Processes that wanted to run during the last minute; 0 where nobody counts them."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def facts() -> dict[str, Any]:
    """What the figures depend on besides the code, and which code it was."""
    return {
        "cpu": cpu_model(),
        "cores": psutil.cpu_count(logical=False),
        "usable_threads": usable_threads(),
        "memory_bytes": psutil.virtual_memory().total,
        "system": f"{platform.system()} {platform.machine()}",
        "blas": [
            {key: pool.get(key) for key in ("prefix", "version", "architecture", "num_threads")}
            for pool in threadpool_info()
            if pool["user_api"] == "blas"
        ],
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("mlmlm", "numpy", "scipy", "scikit-learn")},
        "commit": _commit(),
    }


def _commit() -> str | None:
    """The commit, marked if the files differ from it; None outside a repository."""
    try:
        described = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"],
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return described.stdout.strip()
