"""The corrected Tmc2007 split, from Mulan's public repository at a pinned commit.

The package archive is older than the correction, so this is the only public source of it.
"""

from __future__ import annotations

import http.client
import shutil
import tempfile
import urllib.request
from pathlib import Path

from mlmlm.datasets._arff_folder import ArffFiles, read_files
from mlmlm.datasets._dataset import Dataset, DatasetError
from mlmlm.datasets._progress import watched

COMMIT = "43f6389095ad71984264db4387a8074b22bc7d4a"
BASE_URL = f"https://raw.githubusercontent.com/tsoumakas/mulan/{COMMIT}/data/multi-label/tmc2007"
FILES = ("tmc2007-500-train.arff", "tmc2007-500-test.arff", "tmc2007.xml")
_TIMEOUT_SECONDS = 60


def download_dataset(name: str, fingerprint: str, progress: bool) -> Dataset:
    """Download the three files, read them, and check that the arrays are the expected ones."""
    with tempfile.TemporaryDirectory() as folder:
        train, test, xml = (_download(file, Path(folder), progress) for file in FILES)
        dataset = read_files(name, ArffFiles(train, test, xml), progress)
    if dataset.fingerprint != fingerprint:
        raise DatasetError(
            f"{BASE_URL}: the downloaded {name} has fingerprint {dataset.fingerprint}, not "
            f"{fingerprint}; it is damaged or was replaced. Try again, or name a folder with its "
            "ARFF files in MLMLM_ARFF_DIR."
        )
    return dataset


def _download(file: str, folder: Path, progress: bool) -> Path:
    url = f"{BASE_URL}/{file}"
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT_SECONDS) as response:
            total = int(response.headers.get("Content-Length", 0))
            with (
                watched(response, total, f"Downloading {file}", progress) as seen,
                (folder / file).open("wb") as copy,
            ):
                shutil.copyfileobj(seen, copy)
    except (OSError, http.client.HTTPException, ValueError) as fault:
        raise DatasetError(
            f"{url} could not be downloaded ({fault}). Check the network, or name a folder that "
            "has the file in MLMLM_ARFF_DIR."
        ) from fault
    return folder / file
