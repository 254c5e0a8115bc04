"""Files of the cache: whatever is done to one, the dataset loads, and damage is announced."""

from __future__ import annotations

import tempfile
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from mlmlm.datasets import Dataset
from mlmlm.datasets import _cache as cache
from tests.fuzz.judgement import Target, WrongContentError


class _RebuiltError(Exception):
    """The file was found damaged, and the user was told so."""


def _dataset(real: bool) -> Dataset:
    rng = np.random.default_rng(7)
    Y = rng.integers(0, 2, (12, 3))
    X = rng.normal(size=(12, 4)) if real else rng.integers(0, 2, (12, 4)).astype(float)
    return Dataset("toy", X[:7], Y[:7], X[7:], Y[7:], tuple("abcd"), tuple("xyz"))


def _stored(dataset: Dataset) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        cache.store(dataset, "source", Path(folder))
        return Path(folder, "toy.npz").read_bytes()


def _sparse(dataset: Dataset) -> Dataset:
    return replace(
        dataset, X_train=sp.csr_array(dataset.X_train), X_test=sp.csr_array(dataset.X_test)
    )


_ORIGINALS = (_dataset(real=True), _dataset(real=False), _sparse(_dataset(real=False)))
_SAMPLES = tuple(map(_stored, _ORIGINALS))


def _load(content: bytes, folder: Path) -> None:
    (folder / "toy.npz").write_bytes(content)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        cached = cache.fetch("toy", folder)
    if cached is None:
        if len(seen) != 1 or "damaged" not in str(seen[0].message):
            raise WrongContentError(f"not announced: {seen}")
        raise _RebuiltError(str(seen[0].message))
    ours = cached.dataset
    if content not in _SAMPLES or cached.source != "source":
        raise WrongContentError("a changed file passes for sound")
    original = _ORIGINALS[_SAMPLES.index(content)]
    if (ours.fingerprint, ours.feature_names, ours.label_names) != (
        *(original.fingerprint, original.feature_names, original.label_names),
    ):
        raise WrongContentError(f"{ours} is not {original}")


_TOKENS = (b"PK\1\2", b"PK\3\4", b"PK\5\6", b"\x93NUMPY", b"X_train.npy", b"\0\0\0\0", b"\xff" * 4)
TARGETS = (Target("cache", _SAMPLES, _TOKENS, _load, (_RebuiltError,), share=4),)
