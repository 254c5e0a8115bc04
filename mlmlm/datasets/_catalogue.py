"""What is known of each dataset: its spellings in every source, and its fingerprint."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mlmlm.datasets._dataset import DatasetError
from mlmlm.names import did_you_mean

SPLIT_SEED = 0
"""Of the divisions that are ours: NumPy's ``default_rng(0)``."""


class Source(Enum):
    """Where on the network a dataset is."""

    SCIKIT_MULTILEARN = "the source archive of scikit-multilearn on the package index"
    NAPKINXC = "the source archive of napkinxc on the package index"
    MULAN = "Mulan's public repository"
    MEKA = "MEKA's public repository"


@dataclass(frozen=True)
class Entry:
    """One dataset of the catalogue.

    Parameters
    ----------
    name : str
        The name ``load_dataset`` takes.
    fingerprint : str
        Fingerprint of the arrays the published figures belong to.
    file_spellings : tuple of str
        The names that its files are published under, where they differ.
    source : Source
        Where it is downloaded from.
    sparse : bool
        Whether its features are kept sparse.
    train_rows : int, optional
        Of a dataset that is published without a split, in one file: how many rows are training
        rows, drawn at random by `SPLIT_SEED`; see `random_holdout`.
    """

    name: str
    fingerprint: str
    file_spellings: tuple[str, ...] = ()
    source: Source = Source.SCIKIT_MULTILEARN
    sparse: bool = False
    train_rows: int | None = None

    @property
    def spellings(self) -> tuple[str, ...]:
        """How files and folders may be named, the preferred way first."""
        return (*self.file_spellings, self.name)

    @property
    def archive_stem(self) -> str | None:
        """Stem of the members of scikit-multilearn's archive, which follows Mulan's spelling."""
        return self.spellings[0] if self.source is Source.SCIKIT_MULTILEARN else None


CATALOGUE = (
    Entry("medical", "df74c36177225a642e16ae8a3c794e1677fb04419eeb991c94d81290da450c5c"),
    Entry("emotions", "1cbd5ba4d7cfa334dc9763c3fc2790163ba83c352b94717a6c3f2c7918ee8ed2"),
    Entry("enron", "6feb9aab6504a2165d58ed1184ab5a059379fce49fc1e00239c8dfee72cf9e8f"),
    Entry("scene", "3d48509780ea4f790a6eaf4fc0f8b3e5e0cebeaf74704234c0c84baae902d43c"),
    Entry("yeast", "c4f71e45e3d0e6df7a540115fb01f0d644b52ab1adb3af5aee9e6176b100e291"),
    Entry(
        "corel5k", "21a147e795df3e4b8a4c764af160be762da2ec561ac23b7ac41edb98ba204a39", ("Corel5k",)
    ),
    Entry("bibtex", "e58c0c9e3cc25c00d60a7d1c01e965a749cabe0fdfab0abfdda28d46e31d0a6a"),
    Entry("delicious", "a9e1a62afd92d4f0f4d07470975242c50b417d2b6cb445b47799935704c328dd"),
    Entry(
        "tmc2007",
        "4b7a569b982a7b70896ef7056311e36790ca63d4c1a98062f372895dd84a53a4",
        ("tmc2007-500",),
    ),
    Entry("mediamill", "d7466e94f5653ecd460c7a06e0b74d58b3d6c4651caefff7f354bd84dae81254"),
    Entry(
        "tmc2007_fixed",
        "14f5cd1739761df7720c852fafcc6489d74974752bb1690ad6c6a4ab76cb6013",
        ("tmc2007-fixed",),
        source=Source.MULAN,
    ),
    Entry("genbase", "1b43af8969d836067986dd1075952caa20d453a50c0b3b52f5a2577416162914"),
    Entry(
        "imdb",
        "7f929d28941b07cbbb9a7a5e97030ab06d7a67888d2930dac8b2b9f055f34c7a",
        ("Imdb",),
        source=Source.MEKA,
        sparse=True,
        train_rows=80_000,
    ),
    Entry(
        "eurlex4k",
        "08e74819a96a25160532be0172bc6f7d04b9b94b6a7c4c61a639016519d16e18",
        ("eurlex-4k",),
        source=Source.NAPKINXC,
        sparse=True,
    ),
)


def find_entry(name: str) -> Entry:
    """The entry a name or one of its spellings stands for."""
    wanted = _plain(name)
    for entry in CATALOGUE:
        if wanted in map(_plain, entry.spellings):
            return entry
    known = [entry.name for entry in CATALOGUE]
    raise DatasetError(f"No dataset is called {name!r}. {did_you_mean(wanted, known)}")


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")
