"""Fits that the paper describes but does not tabulate, kept beside its study for the report.

Usage::

    python -m experiments.refits results/paper

writes in some minutes, under ``results/paper/refits``:

``cuts_<dataset>.json``
    Of each dataset of up to 5,000 rows: the same scores cut into labels by three rules, what the
    out-of-sample scores cost that one of them needs, and the share of ML-MLM's weight that the
    nearest label vector has (`cuts`).
``label_sets_<dataset>.json``
    Of the same datasets: how many label sets that training does not have are predicted, and how
    many of them are right (`label_sets`).
``multilateration_<dataset>.json``
    Of those with few labels: how near the answers of NN-MLM and LLS-MLM are to the solution of the
    multilateration problem (`multilateration`).
``leave_one_out_<dataset>.json``
    Of the two smallest: the closed-form leave-one-out beside true ones (`leave_one_out`).
``rounding_<dataset>.json``
    Of the small ones: what the threads of the linear algebra change (`rounding`).
``nearest_inputs_<dataset>.json``
    Of every dataset that the study, or ``leak_free`` beside it, has: whether rows of a large
    predicted distance are far from the training inputs (`nearest_inputs`).
``yeast_powers.json``
    Yeast's test ranking loss as a function of P, with the ridge in the distance regression and
    without it, and eight distances of one of its test rows (`yeast`).
``toy.json``
    A prediction step by step, on four points of a plane (`toy`).

Each file has its ``provenance``, and those of data their ``fingerprint``, as records have.
"""
