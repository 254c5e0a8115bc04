"""Where the paper's text and its tables differ, or the text leaves open what the tables decide."""

from __future__ import annotations

import pandas as pd

from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.numbers.text_differences import Difference, differences
from experiments.analysis.sections.parts import Section, Table


def text_differences_section(results: StudyResults) -> Section:
    table = Table(
        "text_differences",
        "The paper's text and its tables",
        pd.DataFrame(differences(results), columns=Difference._fields).set_index("point"),
        note="Our defaults follow the tables. The evidence is counted from this study's records.",
    )
    return Section("Text and tables", [table])
