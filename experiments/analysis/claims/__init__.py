"""The paper's claims one by one: the sentences of its text, checked against its tables and ours.

- `claim_list` has the claims; each reads like its sentence.
- `rank_checks`, `figure_checks` and `run_checks` are the vocabulary they are written in.
- `evidence` is what they are judged by: the published tables, the same with our rows, and these
  without the leak in Tmc2007.
- `section` evaluates them and sets the tables.
"""

from experiments.analysis.claims.section import make

__all__ = ["make"]
