"""How the rows of a dataset are divided into training and test rows.

``fixed`` leaves them as the dataset has them; in the code that is None. The others put training and
test rows together, in this order, and divide them anew by iterative stratification: repeated
cross-validation, in which each fold is the test set once, and repeated holdout, in which a share of
the rows is. A seed and the number of a repetition determine a division, so that more repetitions
add to those that are there. Twins, rows with the same features, can be on both sides, as in many
fixed splits; the audit in a record counts them.

A run has one division, a study has all::

    python -m experiments.run split=cross_validation split.folds=10 split.repeat=1 split.fold=9
    python -m experiments.study study=one_footing \
        '+study.split={kind: cross_validation, folds: 10, repeats: 2, seed: 0}'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import scipy.sparse as sp

from experiments.errors import UsageError, unknown
from mlmlm.datasets import Dataset, stratified_folds, stratified_holdout
from mlmlm.datasets._stratification import Rows
from mlmlm.names import did_you_mean

Json = dict[str, Any]
FIXED, CROSS_VALIDATION, HOLDOUT = "fixed", "cross_validation", "holdout"
_KEYS = {
    FIXED: ((), ()),
    CROSS_VALIDATION: (("folds", "seed"), ("repeat", "fold")),
    HOLDOUT: (("test_size", "seed"), ("repeat",)),
}
"""By kind the keys of the division, and those that tell one of its repetitions or folds."""


@dataclass(frozen=True)
class Split:
    """One division of a dataset: a fold of a cross-validation, or a holdout."""

    kind: str
    seed: int
    repeat: int
    folds: int | None = None
    fold: int | None = None
    test_size: float | None = None

    @property
    def as_json(self) -> Json:
        """As a record has it."""
        return {key: value for key, value in asdict(self).items() if value is not None}

    @property
    def name(self) -> str:
        return split_name(self.as_json)

    def of(self, data: Dataset) -> Dataset:
        """The dataset divided in this way, training and test rows in the order they had."""
        stack = sp.vstack if sp.issparse(data.X_train) else np.concatenate
        X = stack([data.X_train, data.X_test])
        Y = np.concatenate([data.Y_train, data.Y_test])
        train, test = self._rows(data)
        return replace(data, X_train=X[train], Y_train=Y[train], X_test=X[test], Y_test=Y[test])

    def _rows(self, data: Dataset) -> tuple[Rows, Rows]:
        if self.kind == HOLDOUT:
            assert self.test_size is not None
            Y = np.concatenate([data.Y_train, data.Y_test])
            return stratified_holdout(Y, self.test_size, (self.seed, self.repeat))
        assert self.folds is not None
        fold_of = _folds(data, self.folds, self.seed, self.repeat)
        return np.flatnonzero(fold_of != self.fold), np.flatnonzero(fold_of == self.fold)


@lru_cache(maxsize=1)  # all folds of a repetition have the same
def _folds(data: Dataset, folds: int, seed: int, repeat: int) -> Rows:
    Y = np.concatenate([data.Y_train, data.Y_test])
    return stratified_folds(Y, folds, (seed, repeat))


def split_name(split: Mapping[str, Any] | None) -> str:
    """A short name for a division, such as cv0.3: repetition 0, fold 3; empty if it is fixed."""
    if split is None:
        return ""
    if split["kind"] == HOLDOUT:
        return f"holdout{split['repeat']}"
    return f"cv{split['repeat']}.{split['fold']}"


def one_split(config: Json) -> Split | None:
    """The division that the configuration of a single run asks for."""
    whole, part = _KEYS[_kind("split", config)]
    _check("split", config, [*whole, *part])
    if config["kind"] == FIXED:
        return None
    split = Split(**config)
    if split.folds is not None and split.fold is not None and split.fold >= split.folds:
        raise UsageError(
            f"split.fold must be below split.folds, {split.folds}: the first is 0; not {split.fold}"
        )
    return split


def each_split(config: Any) -> list[Split | None]:
    """The divisions that a study's configuration asks for, fold by fold."""
    if config is None:
        return [None]
    if not isinstance(config, dict):
        raise UsageError(f"study.split must have keys and values, such as kind, not {config!r}")
    whole, _ = _KEYS[_kind("study.split", config)]
    if config["kind"] == FIXED:
        _check("study.split", config, [])
        return [None]
    _check("study.split", config, [*whole, "repeats"])
    return list(_expanded(config))


def splits_in_words(config: Json) -> str:
    """What a study's configuration asks for, such as 2 repetitions of 5-fold cross-validation."""
    repeats = config["repeats"]
    if config["kind"] == HOLDOUT:
        holdouts = f"{repeats} holdout{'' if repeats == 1 else 's'}"
        return f"{holdouts} of {config['test_size']:.4g} of the rows"
    repetitions = f"{repeats} repetition{'' if repeats == 1 else 's'}"
    return f"{repetitions} of {config['folds']}-fold cross-validation"


def _expanded(config: Json) -> Iterator[Split]:
    own = {key: value for key, value in config.items() if key != "repeats"}
    for repeat in range(config["repeats"]):
        if own["kind"] == HOLDOUT:
            yield Split(**own, repeat=repeat)
        else:
            for fold in range(own["folds"]):
                yield Split(**own, repeat=repeat, fold=fold)


def _kind(where: str, config: Json) -> str:
    kind = config.get("kind")
    if kind not in _KEYS:
        raise UsageError(unknown(f"kind of {where}", str(kind), _KEYS))
    return str(kind)


def _check(where: str, config: Json, keys: list[str]) -> None:
    """Refuse keys that are missing or unknown, and values that make no sense."""
    for key in config:
        if key not in (*keys, "kind"):
            near = did_you_mean(key, keys) if keys else "It has none."
            raise UsageError(f"{where} of kind {config['kind']} has no key {key!r}. {near}")
    for key in keys:
        value = config.get(key)
        if key == "test_size":
            if type(value) is not float or not 0 < value < 1:
                raise UsageError(
                    f"{where}.test_size must be a number between 0 and 1, not {value!r}"
                )
            continue
        least = {"folds": 2, "repeats": 1}.get(key, 0)
        if type(value) is not int or value < least:
            raise UsageError(f"{where}.{key} must be a whole number from {least}, not {value!r}")
