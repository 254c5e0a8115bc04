"""Whether the parameters of an estimator make sense, before any work is done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def check_parameters(estimator: Any) -> None:
    """Check the parameters of an estimator, and of all that it holds, without fitting anything.

    Estimators that declare what their parameters may be, those of scikit-learn and of this package,
    are asked; others are taken as they are.

    Parameters
    ----------
    estimator : object
        A scikit-learn style estimator, a pipeline or a wrapper too.

    Raises
    ------
    ValueError
        In one line: which parameter of which class is wrong, and what it may be.
    """
    for each in _estimators_in(estimator):
        if not hasattr(each, "_parameter_constraints"):
            continue
        try:
            each._validate_params()
        except (TypeError, ValueError) as error:
            raise ValueError(" ".join(str(error).split())) from error


def _estimators_in(estimator: Any) -> Iterator[Any]:
    """The estimator and those among its parameters, at whatever depth."""
    if not hasattr(estimator, "get_params"):
        return
    yield estimator
    for value in estimator.get_params(deep=True).values():
        if hasattr(value, "get_params") and not isinstance(value, type):
            yield value
