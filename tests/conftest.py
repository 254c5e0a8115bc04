"""Settings of all tests, and what is costly enough to be started once for all of them."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

# Tests that run at the same time share the cores: one thread of BLAS each, in their processes too.
# Here, since BLAS reads it when NumPy is imported. What is about threads asks for them by itself.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from scripts.slurm_in_a_box import SlurmInABox, obstacle

# No deadline: a busy machine is not a failure.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


@pytest.fixture(scope="session")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlurmInABox]:
    """A real Slurm of one node; its commands need ``slurm.environment``."""
    reason = obstacle()
    if reason:
        pytest.skip(f"not tested on a real Slurm: {reason}")
    with SlurmInABox(tmp_path_factory.mktemp("slurm")) as box:
        yield box
