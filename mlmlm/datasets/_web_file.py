"""One file from the web."""

from __future__ import annotations

import http.client
import shutil
import urllib.request
from pathlib import Path

from mlmlm.datasets._dataset import DatasetError
from mlmlm.datasets._progress import watched

_TIMEOUT_SECONDS = 60


def download(url: str, folder: Path, progress: bool) -> Path:
    """The file behind an address, in a folder and under its own name."""
    path = folder / url.rpartition("/")[2]
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT_SECONDS) as response:
            total = int(response.headers.get("Content-Length", 0))
            with (
                watched(response, total, f"Downloading {path.name}", progress) as seen,
                path.open("wb") as copy,
            ):
                shutil.copyfileobj(seen, copy)
    except (OSError, http.client.HTTPException, ValueError) as fault:
        raise DatasetError(
            f"{url} could not be downloaded ({fault}). Check the network, or name a folder that "
            "has the file in MLMLM_ARFF_DIR."
        ) from fault
    return path
