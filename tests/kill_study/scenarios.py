"""Under which circumstances studies are killed, and what must hold then.

In all of them no record is corrupt after a kill. The same command then ends well and leaves exactly
what an undisturbed study leaves: the same figures, the same files and no others.
"""

from __future__ import annotations

import functools
import gc
import io
import itertools
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

from experiments import plan
from experiments.errors import USER_ERROR
from tests.harness import Answer
from tests.kill_study import FRESH
from tests.kill_study.findings import Inspector, Tally, Undisturbed, write_older
from tests.kill_study.victim import (
    OPERATIONS,
    Moment,
    Pace,
    Place,
    Victim,
    attend,
    run_here,
    was_killed,
)

_PAGE = 4096  # bytes; a tmpfs hands out whole pages
_PLENTY = 64 * 2**20
_TRIALS_AT_ONE_PACE = 50  # a machine is now more busy, now less


class Trials:
    """Trials of the scenarios, with what they have in common."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._chance = random.Random(seed)
        self._number = 0
        self._logs = itertools.count()
        whole, self._older_place = Place(folder / "whole"), Place(folder / "older")
        OPERATIONS.watch(folder)
        plan._compose = functools.cache(plan._compose)  # half of the seconds of a forked process
        with redirect_stdout(io.StringIO()):
            assert run_here(whole) == 0
        gc.freeze()  # or the collector has every forked process copy the memory
        self._operations = OPERATIONS.count
        self._undisturbed = Undisturbed.look(whole)
        write_older(whole, self._older_place)
        self._older = Undisturbed.look(self._older_place)
        self._pages_needed = sum(
            -(-path.stat().st_size // _PAGE) for path in whole.root.rglob("*") if path.is_file()
        )

    def _measured_pace(self) -> Pace:
        place = Place(self._folder / f"pace{self._number}")
        victim = Victim(place, self._log(place))
        began = time.perf_counter()
        victim.start()
        while victim.attend() and not place.locks.exists():
            time.sleep(0.002)
        locked = time.perf_counter()
        (answer,) = attend([victim])
        assert answer.code == 0, answer.err
        now = time.perf_counter()
        return Pace(now - began, now - locked, self._operations)

    def trial(self, scenario: str, tally: Tally) -> None:
        """One trial; it may end without a kill."""
        if self._number % _TRIALS_AT_ONE_PACE == 0:
            self._pace = self._measured_pace()
        self._number += 1
        root = self._folder / f"{scenario}{self._number}"
        inspector = Inspector(self._undisturbed, self._older, tally)
        getattr(self, f"_{scenario}")(root, inspector, tally)
        for leftover in self._folder.glob(f"{root.name}*"):
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()

    def _empty_store(self, root: Path, inspector: Inspector, tally: Tally) -> None:
        place = Place(root)
        if self._strike(place, inspector, tally):
            self._resume(place, inspector, tally)

    def _forced(self, root: Path, inspector: Inspector, tally: Tally) -> None:
        """Over a complete store: a run that was complete is so at every moment."""
        place = self._with_older_runs(root)
        if self._strike(place, inspector, tally, older=True):
            self._resume(place, inspector, tally)

    def _two_at_once(self, root: Path, inspector: Inspector, tally: Tally) -> None:
        """On one store, into one folder or two; either is killed, or both."""
        places = [Place(root), Place(root, output=self._chance.choice(("study", "other")))]
        doomed = self._chance.choice(((True, False), (False, True), (True, True)))
        victims = [
            self._victim(place) if dies else Victim(place, self._log(place))
            for place, dies in zip(places, doomed, strict=True)
        ]
        victims[0].start()
        time.sleep(self._chance.uniform(0, self._pace.seconds / 2))
        victims[1].start()
        answers = attend(victims)
        killed = [
            place for place, ending in zip(places, answers, strict=True) if was_killed(ending)
        ]
        whole = inspector.whole_records(places[0], root.name)
        tally.kills += len(killed)
        tally.too_late += sum(doomed) - len(killed)
        if len(killed) == 2:  # a survivor completes them all
            tally.complete_at_kill[len(whole)] += 2
        for answer in answers:
            if not was_killed(answer):
                self._check_ending(answer, root.name, tally)
        for place in killed:
            self._resume(place, inspector, tally)
        for place in places:  # also when the other has been resumed
            inspector.finished(place, root.name)

    def _full_disk(self, root: Path, inspector: Inspector, tally: Tally) -> None:
        """Out of space the study ends in one line; what was complete stays; then it finishes."""
        root.mkdir()
        forced = self._chance.random() < 1 / 3
        pages = self._chance.randint(1, self._pages_needed) + forced * self._pages_needed
        with small_disk(root, pages * _PAGE) as enlarge:
            place = self._with_older_runs(root) if forced else Place(root)
            before = inspector.whole_records(place, root.name, older=forced)
            if not self._strike(place, inspector, tally, older=forced):
                return
            before |= inspector.whole_records(place, root.name, older=forced)
            victim = Victim(place, self._log(place))
            victim.start()
            (answer,) = attend([victim])
            self._check_ending(answer, root.name, tally)
            whole = inspector.whole_records(place, root.name, older=forced)
            tally.lost += [f"{root.name}: {name}" for name in sorted(before - whole)]
            enlarge()
            self._resume(place, inspector, tally)

    def _with_older_runs(self, root: Path) -> Place:
        shutil.copytree(self._older_place.root, root, dirs_exist_ok=True)
        return Place(root, force=True)

    def _victim(self, place: Place) -> Victim:
        fresh = self._chance.randrange(FRESH) == 0
        moment = Moment.draw(self._chance, self._pace, fresh)
        return Victim(place, self._log(place), moment, fresh)

    def _log(self, place: Place) -> Path:
        return place.root.with_name(f"{place.root.name}-{next(self._logs)}.log")

    def _strike(
        self, place: Place, inspector: Inspector, tally: Tally, older: bool = False
    ) -> bool:
        """Kill a study and look at its store; false if it ended before."""
        trial = place.root.name
        victim = self._victim(place)
        victim.start()
        (answer,) = attend([victim])
        whole = inspector.whole_records(place, trial, older)
        if older:
            missing = self._older.records.keys() - whole
            tally.lost += [f"{trial}: {name}" for name in sorted(missing)]
        if not was_killed(answer):
            tally.too_late += 1
            self._check_ending(answer, trial, tally)
            return False
        tally.kills += 1
        tally.complete_at_kill[len(whole)] += 1
        return True

    def _check_ending(self, answer: Answer, trial: str, tally: Tally) -> None:
        """A study ends well, or for lack of space with one line that says so."""
        if answer.code == 0:
            return
        lines = answer.err.splitlines()
        if answer.code == USER_ERROR and len(lines) == 1 and "No space left" in lines[0]:
            tally.out_of_space += 1
        else:
            tally.failed.append(f"{trial}: {answer}")

    def _resume(self, place: Place, inspector: Inspector, tally: Tally) -> None:
        """The same command again, to its end."""
        victim = Victim(place, self._log(place))
        victim.start()
        (answer,) = attend([victim])
        if answer.code != 0:
            tally.failed.append(f"{place.root.name}: {answer}")
        else:
            inspector.finished(place, place.root.name)


SCENARIOS = ("empty_store", "forced", "two_at_once", "full_disk")


class CannotMountError(Exception):
    """A file system of a given size needs rights that this process does not have."""


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Callable[[], None]]:
    """A file system of some bytes at a folder; gives what makes it large."""
    _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder))
    try:
        yield lambda: _mount("-o", f"remount,size={_PLENTY}", str(folder))
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def why_no_small_disk() -> str | None:
    """Why no file system can be mounted here; None if one can."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with small_disk(Path(folder), _PAGE):
                return None
        except CannotMountError as error:
            return str(error)


def _mount(*arguments: str) -> None:
    try:
        answer = subprocess.run(["mount", *arguments], capture_output=True, text=True)
    except OSError as error:
        raise CannotMountError(f"mount: {error}") from error
    if answer.returncode:
        raise CannotMountError(answer.stderr.strip())
