"""A task in a process of its own: watched, held to its memory, ended when nobody wants it.

This runs where a pool puts it, in a thread of a Dask worker or in a Slurm job. It imports little,
so that what watches takes no memory to speak of. The process of a task comes from a fork server:
importing everything takes seconds, and so is done once for all tasks of a worker.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from experiments import processes
from experiments.engines.folder import TaskFolder

_SAMPLING_SECONDS = 0.25
_GIGABYTE = 1e9


def attend(path: str) -> None:
    """Run the task of a folder and tell there how its process ended."""
    folder = TaskFolder(Path(path))
    limits = folder.read("limits")
    if limits is None:  # the study is gone, and nobody waits for it
        return
    if job := _slurm_job():
        folder.slurm_job = job
    process = _start(folder)
    try:
        died = _watch(process, folder, limits["memory"])
    finally:
        processes.end(process)
    folder.write("done", {"died": died})


def _start(folder: TaskFolder) -> BaseProcess:
    # Dask's nanny forbids its worker to have children, as they would outlive it; these do not.
    if multiprocessing.current_process().daemon:
        multiprocessing.current_process().daemon = False
    forks = "forkserver" in multiprocessing.get_all_start_methods()  # not on Windows
    context: Any = multiprocessing.get_context("forkserver" if forks else "spawn")
    context.set_forkserver_preload(_imported())
    process: BaseProcess = context.Process(target=_work, args=(folder.path,))
    with processes.interrupts_withheld():
        process.start()
    return process


def _imported() -> list[str]:
    """What is imported once: the worker's modules, and ours that this process has imported.

    For every new process imports the main module of its parent again, and what that imports.
    """
    main = getattr(sys.modules["__main__"], "__spec__", None)
    own = [name for name in sys.modules if name.startswith("experiments.")]
    return ["experiments.engines.worker", *(name for name in own if not main or name != main.name)]


def _work(path: Path) -> None:
    from experiments.engines.worker import work  # it imports everything

    work(TaskFolder(path))


def _watch(process: BaseProcess, folder: TaskFolder, limit: int) -> str | None:
    """Wait for the end of a process; why it died, None if it came to its end."""
    told = 0
    while not wait([process.sentinel], _SAMPLING_SECONDS):
        used = processes.resident_bytes(process)
        if used > limit:
            return (
                f"it used more than the {limit / _GIGABYTE:.2g} GB it was given; give it more by "
                "memory_gb in the method's configuration"
            )
        if folder.is_cancelled:
            return "it was cancelled"
        if abs(used - told) > _GIGABYTE / 100:
            folder.write("memory", {"bytes": used})
            told = used
    process.join()
    return None if process.exitcode == 0 else f"its process {processes.how_it_ended(process)}"


def _slurm_job() -> str | None:
    """The number of the job that this is, if it is one, as Slurm's commands have it."""
    array = os.environ.get("SLURM_ARRAY_JOB_ID")
    if array is None:
        return os.environ.get("SLURM_JOB_ID")
    return f"{array}_{os.environ['SLURM_ARRAY_TASK_ID']}"
