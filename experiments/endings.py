"""How a run of a study ended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from experiments.execute import Obtained
from experiments.study_folder import Missing


@dataclass(frozen=True, kw_only=True)
class Failed(Missing):
    """A run that raised, and the file that tells of it."""

    file: Path


class Skipped(Missing):
    """A run that needs something this machine does not have."""


Ending = Obtained | Failed | Skipped
