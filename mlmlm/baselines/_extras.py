"""Packages and programs that only some methods need."""

from __future__ import annotations


class MissingExtraError(ImportError):
    """Something that is not part of every installation is not here; the message says what to do."""
