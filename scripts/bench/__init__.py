"""The benchmark: one command, one table, every figure a ratio measured in the same run.

`plan` says what is measured in the quick and in the full form; `against_plain`, `cubic`,
`label_products`, `peers`, `ml_knn`, `growth`, `memory`, `threads` and `ten` each measure one thing
and yield `report.Row`; `plain` is the transcription of the paper's formulas that ours is compared
with.
"""
