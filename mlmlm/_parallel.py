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
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import numpy as np  # noqa: F401  (the controller must find both BLAS libraries loaded)
import scipy.linalg  # noqa: F401
from threadpoolctl import ThreadpoolController

Item = TypeVar("Item")
Result = TypeVar("Result")

_controller = ThreadpoolController()
_asking = threading.Lock()


def usable_threads() -> int:
    """Threads that BLAS may use now, and never more than the cores this process may use."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # only Linux knows the affinity of a process
        cores = os.cpu_count() or 1
    blas = [pool["num_threads"] for pool in _controller.info() if pool["user_api"] == "blas"]
    return max(1, min([cores, *blas]))


def one_blas_thread() -> AbstractContextManager[Any]:
    """Hold BLAS to one thread."""
    return _controller.limit(limits=1, user_api="blas")


def parallel_map(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Results of ``function`` in the order of ``items``, computed on all usable threads.

    Only a few results wait to be taken at any time, so that memory stays bounded. Of several
    threads that call it at a time the first gets them all; for the others there is one left.
    """
    with _asking:  # or two would find all threads free, and the last set the limit of the first
        threads = usable_threads()
        limit = one_blas_thread() if threads > 1 else None
    if limit is None:
        yield from map(function, items)
        return
    with limit, ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Result]] = deque()
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
