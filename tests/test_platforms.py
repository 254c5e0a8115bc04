"""Figures under other settings of BLAS: compared as printed, and the same."""

import sys

import pandas as pd
import pytest

from scripts.platforms.blas import DATASETS, DEBIAN, OUTPUT, WHEEL
from scripts.platforms.comparison import differing, figure_table, summary
from scripts.platforms.figures import POWER

CELLS = OUTPUT.parent / "committed" / "paper" / "tables" / "cells.csv"


@pytest.fixture
def committed() -> pd.DataFrame:
    return pd.read_csv(OUTPUT / "blas.csv", index_col=["dataset", "method", "metric"])


@pytest.mark.parametrize("setting", WHEEL, ids=lambda setting: setting.name)
def test_emotions_is_as_in_the_committed_table(setting, committed):
    run = setting.run([sys.executable], ("emotions",))
    here = figure_table({"here": run["figures"]})
    assert len(here) == 29
    assert run["platform"]["threads"] == setting.threads
    here["committed"] = committed[WHEEL[0].name]
    assert differing(here).empty
    assert "All 29 figures" in summary({"here": run}, here)


def test_committed_settings_print_the_same(committed):
    assert list(committed) == ["published", *(setting.name for setting in (*WHEEL, *DEBIAN))]
    assert committed.groupby("dataset").size().to_dict() == dict.fromkeys(DATASETS, 29)
    assert committed.notna().all(axis=None)
    assert differing(committed).empty


def test_committed_figures_are_those_of_the_study(committed):
    """The harness came to them by another way, on another day."""
    cells = pd.read_csv(CELLS)
    cells = cells[cells["dataset"].isin(DATASETS) & ~cells["metric"].str.startswith("distance")]
    cells["method"] = cells["method"].str.upper().str.replace("_", "-")
    study = cells.set_index(["dataset", "method", "metric"])["ours"]
    # The order of cells is the study's own; only the paper's metrics are compared.
    pd.testing.assert_series_equal(
        committed[WHEEL[0].name], study.loc[committed.index], check_names=False
    )


@pytest.mark.parametrize(
    ("figure", "shift", "differs"),
    [
        ("ML-MLM accuracy", 1e-3, True),
        ("ML-MLM accuracy", 1e-5, False),
        (POWER, 0.1, True),
        (POWER, 1e-3, False),
    ],
)
def test_what_differs_is_what_is_printed_differently(figure, shift, differs):
    base = {POWER: 2.9, "ML-MLM accuracy": 0.6092}
    other = base | {figure: base[figure] + shift}
    table = figure_table({"one": {"emotions": base}, "other": {"emotions": other}})
    expected = [("emotions", *figure.split())] if differs else []
    assert list(differing(table).index) == expected
