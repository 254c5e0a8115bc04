"""Fits that are all or nothing: an estimator is as before a fit, or as after it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Fit = TypeVar("Fit", bound=Callable[..., Any])


def all_or_nothing(fit: Fit) -> Fit:
    """A ``fit`` that leaves nothing behind where it is interrupted, cancelled or fails.

    The work is done by a second estimator that begins with the same attributes. When all is done
    its attributes become those of the first, in one step. Until then the first is what it was, and
    whoever predicts with it in the meantime, in another thread say, gets the old predictions.
    """

    @wraps(fit)
    def whole(self: Any, *arguments: Any, **named: Any) -> Any:
        worker = object.__new__(type(self))
        vars(worker).update(vars(self))
        fit(worker, *arguments, **named)
        self.__dict__ = vars(worker)
        return self

    return whole  # type: ignore[return-value]
