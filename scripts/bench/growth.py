"""How time and memory grow with the training rows: runs at N/4, N/2 and N."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from mlmlm.progress import PhaseName
from scripts.bench.fresh_run import FreshRun, fresh_run
from scripts.bench.report import Row, format_seconds

SECTION = "growth with training rows, exponent"


def growth_exponents(name: str, rows: int | None, tell: Callable[[str], None]) -> Iterator[Row]:
    """Exponents e of N^e fitted to time and to peak memory, the same test rows throughout.

    ``rows`` limits N to a sample of the dataset.
    """
    tell("all rows")
    largest = fresh_run(name, rows)
    n = largest.sizes.rows
    runs: list[FreshRun] = []
    for part in (4, 2):
        tell(f"one of {part} parts of the rows")
        runs.append(fresh_run(name, n // part))
    runs.append(largest)
    sizes = [run.sizes.rows for run in runs]
    for what, step in (
        ("time of the regression", PhaseName.REGRESSION),
        ("time of all four methods", "whole run"),
    ):
        seconds = [run.seconds[step] for run in runs]
        yield _row(name, what, sizes, seconds, format_seconds)
    used = [float(run.bytes_peak - run.bytes_before) for run in runs]
    yield _row(name, "peak memory beyond the data", sizes, used, _format_bytes)


def _row(
    name: str, what: str, sizes: list[int], values: list[float], show: Callable[[float], str]
) -> Row:
    at = ", ".join(f"{size:,}" for size in sizes)
    return Row(
        section=SECTION,
        dataset=name,
        what=what,
        value=float(np.polyfit(np.log(sizes), np.log(values), 1)[0]),
        note=f"{', '.join(map(show, values))} at N = {at}",
        details={f"at_{size}_rows": value for size, value in zip(sizes, values, strict=True)},
    )


def _format_bytes(used: float) -> str:
    return f"{used / 1e6:,.0f} MB"
