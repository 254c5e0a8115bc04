"""Which code a run's figures depend on: what its modules import, from file to file.

Modules outside the installed packages, ours and the user's, count by their source, and so does all
that they import, in functions too. Installed packages count by their version, if they compute.

The way goes by names. ``from package import name`` leads through a package whose ``__init__`` does
nothing but import (it is a table of contents) to the module that has the name, so a change of one
method is no change of the others. Everything else counts as a whole.

What is loaded is what was there when it was first looked at, so digests are taken once in a
process.
"""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from experiments.identity.source import digest_of_file, without_docstring

ABSENT = "absent"
# They show, wait, read files or look at the machine: no figure comes from them. A package that is
# not listed here counts.
_NOT_COMPUTING = frozenset(
    [
        "arff",
        "filelock",
        "hydra",
        "joblib",
        "matplotlib",
        "omegaconf",
        "platformdirs",
        "psutil",
        "rich",
        "threadpoolctl",
        "tqdm",
        "typing_extensions",
        "unearth",
    ]
)


# What loads modules by names that only a run knows, or runs code that no file has.
_LOADERS = frozenset(
    [
        "__import__",
        "exec",
        "eval",
        "exec_module",
        "import_module",
        "iter_modules",
        "load_module",
        "resolve_name",
        "run_module",
        "run_path",
        "walk_packages",
    ]
)
OURS = ("experiments", "mlmlm", "scripts", "tests")  # they load nothing that imports do not show


@dataclass(frozen=True)
class Code:
    """Digests of modules and versions of packages, by name."""

    modules: Mapping[str, str]
    packages: Mapping[str, str]


def code_of(names: Iterable[str]) -> Code:
    """The code behind some dotted names of modules, classes or functions."""
    walk = _Walk()
    for name in names:
        module = _longest_module(name)
        attribute = name.removeprefix(module).lstrip(".").partition(".")[0]
        walk.visit(module, frozenset([attribute]) if attribute else None)
    return Code(dict(sorted(walk.modules.items())), dict(sorted(walk.packages.items())))


def loaded_from_outside() -> set[str]:
    """Names of the loaded modules that are of no installed package."""
    files = {name: getattr(module, "__file__", None) for name, module in sys.modules.copy().items()}
    return {name for name, file in files.items() if file and not _is_in_installed(Path(file))}


def loads_by_name(code: Code) -> bool:
    """Whether a module has a way to load others by names that its source does not show."""
    specs = [_locate(name) for name in code.modules if name.partition(".")[0] not in OURS]
    return any(_parse(spec).loads_by_name for spec in specs if spec is not None)


def digest_of_module(name: str) -> str:
    """Digest of a module that is of no installed package; `ABSENT` if there is none."""
    spec = _locate(name)
    return _digest(spec.origin) if spec is not None and _is_source(spec) else ABSENT


class _Walk:
    """A walk along imports that collects what it meets."""

    def __init__(self) -> None:
        self.modules: dict[str, str] = {}
        self.packages: dict[str, str] = {}
        self._visited: set[tuple[str, frozenset[str] | None]] = set()

    def visit(self, module: str, names: frozenset[str] | None) -> None:
        """Count a module of which these names are used; None stands for all of it."""
        if (module, names) in self._visited:
            return
        self._visited.add((module, names))
        top = module.partition(".")[0]
        spec = _locate(module)
        if top in sys.stdlib_module_names:
            return
        if spec is None or _is_installed(spec):
            if top not in _NOT_COMPUTING:
                self.packages.update(_versions(top))
            return
        if parent := module.rpartition(".")[0]:
            self.visit(parent, frozenset())  # its __init__ runs, too
        if not _is_source(spec):  # a folder without __init__
            return
        file = _parse(spec)
        if names is not None and file.is_contents:
            for name in names:
                self._follow(*file.bindings.get(name, (f"{module}.{name}", None)))
        elif module not in self.modules:
            self.modules[module] = _digest(spec.origin)
            for imported in file.imports:
                self._follow(*imported)

    def _follow(self, module: str, name: str | None) -> None:
        if name is None or name == "*":
            self.visit(module, None)
        elif _locate(f"{module}.{name}") is not None:
            self.visit(f"{module}.{name}", None)
        else:
            self.visit(module, frozenset([name]))


@dataclass(frozen=True)
class _File:
    """The syntax tree of a module."""

    tree: ast.Module
    package: str
    is_package: bool

    @cached_property
    def imports(self) -> tuple[tuple[str, str | None], ...]:
        """Module and name of each import; the name is None for ``import module``."""
        return tuple(self._imports(self.tree))

    @cached_property
    def loads_by_name(self) -> bool:
        """Whether it may import a name that is put together, or run code that is."""
        nodes = list(ast.walk(self.tree))
        shown = {
            id(node.func)
            for node in nodes
            if isinstance(node, ast.Call) and _imported_by_call(node)
        }
        return any(
            getattr(node, "attr", getattr(node, "id", None)) in _LOADERS
            for node in nodes
            if id(node) not in shown
        )

    @cached_property
    def is_contents(self) -> bool:
        """Whether it is the ``__init__`` of a package that only imports, and lists what."""
        statements = without_docstring(self.tree.body)
        return self.is_package and all(_only_imports(statement) for statement in statements)

    @cached_property
    def bindings(self) -> dict[str, tuple[str, str | None]]:
        """From a name to the module and the name there that it is imported from."""
        return {
            alias.asname or alias.name: (self._absolute(statement), alias.name)
            for statement in self.tree.body
            if isinstance(statement, ast.ImportFrom)
            for alias in statement.names
        }

    def _imports(self, node: ast.AST) -> Iterator[tuple[str, str | None]]:
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((self._absolute(node), alias.name) for alias in node.names)
        elif isinstance(node, ast.Call) and (name := _imported_by_call(node)):
            yield name, None
        elif isinstance(node, ast.If) and _is_type_checking(node.test):
            for statement in node.orelse:
                yield from self._imports(statement)
            return
        for child in ast.iter_child_nodes(node):
            yield from self._imports(child)

    def _absolute(self, statement: ast.ImportFrom) -> str:
        if not statement.level:
            return statement.module or ""
        base = self.package.split(".")
        kept = base[: len(base) - statement.level + 1]
        return ".".join([*kept, *([statement.module] if statement.module else [])])


def _only_imports(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return all(alias.name != "*" for alias in statement.names)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return bool(targets) and all(isinstance(t, ast.Name) and t.id == "__all__" for t in targets)


def _imported_by_call(call: ast.Call) -> str | None:
    """The module that ``import_module("name")`` or ``__import__("name")`` loads."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name not in ("import_module", "__import__") or not call.args:
        return None
    first = call.args[0]
    literal = first.value if isinstance(first, ast.Constant) else None
    return literal if isinstance(literal, str) and not literal.startswith(".") else None


def _is_type_checking(test: ast.expr) -> bool:
    return getattr(test, "attr", getattr(test, "id", None)) == "TYPE_CHECKING"


def _longest_module(name: str) -> str:
    """The longest beginning of a dotted name that is a module; its first part if none is."""
    parts = name.split(".")
    for end in range(len(parts), 1, -1):
        if _locate(".".join(parts[:end])) is not None:
            return ".".join(parts[:end])
    return parts[0]


@cache
def _locate(name: str) -> ModuleSpec | None:
    """Where a module is; nothing is imported to find out."""
    parent = name.rpartition(".")[0]
    if not parent:
        try:
            return importlib.util.find_spec(name)
        except (ImportError, ValueError):  # ValueError: a module without a specification
            return None
    above = _locate(parent)
    if above is None or above.submodule_search_locations is None:
        return None
    return PathFinder.find_spec(name, list(above.submodule_search_locations))


@cache
def _installed_folders() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    kinds = ("purelib", "platlib", "stdlib", "platstdlib")
    folders = [paths[kind] for kind in kinds] + site.getsitepackages()
    return tuple(Path(folder).resolve() for folder in [*folders, site.getusersitepackages()])


def _is_installed(spec: ModuleSpec) -> bool:
    places = [spec.origin] if spec.has_location else spec.submodule_search_locations or ()
    return all(_is_in_installed(Path(place)) for place in places if place)


@cache
def _is_in_installed(path: Path) -> bool:
    whole = path.resolve()
    return any(whole.is_relative_to(folder) for folder in _installed_folders())


def _is_source(spec: ModuleSpec | None) -> bool:
    return (
        spec is not None
        and spec.has_location
        and Path(spec.origin or "").is_file()
        and not _is_installed(spec)
    )


@cache
def _digest(origin: str | None) -> str:
    assert origin is not None
    return digest_of_file(Path(origin))


def _parse(spec: ModuleSpec) -> _File:
    return _parse_file(spec.name, spec.origin or "", spec.submodule_search_locations is not None)


@cache
def _parse_file(name: str, origin: str, is_package: bool) -> _File:
    try:
        tree = ast.parse(Path(origin).read_bytes())
    except (SyntaxError, ValueError):  # compiled, or broken: it imports nothing that can be seen
        tree = ast.Module([], [])
    return _File(tree, name if is_package else name.rpartition(".")[0], is_package)


@cache
def _versions(package: str) -> dict[str, str]:
    """Versions of the distributions that have a package."""
    found = _distributions().get(package, ())
    return {name: importlib.metadata.version(name) for name in found} or {package: ABSENT}


@cache  # looking through all that is installed takes a while
def _distributions() -> Mapping[str, list[str]]:
    return importlib.metadata.packages_distributions()
