"""What a distance regression would have said of training rows, had they been left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from mlmlm.types import Array, Indices, Labels

Result = TypeVar("Result", covariant=True)


@dataclass(frozen=True)
class LeftOut:
    """Some training rows, each as if it had been left out.

    Attributes
    ----------
    rows : array of shape (n,)
        Which rows they are, counted among those asked for.
    labels : uint8 array of shape (n, L)
        Their true label vectors.
    distances : array of shape (n, U)
        Signed leave-one-out distances to the distinct label vectors.
    weights : array of shape (n,) or None
        How often each row counts; None is once.
    """

    rows: Indices
    labels: Labels
    distances: Array
    weights: Array | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, some: slice) -> LeftOut:
        weights = None if self.weights is None else self.weights[some]
        return LeftOut(self.rows[some], self.labels[some], self.distances[some], weights)


class LeaveOneOut(Protocol):
    """The rows asked for, in blocks that fit into a core's cache."""

    def __len__(self) -> int: ...

    @property
    def is_remote(self) -> bool:
        """Whether the rows are on workers, where they had better stay."""

    def map(self, function: Callable[[LeftOut], Result]) -> Iterator[Result]:
        """Results of ``function`` for each block, computed on all cores (or workers)."""
