"""Kill running smoke studies at random moments, resume them, compare with an undisturbed one.

Usage::

    python -m tests.kill_study 1000
    python -m tests.kill_study 100 --scenario two_at_once --scenario full_disk

Nearly all of a study's seconds are imports. Therefore this process runs one study itself, and most
of the processes that are killed are forked from it: they are processes like any other, but have
imported everything and read the configuration files already. One in `FRESH` is a new interpreter.

Half of the moments are file operations: the process is killed before it opens a file to write,
renames or removes one. Most of the others lie in the time in which runs are computed and stored,
some anywhere. A process that ends before its moment does not count as killed.
"""

FRESH = 25
