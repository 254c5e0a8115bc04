"""The corrected Tmc2007 split, from Mulan's public repository at a pinned commit.

The package archive is older than the correction, so this is the only public source of it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from mlmlm.datasets._arff_folder import ArffFiles, read_files
from mlmlm.datasets._dataset import Dataset
from mlmlm.datasets._web_file import download

COMMIT = "43f6389095ad71984264db4387a8074b22bc7d4a"
BASE_URL = f"https://raw.githubusercontent.com/tsoumakas/mulan/{COMMIT}/data/multi-label/tmc2007"
FILES = ("tmc2007-500-train.arff", "tmc2007-500-test.arff", "tmc2007.xml")


def download_dataset(name: str, progress: bool) -> Dataset:
    """Download the three files and read them."""
    with tempfile.TemporaryDirectory() as folder:
        train, test, xml = (
            download(f"{BASE_URL}/{file}", Path(folder), progress) for file in FILES
        )
        return read_files(name, ArffFiles(train, test, xml), progress)
