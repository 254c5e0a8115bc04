"""Checks of what the paper proves: Proposition 1, tried on small numbers of labels."""

from __future__ import annotations

from itertools import product

import numpy as np

from experiments.analysis.numbers.claims.claim import Finding, check, finding
from experiments.analysis.numbers.views import View

COUNTEREXAMPLE = (1, 10, 2, 2)
"""Distances to {}, {2}, {1} and {1, 2} in the proof of its first part."""


@check
def nearest_need_not_solve(view: View) -> Finding:
    """With the distances of the proof the nearest label vector does not have the least cost."""
    sets = _all_sets(2)
    costs = _costs(sets, np.array(COUNTEREXAMPLE, dtype=float))
    nearest = int(np.argmin(COUNTEREXAMPLE))
    text = f"the nearest has the cost {costs[nearest]:.0f}, the best {costs.min():.0f}"
    return finding(bool(costs[nearest] > costs.min()), text)


@check
def exact_distances_are_solved(view: View, up_to: int) -> Finding:
    """With exact distances to all sets of 2 to so many labels the nearest has the least cost."""
    tried = solved = 0
    for n_labels in range(2, up_to + 1):
        sets = _all_sets(n_labels)
        for own in sets:
            distances = np.sqrt(((sets - own) ** 2).sum(axis=1))
            costs = _costs(sets, distances)
            tried += 1
            solved += bool(costs[distances.argmin()] <= costs.min() + 1e-9)
    text = f"solved for {solved} of {tried} label sets of 2 to {up_to} labels"
    return finding(solved == tried, text)


def _all_sets(n_labels: int) -> np.ndarray:
    return np.array(list(product((0, 1), repeat=n_labels)), dtype=float)


def _costs(sets: np.ndarray, distances: np.ndarray) -> np.ndarray:
    """``J`` of Eq. 1 for each set, the references being all of them."""
    squares = ((sets[:, None, :] - sets) ** 2).sum(axis=2)
    return ((squares - distances**2) ** 2).sum(axis=1)
