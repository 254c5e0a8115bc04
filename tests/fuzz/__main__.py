"""The command line of the fuzzer."""

from __future__ import annotations

import argparse
import sys
import traceback
import warnings
from collections import Counter
from pathlib import Path

from tests.fuzz import __doc__ as description
from tests.fuzz.campaign import Tally, all_targets, replay, run, summary


def main() -> int:
    """Run a campaign or replay a finding; 1 where anything is wrong."""
    known = all_targets()
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--cases", type=int, default=10_000, help="how many in all (10000)")
    parser.add_argument("--seed", type=int, default=1, help="which cases (1)")
    parser.add_argument("--target", action="append", choices=known, help="by default all")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"), help="a folder")
    parser.add_argument("--replay", type=Path, help="a file written to that folder")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.replay:
        verdict = replay(options.replay, known)
        print(verdict.outcome.value, *traceback.format_exception(verdict.error), sep="\n")
        return int(not verdict.outcome.is_right)
    chosen = [known[name] for name in options.target or known]
    tallies = run(chosen, options.cases, options.seed, options.findings)
    tallies["all"] = Tally(sum((tally.counts for tally in tallies.values()), start=Counter()))
    for name, tally in tallies.items():
        print(f"{name}: {tally.counts.total():,} cases: {summary(tally)}")
        for path in tally.findings[:10]:
            print(f"  {path}")
    return int(not all(outcome.is_right for outcome in tallies["all"].counts))


if __name__ == "__main__":
    sys.exit(main())
