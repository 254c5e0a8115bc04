"""A seed for code that draws from the global random generators."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def global_seed(seed: int) -> Iterator[None]:
    """Seed the global generators of Python and NumPy, and put them back afterwards."""
    python_state, numpy_state = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        yield
    finally:
        random.setstate(python_state)
        np.random.set_state(numpy_state)
