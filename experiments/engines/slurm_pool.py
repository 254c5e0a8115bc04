"""Tasks as jobs of Slurm: one array for each class of memory, by submitit.

Jobs outlive the command; the same command finds them by the numbers in their folders. Whether a
job is still going on is asked of the controller: submitit asks the accounting, which a cluster may
not have, and then waits for ever for a job that was killed.
"""

from __future__ import annotations

import math
import shutil
import subprocess
import time
from collections.abc import Sequence
from itertools import groupby

import submitit
from submitit.core.utils import FailedJobError

from experiments.engines.attend import attend
from experiments.engines.estimates import GIGABYTE
from experiments.engines.folder import TaskFolder
from experiments.engines.pool import Attempt
from experiments.engines.settings import EngineSettings
from experiments.engines.survey import Work
from experiments.errors import UsageError, describe

_SECONDS_BETWEEN_QUESTIONS = 2.0
_PATIENCE = 60.0  # seconds, for the controller to answer
_LONGEST_ARRAY = 1000  # by Slurm's own setting
_WATCHER = int(0.3 * GIGABYTE)  # of a job beside its task
_ALIVE = {
    *("PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "STAGE_OUT"),
    *("REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "RESIZING", "SIGNALING", "STOPPED", "SUSPENDED"),
}


class SlurmPool:
    """The jobs of a study."""

    outlives = True

    def __init__(self, settings: EngineSettings) -> None:
        if shutil.which("sbatch") is None or shutil.which("srun") is None:
            raise UsageError("engine=slurm: there is no sbatch here; use a machine of the cluster")
        self.threads = settings.threads or 1
        self._settings = settings
        self._refused: dict[Attempt, str] = {}
        self._gone: set[Attempt] = set()
        self._asked = -math.inf
        self._states = self._ask()
        if self._states is None:
            raise UsageError("engine=slurm: squeue has no answer from Slurm's controller")

    @property
    def headline(self) -> str:
        states = list((self._states or {}).values())
        return f"Slurm: {states.count('RUNNING')} jobs running, {states.count('PENDING')} pending"

    def memory(self, work: Work) -> int:
        """Rounded up to one of few classes, so that many tasks are of the same."""
        most = self._settings.memory
        wanted = memory_class(work.need.memory)
        return wanted if most is None else min(wanted, most)

    def choose(self, waiting: Sequence[Attempt]) -> list[Attempt]:
        """All: the queue is Slurm's."""
        return list(waiting)

    def start(self, attempts: Sequence[Attempt]) -> None:
        by_class = sorted(attempts, key=lambda each: -self.memory(each.work))  # stable
        for memory, same in groupby(by_class, key=lambda each: self.memory(each.work)):
            of_class = list(same)
            for first in range(0, len(of_class), _LONGEST_ARRAY):
                self._submit(memory, of_class[first : first + _LONGEST_ARRAY])

    def lost(self, running: Sequence[Attempt]) -> dict[Attempt, str]:
        lost = {each: self._refused[each] for each in running if each in self._refused}
        if time.monotonic() - self._asked < _SECONDS_BETWEEN_QUESTIONS:
            return lost
        states = self._ask()
        if states is None:  # the controller is away; jobs are not
            return lost
        self._states = states
        dead = {
            each: states.get(number, "unknown to Slurm")
            for each in running
            if (number := each.folder.slurm_job) and states.get(number) not in _ALIVE
        }
        # What a job wrote at its end may come later than the news of its end.
        lost |= {
            each: f"its Slurm job {each.folder.slurm_job} is {state}"
            for each, state in dead.items()
            if each in self._gone
        }
        self._gone = set(dead)
        return lost

    def forget(self, attempt: Attempt) -> None:
        self._refused.pop(attempt, None)

    def still_running(self, folders: Sequence[TaskFolder]) -> list[TaskFolder]:
        states = self._states or {}
        return [folder for folder in folders if states.get(folder.slurm_job or "") in _ALIVE]

    def cancel(self, running: Sequence[Attempt]) -> None:
        jobs = [number for each in running if (number := each.folder.slurm_job)]
        if jobs:
            subprocess.run(["scancel", *jobs], capture_output=True, timeout=_PATIENCE)

    def close(self) -> None: ...

    def _submit(self, memory: int, attempts: Sequence[Attempt]) -> None:
        """One array."""
        settings = self._settings
        executor = submitit.AutoExecutor(
            attempts[0].folder.path.parent / "submitit", cluster="slurm"
        )
        executor.update_parameters(
            name="mlmlm",
            cpus_per_task=self.threads,
            timeout_min=settings.minutes,
            slurm_mem=f"{math.ceil((memory + _WATCHER) / 2**20)}M",
            slurm_array_parallelism=settings.workers or len(attempts),
            slurm_additional_parameters=dict(settings.options),
            **({} if settings.partition is None else {"slurm_partition": settings.partition}),
        )
        try:
            jobs = executor.map_array(attend, [str(each.folder.path) for each in attempts])
        except FailedJobError as error:
            self._refused |= dict.fromkeys(attempts, f"sbatch refused it: {describe(error)}")
            return
        for attempt, job in zip(attempts, jobs, strict=True):
            attempt.folder.slurm_job = job.job_id

    def _ask(self) -> dict[str, str] | None:
        """The states of the user's jobs by their numbers; None if the controller is silent."""
        self._asked = time.monotonic()
        command = ["squeue", "--me", "--noheader", "--array", "--states=all", "--format=%i %T"]
        try:
            answer = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE)
        except (OSError, subprocess.TimeoutExpired):
            return None
        if answer.returncode:
            return None
        return dict(line.split() for line in answer.stdout.splitlines())


def memory_class(memory: int) -> int:
    """Memory rounded up to a quarter of the power of two below it, and at least a gigabyte."""
    gigabytes = max(1.0, memory / GIGABYTE)
    step = 2.0 ** math.floor(math.log2(gigabytes)) / 4
    return int(math.ceil(gigabytes / step) * step * GIGABYTE)
