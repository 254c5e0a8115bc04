"""A kill of each kind under a study on a cluster."""

import os
import subprocess
import sys

import pytest

from scripts.slurm_in_a_box import obstacle
from tests.harness import ROOT

KILLS = os.environ.get("MLMLM_KILLS", "1")
DASK, SLURM = ("worker", "scheduler", "dask_study"), ("slurm_job", "slurmd")


@pytest.mark.slow
@pytest.mark.parametrize("targets", [DASK, SLURM], ids=["dask", "slurm"])
def test_killed_clusters_lose_nothing(targets):
    pytest.importorskip("distributed", reason="needs the extra 'dask'")
    pytest.importorskip("submitit", reason="needs the extra 'slurm'")
    if targets == SLURM and (reason := obstacle()):
        pytest.skip(f"not tested on a real Slurm: {reason}")
    chosen = [word for target in targets for word in ("--target", target)]
    answer = subprocess.run(
        [sys.executable, "-m", "tests.kill_engines", KILLS, *chosen],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
