"""One launch of an MPI program: its lines as they come, its death and its silence as errors."""

import ctypes
import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

import psutil

from contend.errors import LaunchError
from contend.measure import machine
from contend.measure.build import Program
from contend.measure.mpi import MPI

PREFIX = "contend "
_PR_SET_PDEATHSIG = 1
_BATCH_JOB = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "OAR_JOBID", "FLUX_URI", "PE_HOSTFILE")


@dataclass(frozen=True)
class LaunchOptions:
    """How a program is launched and how long it repeats."""

    precision: float = 0.05
    min_repetitions: int = 20
    max_repetitions: int = 500
    max_seconds: float = 0.5
    warmup: int = 3
    start: str = "auto"
    processes_per_node: int | None = None
    per_rank: bool = False
    timeout: float = 60.0

    def arguments(self, sizes: Sequence[int]) -> list[str]:
        """Command line of the program."""
        pairs = {
            "--sizes": ",".join(map(str, sizes)),
            "--precision": self.precision,
            "--min-repetitions": self.min_repetitions,
            "--max-repetitions": self.max_repetitions,
            "--max-seconds": self.max_seconds,
            "--warmup": self.warmup,
            "--start": self.start,
        }
        flags = ["--per-rank"] if self.per_rank else []
        return [str(part) for pair in pairs.items() for part in pair] + flags


def command_line(
    mpi: MPI, program: Program, n: int, sizes: Sequence[int], options: LaunchOptions
) -> list[str]:
    """The whole command of a launch."""
    placement = _placement(mpi, options.processes_per_node)
    start = [*mpi.launcher, *placement, "-n", str(n), str(program.path)]
    return start + options.arguments(sizes)


def _placement(mpi: MPI, per_node: int | None) -> list[str]:
    if per_node is None:
        return []
    return {
        "Open MPI": ["--map-by", f"ppr:{per_node}:node"],
        "Slurm": [f"--ntasks-per-node={per_node}"],
    }.get(mpi.family, ["-ppn", str(per_node)])


def settings(mpi: MPI, n: int, options: LaunchOptions) -> dict[str, str]:
    """Environment variables that contend sets for a launch; samples record them.

    More ranks than cores, and root where it is the user, are allowed: Open MPI refuses both by
    default, and contend flags oversubscribed samples itself. On a host with too few cores MPICH
    is told to sleep when it waits, as Open MPI does unasked: ranks that spin would otherwise hold
    the cores against those that have work, for whole slices of the scheduler.
    """
    variables = {}
    if mpi.family == "Open MPI":
        variables["OMPI_MCA_rmaps_base_oversubscribe"] = "1"  # 4.x
        variables["PRTE_MCA_rmaps_default_mapping_policy"] = ":oversubscribe"  # 5.x
        if os.geteuid() == 0:
            variables["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
            variables["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    if mpi.family == "MPICH" and n > machine.cores() and _is_local(mpi, options):
        variables["MPIR_CVAR_CH4_PROGRESS_THROTTLE"] = "1"
        variables["MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT"] = "100"
    return variables


def _is_local(mpi: MPI, options: LaunchOptions) -> bool:
    """Whether all ranks run on this host, as far as the command tells."""
    is_plain = len(mpi.launcher) == 1 and options.processes_per_node is None
    return is_plain and not any(name in os.environ for name in _BATCH_JOB)


def run(
    command: Sequence[str], variables: Mapping[str, str], timeout: float
) -> Iterator[dict[str, Any]]:
    """Objects that the program prints, one by one; `variables` are added to the environment.

    Raises
    ------
    LaunchError
        When the launch cannot start, ends with an error, ends early, returns wrong data, or says
        nothing for `timeout` seconds. No process of the launch is left behind, whatever happens.
    """
    with tempfile.TemporaryFile("w+") as errors:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, **variables},
                start_new_session=True,
                preexec_fn=_end_with_parent(),  # noqa: PLW1509
            )
        except OSError as error:
            raise LaunchError(
                f"cannot start {command[0]}: {error.strerror}", "see 'contend doctor'"
            ) from None
        try:
            yield from _lines(process, errors, timeout)
        finally:
            _kill(process)


def _end_with_parent() -> Callable[[], None]:
    """A call that has the kernel end the launcher, and so the ranks, when contend is killed.

    It runs between fork and exec, where a lock that a thread held would never be released;
    everything it needs is therefore looked up here, and it makes one system call.
    """
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _lines(
    process: "subprocess.Popen[str]", errors: IO[str], timeout: float
) -> Iterator[dict[str, Any]]:
    lines: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=_pump, args=(process.stdout, lines), daemon=True).start()
    is_complete = False
    while True:
        try:
            line = lines.get(timeout=timeout)
        except queue.Empty:
            raise LaunchError(
                f"the launch said nothing for {timeout:g} s and was ended (a rank hangs?)",
                "raise --timeout if one point can take that long; what was measured is kept",
            ) from None
        if line is None:
            break
        if line.startswith(PREFIX):
            data = _parse(line)
            is_complete = is_complete or data.get("kind") == "end"
            yield data
    status = process.wait()
    if status or not is_complete:
        errors.seek(0)
        raise LaunchError(
            f"the launch {_ended(status)}{_last_lines(errors.read())}",
            "what was measured is kept; mend the cause and run the same command again",
        )


def _pump(stream: IO[str], lines: "queue.Queue[str | None]") -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def _parse(line: str) -> dict[str, Any]:
    try:
        data: dict[str, Any] = json.loads(line[len(PREFIX) :])
    except json.JSONDecodeError:
        raise LaunchError(
            f"the launch printed a broken line: {line[:200]!r}",
            "keep other output of the launcher apart from that of the ranks",
        ) from None
    if data["kind"] == "error":
        raise LaunchError(
            f"wrong data on rank {data['rank']}: {data['experiment']}/{data['algorithm']} "
            f"m={data['m']}, {data['detail']}",
            "the MPI library or the network corrupts messages; nothing of this point is stored",
        )
    return data


def _ended(status: int) -> str:
    if status < 0:
        return f"was killed by {signal.Signals(-status).name}"
    if status > 128 and status - 128 in set(signal.Signals):
        return f"ended with status {status} ({signal.Signals(status - 128).name})"
    return f"ended with status {status}" if status else "ended before its last point"


def _last_lines(text: str, count: int = 15) -> str:
    kept = [line for line in text.splitlines() if line.strip()][-count:]
    return ":\n  " + "\n  ".join(kept) if kept else " and said nothing more"


def _kill(process: "subprocess.Popen[str]") -> None:
    """End the launcher and all its descendants: politely, then for good."""
    try:
        family = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        family = []
    if process.poll() is None:
        process.terminate()
        deadline = time.monotonic() + 2.0
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
    for member in family:
        try:
            member.kill()
        except psutil.NoSuchProcess:
            continue
    if process.poll() is None:
        process.kill()
    process.wait()
    if process.stdout:
        process.stdout.close()
