"""Sources, cache and the order in which they are asked, on small made-up data."""

from __future__ import annotations

import bz2
import contextlib
import errno
import functools
import hashlib
import http.server
import io
import os
import pickle
import resource
import signal
import tarfile
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from mlmlm.datasets import Dataset, DatasetError, list_datasets, load_dataset
from mlmlm.datasets import _cache as cache
from mlmlm.datasets import _loading as loading
from mlmlm.datasets import _meka_repository as meka_repository
from mlmlm.datasets import _mulan_repository as mulan_repository
from mlmlm.datasets import _napkinxc_archive as napkinxc_archive
from mlmlm.datasets import _package_archive as package_archive
from mlmlm.datasets._catalogue import Entry, Source, find_entry
from mlmlm.datasets._index_settings import read_index_settings

SMALLER = ("medical", "emotions", "enron", "scene", "yeast")
SPARSE = ("imdb", "eurlex4k")
LARGER = ("corel5k", "bibtex", "delicious", "tmc2007", "mediamill")
ARRAYS = {
    "X_train": np.array([[0.25, -1.0], [3.0, 0.1]]),
    "Y_train": np.array([[1, 0], [1, 1]]),
    "X_test": np.array([[0.5, 0.0], [0.0, 1e-9], [7.0, 2.0]]),
    "Y_test": np.array([[0, 0], [0, 1], [1, 0]]),
}


@pytest.fixture
def expected() -> Dataset:
    return Dataset("emotions", **ARRAYS, feature_names=("f", "g"), label_names=("p", "q"))


@pytest.fixture(autouse=True)
def isolated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No ARFF folder, an empty cache, and an index configuration with nothing in it."""
    for variable in os.environ:
        if variable.startswith(("PIP_", "UV_", "MLMLM_")):
            monkeypatch.delenv(variable)
    monkeypatch.setenv("MLMLM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")


@pytest.fixture
def catalogued(monkeypatch: pytest.MonkeyPatch, expected: Dataset) -> None:
    """A catalogue whose Emotions and Tmc2007 are the made-up data."""
    entries = (
        Entry("emotions", expected.fingerprint),
        Entry("tmc2007_fixed", expected.fingerprint, ("tmc2007-fixed",), Source.MULAN),
    )
    monkeypatch.setattr("mlmlm.datasets._catalogue.CATALOGUE", entries)


def write_arff_folder(folder: Path, stem: str = "emotions", xml: str | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    header = "@relation r\n@attribute f numeric\n@attribute g numeric\n"
    header += "@attribute p {0,1}\n@attribute q {0,1}\n@data\n"
    for part in ("train", "test"):
        rows = zip(ARRAYS[f"X_{part}"].tolist(), ARRAYS[f"Y_{part}"].tolist(), strict=True)
        text = "\n".join(",".join(map(repr, [*x, *y])) for x, y in rows)
        (folder / f"{stem}-{part}.arff").write_text(header + text)
    labels = '<labels><label name="q"/><label name="p"/></labels>'
    (folder / (xml or f"{stem}.xml")).write_text(labels)
    return folder


def protocol_zero_arrays(X: np.ndarray, Y: np.ndarray) -> bytes:
    """A protocol 0 pickle as Python 2 wrote it, whose byte strings are escaped text."""

    def array(matrix: np.ndarray) -> bytes:
        rows, columns = matrix.shape
        kind = matrix.dtype.str.lstrip("<|").encode()
        raw = repr(matrix.tobytes())[1:].encode()
        return (
            b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR"
            b"(I1\n(I%d\nI%d\ntcnumpy\ndtype\n(S'%s'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI0\ntb"
            b"I00\nS%s\ntb" % (rows, columns, kind, raw)
        )

    return b"(dS'X'\n" + array(X) + b"sS'y'\n" + array(Y) + b"s."


def write_archive(path: Path, members: dict[str, bytes]) -> str:
    with tarfile.open(path, "w:gz") as tar:
        for stem, content in members.items():
            packed = bz2.compress(content)
            info = tarfile.TarInfo(f"scikit-multilearn-0.0.1/skmultilearn/data/{stem}.dump.bz2")
            info.size = len(packed)
            tar.addfile(info, io.BytesIO(packed))
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place pip would look in, with an archive of made-up data."""
    folder = tmp_path / "index"
    folder.mkdir()
    archive = folder / "scikit-multilearn-0.0.1.tar.gz"
    members = {
        f"emotions-{part}": protocol_zero_arrays(ARRAYS[f"X_{part}"], ARRAYS[f"Y_{part}"])
        for part in ("train", "test")
    }
    monkeypatch.setattr(package_archive, "SHA256", write_archive(archive, members))
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return archive


def test_catalogue_lists_the_papers_ten_and_four_more() -> None:
    assert list_datasets() == (*SMALLER, *LARGER, "tmc2007_fixed", "genbase", *SPARSE)


@pytest.mark.parametrize(
    ("spelling", "name"),
    [("Corel5k", "corel5k"), ("tmc2007-500", "tmc2007"), ("TMC2007-fixed", "tmc2007_fixed")],
)
def test_mulan_spellings(spelling: str, name: str) -> None:
    assert find_entry(spelling).name == name


def test_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(DatasetError, match=r"'emotion'.*emotions"):
        load_dataset("emotion")
    with pytest.raises(DatasetError, match=r"medical.*eurlex4k"):
        load_dataset("zzz")


# The folder of ARFF files


@pytest.mark.usefixtures("catalogued")
@pytest.mark.parametrize("subfolder", ["", "emotions"])
def test_folder_flat_or_nested(tmp_path: Path, expected: Dataset, subfolder: str) -> None:
    write_arff_folder(tmp_path / "arff" / subfolder)
    dataset = load_dataset("emotions", arff_dir=tmp_path / "arff")
    assert dataset.fingerprint == expected.fingerprint
    assert dataset.label_names == ("p", "q")


def test_folder_as_mulan_lays_it_out(tmp_path: Path) -> None:
    place = write_arff_folder(tmp_path / "arff" / "tmc2007", "tmc2007-500", xml="tmc2007.xml")
    files = loading.find_files(tmp_path / "arff", find_entry("tmc2007").spellings)
    assert files is not None
    assert files.train == place / "tmc2007-500-train.arff"
    assert files.xml == place / "tmc2007.xml"


@pytest.mark.usefixtures("catalogued")
def test_folder_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLMLM_ARFF_DIR", str(write_arff_folder(tmp_path / "arff")))
    assert load_dataset("emotions").feature_names == ("f", "g")


def test_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no such folder"):
        load_dataset("emotions", arff_dir=tmp_path / "nowhere")


def test_folder_that_may_not_be_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(path: Any, **_: Any) -> os.stat_result:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", forbidden)
        with pytest.raises(DatasetError, match="no such folder"):
            load_dataset("emotions", arff_dir=tmp_path)


def test_folder_with_half_a_dataset(tmp_path: Path) -> None:
    folder = write_arff_folder(tmp_path / "arff")
    (folder / "emotions-test.arff").unlink()
    with pytest.raises(DatasetError, match=r"emotions-test\.arff: the file is missing"):
        load_dataset("emotions", arff_dir=folder)


def test_other_numbers_than_the_published_are_announced(tmp_path: Path) -> None:
    folder = write_arff_folder(tmp_path / "arff")
    for _ in range(2):  # read from the files, then from the cache
        with pytest.warns(UserWarning, match="not the emotions of the published"):
            load_dataset("emotions", arff_dir=folder)


@pytest.mark.usefixtures("catalogued")
def test_folder_is_converted_once_and_again_when_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_arff_folder(tmp_path / "arff")
    first = load_dataset("emotions", arff_dir=folder)
    with monkeypatch.context() as patch:
        patch.setattr(loading, "read_files", None)
        assert load_dataset("emotions", arff_dir=folder).fingerprint == first.fingerprint
    path = folder / "emotions-train.arff"
    path.write_text(path.read_text().replace("0.25", "0.75"))
    with pytest.warns(UserWarning, match="not the emotions"):
        assert load_dataset("emotions", arff_dir=folder).X_train[0, 0] == 0.75


# The package archive


@pytest.mark.usefixtures("catalogued", "index")
def test_archive_equals_the_folder(tmp_path: Path, expected: Dataset) -> None:
    dataset = load_dataset("emotions")
    assert dataset.fingerprint == expected.fingerprint
    assert dataset.feature_names == ("feature1", "feature2")
    assert dataset.label_names == ("label1", "label2")


@pytest.mark.usefixtures("catalogued")
def test_archive_is_kept_and_then_the_index_is_not_needed(
    index: Path, tmp_path: Path, expected: Dataset
) -> None:
    load_dataset("emotions")
    index.unlink()
    (tmp_path / "cache" / "emotions.npz").unlink()
    assert load_dataset("emotions").fingerprint == expected.fingerprint


@pytest.mark.usefixtures("catalogued", "index")
def test_damaged_copy_of_the_archive_is_downloaded_again(tmp_path: Path, expected: Dataset) -> None:
    copy = tmp_path / "cache" / "scikit-multilearn-0.0.1.tar.gz"
    copy.parent.mkdir()
    copy.write_bytes(b"half of it")
    assert load_dataset("emotions").fingerprint == expected.fingerprint


def test_wrong_checksum(index: Path, tmp_path: Path) -> None:
    index.write_bytes(index.read_bytes()[:-7])
    with pytest.raises(DatasetError, match="sha256"):
        load_dataset("emotions")
    assert not (tmp_path / "cache").exists()


def read_emotions(archive: bytes, fingerprint: str = "") -> Dataset:
    return package_archive.read_archive(
        archive, "emotions", "emotions", fingerprint, progress=False
    )


def test_truncated_archive(index: Path) -> None:
    with pytest.raises(DatasetError, match=r"members emotions: cannot be read .*damaged"):
        read_emotions(index.read_bytes()[:200])


def test_member_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "archive.tar.gz"
    write_archive(path, {})
    with pytest.raises(DatasetError, match=r"cannot be read .*emotions-train\.dump\.bz2"):
        read_emotions(path.read_bytes())


def test_archive_of_other_arrays(index: Path, expected: Dataset) -> None:
    assert read_emotions(index.read_bytes(), expected.fingerprint).name == "emotions"
    with pytest.raises(DatasetError, match="have fingerprint"):
        read_emotions(index.read_bytes(), "another")


@pytest.mark.parametrize(
    ("malice", "words"),
    [
        (b"cposix\nsystem\n(S'true'\ntR.", "posix.system is not admitted"),
        (b"cnumpy\nfromfile\n(S'x'\ntR.", "numpy.fromfile is not admitted"),
        (pickle.dumps({"X": Path("x")}, protocol=4), "cannot be read"),
        (b"(dS'X'\np99999999999\n.", "cannot be read"),  # the unpickler in C asks for 1.6 TB here
        (b"cnumpy\ndtype\n(S'O'\ntR.", "arrays of O are not admitted"),
        (b"cnumpy\nndarray\n((I99999999999\nttR.", "cannot be read"),
    ],
)
def test_pickles_of_anything_but_arrays_are_refused(
    tmp_path: Path, malice: bytes, words: str
) -> None:
    path = tmp_path / "archive.tar.gz"
    write_archive(path, {"emotions-train": malice})
    with pytest.raises(DatasetError, match=words):
        read_emotions(path.read_bytes())


def test_nominal_columns_of_the_archive_are_numbered_as_a_header_would() -> None:
    train, test = np.array([["Q1", "NO"], ["P2", "YES"]]), np.array([["P1", "NO"], ["Q2", "NO"]])
    numbers = package_archive._number_columns(train, test)
    assert [part.tolist() for part in numbers] == [[[2, 0], [1, 1]], [[0, 0], [3, 0]]]


def test_no_index_at_all() -> None:
    with pytest.raises(DatasetError, match=r"not found.*network.*MLMLM_ARFF_DIR"):
        load_dataset("emotions")


def test_no_network(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple/")
    with pytest.raises(DatasetError, match=r"could not be downloaded.*network"):
        load_dataset("emotions")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("variable", "value"),
    [("PIP_TIMEOUT", "soon"), ("PIP_CERT", "absent.pem"), ("PIP_CONFIG_FILE", "wrong.conf")],
)
def test_wrong_settings_of_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.conf").write_text("no section = 1\n")
    monkeypatch.setenv(variable, value)
    with pytest.raises(DatasetError, match="could not be downloaded") as caught:
        load_dataset("emotions")
    assert len(str(caught.value).splitlines()) == 1


# Which index


def test_settings_of_pip_files_and_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration = tmp_path / "pip.conf"
    configuration.write_text(
        "[global]\nindex-url = https://a/simple\nextra-index-url =\n  https://b/simple\n"
        "  https://c/simple\ntimeout = 7\n[install]\ntrusted-host = b\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(configuration))
    monkeypatch.setenv("PIP_NO_INDEX", "0")
    monkeypatch.setenv("PIP_CERT", "bundle.pem")
    settings = read_index_settings()
    assert settings.index_url == "https://a/simple"
    assert settings.extra_index_urls == ("https://b/simple", "https://c/simple")
    assert settings.trusted_hosts == ("b",)
    assert (settings.timeout, settings.no_index) == (7, False)
    assert settings.certificates == "bundle.pem"
    monkeypatch.setenv("PIP_INDEX_URL", "https://d/simple")
    assert read_index_settings().index_url == "https://d/simple"


def test_settings_of_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://a/simple")
    monkeypatch.setenv("UV_INDEX", "mine=https://b/simple https://c/simple?x=1")
    settings = read_index_settings()
    assert settings.index_url == "https://a/simple"
    assert settings.extra_index_urls == ("https://b/simple", "https://c/simple?x=1")


# The public Mulan repository


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A local web server in the place of the repository."""
    folder = write_arff_folder(tmp_path / "web", "tmc2007-500", xml="tmc2007.xml")
    with served(folder) as url:
        monkeypatch.setattr(mulan_repository, "BASE_URL", url)
        yield folder


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a local web server that has the files of a folder."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.usefixtures("catalogued")
def test_repository_serves_what_the_archive_lacks(repository: Path, expected: Dataset) -> None:
    dataset = load_dataset("tmc2007_fixed")
    assert dataset.fingerprint == expected.fingerprint
    assert dataset.label_names == ("p", "q")
    (repository / "tmc2007.xml").unlink()
    assert load_dataset("tmc2007_fixed").fingerprint == expected.fingerprint  # from the cache


def test_repository_with_other_content(repository: Path) -> None:
    with pytest.raises(DatasetError, match="fingerprint"):
        load_dataset("tmc2007_fixed")


def test_repository_without_the_file(repository: Path) -> None:
    (repository / "tmc2007.xml").unlink()
    with pytest.raises(DatasetError, match=r"tmc2007\.xml could not be downloaded.*404"):
        load_dataset("tmc2007_fixed")


def test_repository_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mulan_repository, "BASE_URL", "http://127.0.0.1:9")
    with pytest.raises(DatasetError, match="Check the network"):
        load_dataset("tmc2007_fixed")


# MEKA's file and repository


@pytest.fixture
def divided() -> Dataset:
    """What the small file below must give: three rows of a permutation, and the other two."""
    X = np.array([[1, 0], [0, 0], [0, 2], [0, 0], [5, 0]])
    Y = np.array([[1, 0], [0, 1], [0, 0], [1, 0], [0, 0]])
    order = np.random.default_rng(0).permutation(5)
    train, test = np.sort(order[:3]), np.sort(order[3:])
    X_train, X_test = sp.csr_array(X[train]), sp.csr_array(X[test])
    return Dataset("imdb", X_train, Y[train], X_test, Y[test], ("f", "g"), ("p", "q"))


@pytest.fixture
def meka(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, divided: Dataset) -> Path:
    """A small file in the place of IMDB's, and a catalogue that knows it."""
    path = tmp_path / "meka" / "imdb" / "Imdb.arff.bz2"
    path.parent.mkdir(parents=True)
    header = b"@relation 'IMDB: -C 2'\n@attribute p {0,1}\n@attribute q {0,1}\n"
    header += b"@attribute f numeric\n@attribute g numeric\n@data\n"
    path.write_bytes(bz2.compress(header + b"{0 1,2 1}\n{1 1}\n{3 2}\n{0 1}\n{2 5}"))
    monkeypatch.setattr(meka_repository, "SHA256", hashlib.sha256(path.read_bytes()).hexdigest())
    entry = Entry("imdb", divided.fingerprint, ("Imdb",), Source.MEKA, sparse=True, train_rows=3)
    monkeypatch.setattr("mlmlm.datasets._catalogue.CATALOGUE", (entry,))
    return path


def test_one_file_is_divided_by_a_seeded_permutation(meka: Path, divided: Dataset) -> None:
    dataset = load_dataset("IMDB", arff_dir=meka.parents[1])
    assert dataset.fingerprint == divided.fingerprint
    assert sp.issparse(dataset.X_train)
    assert dataset.label_names == ("p", "q")


def test_one_file_from_the_repository(
    meka: Path, monkeypatch: pytest.MonkeyPatch, divided: Dataset
) -> None:
    with served(meka.parent) as url:
        monkeypatch.setattr(meka_repository, "BASE_URL", url)
        assert load_dataset("imdb").fingerprint == divided.fingerprint
    assert load_dataset("imdb").fingerprint == divided.fingerprint  # from the cache


def test_another_file_in_the_repository(meka: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meka.write_bytes(meka.read_bytes()[:-5])
    with served(meka.parent) as url:
        monkeypatch.setattr(meka_repository, "BASE_URL", url)
        with pytest.raises(DatasetError, match=r"Imdb\.arff\.bz2.*has sha256"):
            load_dataset("imdb")
        meka.unlink()
        with pytest.raises(DatasetError, match=r"could not be downloaded.*404.*MLMLM_ARFF_DIR"):
            load_dataset("imdb")


def test_one_file_with_too_few_rows(meka: Path) -> None:
    rows = bz2.decompress(meka.read_bytes()).splitlines(keepends=True)
    meka.write_bytes(bz2.compress(b"".join(rows[:-2])))
    with pytest.raises(DatasetError, match="3 rows cannot be split into 3 training rows"):
        load_dataset("imdb", arff_dir=meka.parents[1])


# The archive with EurLex-4K


EURLEX = {
    "eurlex_train.txt": b"3 4 2\n0,1 0:0.5 3:2\n 1:1e-3\n1 2:7\n",
    "eurlex_test.txt": b"1 4 2\n1 0:1\n",
}


def put_on_the_index(
    folder: Path, members: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "napkinxc-0.6.2.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members.items():
            info = tarfile.TarInfo(f"napkinxc-0.6.2/python/examples/data/Eurlex/{name}")
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setattr(napkinxc_archive, "SHA256", digest)
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))


def test_eurlex_is_read_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_on_the_index(tmp_path, EURLEX, monkeypatch)
    dataset = napkinxc_archive.download_dataset("eurlex4k", progress=False)
    assert sp.issparse(dataset.X_train)
    assert dataset.X_train.toarray().tolist() == [[0.5, 0, 0, 2], [0, 1e-3, 0, 0], [0, 0, 7, 0]]
    assert dataset.Y_train.tolist() == [[1, 1], [0, 0], [0, 1]]
    assert dataset.X_test.toarray().tolist() == [[1, 0, 0, 0]]
    assert dataset.label_names == ("label1", "label2")
    with pytest.raises(DatasetError, match=r"eurlex4k from the source archive.*has fingerprint"):
        load_dataset("eurlex4k")


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"3 4\n",
        b"2 4 2\n0 0:1\n",  # a row too few
        b"1 4 2\n0 4:1\n",
        b"1 4 2\n2 0:1\n",
        b"1 4 2\n0 -1:1\n",
        b"1 4 2\n0 0:1 1\n",
        b"1 4 2\n0,0 0:1\n",
        b"1 4 2\n0 0:1 0:2\n",
        b"1 4 2\n0 0:nan\n",
        b"1 4 2\nzero 0:1\n",
        b"\xff",
    ],
)
def test_eurlex_that_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    others = {key: value for key, value in EURLEX.items() if key != "eurlex_test.txt"}
    members = others if content is None else others | {"eurlex_test.txt": content}
    put_on_the_index(tmp_path, members, monkeypatch)
    with pytest.raises(DatasetError, match="cannot be read") as caught:
        napkinxc_archive.download_dataset("eurlex4k", progress=False)
    assert len(str(caught.value).splitlines()) == 1


# The cache


@pytest.mark.usefixtures("catalogued")
def test_cache_alone_is_enough_whatever_filled_it(tmp_path: Path, expected: Dataset) -> None:
    load_dataset("emotions", arff_dir=write_arff_folder(tmp_path / "arff"))
    dataset = load_dataset("emotions")
    assert dataset.fingerprint == expected.fingerprint
    assert dataset.label_names == ("p", "q")
    assert not dataset.X_train.flags.writeable


@pytest.mark.usefixtures("catalogued", "index")
@pytest.mark.parametrize("damage", ["cut", "flip", "directory", "empty", "text"])
def test_damaged_cache_is_noticed_and_rebuilt(
    tmp_path: Path, expected: Dataset, damage: str
) -> None:
    load_dataset("emotions")
    path = tmp_path / "cache" / "emotions.npz"
    content = bytearray(path.read_bytes())
    if damage == "cut":
        content = content[:-50]
    elif damage == "flip":
        content[content.index(b"X_train.npy") + 40] ^= 0xFF
    elif damage == "directory":  # the version needed to read it, in the zip's directory
        content[content.rindex(b"PK\1\2") + 6] ^= 0xFF
    else:
        content = bytearray(b"" if damage == "empty" else b"not an archive")
    path.write_bytes(content)
    with pytest.warns(UserWarning, match="damaged"):
        assert load_dataset("emotions").fingerprint == expected.fingerprint
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load_dataset("emotions")


def sealed(content: bytes) -> bytes:
    return content + hashlib.sha256(content).digest()


@pytest.mark.parametrize(
    ("part", "value", "words"),
    [
        ("X_train", np.ones((2, 2)), "fingerprint"),
        ("Y_train_shape", np.array([10**7, 10**7]), "cannot reshape"),
        ("Y_train_shape", np.array([2]), "not enough values"),
        ("X_train", np.array(["a", "b"]), "cannot reshape"),
    ],
)
def test_cache_of_wrong_content_with_a_right_checksum(
    tmp_path: Path, expected: Dataset, part: str, value: np.ndarray, words: str
) -> None:
    cache.store(expected, "source", tmp_path)
    path = tmp_path / "emotions.npz"
    with np.load(path) as content:
        parts = dict(content)
    np.savez_compressed(path, **(parts | {part: value}))
    path.write_bytes(sealed(path.read_bytes()))
    with pytest.warns(UserWarning, match=words):
        assert cache.fetch("emotions", tmp_path) is None


def refuse(*_: Any, **__: Any) -> bytes:
    raise PermissionError(errno.EACCES, "Permission denied")


@pytest.mark.usefixtures("catalogued", "index")
@pytest.mark.parametrize("obstacle", ["folder", "file", "forbidden", "full"])
def test_a_useless_cache_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: Dataset, obstacle: str
) -> None:
    """A folder in the file's place, a file in the folder's, no permission, a full disk."""
    place = tmp_path / "cache"
    if obstacle == "folder":
        (place / "emotions.npz").mkdir(parents=True)
    elif obstacle == "file":
        place.write_text("in the way")
    elif obstacle == "forbidden":  # the tests may run as root, whom no mode stops
        monkeypatch.setattr(Path, "read_bytes", refuse)
        monkeypatch.setattr(Path, "mkdir", refuse)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        with full_disk() if obstacle == "full" else contextlib.nullcontext():
            assert load_dataset("emotions").fingerprint == expected.fingerprint
    messages = [str(warning.message) for warning in seen]
    assert any("emotions.npz cannot be written" in message for message in messages)
    assert all("\n" not in message for message in messages)
    assert not list(tmp_path.rglob("*.tmp"))


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow beyond 100 bytes, as if there were no room for more."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.usefixtures("catalogued", "index")
def test_what_a_killed_process_left_in_the_cache_is_swept(tmp_path: Path) -> None:
    place = tmp_path / "cache"
    place.mkdir()
    (place / ".mediamill.npz.abcdefgh.tmp").write_bytes(b"half of it")
    (place / ".keep").write_bytes(b"")
    load_dataset("emotions")
    assert {path.name for path in place.iterdir()} == {
        *(".keep", "emotions.npz", "scikit-multilearn-0.0.1.tar.gz")
    }


def test_cache_folder_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLMLM_CACHE_DIR")
    assert cache.cache_folder().name == "mlmlm"
