"""ML-MLM's scores taken as probabilities, kept beside the study of the paper for its report.

Usage::

    python -m experiments.reliability results/paper [dataset ...]

fits datasets of the study again, those that are named or else all in its order, and writes for
each ``results/paper/reliability/<dataset>.json``:

``fingerprint``
    Of the data, as records have it.
``power``
    The P of ML-MLM, which is that of the study's record.
``kinds``
    By kind of `experiments.reliability.probabilities` the `experiments.reliability.measures` of its
    probabilities of the test labels.
``identity``
    A hash of P, the data and the code that computed it all. A dataset that has a file of the same
    identity is done, so the command goes on where it was stopped.
``provenance``
    As records have it.
"""
