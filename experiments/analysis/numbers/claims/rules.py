"""How claims are judged: the same strictness for all of them.

**Words of the text.** A sentence that says which metrics and datasets it is of is taken at its
word. One that does not is read as of all of them, and where a reader may as well take it as of
most of them or of their mean, so too.

- "Highest", "best", "better", "worse" rank: the average rank, ties with their mean rank. A shared
  best rank is a best rank.
- "Statistically", "significant", "differ": Nemenyi's test, two-sided, at the level `LEVEL`. "Equal"
  is not significantly different, which is weak: few datasets find few differences.
- "Outperforms": a better average rank on every metric; and, as another reading, a significantly
  better one.
- "State of the art", "competitive": not significantly behind. Behind whom is a matter of reading:
  RF-PCT, which the text calls the state of the art, or the best reference method of each metric.
  Reference methods have their published values, which were not made on one footing.
- "Clear margin": p below `CLEAR_MARGIN`. A trend between datasets or rows: Spearman's correlation,
  whose test is one-sided, because the text says the direction, at the level `LEVEL`.
- "Similar", "not much", "close": values within `NOT_MUCH` of each other. "Nearly perfect": within
  `NEARLY_PERFECT` of the best possible value. "Balanced": macro F1 is `BALANCED` of micro F1 or
  more.
- Costs: the text's formulas with the sizes of Table 1 in them; and, as another reading, the seconds
  of our runs. These use other algorithms: they tell what a method needs, not whether a formula is
  that of the algorithm that the text describes. One duration is longer than another only by a
  factor of `CLEARLY`, because the machine may have done other work.

**Verdicts.** A claim with several readings holds, or does not, if all readings that can be judged
agree, and depends on the reading if they do not. One that needs values that a view does not have
cannot be judged.

**Weights.** Central is what the abstract, the introduction or the conclusion says, descriptive what
a table has, what a term means or how reference methods do among themselves, and supporting the
rest.
"""

from __future__ import annotations

LEVEL = 0.05
CLEAR_MARGIN = 0.001
NOT_MUCH = 0.02
NEARLY_PERFECT = 0.005
"""Of coverage a share of the best possible value."""
BALANCED = 0.5
CLEARLY = 2.0
LARGE = 4000
"""Training rows from which on a dataset is large enough for its seconds to be compared."""
MANY_LABELS = 300
FEWEST_ROWS = 30
"""Of a category of uncertainty, to compare its accuracy with another's."""

IN_SHORT = (
    "A sentence that does not say which metrics or datasets it is of is read as of all of them; "
    "where it may as well mean most of them or their mean, that is a second reading.",
    "Better and worse are average ranks; significant is Nemenyi's two-sided test at 0.05, and "
    "equal only that it finds no difference. To outperform is to have a better rank on every "
    "metric, or, in a second reading, a significantly better one. Competitive, and state of the "
    "art, is not to be significantly behind: RF-PCT, or the best reference method of each metric. "
    "Reference methods have their published values, which were not made on one footing; the study "
    "`one_footing` has others.",
    "Similar is within 0.02. Trends are Spearman's correlations, with one-sided tests because the "
    "text says the direction.",
    "Costs are judged by the text's formulas, and in a second reading by the seconds of our runs, "
    "which use other algorithms and so tell what a method needs, not what the text describes.",
    "If all readings that can be judged agree, that is the verdict; if not, it depends on the "
    "reading.",
    "Central claims are those that the abstract, the introduction or the conclusion makes; "
    "descriptive ones say what a table has, what a term means, or how reference methods do; the "
    "others are supporting.",
)
"""The same for readers of a report."""
