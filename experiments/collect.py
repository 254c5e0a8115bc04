"""A study's records apart from the store, small enough to be committed.

::

    results/<study>/records/<dataset>/<method>.json   the record
                                      <method>.npz    its arrays, except those as large as the data

The files of a stochastic method are ``<method>-seed<seed>``.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from experiments.record import Arrays, Record
from experiments.store import RunKey, Store, compressed, slug, write_file

LARGE = ("scores", "predictions")


def collect(store: Store, runs: Iterable[tuple[RunKey, Record]], folder: Path) -> None:
    """Copy records, and the small ones of their arrays."""
    for key, record in runs:
        path = folder / slug(record.dataset)
        stem = slug(record.method) + ("" if record.seed is None else f"-seed{record.seed}")
        small = _small(store.read_arrays(key))
        if small:
            write_file(path / f"{stem}.npz", compressed(small))
        write_file(path / f"{stem}.json", record.to_json().encode())


def _small(arrays: Arrays) -> Arrays:
    return {name: array for name, array in arrays.items() if name not in LARGE}
