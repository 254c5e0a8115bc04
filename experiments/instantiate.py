"""From a configuration's ``_target_`` to an object.

A configuration is code: its ``_target_`` may name any callable, which is then called. So use
configurations only from people whose programs you would run. What can do harm without being meant
to, such as a function that removes files, is refused all the same.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterable
from typing import Any

from hydra.errors import InstantiationException
from hydra.utils import instantiate

from experiments.errors import UsageError, describe, ends_the_program
from experiments.identity.parameters import targets

Json = dict[str, Any]
_REFUSED = frozenset(
    [
        "builtins",
        "ctypes",
        "importlib",
        "nt",
        "os",
        "pathlib",
        "posix",
        "runpy",
        "shutil",
        "socket",
        "subprocess",
        "sys",
    ]
)


def make(kind: str, name: str, config: Json) -> Any:
    """What a configuration gives; what is wrong with it is the user's to correct."""
    who = f"{kind} {name!r}"
    if not config.get("_target_"):
        raise UsageError(f"{who}: its configuration has no _target_")
    for target in targets(config):
        _check_target(who, target)
    try:
        return instantiate(config, _convert_="all")
    except InstantiationException as error:
        cause = error.__cause__ or error
        raise UsageError(f"{who}: {describe(cause)}") from cause
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as error:  # sys.exit, and the like
        raise UsageError(f"{who}: {ends_the_program(error)}") from error


def _check_target(who: str, target: str) -> None:
    """Refuse what nobody means, and say what was probably meant."""
    refused = f"{who}: _target_ {target} is refused: it makes no method and no dataset"
    if _is_refused(target):
        raise UsageError(refused)
    found, missing = _import_beginning(who, target)
    if found is None:
        raise UsageError(
            f"{who}: _target_ {target}: there is no module {missing[0]!r}"
            + _suggest(missing[0], _modules_in(None))
        )
    for name in missing:
        if not hasattr(found, name):
            place = getattr(found, "__name__", found)
            known = [*dir(found), *_modules_in(getattr(found, "__path__", ()))]
            raise UsageError(
                f"{who}: _target_ {target}: there is no {name!r} in {place}" + _suggest(name, known)
            )
        found = getattr(found, name)
    if _is_refused(str(getattr(found, "__module__", None))):  # by another name
        raise UsageError(refused)


def _is_refused(name: str) -> bool:
    return name.partition(".")[0] in _REFUSED


def _import_beginning(who: str, target: str) -> tuple[Any, list[str]]:
    """The longest beginning of a dotted name that is a module, and the names that are left."""
    parts = target.split(".")
    found: Any = None
    for end, _ in enumerate(parts, start=1):
        name = ".".join(parts[:end])
        try:
            found = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name:  # it is there, but something that it imports is not
                raise UsageError(f"{who}: {name} cannot be imported: {error}") from error
            return found, parts[end - 1 :]
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # sys.exit, and the like, too
            problem = f"{type(error).__name__}: {error}"
            raise UsageError(f"{who}: {name} cannot be imported: {problem}") from error
    return found, []


def _modules_in(path: Iterable[str] | None) -> list[str]:
    """Modules in the folders of a package; None stands for all that can be imported."""
    return [module.name for module in pkgutil.iter_modules(path)]


def _suggest(name: str, known: Iterable[str]) -> str:
    public = sorted({each for each in known if not each.startswith("_")})
    near = difflib.get_close_matches(name, public)
    return f". Did you mean: {', '.join(near)}?" if near else ""
