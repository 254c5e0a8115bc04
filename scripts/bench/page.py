"""The benchmark's figures that have a bar, as a page to read.

Usage::

    python -m scripts.bench.page

writes ``results/bench/README.md`` from the measurements beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from experiments.store import write_file
from scripts.bench.many_rows import COMPARISON_SECTION
from scripts.bench.report import Bar, format_value

FOLDER = Path(__file__).parents[2] / "results" / "bench"
PAGE = FOLDER / "README.md"
FORMS = {
    "latest": 'make bench BENCH="--full --ten"',
    "quick": "make bench",
    "engines": 'make bench BENCH="--full --only engines stratification '
    '--output results/bench/engines.json"',
    "references": 'make bench BENCH="--full --only references small_fits '
    '--output results/bench/references.json"',
    "many_rows": 'make bench BENCH="--full --only many_rows --output results/bench/many_rows.json"',
    "dask": 'make bench BENCH="--full --only dask_rows --output results/bench/dask.json"',
}
HEAD = "| measured | on | ratio | bar | met | made from |\n|---|---|---:|---:|---|---|"


def page() -> str:
    """The page, by Markdown."""
    parts = [
        "# Speed and memory\n\n"
        "Ratios, each of one run on one machine, with the bar that it should reach. Made by "
        "`python -m scripts.bench.page` from the files beside it."
    ]
    for stem, command in FORMS.items():
        content = json.loads((FOLDER / f"{stem}.json").read_bytes())
        parts.append(f"`{command}`, {stem}.json: {_origin(content)}")
        parts.append("\n".join([HEAD, *_rows(content["rows"])]))
        parts += _comparison(content["rows"])
    return "\n\n".join(parts) + "\n"


def _origin(content: dict[str, Any]) -> str:
    machine = content["machine"]
    stopped = "" if content["finished"] else " Stopped before its end."
    return (
        f"{machine['cpu']}, {machine['usable_threads']} threads, commit {machine['commit'][:12]}, "
        f"load average {content['load_average_at_start']:.1f} at the start.{stopped}"
    )


def _rows(rows: list[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        if row["bar"] is not None:
            cells = (
                f"{row['section']}: {row['what']}",
                row["dataset"],
                format_value(row["value"]),
                str(Bar(**row["bar"])),
                "yes" if row["met"] else "**no**",
                row["note"],
            )
            yield f"| {' | '.join(cells)} |"


def _comparison(rows: list[dict[str, Any]]) -> Iterator[str]:
    """ML-MLM on many rows and what one would use instead, side by side; nothing if not measured."""
    beside = [row for row in rows if row["section"] == COMPARISON_SECTION]
    values: dict[tuple[str, str], dict[str, str]] = {}
    for row in beside:
        method, _, what = row["what"].rpartition(": ")
        values.setdefault((method, row["dataset"]), {})[what] = format_value(row["value"])
    if beside:
        measures = list(dict.fromkeys(what for found in values.values() for what in found))
        lines = [
            f"| {' | '.join([*key, *(found.get(what, '') for what in measures)])} |"
            for key, found in values.items()
        ]
        head = f"| method | on | {' | '.join(measures)} |\n|---|---|{'---:|' * len(measures)}"
        yield (
            "Beside what one would use instead. How good they are says little: the made rows suit "
            "methods that combine known label vectors (`scripts/bench/made_data.py`). Real data, "
            "on some of which others are ahead, are in the study `large`."
        )
        yield "\n".join([head, *lines])


if __name__ == "__main__":
    write_file(PAGE, page().encode())
    print(PAGE)
