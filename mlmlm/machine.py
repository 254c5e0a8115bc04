"""The machine that figures are measured on."""

from __future__ import annotations

import platform
from pathlib import Path


def cpu_model() -> str:
    """Name of the processor, as far as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:  # not Linux
        return platform.processor()
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor())
