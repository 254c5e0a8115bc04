"""Average ranks and Nemenyi tests of a study, and its critical-difference diagrams.

Usage::

    python -m experiments.analysis.ranks results/paper

writes, for the paper's tables (``published``) and for the same with the study's figures in the
place of theirs (``reproduced``):

- ``tables/ranks_<which>.csv``: by metric, the tests and the average rank of every method;
- ``tables/ranks_<which>.md``: the same to read, and the groups that do not differ significantly;
- ``tables/nemenyi_<which>_<metric>.csv``: p-values of all pairs of methods;
- ``figures/cd_<which>_<metric>.svg``, ``.pdf``, ``.png``: the diagram.

A metric is reproduced if each distance-regression method has a figure on all ten datasets. Any
other method of the study that is as complete takes its row's place too, or is added if the paper
does not have it. What is missing is said in the table. Our figures are rounded to the printed
digits: ranks among rounded figures would else depend on digits that the others do not have.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from experiments import published
from experiments.analysis.cd_diagram import (
    DISTANCE_REGRESSION,
    FORMATS,
    draw_cd_diagram,
    save_figure,
)
from experiments.analysis.tables import markdown, read_records
from experiments.comparison import is_published_data
from experiments.display import ABSENT
from experiments.record import Record, RecordError
from experiments.store import write_file
from mlmlm.metrics import LOWER_IS_BETTER, PAPER_METRICS
from mlmlm.statistics import Comparison, Outcome, compare

PRINTED_DECIMALS = 3


@dataclass(frozen=True)
class Ranks:
    """Comparisons by metric, whose methods are ours, and what is missing."""

    which: str
    comparisons: Mapping[str, Comparison]
    ours: Sequence[str]
    problems: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def methods(self) -> list[str]:
        """In the order of the paper; those that are not in it come last."""
        ranked = (name for one in self.comparisons.values() for name in one.average_ranks.index)
        return list(dict.fromkeys([*published.results()["method"], *ranked]))


def published_ranks() -> Ranks:
    """Ranks of the paper's own figures."""
    comparisons = {metric: _compare(published_table(metric), metric) for metric in PAPER_METRICS}
    return Ranks("published", comparisons, DISTANCE_REGRESSION)


def reproduced_ranks(records: Sequence[Record]) -> Ranks:
    """Ranks with the figures of a study in the place of the paper's."""
    comparisons: dict[str, Comparison] = {}
    problems: dict[str, list[str]] = {}
    ours: dict[str, None] = {}
    for metric in PAPER_METRICS:
        table, names, problems[metric] = reproduced_table(metric, records)
        if table is not None:
            comparisons[metric] = _compare(table, metric)
            ours |= dict.fromkeys(names)
    return Ranks("reproduced", comparisons, list(ours), problems)


def published_table(metric: str) -> pd.DataFrame:
    """The paper's table of a metric: methods by datasets, in its order."""
    rows = published.results().query("metric == @metric")
    table = rows.pivot(index="method", columns="dataset", values="value")
    return table.loc[rows["method"].unique(), rows["dataset"].unique()]


def reproduced_table(
    metric: str, records: Sequence[Record]
) -> tuple[pd.DataFrame | None, list[str], list[str]]:
    """The paper's table with our rows in it, their names, and what is wrong with other rows.

    There is no table where one of the distance-regression methods would still be the paper's.
    """
    table = published_table(metric)
    needed = [name for name in DISTANCE_REGRESSION if name in table.index]
    ours: list[str] = []
    problems: list[str] = []
    for name, methods in _our_rows(metric, records, table, needed).items():
        problem = _problem(name, methods)
        if problem:
            problems.append(problem)
        else:
            table.loc[name] = next(iter(methods.values())).round(PRINTED_DECIMALS)
            ours.append(name)
    return table if set(needed) <= set(ours) else None, ours, problems


def write_ranks(ranks: Ranks, study: Path) -> None:
    """Write everything on some ranks, and remove what was made when more was there."""
    tables, figures = study / "tables", study / "figures"
    text = ranks_frame(ranks).to_csv(float_format="%.6g")
    write_file(tables / f"ranks_{ranks.which}.csv", text.encode())
    write_file(tables / f"ranks_{ranks.which}.md", ranks_text(ranks).encode())
    for metric in PAPER_METRICS:
        p_values = tables / f"nemenyi_{ranks.which}_{metric}.csv"
        diagram = figures / f"cd_{ranks.which}_{metric}"
        comparison = ranks.comparisons.get(metric)
        if comparison is None:
            for path in (p_values, *(diagram.with_suffix(f".{form}") for form in FORMATS)):
                path.unlink(missing_ok=True)
            continue
        write_file(p_values, comparison.p_values.to_csv(float_format="%.6g").encode())
        title = f"{_title(metric)}, {_attribute(ranks)}"
        save_figure(draw_cd_diagram(comparison, title, ranks.ours)[0], diagram)


def ranks_frame(ranks: Ranks) -> pd.DataFrame:
    """By metric: the tests, and the average ranks of the methods; empty where missing."""
    rows = {metric: _tests(one) | _by_name(one) for metric, one in ranks.comparisons.items()}
    frame = pd.DataFrame.from_dict(rows, orient="index").reindex(list(PAPER_METRICS))
    columns = [*(name for name in frame if name not in ranks.methods), *ranks.methods]
    return frame.reindex(columns=columns).rename_axis("metric")


def ranks_text(ranks: Ranks) -> str:
    """Average ranks, tests and groups in Markdown."""
    parts = [
        f"# Average ranks, {_attribute(ranks)}",
        "1 is the best. **Bold**: the best of a metric.",
        *_origin(ranks),
        markdown(_ranks_table(ranks)),
        *_missing(ranks),
    ]
    if ranks.comparisons:
        parts += ["## Tests", markdown(_tests_table(ranks)), "## Groups"]
        parts += ["Methods that do not differ significantly (Nemenyi), as large as they can be."]
        parts += [_groups(metric, one) for metric, one in ranks.comparisons.items()]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m experiments.analysis.ranks results/<study>", file=sys.stderr)
        return 2
    study = Path(arguments[0])
    if not study.is_dir():
        print(f"error: there is no folder {study}; give that of a study", file=sys.stderr)
        return 2
    try:
        records = read_records(study / "records")
    except RecordError as error:
        print(f"error: in {study / 'records'}: {error}", file=sys.stderr)
        return 2
    write_ranks(published_ranks(), study)
    if not records:
        print(f"no records in {study / 'records'}: only the published ranks are made")
        return 0
    ranks = reproduced_ranks(records)
    write_ranks(ranks, study)
    print(f"reproduced: {len(ranks.comparisons)} of {len(PAPER_METRICS)} metrics")
    for line in _problem_lines(ranks):
        print(line)
    return 0


# Our rows


def _our_rows(
    metric: str, records: Sequence[Record], table: pd.DataFrame, needed: Sequence[str]
) -> dict[str, dict[str, pd.Series]]:
    """By row of the table and method of the study: figures by dataset, NaN where there is none."""
    values: dict[str, dict[str, dict[str, float]]] = {name: {} for name in needed}
    for record in records:
        if metric not in record.metrics or not is_published_data(record):
            continue
        if record.published_as is None or record.published_as in table.index:
            row = values.setdefault(record.published_as or record.method, {})
            row.setdefault(record.method, {})[record.dataset] = record.metrics[metric]
    return {
        name: {key: pd.Series(row).reindex(table.columns) for key, row in methods.items()}
        for name, methods in values.items()
    }


def _problem(name: str, methods: Mapping[str, pd.Series]) -> str | None:
    """Why a row cannot be used, if so."""
    if not methods:
        return f"the study has no figures of {name}"
    if len(methods) > 1:
        return f"the study has more than one {name}: {', '.join(methods)}"
    (values,) = methods.values()
    lacking = values.index[values.isna()]
    return f"{name} lacks {', '.join(lacking)}" if len(lacking) else None


def _compare(table: pd.DataFrame, metric: str) -> Comparison:
    return compare(table, metric in LOWER_IS_BETTER)


# Tables and texts


def _tests(comparison: Comparison) -> dict[str, float]:
    friedman = comparison.friedman
    numbers: dict[str, float] = {
        "methods": comparison.n_methods,
        "datasets": comparison.n_datasets,
        "alpha": comparison.alpha,
        "critical_distance": comparison.critical_distance,
    }
    for name in ("chi_square", "chi_square_ties", "f", "f_ties"):
        outcome: Outcome = getattr(friedman, name)
        numbers |= {name: outcome.statistic, f"{name}_p": outcome.p_value}
    return numbers


def _by_name(comparison: Comparison) -> dict[str, float]:
    return {str(name): float(rank) for name, rank in comparison.average_ranks.items()}


def _ranks_table(ranks: Ranks) -> pd.DataFrame:
    """Methods by metrics, as text."""
    columns = {}
    for metric in PAPER_METRICS:
        comparison = ranks.comparisons.get(metric)
        values = {} if comparison is None else _by_name(comparison)
        best = min(values.values(), default=None)
        columns[_title(metric)] = [_rank_text(values.get(name), best) for name in ranks.methods]
    return pd.DataFrame(columns, index=pd.Index(ranks.methods, name="method"))


def _rank_text(rank: float | None, best: float | None) -> str:
    if rank is None:
        return ABSENT
    return f"**{rank:.2f}**" if rank == best else f"{rank:.2f}"


def _tests_table(ranks: Ranks) -> pd.DataFrame:
    """Metrics by tests, as text."""
    rows = {
        _title(metric): {
            "methods": str(one.n_methods),
            "datasets": str(one.n_datasets),
            "Friedman χ²": _outcome_text(one.friedman.chi_square),
            "with ties": _outcome_text(one.friedman.chi_square_ties),
            "Iman-Davenport F": _outcome_text(one.friedman.f),
            "F with ties": _outcome_text(one.friedman.f_ties),
            f"CD (α = {one.alpha:g})": f"{one.critical_distance:.3f}",
        }
        for metric, one in ranks.comparisons.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("metric")


def _outcome_text(outcome: Outcome) -> str:
    return f"{outcome.statistic:.2f} (p = {outcome.p_value:.1e})"


def _groups(metric: str, comparison: Comparison) -> str:
    lines = ["- " + ", ".join(map(str, clique)) for clique in comparison.cliques]
    return "\n".join([f"### {_title(metric)}", "", *lines])


def _origin(ranks: Ranks) -> Iterator[str]:
    if ranks.which == "reproduced" and ranks.ours:
        yield f"From this study: {', '.join(ranks.ours)}; the other rows are as published."


def _missing(ranks: Ranks) -> Iterator[str]:
    lines = [f"- {line}" for line in _problem_lines(ranks)]
    if lines:
        yield "\n".join(["## Missing", "", *lines])


def _problem_lines(ranks: Ranks) -> list[str]:
    """Each problem once, with the metrics it is a problem of."""
    metrics: dict[str, list[str]] = {}
    for metric, problems in ranks.problems.items():
        for problem in problems:
            metrics.setdefault(problem, []).append(metric.replace("_", " "))
    return [f"{problem} ({', '.join(names)})" for problem, names in metrics.items()]


def _attribute(ranks: Ranks) -> str:
    return "as published" if ranks.which == "published" else ranks.which


def _title(metric: str) -> str:
    words = metric.replace("_", " ").replace("f1", "F1")
    return words[0].upper() + words[1:]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
