"""A real Slurm of one node, used as one uses a cluster."""

import os
import re
import subprocess
import sys
import time

import psutil
import pytest

from scripts import slurm_in_a_box
from scripts.slurm_in_a_box import SlurmInABox
from tests.harness import spawn

MODULE = "scripts.slurm_in_a_box"
PATIENCE = 120  # seconds, for what takes a few on an idle machine
EATER = "import time; eaten = b'x' * (400 << 20); time.sleep(600)"


@pytest.fixture
def run(slurm, tmp_path):
    """Run one of Slurm's commands in a folder of the test's own; gives what it prints."""

    def command(*words):
        return subprocess.run(
            list(map(str, words)),
            cwd=tmp_path,
            env=os.environ | slurm.environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=PATIENCE,
        ).stdout.strip()

    return command


@pytest.fixture
def submit(run):
    def submit(command, *options):
        return run("sbatch", "--parsable", "--output=out.txt", *options, f"--wrap={command}")

    return submit


@pytest.fixture
def state_of(run):
    def state_of(job):
        return re.search(r"JobState=(\w+)", run("scontrol", "show", "job", job))[1]

    return state_of


def wait_until(happened):
    limit = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < limit, "Slurm does not get on"
        time.sleep(0.2)


def lives(process):
    """Whether it runs; in a container nobody may collect what has ended."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.slow
def test_srun_runs_a_command(run):
    assert run("srun", "echo", "here") == "here"


@pytest.mark.slow
def test_sbatch_waits_for_its_job(run, tmp_path):
    run("sbatch", "--wait", "--output=out.txt", "--cpus-per-task=1", "--wrap=echo $SLURM_JOB_ID")
    assert (tmp_path / "out.txt").read_text().strip().isdigit()


@pytest.mark.slow
def test_submitit_maps_an_array(slurm, tmp_path, monkeypatch):
    submitit = pytest.importorskip("submitit", reason="needs the extra 'slurm'")
    for name, value in slurm.environment.items():
        monkeypatch.setenv(name, value)
    executor = submitit.AutoExecutor(folder=tmp_path, cluster="slurm")
    # With less time submitit's own early signal would end the jobs.
    executor.update_parameters(timeout_min=5, mem_gb=0.2, cpus_per_task=1)
    jobs = executor.map_array(pow, [2, 3, 4, 5], [2, 2, 2, 2])
    assert [job.result() for job in jobs] == [4, 9, 16, 25]
    assert len({job.job_id.partition("_")[0] for job in jobs}) == 1


@pytest.mark.slow
def test_a_job_over_its_memory_is_killed(submit, state_of, tmp_path):
    job = submit(f'{sys.executable} -c "{EATER}"', "--mem=100")
    wait_until(lambda: state_of(job) not in ("PENDING", "RUNNING", "COMPLETING"))
    assert state_of(job) in ("FAILED", "OUT_OF_MEMORY", "CANCELLED")
    wait_until(lambda: "exceeded memory limit" in (tmp_path / "out.txt").read_text())


@pytest.mark.slow
def test_a_job_within_its_memory_is_not(submit, state_of):
    job = submit(f'{sys.executable} -c "{EATER.replace("600", "6")}"', "--mem=1000")
    wait_until(lambda: state_of(job) not in ("PENDING", "RUNNING", "COMPLETING"))
    assert state_of(job) == "COMPLETED"


@pytest.mark.slow
def test_a_job_is_cancelled(run, submit, state_of):
    job = submit("sleep 600")
    wait_until(lambda: state_of(job) == "RUNNING")
    run("scancel", job)
    wait_until(lambda: state_of(job) == "CANCELLED")


@pytest.mark.slow
def test_a_job_outlives_a_killed_slurmd(slurm, run, submit, state_of, tmp_path):
    job = submit("echo began; until [ -e go ]; do sleep 0.2; done; echo ended")
    output = tmp_path / "out.txt"
    wait_until(lambda: output.exists() and "began" in output.read_text())
    slurm.daemon("slurmd").kill()
    wait_until(lambda: slurm.daemon("slurmd") is None)
    slurm.start_daemon("slurmd")
    assert state_of(job) == "RUNNING"
    (tmp_path / "go").touch()
    wait_until(lambda: state_of(job) == "COMPLETED")
    assert output.read_text().split() == ["began", "ended"]
    slurm.wait_until_ready()
    assert run("srun", "echo", "again") == "again"


@pytest.mark.slow
def test_commands_start_tell_and_stop(slurm, tmp_path):
    """Beside the Slurm of the other tests, with a job that does not want to end."""
    folder = tmp_path / "second"
    box = SlurmInABox(folder)
    on = ("--folder", folder)
    try:
        started = spawn(MODULE, "start", *on, "--cpus", 1, "--memory", 500)
        assert started == (0, f"export SLURM_CONF={folder}/slurm.conf\n", "")
        status = spawn(MODULE, "status", *on)
        assert status.code == 0
        assert re.fullmatch(r"(\w+: process \d+\n){3}node: idle\n", status.out)
        again = spawn(MODULE, "start", *on)
        assert again.code == 2
        assert again.err.startswith(f"error: {folder} is not empty")
        pid = tmp_path / "pid"
        script = f"--wrap=trap '' TERM; echo $$ > {pid}; while true; do sleep 1; done"
        environment = os.environ | box.environment
        subprocess.run(["sbatch", "--output=/dev/null", script], env=environment, check=True)
        wait_until(lambda: pid.exists() and pid.read_text().strip())
        job = psutil.Process(int(pid.read_text()))
        job_and_step_daemon = [job, job.parent()]
        assert job_and_step_daemon[1].name() == "slurmstepd"
        size = subprocess.check_output(["sinfo", "-ho", "%c %m"], env=environment, text=True)
        assert size.split() == ["1", "500"]
    finally:
        stopped = spawn(MODULE, "stop", *on)
    assert stopped == (0, "", "")
    wait_until(lambda: not any(map(lives, job_and_step_daemon)))
    assert not folder.exists()
    assert spawn(MODULE, "status", *on).code == 1
    assert slurm.node_state() == "idle"


@pytest.mark.slow
def test_a_daemon_that_fails_is_told_with_its_log_and_leaves_nothing(slurm, tmp_path, monkeypatch):
    monkeypatch.setattr(
        slurm_in_a_box, "_CONFIGURATION", slurm_in_a_box._CONFIGURATION + "Nonsense=1\n"
    )
    box = SlurmInABox(tmp_path / "third")
    with pytest.raises(slurm_in_a_box.SlurmError, match=r"ended at once; .*\n(.*\n)*.*Nonsense"):
        box.start()
    assert not box.folder.exists()
    assert not any(box.daemon(name) for name in slurm_in_a_box.DAEMONS)


def test_a_foreign_folder_is_left_alone(tmp_path, capsys):
    configuration = tmp_path / "slurm.conf"
    configuration.write_text("ClusterName=theirs\n")
    assert slurm_in_a_box.main(["stop", "--folder", str(tmp_path)]) == 2
    assert "was not made by this command" in capsys.readouterr().err
    assert configuration.exists()


def test_where_slurm_is_not_installed_one_line_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(slurm_in_a_box, "_ADMINISTRATORS_PATH", str(tmp_path))
    assert slurm_in_a_box.main(["start", "--folder", str(tmp_path / "box")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: no munged, slurmctld, slurmd, sinfo here")
    assert error.count("\n") == 1
