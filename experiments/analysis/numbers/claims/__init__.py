"""The paper's claims one by one: the sentences of its text, checked against its tables and ours.

- `claim_list` has the claims; each reads like its sentence.
- `rank_checks`, `value_checks` and `run_checks` are the vocabulary they are written in.
- `judging` puts each to the three views of `experiments.analysis.numbers.views`.
"""
