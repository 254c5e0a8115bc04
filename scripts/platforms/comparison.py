"""Figures of several settings beside each other, and what differs between them as printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from experiments import published
from experiments.published.printing import TOLERANCES
from scripts.platforms.figures import POWER

Figures = Mapping[str, Mapping[str, float]]
"""By dataset, then by method and metric."""

_KEYS = ["dataset", "method", "metric"]


def figure_table(figures: Mapping[str, Figures]) -> pd.DataFrame:
    """Rows are dataset, method and metric; columns the published figure and each setting's."""
    columns = {
        setting: {
            (dataset, *figure.split()): value
            for dataset, values in datasets.items()
            for figure, value in values.items()
        }
        for setting, datasets in figures.items()
    }
    table = pd.DataFrame(columns).rename_axis(_KEYS)
    table.insert(0, "published", _published())
    return table


def _published() -> pd.Series:
    cells = published.results().set_index(_KEYS)["value"]
    powers = published.power_distance()["log2_power"]
    powers.index = pd.MultiIndex.from_tuples((dataset, *POWER.split()) for dataset in powers.index)
    return pd.concat([cells, powers])


def differing(table: pd.DataFrame) -> pd.DataFrame:
    """The rows, as printed, that are not the same under all settings."""
    printed = _as_printed(table)
    return printed[printed.drop(columns="published").nunique(axis=1) > 1]


def _as_printed(table: pd.DataFrame) -> pd.DataFrame:
    """Figures with the digits of the paper: metrics with three decimals, log2 P with one."""
    digits = _is_power(table).map({True: 1, False: 3})
    return table.apply(lambda row: row.map(f"{{:.{digits[row.name]}f}}".format), axis=1)


def _is_power(table: pd.DataFrame) -> pd.Series:
    return pd.Series(table.index.get_level_values("metric") == POWER.split()[1], table.index)


def summary(runs: Mapping[str, Mapping[str, Any]], table: pd.DataFrame) -> str:
    """The settings, what each of them gives, and whatever differs, in Markdown."""
    datasets = list(table.index.unique("dataset"))
    powers = _as_printed(table)[_is_power(table)]
    metrics = table[~_is_power(table)]
    gaps = metrics.sub(metrics["published"], axis=0).abs()
    heading = [
        *("setting", "Python", "NumPy", "SciPy", "BLAS and LAPACK", "kernels", "threads"),
        "digest of the scores",
        f"log2 P of {', '.join(datasets)}",
        f"metrics that agree with the paper, of {len(metrics)}",
        "largest difference from the first setting",
    ]
    first = next(iter(runs))
    rows = [
        [
            setting,
            *_platform_cells(run["platform"]),
            run["digest"],
            ", ".join(powers[setting]),
            int((gaps[setting] <= TOLERANCES["results"]).sum()),
            f"{(table[setting] - table[first]).abs().max():.1g}",
        ]
        for setting, run in runs.items()
    ]
    return _markdown(heading, rows) + "\n" + _differences(table)


def _platform_cells(platform: Mapping[str, Any]) -> list[str]:
    return [
        platform["python"],
        *(platform["versions"][name] for name in ("numpy", "scipy")),
        *(", ".join(platform[name]) or "none" for name in ("libraries", "kernels")),
        platform["threads"],
    ]


def _differences(table: pd.DataFrame) -> str:
    rows = differing(table)
    if rows.empty:
        return f"All {len(table)} figures are printed the same under all settings.\n"
    said = f"{len(rows)} of {len(table)} figures are not printed the same under all settings:\n\n"
    return said + _markdown([*_KEYS, *rows], rows.reset_index().values.tolist())


def _markdown(heading: list[str], rows: Iterable[list[Any]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
