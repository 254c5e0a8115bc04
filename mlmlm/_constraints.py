"""Constraints for the ``_parameter_constraints`` of estimators, beside those of scikit-learn."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import HasMethods, Interval, RealNotInt, StrOptions


class OneOf(StrOptions):
    """One of some words, which an error tells in the order they are given here."""

    def __init__(self, *words: str) -> None:
        super().__init__(dict.fromkeys(words).keys())


class Number(Interval):
    """An interval of numbers; True and False, which Python counts among them, are none."""

    def is_satisfied_by(self, value: Any) -> bool:
        return not isinstance(value, bool) and super().is_satisfied_by(value)


class Share(Number):
    """A number strictly between 0 and 1, of single precision too."""

    def __init__(self) -> None:
        super().__init__(RealNotInt, 0, 1, closed="neither")

    def is_satisfied_by(self, value: Any) -> bool:
        return super().is_satisfied_by(float(value) if isinstance(value, np.floating) else value)


class Numbers(Number):
    """A list of at least one number, all of them in the interval."""

    def is_satisfied_by(self, value: Any) -> bool:
        values = np.asarray(value, dtype=object)
        if values.ndim != 1 or not len(values):
            return False
        return all(super(Numbers, self).is_satisfied_by(each) for each in values)

    def __str__(self) -> str:
        return f"a list of numbers, each {super().__str__()}"


COUNT = Number(Integral, 1, None, closed="left")
SEED = Number(Integral, 0, 2**32 - 1, closed="both")
SHARE = Share()
RIDGE = Number(Real, 0, None, closed="neither")
CLASSIFIER = HasMethods(["fit", "predict"])
