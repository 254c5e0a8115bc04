"""Random damage to the bytes of a file."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

_NUMBER = re.compile(rb"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_EXTREMES = (
    *(b"0", b"-0", b"1", b"-1", b"2", b"0.5", b"1.7", b"+1", b"01", b" 1 ", b"", b"?"),
    *(b"1e999", b"-1e999", b"1e-400", b"nan", b"-inf", b"Infinity", b"0x10", b"1_000", b"1,5"),
    *(b"255", b"256", b"65536", b"2147483648", b"4294967295", b"99999999999", b"9" * 400),
    *("٣".encode(), b"True", b"false", b"None"),
)


def mutate(
    content: bytes, rng: random.Random, tokens: Sequence[bytes], others: Sequence[bytes]
) -> bytes:
    """Damage a content in one to four ways.

    Parameters
    ----------
    content : bytes
        A sound file.
    rng : random.Random
        What decides.
    tokens : sequence of bytes
        Words of the format, to be put where they may not belong.
    others : sequence of bytes
        Other files of the kind, to take pieces of.
    """
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        kind = rng.randrange(len(_OPERATIONS) + 2)
        if kind < len(_OPERATIONS):
            content = _OPERATIONS[kind](content, rng)
        elif kind == len(_OPERATIONS):
            content = _put_token(content, rng, tokens)
        else:
            content = _splice(content, rng, rng.choice(others))
    return content


def _span(content: bytes, rng: random.Random) -> tuple[int, int]:
    """A piece of the content, short more often than long."""
    start = rng.randrange(len(content) + 1)
    length = rng.randrange(1, 2 + int(len(content) ** rng.random()))
    return start, min(start + length, len(content))


def _flip_bit(content: bytes, rng: random.Random) -> bytes:
    return _put_byte(content, rng, lambda byte: byte ^ (1 << rng.randrange(8)))


def _replace_byte(content: bytes, rng: random.Random) -> bytes:
    return _put_byte(content, rng, lambda _: rng.randrange(256))


def _put_byte(content: bytes, rng: random.Random, change: Callable[[int], int]) -> bytes:
    if not content:
        return content
    position = rng.randrange(len(content))
    return content[:position] + bytes([change(content[position])]) + content[position + 1 :]


def _insert_bytes(content: bytes, rng: random.Random) -> bytes:
    position = rng.randrange(len(content) + 1)
    return content[:position] + rng.randbytes(rng.randrange(1, 9)) + content[position:]


def _truncate(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _delete(content: bytes, rng: random.Random) -> bytes:
    start, end = _span(content, rng)
    return content[:start] + content[end:]


def _duplicate(content: bytes, rng: random.Random) -> bytes:
    start, end = _span(content, rng)
    return content[:end] + content[start:end] * rng.choice((1, 1, 2, 50)) + content[end:]


def _move(content: bytes, rng: random.Random) -> bytes:
    start, end = _span(content, rng)
    rest = content[:start] + content[end:]
    position = rng.randrange(len(rest) + 1)
    return rest[:position] + content[start:end] + rest[position:]


def _change_lines(content: bytes, rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            lines[one], lines[other] = lines[other], lines[one]
        case 1:
            lines.insert(other, lines[one])
        case 2:
            del lines[one]
        case _:
            lines.insert(one, b"")
    return b"\n".join(lines)


def _change_fields(content: bytes, rng: random.Random) -> bytes:
    """As ``_change_lines``, with the fields of one line: columns that shift, repeat, go missing."""
    lines = content.split(b"\n")
    line = rng.randrange(len(lines))
    fields = _change_lines(lines[line].replace(b",", b"\n"), rng)
    lines[line] = fields.replace(b"\n", b",")
    return b"\n".join(lines)


def _change_number(content: bytes, rng: random.Random) -> bytes:
    numbers = list(_NUMBER.finditer(content))
    if not numbers:
        return content
    match = rng.choice(numbers)
    return content[: match.start()] + rng.choice(_EXTREMES) + content[match.end() :]


def _put_token(content: bytes, rng: random.Random, tokens: Sequence[bytes]) -> bytes:
    start, end = _span(content, rng)
    end = rng.choice((start, end))  # inserted, or in the place of a piece
    return content[:start] + rng.choice(tokens) + content[end:]


def _splice(content: bytes, rng: random.Random, other: bytes) -> bytes:
    start, end = _span(other, rng)
    first, last = _span(content, rng)
    return content[:first] + other[start:end] + content[last:]


_OPERATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(_flip_bit, _replace_byte, _insert_bytes, _truncate, _delete, _duplicate, _move),
    *(_change_lines, _change_fields, _change_number),
)
