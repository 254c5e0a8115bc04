"""A user's folder outside of the repository: data, methods and configurations of their own."""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
import pandas as pd

LABELS = ("happy", "sad", "calm")


class UserHome:
    """Files of a user; ``conf`` is what ``--config-dir`` names."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.conf = folder / "conf"
        self.conf.mkdir(parents=True)

    def config(self, group: str, name: str, text: str) -> Path:
        """Write a configuration such as ``method/mine.yaml``."""
        return self.file(f"conf/{group}/{name}.yaml", text)

    def file(self, path: str, text: str) -> Path:
        """Write a file, such as a module of methods."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text).lstrip())
        return file

    def data(self, name: str = "music", labels: tuple[str, ...] = LABELS, seed: int = 0) -> None:
        """Write a small CSV file with a label for each of the first features, and its YAML."""
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(60, 4)).round(3)
        Y = (X[:, : len(labels)] + rng.normal(scale=0.3, size=(60, len(labels))) > 0).astype(int)
        table = pd.DataFrame(X, columns=list("abcd")).join(pd.DataFrame(Y, columns=list(labels)))
        table.to_csv(self.folder / f"{name}.csv", index=False)
        self.config(
            "dataset",
            name,
            f"""
            _target_: mlmlm.datasets.load_csv
            train: {self.folder}/{name}.csv
            labels: [{", ".join(labels)}]
            test_size: 0.4
            seed: 1
            """,
        )

    def study(self, name: str, methods: list[str], datasets: tuple[str, ...] = ("music",)) -> None:
        self.config(
            "study", name, f"name: {name}\ndatasets: {list(datasets)}\nmethods: {methods}\n"
        )
