"""One seed for an estimator and all that it holds."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone


def seeded(estimator: Any, seed: int | None) -> Any:
    """An unfitted copy whose every ``random_state``, at whatever depth, is ``seed``.

    With None they are left as they are.
    """
    copy = clone(estimator)
    if seed is None:
        return copy
    names = [name for name in copy.get_params() if name.split("__")[-1] == "random_state"]
    return copy.set_params(**dict.fromkeys(names, seed))


def given_or_drawn(seed: int | None) -> int:
    """The seed, or one drawn from NumPy's global generator where there is none."""
    return int(np.random.randint(2**31 - 1)) if seed is None else seed


def label_seeds(random_state: int | None, n_labels: int) -> list[int | None]:
    """A seed for each label's classifier; of None only None comes."""
    if random_state is None:
        return [None] * n_labels
    return np.random.RandomState(random_state).randint(2**31 - 1, size=n_labels).tolist()
