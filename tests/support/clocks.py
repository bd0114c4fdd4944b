"""Launches whose ranks, or hosts, have clocks of their own, and what is true of them."""

import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from contend.base.document import Floats
from contend.measure.build import Program, build
from contend.measure.command import LaunchOptions, command_line, settings
from contend.measure.lab.session import RunningLab
from contend.measure.launch import run
from contend.measure.mpi import MPI

SOURCES = Path(__file__).parents[1] / "mpi"
BLOCKS = 5  # of a series, so that a drift within it is seen
RANK = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"


@dataclass(frozen=True)
class Clock:
    """A clock: how much more it shows now, how much faster it runs, and by how much it jumps."""

    ahead: float = 0.0
    rate: float = 0.0
    jump: float = 0.0

    @property
    def offset(self) -> float:
        """What it showed more when the machine was started."""
        return self.ahead - self.rate * time.clock_gettime(time.CLOCK_MONOTONIC)


@dataclass(frozen=True)
class Seen:
    """What a launch said of itself and of its one point, and what was true."""

    launch: dict[str, Any]
    point: dict[str, Any]
    begun: Floats  # (ranks, repetitions), where each rank took the common start to be, seconds

    @property
    def true_skew(self) -> float:
        """How far apart the ranks took the common start to be, by the clock of the machine."""
        after = np.array_split(self.begun - self.begun[0], BLOCKS, axis=1)
        middles = np.array([np.median(block, axis=1) for block in after])
        return float((middles.max(axis=1) - middles.min(axis=1)).max())


def with_clocks(mpi: MPI, folder: Path, clocks: Sequence[Clock], program: Program) -> Program:
    """The program, each rank with its clock."""
    script, clock = folder / "with_clocks", _compiled(mpi, folder, "skewed_clock")
    cases = [
        f"{rank}) export SKEW_OFFSET={own.offset:.9f} SKEW_RATE={own.rate} SKEW_JUMP={own.jump};;"
        for rank, own in enumerate(clocks)
    ]
    preload = f'export LD_PRELOAD="{clock}${{LD_PRELOAD:+:$LD_PRELOAD}}"'
    return _through(script, [f"case {RANK} in", *cases, "esac", preload], program)


def launch_here(
    mpi: MPI, folder: Path, clocks: Sequence[Clock], options: LaunchOptions, m: int = 64
) -> Seen:
    """All-to-all of ranks with these clocks."""
    program = with_clocks(mpi, folder, clocks, build(mpi)["alltoall_native"])
    return _launch(mpi, folder, program, len(clocks), m, options)


def launch_on(
    lab: RunningLab,
    mpi: MPI,
    folder: Path,
    clocks: Mapping[str, Clock],
    options: LaunchOptions,
    m: int = 64,
) -> Seen:
    """All-to-all of hosts of a lab with these clocks, by name."""
    variables = {
        "CONTEND_CLOCK_RATE": ",".join(f"{host}:{1 + own.rate}" for host, own in clocks.items()),
        "CONTEND_CLOCK_OFFSET": ",".join(
            f"{host}:{own.offset:.9f}" for host, own in clocks.items()
        ),
    }
    lines = [f"export {name}='{value}'" for name, value in variables.items()]
    program = _through(folder / "as_host", lines, build(mpi)["alltoall_native"])
    return _launch(mpi, folder, program, len(clocks), m, options, lab)


def _through(script: Path, lines: Sequence[str], program: Program) -> Program:
    """The program, started by a shell script that runs the lines before it."""
    script.write_text("\n".join(["#!/bin/sh", *lines, 'exec "$@"', ""]))
    script.chmod(0o755)
    return replace(program, path=script, arguments=(str(program.path), *program.arguments))


def _launch(
    mpi: MPI,
    folder: Path,
    program: Program,
    n: int,
    m: int,
    options: LaunchOptions,
    lab: RunningLab | None = None,
) -> Seen:
    truth = _compiled(mpi, folder, "truth")
    lines = [
        f"export TRUTH='{folder}/ended'",
        f'export LD_PRELOAD="{truth}${{LD_PRELOAD:+:$LD_PRELOAD}}"',
    ]
    watched = _through(folder / "watched", lines, program)
    command = command_line(mpi, watched, n, [m], replace(options, per_rank=True))
    variables = settings(mpi, n, options)
    if lab:
        command, variables = [*lab.command(), *command], variables | lab.variables
    said = list(run(command, variables, 60.0, 60.0))
    lasted = np.array(said[1]["rank_times_s"]).T
    ended = np.array([np.loadtxt(folder / f"ended.{rank}") for rank in range(n)]) / 1e9
    return Seen(said[0], said[1], ended[:, -lasted.shape[1] :] - lasted)


def _compiled(mpi: MPI, folder: Path, name: str) -> Path:
    library = folder / f"{name}.so"
    command = [mpi.mpicc, "-shared", "-fPIC", "-O2", "-o", str(library)]
    subprocess.run([*command, str(SOURCES / f"{name}.c")], check=True, timeout=60)
    return library
