"""Weka's classes, in a Java virtual machine that is started when they are first needed."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mlmlm.baselines._extras import MissingExtraError

_HEAP = "-Xmx2g"
_INSTEAD = "or choose the method with scikit-learn's trees"


def weka_class(name: str) -> Any:
    """A class of Java's or Weka's by its full name.

    A process has one virtual machine, for good, and its threads do not survive a fork: a child of a
    process that runs one is refused instead of hanging.
    """
    jpype, owner = _start()
    if owner != os.getpid():
        raise RuntimeError(
            "this process was forked from one that runs Java; start workers with 'spawn' or loky."
        )
    return jpype.JClass(name)


@cache
def _start() -> tuple[Any, int]:
    """The bridge to Java, and the process that the machine runs in."""
    try:
        import jpype
        import weka
    except ImportError as error:
        raise MissingExtraError(
            f"Weka's J48 needs the package python-weka-wrapper3 ({error}): install mlmlm with the "
            f"extra 'java', {_INSTEAD}."
        ) from error
    if not jpype.isJVMStarted():
        try:
            jpype.startJVM(
                _HEAP,
                "-Djava.awt.headless=true",
                "-Dweka.packageManager.loadPackages=false",
                f"-DWEKA_HOME={_weka_home().name}",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",  # else Weka complains on stderr
                classpath=[str(Path(weka.__file__).parent / "lib" / "weka.jar")],
            )
        except (jpype.JVMNotFoundException, OSError) as error:
            cause = str(error).partition("\n")[0]
            raise MissingExtraError(
                f"Weka's J48 needs Java ({cause}): install it or set JAVA_HOME, {_INSTEAD}."
            ) from error
    return jpype, os.getpid()


@cache
def _weka_home() -> TemporaryDirectory[str]:
    """Where Weka keeps its packages; by default it would make a folder in the user's home."""
    return TemporaryDirectory(prefix="weka-")
