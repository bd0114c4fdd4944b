"""The end of each flow by SimGrid: builds flows.cpp on first use and runs it."""

import resource
import shutil
import signal
import subprocess
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from contend.simulate.topologies import Topology

SOURCE = Path(__file__).with_name("flows.cpp")
PROGRAM = Path(__file__).parents[2] / "build" / "simgrid-flows"


class NoSimGridError(Exception):
    """Says why the program cannot be built, in one line."""


@dataclass(frozen=True)
class Simulated:
    """Of one run; memory is what the peak gains by the simulation."""

    user: float  # seconds
    memory: int  # bytes
    end: np.ndarray  # (n_flows,) seconds


def output_of(*command: str | Path, text: str | None = None, seconds: float | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command], input=text, text=True, capture_output=True, check=True,
        preexec_fn=None if seconds is None else partial(_limit_cpu, seconds),
    )  # fmt: skip
    return done.stdout


def _limit_cpu(seconds: float) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (max(1, ceil(seconds)), max(1, ceil(seconds)) + 5))


def version() -> str:
    """Version of the SimGrid that pkg-config finds."""
    if shutil.which("pkg-config") is None:
        raise NoSimGridError("pkg-config is not installed, which finds SimGrid")
    try:
        return output_of("pkg-config", "--modversion", "simgrid").strip()
    except subprocess.CalledProcessError:
        raise NoSimGridError("SimGrid is not installed (Debian: libsimgrid-dev)") from None


def build() -> Path:
    """The program, newer than its source."""
    version()
    if PROGRAM.is_file() and PROGRAM.stat().st_mtime > SOURCE.stat().st_mtime:
        return PROGRAM
    PROGRAM.parent.mkdir(exist_ok=True)
    flags = output_of("pkg-config", "--cflags", "--libs", "simgrid").split()
    try:
        output_of("c++", "-std=c++20", "-O2", SOURCE, "-o", PROGRAM, *flags)
    except (OSError, subprocess.CalledProcessError) as error:
        shown = getattr(error, "stderr", None) or str(error)
        raise NoSimGridError(
            f"{SOURCE.name}, written for SimGrid 3.32, does not compile with {version()}: "
            f"{shown.splitlines()[0]}"
        ) from None
    return PROGRAM


def simulate(
    flows: dict[str, np.ndarray], hosts: int, bandwidth: float, *options: str
) -> Simulated:
    """On one switch. Flows have whole bytes, in order of start; options are SimGrid's own."""
    return _simulated(_lines(flows), str(hosts), repr(bandwidth), *options)


def simulate_on(flows: dict[str, np.ndarray], platform: Path, *options: str) -> Simulated:
    """On a platform file whose hosts are named by their numbers, with its own routes."""
    return _simulated(_lines(flows), str(platform), *options)


def simulate_routed(
    flows: dict[str, np.ndarray], topology: Topology, seconds: float | None = None
) -> Simulated | None:
    """Over the links and routes of a topology; None if it needs more CPU seconds than these.

    All flows between two hosts take the route of the first.
    """
    columns = (flows["src"], flows["dst"], flows["bytes"], flows["start"])
    routes = topology.carrying(*columns)
    ends = zip(routes.offsets.tolist(), routes.offsets[1:].tolist(), strict=False)
    links = [routes.links[first:last].tolist() for first, last in ends]
    lines = [
        f"{line} {len(route)} {' '.join(map(str, route))}"
        for line, route in zip(_lines(flows), links, strict=True)
    ]
    with TemporaryDirectory() as folder:
        capacities = Path(folder) / "capacities"
        capacities.write_text("\n".join(map(repr, topology.capacity().tolist())))
        try:
            return _simulated(lines, str(topology.hosts), str(capacities), seconds=seconds)
        except subprocess.CalledProcessError as error:
            if seconds is None or error.returncode != -signal.SIGXCPU:
                raise
            return None


def _lines(flows: dict[str, np.ndarray]) -> list[str]:
    columns = (flows["src"], flows["dst"], flows["bytes"].astype(np.int64), flows["start"])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [f"{src} {dst} {size} {start!r}" for src, dst, size, start in rows]


def _simulated(lines: list[str], *words: str, seconds: float | None = None) -> Simulated:
    quiet = "--log=xbt_cfg.threshold:warning"
    figures, *ends = output_of(
        build(), *words, quiet, text="\n".join(lines), seconds=seconds
    ).splitlines()
    user, memory = figures.split()
    return Simulated(float(user), int(memory), np.array(ends, dtype=float))
