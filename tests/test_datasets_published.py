"""The real datasets: both sources agree, and the figures are the published ones.

A folder of ARFF files is used where there is one (``MLMLM_ARFF_DIR``, or ``shared/datasets``
beside the checkout); without it, only the small datasets are fetched. All go through the user's
cache, so the first run is the slow one.
"""

from __future__ import annotations

import bz2
import csv
import dataclasses
import functools
import itertools
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import arff
import numpy as np
import pytest
import scipy.sparse as sp

from mlmlm.datasets import Dataset, DatasetError, audit, characteristics, load_dataset
from mlmlm.datasets._arff_folder import find_files
from mlmlm.datasets._cache import cache_folder
from mlmlm.datasets._catalogue import find_entry
from mlmlm.datasets._label_order import in_xml_order
from mlmlm.datasets._package_archive import fetch_archive, read_archive

ROOT = Path(__file__).resolve().parents[1]
ARFF_DIR = Path(os.environ.get("MLMLM_ARFF_DIR") or ROOT.parent / "shared" / "datasets")
with (ROOT / "experiments" / "published" / "datasets.csv").open() as table:
    PUBLISHED = {row["dataset"]: row for row in csv.DictReader(table)}
SMALL = ("medical", "emotions", "enron", "scene", "yeast")
LARGE = tuple(name for name in PUBLISHED if name not in SMALL)

# duplicate training rows, test rows with a twin, and with its labels too, constant features,
# rows without labels in training and test, labels without a training positive
AUDITS = {
    "medical": (3, 6, 4, 555, 0, 0, 7),
    "emotions": (0, 0, 0, 0, 0, 0, 0),
    "enron": (66, 62, 10, 0, 0, 0, 1),
    "scene": (2, 6, 5, 0, 0, 0, 0),
    "yeast": (0, 0, 0, 0, 0, 0, 0),
    "corel5k": (1, 0, 0, 0, 0, 0, 3),
    "bibtex": (17, 21, 9, 0, 0, 0, 0),
    "delicious": (2818, 871, 63, 0, 10, 4, 0),
    "tmc2007": (347, 7077, 7077, 0, 0, 0, 0),
    "mediamill": (82, 0, 0, 0, 1189, 541, 0),
    "tmc2007_fixed": (347, 1220, 108, 0, 0, 0, 0),
    "imdb": (138, 96, 37, 0, 0, 0, 0),
}


@functools.lru_cache(maxsize=2)
def real(name: str) -> Dataset:
    """The dataset from the ARFF folder where there is one, else from the network if small."""
    if ARFF_DIR.is_dir():
        return load_dataset(name, arff_dir=ARFF_DIR)
    if name not in SMALL:
        pytest.skip("needs a folder of ARFF files")
    return fetched(name)


def fetched(name: str) -> Dataset:
    try:
        return load_dataset(name)
    except DatasetError as fault:
        pytest.skip(str(fault))


@pytest.fixture
def archive() -> bytes:
    try:
        return fetch_archive(cache_folder(), progress=False)
    except DatasetError as fault:
        pytest.skip(str(fault))


@pytest.mark.parametrize("name", PUBLISHED)
def test_characteristics_are_the_published(name: str) -> None:
    ours = dataclasses.asdict(characteristics(real(name)))
    published = dict(PUBLISHED[name])
    if name == "emotions":
        # Printed 1.869; the files have 1108 relevant labels in 593 rows.
        published["cardinality"] = "1.868"
    for figure, printed in published.items():
        value = ours[figure]
        assert (f"{value:.3f}" if isinstance(value, float) else str(value)) == printed, figure


@pytest.mark.parametrize("name", AUDITS)
def test_audit(name: str) -> None:
    assert dataclasses.astuple(audit(real(name))) == (name, *AUDITS[name])


@pytest.mark.skipif(not ARFF_DIR.is_dir(), reason="needs a folder of ARFF files")
@pytest.mark.parametrize("name", AUDITS)
def test_folder_holds_the_catalogued_arrays(name: str) -> None:
    dataset = real(name)
    assert dataset.fingerprint == find_entry(name).fingerprint
    assert dataset.label_names != tuple(f"label{i + 1}" for i in range(len(dataset.label_names)))


@pytest.mark.parametrize("name", [*SMALL, "genbase"])
def test_archive_holds_the_catalogued_arrays(archive: bytes, name: str) -> None:
    entry = find_entry(name)
    assert entry.archive_stem is not None
    dataset = read_archive(archive, name, entry.archive_stem, entry.fingerprint, progress=False)
    assert dataset.fingerprint == entry.fingerprint


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_archive_holds_the_catalogued_arrays_of_large_datasets(archive: bytes, name: str) -> None:
    test_archive_holds_the_catalogued_arrays(archive, name)


def test_imdb_is_sparse_and_divided_by_us() -> None:
    dataset = real("imdb")
    assert sp.issparse(dataset.X_train)
    assert (dataset.X_train.shape, dataset.X_test.shape) == ((80_000, 1001), (40_919, 1001))
    assert (dataset.X_train.nnz, dataset.X_test.nnz) == (1_550_077, 793_633)
    assert np.unique(dataset.X_train.data).tolist() == [1.0]
    figures = characteristics(dataset)
    assert (figures.n_labels, figures.unique_label_vectors) == (28, 4503)
    assert figures.cardinality == pytest.approx(241_798 / 120_919)
    assert (dataset.label_names[0], dataset.feature_names[-1]) == ("Sci-Fi", "youth")


@pytest.mark.skipif(not ARFF_DIR.is_dir(), reason="needs a folder of ARFF files")
def test_liac_arff_reads_the_same_imdb() -> None:
    """Its first rows, among which are training and test rows."""
    path, count = ARFF_DIR / "imdb" / "Imdb.arff.bz2", 3000
    if not path.is_file():
        pytest.skip("needs MEKA's file of IMDB")
    with bz2.open(path, "rt") as text:
        lines = list(itertools.islice(text, 1034 + count))
    table = arff.loads("".join(lines), return_type=arff.LOD)
    rows = np.zeros((len(table["data"]), 1029))
    for row, cells in enumerate(table["data"]):
        rows[row, list(cells)] = list(map(float, cells.values()))
    train = np.sort(np.random.default_rng(0).permutation(120_919)[:80_000])
    first = train[train < len(rows)]
    dataset = real("imdb")
    assert len(rows) > 2900
    np.testing.assert_array_equal(dataset.X_train[: len(first)].toarray(), rows[first, 28:])
    np.testing.assert_array_equal(dataset.Y_train[: len(first)], rows[first, :28])


def test_eurlex4k_from_the_package_index() -> None:
    dataset = fetched("eurlex4k")
    assert dataset.fingerprint == find_entry("eurlex4k").fingerprint
    assert sp.issparse(dataset.X_train)
    assert (dataset.X_train.shape, dataset.X_test.shape) == ((15_539, 5000), (3_809, 5000))
    assert (dataset.X_train.nnz, dataset.X_test.nnz) == (3_684_773, 903_035)
    figures = characteristics(dataset)
    assert (figures.n_labels, figures.unique_label_vectors) == (3993, 16_467)
    assert figures.cardinality == pytest.approx(102_741 / 19_348)
    assert dataclasses.astuple(audit(dataset)) == ("eurlex4k", 33, 16, 6, 0, 28, 6, 207)


@pytest.mark.skipif(not ARFF_DIR.is_dir(), reason="needs a folder of ARFF files")
@pytest.mark.parametrize("name", ["yeast", "enron"])
def test_label_order_is_that_of_the_header_not_of_the_xml(name: str) -> None:
    files = find_files(ARFF_DIR, find_entry(name).spellings)
    assert files is not None
    declared = re.findall(r"(?im)^@attribute\s+(\S+)", files.train.read_text())
    listed = re.findall(r'<label name="(.+?)"', files.xml.read_text())
    labels = real(name).label_names
    assert labels == tuple(attribute for attribute in declared if attribute in listed)
    assert labels != tuple(listed)


def test_genbase_numbers_its_nominal_features(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLMLM_ARFF_DIR", raising=False)
    dataset = fetched("genbase")
    assert dataset.X_train.shape == (463, 1186)
    assert set(dataset.X_train[:, 1:].ravel().tolist()) == {0.0, 1.0}
    assert dataset.X_train[:, 0].max() <= 661


def test_xml_order_of_the_labels() -> None:
    data = real("yeast")
    ordered = in_xml_order(data)
    assert ordered.label_names[3] == data.label_names[5]
    np.testing.assert_array_equal(ordered.Y_test[:, 3], data.Y_test[:, 5])
    assert in_xml_order(real("emotions")) is real("emotions")


@pytest.mark.parametrize("name", SMALL)
def test_xml_order_is_that_of_the_files(name: str) -> None:
    files = find_files(ARFF_DIR, find_entry(name).spellings) if ARFF_DIR.is_dir() else None
    if files is None:
        pytest.skip("needs a folder of ARFF files")
    root = ElementTree.parse(files.xml).getroot()
    names = tuple(each.attrib["name"] for each in root.iter() if each.tag.endswith("label"))
    assert in_xml_order(load_dataset(name, arff_dir=ARFF_DIR)).label_names == names
