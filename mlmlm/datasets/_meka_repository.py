"""IMDB, from MEKA's public repository at a pinned commit: one compressed file without a split."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from mlmlm.datasets._arff_folder import ArffFiles, Divide, read_files
from mlmlm.datasets._dataset import Dataset, DatasetError
from mlmlm.datasets._web_file import download

COMMIT = "f9ffe231e06ebaa75b4a95c5cdeb737419731621"
BASE_URL = f"https://raw.githubusercontent.com/Waikato/meka/{COMMIT}/src/main/data"
FILE = "Imdb.arff.bz2"
SHA256 = "edc1eb0acbcd3d5864eb61f1ef9c13bd21fc098fb68412434ca06c07a10e1122"


def download_dataset(name: str, divide: Divide, progress: bool) -> Dataset:
    """Download the file, check that it is the published one, read and divide it."""
    url = f"{BASE_URL}/{FILE}"
    with tempfile.TemporaryDirectory() as folder:
        path = download(url, Path(folder), progress)
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != SHA256:
            raise DatasetError(
                f"{url}: the downloaded file ({path.stat().st_size} bytes) has sha256 {found}, not "
                f"{SHA256}; it is cut short or was replaced. Try again, or name a folder that has "
                "the file in MLMLM_ARFF_DIR."
            )
        return read_files(name, ArffFiles(path), progress, divide, as_sparse=True)
