"""The README's examples run, and print what it says."""

import re
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).parents[1]
README, COMMITTED = ROOT / "README.md", ROOT / "results" / "committed"


def examples() -> list[tuple[str, str]]:
    """Python code that is followed by its output."""
    return re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", README.read_text(), re.DOTALL)


def test_examples_print_what_the_readme_shows(capsys):
    assert len(examples()) == 1
    namespace: dict[str, object] = {}
    for code, output in examples():
        exec(code, namespace)
        assert capsys.readouterr().out == output


def leaders(study: str, table: str) -> list[str]:
    """By metric the best average rank and, unless it is ML-MLM's, that of ML-MLM."""
    ranks = pd.read_csv(COMMITTED / study / "tables" / f"{table}.csv", index_col="method")
    cells = []
    for metric in ranks:
        best = ranks[metric].min()
        names = ranks.index[np.isclose(ranks[metric], best)]
        name = " and ".join(names).replace(" (default C)", "")
        own = ranks.loc["ML-MLM", metric]
        cells.append(f"ML-MLM {best:.2f}" if name == "ML-MLM" else f"{name} {best:.2f} ({own:.2f})")
    return cells


def test_the_ranks_beside_the_field_are_those_of_the_committed_tables():
    lines = README.read_text().splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("| average rank"))
    shown = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines[start + 2 :][:8]
    ]
    columns = list(zip(*shown, strict=True))[1:]
    tables = {"one_footing": "ranks_shared", "repeated": "ranks", "tuned": "ranks"}
    for column, (study, table) in zip(columns, tables.items(), strict=True):
        assert list(column) == leaders(study, table)
    heads = [int(number) for number in re.findall(r"(\d+) methods", lines[start])]
    tests = {study: table.replace("ranks", "tests") for study, table in tables.items()}
    counted = [
        pd.read_csv(COMMITTED / study / "tables" / f"{table}.csv")["methods"].max()
        for study, table in tests.items()
    ]
    assert heads == counted


def test_no_lead_over_the_next_methods_is_significant():
    """What the paragraph says of the three comparisons."""
    for study, table in (("one_footing", "shared"), ("repeated", ""), ("tuned", "")):
        name = "_".join(part for part in ("ranks", table) if part)
        ranks = pd.read_csv(COMMITTED / study / "tables" / f"{name}.csv", index_col="method")
        tests = pd.read_csv(COMMITTED / study / "tables" / f"{name.replace('ranks', 'tests')}.csv")
        for metric, distance in zip(ranks, tests["CD"], strict=True):
            ordered = ranks[metric].dropna().sort_values()
            assert ordered.iloc[3] - ordered.iloc[0] < distance
