"""Engines: where the runs of a study are computed.

A study is cut into tasks (`task`), each of which can run by itself. The serial engine runs them in
this process, one dataset after another. The others run each in a process of its own (`attend`),
with the threads and the memory that it was given: `survey` finds what is to be computed,
`estimates` says what it will need, and `schedule` sees all of it done on a pool, Dask's or Slurm's.

A task writes to the store by itself, under the store's locks, and what is in the store is all that
counts: the folder (`folder`) by which it and the study talk may vanish at any time.
"""
