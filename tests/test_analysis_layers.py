"""The analysis in three layers: each knows those below it, and the runner is none of them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.harness import ROOT

ANALYSIS = "experiments.analysis"
LAYERS = ("numbers", "sections", "document")
"""From the lowest to the highest."""
RUNNER = ("execute", "run", "study", "plan", "task", "collect", "refits", "reliability", "rows")
HANDS_OVER = ("study",)
"""Modules of the runner that may call the analysis."""


def modules(folder: Path) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Full names of all that a module imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def uses(path: Path, module: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for name in imported(path))


@pytest.mark.parametrize("layer", LAYERS)
def test_no_layer_imports_upward(layer):
    above = [*LAYERS[LAYERS.index(layer) + 1 :], "report"]
    paths = modules(Path("experiments/analysis") / layer)
    assert len(paths) > 3
    for path in paths:
        assert not [name for name in above if uses(path, f"{ANALYSIS}.{name}")], path


def test_the_analysis_does_not_import_the_runner():
    for path in modules(Path("experiments/analysis")):
        assert not [name for name in RUNNER if uses(path, f"experiments.{name}")], path


def test_the_runner_imports_the_analysis_only_to_hand_over():
    for path in modules(Path("experiments")):
        if ROOT / "experiments" / "analysis" not in path.parents and path.stem not in HANDS_OVER:
            assert not uses(path, ANALYSIS), path


WRITING = {
    "write_file",
    "write_text",
    "write_bytes",
    "savefig",
    "to_csv",
    "open",
    "unlink",
    "mkdir",
}
READING = {"open", "read_bytes", "read_text", "read_csv", "load", "glob", "iterdir"}
FITTING = {"fit", "fit_from", "load_dataset"}


def called(path: Path) -> set[str]:
    """Names of the functions and methods that a module calls."""
    functions = [node.func for node in ast.walk(ast.parse(path.read_text())) if is_call(node)]
    return {getattr(each, "attr", getattr(each, "id", "")) for each in functions}


def is_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call)


def test_sections_touch_no_file_and_fit_no_model():
    for path in modules(Path("experiments/analysis/sections")):
        assert not called(path) & (WRITING | READING | FITTING), path


def test_numbers_are_read_in_one_place_and_never_written():
    for path in modules(Path("experiments/analysis/numbers")):
        allowed = READING if path.name == "results.py" else set()
        assert not called(path) & (WRITING | READING | FITTING) - allowed, path
