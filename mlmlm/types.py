"""What the arrays of the library hold, by the names that its signatures use."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]
Indices: TypeAlias = NDArray[np.intp]
Integers: TypeAlias = NDArray[np.int64]
Labels: TypeAlias = NDArray[np.uint8]
"""0/1 label matrices as datasets hold them."""

Matrix: TypeAlias = Any
"""A table that may be sparse: a SciPy sparse matrix or anything that NumPy makes an array of."""
