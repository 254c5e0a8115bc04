"""Rounding in two steps, which turns 0.20049 into 0.2005 and that into 0.201.

It is what becomes of a figure that is copied from a table with one digit more.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def rounded_twice(value: float, decimals: int) -> float:
    """First to one digit more than wanted, then to the wanted ones; halves go up."""
    finer, wanted = Decimal(1).scaleb(-decimals - 1), Decimal(1).scaleb(-decimals)
    first = Decimal(value).quantize(finer, ROUND_HALF_UP)
    return float(first.quantize(wanted, ROUND_HALF_UP))
