"""How the paper prints its values: the decimals of each table, and what is equal as printed."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

DECIMALS = {"results": 3, "power_distance": 1, "data": 3}
"""By table: those of the metrics, of powers and distances, and of the data's characteristics."""

TOLERANCES = {table: 0.5 * 10.0**-decimals + 1e-9 for table, decimals in DECIMALS.items()}
"""Half of the last digit, and room for the binary representation of decimals."""


def equal_as_printed(ours: float, printed: float, table: str = "results") -> bool:
    """Whether a value of ours rounds to the one of a table."""
    return bool(abs(ours - printed) <= TOLERANCES[table])


def rounded_twice(value: float, decimals: int) -> float:
    """Round first to one digit more than wanted, then to the wanted ones; halves go up.

    It turns 0.20049 into 0.2005 and that into 0.201, and is what becomes of a value that is copied
    from a table with one digit more.
    """
    finer, wanted = Decimal(1).scaleb(-decimals - 1), Decimal(1).scaleb(-decimals)
    first = Decimal(value).quantize(finer, ROUND_HALF_UP)
    return float(first.quantize(wanted, ROUND_HALF_UP))
