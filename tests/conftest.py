"""Settings of all tests."""

import os

from hypothesis import settings

# Tests that run at the same time share the cores: one thread of BLAS each, in their processes too.
# Here, since BLAS reads it when NumPy is imported. What is about threads asks for them by itself.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No deadline: a busy machine is not a failure.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
