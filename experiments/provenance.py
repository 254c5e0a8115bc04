"""Where a record comes from: code, packages, machine, time; no names of hosts or folders."""

from __future__ import annotations

import importlib.metadata
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import joblib
import psutil
from threadpoolctl import threadpool_info

from mlmlm.machine import cpu_model

_REPOSITORY = Path(__file__).parents[1]
_PACKAGES = ("mlmlm", "numpy", "scipy", "scikit-learn", "pandas", "threadpoolctl", "hydra-core")


def provenance() -> dict[str, Any]:
    """What is needed to know which program, on which machine, made a record."""
    return {
        "utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "git": git_state(),
        "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in _PACKAGES},
        "blas": blas_libraries(),
        "cpu": {"model": cpu_model(), "cores": psutil.cpu_count(), "usable": joblib.cpu_count()},
        "memory_gb": round(psutil.virtual_memory().total / 1e9, 1),
        "platform": platform.platform(),
    }


@cache  # of the process: what is loaded is what was there at the start
def git_state() -> dict[str, Any] | None:
    """Commit, and whether the tree differs from it; None outside of a repository.

    Results are not counted: a study writes them, and they change nothing in what is computed.
    """
    commit = _git("rev-parse", "HEAD")
    if commit is None:
        return None
    changes = _git("status", "--porcelain", "--", ".", ":(exclude)results")
    return {"commit": commit, "dirty": bool(changes)}


def blas_libraries() -> list[dict[str, Any]]:
    """The BLAS libraries in use and the threads each may use now."""
    facts = ("internal_api", "version", "architecture", "num_threads")
    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    return [{fact: pool.get(fact) for fact in facts} for pool in pools]


def _git(*arguments: str) -> str | None:
    try:
        answer = subprocess.run(
            ["git", "-C", str(_REPOSITORY), *arguments],
            capture_output=True,
            text=True,
            check=True,
            timeout=30,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.strip()
