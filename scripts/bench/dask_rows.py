"""The fit of many rows on two Dask workers over that on one, each a process of one thread.

Each chunk of the rows is made on the worker that keeps it, before the clock starts: what is timed
is the fit, with the choice of P and of the threshold. Both are timed twice, one worker first and
last, and the best of each counts: on a shared machine a single fit may take twice as long.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import dask.array as da
from dask.delayed import delayed
from distributed import Client, LocalCluster, wait

from mlmlm import MultiLabelMLM
from scripts.bench.made_data import FEATURES, LABELS, make_rows
from scripts.bench.many_rows import ManyRows
from scripts.bench.report import Bar, Row, format_seconds

SECTION = "two Dask workers over one, time to fit"
BAR = Bar(at_most=0.65)
CHUNKS = 20


def two_workers_over_one(size: ManyRows, tell: Callable[[str], None]) -> Iterator[Row]:
    """Seconds of the fit of ``size.many`` rows on two workers over those on one."""
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for workers in (1, 2, 2, 1):
        tell(f"{size.many:,} rows: Dask workers: {workers}")
        seconds[workers].append(fit_seconds(size, workers))
    one, two = (min(times) for times in seconds.values())
    yield Row(
        section=SECTION,
        dataset=f"{size.many:,} rows",
        what=f"ML-MLM, K = {size.references:,}",
        value=two / one,
        bar=BAR if size.judged else None,
        note=f"{format_seconds(two)} over {format_seconds(one)}",
        details={
            f"workers_{workers}_time_{i}_seconds": each
            for workers, times in seconds.items()
            for i, each in enumerate(times, 1)
        },
    )


def fit_seconds(size: ManyRows, workers: int) -> float:
    """Time of a fit on a new cluster, whose workers have imported everything."""
    with (
        # Of the machine's memory each may have what it needs; nothing is written to disk.
        LocalCluster(
            n_workers=workers, threads_per_worker=1, memory_limit=0, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        _fit(MultiLabelMLM(references=10), *rows_on_workers(client, 400))
        X, Y = rows_on_workers(client, size.many)
        model = MultiLabelMLM(references=size.references, tuning_rows=size.tuning_rows)
        return _fit(model, X, Y)


def rows_on_workers(client: Client, n_rows: int) -> tuple[Any, Any]:
    """Inputs and labels as Dask arrays, made and kept where they will be used."""
    bounds = [n_rows * i // CHUNKS for i in range(CHUNKS + 1)]
    pairs = list(pairwise(bounds))
    made = [delayed(make_rows, nout=2)(start, stop) for start, stop in pairs]
    X, Y = (
        da.concatenate(
            [
                da.from_delayed(both[which], (stop - start, width), dtype)
                for both, (start, stop) in zip(made, pairs, strict=True)
            ]
        )
        for which, width, dtype in ((0, FEATURES, float), (1, LABELS, "uint8"))
    )
    X, Y = client.persist((X, Y))
    wait([X, Y])
    return X, Y


def _fit(model: MultiLabelMLM, X: Any, Y: Any) -> float:
    began = time.perf_counter()
    model.fit(X, Y)
    return time.perf_counter() - began
