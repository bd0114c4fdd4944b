"""One case in a process of its own, with a limit of CPU time: seconds and memory it takes."""

import inspect
import multiprocessing
import resource
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection

import numpy as np
from benchmarks.engine import BANDWIDTH, peak_bytes, user_seconds
from benchmarks.large_machines.cases import CASES, Case

from contend.simulate.flows.engine import solve


class NoFiguresError(Exception):
    """Says why there are none, in a few words for a cell."""


@dataclass(frozen=True)
class Figures:
    """Of one solution; routes are a part of it."""

    flows: int
    events: int
    user: float  # seconds
    memory: int  # bytes that the peak gains by the flows' arrays and the solution
    end: np.ndarray  # (n_flows,) seconds


def has_tolerance() -> bool:
    """Whether this engine solves within a tolerance."""
    return "tolerance" in inspect.signature(solve).parameters


def further(case: Case) -> Mapping[str, float]:
    """Options of `solve` that not every engine has."""
    if not case.tolerance:
        return {}
    if not has_tolerance():
        raise NoFiguresError("no tolerance in this engine")
    return {"tolerance": case.tolerance}


def run(name: str, flows: int) -> Figures:
    """Figures of one case, in this process."""
    case = CASES[name]
    solve({"src": [0], "dst": [1], "bytes": [1]}, case.model, bandwidth=1.0)
    before = peak_bytes()
    columns = case.columns(flows)
    topology = case.topology()
    begin = user_seconds()
    solution = solve(
        columns, case.model, bandwidth=BANDWIDTH, topology=topology,
        **further(case),  # type: ignore[arg-type]
    )  # fmt: skip
    user = user_seconds() - begin
    return Figures(len(solution.end), solution.events, user, peak_bytes() - before, solution.end)


def limit_cpu(seconds: float) -> None:
    """Ends this process by SIGXCPU when it has used so much."""
    if np.isfinite(seconds):
        whole = max(1, int(np.ceil(seconds)))
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 5))


def _run_into(pipe: Connection, name: str, flows: int, seconds: float) -> None:
    limit_cpu(seconds)
    pipe.send(run(name, flows))


def run_alone(name: str, flows: int, seconds: float = np.inf) -> Figures:
    """Figures of one case in another process; NoFiguresError if that needs longer, or dies."""
    further(CASES[name])
    context = multiprocessing.get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_run_into, args=(sending, name, flows, seconds))
    process.start()
    sending.close()
    try:
        found: Figures = receiving.recv()
    except EOFError:
        process.join()
        if process.exitcode in (-signal.SIGXCPU, -signal.SIGKILL) and np.isfinite(seconds):
            raise NoFiguresError(f"> {seconds:.0f}") from None
        raise NoFiguresError(f"failed ({process.exitcode})") from None
    process.join()
    return found
