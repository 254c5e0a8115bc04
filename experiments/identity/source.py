"""Source code as figures depend on it: comments, docstrings and layout apart.

The digest is of the syntax tree. Positions are left out, and so is everything empty: later versions
of Python add fields that are empty in today's code, and the same code must have the same digest
under each of them.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

_LENGTH = 12
_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
# Whether a name is read or written follows from where it stands, and the letter before a string
# constant from nothing that matters.
_REDUNDANT = {"ctx", "kind", "type_comment", "type_ignores"}


def digest_of_file(path: Path) -> str:
    """Digest of what a file computes; of its bytes where it is no Python that can be parsed."""
    content = path.read_bytes()
    if path.suffix == ".py":
        try:
            return digest_of_tree(ast.parse(content))
        except (SyntaxError, ValueError):
            pass
    return _digest(content)


def digest_of_tree(tree: ast.AST) -> str:
    """Digest of a syntax tree."""
    return _digest("\n".join(_spell(tree)).encode())


def _spell(node: ast.AST) -> Iterator[str]:
    """The tree, spelled out in a way that is the same under every version of Python."""
    yield f"({type(node).__name__}"
    for name, value in ast.iter_fields(node):
        if name in _REDUNDANT or value is None or value == []:
            continue
        if name == "body" and isinstance(node, _WITH_DOCSTRING):
            value = without_docstring(value)
        yield name
        yield from _spell_value(value)
    yield ")"


def _spell_value(value: object) -> Iterator[str]:
    if isinstance(value, ast.AST):
        yield from _spell(value)
    elif isinstance(value, list):
        yield "["
        for each in value:
            yield from _spell_value(each)
        yield "]"
    else:
        yield f"{type(value).__name__} {value!r}"


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements without the string that documents them."""
    first = body[0] if body else None
    documented = (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )
    return body[1:] if documented else body


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_LENGTH]
