"""What does what: each published row taken apart, one treatment after the other.

A published value and that of the same method on one footing differ for several reasons at once. So
they are told apart by the studies between them: the method run here as it was published, then with
its features scaled, then with the common threshold, then tuned. A method whose features were scaled
all along has the same value at the second of these.
"""

from __future__ import annotations

from functools import reduce

import pandas as pd

from experiments import published
from experiments.analysis.numbers.metrics import lower_is_better
from experiments.analysis.numbers.results import StudyResults

PUBLISHED, LIVE, SCALED, CUT, TUNED = (
    "published",
    "run here as published",
    "scaled",
    "one threshold",
    "tuned",
)
STUDIES = {
    LIVE: ("reference", "paper"),
    SCALED: ("scaled",),
    CUT: ("one_footing",),
    TUNED: ("tuned",),
}
"""The studies that a stage's values are from."""


def stages_of(results: StudyResults, metric: str) -> dict[str, pd.DataFrame]:
    """By stage the values of the paper's rows on its datasets; stages without any are absent."""
    known = {PUBLISHED: published.results_table(metric)}
    for stage, studies in STUDIES.items():
        tables = [_values(results.beside(study), metric) for study in studies]
        known[stage] = reduce(lambda first, other: first.combine_first(other), tables)
    if not known[SCALED].empty:
        live = _values(results.beside("reference"), metric, scaled_already=True)
        own = _values(results.beside("paper"), metric, scaled_already=True)
        known[SCALED] = known[SCALED].combine_first(live).combine_first(own)
    return {stage: table for stage, table in known.items() if not table.empty}


def shared_datasets(stages: dict[str, pd.DataFrame]) -> list[str]:
    """The datasets that every stage has, in the paper's order."""
    return [name for name in stages[PUBLISHED] if all(name in each for each in stages.values())]


def stage_means(results: StudyResults, metric: str) -> pd.DataFrame:
    """Published rows by stages: the mean over the datasets that all stages have.

    Rows that no stage but the published one has are left out.
    """
    stages = stages_of(results, metric)
    datasets = shared_datasets(stages)
    means = {stage: each[datasets].mean(axis=1, skipna=False) for stage, each in stages.items()}
    table = pd.DataFrame(means).reindex(stages[PUBLISHED].index)
    return table.dropna(thresh=2).rename_axis("method")


def mean_steps(means: pd.DataFrame, metric: str) -> pd.DataFrame:
    """By step: how much better the rows get that have both of its stages, and how many these are.

    Positive is better, whichever way the metric goes. A row that was not run scaled, as
    trees are not, for which that changes nothing, is compared with the stage before it.
    """
    sign = -1 if lower_is_better(metric) else 1
    steps, last = {}, means.copy()
    if SCALED in last:
        last[SCALED] = last[SCALED].fillna(last[LIVE])
    for before, after in zip(means.columns, means.columns[1:], strict=False):
        gained = (sign * (means[after] - last[before])).dropna()
        steps[after] = {"gain": gained.mean(), "rows": len(gained)}
    return pd.DataFrame.from_dict(steps, orient="index").astype({"rows": int})


def missing_stages(results: StudyResults) -> list[str]:
    """Stages of which nothing is here."""
    return [stage for stage in STUDIES if stage not in stages_of(results, "accuracy")]


def _values(study: StudyResults, metric: str, scaled_already: bool = False) -> pd.DataFrame:
    """A study's values of the paper's rows on its datasets, of several seeds the mean.

    Where several methods stand for one row, it is the first of the study.
    """
    cells = study.mean_cells
    cells = cells[(cells["metric"] == metric) & cells["published"].notna()]
    if scaled_already:
        cells = cells[cells["method"].isin(_scaled_methods(study))]
    order = {method: place for place, method in enumerate(study.method_titles)}
    cells = cells.sort_values("method", key=lambda names: names.map(order), kind="stable")
    first = cells.drop_duplicates(["published_as", "dataset"])
    return first.pivot(index="published_as", columns="dataset", values="ours")


def _scaled_methods(study: StudyResults) -> set[str]:
    return {each.method for each in study.records if each.parameters.get("scaling") == "minmax"}
