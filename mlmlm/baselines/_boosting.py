"""Gradient boosting, what a user might pick today."""

from __future__ import annotations

from typing import Any

from mlmlm.baselines._extras import MissingExtraError


def lightgbm_classifier(**parameters: Any) -> Any:
    """A `lightgbm.LGBMClassifier`, or what to do where there is none.

    It speaks only of errors unless ``verbose`` says otherwise.
    """
    try:
        from lightgbm import LGBMClassifier
    except ImportError as error:
        raise MissingExtraError(
            f"LightGBM is not here ({error}): install mlmlm with the extra 'modern'."
        ) from error
    return LGBMClassifier(**{"verbose": -1} | parameters)
