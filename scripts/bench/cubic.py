"""The cubic phases: achieved operations over the rate of products, measured at the same size."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scripts.bench.arithmetic import CUBIC_PHASES, cubic_flops
from scripts.bench.fresh_run import fresh_run
from scripts.bench.machine import dgemm_rate
from scripts.bench.ours import fit_regression
from scripts.bench.report import Bar, Row
from scripts.bench.splits import load_split
from scripts.bench.timing import Seconds, Stopwatch, best_of

SECTION = "cubic phases over dgemm, rate"
BAR = Bar(at_least=0.6)
# The bar is for matrices far larger than a tile.
LARGE = 10_000


def share_of_rate(name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """The three phases together on a small dataset, the best of several fits."""
    split = load_split(name)
    sizes: list[int] = []

    def run() -> Seconds:
        watch = Stopwatch()
        sizes.append(fit_regression(split, watch).n_references)
        return watch.seconds

    tell("the cubic phases")
    seconds = best_of(run)
    yield _row(name, sizes[0], seconds)


def share_of_rate_in_fresh_run(name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """The same on a large dataset, from one run in a process of its own."""
    tell("the four methods, in a process of their own")
    run = fresh_run(name)
    tell("dgemm")
    yield _row(name, run.sizes.references, run.seconds)


def _row(name: str, size: int, seconds: Seconds) -> Row:
    rate = dgemm_rate(size)
    achieved = cubic_flops(size) / sum(seconds[phase] for phase in CUBIC_PHASES)
    return Row(
        section=SECTION,
        dataset=name,
        what=f"Gram, Cholesky, inverse diagonal, K = {size:,}",
        value=achieved / rate.flops,
        bar=BAR if size > LARGE else None,
        note=f"{achieved / 1e9:.1f} over {rate.flops / 1e9:.1f} GF/s of {rate.product}",
        details={"our_flops": achieved, "dgemm_flops": rate.flops}
        | {f"{phase}_seconds": seconds[phase] for phase in CUBIC_PHASES},
    )
