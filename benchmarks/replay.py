"""Messages that a replay runs per second of one core, and the memory that it takes.

Every rank exchanges messages with random others, one step after the other: a permutation in each
step, by a receive that does not block, a send and a wait; sizes uniform within 1 MB +- 50 %, or all
alike; or all-to-alls by a schedule. Each case runs in a process of its own, so that its peak memory
is its own; what it takes to make the trace is not counted, the memory of the trace is.

    python -m benchmarks.replay [--messages 1000000] [--model maxmin ...] [--case NAME ...]
    python -m benchmarks.replay --kept FOLDER [--before BUILD/_core.so]

With --kept programs that were recorded are replayed by TCP, each on both networks: FOLDER is what
replayed-programs.tar.xz holds, and `python -m benchmarks.replayed_programs FOLDER --table` has been
there. With --before each of them runs by the extension of another build too, in turn.

With --watched all that a page needs is recorded: times of operations, waits, loads of links.
"""

import argparse
import importlib.util
import multiprocessing
import resource
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.replayed_programs import LABS, NETWORK, PROGRAMS, fit, links_file

from contend.cli.output import markdown
from contend.programs.replay import Line, replay
from contend.programs.sweeps.patterns import pattern_of
from contend.programs.sweeps.setting import carriage_of, times_of
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.reader import read_trace
from contend.programs.traces.trace import Trace
from contend.simulate.flows.models import ALONE, TCP, carriage_names
from contend.simulate.topologies import topology_of

NET = Line(latency=1e-6, bandwidth=1e9)
SEED = 1
MEGABYTE = 2**20


def permutations(ranks: int, messages: int, spread: float, mean: float = 1e6) -> Trace:
    """Steps in which every rank sends to one other and receives from one."""
    rng = np.random.default_rng(SEED)
    steps = -(-messages // ranks)
    there = np.stack([rng.permutation(ranks) for _ in range(steps)])
    there[there == np.arange(ranks)] = -1
    for step in there:  # nobody sends to itself
        fixed = np.flatnonzero(step < 0)
        step[fixed] = np.roll(fixed, 1) if fixed.size > 1 else step[fixed]
        if fixed.size == 1:
            other = (fixed[0] + 1) % ranks
            step[fixed[0]], step[other] = step[other], fixed[0]
    back = np.argsort(there, axis=1)
    shape = (ranks, steps, 3)  # receive, send, wait
    peer = np.full(shape, -1, dtype=np.int32)
    peer[:, :, 0], peer[:, :, 1] = back.T, there.T
    size = np.zeros(shape, dtype=np.int64)
    size[:, :, 1] = (mean * rng.uniform(1 - spread, 1 + spread, (steps, ranks))).T
    calls = np.broadcast_to(np.arange(3, dtype=np.int16), shape)
    kinds = np.array([OpKind.RECEIVE, OpKind.SEND, OpKind.WAIT], dtype=np.int8)
    request = np.broadcast_to(np.array([0, -1, -1], dtype=np.int32), shape)
    waited = np.broadcast_to(np.array([-1, -1, 0], dtype=np.int32), shape)
    nothing = np.zeros(calls.size, dtype=np.int32)
    return Trace(
        ranks=ranks,
        first=np.arange(ranks + 1, dtype=np.int64) * steps * 3,
        kind=kinds[calls].ravel(),
        call=calls.ravel(),
        peer=peer.ravel(),
        tag=nothing,
        bytes=size.ravel(),
        comm=nothing,
        request=request.ravel(),
        list=waited.ravel(),
        seconds=np.zeros(calls.size),
        line=nothing - 1,
        calls=("irecv", "send", "wait"),
        communicators=(np.arange(ranks, dtype=np.int64),),
        list_offsets=np.array([0, 1], dtype=np.int64),
        list_values=np.array([0], dtype=np.int64),
    )


def exchanges(ranks: int, messages: int) -> Trace:
    """All-to-alls of 64 KiB, one after the other."""
    count = max(messages // (ranks * (ranks - 1)), 1)
    nothing = np.zeros(ranks * count, dtype=np.int32)
    return Trace(
        ranks=ranks,
        first=np.arange(ranks + 1, dtype=np.int64) * count,
        kind=np.full(nothing.size, OpKind.ALLTOALL, dtype=np.int8),
        call=nothing.astype(np.int16),
        peer=nothing - 1,
        tag=nothing,
        bytes=np.full(nothing.size, 65536, dtype=np.int64),
        comm=nothing,
        request=nothing - 1,
        list=nothing - 1,
        seconds=np.zeros(nothing.size),
        line=nothing - 1,
        calls=("alltoall",),
        communicators=(np.arange(ranks, dtype=np.int64),),
    )


def stencil(ranks: int, messages: int) -> Trace:
    """Steps of 5 ms of computation and 64 KiB to each of four neighbours."""
    step = pattern_of("pattern:stencil-2d:64KiB:1:5ms").trace(ranks)
    each, steps = len(step) // ranks, max(messages // (4 * ranks), 1)
    columns = {
        field.name: np.repeat(getattr(step, field.name).reshape(ranks, 1, each), steps, 1).ravel()
        for field in fields(Trace)
        if getattr(getattr(step, field.name), "shape", None) == (len(step),)
    }
    return replace(step, first=np.arange(ranks + 1) * steps * each, **columns)


CASES: dict[str, Callable[[int], Trace]] = {
    "64 ranks, random sizes": lambda messages: permutations(64, messages, 0.5),
    "256 ranks, random sizes": lambda messages: permutations(256, messages, 0.5),
    "1024 ranks, random sizes": lambda messages: permutations(1024, messages, 0.5),
    "256 ranks, equal sizes": lambda messages: permutations(256, messages, 0.0),
    "64 ranks, 16 KiB": lambda messages: permutations(64, messages, 0.0, 16384),
    "256 ranks, stencil": lambda messages: stencil(256, messages),
    "256 ranks, all-to-alls": lambda messages: exchanges(256, messages),
}


@dataclass(frozen=True)
class Run:
    """What a replay took."""

    messages: int
    seconds: float  # CPU time
    memory: float  # MiB at most


def measured(case: str, model: str, messages: int, is_watched: bool = False) -> Run:
    """One replay in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_run, (case, model, messages, is_watched))


def _run(case: str, model: str, messages: int, is_watched: bool) -> Run:
    trace = CASES[case](messages)
    begin = time.process_time()
    found = replay(
        trace, NET, model, baseline=model, is_recorded=is_watched, has_traffic=is_watched
    )
    taken = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Run(found.messages, taken, peak)


def _kept(folder: Path, before: str | None) -> pd.DataFrame:
    """A row for each network: seconds of the replays of all programs, recorded on either."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        now = pool.apply(_run_kept, (folder, None))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        then = pool.apply(_run_kept, (folder, before)) if before else None
    rows = []
    for name in (lab.partition(",")[0] for lab in LABS):
        keys = [key for key in now if key[0] == name]
        messages = sum(now[key][1] for key in keys)
        cpu = sum(now[key][0] for key in keys)
        row = {
            "network": name,
            "messages": messages,
            "µs per message": f"{cpu / messages * 1e6:.2f}",
        }
        if then:
            past = sum(then[key][0] for key in keys)
            apart = max(abs(now[key][2] / then[key][2] - 1) for key in keys)
            row |= {"before": f"{past / messages * 1e6:.2f}", "times as fast": f"{past / cpu:.1f}",
                    "runs differ by at most": f"{apart:.2%}"}  # fmt: skip
        rows.append(row)
    return pd.DataFrame(rows)


def _run_kept(
    folder: Path, core: str | None
) -> dict[tuple[str, str, str], tuple[float, int, float]]:
    """CPU seconds, messages and seconds of each program, by network and where it was recorded."""
    module = sys.modules["contend.programs.replay.replay"]
    timed = _Timed(core)
    module._core = timed  # type: ignore[attr-defined]
    found = {}
    for lab in LABS:
        name = lab.partition(",")[0]
        if not (folder / name / NETWORK).exists():  # of samples that are kept
            fit(folder / name)
        times, _ = times_of(str(folder / name / NETWORK))
        links = str(links_file(folder / name, lab))
        for other in (one.partition(",")[0] for one in LABS):
            for title in PROGRAMS:
                trace = read_trace(folder / other / f"{title}-0", None, None)
                topology = topology_of(links, times.bandwidth)
                carriage = carriage_of(trace.ranks, times.bandwidth, topology, None, "block")
                run = replay(trace, times, TCP, carriage=carriage, baseline=TCP)
                found[name, other, title] = (timed.seconds, run.messages, run.seconds)
    return found


class _Timed:
    """The core of this build, or of another one, whose replays are timed: the best of three."""

    def __init__(self, file: str | None) -> None:
        if file is None:
            from contend import _core as core
        else:
            spec = importlib.util.spec_from_file_location("contend._core", file)
            core = importlib.util.module_from_spec(spec)
            with warnings.catch_warnings(action="ignore"):  # its types have been registered
                spec.loader.exec_module(core)
        self.core, self.seconds = core, 0.0
        has_path = "has_path" in (core.replay.__doc__ or "")  # the last argument, off here
        self.count = None if has_path else -1

    def replay(self, *arguments: object) -> object:
        taken = []
        for _ in range(3):
            begin = time.process_time()
            found = self.core.replay(*arguments[: self.count])
            taken.append(time.process_time() - begin)
        self.seconds = min(taken)
        return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--model", nargs="+", default=[ALONE, "maxmin"], choices=carriage_names())
    parser.add_argument("--case", nargs="+", default=list(CASES), choices=list(CASES))
    parser.add_argument("--watched", action="store_true")
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--before")
    given = parser.parse_args()
    if given.kept:
        print(markdown(_kept(given.kept, given.before)))
        return
    rows = []
    for case in given.case:
        for model in given.model:
            run = measured(case, model, given.messages, given.watched)
            rows.append(
                {
                    "case": case,
                    "model": model,
                    "messages": run.messages,
                    "CPU s": f"{run.seconds:.2f}",
                    "messages per s": f"{run.messages / run.seconds:,.0f}",
                    "memory": f"{run.memory:.0f} MiB",
                }
            )
    print(markdown(pd.DataFrame(rows)))


if __name__ == "__main__":
    main()
