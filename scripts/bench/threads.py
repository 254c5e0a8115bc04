"""Results must not depend on the number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scripts.bench.fresh_run import fresh_run
from scripts.bench.report import Bar, Row

SECTION = "one and two threads, share of equal figures"
BAR = Bar(at_least=1)
# Equal to six decimals.
TOLERANCE = 0.5e-6


def same_with_two_threads(name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """All metrics of the four methods to six decimals, and P exactly."""
    tell("one thread")
    one = fresh_run(name, threads=1)
    tell("two threads")
    two = fresh_run(name, threads=2)
    differences = [abs(value - two.figures[figure]) for figure, value in one.figures.items()]
    equal = [one.power == two.power, *(difference <= TOLERANCE for difference in differences)]
    yield Row(
        section=SECTION,
        dataset=name,
        what=f"P and {len(differences)} metrics",
        value=sum(equal) / len(equal),
        bar=BAR,
        note=f"P = {one.power:.4g} and {two.power:.4g}; "
        f"metrics differ by at most {max(differences):.0e}",
        details={"largest_difference": max(differences)},
    )
