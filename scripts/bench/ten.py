"""Time of the paper's ten datasets over what the same arithmetic takes at the rate of products."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scripts.bench.arithmetic import four_methods_flops
from scripts.bench.fresh_run import fresh_run
from scripts.bench.machine import dgemm_rate
from scripts.bench.report import Bar, Row, format_seconds

SECTION = "time over arithmetic at dgemm's rate"
BAR = Bar(at_most=2)


def time_over_arithmetic(names: tuple[str, ...], tell: Callable[[str], None]) -> Iterator[Row]:
    """Each dataset, in a process of its own and at the rate of its size, and all together."""
    taken = at_rate = 0.0
    for name in names:
        tell(f"{name}: the four methods, in a process of their own")
        run = fresh_run(name)
        tell(f"{name}: dgemm")
        rate = dgemm_rate(run.sizes.references)
        seconds, least = run.seconds["whole run"], four_methods_flops(run.sizes) / rate.flops
        taken, at_rate = taken + seconds, at_rate + least
        yield _row(name, seconds, least, f" at {rate.flops / 1e9:.1f} GF/s of {rate.product}")
    yield _row(f"all {len(names)}", taken, at_rate, bar=BAR)


def _row(name: str, seconds: float, least: float, at: str = "", bar: Bar | None = None) -> Row:
    return Row(
        section=SECTION,
        dataset=name,
        what="four methods, fit and predict",
        value=seconds / least,
        bar=bar,
        note=f"{format_seconds(seconds)} over {format_seconds(least)}{at}",
        details={"our_seconds": seconds, "arithmetic_seconds": least},
    )
