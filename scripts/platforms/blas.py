"""The same figures on other BLAS builds, threads and kernels.

Usage::

    python -m scripts.platforms.blas
    python -m scripts.platforms.blas --debian "chroot DEBIAN env -C /mlmlm python3"

The first form runs `scripts.platforms.figures` with the OpenBLAS of NumPy's and SciPy's wheels,
under several numbers of threads and under kernels of older processors. The second adds NumPy and
SciPy as Debian builds them, on its OpenBLAS and on the reference BLAS; it takes the command of an
interpreter that has them, started in a checkout. Debian 14 has them in the versions that the
library asks for, and such a system fits in a folder::

    debootstrap --variant=minbase forky DEBIAN
    chroot DEBIAN apt-get install --no-install-recommends python3-numpy python3-scipy \\
        python3-sklearn python3-pandas python3-threadpoolctl python3-liac-arff \\
        python3-platformdirs python3-unearth python3-rich python3-psutil \\
        libblas3 liblapack3 libopenblas0-pthread
    mount -t proc proc DEBIAN/proc
    git clone . DEBIAN/mlmlm

(Its pandas is older than the library asks for, which matters to readers of tables only.)

``results/platforms`` gets ``blas.csv``, every figure under every setting, and ``blas.md``, the
settings and whatever differs between them at the printed precision.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlmlm.files import atomic_writer
from scripts.bench.machine import REPOSITORY
from scripts.platforms.comparison import figure_table, summary

OUTPUT = REPOSITORY / "results" / "platforms"
DATASETS = ("medical", "emotions", "enron", "scene", "yeast")
MADE_BY = "Made by `python -m scripts.platforms.blas`; `scripts/platforms/blas.py` says how.\n\n"

_DEBIAN_LIBRARIES = "/usr/lib/x86_64-linux-gnu"


@dataclass(frozen=True)
class Setting:
    """A choice of BLAS library, kernels and threads."""

    name: str
    threads: int = 1
    variables: Mapping[str, str] = field(default_factory=dict)

    def run(self, interpreter: list[str], datasets: tuple[str, ...]) -> dict[str, Any]:
        """What `scripts.platforms.figures` prints under this setting."""
        module = ["-m", "scripts.platforms.figures", "--threads", str(self.threads)]
        done = subprocess.run(
            [*interpreter, *module, *datasets],
            cwd=REPOSITORY,
            env=os.environ | self.variables,
            stdout=subprocess.PIPE,
            check=True,
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def _libraries(*folders: str) -> dict[str, str]:
    return {"LD_LIBRARY_PATH": ":".join(f"{_DEBIAN_LIBRARIES}/{folder}" for folder in folders)}


WHEEL = (
    Setting("wheel, 1 thread"),
    Setting("wheel, 2 threads", threads=2),
    Setting("wheel, 4 threads", threads=4),
    # Not Haswell: OpenBLAS 0.3.34, that of NumPy 2.5.2 to 2.5.4, crashed in a product when those
    # kernels were forced upon a processor with AVX-512; where it chose them itself it did not.
    Setting("wheel, Sandybridge", variables={"OPENBLAS_CORETYPE": "Sandybridge"}),
    Setting("wheel, Nehalem", variables={"OPENBLAS_CORETYPE": "Nehalem"}),
)
DEBIAN = (
    Setting("Debian, OpenBLAS, 1 thread", variables=_libraries("openblas-pthread")),
    Setting("Debian, OpenBLAS, 2 threads", threads=2, variables=_libraries("openblas-pthread")),
    Setting("Debian, reference", variables=_libraries("blas", "lapack")),
)


def main() -> None:
    options = _parse()
    runs = {}
    for setting, interpreter in _plan(options.debian):
        print(setting.name, file=sys.stderr)
        runs[setting.name] = setting.run(interpreter, DATASETS)
    table = figure_table({name: run["figures"] for name, run in runs.items()})
    text = summary(runs, table)
    _write(options.output / "blas.csv", table.to_csv(float_format="%.9g", lineterminator="\n"))
    _write(options.output / "blas.md", MADE_BY + text)
    print(text)


def _plan(debian: list[str] | None) -> Iterator[tuple[Setting, list[str]]]:
    """Each setting with the interpreter to run it in."""
    for setting in WHEEL:
        yield setting, [sys.executable]
    if debian:
        for setting in DEBIAN:
            yield setting, debian


def _write(path: Path, text: str) -> None:
    with atomic_writer(path) as file:
        file.write(text.encode())


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.platforms.blas",
        description="Compare the figures of the five small datasets under several BLAS settings.",
    )
    parser.add_argument(
        "--debian",
        type=shlex.split,
        metavar="COMMAND",
        help="starts, in a checkout, an interpreter with the NumPy and SciPy of Debian",
    )
    parser.add_argument(
        "--output", type=Path, default=OUTPUT, metavar="FOLDER", help="where the tables go"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
