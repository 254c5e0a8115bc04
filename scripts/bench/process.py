"""A process of its own for a measurement, and the peak of its memory."""

from __future__ import annotations

import contextlib
import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil

from scripts.bench.machine import REPOSITORY

_STATUS = Path("/proc/self/status")


def in_new_process(module: str, *arguments: str) -> dict[str, Any]:
    """Run a module as a program, and give what it said with `give_back`."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True)
    content: dict[str, Any] = json.loads(done.stdout)
    return content


def give_back(content: dict[str, Any]) -> None:
    """Say on standard output what this process has measured."""
    print(json.dumps(content))


class PeakMemory:
    """Memory of this process: now, ``before`` what is measured, and its peak from now on."""

    def __init__(self) -> None:
        # Linux can count the peak anew, so that loading the data is not in it.
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
        self.before = int(psutil.Process().memory_info().rss)

    def peak(self) -> int:
        """Largest memory this process has had.

        On Linux from its status: ``getrusage`` there also counts what the parent had when it
        started this process. Elsewhere ``getrusage`` must do, which on macOS counts in bytes.
        """
        with contextlib.suppress(OSError):
            for line in _STATUS.read_text().splitlines():
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
