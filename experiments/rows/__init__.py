"""What is known of single test rows, kept beside the study of the paper for its report.

Usage::

    python -m experiments.rows results/paper [dataset ...]

fits the study's datasets again, the corrected Tmc2007 in the place of the leaked one, and writes
for each under ``results/paper/rows``:

``<dataset>.npz``
    An array for each uncertainty of `experiments.rows.uncertainty`, and what it is judged by, with
    an entry for each test row.
``<dataset>.json``
    ``fingerprint`` of the data and ``provenance``, as records have them; why there is no forest if
    there is none (``no_forest``); and what `experiments.rows.dependent_labels` says of LLS-MLM
    (``dependent_labels``), null where exact arithmetic leaves it no choice.

P and the threshold of ML-MLM are those of the study's records.
"""
