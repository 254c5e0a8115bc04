"""From a name to a dataset: the sources in their order, each converted once."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

from mlmlm.datasets import (
    _cache,
    _meka_repository,
    _mulan_repository,
    _napkinxc_archive,
    _package_archive,
)
from mlmlm.datasets._arff_folder import ArffFiles, Divide, find_files, find_one_file, read_files
from mlmlm.datasets._catalogue import CATALOGUE, SPLIT_SEED, Entry, Source, find_entry
from mlmlm.datasets._dataset import Dataset, DatasetError, LabelMatrix
from mlmlm.datasets._stratification import (
    Rows,
    check_test_rows,
    random_holdout,
    stratified_holdout,
)

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

    IMDB is published without one. Ours is ``numpy.random.default_rng(0).permutation(120919)``: its
    first 80,000 rows are the training rows, the other 40,919 the test rows, each part in the order
    of the file. The features of IMDB and of EurLex-4K are sparse, those of the others dense.

    The sources are tried in this order: the folder of ARFF files, where one is named and holds
    the dataset; the cache; the network. What is read from ARFF files or the network is kept in
    the cache, and read again from the ARFF files only when they change.

    Parameters
    ----------
    name : str
        One of ``list_datasets()``; case does not matter, and Mulan's and MEKA's spellings
        are understood.
    arff_dir : path, optional
        Folder of Mulan's ARFF and XML files, or of MEKA's ARFF files; by default the
        environment's ``MLMLM_ARFF_DIR``.
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
    find = find_files if entry.train_rows is None else find_one_file
    files = find(Path(chosen), entry.spellings) if chosen else None
    if files is None:
        return _load_published(entry, cache_path, progress)
    return _load_from_folder(entry, files, cache_path, progress)


def load_arff(
    train: _PathLike,
    test: _PathLike | None = None,
    xml: _PathLike | None = None,
    *,
    test_size: float | None = None,
    seed: int = 0,
    sparse: bool = False,
    name: str | None = None,
    progress: bool = True,
) -> Dataset:
    """Load a dataset from a user's own files in Mulan's or MEKA's format.

    Nominal features that are numbers keep their values; others are numbered from 0 in
    alphabetical order. Nothing is cached.

    Parameters
    ----------
    train : path
        An ARFF file of the training rows or, with ``test_size``, of all rows, dense or sparse;
        gzipped if it ends in ``.gz``, compressed with bzip2 if it ends in ``.bz2``.
    test : path, optional
        The same of the test rows, with the same attributes.
    xml : path, optional
        Mulan's XML file, which says which attributes are labels. Without it the files are MEKA's:
        ``-C 28`` after a colon in the name of the relation says that the first 28 attributes are
        labels, ``-C -28`` that the last 28 are.
    test_size : float, optional
        Share of the rows to set apart as test rows, between 0 and 1, instead of ``test``; labels
        occur in both parts about as often as in the whole, see `stratified_holdout`.
    seed : int, default=0
        Seed of that split: the same seed gives the same split.
    sparse : bool, default=False
        Whether the features are kept as a SciPy sparse array, whatever the layout of the file.
    name : str, optional
        Name of the dataset; by default the XML file's stem, or else the training file's name up
        to its first dot.
    progress : bool, default=True
        Show a bar on standard error, if that is a terminal.

    Returns
    -------
    Dataset
        The dataset, labels in the order of the ARFF header.

    Raises
    ------
    DatasetError
        If a file is missing or wrong, or if not exactly one of ``test`` and ``test_size`` is given.
    """
    check_test_rows(train, test, test_size)
    files = ArffFiles(
        Path(train), None if test is None else Path(test), None if xml is None else Path(xml)
    )

    def divide(labels: LabelMatrix) -> tuple[Rows, Rows]:
        assert test_size is not None
        return stratified_holdout(labels, test_size, seed)

    stem = files.train.name.partition(".")[0] if files.xml is None else files.xml.stem
    return read_files(name or stem, files, progress, divide, sparse)


def _load_from_folder(entry: Entry, files: ArffFiles, cache_path: Path, progress: bool) -> Dataset:
    source = files.digest()
    cached = _cache.fetch(entry.name, cache_path)
    if cached is not None and cached.source == source:
        dataset = cached.dataset
    else:
        dataset = read_files(entry.name, files, progress, _divide(entry), entry.sparse)
        _cache.store(dataset, source, cache_path)
    if dataset.fingerprint != entry.fingerprint:
        with_test = f" and {files.test.name}" if files.test else ""
        warnings.warn(
            f"{files.train}{with_test}: not the {entry.name} of the published figures, but other "
            "numbers.",
            stacklevel=3,
        )
    return dataset


def _load_published(entry: Entry, cache_path: Path, progress: bool) -> Dataset:
    cached = _cache.fetch(entry.name, cache_path)
    if cached is not None and cached.dataset.fingerprint == entry.fingerprint:
        return cached.dataset
    dataset, source = _download(entry, cache_path, progress)
    if dataset.fingerprint != entry.fingerprint:
        raise DatasetError(
            f"{entry.name} from {entry.source.value} has fingerprint {dataset.fingerprint}, not "
            f"{entry.fingerprint}; it is damaged or was replaced. Try again, or name a folder with "
            "its ARFF files in MLMLM_ARFF_DIR."
        )
    _cache.store(dataset, source, cache_path)
    return dataset


def _download(entry: Entry, cache_path: Path, progress: bool) -> tuple[Dataset, str]:
    """The dataset, and what its source is known by."""
    match entry.source:
        case Source.MULAN:
            dataset = _mulan_repository.download_dataset(entry.name, progress)
            return dataset, _mulan_repository.COMMIT
        case Source.MEKA:
            dataset = _meka_repository.download_dataset(entry.name, _divide(entry), progress)
            return dataset, _meka_repository.SHA256
        case Source.NAPKINXC:
            dataset = _napkinxc_archive.download_dataset(entry.name, progress)
            return dataset, _napkinxc_archive.SHA256
        case Source.SCIKIT_MULTILEARN:
            archive = _package_archive.fetch_archive(cache_path, progress)
            dataset = _package_archive.read_archive(
                archive, entry.name, entry.spellings[0], entry.fingerprint, progress
            )
            return dataset, _package_archive.SHA256


def _divide(entry: Entry) -> Divide:
    """How the rows of one file are divided, for a dataset that is published so."""

    def divide(labels: LabelMatrix) -> tuple[Rows, Rows]:
        assert entry.train_rows is not None
        return random_holdout(len(labels), entry.train_rows, SPLIT_SEED)

    return divide
