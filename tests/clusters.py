"""A Dask cluster of separate processes, and studies that are run on it or on Slurm."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from typing import Self

from tests.harness import ROOT
from tests.user_home import UserHome

PATIENCE = 300  # seconds, for what takes a few on an idle machine


class DaskProcesses:
    """A scheduler and workers, as somebody starts them by hand."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []
        self._numbers = count()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers, self.scheduler):
            if process is not None:
                process.kill()
                process.wait()

    def start_scheduler(self) -> None:
        self._contact.unlink(missing_ok=True)
        self.scheduler = self._start(
            "dask_scheduler", "--port=0", "--no-dashboard", f"--scheduler-file={self._contact}"
        )
        wait_until(self._contact.exists)

    def start_worker(self, *options: str) -> None:
        name = f"--name=worker{next(self._numbers)}"  # a scheduler refuses a name that it knows
        to = f"--scheduler-file={self._contact}"
        self.workers.append(
            self._start("dask_worker", to, name, "--nthreads=1", "--no-dashboard", *options)
        )

    @property
    def address(self) -> str:
        return str(json.loads(self._contact.read_text())["address"])

    @property
    def _contact(self) -> Path:
        return self._folder / "scheduler.json"

    def _start(self, command: str, *options: str) -> subprocess.Popen[bytes]:
        with (self._folder / "dask.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{command}", *options],
                cwd=ROOT,
                env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )


def wait_until(happened) -> None:
    limit = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < limit, "it does not happen"
        time.sleep(0.05)


def short_runs(home: UserHome, datasets: tuple[str, ...], name: str = "short") -> str:
    """A study of ten short runs on each dataset, in four tasks; gives its name."""
    for seed, dataset in enumerate(datasets):
        home.data(dataset, seed=seed)
    methods = ["ml_mlm", "nn_mlm", "lls_mlm", "br_mlm"]
    for power in (1, 2, 4):
        methods.append(f"power{power}")
        home.config("method", methods[-1], f"_target_: mlmlm.MultiLabelMLM\npower: {power}\n")
    home.config("method", "knn", "_target_: sklearn.neighbors.KNeighborsClassifier\n")
    home.config("method", "tree", "_target_: sklearn.tree.DecisionTreeClassifier\nseeds: [1, 2]\n")
    home.study(name, [*methods, "knn", "tree"], datasets)
    return name
