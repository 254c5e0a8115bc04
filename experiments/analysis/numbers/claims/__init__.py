"""The paper's claims one by one: the sentences of its text, checked against its tables and ours.

- `abstract` to `appendices` have the claims of a section each: the sentence as the paper has it,
  what it claims, and a check that reads like it. `claim_list` has them all.
- `rank_checks`, `value_checks`, `run_checks`, `refit_checks`, `cost_checks` and `proof_checks` are
  the checks, `vocabulary` what they are of, `rules` how strict they are.
- `judging` puts each claim to the three views of `experiments.analysis.numbers.views`.
"""
