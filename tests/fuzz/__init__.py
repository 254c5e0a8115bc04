"""A seeded fuzzer: sound files are damaged at random, and every answer is judged.

A damaged file may load, but then it must hold what an independent reader finds in it; or it is
refused, with an error of ours in one line. Anything else is a fault of the program: a wrong
content, another exception, a hang, a memory blow-up. Usage::

    python -m tests.fuzz --cases 200000 --seed 1
    python -m tests.fuzz --cases 10000 --target csv --target xml
    python -m tests.fuzz --replay fuzz-findings/csv-1-4711

Each module of ``targets`` has ``TARGETS``, kinds of files that it can judge; it is found by being
there.
"""
