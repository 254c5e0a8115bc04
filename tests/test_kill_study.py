"""A few kills in each of the scenarios of the kill test."""

import os
import re
import subprocess
import sys

import pytest

from tests.harness import ROOT
from tests.kill_study.scenarios import SCENARIOS

KILLS = os.environ.get("MLMLM_KILLS", "3")


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_killed_studies_lose_nothing(scenario):
    answer = subprocess.run(
        [sys.executable, "-m", "tests.kill_study", KILLS, "--scenario", scenario],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    if "skipped" in answer.stdout:
        pytest.skip(answer.stdout)
    killed = re.search(rf"{scenario}: (\d+) killed", answer.stdout)
    assert killed and int(killed[1]) >= int(KILLS), answer.stdout
