"""What does what: published rows taken apart, and what the weighting of ML-MLM buys."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from experiments.analysis.numbers.metrics import best, metric_heading, metric_words
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.stages import (
    STUDIES,
    mean_steps,
    missing_stages,
    shared_datasets,
    stage_means,
    stages_of,
)
from experiments.analysis.numbers.weighting import STUDY as LOCAL_RCUT
from experiments.analysis.numbers.weighting import by_rule, weighting
from experiments.analysis.sections.parts import Paragraph, Part, Points, Section, Table
from experiments.analysis.sections.words import counted, listed
from experiments.published import title

TITLE = "What does what"
METRICS = ("accuracy", "micro_f1", "hamming_loss", "ranking_loss", "average_precision")
RULES = ("accuracy", "micro_f1", "hamming_loss")
INTRODUCTION = (
    "A published row and the same method on one footing differ in several things at once. Here "
    "they are taken one after the other: run here as published, then with features scaled to "
    "[0, 1], then with the common threshold, then tuned."
)
CAVEATS = (
    "A dash: the row was not run at that stage, or has no scores. Scaling changes nothing for "
    "trees, which are not run at that stage. BR-SVM, CC-SVM and HOMER have C and gamma from a grid "
    "or from the published cells up to scaling, and scikit-learn's defaults at the common "
    "threshold, where no method is tuned."
)


def stages_section(results: StudyResults) -> Section:
    """The tables of the stages, and those of the rules for our own methods."""
    parts: list[Part] = [
        Paragraph(INTRODUCTION),
        Points([*steps_in_words(results), *absent(results)]),
        *(stage_table(results, metric) for metric in METRICS),
        *weighting_parts(results),
    ]
    return Section(TITLE, parts, "make reproduce STUDY=one_footing")


def stage_table(results: StudyResults, metric: str) -> Table:
    means = stage_means(results, metric)
    on = listed(map(title, shared_datasets(stages_of(results, metric))))
    return Table(
        f"stages_{metric}",
        f"What does what: {metric_heading(metric)}",
        means,
        best=means.eq(best(means, metric)),
        note=f"Means over {on}. {CAVEATS}",
        folded=metric not in METRICS[:3],
    )


def steps_in_words(results: StudyResults) -> Iterator[str]:
    """What each step gives the rows that have both of its ends, in accuracy."""
    for stage, step in mean_steps(stage_means(results, "accuracy"), "accuracy").iterrows():
        rows = int(step["rows"])
        if rows:
            yield f"{stage}: {step['gain']:+.3f} of accuracy, the mean of {counted(rows, 'row')}."


def absent(results: StudyResults) -> Iterator[str]:
    for stage in missing_stages(results):
        commands = listed(f"`make reproduce STUDY={study}`" for study in STUDIES[stage])
        yield f"Nothing is here of the stage «{stage}»: {commands}."


def weighting_parts(results: StudyResults) -> Iterator[Part]:
    """ML-MLM beside NN-MLM and the others, under each rule."""
    tables = {metric: by_rule(results, metric) for metric in RULES}
    if tables["accuracy"].empty:
        command = f"`make reproduce STUDY={LOCAL_RCUT}`"
        yield Paragraph(f"What the weighting of ML-MLM buys at equal thresholds: {command}.")
        return
    yield Paragraph(
        "What inverse distance weighting buys over the nearest label vector: with local RCut "
        "ML-MLM predicts as many labels in each row as NN-MLM, and differs in the weighting alone."
    )
    yield Points([words for metric in RULES for words in weighting_in_words(tables, metric)])
    for metric, table in tables.items():
        yield Table(
            f"weighting_{metric}",
            f"Our methods under each rule: {metric_heading(metric)}",
            table,
            best=table.eq(best(table.T, metric), axis=0),
            note="Cardinality: the threshold of the study one_footing, for which the values of "
            "BR-MLM and LLS-MLM are made probabilities.",
        )


def weighting_in_words(tables: dict[str, pd.DataFrame], metric: str) -> Iterator[str]:
    found = weighting(tables[metric], metric)
    if found is not None:
        yield (
            f"On {metric_words(metric)} ML-MLM with local RCut is better than NN-MLM on "
            f"{found.better} of {counted(found.datasets, 'dataset')} and worse on {found.worse} "
            f"(Wilcoxon's test, two-sided, p = {found.p_value:.3f})."
        )
