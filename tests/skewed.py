"""Launches whose ranks, or hosts, have clocks of their own, and what is true of them."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from contend.document import Floats
from contend.measure.build import build
from contend.measure.command import LaunchOptions, command_line, settings
from contend.measure.launch import run
from contend.measure.mpi import MPI

SOURCE = Path(__file__).parent / "mpi" / "skewed_clock.c"
BLOCKS = 5  # of a series, so that a drift within it is seen


@dataclass(frozen=True)
class Clock:
    """A clock: how much more it shows now, how much faster it runs, and by how much it jumps."""

    offset: float = 0.0
    rate: float = 0.0
    jump: float = 0.0

    @property
    def exports(self) -> str:
        """Shell words that set it."""
        offset = self.offset - self.rate * time.clock_gettime(time.CLOCK_MONOTONIC)
        return f"export SKEW_OFFSET={offset:.9f} SKEW_RATE={self.rate} SKEW_JUMP={self.jump}"


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


def launch(
    mpi: MPI,
    folder: Path,
    clocks: Mapping[str, Clock],
    told_by: str,
    options: LaunchOptions,
    m: int = 64,
    before: Sequence[str] = (),
    variables: Mapping[str, str] | None = None,
) -> Seen:
    """All-to-all of as many ranks as clocks; the shell words `told_by` say whose a rank has."""
    library, script = folder / "skewed_clock.so", folder / "as_host"
    compiler = [mpi.mpicc, "-shared", "-fPIC", "-O2", "-o", str(library), str(SOURCE)]
    subprocess.run(compiler, check=True, timeout=60)
    cases = [f"{name}) {clock.exports};;" for name, clock in clocks.items()]
    lines = [
        "#!/bin/sh",
        f"case {told_by} in",
        *cases,
        "esac",
        f"export SKEW_TRUTH='{folder}/ended'",
        f'export LD_PRELOAD="{library}${{LD_PRELOAD:+:$LD_PRELOAD}}"',
        'exec "$@"',
    ]
    script.write_text("\n".join(lines) + "\n")
    script.chmod(0o755)
    program = build(mpi)["alltoall_native"]
    wrapped = replace(program, path=script, arguments=(str(program.path),))
    n = len(clocks)
    command = [*before, *command_line(mpi, wrapped, n, [m], replace(options, per_rank=True))]
    said = list(run(command, settings(mpi, n, options) | dict(variables or {}), 60.0, 60.0))
    lasted = np.array(said[1]["rank_times_s"]).T
    ended = np.array([np.loadtxt(folder / f"ended.{rank}") for rank in range(n)]) / 1e9
    return Seen(said[0], said[1], ended[:, -lasted.shape[1] :] - lasted)
