"""Threads for the work that BLAS does not spread over the cores itself.

NumPy lets go of the interpreter lock inside its loops, so row blocks can run on threads. While
they do, BLAS is held to one thread each: workers and BLAS together never exceed the cores, nor
the limit a caller has set on BLAS.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

import numpy as np  # noqa: F401  (the controller must find both BLAS libraries loaded)
import scipy.linalg  # noqa: F401
from threadpoolctl import ThreadpoolController

Item = TypeVar("Item")
Result = TypeVar("Result")

SMALL_TABLE = 1 << 20

_controller = ThreadpoolController()


def usable_threads() -> int:
    """Threads that BLAS may use now, and never more than the cores this process may use."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # only Linux knows the affinity of a process
        cores = os.cpu_count() or 1
    blas = [pool["num_threads"] for pool in _controller.info() if pool["user_api"] == "blas"]
    return max(1, min([cores, *blas]))


class _OneBlasThread:
    """Holds BLAS to one thread from when the first enters it until the last has left it.

    Those who enter may be threads that take turns in any order: were each to put back what it
    found, the last might put back the limit of another.
    """

    def __init__(self) -> None:
        self._lock, self._inside = threading.Lock(), 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._limit = _controller.limit(limits=1, user_api="blas")
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limit.restore_original_limits()


one_blas_thread = _OneBlasThread()


def threads_for(n_values: float) -> AbstractContextManager[None]:
    """All usable threads for tables of so many values, or one if they are small.

    Threads that wait for each other, and for the cores of a busy machine, take longer than the
    work on a small table; `make bench` shows both.
    """
    return one_blas_thread if n_values < SMALL_TABLE else nullcontext()


def parallel_map(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Results of ``function`` in the order of ``items``, computed on all usable threads.

    Only a few results wait to be taken at any time, so that memory stays bounded.
    """
    threads = usable_threads()
    if threads == 1:
        yield from map(function, items)
        return
    with one_blas_thread, ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Result]] = deque()
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
