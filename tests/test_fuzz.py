"""A minute of the fuzzer, always the same, and the fuzzer itself against planted faults."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fuzz import judgement
from tests.fuzz.campaign import all_targets, replay, run
from tests.fuzz.judgement import Outcome, Target, WrongContentError, judge
from tests.fuzz.mutation import mutate

TARGETS = all_targets()
CASES = 800


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TARGETS)
def test_damaged_files_load_right_or_are_refused_in_one_line(name: str, tmp_path: Path) -> None:
    cases = round(CASES * min(TARGETS[name].share, 1))  # what is slow has a small share
    tally = run([TARGETS[name]], cases, seed=0, findings=tmp_path)[name]
    assert not tally.findings, tally.findings[0].with_suffix(".txt").read_text()
    assert tally.counts.total() == cases
    assert tally.counts[Outcome.NAMED]


@pytest.mark.parametrize("name", TARGETS)
def test_sound_files_load(name: str, tmp_path: Path) -> None:
    for number, sample in enumerate(TARGETS[name].samples):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert judge(TARGETS[name], sample, folder).outcome is Outcome.LOADED


def test_cases_are_reproducible_and_varied() -> None:
    target = TARGETS["csv"]
    cases = [target.case(1, number) for number in range(200)]
    assert cases == [target.case(1, number) for number in range(200)]
    assert len({*cases}) > 150
    assert cases != [target.case(2, number) for number in range(200)]


def test_an_empty_file_can_be_damaged_too() -> None:
    for seed in range(200):
        assert isinstance(mutate(b"", random.Random(seed), [b"x"], [b""]), bytes)


def hang() -> None:
    while True:
        pass


def exhaust() -> None:
    try:
        bytearray(2**40)
    except MemoryError as fault:  # a reader that takes it for a fault of the file
        raise KeyError("one line") from fault


def fail(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    ("act", "outcome"),
    [
        (lambda: None, Outcome.LOADED),
        (lambda: fail(KeyError("one line")), Outcome.NAMED),
        (lambda: fail(KeyError()), Outcome.OTHER),  # it names nothing
        (lambda: fail(TypeError("one line")), Outcome.OTHER),
        (lambda: fail(WrongContentError()), Outcome.WRONG),
        (hang, Outcome.HANG),
        (exhaust, Outcome.MEMORY),
    ],
)
def test_planted_faults_are_found_and_can_be_replayed(act, outcome, tmp_path, monkeypatch):
    monkeypatch.setattr(judgement, "TIME_LIMIT_SECONDS", 0.2)
    target = Target("planted", [b"a,b"], [b"c"], lambda *_: act(), (KeyError,))
    tally = run([target], 2, seed=1, findings=tmp_path)["planted"]
    assert tally.counts == {outcome: 2}
    assert len(tally.findings) == (0 if outcome.is_right else 2)
    for number, path in enumerate(tally.findings):
        assert path.read_bytes() == target.case(1, number)
        assert path.with_suffix(".txt").read_text().startswith(outcome.value)
        assert replay(path, {"planted": target}).outcome is outcome
