"""Average ranks, tests and critical-difference diagrams, of the paper's tables and with our rows.

A metric is reproduced if each distance-regression method has a figure on all ten datasets. Any
other method of the study that is as complete takes its row's place too, or is added if the paper
does not have it. What is missing is said. Our figures are rounded to the printed digits: ranks
among rounded figures would else depend on digits that the others do not have.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pandas as pd

from experiments import published
from experiments.analysis.cd_diagram import DISTANCE_REGRESSION, draw_cd_diagram, save_figure
from experiments.analysis.mean_cells import mean_cells
from experiments.analysis.parts import Paragraph, Part, Picture, Section
from experiments.analysis.results import StudyResults
from experiments.analysis.table import Table
from experiments.record import Record
from mlmlm.metrics import METRICS, PAPER_METRICS
from mlmlm.statistics import RankComparison, Significance, compare_ranks

PRINTED_DECIMALS = 3
TESTS = {"chi_square": "χ²", "chi_square_ties": "χ² ties", "f": "F", "f_ties": "F ties"}

published_table = published.results_table


@dataclass(frozen=True)
class Ranks:
    """Comparisons by metric, whose methods are ours, and what is missing."""

    which: str
    comparisons: Mapping[str, RankComparison]
    ours: Sequence[str]
    problems: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def methods(self) -> list[str]:
        """In the order of the paper; those that are not in it come last."""
        ranked = (name for one in self.comparisons.values() for name in one.average_ranks.index)
        return list(dict.fromkeys([*published.results()["method"], *ranked]))

    @property
    def attribute(self) -> str:
        return "as published" if self.which == "published" else "reproduced"


def make(results: StudyResults) -> Section:
    """Everything on the ranks, first as published, then with our rows."""
    theirs, ours = published_ranks(), reproduced_ranks(results.records)
    both = (theirs, ours)
    return Section(
        "Average ranks and tests",
        [
            Paragraph(
                "On each dataset the methods are ranked, 1 is the best, and ties share their mean "
                "rank. If the Friedman test finds that the methods differ, Nemenyi's test compares "
                "the pairs: two methods differ significantly if their average ranks do by the "
                "critical distance (CD) or more."
            ),
            *_remarks(ours),
            *(ranks_table(each, theirs) for each in both),
            *(tests_table(each) for each in both),
            *(groups_table(each) for each in both),
            *(part for each in both for part in diagrams(each, results.folder / "figures")),
            *(part for each in both for part in nemenyi_tables(each)),
        ],
    )


# Comparisons


@cache  # it depends on nothing, and is asked for by several topics of a report
def published_ranks() -> Ranks:
    """Ranks of the paper's own figures."""
    comparisons = {metric: _compare(published_table(metric), metric) for metric in PAPER_METRICS}
    return Ranks("published", comparisons, DISTANCE_REGRESSION)


def reproduced_ranks(records: Sequence[Record]) -> Ranks:
    """Ranks with the figures of a study in the place of the paper's."""
    comparisons: dict[str, RankComparison] = {}
    problems: dict[str, list[str]] = {}
    ours: dict[str, None] = {}
    for metric in PAPER_METRICS:
        table, names, problems[metric] = reproduced_table(metric, records)
        if table is not None:
            comparisons[metric] = _compare(table, metric)
            ours |= dict.fromkeys(names)
    return Ranks("reproduced", comparisons, list(ours), problems)


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


def _our_rows(
    metric: str, records: Sequence[Record], table: pd.DataFrame, needed: Sequence[str]
) -> dict[str, dict[str, pd.Series]]:
    """By row of the table and method of the study: figures by dataset, NaN where there is none."""
    # Data that are not the paper's have other titles, whatever their name.
    titles = [published.title(name) for name in table]
    cells = mean_cells(records).query("table == 'results' and metric == @metric")
    rows: dict[str, dict[str, pd.Series]] = {name: {} for name in needed}
    for method, of_method in cells.groupby("method", sort=False):
        name = of_method["published_as"].iloc[0]
        if pd.isna(name) or name in table.index:
            figures = of_method.set_index("title")["ours"].reindex(titles).set_axis(table.columns)
            if figures.notna().any():
                rows.setdefault(method if pd.isna(name) else name, {})[method] = figures
    return rows


def _problem(name: str, methods: Mapping[str, pd.Series]) -> str | None:
    """Why a row cannot be used, if so."""
    if not methods:
        return f"the study has no figures of {name}"
    if len(methods) > 1:
        return f"the study has more than one {name}: {', '.join(methods)}"
    (values,) = methods.values()
    lacking = values.index[values.isna()]
    return f"{name} lacks {', '.join(lacking)}" if len(lacking) else None


def _compare(table: pd.DataFrame, metric: str) -> RankComparison:
    return compare_ranks(table, METRICS[metric].lower_is_better)


# Tables and diagrams


def ranks_table(ranks: Ranks, theirs: Ranks) -> Table:
    """Methods by metrics; beside ours the published ranks, where they are of the same methods."""
    values = _average_ranks(ranks)
    beside = agrees = None
    if ranks is not theirs:
        beside = _average_ranks(theirs).reindex_like(values)
        same = values.notna().eq(beside.notna()).all() | values.isna().all()
        beside = beside.where(same, axis=1)
        compared = values.notna() & beside.notna()
        agrees = (values - beside).abs().lt(1e-9).astype(object).where(compared, None)
    return Table(
        f"ranks_{ranks.which}",
        f"Average ranks, {ranks.attribute}",
        values,
        form=".2f",
        published=beside,
        agrees=agrees,
        best=values.eq(values.min()),
        note="Bold: the best of a metric. Published ranks are those of the published tables.",
    )


def tests_table(ranks: Ranks) -> Table:
    """By metric: Friedman's and Iman and Davenport's tests, and the critical distance."""
    rows = {METRICS[metric].title: _tests(one) for metric, one in ranks.comparisons.items()}
    values = pd.DataFrame.from_dict(rows, orient="index").rename_axis("metric")
    forms = {name: ".1e" if name.startswith("p ") else ".2f" for name in values}
    return Table(
        f"tests_{ranks.which}",
        f"Tests, {ranks.attribute}",
        values,
        form=forms | {"methods": ".0f", "datasets": ".0f", "α": "g", "CD": ".3f"},
        note="Friedman's χ² and Iman and Davenport's F, as in Demšar (2006) and corrected for "
        "ties; after each the probability p of one as large if no method differs; and Nemenyi's "
        "critical distance (CD) at the level α.",
    )


def groups_table(ranks: Ranks) -> Table:
    """Methods by metrics: the numbers of the groups that a method is in."""
    columns = {
        METRICS[metric].title: {
            method: _groups_of(method, one) for method in one.average_ranks.index
        }
        for metric, one in ranks.comparisons.items()
    }
    return Table(
        f"groups_{ranks.which}",
        f"Groups, {ranks.attribute}",
        _frame(columns, ranks),
        note="Methods that have a group in common do not differ significantly (Nemenyi). The "
        "groups are as large as they can be, and numbered from the best rank on.",
    )


def nemenyi_tables(ranks: Ranks) -> Iterator[Table]:
    """For each metric the p-values of all pairs, in order of rank."""
    for metric, one in ranks.comparisons.items():
        yield Table(
            f"nemenyi_{ranks.which}_{metric}",
            f"Nemenyi p-values of {metric.replace('_', ' ').replace('f1', 'F1')}, "
            f"{ranks.attribute}",
            one.p_values.rename_axis(index="method"),
            best=one.p_values.le(one.alpha),
            note=f"Methods in order of rank. Bold: at most {one.alpha:g}.",
        )


def diagrams(ranks: Ranks, folder: Path) -> Iterator[Picture]:
    """Draw the critical-difference diagram of each metric."""
    for metric, one in ranks.comparisons.items():
        name, title = f"cd_{ranks.which}_{metric}", f"{METRICS[metric].title}, {ranks.attribute}"
        save_figure(draw_cd_diagram(one, title, ranks.ours)[0], folder / name)
        yield Picture(
            name,
            title,
            "Average ranks, the best on the left; bars join methods that do not differ "
            "significantly. Coloured: "
            + ("the distance-regression methods." if ranks.which == "published" else "our rows."),
        )


def _average_ranks(ranks: Ranks) -> pd.DataFrame:
    columns = {
        METRICS[metric].title: one.average_ranks for metric, one in ranks.comparisons.items()
    }
    return _frame(columns, ranks).astype(float)


def _frame(columns: Mapping[str, object], ranks: Ranks) -> pd.DataFrame:
    """Methods by all metrics, those without a comparison included."""
    titles = [METRICS[metric].title for metric in PAPER_METRICS]
    index = pd.Index(ranks.methods, name="method")
    return pd.DataFrame(columns, index=index).reindex(columns=titles)


def _groups_of(method: Hashable, comparison: RankComparison) -> str:
    """First and last group; in order of rank groups are intervals, so all between are its too."""
    numbers = [i for i, group in enumerate(comparison.cliques, start=1) if method in group]
    return "–".join(map(str, dict.fromkeys((numbers[0], numbers[-1]))))


def _tests(comparison: RankComparison) -> dict[str, float]:
    numbers: dict[str, float] = {
        "methods": comparison.n_methods,
        "datasets": comparison.n_datasets,
    }
    for name, title in TESTS.items():
        outcome: Significance = getattr(comparison.friedman, name)
        numbers |= {title: outcome.statistic, f"p of {title}": outcome.p_value}
    return numbers | {"α": comparison.alpha, "CD": comparison.critical_distance}


# Sentences


def _remarks(ranks: Ranks) -> Iterator[Part]:
    """Which rows are ours, and why others are not."""
    if ranks.ours:
        yield Paragraph(
            f"Reproduced are {len(ranks.comparisons)} of {len(PAPER_METRICS)} metrics, with these "
            f"rows of this study: {', '.join(ranks.ours)}; the other rows are as published."
        )
    else:
        yield Paragraph("No metric is reproduced yet.")
    for problem, metrics in _metrics_by_problem(ranks).items():
        yield Paragraph(f"Missing: {problem} ({', '.join(metrics)}).")


def _metrics_by_problem(ranks: Ranks) -> dict[str, list[str]]:
    metrics: dict[str, list[str]] = {}
    for metric, problems in ranks.problems.items():
        for problem in problems:
            metrics.setdefault(problem, []).append(METRICS[metric].title)
    return metrics
