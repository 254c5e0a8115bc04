"""Java's random numbers, so that a seed means here what it means to Weka and MEKA."""

from __future__ import annotations

_MASK = (1 << 48) - 1


class JavaRandom:
    """The generator ``java.util.Random``: a linear congruence of 48 bits, as Java specifies it.

    Parameters
    ----------
    seed : int
        The seed that Java would take.
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ 0x5DEECE66D) & _MASK

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, Java's ``nextInt(bound)``."""
        if bound & (bound - 1) == 0:  # a power of two: the high bits are the better ones
            return (bound * self._next_31_bits()) >> 31
        while True:
            bits = self._next_31_bits()
            value = bits % bound
            # A last, incomplete run of residues would favour the small ones.
            if bits - value + (bound - 1) < 1 << 31:
                return value

    def shuffled(self, n: int) -> list[int]:
        """The numbers 0 to n - 1 in random order, swapped from the last to the first."""
        items = list(range(n))
        for last in range(n - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items

    def _next_31_bits(self) -> int:
        self._state = (self._state * 0x5DEECE66D + 0xB) & _MASK
        return self._state >> 17
