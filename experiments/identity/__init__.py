"""The identity of a run: all that its figures depend on, and nothing else.

That is the method's parameters, the numbers of the data, the source of every module outside the
installed packages that computes them, and the versions of the packages that do. What a method is
called, which row of the paper it is compared with and where the data came from change no figure.
"""

from experiments.identity.imports import Code, digest_of_module, loaded_from_outside
from experiments.identity.run_identity import (
    COMPUTATION,
    RunIdentity,
    changed_modules,
    describe_changes,
    describe_code,
    identify,
    unforeseen,
)

__all__ = [
    "COMPUTATION",
    "Code",
    "RunIdentity",
    "changed_modules",
    "describe_changes",
    "describe_code",
    "digest_of_module",
    "identify",
    "loaded_from_outside",
    "unforeseen",
]
