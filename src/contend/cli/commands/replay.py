"""contend replay: the time of a traced program on a network that its messages share."""

from collections.abc import Iterator
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd

from contend.base.units import format_seconds
from contend.cli import options
from contend.cli.options import argument, option
from contend.cli.replay_options import carriage_of, check_page, message_times, words_of
from contend.cli.result import Cell, Line, Part, Result, Table
from contend.cli.sweeps import signed
from contend.programs.replay import Replay
from contend.programs.replay.choice import in_words, parse_choices
from contend.programs.replay.derivatives import Derivatives
from contend.programs.replay.interference import Interference, interference, jobs_of
from contend.programs.replay.setting import Setting
from contend.programs.sweeps.setting import library_beside, sharing_of
from contend.programs.traces.concurrent_jobs import joined
from contend.programs.traces.reader import read_trace
from contend.report.replay import write_replay_report
from contend.report.sections.replay import Account
from contend.simulate.flows.models import ALONE, PORTS, TCP, carriage_names

ORDER = 6
PANEL = "Simulate"
EXAMPLE = "contend replay trace --network network.json --algorithm alltoall=rotated"
MOST_RANKS = 32  # on the console
TIMES = ("seconds", "worst", "lost", "computing", "in_calls", "alone", "together", "low", "high")

Model = Enum("Model", {name: name for name in carriage_names()}, type=str)  # type: ignore[misc]
Baseline = Enum("Baseline", {name: name for name in (ALONE, PORTS)}, type=str)  # type: ignore[misc]


def command(
    trace_files: list[Path] = argument(
        "Trace: a file, or a folder with a file per rank; of several jobs, one each.",
        metavar="TRACE...",
    ),
    network_file: Path | None = option("Network file with pLogP parameters.", "--network"),
    latency: str | None = option("Of a message, e.g. 20us."),
    bandwidth: str | None = option("Of a message that is alone: 1Gbit/s or 125MB/s."),
    overhead: str = option("Of a sender and a receiver for each message.", default="0s"),
    loggops: str | None = option(
        "LogGOPS: times, times per byte, and eager bytes.", metavar="L,o,g,G[,O[,S]]"
    ),
    eager: str | None = option("Largest message that is sent without asking; default: all are."),
    model: Model | None = option(
        "How messages share the network; default tcp where links have buffers, else the network "
        "file's, or maxmin."
    ),
    topology: options.Topology = "switch",
    hosts: int | None = option("Number of hosts; default one per rank.", min=1),
    map: str = option("Host of each rank: block, cyclic, or 0,0,1,1.", default="block"),
    algorithm: list[str] | None = option(
        "Of a collective operation, e.g. alltoall=rotated; may be repeated."
    ),
    library: str | None = option(
        "MPI library whose algorithms are taken, e.g. openmpi-4.1.4; default that of the trace, or "
        "of the network file."
    ),
    compute: float = option("Factor for all computation.", default=1.0, min=0.0),
    baseline: Baseline = option(
        "What contention is the difference to: messages alone, or in turn.", default=ALONE
    ),
    speed: options.Speed = None,
    background: float = option(
        "Share of the time that other traffic keeps each host's port busy.", default=0.0
    ),
    faster: float = option("Factor for the bytes per second of all links.", default=1.0),
    balanced: bool = option(
        "Computation of each rank scaled to the mean of all.", "--balanced", default=False
    ),
    format: str | None = option("Of the trace, where it does not say it itself."),
    output_file: Path | None = option(
        "Page (.html) that says where time is lost, and what would pay most.", "-o", "--output"
    ),
) -> Result:
    """Replay a traced program message by message, and say what contention costs it.

    The trace is run twice, with messages that share the network and with every message alone; the
    difference, call by call, is what is lost to contention. Several traces are jobs that begin
    together, on hosts one after the other or by --map: what each loses to the others is said.
    """
    page = None if output_file is None else check_page(output_file)
    times, network = message_times(network_file, latency, bandwidth, overhead, loggops, eager)
    wanted, parameters = sharing_of(network, model.value if model else None)
    traces = [read_trace(file, format, options.number_of(speed)) for file in trace_files]
    trace = joined(traces)
    carriage = carriage_of(trace.ranks, times, topology, hosts, map)
    is_named = any(one.library for one in traces)
    if model is None and page is None and carriage.has_buffers:
        wanted, parameters = TCP, None
    setting = Setting(
        trace=trace,
        times=times,
        model=wanted,
        carriage=carriage,
        parameters=parameters,
        algorithms=parse_choices(algorithm or []),
        library=library or ("" if is_named else library_beside(trace, network)),
        compute=compute,
        baseline=baseline.value,
        faster=faster,
        is_balanced=balanced,
        files=tuple(str(file) for file in trace_files),
        words=words_of(
            network=network_file, latency=latency, bandwidth=bandwidth,
            overhead=overhead if overhead != "0s" else None, loggops=loggops, eager=eager,
            model=model.value if model else None,
            topology=topology if topology != "switch" else None, hosts=hosts,
            map=map if map != "block" else None, library=library,
            compute=compute if compute != 1 else None,
            baseline=baseline.value if baseline.value != ALONE else None, speed=speed,
            background=background or None,
            faster=faster if faster != 1 else None, balanced=balanced, format=format,
        ),
    )  # fmt: skip
    lost = None
    if len(traces) > 1 or background:
        jobs = jobs_of([file.name for file in trace_files], traces, carriage.host)
        lost = interference(setting, jobs, background)
    if page is None:
        found, paged = lost.found if lost else setting.replay(), {}
    else:
        account = Account.of(setting, lost)
        write_replay_report(account, page)
        found, paged = account.found, {"page": page, "what_ifs": _what_ifs(account)}
    warnings = [found.shortfall] if found.shortfall else []
    beside = {"jobs": lost.jobs, "lost_to": lost.to.reset_index(names="job")} if lost else {}
    parts = chain(_of_jobs(lost) if lost else (), _parts(found, page))
    return Result(_data(found) | beside | paged, parts, warnings=warnings)


def _of_jobs(lost: Interference) -> Iterator[Part]:
    """What each job loses, and to whom where that is more than one."""
    yield Table(lost.jobs, _columns(lost.jobs) | {"share": ("share", _percent)}, "jobs")
    if lost.to.size > 4 or "background" in lost.to:
        to = lost.to.reset_index(names="job")
        yield Table(to, {name: (name, signed) if name != "job" else name for name in to}, "lost to")


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _data(found: Replay) -> dict[str, Any]:
    names = (
        "seconds",
        "lost",
        "first",
        "model",
        "baseline",
        "messages",
        "unreceived",
        "calls",
        "ranks",
    )
    return {name: getattr(found, name) for name in names} | {
        "shortfall": found.shortfall or None,
        "derivatives": _derivatives(found.derivatives),
        "algorithms": {name: sorted(used) for name, used in found.algorithms.items()},
        "library": found.chooser.about if found.chooser else None,
        "choices": [
            {
                "operation": one.operation,
                "library_algorithm": one.library_name or None,
                "algorithm": one.algorithm.name,
                "options": one.options,
                "note": one.note or None,
            }
            for one in found.choices
        ],
    }


def _derivatives(path: Derivatives | None) -> dict[str, Any] | None:
    if path is None:
        return None
    names = ("seconds", "messages", "bytes", "is_steady", "calls", "links")
    return {name: getattr(path, name) for name in names}


def _what_ifs(account: Account) -> list[dict[str, object]]:
    return [
        {
            "change": one.candidate.title,
            "seconds": one.seconds,
            "saved": one.saved,
            "is_bound": one.candidate.is_bound,
            "command": one.candidate.setting.command,
        }
        for one in account.what_ifs
    ]


def _parts(found: Replay, page: Path | None) -> Iterator[Part]:
    share = found.lost / found.seconds if found.seconds else 0.0
    yield (
        f"{format_seconds(found.seconds)} on {found.trace.ranks} ranks, {found.messages} messages, "
        f"{found.model}; {format_seconds(abs(found.lost))} ({share:.1%}) "
        f"{'lost to' if found.lost >= 0 else 'less by'} contention"
    )
    if found.algorithms:
        used = (f"{name} {', '.join(sorted(one))}" for name, one in found.algorithms.items())
        yield f"collectives: {'; '.join(used)}"
        yield from in_words(found.chooser, found.choices)
    if found.first:
        yield f"{signed(found.first)} of it by first messages, at which ranks connect"
    if found.unreceived:
        yield f"{found.unreceived} messages are sent that no rank receives"
    yield Table(found.calls, _columns(found.calls), "calls, mean over ranks")
    shown = found.ranks.nlargest(MOST_RANKS, "seconds", keep="first").sort_index()
    yield Table(shown, _columns(shown), "ranks")
    if len(shown) < len(found.ranks):
        yield f"{len(found.ranks) - len(shown)} ranks are done before these; --json shows all"
    if page is not None:
        yield Line(f"page: {page}")


def _columns(rows: pd.DataFrame) -> dict[str, Cell]:
    return {name: (name, signed) if name in TIMES else name for name in rows}
