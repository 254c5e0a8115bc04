"""A real Slurm of one node on this machine, for tests: started and stopped by one command.

Usage::

    eval "$(python -m scripts.slurm_in_a_box start --folder DIR)"   # sets SLURM_CONF
    srun hostname
    python -m scripts.slurm_in_a_box status --folder DIR
    python -m scripts.slurm_in_a_box stop --folder DIR

It needs Debian's packages ``slurm-wlm`` and ``munge`` and root, but no systemd, no control groups
and no accounting database, so that it runs in a plain container. The folder holds everything: key,
configuration, state and logs. Ports are free ones, so that boxes in several folders do not meet.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import psutil

DAEMONS = ("munged", "slurmctld", "slurmd")  # in the order in which each needs the one before
PATIENCE = 60.0  # seconds, for what takes one or two on an idle machine
_ADMINISTRATORS_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
_LONGEST_SOCKET = 107  # bytes in the name of a Unix socket

_CONFIGURATION = """\
ClusterName=box
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=2
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class SlurmError(Exception):
    """Slurm cannot be had here; the message says why."""


@dataclass(frozen=True)
class Size:
    """What the node offers: processors, and memory in MiB."""

    cpus: int
    memory: int

    @classmethod
    def of_this_machine(cls) -> Size:
        """What slurmd itself finds: a node that is said to have more would be drained."""
        command = [_program("slurmd"), "-C"]
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        cpus, memory = re.findall(r"\b(?:CPUs|RealMemory)=(\d+)", found)
        return cls(int(cpus), int(memory))


class SlurmInABox:
    """Slurm's daemons and everything they write, in one folder.

    The process table alone tells which daemons run: each has the folder in its command line.
    """

    def __init__(self, folder: Path, cpus: int | None = None, memory: int | None = None) -> None:
        self.folder = folder.resolve()
        self.cpus = cpus
        self.memory = memory
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def configuration(self) -> Path:
        return self.folder / "slurm.conf"

    @property
    def environment(self) -> dict[str, str]:
        """What Slurm's commands need in their environment to find this one."""
        return {"SLURM_CONF": str(self.configuration)}

    def start(self) -> None:
        """Start Slurm and wait until its node is idle; where that fails nothing is left."""
        refusal = obstacle()
        if refusal:
            raise SlurmError(refusal)
        self._make_folder()
        with ExitStack() as undo:
            undo.callback(self.stop)
            for daemon in DAEMONS:
                self.start_daemon(daemon)
            self.wait_until_ready()
            undo.pop_all()

    def stop(self) -> None:
        """End jobs and daemons, and remove what they have written."""
        if self.configuration.exists() and not self._is_ours():
            raise SlurmError(f"{self.folder} was not made by this command: nothing is stopped")
        self._end_daemons()
        for process in self._left_by_jobs():
            with suppress(psutil.NoSuchProcess):
                process.kill()
        for child in self._children.values():
            child.wait()
        self._children.clear()
        if self._is_ours():
            shutil.rmtree(self.folder)

    def start_daemon(self, name: str) -> None:
        """Start one of the daemons, in a session of its own: signals to ours do not reach it."""
        if name in self._children:
            self._children.pop(name).wait()
        with self._log(name).open("ab") as log:
            process = subprocess.Popen(
                self._command(name),
                env=os.environ | self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._children[name] = process
        if name == "munged":  # the others give up where they do not find its socket
            self._wait_for((self.folder / "munge.socket").exists, "munged opens no socket")

    def daemon(self, name: str) -> psutil.Process | None:
        """The running daemon of that name, if there is one."""
        command = self._command(name)
        for process in psutil.process_iter(["cmdline"]):
            if process.info["cmdline"] == command and process.is_running():
                return process
        return None

    def node_state(self) -> str:
        """The state of the node as ``sinfo`` has it; empty where nobody answers."""
        return self._ask("sinfo", "--noheader", "--format=%T")

    def wait_until_ready(self) -> None:
        """Wait until the node takes jobs."""
        self._wait_for(lambda: self.node_state() == "idle", "Slurm's node does not become idle")

    def _is_ours(self) -> bool:
        """Whether the folder was made here, and not for example by the administrator."""
        setting = f"StateSaveLocation={self.folder}/state\n"
        return self.configuration.exists() and setting in self.configuration.read_text()

    def _make_folder(self) -> None:
        machine = Size.of_this_machine()
        if self.folder.exists() and any(self.folder.iterdir()):
            raise SlurmError(f"{self.folder} is not empty: stop what runs there, or name another")
        if len(os.fsencode(self.folder / "munge.socket")) > _LONGEST_SOCKET:
            raise SlurmError(f"{self.folder} is too long a name to hold a socket: take a shorter")
        for made in (self.folder, self.folder / "state", self.folder / "spool"):
            made.mkdir(mode=0o755, parents=True, exist_ok=True)
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(1024))
        key.chmod(0o400)
        controller_port, node_port = _free_ports(2)
        self.configuration.write_text(
            _CONFIGURATION.format(
                folder=self.folder,
                host=socket.gethostname().partition(".")[0],
                controller_port=controller_port,
                node_port=node_port,
                cpus=self.cpus or machine.cpus,
                memory=self.memory or machine.memory,
            )
        )

    def _command(self, name: str) -> list[str]:
        if name != "munged":
            return [_program(name), "-D", "-f", str(self.configuration)]
        files = {
            "socket": "munge.socket",
            "key-file": "munge.key",
            "pid-file": "munged.pid",
            "seed-file": "munged.seed",
        }
        options = [f"--{option}={self.folder / file}" for option, file in files.items()]
        # By force: it would refuse a key below a folder like /tmp, which others can write to.
        return [_program(name), "--foreground", "--force", *options]

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _ask(self, program: str, *arguments: str) -> str:
        """What one of Slurm's commands answers; empty where it fails or nobody answers it."""
        try:
            done = subprocess.run(
                [_program(program), *arguments],
                env=os.environ | self.environment,
                capture_output=True,
                text=True,
                timeout=10,
            )
        except subprocess.TimeoutExpired:
            return ""
        return done.stdout.strip()

    def _end_daemons(self) -> None:
        """Ask the daemons to end; those that do not within seconds are killed."""
        for name in reversed(DAEMONS):
            if process := self.daemon(name):
                with suppress(psutil.NoSuchProcess):
                    process.terminate()
        limit = time.monotonic() + 10
        while running := [process for name in DAEMONS if (process := self.daemon(name))]:
            if time.monotonic() > limit:
                for process in running:
                    with suppress(psutil.NoSuchProcess):
                        process.kill()
            time.sleep(0.1)

    def _left_by_jobs(self) -> Iterator[psutil.Process]:
        """Processes of jobs, which outlive slurmd."""
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if self._is_step_daemon(process) or self._is_of_a_job(process):
                    yield process

    def _is_step_daemon(self, process: psutil.Process) -> bool:
        """Known by its socket: for its title it has overwritten command line and environment."""
        return process.name() == "slurmstepd" and any(
            Path(str(connection.laddr)).is_relative_to(self.folder)
            for connection in process.net_connections(kind="unix")
        )

    def _is_of_a_job(self, process: psutil.Process) -> bool:
        """Known by its environment; a shell of the user's may name us too, but has no job."""
        variables = process.environ()
        ours = variables.get("SLURM_CONF") == str(self.configuration)
        return ours and "SLURM_JOB_ID" in variables

    def _wait_for(self, condition: Callable[[], bool], complaint: str) -> None:
        limit = time.monotonic() + PATIENCE
        while not condition():
            for name, child in self._children.items():
                if child.poll() is not None:
                    raise SlurmError(f"{name} ended at once; {self._tails()}")
            if time.monotonic() > limit:
                raise SlurmError(f"{complaint} within {PATIENCE:.0f} s; {self._tails()}")
            time.sleep(0.1)

    def _tails(self) -> str:
        """The last lines of each log."""
        tails = ["their logs end with"]
        for name in DAEMONS:
            if self._log(name).exists():
                lines = self._log(name).read_text(errors="replace").splitlines()
                tails += [f"  {name}: {line}" for line in lines[-3:]]
        return "\n".join(tails)


def obstacle() -> str | None:
    """Why there can be no Slurm here, in one line; None where there can."""
    missing = [name for name in (*DAEMONS, "sinfo") if not _found(name)]
    if missing:
        return f"no {', '.join(missing)} here: apt-get install slurm-wlm munge"
    if os.geteuid() != 0:
        return "Slurm in a box must be started by root"
    return None


def _found(name: str) -> str | None:
    return shutil.which(name, path=_ADMINISTRATORS_PATH)


def _program(name: str) -> str:
    return _found(name) or name


def _free_ports(count: int) -> list[int]:
    """Ports that nobody listens at, all different."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def main(arguments: list[str] | None = None) -> int:
    options = _parse(arguments)
    box = SlurmInABox(options.folder, options.cpus, options.memory)
    try:
        return _COMMANDS[options.command](box)
    except SlurmError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _start(box: SlurmInABox) -> int:
    box.start()
    for name, value in box.environment.items():
        print(f"export {name}={shlex.quote(value)}")
    return 0


def _stop(box: SlurmInABox) -> int:
    box.stop()
    return 0


def _status(box: SlurmInABox) -> int:
    """Tell what runs; the exit code is 0 where everything does."""
    processes = {name: box.daemon(name) for name in DAEMONS}
    for name, process in processes.items():
        print(f"{name}: {f'process {process.pid}' if process else 'not running'}")
    # Without a controller Slurm's commands would wait for it.
    state = box.node_state() if processes["slurmctld"] else ""
    print(f"node: {state or 'no answer'}")
    return 0 if all(processes.values()) and state else 1


_COMMANDS = {"start": _start, "stop": _stop, "status": _status}


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.slurm_in_a_box",
        description="Start and stop a real Slurm of one node on this machine, for tests.",
    )
    parser.add_argument("command", choices=_COMMANDS)
    parser.add_argument("--folder", type=Path, required=True, help="where all its files go")
    parser.add_argument("--cpus", type=int, help="processors it gives; all unless said")
    parser.add_argument("--memory", type=int, help="MiB of memory it gives; all unless said")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
