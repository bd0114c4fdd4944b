"""What this machine offers for measuring, and what to do about what is missing."""

import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from contend.base.errors import ContendError
from contend.base.result import Line, Result
from contend.measure import machine
from contend.measure.build import Program, build
from contend.measure.command import LaunchOptions, command_line, is_local, settings
from contend.measure.lab.session import REMEDY, why_impossible
from contend.measure.launch import run
from contend.measure.launcher import parse_launch
from contend.measure.mpi import MPI, find_mpi, installed
from contend.schedules.libraries import library_of
from contend.tune.exports import FORMATS
from contend.tune.exports.surroundings import Circumstances
from contend.tune.verification.surroundings import surroundings


@dataclass(frozen=True)
class Finding:
    """One thing looked for: whether it will do, what there is, what to do if not."""

    subject: str
    is_good: bool
    state: str
    remedy: str = ""

    def to_json(self) -> dict[str, object]:
        return {
            "what": self.subject, "is_good": self.is_good, "found": self.state,
            "remedy": self.remedy,
        }  # fmt: skip


_REQUIRED = ("MPI library", "C compiler", "MPI programs", "launch")


def examine(mpicc: str | None = None, mpiexec: str | None = None) -> Result:
    """Say what this machine offers; the exit code is 0 where contend can measure.

    >>> examine().code in (0, 1)
    True
    """
    findings = [*_mpi(mpicc, mpiexec), *_host()]
    lacking = [each for each in findings if not each.is_good and each.subject in _REQUIRED]
    lines = []
    for each in findings:
        style = None if each.is_good else "yellow"
        text = f"{'yes' if each.is_good else 'no':<3} {each.subject:<18} {each.state}"
        lines.append(Line(text, style))
        if each.remedy and not each.is_good:
            lines.append(Line(f"{'':23}-> {each.remedy}"))
    return Result([each.to_json() for each in findings], lines, code=bool(lacking))


def _mpi(mpicc: str | None, mpiexec: str | None) -> list[Finding]:

    others = ", ".join(f"{mpi.title} ({mpi.mpicc})" for mpi in installed()) or "none"
    compiler = next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)
    findings = [
        Finding("C compiler", compiler is not None, compiler or "none", "apt install g++"),
        Finding("make", shutil.which("make") is not None, shutil.which("make") or "none",
                "apt install make"),
        Finding("MPI on PATH", others != "none", others, "pip install mpich, or a system package"),
    ]  # fmt: skip
    try:
        mpi = find_mpi(mpicc, mpiexec)
        findings.append(Finding("MPI library", True, f"{mpi.title}: {mpi.mpicc}"))
    except ContendError as error:
        otherwise = "name a wrapper by MPICC=/path/to/mpicc and a launcher with --mpiexec"
        return [*findings, _failed("MPI library", error, otherwise)]
    try:
        programs = build(mpi)
        findings.append(Finding("MPI programs", True, ", ".join(programs)))
    except ContendError as error:
        return [
            *findings,
            _failed("MPI programs", error, "name another compiler wrapper by MPICC=/path/to/mpicc"),
        ]
    return [*findings, _trial(mpi, programs), *_rules(mpi)]


def _failed(subject: str, error: ContendError, otherwise: str) -> Finding:
    """What an error says, without its advice to ask the doctor; `otherwise` where that was all."""
    advice = [part for part in error.remedy.split("; ") if "contend doctor" not in part]
    return Finding(subject, False, error.message, "; ".join(advice) or otherwise)


def _trial(mpi: MPI, programs: dict[str, Program]) -> Finding:
    """A real launch of two processes."""
    options = LaunchOptions(max_seconds=0.1, min_repetitions=5, timeout=30)
    try:
        command = command_line(mpi, programs["pingpong"], 2, [64], options)
        limits, is_here = (options.timeout, options.timeout), is_local(mpi, options)
        lines = list(run(command, settings(mpi, 2, options), *limits, is_here=is_here))
    except ContendError as error:
        by_hand = shlex.join([*mpi.launcher, "-n", "2", "hostname"])
        return _failed("launch", error, f"run '{by_hand}', or name another with --mpiexec")
    head = lines[0]
    state = f"2 processes on {', '.join(head['hosts'])}: {head['mpi_library']}"
    return Finding("launch", True, state)


def _rules(mpi: MPI) -> Iterator[Finding]:
    """What would win over any file of rules for the library, of which contend knows the formats."""
    subject = "files of rules"
    try:
        library, version = library_of(mpi.title)
    except ContendError:
        return
    launch = parse_launch([*mpi.launcher, sys.executable])
    around = surroundings(launch, os.environ, version)
    forms = [form for form in FORMATS.all() if form.library_name == library.name]
    faults = [
        fault
        for form in forms if form.serves(version)
        for fault in form.obstacles(Circumstances(None, {}, version, around))
    ]  # fmt: skip
    for fault in faults:
        yield Finding(subject, False, fault.message, fault.remedy)
    if forms and not faults:
        yield Finding(subject, True, f"nothing is set that wins over those of {mpi.title}")


def _host() -> list[Finding]:

    cores, resolution = machine.cores(), machine.clock_resolution()
    batch, no_lab = machine.batch_system(), why_impossible()
    return [
        Finding(
            "cores",
            cores >= 4,
            f"{cores}: up to {cores} processes run undisturbed on this host",
            "more processes than cores are measured, but flagged as oversubscribed",
        ),
        Finding(
            "clock",
            resolution <= 1e-7,
            f"resolution {resolution:.1e} s",
            "times near the resolution are flagged",
        ),
        Finding(
            "batch system",
            batch is not None,
            batch or "none",
            "without one, give --mpiexec 'mpiexec --hostfile FILE' to use several nodes",
        ),
        Finding(
            "emulated networks",
            no_lab is None,
            no_lab or "namespaces are allowed and the lab's programs run",
            REMEDY,
        ),
        Finding("TCP congestion", True, machine.congestion_control() or "unknown"),
        Finding("Python", True, sys.version.split()[0]),
    ]
