"""EurLex-4K, inside the source archive of a release of napkinxc.

Its 19,348 documents are European laws; their 5,000 features are weights of words, their 3,993
labels subjects. The split of 15,539 and 3,809 rows is the one that others use. The archive is
downloaded by name and its checksum is known; two members are read in place, nothing is built.
"""

from __future__ import annotations

import io
import tarfile
from typing import BinaryIO, cast

from mlmlm.datasets._dataset import Dataset, DatasetError, LabelMatrix, numbered_names
from mlmlm.datasets._extreme_file import read_extreme
from mlmlm.datasets._package_index import download_source_archive
from mlmlm.datasets._progress import watched
from mlmlm.types import Matrix

REQUIREMENT = "napkinxc==0.6.2"
SHA256 = "927766f18fa214d9789901810b28dcce7ea360650229c5438ba17698d1e56868"
_ROOT = "napkinxc-0.6.2"
_FOLDER = f"{_ROOT}/python/examples/data/Eurlex"


def download_dataset(name: str, progress: bool) -> Dataset:
    """Download the archive and read the dataset; its names are generated."""
    archive = download_source_archive(REQUIREMENT, SHA256, progress)
    try:
        return _read(archive, name, progress)
    # From the outermost container to the numbers inside, damage makes the readers raise anything.
    except Exception as fault:
        raise DatasetError(
            f"{_ROOT}.tar.gz, members of {_FOLDER}: cannot be read "
            f"({fault or type(fault).__name__}); the archive is damaged, try again."
        ) from fault


def _read(archive: bytes, name: str, progress: bool) -> Dataset:
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        X_train, Y_train = _read_member(tar, "eurlex_train.txt", progress)
        X_test, Y_test = _read_member(tar, "eurlex_test.txt", progress)
    return Dataset(
        name=name,
        X_train=X_train,
        Y_train=Y_train,
        X_test=X_test,
        Y_test=Y_test,
        feature_names=numbered_names("feature", X_train.shape[1]),
        label_names=numbered_names("label", Y_train.shape[1]),
    )


def _read_member(tar: tarfile.TarFile, file: str, progress: bool) -> tuple[Matrix, LabelMatrix]:
    member = tar.getmember(f"{_FOLDER}/{file}")
    content = tar.extractfile(member)
    if content is None:
        raise KeyError(f"{member.name} is not a file")
    with watched(cast(BinaryIO, content), member.size, f"Converting {file}", progress) as seen:
        return read_extreme(io.TextIOWrapper(seen, encoding="ascii"))
