"""Tuning: what every method was given, what was chosen, and what that took."""

from __future__ import annotations

from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.tuning import STUDY, choices, untuned_methods
from experiments.analysis.sections.parts import Paragraph, Part, Section, Table
from experiments.analysis.sections.words import listed

TITLE = "Tuning"
COMMAND = f"make reproduce STUDY={STUDY}"
RULE = (
    "Every method has the same budget of configurations, its own among them, drawn from its search "
    "space, or all of that where it is smaller. They are tried on the same folds of the training "
    "rows by the same metric; on a tie its own stays. Scores are judged by a "
    "metric of ranking, so that no candidate need choose a threshold, which would take several "
    "times as long; a candidate that ranks better and would be cut worse is taken all the same. "
    "The threshold is chosen for the tuned model. Decision values are judged as they are, and made "
    "probabilities afterwards. Methods without scores are judged by their labels."
)
ADVANTAGE = (
    "ML-MLM also chooses its power P, by the closed form of its leave-one-out loss, in every fit: "
    "81 values that no other method is given for nothing. That is an advantage of its own, and "
    "beyond the budget; its ridge is searched like any other parameter."
)


def tuning_section(results: StudyResults) -> Section:
    """The rule, what has nothing to tune, and every choice."""
    values = choices(results)
    if values.empty:
        return Section(TITLE, [Paragraph(f"Missing: nothing was tuned; `{COMMAND}`.")], COMMAND)
    parts: list[Part] = [Paragraph(RULE), Paragraph(ADVANTAGE)]
    if untuned := untuned_methods(results):
        parts.append(Paragraph(f"With nothing to search, and so as they are: {listed(untuned)}."))
    parts.append(
        Table(
            "tuning_choices",
            "What tuning chose",
            values,
            form={"of": "d", "seconds": ".1f"},
            note="Of: configurations tried. Own and best: mean over the folds of the metric, for "
            "the method's own configuration and for the chosen one. Seconds: of the search, which "
            "the costs include.",
        )
    )
    return Section(TITLE, parts, COMMAND)
