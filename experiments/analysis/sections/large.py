"""Data past the full model's reach: chosen reference points beside what one would use instead."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from experiments.analysis.numbers.costs import seconds_by_dataset
from experiments.analysis.numbers.large import CHOSEN_BY, duels, settings
from experiments.analysis.numbers.metrics import (
    PAPER_METRICS,
    best,
    metric_heading,
    metric_title,
    metric_words,
)
from experiments.analysis.numbers.references import other_methods
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import (
    Gallery,
    Paragraph,
    Part,
    Picture,
    Points,
    Section,
    Table,
)
from experiments.analysis.sections.references import draw
from experiments.analysis.sections.words import counted, listed
from mlmlm.metrics import METRICS

STUDY = "large"
TITLE = "Beside what one would use instead"
COMMAND = f"make reproduce STUDY={STUDY}"
_PAIR = ["dataset", "method", "rival"]
_LOSS = "leave-one-out ranking loss"
_CAPTION = (
    "Seconds to fit and predict. The line goes from few reference points to many; diamond and "
    "cross are the methods that have one setting."
)


def large_section(results: StudyResults) -> Section:
    """Who is better on what, in words and by dataset; all settings; metrics against seconds."""
    runs, others = settings(results), other_methods(results)
    pairs = duels(runs, others)
    if pairs.empty:
        return Section(TITLE, [Paragraph(f"Missing: nothing to compare yet; `{COMMAND}`.")])
    parts: list[Part] = [Paragraph(_fairness(runs)), Points(list(_in_words(pairs)))]
    parts += [*_duel_tables(pairs), *_setting_tables(runs)]
    pictures = [
        Picture(
            f"large_{metric}_by_seconds",
            f"{metric_heading(metric)} against seconds",
            draw(runs, others, metric, "seconds")[0],
            _CAPTION,
        )
        for metric in dict.fromkeys(pairs["metric"])
    ]
    return Section(TITLE, [*parts, Gallery(pictures), _seconds_table(results)])


def findings(results: StudyResults) -> list[str]:
    """On how many metrics each of the others is better, and what it takes."""
    pairs = duels(settings(results), other_methods(results))
    sentences = [
        f"{dataset}: {method} ({_duration(own['seconds'].iloc[0])}) is better than {rival} "
        f"({_duration(own['rival_seconds'].iloc[0])}) on {(own['better'] == method).sum()} of "
        f"{counted(len(own), 'metric')}, worse on {(own['better'] == rival).sum()}."
        for (dataset, method, rival), own in pairs.groupby(_PAIR, sort=False)
    ]
    return sentences or ["There is nothing beside chosen reference points yet."]


def _fairness(runs: pd.DataFrame) -> str:
    """What speaks for one side or the other."""
    tried = listed(f"{count:,.0f}" for count in sorted(runs["references"].unique()))
    ridges = listed(f"{ridge:g}" for ridge in sorted(runs["ridge"].unique()))
    return (
        f"{listed(dict.fromkeys(runs['method']))} was run with {tried} reference points and "
        f"{ridges} times the paper's ridge. Of these settings the one counts that has the smallest "
        "leave-one-out ranking loss, so that no test row has a say. The other methods have one "
        "setting each, which nobody tuned: that is in its favour. So is the common scaling of "
        "features to [0, 1] where they are word counts, as on EurLex: linear models are usually "
        "given rows of unit length there. There is one split, so a small difference may be chance. "
        "Seconds are of fit and prediction together."
    )


def _in_words(pairs: pd.DataFrame) -> Iterator[str]:
    """For each dataset and other method: who is better on which metrics, and at what cost."""
    for (dataset, method, rival), own in pairs.groupby(_PAIR, sort=False):
        wins = {name: own[own["better"] == name] for name in (method, rival)}
        first, second = sorted(wins, key=lambda name: -len(wins[name]))
        sides = [f"{first} is better {_on(wins[first], first)}"]
        if len(wins[second]):
            sides.append(f"{second} {_on(wins[second], second)}")
        even = own.loc[own["better"].isna(), "metric"]
        if len(even):
            sides.append(f"they are even on {listed(map(metric_words, even))}")
        yield f"**{dataset}, {method} and {rival}**: {'; '.join(sides)}. {_costs(own)}"


def _on(won: pd.DataFrame, name: str) -> str:
    """The metrics on which one is better, each with its value and the other's."""
    if won.empty:
        return "on none"
    texts = []
    for row in won.itertuples():
        values = (
            (row.value, row.rival_value) if name == row.method else (row.rival_value, row.value)
        )
        own, other = (f"{value:.{METRICS[row.metric].decimals}f}" for value in values)
        texts.append(f"{metric_words(row.metric)} ({own} to {other})")
    return f"on {listed(texts)}"


def _costs(own: pd.DataFrame) -> str:
    """What the chosen setting takes, what all that were tried, and what the other method."""
    one = own.iloc[0]
    ridge = (
        "the paper's ridge" if one["ridge"] == 1 else f"{one['ridge']:g} times the paper's ridge"
    )
    return (
        f"{one['rival']} takes {_duration(one['rival_seconds'])}, {one['method']} "
        f"{_duration(one['seconds'])} with {one['references']:,.0f} reference points and "
        f"{ridge}, and {_duration(one['tried_seconds'])} with all settings that were tried."
    )


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:,.0f} s"


def _duel_tables(pairs: pd.DataFrame) -> Iterator[Table]:
    """For each dataset and method: metrics by its chosen setting and by the others."""
    groups = pairs.groupby(["dataset", "method"], sort=False)
    for number, ((dataset, method), own) in enumerate(groups, start=1):
        first = own.drop_duplicates("metric").set_index("metric")
        wide = own.pivot(index="metric", columns="rival", values="rival_value").loc[first.index]
        scores = pd.concat([first["value"].rename(method), wide[own["rival"].unique()]], axis=1)
        taken = own.drop_duplicates("rival").set_index("rival")["rival_seconds"]
        taken = pd.concat([pd.Series({method: first["seconds"].iloc[0]}), taken]).map(_duration)
        scores = scores.rename(columns={name: f"{name}, {time}" for name, time in taken.items()})
        yield Table(
            f"large_best_{number}",
            f"{dataset}: {method} and the others",
            scores.rename(index=metric_title),
            best=_bold(scores),
            note="Bold: the best of a metric.",
        )


def _setting_tables(runs: pd.DataFrame) -> Iterator[Table]:
    """For each dataset: the metrics of every setting, and the loss that one is chosen by."""
    for number, (dataset, own) in enumerate(runs.groupby("dataset", sort=False), start=1):
        own = own.sort_values(["ridge", "references"])
        names = [
            f"{row.method}, {row.references:,.0f} reference points, ridge {row.ridge:g}"
            for row in own.itertuples()
        ]
        values = own[[CHOSEN_BY, *PAPER_METRICS, "seconds"]].set_index(
            pd.Index(names, name="setting")
        )
        known = values.dropna(axis=1, how="all")
        yield Table(
            f"large_settings_{number}",
            f"{dataset}: every setting",
            known.rename(columns=_heading),
            form={"seconds": ",.1f", _LOSS: ".4f"},
            note="The setting of the smallest leave-one-out ranking loss stands for the method.",
            folded=True,
        )


def _heading(column: str) -> str:
    if column == CHOSEN_BY:
        return _LOSS
    return metric_title(column) if column in METRICS else column


def _bold(scores: pd.DataFrame) -> pd.DataFrame:
    """The best score of each metric, as printed."""
    bold = {}
    for metric, row in scores.iterrows():
        printed = row.round(METRICS[metric].decimals)
        bold[metric_title(metric)] = printed == best(printed, metric)
    return pd.DataFrame.from_dict(bold, orient="index").rename_axis(scores.index.name)


def _seconds_table(results: StudyResults) -> Table:
    seconds = seconds_by_dataset(results.records, results.method_titles)
    return Table(
        "large_seconds",
        "Seconds to fit and predict",
        seconds.rename(columns=results.dataset_titles),
        form=",.1f",
    )
