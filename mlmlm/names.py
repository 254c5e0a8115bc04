"""What to say of a name that does not exist."""

from __future__ import annotations

import difflib
from collections.abc import Sequence


def did_you_mean(name: str, known: Sequence[str], otherwise: Sequence[str] | None = None) -> str:
    """The nearest of the known names, as a question.

    Where none is near it offers those of ``otherwise``, by default all.
    """
    near = difflib.get_close_matches(name, known) or (known if otherwise is None else otherwise)
    return f"Did you mean: {', '.join(near)}?"
