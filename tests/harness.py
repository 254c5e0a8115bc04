"""Helpers of the harness's tests: commands called in this process or in one of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from hydra.core.global_hydra import GlobalHydra

from experiments.errors import run_command

ROOT = Path(__file__).parents[1]


class Answer(NamedTuple):
    code: int
    out: str
    err: str


def call(command: Callable[[], object], monkeypatch, capsys, *arguments: object) -> Answer:
    """Call a Hydra command in this process, which saves the seconds of importing."""
    monkeypatch.setattr(sys, "argv", ["command", *map(str, arguments)])
    # The command changes these; the patch puts them back.
    monkeypatch.setenv("HYDRA_FULL_ERROR", "0")
    monkeypatch.setenv("MLMLM_ONE_LINE_ERRORS", "0")
    GlobalHydra.instance().clear()
    capsys.readouterr()
    try:
        run_command(command)
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    out, err = capsys.readouterr()
    return Answer(code, out, err)


def start(module: str, *arguments: object, **variables: str) -> subprocess.Popen[str]:
    """Start a command in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"} | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Shells have background jobs ignore interrupts, and that would be passed on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def finish(process: subprocess.Popen[str], seconds: float = 120) -> Answer:
    out, err = process.communicate(timeout=seconds)
    return Answer(process.returncode, out, err)


def spawn(module: str, *arguments: object, **variables: str) -> Answer:
    """Run a command in a process of its own, to its end."""
    return finish(start(module, *arguments, **variables))


def record_files(root: Path) -> dict[str, Path]:
    """Records of a store by their path in it, without the folders of other things."""
    return {
        path.relative_to(root).as_posix(): path for path in sorted(root.glob("*/*/*/record.json"))
    }


def essence(path: Path) -> dict[str, Any]:
    """A record but for what may differ from run to run: provenance, times and memory."""
    content = json.loads(path.read_bytes())
    del content["provenance"], content["checksum"]
    content["phases"] = [phase["name"] for phase in content["phases"]]
    return content
