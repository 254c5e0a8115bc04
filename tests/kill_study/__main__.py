"""The command line of the kill test."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.kill_study import __doc__ as description
from tests.kill_study.findings import Tally
from tests.kill_study.scenarios import SCENARIOS, Trials, why_no_small_disk

_SECONDS_BETWEEN_REPORTS = 10
_BLAS = "OPENBLAS_NUM_THREADS"


def main() -> int:
    """Kill as often as asked; 1 where anything is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.kill_study",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kills", type=int, nargs="?", default=40, help="how many in all (40)")
    parser.add_argument("--scenario", action="append", choices=SCENARIOS, help="by default all")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="by default the time")
    options = parser.parse_args()
    if os.environ.get(_BLAS) != "1":  # BLAS reads it at its import; with threads forking is unsafe
        os.execve(sys.executable, sys.orig_argv, os.environ | {_BLAS: "1"})
    chosen = list(options.scenario or SCENARIOS)
    if "full_disk" in chosen and (reason := why_no_small_disk()):
        print(f"skipped: full_disk, since nothing can be mounted here: {reason}")
        chosen.remove("full_disk")
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        tallies = _run(Trials(Path(folder), options.seed), chosen, options.kills)
    for scenario, tally in tallies.items():
        print(f"{scenario}: {tally}")
        for kind, found in tally.faults.items():
            print(*(f"  {kind}: {fault}" for fault in found[:10]), sep="\n", end="\n" * bool(found))
    return int(not all(tally.is_clean for tally in tallies.values()))


def _run(trials: Trials, scenarios: Sequence[str], kills: int) -> dict[str, Tally]:
    """Kill in turn in each of the scenarios, so that the time left can be told."""
    tallies = {scenario: Tally() for scenario in scenarios}
    began = last = time.monotonic()
    while (done := sum(tally.kills for tally in tallies.values())) < kills and tallies:
        scenario = min(tallies, key=lambda name: tallies[name].kills)
        trials.trial(scenario, tallies[scenario])
        now = time.monotonic()
        if done and now - last > _SECONDS_BETWEEN_REPORTS:
            last = now
            faults = sum(
                len(found) for tally in tallies.values() for found in tally.faults.values()
            )
            left = (now - began) / done * (kills - done) / 60
            print(f"{done} of {kills} killed, {left:.1f} min left, {faults} faults", flush=True)
    return tallies


if __name__ == "__main__":
    sys.exit(main())
