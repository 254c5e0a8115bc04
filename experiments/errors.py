"""Mistakes of the user, told in one line.

A wrong name, key or value ends a command with one line on standard error and exit code 2. Hydra's
own switch, ``HYDRA_FULL_ERROR=1``, shows the traceback instead. Errors that are not the user's are
never shortened; while Hydra makes the configuration, from the command line and the YAML files, all
are the user's.
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException, MissingConfigException
from hydra.types import RunMode
from omegaconf import DictConfig
from omegaconf.errors import ConfigAttributeError, ConfigKeyError, OmegaConfBaseException

from experiments.interrupts import INTERRUPTED, raised
from mlmlm.datasets import DatasetError
from mlmlm.names import did_you_mean

_SWITCH = "HYDRA_FULL_ERROR"
_LOADER = "hydra._internal.config_loader_impl"
_OURS = "MLMLM_ONE_LINE_ERRORS"
USER_ERROR = 2


class UsageError(Exception):
    """Something the user can correct; the message says what and how."""


# What the user can do something about; anything else is a defect, and keeps its traceback.
CORRECTABLE = (UsageError, DatasetError, MemoryError, HydraException, OmegaConfBaseException)


def run_command(command: Callable[[], object]) -> NoReturn:
    """Run a Hydra command and end the process with its exit code."""
    if os.environ.get(_SWITCH) != "1":
        os.environ[_OURS] = "1"
    os.environ[_SWITCH] = "1"  # Hydra then leaves its errors to us, instead of printing them
    _allow_lazy_help()
    try:
        with raised(), one_line_errors(), _usage_unsaid():
            command()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    sys.exit(0)


def _allow_lazy_help() -> None:
    """Let Hydra add an option whose help is made only when it is shown.

    Python 3.14 checks each help as it is added, and refuses what is not a string (hydra #3121).
    """
    argparse.ArgumentParser._check_help = lambda self, action: None  # type: ignore[attr-defined]


@contextmanager
def one_line_errors() -> Iterator[None]:
    """End the process with one line where the user has made a mistake."""
    try:
        yield
    except Exception as error:
        if os.environ.get(_OURS) != "1":  # the user wants to see tracebacks
            raise
        line = describe(error)
        if not isinstance(error, CORRECTABLE):
            if not _is_of_configuration(error):
                raise
            line = f"the configuration cannot be made: {line} (given: {' '.join(sys.argv[1:])})"
        print(f"error: {line}", file=sys.stderr)
        sys.exit(USER_ERROR)


@contextmanager
def _usage_unsaid() -> Iterator[None]:
    """Have a wrong option told in one line, without Hydra's own options before it."""
    usual = argparse.ArgumentParser.error
    argparse.ArgumentParser.error = _refuse_option  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        argparse.ArgumentParser.error = usual  # type: ignore[method-assign]


def _refuse_option(parser: argparse.ArgumentParser, message: str) -> NoReturn:
    raise UsageError(f"{message}; see --help and --hydra-help")


def _is_of_configuration(error: Exception) -> bool:
    """Whether it was raised while Hydra read the command line and the YAML files."""
    frames = (frame for frame, _ in traceback.walk_tb(error.__traceback__))
    return any(frame.f_globals.get("__name__") == _LOADER for frame in frames)


def single_run(task: Callable[[DictConfig], None]) -> Callable[[DictConfig], None]:
    """Let the errors of a task out past Hydra, which would add lines of its own.

    Not in a sweep: there Hydra says which job it was, and the other jobs go on.
    """

    @functools.wraps(task)
    def guarded(config: DictConfig) -> None:
        if HydraConfig.get().mode == RunMode.MULTIRUN:
            task(config)
            return
        with one_line_errors():
            task(config)

    return guarded


def describe(error: BaseException) -> str:
    """One line on what is wrong, with the nearest valid names where a name is."""
    if isinstance(error, MissingConfigException) and error.options:
        group, _, name = str(error.missing_cfg_file).rpartition("/")
        return unknown(group, name, error.options)
    cause = error.__cause__
    for fault in (error, cause):
        if isinstance(fault, ConfigAttributeError | ConfigKeyError) and fault.full_key:
            return _unknown_key(fault)
    text = str(error) if str(error).strip() else type(error).__name__
    if cause is not None and isinstance(error, HydraException) and str(cause) not in text:
        text = f"{text}: {cause}"
    return _one_line(text)


def ends_the_program(error: BaseException) -> str:
    """A sentence on an exception that only a program may raise, not a part of it."""
    code = f"sys.exit({error.code!r})" if isinstance(error, SystemExit) else repr(error)
    return f"it ends the program with {code}"


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """A sentence on a name that does not exist, with those that were probably meant."""
    return f"there is no {kind} {name!r}. {did_you_mean(name, sorted(known))}"


def _unknown_key(error: OmegaConfBaseException) -> str:
    key = str(error.full_key)
    parent = key.rpartition(".")[0]
    prefix = f"{parent}." if parent else ""
    names = [f"{prefix}{name}" for name in error.parent_node or ()]
    return f"there is no key {key!r}. {did_you_mean(key, sorted(names))}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
