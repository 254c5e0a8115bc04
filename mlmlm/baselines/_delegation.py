"""Methods that a wrapper has only if the estimator inside has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def estimator_has(method: str) -> Callable[[Any], bool]:
    """For `sklearn.utils.metaestimators.available_if`: whether ``self.estimator`` has a method."""

    def check(wrapper: Any) -> bool:
        return hasattr(wrapper.estimator, method)

    return check
