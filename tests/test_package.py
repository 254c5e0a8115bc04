"""The wheel and the source distribution: whole, and enough for the README's first example."""

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.test_readme import examples

ROOT = Path(__file__).parents[1]
NOT_SOURCES = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "runs")


def run(*command: object, cwd: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory) -> Path:
    """Made in a copy of the repository, which building would litter."""
    copy = tmp_path_factory.mktemp("package") / "repository"
    shutil.copytree(ROOT, copy, ignore=NOT_SOURCES)
    build = "from setuptools import build_meta; build_meta.build_sdist('dist')"
    run(sys.executable, "-c", build, cwd=copy)
    [archive] = (copy / "dist").iterdir()
    return archive


@pytest.fixture(scope="module")
def wheel(sdist) -> Path:
    """Made of nothing but the source distribution."""
    options = ("--no-deps", "--no-build-isolation", "--no-index")
    run(sys.executable, "-m", "pip", "wheel", *options, sdist.name, cwd=sdist.parent)
    [archive] = sdist.parent.glob("*.whl")
    return archive


def library_files() -> set[str]:
    files = {path.relative_to(ROOT) for path in (ROOT / "mlmlm").rglob("*") if path.is_file()}
    return {path.as_posix() for path in files if "__pycache__" not in path.parts}


def test_sdist_has_the_library_and_its_licence_only(sdist):
    with tarfile.open(sdist) as archive:
        files = {member.name.partition("/")[2] for member in archive if member.isfile()}
    assert files >= library_files() | {"LICENSE", "README.md", "pyproject.toml"}
    folders = {name.partition("/")[0] for name in files if "/" in name}
    assert folders == {"mlmlm", "mlmlm.egg-info"}


def test_wheel_has_every_file_of_the_library(wheel):
    with zipfile.ZipFile(wheel) as archive:
        files = set(archive.namelist())
    assert "mlmlm/py.typed" in files
    described = {name for name in files if ".dist-info/" in name}
    assert files - described == library_files()
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in described)


@pytest.mark.slow
def test_first_example_in_an_empty_environment(wheel, tmp_path):
    venv.create(tmp_path / "environment", with_pip=True)
    python = tmp_path / "environment" / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = (python, "-m", "pip", "--quiet", "--disable-pip-version-check")
    # If a small package cannot be had, no index is within reach; if this one can, all must.
    probe = subprocess.run([*pip, "install", "threadpoolctl"], capture_output=True, text=True)
    if probe.returncode:
        pytest.skip(f"pip reaches no package index: {probe.stderr.strip().splitlines()[-1]}")
    run(*pip, "install", wheel, cwd=tmp_path)
    run(*pip, "check", cwd=tmp_path)
    code, output = examples()[0]
    assert run(python, "-I", "-c", code, cwd=tmp_path) == output
