"""A lab that runs: started from its specification, entered, watched, and gone when it is closed.

The supervisor (lab/supervisor.c) and all that it starts live in namespaces of their own. They end
with the process that started them, whatever ends it, because the supervisor's first process reads
a pipe that only this process can write.
"""

import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from contend.base.errors import FileFormatError, LaunchError, MissingToolError
from contend.measure.lab.environment import environment
from contend.measure.lab.programs import PLACE, PROGRAMS
from contend.measure.lab.specification import Lab

_HEAD = struct.Struct("=8sII")  # of the counters
_ENTRY = struct.Struct("=56sQ")
_MAGIC = b"contend1"
READY_SECONDS = 120  # for a lab to be set up: a few on a quiet machine
_END_SECONDS = 20.0  # for the kernel to end all processes of a lab
REMEDY = (
    "as root: 'sysctl user.max_user_namespaces=15000', on Debian also "
    "'kernel.unprivileged_userns_clone=1', on Ubuntu 'kernel.apparmor_restrict_unprivileged_userns"
    "=0'; in a container allow user namespaces; or do without the lab ('--on here')"
)


def why_impossible() -> str | None:
    """Why this machine cannot run a lab; None where it can."""
    if not sys.platform.startswith("linux"):
        return f"a lab needs Linux, this is {sys.platform}"
    try:
        done = subprocess.run(
            [PROGRAMS / "contend-lab", "--probe", PLACE], capture_output=True, text=True,
            timeout=20, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the lab's programs do not run: {error}"
    return done.stderr.strip() or "no user namespaces" if done.returncode else None


@dataclass(frozen=True)
class RunningLab:
    """A lab and its processes; `init` is its first process as seen from outside.

    Programs of the lab read the date from `started` on, in the time of the network.
    """

    lab: Lab
    init: int
    _supervisor: "subprocess.Popen[str]"
    _errors: IO[str]
    started: float = field(default_factory=time.time)

    def command(self, host: str = "head") -> tuple[str, ...]:
        """What to put before a command so that it runs on a host of the lab."""
        return (str(PROGRAMS / "contend-enter"), str(self.init), str(PLACE), host)

    @property
    def variables(self) -> dict[str, str]:
        return environment(self.lab, PLACE, self.started)

    @property
    def notes(self) -> list[str]:
        self._errors.seek(0)
        lines = (line.strip() for line in self._errors)
        return [line.removeprefix("note: ") for line in lines if line.startswith("note: ")]

    def counters(self) -> dict[str, int]:
        return read_counters(Path(f"/proc/{self.init}/root{PLACE}/counters"))

    def require_alive(self) -> None:
        """Raise an error that says why the lab has ended, if it has."""
        if self._supervisor.poll() is not None:
            raise LaunchError(f"the lab {self.lab.name} has ended: {self._why()}", "start it again")

    def _why(self) -> str:
        answer = self._supervisor.stdout.read() if self._supervisor.stdout else ""
        reasons = [line.removeprefix("ended ") for line in answer.splitlines() if "ended" in line]
        self._errors.seek(0)
        return "; ".join(reasons) or self._errors.read().strip() or "its supervisor was ended"


@contextmanager
def start(lab: Lab) -> Iterator[RunningLab]:
    """The lab, running; everything of it is gone afterwards.

    Raises
    ------
    MissingToolError
        When this machine does not allow what a lab needs.
    LaunchError
        When the lab could not be set up.
    """
    if (reason := why_impossible()) is not None:
        raise MissingToolError(f"this machine allows no lab: {reason}", REMEDY)
    hosts = [lab.head.name, *(host.name for host in lab.hosts)]
    builder = [
        sys.executable, "-m", "contend.measure.lab.inside", str(PLACE), lab.model_dump_json(),
    ]  # fmt: skip
    program = str(PROGRAMS / "contend-lab")
    command = [program, str(READY_SECONDS), str(PLACE), *hosts, "--", *builder]
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        supervisor = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
            start_new_session=True,
        )  # fmt: skip
        try:
            yield RunningLab(lab, _ready(supervisor, lab, errors), supervisor, errors)
        finally:
            _end(supervisor)


def _ready(supervisor: "subprocess.Popen[str]", lab: Lab, errors: IO[str]) -> int:
    """The lab's first process, once the switch runs."""
    assert supervisor.stdout is not None
    init, answer = supervisor.stdout.readline(), supervisor.stdout.readline()
    if answer.strip() != "ready":
        _end(supervisor)
        errors.seek(0)
        lines = [line for line in errors.read().splitlines() if line.strip()]
        raise LaunchError(
            f"the lab {lab.name} could not be set up: {' '.join(lines[-3:]) or answer}",
            "'contend doctor' tells what this machine allows",
        )
    return int(init.split()[1])


def _end(supervisor: "subprocess.Popen[str]") -> None:
    """End the lifeline; the supervisor ends when the kernel has ended everything inside."""
    if supervisor.stdin:
        supervisor.stdin.close()
    try:
        supervisor.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        supervisor.kill()
        supervisor.wait()
    if supervisor.stdout:
        supervisor.stdout.close()


def read_counters(path: Path) -> dict[str, int]:
    """Read the counters that the switch keeps mapped in a small file.

    Layout (native endian): "contend1", uint32 number of entries, uint32 epoch, then for each entry
    a name of 56 bytes and a uint64. What each counts stands in lab/switch/counters.h.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileFormatError(
            f"the switch's counters cannot be read: {error}", "is the lab still running?"
        ) from None
    magic, count, _ = _HEAD.unpack_from(data)
    if magic != _MAGIC or len(data) < _HEAD.size + count * _ENTRY.size:
        raise FileFormatError(f"{path} holds no counters", "restart the lab")
    entries = _ENTRY.iter_unpack(data[_HEAD.size : _HEAD.size + count * _ENTRY.size])
    return {name.rstrip(b"\0").decode(): value for name, value in entries}
