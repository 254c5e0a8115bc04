"""Peak memory of fit and predict against what it may be, and against the library's estimate."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mlmlm.memory import fit_peak_bytes
from scripts.bench.fresh_run import fresh_run
from scripts.bench.ours import Sizes
from scripts.bench.report import Bar, Row

PEAK_SECTION = "peak memory over the allowed"
ESTIMATE_SECTION = "estimated over measured memory"
PEAK_BAR = Bar(at_most=1)
ESTIMATE_BAR = Bar(at_least=0.85, at_most=1.15)


def peak_over_allowed(name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """Peak of the whole process over two K x K and three K x U matrices and 1 GB."""
    tell("the four methods, in a process of their own")
    run = fresh_run(name)
    allowed = _allowed_bytes(run.sizes)
    yield Row(
        section=PEAK_SECTION,
        dataset=name,
        what="four methods, fit and predict",
        value=run.bytes_peak / allowed,
        bar=PEAK_BAR,
        note=f"{run.bytes_peak / 1e9:.2f} GB over 2·8 K² + 3·8 K U + 1 GB = {allowed / 1e9:.2f} GB",
        details={"peak_bytes": run.bytes_peak, "allowed_bytes": allowed},
    )


def estimate_over_measured(name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """What the library says a fit needs over what the fit took beyond the data."""
    tell("the four methods, in a process of their own")
    run = fresh_run(name)
    sizes = run.sizes
    estimated = fit_peak_bytes(sizes.references, sizes.label_vectors, sizes.labels, sizes.features)
    measured = run.bytes_peak_of_fit - run.bytes_before
    yield Row(
        section=ESTIMATE_SECTION,
        dataset=name,
        what="fit of the distance regression",
        value=estimated / measured,
        bar=ESTIMATE_BAR,
        note=f"{estimated / 1e9:.2f} over {measured / 1e9:.2f} GB",
        details={"estimated_bytes": estimated, "measured_bytes": measured},
    )


def _allowed_bytes(sizes: Sizes) -> float:
    K, U = sizes.references, sizes.label_vectors
    return 2 * 8 * K**2 + 3 * 8 * K * U + 1e9
